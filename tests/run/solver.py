#!/usr/bin/env python3
"""A solver as a loop in the schedule, docs/concepts/schedule.md: ∂u/∂t = φ, −Δφ = u, against a matrix; the same bits on 1 and 2 processes.

Mutations that make it fail: bind() binds all handles of a struct alike; a schedule group's loop runs once.
"""
import os

import numpy as np
from _physics import DIMENSIONS, check, finish, rows, run

N, STEPS, DT = 8, 3, 0.1
PARFILE = f"""thorns: [UniGrid, Time, MoL, Boundary, Reduce, IOASCII, Plasma]
Cereus: {{{{thorn_path: ["{os.environ["CEREUS_TEST_THORNS"]}"], iterations: {STEPS}{{more}}}}}}
UniGrid: {{{{cells: [{N}, {N}], lower: -1, upper: 1, periodic: false}}}}
Boundary: {{{{all: dirichlet}}}}
Time: {{{{dt: {DT}}}}}
MoL: {{{{method: Euler}}}}
IOASCII: {{{{variables: ["Plasma::u", "Plasma::control"], every: 1, points: [0.3, 0.1, 0]}}}}
"""
if 2 in DIMENSIONS:
    outs = [run(PARFILE.format(more=more), processes) for more, processes in (("", 1), ("", 2), (", audit: true", 1))]
    series = [[rows(out, name) for name in ("plasma-state.points.asc", "plasma-state.norm2.asc", "plasma-control..asc")] for out in outs]
    check(series[0] == series[1] == series[2], "the same bits on 2 processes, and in an audit")
    check(series[0][2][-1][13] > 100, f"{series[0][2][-1][13]:.0f} sweeps")

    h = 2 / N
    x = -1 + (np.arange(N) + 0.5) * h
    u = (1 + x[None, :] ** 2 + 0.5 * x[:, None]).ravel()
    line = 2 * np.eye(N) - np.eye(N, k=1) - np.eye(N, k=-1)
    matrix = (np.kron(line, np.eye(N)) + np.kron(np.eye(N), line)) / h ** 2
    matrix += np.diag(np.kron(np.eye(N)[0] + np.eye(N)[-1], np.ones(N)) + np.kron(np.ones(N), np.eye(N)[0] + np.eye(N)[-1])) / h ** 2
    want = [np.sqrt(np.mean(u ** 2))]
    for _ in range(STEPS):
        u = u + DT * np.linalg.solve(matrix, u)
        want.append(np.sqrt(np.mean(u ** 2)))
    got = [row[2] for row in series[0][1]]
    check(np.allclose(got, want, rtol=1e-9, atol=0) and want[-1] > 1.03 * want[0], f"norms {got}, by a matrix {want}")
finish()
