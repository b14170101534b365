#!/usr/bin/env python3
"""The analysis on the host that docs/concepts/thorn.md ends with: at most 25 lines; the same bytes on 1, 2 and 4 processes, in one block and many, and when a
run goes on from its checkpoint; right where the formula says so. `restart-test` finds a run that forgets something.

Mutation seen to fail: no factor ½ at outer faces.
"""
import math
import os
import re
import subprocess
import sys
import tempfile

from _physics import DIMENSIONS, check, finish

CEREUS, SOURCE = os.environ["CEREUS"], os.environ["CEREUS_SOURCE"]
WAVE = """thorns: [UniGrid, Time, MoL, WaveToy, Boundary, Centre, Checkpoint]
Cereus: {{iterations: 6, output: out}}
UniGrid: {{cells: [24, 17], lower: [-1, 0], upper: [2, 1], periodic: {periodic}, blocks: {blocks}}}
Boundary: {{all: dirichlet}}
WaveToy: {{width: 0.3, centre: [0.4, 0.6, 0], initial_data: gaussian}}
"""


def run(processes=1, blocks=1, periodic="true", options=(), folder=None):
    folder = folder or tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(WAVE.format(periodic=periodic, blocks=blocks))
    words = [CEREUS, "run", "run.yaml", "--thorns", os.environ["CEREUS_TEST_THORNS"], *(["-n", str(processes)] if processes > 1 else []), *options]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120)
    path = os.path.join(folder, "out", "centre.asc")
    check(done.returncode == 0, f"{processes} processes, {blocks} blocks: {done.returncode} {done.stderr[-500:]}")
    return folder, open(path, "rb").read() if os.path.exists(path) else b""


if 2 not in DIMENSIONS:
    finish("the grid is in 2D")
lines = [line for line in open(os.path.join(SOURCE, "tests/thorns/Centre/src/Centre.cpp")).read().splitlines()[1:] if line.strip()]
shown = open(os.path.join(SOURCE, "docs/concepts/thorn.md")).read()
check(len(lines) <= 25 and "\n".join(lines) in "\n".join(line for line in shown.splitlines() if line.strip()), f"{len(lines)} lines, which the docs show")

for periodic in ("true", "false"):
    _, one = run(periodic=periodic)
    for processes, blocks in ((2, 1), (4, 1), (1, 5)):
        _, other = run(processes, blocks, periodic)
        check(other == one != b"", f"periodic: {periodic}; {processes} processes of {blocks} blocks: the same bytes")
    first = [float(x) for x in one.decode().splitlines()[1].split()]
    n = [24, 17] if periodic == "true" else [25, 18]
    x = [[-1 + i * 3 / 24 for i in range(n[0])], [i / 17 for i in range(n[1])]]
    h = 3 / 24 / 17
    w = [[0.5 if periodic == "false" and i in (0, len(a) - 1) else 1.0 for i in range(len(a))] for a in x]
    u = lambda a, b: math.exp(-((a - 0.4) ** 2 + (b - 0.6) ** 2) / (2 * 0.3**2))  # noqa: E731
    parts = [(w[0][i] * w[1][j] * h * u(a, b), a, b) for i, a in enumerate(x[0]) for j, b in enumerate(x[1])]
    mass = math.fsum(p[0] for p in parts)
    want = [mass, math.fsum(p[0] * p[1] for p in parts) / mass, math.fsum(p[0] * p[2] for p in parts) / mass]
    check(first[0] == 0 and all(abs(a - b) < 1e-12 for a, b in zip(first[2:], want)), f"mass and centre at t = 0: {first[2:5]}, for {want}")

folder, _ = run(2, options=["--set", "Cereus.iterations=3"])
_, parts = run(options=["--set", "Checkpoint.keep=1"], folder=folder)
_, whole = run()
check(parts == whole, "a run that goes on has each line once")

# The command that compares a run with one that was cut.
with open(os.path.join(folder, "test.yaml"), "w") as f:
    f.write(WAVE.format(periodic="true", blocks=1))
words = [CEREUS, "restart-test", "test.yaml", "--steps", "6", "--thorns", os.environ["CEREUS_TEST_THORNS"]]
done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, env=os.environ | {"CEREUS_PYTHON": sys.executable})
check(done.returncode == 0 and re.search(r"6 steps on 1 process; and \d on 2, .*the same bits in 3 fields and series", done.stdout), f"restart-test: {done.returncode} {done.stdout} {done.stderr[-500:]}")
finish()
