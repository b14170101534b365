#!/usr/bin/env python3
"""Diffusion converges at its order, in 1D, 2D and 3D (there without --long at order 4 alone), takes the steps that it should, and keeps its bits on
any blocks.

Mutations, each of which makes it fail:
  thorns/Diffusion/src/kernels.hpp   laplacian<order> → laplacian<2>: orders 4, 6, 8 are not reached
  thorns/Time/src/step.hpp           2 * dim → 2: another number of steps
  thorns/UniGrid                     anything that breaks ghost zones: seven uneven blocks differ from one
"""
import os

from _physics import check, finish, line, order_of, rows, run


def parfile(cells, dim, order, data, method="RK4", limit=0.1, time=0.01, grid="", outputs="Diffusion::error", extra=""):
    return f"""
thorns: [UniGrid, MoL, Time, Diffusion, Reduce, IOASCII]
Cereus: {{final_time: {time}{extra}}}
UniGrid: {{cells: {[cells] * dim}{grid}}}
MoL: {{method: {method}}}
Time: {{diffusive_courant: {limit}}}
Diffusion: {{order: {order}, {data}}}
IOASCII: {{variables: ["{outputs}"], every: 0, every_time: {time}, reductions: [norm2], lines: [x]}}
"""


# With RK4 the error in time is far below that in space: the order of the differences is what is measured.
modes = "initial_data: cosine, wave_number: [0.5, 0.5, 0.5]"
for dim in (1, 2, 3):
    for order in (2, 4, 6, 8) if dim < 3 or "CEREUS_LONG" in os.environ else (4,):
        errors = [rows(run(parfile(n, dim, order, modes, limit=0.25)), "diffusion-error.norm2.asc")[-1][2] for n in (16, 32)]
        measured = order_of(*errors)
        check(abs(measured - order) < 0.1, f"{dim}D, order {order}: measured {measured:.3f}, error {errors[1]:.1e}")

# Forward Euler with dt ∝ h²: second order, whatever the differences; a spreading Gaussian.
pulse = "initial_data: gaussian, width: 0.15"
for dim in (1, 2):
    errors = [rows(run(parfile(n, dim, 2, pulse, "Euler", 0.4)), "diffusion-error.norm2.asc")[-1][2] for n in (32, 64)]
    check(abs(order_of(*errors) - 2) < 0.15, f"Euler, {dim}D: measured {order_of(*errors):.3f}")

# dt = limit · h² / (2 dim D), and the last step lands on the final time.
for dim in (1, 2):
    h, limit, diffusivity, time = 2 / 16, 0.5, 0.7, 0.05
    text = parfile(16, dim, 2, f"{pulse}, diffusivity: {diffusivity}", "Euler", limit, time).replace("every: 0", "every: 1")
    steps = rows(run(text), "diffusion-error.norm2.asc")
    dt = limit * h * h / (2 * dim * diffusivity)
    check(abs(steps[1][1] - dt) < 1e-15 and abs(steps[-1][1] - time) < 1e-15 and len(steps) - 1 == -(-time // dt),
          f"{dim}D: dt {steps[1][1]:.6g}, {len(steps) - 1} steps, the last at {steps[-1][1]}")

# Fused or not, on one block or several, in float or double.
reference = line(run(parfile(24, 2, 4, pulse, "Euler", 0.3, outputs="Diffusion::u")), "diffusion-state.x.asc")
for what, change in (("seven uneven blocks", {"grid": ", blocks: 7, uneven: true"}), ("not fused", {"extra": ", fuse: false"})):
    other = line(run(parfile(24, 2, 4, pulse, "Euler", 0.3, outputs="Diffusion::u", **change)), "diffusion-state.x.asc")
    worst = max(abs(other[x] - u) for x, u in reference.items())
    check(worst == 0 if "grid" in change else worst < 1e-14, f"{what}: differs by {worst:.1e}")
single = line(run(parfile(24, 2, 4, pulse, "Euler", 0.3, outputs="Diffusion::u", extra=", real: float")), "diffusion-state.x.asc")
worst = max(abs(single[x] - u) for x, u in reference.items())
check(0 < worst < 1e-5, f"float: differs by {worst:.1e}")
finish()
