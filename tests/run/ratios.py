#!/usr/bin/env python3
"""a/b and 1/√b as kernels have them, for numbers of all magnitudes: on a host, and on a device in the strict build, the bits of IEEE;
in the usual build of a device within 2 ulp (1/√b in double: 1), and what is said of numbers beyond.

Mutations that make it fail on a GPU: 0.375 in inverse_sqrt as 0.37; quotient without its square of e; `usual` always true.
"""
import glob
import os
import subprocess
import sys
import tempfile

import h5py
import numpy as np
from _physics import DIMENSIONS, check, finish, job

CUDA = os.environ.get("CEREUS_DEVICE") == "cuda"
PARFILE = """thorns: [UniGrid, Time, IOHDF5, Ratios{more}]
Cereus: {{iterations: 0, device: {device}, real: {real}, thorn_path: [{thorns}]}}
UniGrid: {{cells: [64, 64, 64], periodic: true}}
IOHDF5: {{variables: ["Ratios::a", "Ratios::b", "Ratios::ratio", "Ratios::root"], every: 1}}
"""


def fields(real):
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, PARFILE.format(real=real, thorns=os.environ["CEREUS_TEST_THORNS"], device="cuda" if CUDA else "none",
                                                       more=", Accelerator, AcceleratorCUDA" if CUDA else "")), capture_output=True, timeout=100)
    check(done.returncode == 0, f"{real}: exit {done.returncode} {done.stderr if done.returncode else ''}")
    if done.returncode != 0:
        finish()
    (path,) = glob.glob(os.path.join(folder, "run", "*.hdf"))
    with h5py.File(path) as f:
        return [f[f"data/0/meshes/Ratios__{name}"][()].ravel() for name in ("a", "b", "ratio", "root")]


def bits(x):
    return np.isnan(x).tobytes() + np.where(np.isnan(x), x.dtype.type(0), x).tobytes()


def compare(name, got, want, ulps, excused, instead):
    """Within so many ulps of IEEE's number; where `excused`, the other one is right, too."""
    ieee = want.astype(got.dtype)
    def same(a, b):
        return (a == b) | (np.isnan(a) & np.isnan(b))
    off = np.abs(got.astype(want.dtype) - want) / np.spacing(np.abs(ieee)).astype(want.dtype)
    worst = np.nanmax(np.where(np.isfinite(ieee) & ~excused, off, 0))
    wrong = ~same(got, ieee) & ~(off <= ulps) & ~(excused & same(got, instead))
    check(not wrong.any(), f"{name}: {worst:.3f} ulp at most of {got.size} numbers, {excused.sum()} excused{''.join(f', {g} for {w}' for g, w in zip(got[wrong][:5], ieee[wrong][:5]))}")


if 3 not in DIMENSIONS:
    finish()
strict = not CUDA or "strict" in subprocess.run([os.environ["CEREUS"], "--version"], capture_output=True, text=True).stdout
np.seterr(all="ignore")
for real, wide in (("double", np.longdouble), ("float", np.float64)):
    a, b, ratio, root = fields(real)
    one, least = a.dtype.type(1), np.finfo(real).tiny
    if strict:
        check(bits(ratio) == bits(a / b), f"{real}: a/b, the bits of IEEE")
        check(bits(root) == bits(one / np.sqrt(b)), f"{real}: 1/√b, the bits of its two operations")
        continue
    small = (b != 0) & (np.abs(b) < least)
    large = np.isfinite(b) & (np.abs(one / b) < least)
    double = np.full(b.shape, real == "double")
    compare(f"{real}, a/b", ratio, a.astype(wide) / b.astype(wide), 2, double & (small | large), a / np.copysign(np.where(small, 0.0, np.inf), b).astype(b.dtype))
    compare(f"{real}, 1/√b", root, 1 / np.sqrt(b.astype(wide)), 1 if real == "double" else 2, double & small, np.copysign(np.inf, b))
finish("" if CUDA else "no GPU: on a host they are just division and root")
