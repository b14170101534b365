#!/usr/bin/env python3
"""Flow in a cavity: a few steps against a loop that writes the formulas a second time, in 2 and 3 dimensions; the same bits on 1, 2 and 4
processes and in several blocks; the steady flow at Re = 100 against the converged one, of which the distances are known.

Mutations, each of which makes it fail: the sign of the pressure gradient; the mean of four velocities taken from two; the lid at the lower
face, or along y; what lies outside −inner for 2 lid − inner; a velocity across a wall that is not kept at 0; one sweep more; points on the
upper wall left out where several centrings are written together.
"""
import glob
import os

import h5py
import numpy as np
from _physics import DIMENSIONS, check, finish, known, rows, run

EXACT = os.environ.get("CEREUS_DEVICE", "none") != "cuda"
PARFILE = """thorns: [UniGrid, Time, Boundary, IOHDF5, Reduce, IOASCII, Sola]
Cereus: {{{end}}}
UniGrid: {{cells: {cells}, lower: 0, upper: 1, periodic: false, blocks: {blocks}, uneven: {uneven}}}
Time: {{dt: {dt}}}
Sola: {{alpha: {alpha}, iterations: {sweeps}, viscosity: {viscosity}, gravity: [0.1, 0.2, 0.3]}}
IOHDF5: {{variables: ["Sola::u", "Sola::v", "Sola::w", "Sola::p"], every: {every}}}
"""


def fields(folder, iteration):
    found = {}
    for path in glob.glob(os.path.join(folder, f"*{iteration:08d}.hdf")):
        with h5py.File(path) as f:
            found |= {name[-1]: x[()] for name, x in f[f"data/{iteration}/meshes"].items()}
    return [found[name] for name in "uvwp"]


def reference(cells, dt, steps, sweeps, alpha, nu, lid=1.0, gravity=(0.1, 0.2, 0.3)):
    """The page's formulas: q[c] on the lower faces of cells across axis c (c = 0 is x, the last index), one layer around."""
    dim = len(cells)
    axis = lambda c: dim - 1 - c
    h = [1 / n for n in cells]
    shape = [n + 3 for n in cells[::-1]]  # one layer below; above the vertex on the wall and one layer
    q = [np.zeros(shape) for _ in cells]
    p = np.zeros(shape)
    go = lambda a, c, by: np.roll(a, -by, axis(c))

    def plane(a, c, index):
        at = [slice(None)] * dim
        at[axis(c)] = index
        return a[tuple(at)]

    def conditions():
        for c in range(dim):
            for d in range(dim):  # x, then y, then z
                n = cells[d]
                if c == d:
                    plane(q[c], d, 1)[...] = plane(q[c], d, n + 1)[...] = 0
                    plane(q[c], d, 0)[...] = -plane(q[c], d, 2)
                    plane(q[c], d, n + 2)[...] = -plane(q[c], d, n)
                else:
                    plane(q[c], d, 0)[...] = -plane(q[c], d, 1)
                    plane(q[c], d, n + 1)[...] = 2 * (lid if c == 0 and d == 1 else 0) - plane(q[c], d, n)
        for d in range(dim):
            plane(p, d, 0)[...] = plane(p, d, 1)
            plane(p, d, cells[d] + 1)[...] = plane(p, d, cells[d])

    def walls():
        for c in range(dim):
            plane(q[c], c, 1)[...] = plane(q[c], c, cells[c] + 1)[...] = 0

    for _ in range(steps):
        conditions()
        new = []
        for c in range(dim):
            rate = gravity[c] - (p - go(p, c, -1)) / h[c]
            for d in range(dim):
                s = q[c]
                if d != c:
                    s = (q[d] + go(q[d], d, 1) + go(q[d], c, -1) + go(go(q[d], d, 1), c, -1)) / 4
                up, down = go(q[c], d, 1), go(q[c], d, -1)
                rate = rate - s / (2 * h[d]) * (up - down - alpha * np.sign(s) * (up - 2 * q[c] + down)) + nu * (up - 2 * q[c] + down) / h[d] ** 2
            new.append(q[c] + dt * rate)
        q[:] = new
        walls()
        for _ in range(sweeps):
            D = sum((go(q[c], c, 1) - q[c]) / h[c] for c in range(dim))
            dp = -D / (2 * dt * sum(1 / x ** 2 for x in h))
            p += dp
            for c in range(dim):
                q[c] += dt / h[c] * (go(dp, c, -1) - dp)
            walls()
    inner = lambda a, c: a[tuple(slice(1, cells[dim - 1 - i] + 1 + (dim - 1 - i == c)) for i in range(dim))]
    return [inner(q[c], c) for c in range(dim)], inner(p, -1)


