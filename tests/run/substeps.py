#!/usr/bin/env python3
"""Time tiles take all stages of a Runge–Kutta step in one go, and several steps: the bits are those of stages one by one, for each method that needs
no more than states, in 1 to 3 dimensions, in periodic boxes and between boundaries that stay; on 1, 2 and 4 processes; where a step is
shorter, and where somebody looks in mid-run. What is in the way of them is said; `graph`, `check` and the timers say how steps are taken.

Mutations that make it fail, in thorns/CaKernel/src/sweep/plan.hpp: sources from the buffers of the stage before; the planes of a source
not kept; the present not exchanged after a stage; in host_tile.cpp: the coefficients of the first stage for all; in engine.cpp: `stages` false in forecast(), a timer for each sweep.
"""
import concurrent.futures
import os
import subprocess
import tempfile

import h5py
import numpy as np

from _physics import DIMENSIONS, check, finish, job

EXACT = os.environ.get("CEREUS_DEVICE", "none") != "cuda"
DEVICE = {k: v for k, v in os.environ.items() if k == "CEREUS_ACTIVATE"}
CELLS = {1: [70], 2: [70, 50], 3: [44, 40, 36]}
PARFILE = """thorns: [UniGrid, Time, MoL, Boundary, Expressions, {thorn}, IOHDF5{thorns}]
Cereus: {{{end}{more}}}
UniGrid: {{cells: {cells}, lower: -1, upper: 1, periodic: {periodic}}}
Time: {{dt: {dt}}}
MoL: {{method: {method}}}
Expressions: {{initial: ["{thorn}::u = exp(-5 * (x - 0.1)^2 + x * (y + z)) + 0.1 * noise(1)"{rest}]{outside}}}
{thorn}: {{order: {order}}}
IOHDF5: {{variables: ["@evolved"], every: {every}}}
{boundary}
"""
TILES = "CaKernel: {{steps: {}, trials: false, cache: false}}\n"


def fields(folder):
    """All datasets of the last file, by name."""
    found = {}
    last = sorted(n for n in os.listdir(folder) if n.endswith(".hdf"))[-1]
    with h5py.File(os.path.join(folder, last)) as f:
        f["data"].visititems(lambda name, node: found.__setitem__(name, node[()]) if isinstance(node, h5py.Dataset) else None)
    return found


def of(dim, steps=0, processes=1, method="RK4", thorn="WaveToy", order=4, periodic=True, end="iterations: 7", every=7, more=""):
    """The fields of a run that takes so many steps at once; 0: stages one by one. And what it says."""
    text = PARFILE.format(thorn=thorn, thorns=", CaKernel" if steps else "", end=end, more=more, cells=CELLS[dim], periodic=str(periodic).lower(), dt=1e-3 if thorn == "WaveToy" else 1e-4, method=method,
                          rest=', "WaveToy::rho = x - y * z"' if thorn == "WaveToy" else "", outside="" if periodic else ", outside: true", order=order, every=every, boundary="" if periodic else "Boundary: {all: fixed}")
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, text + (TILES.format(steps) if steps else ""), processes, **DEVICE), capture_output=True, timeout=200)
    check(done.returncode == 0, f"it runs {done.stderr}")
    return fields(os.path.join(folder, "run")), done.stdout


def same(a, b):
    if EXACT:
        return a.keys() == b.keys() and all(np.array_equal(a[n], b[n]) for n in a)
    return a.keys() == b.keys() and all(np.abs(a[n] - b[n]).max() < 1e-12 * np.abs(a[n]).max() for n in a)


CASES = [(dim, dict(method=method, thorn=thorn, order=order, periodic=periodic))
         for dim in reversed(DIMENSIONS)
         for method, thorn, order, periodic in (
             ("RK4", "WaveToy", 4, True), ("RK4", "WaveToy", 4, False), ("RK3", "WaveToy", 2, True), ("RK4", "Diffusion", 8 if dim < 3 else 2, True),
             ("RK2", "Diffusion", 4, True), ("SSPRK2", "WaveToy", 6, False), ("SSPRK3", "Diffusion", 2, False))]


def outcome(case):
    """Of a dimension and a case: what steps one by one make of it, and several at once on one process and on two."""
    dim, what = case
    return of(dim, **what)[0], [(steps, processes, *of(dim, steps, processes, **what)) for steps, processes in ((1, 1), (2 if dim < 3 else 1, 2)) if EXACT or processes == 1]


with concurrent.futures.ThreadPoolExecutor(1 if EXACT else 7) as pool:  # on a device most of the time goes into compiling
    for (dim, case), (want, runs) in zip(CASES, pool.map(outcome, CASES)):
        for steps, processes, got, said in runs:
            check(same(want, got) and "time tiles: none" not in said,
                  f"{dim}D, {case['thorn']}, {case['method']}, order {case['order']}, {'periodic' if case['periodic'] else 'fixed'}: the same bits, {steps} steps at once on {processes} processes {said if 'none' in said else ''}")

dim = DIMENSIONS[-1]
want, _ = of(dim)
check(same(want, of(dim, 1, 4)[0]), "the same bits on 4 processes")
for what, case in (("the last step is shorter", dict(end="final_time: 0.0063")), ("somebody looks in mid-run", dict(every=2, end="iterations: 8")), ("floats", dict(more=", real: float"))):
    check(same(of(dim, **case)[0], of(dim, 2 if dim < 3 else 1, **case)[0]), f"{what}: the same bits")

for what, case, reason in (("a method with more stages", dict(method="RKF78"), "its integrator takes more than 4 stages"),
                           ("an adaptive one", dict(method="RK45"), "its integrator takes more than 4 stages")):
    want, _ = of(dim, **case)
    got, said = of(dim, 1, **case)
    check(same(want, got) and f"time tiles: none, because {reason}" in said, f"{what}: {reason} {said}")

def said_before(command, thorns=", CaKernel", boundary="", periodic="true"):
    """What a command says of a wave in 2D that takes RK4."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(PARFILE.format(thorn="WaveToy", thorns=thorns, end="iterations: 7", more="", cells=CELLS[2], periodic=periodic, dt=1e-3, method="RK4", rest="", outside="", order=4, every=7, boundary=boundary))
    done = subprocess.run([os.environ["CEREUS"], command, "run.yaml"], cwd=folder, capture_output=True, text=True, env={k: v for k, v in os.environ.items() if k not in ("CEREUS_ACTIVATE", "CEREUS_DEVICE")})
    return [line for line in done.stdout.splitlines() if line.startswith("CaKernel:")] if done.returncode == 0 else done.stderr


if 2 in DIMENSIONS:
    for boundary, periodic, line in (("CaKernel: {trials: false}", "true", "up to 3 steps of 4 stages a sweep; a model chooses"),
                                     ("CaKernel: {steps: 1}", "true", "4 stages a sweep, or stages one by one; trials in the first steps choose"),
                                     ("Boundary: {all: radiation}", "false", "stages one by one, because Boundary changes right-hand sides between stages")):
        for command in ("graph", "check"):
            said = said_before(command, boundary=boundary, periodic=periodic)
            check(said == ["CaKernel: " + line], f"{command}: {line} {said}")
    check(said_before("graph", thorns="") == [], "a run without it says nothing of it")
    rows = said_before("run", thorns=", CaKernel, TimerReport", boundary="CaKernel: {trials: false, steps: 2}")
    check(len(rows) == 1 and rows[0].startswith("CaKernel: 2 steps of 4 stages a sweep ") and rows[0].split()[8] == "3", f"timers have a row for three sweeps of two steps {rows}")
finish()
