#!/usr/bin/env python3
"""Conjugate gradients as a loop in the schedule: sums over the grid go into grid scalars, and these into kernels. Three waves and a constant need as many
sweeps as there are different eigenvalues, and end at what the eigenvalues say; the same bits on any number of processes and blocks, and on a mirror.

Mutations that make it fail: alpha is set once, at the start; a sum over the blocks of one process only; the order of set_scalars.
"""
import math
import os

from _physics import DIMENSIONS, check, finish, rows, run

N = 24
PARFILE = f"""thorns: [UniGrid, Time, Reduce, IOASCII, Gradients{{thorns}}]
Cereus: {{{{thorn_path: ["{os.environ["CEREUS_TEST_THORNS"]}"], iterations: 0{{more}}}}}}
UniGrid: {{{{cells: [{N}, {N}], lower: -1, upper: 1, blocks: {{blocks}}, uneven: {{uneven}}}}}}
Time: {{{{dt: 1}}}}
IOASCII: {{{{variables: ["Gradients::phi", "Gradients::control", "Gradients::sums"], every: 1, lines: [x], line_through: [0, 0.3, 0]}}}}
"""


def series(thorns="", more="", blocks=1, uneven="false", processes=1):
    out = run(PARFILE.format(thorns=thorns, more=more, blocks=blocks, uneven=uneven), processes)
    return [rows(out, name) for name in ("gradients-solution.x.asc", "gradients-control..asc", "gradients-sums..asc")]


if 2 in DIMENSIONS:
    phi, control, sums = series()
    for name, more in {"2 processes": {"processes": 2}, "4 processes": {"processes": 4}, "uneven blocks": {"blocks": 5, "uneven": "true"},
                       "an audit": {"more": ", audit: true"}, "a mirror": {"thorns": ", Accelerator, AcceleratorMirror", "more": ", device: mirror"}}.items():
        check(series(**more) == [phi, control, sums], f"the same bits: {name}")
    h = 2 / N
    second = lambda n: 2 * (1 - math.cos(n * math.pi * h)) / h ** 2  # of −Δ on a wave along one axis
    worst = 0
    for row in phi:
        x, y, got = row[9], row[10], row[12]
        want = 1 + sum(n * math.cos(n * math.pi * x) * math.cos((4 - n) * math.pi * y) / (1 + second(n) + second(4 - n)) for n in (1, 2, 3))
        worst = max(worst, abs(got - want))
    check(len(phi) == N and worst < 1e-11, f"φ is off by {worst:.1e}")
    check(control[-1][13] in (3, 4), f"{control[-1][13]:.0f} sweeps for three eigenvalues")
finish()
