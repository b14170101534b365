#!/usr/bin/env python3
"""Grids of several levels that stay: an exact wave, which crosses edges and corners of three levels obliquely, converges at the order of its differences, in
2D and 3D; the same bits on 1, 2 and 4 processes and from a checkpoint of others; a forest of one level has UniGrid's bits; what cannot be refined is refused with its place.

Mutations, each of which makes it fail: four points for six; a step of 1 for 2 in Planner::move; moves to other processes in another order than theirs; a solver
that sees level 0 alone; ends of blocks that count whole in integrals.
"""
import math
import os
import re
import subprocess
import tempfile

from _physics import DIMENSIONS, bits, check, finish, job

THORNS = "thorns: [Forest, Time, MoL, WaveToy, Reduce, IOASCII{more}]\n"
WAVE = THORNS + """Cereus: {{final_time: {time}, output: out}}
Forest: {{cells: {cells}, lower: 0, upper: 1, block: {block}, levels: {levels}, boxes: {boxes}, points: {points}}}
Time: {{courant: {courant}}}
WaveToy: {{order: {order}, initial_data: plane, wave_number: {wave}}}
IOASCII: {{variables: ["WaveToy::u", "WaveToy::error"], reductions: [norm_inf], every: 8, points: {points_of}}}
"""


def run(text, processes=1, options=()):
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, text, processes, options), capture_output=True, timeout=250)
    return done.returncode, done.stdout + done.stderr, os.path.join(folder, "out")


def series(folder, name):
    with open(os.path.join(folder, name)) as f:
        return f.read()


def error(dim, n, order, levels=3, points=None, courant=0.2):
    """The largest error of a plane wave that runs obliquely through the levels, at t = 0.3."""
    middle = {1: "1 " + "0.26 0.74 " * dim, 2: "2 " + "0.45 0.55 " * dim}
    block = 16 * n if dim == 2 else 12 * n
    cells = [4 * block] * dim if dim == 2 else [2 * block] * dim
    boxes = str([middle[l].strip() for l in range(1, levels)]).replace("'", '"')
    text = WAVE.format(more="", time=0.3, cells=cells, block=block, levels=levels, boxes=boxes, points=points or order + 2, courant=courant, order=order,
                       wave=[1, 2, 0] if dim == 2 else [1, 1, 1], points_of="[]")
    code, said, out = run(text)
    check(code == 0, f"{dim}D, {cells}, order {order}: exit {code} {said[-400:] if code else ''}")
    return float(series(out, "wavetoy-error.norm_inf.asc").split()[-1]) if code == 0 else math.nan


for dim, order, first in ((2, 2, 1), (2, 4, 1), (2, 6, 1), (3, 4, 1)):
    if dim not in DIMENSIONS or dim == 2 and order != 6 and "CEREUS_LONG" not in os.environ:
        continue
    errors = [error(dim, first * k, order) for k in (1, 2)]
    found = math.log2(errors[0] / errors[1])
    check(abs(found - order) < 0.3, f"{dim}D, differences of order {order} on three levels: errors {errors}, order {found:.2f}")


BOXES = '["1 0.26 0.74 0.26 0.74", "2 0.45 0.55 0.45 0.55"]'
SMALL = WAVE.format(more=", IOHDF5, Checkpoint", time=0.05, cells=[64, 64], block=16, levels=3, boxes=BOXES, points=6, courant=0.4, order=4, wave=[1, 2, 0],
                    points_of="[0.5, 0.5, 0, 0.27, 0.31, 0, 0.7, 0.1, 0]") + "IOHDF5: {variables: [WaveToy::u], every: 8}\nCheckpoint: {every: 16}\n"
