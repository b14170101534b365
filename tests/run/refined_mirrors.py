#!/usr/bin/env python3
"""Half a domain with a plane of symmetry, refined up to the plane, is half of the whole: vertices and cells, scalars and vectors, blocks that stay and
blocks that change; on 1 and 2 processes.

Mutations in thorns/Forest/src, each of which makes it fail: plan.cpp without gather_mirrored's parts beyond a face (then interpolations are one-sided
there); values.hpp without the sign of odd variables; images of cells that are those of vertices.
"""
import os
import subprocess
import tempfile

from _physics import DIMENSIONS, check, finish, job

WAVE = """thorns: [Forest{more}, Time, MoL, Boundary, WaveToy, Expressions, IOHDF5]
Cereus: {{iterations: 24, output: out, compile: false}}
Forest: {{cells: {cells}, lower: [{lower}, 1], upper: [1, 2], periodic: false, block: 16, levels: 2, {where}}}
Boundary: {{all: radiation, x_lower: {low}}}
Time: {{dt: 0.003}}
WaveToy: {{order: 4}}
Expressions: {{initial: ["WaveToy::u = exp(-40*(x^2 + (y-1.4)^2))"]}}
IOHDF5: {{variables: ["WaveToy::u", "Shear::*"], every: 0, at_end: true}}
{refine}equations: |
  thorn Shear "a vector"
  evolve state
    v_i far 0 speed 1, w_i far 0 speed 1
  operators centred(4)
  initial
    v_x = x exp(-40 (x^2 + (y - 1.4)^2))
    v_y = exp(-40 (x^2 + (y - 1.4)^2))
    v_z = 0
    w_i = 0
  rhs
    D_t v_i = w_i
    D_t w_i = D_jj v_i
"""
GAS = """thorns: [Forest{more}, Time, MoL, Boundary, EOS, Hydro, Reduce, IOHDF5]
Cereus: {{iterations: 24, output: out}}
Forest: {{cells: {cells}, lower: [{lower}, 1], upper: [1, 2], periodic: false, block: 16, levels: 2, {where}}}
Boundary: {{all: extrapolate, extrapolation_order: 0, x_lower: {low}}}
MoL: {{method: SSPRK2}}
Time: {{dt: 0.001}}
Hydro: {{limiter: mc, pressure: "1 + 10*exp(-40*(x^2 + (y-1.4)^2))"}}
IOHDF5: {{variables: ["Hydro::state"], every: 0, at_end: true}}
{refine}"""


def run(text, processes=1):
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, text, processes), capture_output=True, timeout=200)
    check(done.returncode == 0, f"a run on {processes}: {done.returncode} {(done.stdout + done.stderr)[-600:] if done.returncode else ''}")
    return os.path.join(folder, "out")


def values(folder):
    """{(level, name): values [y, x] over the level, NaN where it has no blocks}."""
    import h5py
    found = {}
    for path in (os.path.join(folder, n) for n in os.listdir(folder) if n.endswith(".hdf")):
        with h5py.File(path) as f:
            (iteration,) = f["data"]
            for name, mesh in f[f"data/{iteration}/meshes"].items():
                found[name] = mesh[()]
    return found


def compare(what, whole, half):
    import numpy as np
    if not check(whole.keys() == half.keys() and len(whole) > 4, f"{what}: {len(whole)} and {len(half)} fields"):
        return
    worst, points, fine = 0, 0, 0
    for name, v in half.items():
        w = whole[name][:, -v.shape[1]:]
        there = ~np.isnan(v)
        if not np.array_equal(there, ~np.isnan(w)):
            return check(False, f"{what}, {name}: blocks in the same places")
        worst = max(worst, np.max(np.abs(v - w)[there], initial=0) / max(1e-30, np.max(np.abs(v[there]), initial=1e-30)))
        points += there.sum()
        fine += there.sum() if "_lvl1" in name else 0
    check(worst < 1e-12 and 0 < fine < points, f"{what}: {points} values, {fine} of them fine, off by {worst:.1e}")


LOOK = 'Refine: {{variables: ["{v}"], measure: gradient, refine_above: {a}, coarsen_below: {b}}}\n'
if 2 in DIMENSIONS:
    for what, text, variable, above in (("a wave", WAVE, "WaveToy::u", 0.02), ("a gas", GAS, "Hydro::energy", 0.5)):
        for how in ("stays", "changes"):
            more, refine = (", Refine", LOOK.format(v=variable, a=above, b=above / 3)) if how == "changes" else ("", "")
            kinds = {}
            for kind, cells, lower, low, box in (("whole", [64, 32], -1, "extrapolate" if text is GAS else "radiation", "1 -0.3 0.3 1.2 1.6"), ("half", [32, 32], 0, "reflect", "1 0 0.3 1.2 1.6")):
                where = "every: 2" if how == "changes" else f'boxes: ["{box}"]'
                kinds[kind] = text.format(more=more, cells=cells, lower=lower, low=low, where=where, refine=refine)
            whole, half, two = values(run(kinds["whole"])), values(run(kinds["half"])), values(run(kinds["half"], 2))
            compare(f"{what} on blocks whose place {how}", whole, half)
            compare(f"{what} on blocks whose place {how}, 2 processes", half, two)
finish("" if 2 in DIMENSIONS else "needs kernels in 2D")
