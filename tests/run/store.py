#!/usr/bin/env python3
"""What right-hand sides read of a stored name is computed in ghost zones, too: the bits of loops over a padded array, periodic and between walls,
on 1, 2 and 4 processes, whatever audit; nothing that is stored is sent or has a boundary condition.

Mutations that make it fail: boxes without their margin; ghost zones as wide as one reach; all names stored in one kernel.
"""
import os
import subprocess
import tempfile

import numpy as np
from _physics import DIMENSIONS, check, finish, job
from _stencil import CACHE, fields

with open(os.path.join(os.environ["CEREUS_SOURCE"], "tests/unit/equations/crystal.edl")) as f:
    CRYSTAL = f.read()
REST = """Cereus: {{iterations: 3{cereus}}}
UniGrid: {{cells: [24, 20], lower: 0, upper: 1, periodic: {periodic}}}
Time: {{dt: 0.1}}
MoL: {{method: Euler}}
Boundary: {{all: neumann}}
IOHDF5: {{variables: ["Crystal::u"], every: 3}}
"""
THORNS = "UniGrid, Time, MoL, Boundary, IOHDF5"
LEAST = 3  # layers of ghost zones


def parfile(periodic, cereus=""):
    return f"thorns: [{THORNS}]\nequations: |\n" + "".join("  " + line + "\n" for line in CRYSTAL.splitlines()) + REST.format(
        cereus=cereus, periodic="true" if periodic else "false")


def start(text, command="run", processes=1):
    folder = tempfile.mkdtemp(prefix="cereus-")
    device = {k: v for k, v in os.environ.items() if k == "CEREUS_ACTIVATE"}
    todo = job(folder, text, processes, XDG_CACHE_HOME=CACHE, **(device if command == "run" else {"CEREUS_DEVICE": "none"}))
    todo["args"][1] = command
    done = subprocess.run(**todo, capture_output=True, timeout=250)
    if done.returncode:
        check(False, f"exit {done.returncode}\n{done.stdout}{done.stderr}")
        finish()
    return done.stdout + done.stderr, os.path.join(folder, "run")


def by_hand(u, periodic, h):
    """Three steps of Euler; each Laplacian takes a layer off what is there."""
    def laplacian(a):
        return (a[1:-1, 2:] - 2 * a[1:-1, 1:-1] + a[1:-1, :-2]) / h[0] ** 2 + (a[2:, 1:-1] - 2 * a[1:-1, 1:-1] + a[:-2, 1:-1]) / h[1] ** 2

    for _ in range(3):
        p = np.pad(u, LEAST, mode="wrap" if periodic else "reflect")
        v = laplacian(p) + p[1:-1, 1:-1] ** 3
        w = laplacian(v) - v[1:-1, 1:-1]
        square = p * p
        u = u + 0.1 * (1e-9 * laplacian(w) + 1e-3 * square[3:-3, 3:-3] * v[2:-2, 2:-2]
                       + 1e-4 * (square[3:-3, 4:-2] - square[3:-3, 2:-4]) / (2 * h[0]))
    return u


if 2 not in DIMENSIONS:
    finish("the kernels are of two dimensions")
for periodic in (True, False):
    n = np.array([24, 20]) + (0 if periodic else 1)  # points lie on the walls
    h = [1 / 24, 1 / 20]
    x, y = np.meshgrid(np.arange(n[0]) * h[0], np.arange(n[1]) * h[1])
    begin = np.sin(2 * np.pi * x) * np.cos(4 * np.pi * y) + np.sin(5 * x + 7 * y) / 3
    expected = by_hand(begin, periodic, h)
    where = "periodic" if periodic else "between walls"
    said, folder = start(parfile(periodic))
    one = fields(folder, "Crystal", "u", 3)
    if check(one.shape == expected.shape, f"{where}: {one.shape} points, by hand {expected.shape}"):
        moved = np.abs(expected - begin).max()
        error = np.abs(one - expected).max() / moved
        check(error < 1e-12, f"{where}: as by hand, to {error:.2g} of what changes")
    for processes in (2, 4):
        said, folder = start(parfile(periodic), processes=processes)
        check(fields(folder, "Crystal", "u", 3).tobytes() == one.tobytes(), f"{where}: the same bits on {processes} processes")
    said, folder = start(parfile(periodic, ", audit: true"))
    check(fields(folder, "Crystal", "u", 3).tobytes() == one.tobytes(), f"{where}: an audit finds nothing, and the same bits")
    said, folder = start(parfile(periodic), "graph", 2)
    syncs = [line for line in said.splitlines() if "sync" in line]
    check(any("Crystal::u" in s for s in syncs) and not any(f"Crystal::{v}" in s for s in syncs for v in ("v", "w", "square")),
          f"{where}: u is exchanged, nothing that is stored")
    check(f"{LEAST}" in said and said.count("Crystal::store") >= 2, f"{where}: two kernels store")
finish()