if 2 in DIMENSIONS:
    code, said, whole = run(SMALL)
    check(code == 0 and "3 levels, 40 blocks of 16² cells (12, 12, 16)" in said, f"three levels: exit {code} {said[-300:] if code else ''}")
    want = bits(whole, 32)
    check(len(want) > 5, f"{len(want)} fields and series")
    for processes in (1, 2):
        code, said, out = run(SMALL.replace("Checkpoint]", "Checkpoint, Accelerator, AcceleratorMirror]").replace("Cereus: {", "Cereus: {device: mirror, "), processes)
        check(code == 0 and bits(out, 32) == want, f"a mirror, {processes} processes: exit {code} {said[-300:] if code else ''}")
    for processes in (2, 4):
        code, said, out = run(SMALL, processes)
        got = bits(out, 32) if code == 0 else {}
        check(got == want, f"{processes} processes: exit {code}, {[n for n in want if got.get(n) != want[n]]} differ")
    code, said, out = run(SMALL, 2, ["--set", "Cereus.iterations=16"])
    again = subprocess.run([os.environ["CEREUS"], "run", "run.yaml"], cwd=os.path.dirname(out), capture_output=True, text=True, timeout=200)
    check(code == again.returncode == 0 and bits(out, 32) == want, f"from a checkpoint of two processes on one: exit {again.returncode} {again.stderr[-300:]}")

    with open(os.path.join(os.path.dirname(out), "run.yaml"), "w") as f:
        f.write(SMALL.replace("0.45 0.55 0.45 0.55", "0.3 0.4 0.3 0.4"))
    again = subprocess.run([os.environ["CEREUS"], "run", "run.yaml", "--set", "Cereus.iterations=40"], cwd=os.path.dirname(out), capture_output=True, text=True, timeout=200)
    check(again.returncode == 0 and "other blocks than Forest.boxes ask for" in again.stdout + again.stderr, f"other boxes in mid-run: exit {again.returncode} {(again.stdout + again.stderr)[-300:]}")

    # Integrals: of constants and of what is linear in each block exact, else of second order, where levels meet, too.
    sums = []
    for n in (1, 2):
        text = (SMALL.replace("WaveToy,", "WaveToy, Expressions,").replace("cells: [64, 64], lower", f"cells: [{64 * n}, {64 * n}], lower").replace("block: 16", f"block: {16 * n}")
                .replace("points: 6}", "points: 6, periodic: false}").replace(", IOHDF5, Checkpoint]", ", Boundary]").replace("final_time: 0.05", "iterations: 0")
                .replace('"WaveToy::u", "WaveToy::error"', '"Expressions::results"').replace("reductions: [norm_inf]", "reductions: [sum]"))
        text = re.sub(r"^IOHDF5: .*$|^Checkpoint: .*$", "", text, flags=re.M)
        code, said, out = run(text + 'Boundary: {all: neumann}\nExpressions: {analysis: ["one = 1 + 0*x", "linear = x + 2*y", "smooth = exp(x)*cos(2*y)"]}\n')
        check(code == 0, f"sums over levels: exit {code} {said[-400:] if code else ''}")
        sums.append([float(x) for x in series(out, "expressions-results.sum.asc").split()[-3:]] if code == 0 else [math.nan] * 3)
    exact = (math.e - 1) * math.sin(2) / 2
    check(all(abs(one - 1) < 1e-14 and abs(linear - 1.5) < 1e-14 for one, linear, _ in sums), f"integrals of 1 and x + 2y over three levels: {sums}")
    off = [abs(smooth - exact) for *_, smooth in sums]
    check(abs(math.log2(off[0] / off[1]) - 2) < 0.1, f"of exp(x) cos(2y): off by {off}, order {math.log2(off[0] / off[1]):.2f}")

    # Without levels: UniGrid's numbers.
    one = SMALL.replace("levels: 3", "levels: 1").replace(BOXES, "[]")
    uniform = re.sub(r"^Forest: .*$", "UniGrid: {cells: [64, 64], lower: 0, upper: 1}", one, flags=re.M).replace("[Forest,", "[UniGrid,")
    results = [run(text) for text in (one, uniform)]
    check(all(code == 0 for code, _, _ in results) and bits(results[0][2], 8) == bits(results[1][2], 8), "a forest of one level has UniGrid's bits")
    for faces, periodic in (("all: dirichlet", "false"), ("all: neumann, x_upper: radiation", "[false, true]")):
        text = SMALL.replace("points: 6}", f"points: 6, periodic: {periodic}}}").replace(", IOHDF5", ", Boundary, IOHDF5") + f"Boundary: {{{faces}}}\n"
        results = [run(text, processes) for processes in (1, 3)]
        check(all(code == 0 for code, _, _ in results) and bits(results[0][2], 32) == bits(results[1][2], 32), f"{faces}: {results[0][1][-200:] if results[0][0] else 'same bits'}")

    done = subprocess.run([os.environ["CEREUS"], "check", "-n", "2", os.path.join(os.environ["CEREUS_SOURCE"], "parfiles", "wave-refined.yaml")], cwd=tempfile.mkdtemp(prefix="cereus-"), capture_output=True, text=True)
    check(done.returncode == 0 and "level 2: 16 blocks, 4096 cells, h = 0.00390625" in done.stdout and "10240 cells a step" in done.stdout, f"check says what levels are: {done.stdout[-400:]}")

    # What is refused.
    for old, new, words in (("cells: [64, 64], lower: 0, upper: 1, block: 16", "cells: [68, 68], lower: 0, upper: 1, block: 17", "Forest.block: 17 cells cannot be halved"), ("block: 16", "block: 8", "Forest.block: 8 is too small for prolongations of 6 points and ghost zones of 2; take 12"),
                            ("cells: [64, 64]", "cells: [60, 64]", "Forest.cells: 60 cells along an axis are no multiple of blocks of 16"),
                            ("levels: 3", "levels: 2", "asks for level 2; Forest.levels: 2 has levels 0 to 1"),
                            ("0.26 0.74 0.26 0.74", "0.26 0.74 0.26", "is not a level and a lower and an upper end along each axis"),
                            ("0.26 0.74 0.26 0.74", "0.26 nan 0.26 0.74", "is not a level and a lower and an upper end along each axis"),
                            ("0.26 0.74 0.26 0.74", "1.26 1.74 0.26 0.74", "is no box within the domain along x"),
                            ("cells: [64, 64]", "cells: [64]", "must be a list of 2 to 3 integers"),
                            ("upper: 1", "upper: 0", "Forest.upper must be greater than Forest.lower")):
        check(old in SMALL, old)
        code, said, out = run(SMALL.replace(old, new, 1))
        check(code == 1 and words in said and not os.path.exists(out), f"{new}: exit {code} {said.strip()[-200:]}")
    faces = 'equations: |\n  thorn Faces "A flow" on x faces\n  evolve state "Of it"\n    f\n  initial\n    f = 0\n  rhs\n    D_t f = 0 f\n'
    code, said, _ = run(faces + SMALL, options=["--set", "Cereus.compile=false"])
    check(code == 1 and "is on faces; take UniGrid, or one level" in said, f"variables on faces: exit {code} {said.strip()[-200:]}")
    for solver in ("Fourier", "Multigrid"):
        code, said, _ = run(SMALL.replace("Checkpoint]", f"Checkpoint, Elliptic, {solver}]") + "Elliptic: {source: x, absorption: 1, centring: vertices}\n")
        check(code == 1 and f"{solver} solves on a grid of one level, and Forest has 3; take UniGrid" in said, f"{solver}: exit {code} {said.strip()[-200:]}")
finish()
