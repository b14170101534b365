#!/usr/bin/env python3
"""What was computed without a word, though it was not what was asked for, is said or refused: a source with a mean, numbers of
cells beyond 32 bits, float far from the origin, steps that a gas does not bear; and an audit of solvers finds nothing.

Mutations, each of which makes it fail: Elliptic without its warning (`mean_share`); read_value() that takes 64 bits; make_grid() without
check_digits(); Hydro without check_step; an audit without filled_meanwhile().
"""
import os
import subprocess
import tempfile

from _physics import check, finish, job, rows

NEUMANN = """thorns: [UniGrid, Time, Boundary, Reduce, IOASCII, Elliptic, Multigrid]
Cereus: {iterations: 0, output: run}
Time: {dt: 1}
UniGrid: {cells: [32, 24], lower: 0, upper: [2, 1], periodic: false}
Boundary: {all: neumann}
Elliptic: {source: "SOURCE"}
IOASCII: {variables: ["Elliptic::mean"], every: 1}
"""
FAR = """thorns: [UniGrid, Time, MoL, WaveToy]
Cereus: {iterations: 0, output: run, real: REAL}
UniGrid: {cells: [64], lower: LOWER, upper: UPPER, periodic: true}
Time: {dt: 0.001}
"""
GAS = """thorns: [UniGrid, Time, MoL, Boundary, EOS, Hydro]
Cereus: {iterations: 0, output: run}
UniGrid: {cells: [100], lower: 0, upper: 1, periodic: false}
Boundary: {all: extrapolate, extrapolation_order: 0}
MoL: {method: SSPRK2}
Time: {courant: COURANT}
Hydro: {density: "x < 0.5 ? 1 : 0.125", pressure: "x < 0.5 ? 1 : 0.1"}
"""
CELLS = """thorns: [UniGrid, Time, MoL, WaveToy]
Cereus: {iterations: 0, output: run}
UniGrid: {cells: [N, 4, 4]}
"""
AUDIT = """thorns: [UniGrid, Time, Boundary, Elliptic, SOLVER]
Cereus: {iterations: 0, audit: true, output: run}
Time: {dt: 1}
UniGrid: {cells: [8, 8], lower: 0, upper: 1, periodic: PERIODIC}
Boundary: {all: dirichlet}
Elliptic: {source: "sin(2*pi*x)*cos(2*pi*y)", coefficient: "COEFFICIENT", centring: CENTRING}
"""

FLOW = """thorns: [UniGrid, Time, Boundary, MoL, Elliptic, Multigrid, Incompressible]
Cereus: {iterations: 1}
UniGrid: {cells: [16, 16]}
Time: {dt: 0.01}
Incompressible: {viscosity: 0.1, obstacle: "OBSTACLE"}
"""
LOOK = """thorns: [UniGrid, Time, MoL, WaveToy, Reduce, IOASCII]
Cereus: {iterations: 6}
UniGrid: {cells: [16, 16]}
Time: {dt: 0.02LANDING}
IOASCII: {variables: ["WaveToy::u"], reductions: [norm2], every: 0, every_time: INTERVAL}
"""
BLOCKS = """thorns: [Forest, Refine, Time, MoL, WaveToy]
Cereus: {iterations: 4}
Forest: {cells: [32, 32], block: 8, levels: 2, every: EVERY}
Refine: {variables: ["WaveToy::u"]}
"""


def run(text, code=0, what=""):
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, text, CEREUS_DEVICE="none"), capture_output=True, timeout=200)
    said = done.stdout + done.stderr
    check(done.returncode == code, f"{what}: code {done.returncode}" + (said[-1500:] if done.returncode != code else ""))
    return folder, said


def expect(what, text, said, there=True, code=0):
    folder, all_said = run(text, code, what)
    check((said in all_said) == there, f"{what}: {'says' if there else 'does not say'} '{said}'" + ("" if (said in all_said) == there else all_said[-1000:]))
    return folder


folder = expect("a source with a mean", NEUMANN.replace("SOURCE", "1 + cos(pi*x/2)*cos(pi*y)"), "its mean, 1")
check(abs(rows(folder, "elliptic-open..asc")[-1][-1] - 1) < 1e-12, "the mean is a grid scalar")
expect("a source without one", NEUMANN.replace("SOURCE", "cos(pi*x)*cos(pi*y)"), "its mean", there=False)

for lower, upper, real, warned in (("1e6", "1e6+2", "float", True), ("-1", "1", "float", False), ("1e6", "1e6+2", "double", False), ("-1e6-2", "-1e6", "float", True)):
    expect(f"{real} from {lower}", FAR.replace("REAL", real).replace("LOWER", lower).replace("UPPER", upper), "what depends on the place is not exact", warned)
for courant, warned in ((0.4, False), (1, False), (1.5, True), (2.5, True)):
    expect(f"a gas with a Courant number of {courant}", GAS.replace("COURANT", str(courant)), "cells in a step, and what is computed is wrong", warned)
for degree, warned in ((-1, False), (0, False), (1, True), (3, True)):
    expect(f"a gas at faces of degree {degree}", GAS.replace("COURANT", "0.4").replace("order: 0", f"order: {degree}"), "rounding grows", warned)
for n, said in (("4294967300", "UniGrid.cells = 4294967300: each element must be an integer from -2147483647 to 2147483647"),
                ("2147483647", "UniGrid.cells: 2147483647 cells along an axis; there may be 1073741824")):
    folder = expect(f"{n} cells", CELLS.replace("N", n), said, code=1)
    check(not os.path.exists(os.path.join(folder, "run")), f"{n} cells: nothing is written")
for solver in ("Multigrid", "Fourier"):
    for periodic, coefficient, centring in (("true", "1", "cells"), ("true", "1", "vertices"), ("[true, false]", "1", "cells"), ("true", "2 + sin(2*pi*x)", "cells")):
        if solver == "Multigrid" or coefficient == "1":
            run(AUDIT.replace("SOLVER", solver).replace("PERIODIC", periodic).replace("COEFFICIENT", coefficient).replace("CENTRING", centring),
                what=f"an audit of {solver}, periodic {periodic}, a = {coefficient}, {centring}")
for obstacle, said in (("x - 3", "no cell is solid"), ("1 + x^2", "all cells are solid"), ("0.01 - (x - 0.5)^2 - (y - 0.5)^2", None)):
    expect(f"an obstacle where {obstacle} > 0", FLOW.replace("OBSTACLE", obstacle), said or "solid;", said is not None)
for interval, landing, warned in ((0.05, "", True), (0.06, "", False), (0.05, ", land_on: [0.05]", False), (0.1, ", land_on: [0.025]", False), (0.06, ", land_on: [0.05]", True), (0.01, "", False)):
    expect(f"a look each {interval} with dt = 0.02{landing}", LOOK.replace("INTERVAL", str(interval)).replace("LANDING", landing), "is not evenly spaced in time: IOASCII::", warned)
for every, warned in ((30, True), (2, False)):
    expect(f"blocks that may change each {every} steps", BLOCKS.replace("EVERY", str(every)), "blocks are those of the start to its end", warned)
finish()
