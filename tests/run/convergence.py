"""The wave equation converges at the order of its differences: orders 2, 4, 6, 8, in 2D and 3D, three resolutions.

The time error is far below the space error, because an eighth-order integrator takes steps of a tenth of a cell.
A wrong coefficient in kernel/stencil.hpp should make this fail (-1/12 as 1/2 in the second derivative
of order 4), and so should a dropped sync (find_stale that ignores the reach).
"""
import math

from _physics import check, finish, rows, run

PARFILE = """
thorns: [UniGrid, Time, MoL, Reduce, IOASCII, WaveToy]
Cereus: {{final_time: 0.5}}
UniGrid: {{cells: [{cells}], lower: -1, upper: 1, periodic: true}}
Time: {{courant: {courant}}}
MoL: {{method: {method}}}
WaveToy: {{order: {order}, initial_data: plane, wave_number: [0.5, 0.5, 0.5]}}
IOASCII: {{variables: ["WaveToy::error"], reductions: [norm2], every: 1}}
"""


def error(order, dim, n, courant=0.1, method="RKF78"):
    cells = ", ".join([str(n)] * dim)
    folder = run(PARFILE.format(order=order, cells=cells, courant=courant, method=method))
    return rows(folder, "wavetoy-error.norm2.asc")[-1][2]


for dim, sizes in ((2, (16, 24, 32)), (3, (16, 20, 24))):
    for order in (2, 4, 6, 8):
        errors = [error(order, dim, n) for n in sizes]
        measured = [math.log(a / b) / math.log(m / n) for a, b, n, m in zip(errors, errors[1:], sizes, sizes[1:])]
        # A step twice as long changes the time error by 2^8: what it adds bounds the time error of the short one.
        time_error = abs(error(order, dim, sizes[0], courant=0.2) - errors[0]) / 255
        check(abs(measured[-1] - order) < 0.1, f"{dim}D order {order}: measured {', '.join(f'{x:.3f}' for x in measured)}")
        check(time_error < 0.01 * errors[0], f"{dim}D order {order}: time error {time_error:.1e} of {errors[0]:.1e}")
finish()