for _, cells, sweeps in known([(2, [12, 10], 4), (2, [9, 14], 3), (3, [8, 9, 10], 4)]):
    steps = 7
    values = dict(cells=cells, dt=0.02, end=f"iterations: {steps}", sweeps=sweeps, alpha=0.3, viscosity=0.02, every=steps)
    q, p = reference(cells, 0.02, steps, sweeps, 0.3, 0.02)
    first = None
    for processes, blocks, uneven in ((1, 1, "false"), (1, 3, "true"), (2, 1, "false"), (4, 1, "true")):
        found = fields(run(PARFILE.format(**values, blocks=blocks, uneven=uneven), processes), steps)
        if first is None:
            first = found
            expected = q + [np.zeros(1)] * (3 - len(cells)) + [p]
            wrong = max(np.max(np.abs(a.squeeze() - b)) for a, b in zip(found, expected))
            check(wrong < (1e-13 if EXACT else 1e-12), f"{cells}, {sweeps} sweeps: away from the formulas by {wrong:.1e}")
        same = all(a.tobytes() == b.tobytes() for a, b in zip(found, first))
        check(same, f"{cells}: the same bits on {processes} processes, {blocks} blocks each, uneven: {uneven}")

# u on the line x = 1/2 at Re = 100: a solution of the streamfunction, second order, from 256² and 512² cells extrapolated.
CONVERGED = {1: 1.0, 0.9766: 0.84348, 0.9688: 0.79161, 0.9609: 0.74071, 0.9531: 0.69118, 0.8516: 0.23644, 0.7344: 0.00415, 0.6172: -0.13881,
             0.5: -0.20915, 0.4531: -0.21398, 0.2813: -0.15765, 0.1719: -0.10173, 0.1016: -0.06441, 0.0703: -0.04663, 0.0625: -0.04198, 0.0547: -0.03722}


def between(u, y):
    """A cubic through the four points around."""
    near = sorted(sorted(u, key=lambda x: abs(x - y))[:4])
    return sum(u[a] * np.prod([(y - b) / (a - b) for b in near if b != a]) for a in near)


if 2 in DIMENSIONS:
    for alpha, known_distance in ((0.2, 0.0044), (0.0, 0.0025), (1.0, 0.0141)):
        folder = run(PARFILE.format(cells=[64, 64], dt=0.0025, end="final_time: 20", sweeps=4, alpha=alpha, viscosity=0.01, every=0, blocks=1,
                                    uneven="false").replace(", gravity: [0.1, 0.2, 0.3]", "")
                     + "IOASCII: {variables: [\"Sola::u\"], every: 8000, lines: [y], line_through: [0.5, 0.5, 0]}\n")
        last = rows(folder, "sola-u.y.asc")
        u = {r[10]: r[12] for r in last if r[0] == last[-1][0]} | {0.0: 0.0, 1.0: 1.0}
        distance = max(abs(between(u, round(y * 128) / 128) - value) for y, value in CONVERGED.items())
        check(abs(distance / known_distance - 1) < 0.2, f"alpha = {alpha}: at most {distance:.4f} away from the converged flow, {known_distance} is known")
finish()
