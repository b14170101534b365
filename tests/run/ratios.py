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


def compare(name, got, want, ulps, counted, beyond):
    """Where `counted`, so many ulps; elsewhere IEEE's number within as many, or what `beyond` says."""
    ieee = want.astype(got.dtype)
    def same(a, b):
        return (a == b) | (np.isnan(a) & np.isnan(b))
    off = np.abs(got.astype(want.dtype) - want) / np.spacing(np.abs(ieee)).astype(want.dtype)
    worst = off[counted].max()
    check(worst <= ulps, f"{name}: {worst:.3f} ulp at most, of {counted.sum()} numbers")
    wrong = ~counted & ~same(got, ieee) & ~(off <= ulps) & ~same(got, beyond)
    check(not wrong.any(), f"{name}: {(~counted).sum()} numbers beyond{''.join(f', {g} for {w}' for g, w in zip(got[wrong][:5], ieee[wrong][:5]))}")


if 3 not in DIMENSIONS:
    finish()
strict = not CUDA or "strict" in subprocess.run([os.environ["CEREUS"], "--version"], capture_output=True, text=True).stdout
np.seterr(all="ignore")
for real, wide in (("double", np.longdouble), ("float", np.float64)):
    a, b, ratio, root = fields(real)
    one, least = a.dtype.type(1), np.finfo(real).tiny
    if strict:
        check(np.array_equal(ratio, a / b, equal_nan=True), f"{real}: a/b, the bits of IEEE")
        check(np.array_equal(root, one / np.sqrt(b), equal_nan=True), f"{real}: 1/√b, the bits of IEEE")
        continue
    def usual(x):
        return np.isfinite(x) & (np.abs(x) >= least)
    zero_or_infinite = np.copysign(np.where(np.abs(b) < 1, 0, np.inf), b).astype(b.dtype)
    compare(f"{real}, a/b", ratio, a.astype(wide) / b.astype(wide), 2, usual(a) & usual(b) & usual(one / b) & usual(a / b),
            np.where(usual(b) & usual(one / b), np.nan, a / zero_or_infinite))
    compare(f"{real}, 1/√b", root, 1 / np.sqrt(b.astype(wide)), 1 if real == "double" else 2, usual(b) & (b > 0), np.where(usual(b), np.nan, np.copysign(np.inf, b)))
finish()
