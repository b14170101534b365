#!/usr/bin/env python3
"""Formulas in a parameter file: initial data and analysis have the values of the same formulas in numpy, in 1D to 3D, float and double, on one process
and two; mistakes are reported with their place.

Mutations that make it fail: operands of subtract swapped; a stack that does not shrink; inputs numbered from the target; operands in the other order;
noise of a block's own index; erf that is erfc; noise of equations of the first point of some in a row.
"""
import math
import os
import subprocess
import tempfile

import h5py
import numpy as np

from _physics import DIMENSIONS, check, finish, job

HEAD = """thorns: [UniGrid, Time, MoL, Boundary, Reduce, IOASCII, IOHDF5, WaveToy, Expressions]
Cereus: {{iterations: {steps}, output: out, real: {real}}}
UniGrid: {{cells: {cells}, lower: -1, upper: 2{periodic}}}
IOHDF5: {{variables: ["WaveToy::u", "WaveToy::rho"{more}], every: 1}}
"""
FORMULAS = """Expressions:
  initial:
    - WaveToy::u = 1 + sin(3*x)*cos(2*y) - z^2/4 + atan2(x, y + 3)   # of the place
    - "WaveToy::rho = x > 0.5 ? -WaveToy::u : min(WaveToy::u, 0.25, x)"
    - WaveToy::u = WaveToy::u - 2^x * WaveToy::rho                 # of itself, and another
  analysis:
    - modulus = sqrt(WaveToy::u^2 + WaveToy::rho*WaveToy::rho)
    - wide = 3 - modulus/(1 + abs(WaveToy::rho)) - WaveToy::u + t - exp(-x)
"""


def run(text, processes=1):
    folder = tempfile.mkdtemp(prefix="cereus-")
    also = {k: v for k, v in os.environ.items() if k == "CEREUS_ACTIVATE"}  # on a mirror device
    return os.path.join(folder, "out"), subprocess.run(**job(folder, text, processes, **also), capture_output=True, timeout=120)


def fields(out, iteration):
    with h5py.File(os.path.join(out, f"run_{iteration:08d}.hdf")) as f:
        mesh = f[f"data/{iteration}/meshes"]
        time = f[f"data/{iteration}"].attrs["time"]
        return time, {name: mesh[name][...] for name in mesh}


REALS = ("double", "float") if "CEREUS_LONG" in os.environ else ("double",)  # what is in float is built when it is asked for, for a minute
for dim in DIMENSIONS:
    for real in REALS:
        tolerance = 1e-14 if real == "double" else 3e-6
        cells = [12, 10, 9][:dim]
        text = HEAD.format(cells=cells, real=real, steps=2, periodic="", more=', "Expressions::*"') + FORMULAS
        for processes in (1, 2):
            out, done = run(text, processes)
            if done.returncode:
                check(False, f"{dim}D {real}: {done.stderr}")
                continue
            x, y, z = [(-1 + 3 / (cells + [1, 1, 1])[d] * np.arange((cells + [1, 1, 1])[d])).reshape([-1 if a == d else 1 for a in (2, 1, 0)]) if d < dim else 0.0 for d in range(3)]
            u = 1 + np.sin(3 * x) * np.cos(2 * y) - z**2 / 4 + np.arctan2(x, y + 3)
            rho = np.where(x > 0.5, -u, np.minimum(np.minimum(u, 0.25), x))
            u = u - 2**x * rho
            _, got = fields(out, 0)
            shape = got["WaveToy__u"].shape
            far = max(np.abs(got["WaveToy__u"] - np.broadcast_to(u, (1,) * 0 + np.shape(u)).reshape(shape)).max(), np.abs(got["WaveToy__rho"] - rho.reshape(shape)).max())
            check(far < 10 * tolerance, f"{dim}D {real}, {processes} processes: initial data differ by {far:.1e}")
            for iteration in (0, 2):
                time, got = fields(out, iteration)
                u, rho = got["WaveToy__u"].astype(float), got["WaveToy__rho"].astype(float)
                modulus = np.sqrt(u**2 + rho**2)
                wide = 3 - modulus / (1 + np.abs(rho)) - u + time - np.exp(-x).reshape([1] * (len(shape) - 1) + [-1])
                far = max(np.abs(got["Expressions__modulus"] - modulus).max(), np.abs(got["Expressions__wide"] - wide).max())
                check(far < 10 * tolerance, f"  analysis of iteration {iteration}: {far:.1e}")



def noise(seed, shape):
    """cereus/kernel/noise.hpp, of a vertex's global index."""
    n = np.full(shape, seed, np.uint64)
    for d in range(3):
        index = np.arange(shape[-1 - d], dtype=np.uint64).reshape([-1] + [1] * d) if d < len(shape) else np.uint64(0)
        n = n + np.uint64(0x9e3779b97f4a7c15) * (index + np.uint64(1000))
        for shift, factor in ((30, 0xbf58476d1ce4e5b9), (27, 0x94d049bb133111eb), (31, 1)):
            n = (n ^ (n >> np.uint64(shift))) * np.uint64(factor)
    return (n >> np.uint64(40)).astype(float) / 2**24


