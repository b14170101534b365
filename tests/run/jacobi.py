#!/usr/bin/env python3
"""Heat in a periodic box against a loop that writes the formula a second time: the same bits on 1, 2 and 4 processes and in several
blocks (on a GPU 1e-13, but in the strict build), for float 1e-5 on a GPU. Steps are taken in tiles, whose ghost zones are exchanged once a tile: on a
device (CEREUS_DEVICE: mirror or cuda) while the tiles inside are swept, and sent before anybody asks.

Mutations that make it fail: a coefficient; ghost zones of a tile one layer too thin; what is swept before they arrive one layer too thick; they leave
before what waited is swept.
"""
import glob
import json
import os
import subprocess
import tempfile

import h5py
import numpy as np
from _physics import DIMENSIONS, check, finish, job

DEVICE = os.environ.get("CEREUS_DEVICE", "none")
CUDA = DEVICE == "cuda"
PARFILE = """thorns: [UniGrid, Time, IOHDF5, Jacobi, CaKernel, TimerReport{more}]
Cereus: {{iterations: 26, device: {device}, real: {real}}}
UniGrid: {{cells: {cells}, lower: -0.5, upper: 0.5, periodic: true, blocks: {blocks}}}
Time: {{dt: 1}}
IOHDF5: {{variables: ["Jacobi::u"], every: 26}}
CaKernel: {{steps: {tile}, trials: false, cache: false, report: true}}
"""


def run(cells, real, processes, blocks, tile):
    folder = tempfile.mkdtemp(prefix="cereus-")
    parfile = PARFILE.format(cells=cells, real=real, blocks=blocks, tile=tile, device=DEVICE,
                             more={"none": "", "mirror": ", Accelerator, AcceleratorMirror", "cuda": ", Accelerator, AcceleratorCUDA"}[DEVICE])
    done = subprocess.run(**job(folder, parfile, processes), capture_output=True, timeout=200)
    if done.returncode != 0:
        return None, done.stdout + done.stderr
    with open(os.path.join(folder, "run", "timers.json")) as f:
        ahead = sum(t["ahead"] for t in json.load(f)["traffic"])
    check((ahead > 0) == (DEVICE != "none" and processes > 1), f"on {processes} processes {ahead} bytes were sent ahead")
    (path,) = glob.glob(os.path.join(folder, "run", "*00000026.hdf"))
    with h5py.File(path) as f:
        return f["data/26/meshes/Jacobi__u"][()].reshape([1] * (3 - len(cells)) + cells[::-1]), done.stdout


def reference(cells, real):
    R = np.float64 if real == "double" else np.float32
    inside = np.ones((1, 1, 1), dtype=bool)
    for axis, n in enumerate(cells):
        x = -0.5 + (np.arange(n) + 0.5) * (1.0 / n)
        inside = inside & (np.abs(x) < 0.25).reshape([-1 if d == 2 - axis else 1 for d in range(3)])
    u = inside.astype(R)
    for _ in range(26):
        total = u + np.roll(u, 1, 2) + np.roll(u, -1, 2)
        if len(cells) > 1:
            total = total + np.roll(u, 1, 1) + np.roll(u, -1, 1)
        if len(cells) > 2:
            total = total + np.roll(u, 1, 0) + np.roll(u, -1, 0)
        u = R(1.0 / (2 * len(cells) + 1)) * total
    return u


strict = not CUDA or "strict" in subprocess.run([os.environ["CEREUS"], "--version"], capture_output=True, text=True).stdout
REALS = ("double", "float") if "CEREUS_LONG" in os.environ else ("double",)  # what is in float is built when it is asked for, for a minute
TILES = {1: [1, 8], 2: [1, 2, 5], 3: [1, 2, 3, 4]}
for cells in ([200], [52, 44], [40, 36, 44], *([[200, 140, 60]] if CUDA else [])):  # on a GPU tiles are large
    if len(cells) not in DIMENSIONS:
        continue
    for real in REALS:
        want = reference(cells, real)
        for processes, blocks in ((1, 1), (2, 1), (4, 1), (1, 4)):
            for tile in TILES[len(cells)] if CUDA else TILES[len(cells)][-1:]:
                got, said = run(cells, real, processes, blocks, tile)
                name = f"{'x'.join(map(str, cells))} {real}, {processes} processes of {blocks} blocks, tiles of {tile}"
                if got is None:
                    check(False, f"{name}: {said[-600:]}")
                    continue
                off = np.linalg.norm((got - want).astype(np.float64).ravel()) / np.linalg.norm(want.astype(np.float64).ravel())
                lines = [line for line in said.splitlines() if line.startswith("time tiles")]
                check("none" not in (lines or ["none"])[-1], f"{name}: {lines}")
                check(got.tobytes() == want.tobytes() if strict else off <= (1e-13 if real == "double" else 1e-5), f"{name}: differs by {off:.2g}; {lines[-1] if lines else ''}")
                check(abs(got.astype(np.float64).mean() / want.astype(np.float64).mean() - 1) < (1e-12 if real == "double" else 1e-5), f"{name}: no heat is lost")
finish()
