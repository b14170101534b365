#!/usr/bin/env python3
"""Kernels that modify, or add, what others have written: the same bits on a device as on the host, in one, two and three dimensions, in float and double, for boxes
of odd sizes, several blocks and processes. All numbers are whole and small, so that no sum rounds.

Mutations that make it fail on a GPU: in loop/modify.hpp the vector of the next row is stored; what was there is not loaded first.
"""
import glob
import os
import subprocess
import tempfile

import h5py
import numpy as np
from _physics import DIMENSIONS, check, finish, job

CUDA = os.environ.get("CEREUS_DEVICE") == "cuda"
PARFILE = """thorns: [UniGrid, Time, MoL, IOHDF5, Changer{more}]
Cereus: {{iterations: 4, device: {device}, real: {real}, thorn_path: [{thorns}]}}
UniGrid: {{cells: {cells}, periodic: true, blocks: {blocks}}}
Time: {{dt: 1}}
MoL: {{method: Euler}}
IOHDF5: {{variables: ["Changer::b", "Changer::c", "Changer::s"], every: 4}}
"""


def fields(cells, real, device, processes=1, blocks=1):
    folder = tempfile.mkdtemp(prefix="cereus-")
    more = {"none": "", "mirror": ", Accelerator, AcceleratorMirror", "cuda": ", Accelerator, AcceleratorCUDA"}[device]
    text = PARFILE.format(cells=cells, real=real, device=device, more=more, blocks=blocks, thorns=os.environ["CEREUS_TEST_THORNS"])
    done = subprocess.run(**job(folder, text, processes), capture_output=True, timeout=100)
    if not check(done.returncode == 0, f"{cells} {real}, {device}, {processes} × {blocks}: exit {done.returncode} {done.stderr[-500:] if done.returncode else ''}"):
        return None
    (path,) = glob.glob(os.path.join(folder, "run", "*4.hdf"))
    with h5py.File(path) as f:
        return [f[f"data/4/meshes/Changer__{name}"][()] for name in "bcs"]


for cells in ([61], [45, 33], [37, 29, 31], [64, 8, 6]):
    if len(cells) not in DIMENSIONS:
        continue
    for real in ("double", "float"):
        want = fields(cells, real, "none")
        check(want is not None and all(w.max() > 500 for w in want[::2]), f"{cells} {real}: there is something to compare")
        for layout in ({}, {"blocks": 3}, {"processes": 2}, {"processes": 4}) if CUDA else ({"processes": 2, "blocks": 3},):
            got = fields(cells, real, "cuda" if CUDA else "mirror", **layout)
            check(got is not None and want is not None and all(np.array_equal(g, w) for g, w in zip(got, want)), f"{cells} {real} {layout}: the same bits")
finish()