RIPPLES = """equations: |
  thorn Ripples "The noise of equations"
  derive ripples "noise"
    v
  initial
    v = noise(3)
"""
np.seterr(over="ignore")
for dim in DIMENSIONS:
    for processes in (1, 2, 4):
        text = HEAD.format(cells=[12, 10, 9][:dim], real="double", steps=0, periodic="", more=', "Ripples::v"').replace("real:", "compile: false, real:")
        out, done = run(text + RIPPLES + "Expressions: {initial: ['WaveToy::u = 2 + noise(3)', 'WaveToy::rho = tanh(x) + erf(x) * cosh(x) / 2 - sinh(x)']}\n", processes)
        if not check(done.returncode == 0, f"{dim}D, {processes} processes: noise and functions {done.stderr.strip()}"):
            continue
        _, got = fields(out, 0)
        u = got["WaveToy__u"].squeeze()
        check(np.array_equal(u, 2 + noise(3, u.shape)) and 0.4 < (u - 2).mean() < 0.6, f"noise is that of the global index, {u.min():.3f} to {u.max():.3f}")
        check(np.array_equal(got["Ripples__v"].squeeze(), u - 2), "and so is that of equations")
        x = -1 + 3 / 12 * np.arange(got["WaveToy__rho"].shape[-1])
        far = np.abs(got["WaveToy__rho"] - (np.tanh(x) + np.vectorize(math.erf)(x) * np.cosh(x) / 2 - np.sinh(x))).max()
        check(far < 1e-14, f"tanh, erf, cosh, sinh: {far:.1e}")

fixed = HEAD.format(cells=[8, 8], real="double", steps=3, periodic=", periodic: false", more="") + "Boundary: {all: fixed}\nExpressions: {initial: ['WaveToy::u = x + 2*y', 'WaveToy::rho = 0'], outside: OUT}\n"
out, done = run(fixed.replace("OUT", "true"))
check(done.returncode == 0, f"a fixed boundary: {done.stderr.strip()}")
far = np.abs(fields(out, 3)[1]["WaveToy__u"] - fields(out, 0)[1]["WaveToy__u"]).max() if done.returncode == 0 else 1
check(far < 1e-13, f"beside which a plane stays what it is: {far:.1e}")
out, done = run(fixed.replace("OUT", "false"))
check(done.returncode == 3 and "initial data must be written everywhere" in done.stderr, f"only inside: {done.stderr.strip()}")
for what, text, parts in (
        ("outside of periodic axes", fixed.replace("OUT", "true").replace("periodic: false", "periodic: true").replace("Boundary: {all: fixed}\n", ""), ["run.yaml:5", "periodic"]),
        ("an unknown function", "initial: ['WaveToy::u = sine(x)']", ["run.yaml:5", "column 14", "did you mean 'sin'"]),
        ("an unknown variable", "initial: ['WaveToy::u = WaveToy::v']", ["WaveToy::v", "did you mean", "run.yaml:5"]),
        ("an unknown target", "initial: ['WaveToy::w = x']", ["WaveToy::w", "run.yaml:5"]),
        ("a name without a thorn", "initial: ['WaveToy::u = Pi*r'], analysis: ['a = 1', 'b = aa']", ["run.yaml:5", "column 14", "unknown name 'Pi'; did you mean 'pi'", "unknown name 'aa'; did you mean 'a'"]),
        ("what only steps write", "analysis: ['m = WaveToy::u_rhs']}\nIOASCII: {variables: ['Expressions::m']", ["run.yaml:5", "WaveToy::u_rhs", "iteration 0"]),
        ("no target", "initial: ['x + 1']", ["run.yaml:5", "NAME = formula"]),
        ("a half", "initial: ['WaveToy::u = x +']", ["run.yaml:5", "column 17"]),
        ("its own value", "analysis: ['a = a + 1']", ["run.yaml:5", "its own value"]),
        ("two of a name", "analysis: ['a = 1', 'a = 2']", ["run.yaml:5", "twice"]),
        ("a place's name", "analysis: ['x = 1']", ["run.yaml:5", "another name"]),
        ("no name", "analysis: ['2a = 1']", ["run.yaml:5", "2a"]),
        ("too long", "initial: ['WaveToy::u = " + "+".join(["x"] * 60) + "']", ["run.yaml:5", "too long"])):
    if not text.startswith("thorns"):
        text = HEAD.format(cells=[8], real="double", steps=1, periodic="", more="") + "Expressions: {" + text + "}\n"
    out, done = run(text)
    check(done.returncode == 1 and all(p in done.stderr for p in parts) and not os.path.exists(os.path.join(out, "run_00000000.hdf")), f"{what}: {done.returncode} {done.stderr.strip()[-300:]}")
finish()
