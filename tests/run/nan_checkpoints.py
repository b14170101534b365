#!/usr/bin/env python3
"""Runs that become infinite leave finite checkpoints only, however seldom NaNChecker looks and however often a checkpoint is due; and one whose end no look
falls on does not end as done. `supervise` gives up instead of going on from a not-a-number for ever.

Mutation seen to fail: checkpoints without the bin precheckpoint.
"""
import glob
import os
import subprocess
import tempfile

import numpy as np
from _physics import check, finish, job

LONG = os.environ.get("CEREUS_LONG") == "1"
PARFILE = """thorns: [UniGrid, Time, MoL, NaNChecker, Checkpoint, Accelerator{device}]
Cereus: {{iterations: {steps}, output: out, compile: false}}
UniGrid: {{cells: [8], lower: 0, upper: 1, periodic: true}}
Time: {{dt: 0.11}}
NaNChecker: {{every: {looks}, variables: ["@evolved"{extra}]}}
Checkpoint: {{every: {every}, keep: 3}}
equations: |
  thorn Riccati "u' = u², which is infinite at t = 1"
  evolve state "u"
    u
  initial
    u = 1
  derive others "2u"
    double
  rhs
    D_t u = u u
  analysis
    double = 2 u
"""


def run(looks, every, steps=40, processes=1, command="run", extra="", device=False, folder=None):
    folder = folder or tempfile.mkdtemp(prefix="cereus-")
    text = PARFILE.format(looks=looks, every=every, steps=steps, extra=extra, device=", AcceleratorMirror" if device else "")
    how = job(folder, text, processes, CEREUS_DEVICE="mirror" if device else "none")
    how["args"][1] = command
    done = subprocess.run(**how, capture_output=True, timeout=120)
    return folder, done.returncode, done.stdout + done.stderr


def states(folder):
    return {path: all(np.isfinite(np.fromfile(data)).all() for data in glob.glob(os.path.join(path, "state.*")))
            for path in sorted(glob.glob(os.path.join(folder, "out", "checkpoints", "*[0-9]")))}


for every in range(1, 10):
    for looks in (3, 7) if LONG or every in (1, 4) else (3,):
        folder, code, said = run(looks, every, processes=1 + every % 2)
        found = states(folder)
        check(code == 3 and "NaNChecker: Riccati::u has" in said and found and all(found.values()),
              f"a look each {looks} steps, a checkpoint each {every}: code {code}, {len(found)} checkpoints, finite: {list(found.values())}")

# With an analysis on demand among what is looked at, and after a restart, when that is not there; and on a device.
folder, code, said = run(50, 2, steps=4, extra=', "Riccati::double"')
check(code == 0, f"with an analysis: {code} {said[-300:]}")
folder, code, said = run(50, 2, steps=6, extra=', "Riccati::double"', folder=folder)
check(code == 0 and "going on from iteration 4" in said and len(states(folder)) == 3, f"and after a restart: {code} {said[-300:]}")
folder, code, said = run(3, 2, device=True)
found = states(folder)
check(code == 3 and "NaNChecker: Riccati::u has" in said and found and all(found.values()), f"on a mirror: {code}, {list(found.values())} {said[-300:]}")

folder, code, said = run(100, 0, steps=13)
check(code == 3 and "NaNChecker" in said and not states(folder), f"no look before the end: code {code} {said[-300:] if code != 3 else ''}")
folder, code, said = run(100, 100, steps=5)
check(code == 0 and len(states(folder)) == 1, f"one that stays finite: code {code}")
folder, code, said = run(3, 2, command="supervise")
check(code == 3 and "given up" in said and all(states(folder).values()), f"supervise: code {code}")
finish()
