#!/usr/bin/env python3
"""A formula takes its variables at one place: `Expressions.analysis` lies where what it reads lies, a text says `in cells`, a World has `centring`;
what mixes them is refused, with both names. Poisson's error falls at second order in all three.

Mutations, each of which makes it fail: by_centring() (flesh/src/schedule/resolve.cpp) that keeps the group's centring; no check_centring; `in cells` that is
parsed and not declared, or not interpreted; the World's heading without `in cells`.
"""
import glob
import math
import os
import subprocess
import sys
import tempfile

from _physics import check, finish, job, rows

PREFIX = os.path.dirname(os.path.dirname(os.path.abspath(os.environ["CEREUS"])))
POISSON = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII, Elliptic, Multigrid, Expressions{more}]
Cereus: {{iterations: 0, output: run{compile}}}
UniGrid: {{cells: [{n}, {n}], lower: 0, upper: 1, periodic: true}}
Time: {{dt: 1}}
Elliptic: {{source: "-8*pi^2*sin(2*pi*x)*sin(2*pi*y)"}}
Expressions: {{analysis: [{formulas}]}}
IOASCII: {{variables: ["{variable}"], every: 1, reductions: [norm_inf]}}
"""
TEXT = """equations: |
  thorn Look "reads Elliptic" in cells
  derive q
    error
  foreign Elliptic: phi
  analysis
    error = phi - sin(2 pi x) sin(2 pi y)
"""


def run(text, code=0, what=""):
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, text, CEREUS_DEVICE="none"), capture_output=True, timeout=120)
    check(done.returncode == code, f"{what}: code {done.returncode}" + (done.stdout[-300:] + done.stderr[-1500:] if done.returncode != code else ""))
    return folder, done.stdout + done.stderr


def poisson(n, formulas, variable, text="", compile=""):
    return run(POISSON.format(n=n, formulas=formulas, variable=variable, more="", compile=compile) + text, what=f"{variable} {n}{compile}")[0]


def order(errors):
    return math.log2(errors[-2] / errors[-1])


FORMULA = '"e = Elliptic::phi - sin(2*pi*x)*sin(2*pi*y)"'
errors = {"analysis": [rows(poisson(n, FORMULA, "Expressions::e"), "expressions-results.norm_inf.asc")[-1][-1] for n in (16, 32, 64)],
          "a text": [rows(poisson(n, "", "Look::error", TEXT), "look-q.norm_inf.asc")[-1][-1] for n in (16, 32, 64)],
          "a text that is interpreted": [rows(poisson(n, "", "Look::error", TEXT, ", compile: false"), "look-q.norm_inf.asc")[-1][-1] for n in (16, 32)]}
for what, e in errors.items():
    check(1.9 < order(e) < 2.1, f"Poisson through {what}: order {order(e):.3f} of {e}")

# Some at vertices, others in cells; one of the results read by another.
folder = run(POISSON.format(n=16, formulas='"e = Elliptic::phi - 1", "place = x", "twice = 2*e"', variable='Expressions::*', more="", compile=""), what="two centrings")[0]
names = sorted(os.listdir(os.path.join(folder, "run")))
check("expressions-results.norm_inf.asc" in names and "expressions-results_in_cells.norm_inf.asc" in names, f"a file for each centring: {[n for n in names if n.startswith('expr')]}")

for what, formulas, text, said in (
        ("a mixture in analysis", '"e = Elliptic::phi - WaveToy::u"', "", ("Expressions.analysis: 'e = Elliptic::phi - WaveToy::u'", "Expressions::e lies in cells", "WaveToy::u at vertices")),
        ("a text at vertices that reads cells", "", TEXT.replace(" in cells", ""), ("Look::error lies at vertices", "Elliptic::phi in cells"))):
    said_all = run(POISSON.format(n=16, formulas=formulas, variable="Elliptic::phi", more=", WaveToy", compile="") + text, 1, what)[1]
    for part in said:
        check(part in said_all, f"{what} says '{part}'" + ("" if part in said_all else ": " + said_all))

if not glob.glob(os.path.join(PREFIX, "lib", "cereus", "python", "_world*")):
    print("SKIPPED: a World: no pybind11 when this was built")
else:
    script = """import numpy as np, cereus as cs
for n in (16, 32, 64):
    w = cs.World(cells=(n, n), lower=0, upper=1, periodic=True, centring="{centring}", name=f"w{{n}}")
    w.thorn("Elliptic", source="-8*pi^2*sin(2*pi*x)*sin(2*pi*y)")
    w.thorn("Multigrid")
    w.thorn("Time", dt=1)
    e = w.field("e", initial="0")
    try:
        w.run(iterations=1)
        e[:] = w["Elliptic::phi"] - np.sin(2 * np.pi * w.x) * np.sin(2 * np.pi * w.y)
        print("largest", max(abs(e.max()), abs(e.min())))
    except cs.Error as error:
        print(error)
    w.close()
"""
    for centring in ("cells", "vertices"):
        folder = tempfile.mkdtemp(prefix="cereus-")
        with open(os.path.join(folder, "script.py"), "w") as f:
            f.write(script.format(centring=centring))
        env = {k: v for k, v in os.environ.items() if k not in ("CEREUS_ACTIVATE", "CEREUS_DEVICE")} | {"PYTHONPATH": os.path.join(PREFIX, "lib", "python3")}
        done = subprocess.run([sys.executable, "script.py"], cwd=folder, env=env, capture_output=True, text=True, timeout=200)
        found = [float(line.split()[1]) for line in done.stdout.splitlines() if line.startswith("largest")]
        if centring == "cells":
            check(len(found) == 3 and 1.9 < order(found) < 2.1, f"Poisson through a World: {found}" + ("" if len(found) == 3 else done.stdout + done.stderr[-1500:]))
        else:
            check("World::e lies at vertices" in done.stdout and "Elliptic::phi in cells" in done.stdout, f"a World at vertices refuses cells: {done.stdout[:300]}{done.stderr[-500:]}")
finish()
