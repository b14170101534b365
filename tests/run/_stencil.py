"""Runs stencil programs and reads what they write; for the tests of programs beside it."""
import glob
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from _physics import check, job

CACHE = tempfile.mkdtemp(prefix="cereus-")  # of compiled programs
TILED = "CaKernel: {{steps: {}, trials: false, cache: false, report: true}}\n"


def start(parfile, files=(), processes=1):
    """The output folder, and what was said."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    for name, text in files:
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)
    device = {k: v for k, v in os.environ.items() if k == "CEREUS_ACTIVATE"}
    done = subprocess.run(**job(folder, parfile, processes, XDG_CACHE_HOME=CACHE, **device), capture_output=True, timeout=250)
    return done.returncode, done.stdout + done.stderr, os.path.join(folder, "run")


def run(text, parameters="", variables=("A",), steps=5, tile=0, real="double", processes=1, more=""):
    """Runs a program of thorn `test`; its fields [z][y][x] where points are updated, and what was said."""
    parfile = f"""thorns: [UniGrid, Time, Boundary, IOHDF5, test.stencil{", CaKernel" if tile else ""}]
Cereus: {{iterations: {steps}, real: {real}}}
test: {{{parameters}}}
IOHDF5: {{variables: [{", ".join(f"test::{v}" for v in variables)}], every: {steps}}}
{f"CaKernel: {{steps: {tile}, trials: false, cache: false, report: true}}" if tile else ""}
{more}"""
    code, said, folder = start(parfile, [("test.stencil", text)], processes)
    if code:
        check(False, f"a program runs: exit {code}\n{text}\n{said}")
        sys.exit(1)
    return [fields(folder, "test", v, steps) for v in variables], said


def fields(folder, thorn, variable, steps):
    (path,) = glob.glob(os.path.join(folder, f"*{steps:08d}.hdf"))
    with h5py.File(path) as f:
        return f[f"data/{steps}/meshes/{thorn}__{variable}"][()]


def same(got, want, what):
    got, want = np.asarray(got), np.asarray(want)
    check(got.tobytes() == np.ascontiguousarray(want.reshape(got.shape)).tobytes(), f"{what}: the same bits")
