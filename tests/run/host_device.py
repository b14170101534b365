#!/usr/bin/env python3
"""100 steps of a wave from the same bits, on the host and on the device: the same bits on a mirror, and on a GPU in the strict
build; elsewhere a GPU contracts a·b + c, and 1e-13 of the largest value is allowed.

Mutation that makes it fail: the speed of waves larger by 1e-10 on one side.
"""
import glob
import os
import subprocess
import tempfile

import h5py
import numpy as np
from _physics import DIMENSIONS, check, finish, job

PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, WaveToy, Noise, IOHDF5{more}]
Cereus: {{iterations: 100, device: {device}, thorn_path: [{thorns}]}}
UniGrid: {{cells: [40, 36, 44], lower: -1, upper: 1}}
Time: {{courant: 0.4}}
WaveToy: {{order: 4}}
IOHDF5: {{variables: ["WaveToy::u", "WaveToy::rho"], every: 100}}
"""


def fields(device, more):
    """The fields after 100 steps, and what was said."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    parfile = PARFILE.format(device=device, more=more, thorns=os.environ["CEREUS_TEST_THORNS"])
    done = subprocess.run(**job(folder, parfile), capture_output=True, timeout=100)
    check(done.returncode == 0, f"{device}: exit {done.returncode} {done.stderr if done.returncode else ''}")
    found = {}
    (path,) = glob.glob(os.path.join(folder, "run", "*100.hdf"))
    with h5py.File(path) as f:
        f.visititems(lambda name, o: found.update({name: o[()]}) if isinstance(o, h5py.Dataset) and o.dtype.kind == "f" and o.size > 1000 else None)
    return found, done.stdout


if 3 not in DIMENSIONS:
    finish()
cuda = os.environ.get("CEREUS_DEVICE") == "cuda"
host, _ = fields("none", "")
device, said = fields("cuda" if cuda else "mirror", ", Accelerator, AcceleratorCUDA" if cuda else ", Accelerator, AcceleratorMirror")
strict = not cuda or "strict" in subprocess.run([os.environ["CEREUS"], "--version"], capture_output=True, text=True).stdout
check(len(host) >= 2 and host.keys() == device.keys(), f"fields {sorted(host)}")
for name, a in host.items():
    b = device[name]
    off = np.abs(a - b).max() / np.abs(a).max()
    check(a.tobytes() == b.tobytes() if strict else off <= 1e-13, f"{name}: differs by {off:.2g}{', same bits asked for' * strict}")
finish()
