#!/usr/bin/env python3
"""What is asked of a World's fields as of NumPy's arrays: sums, means and integrals of fields and of expressions, arrays, truth, pictures; each is right
or says what would be. On two processes the same digits.

Mutations seen to fail: `sum` for `integral`; no __bool__.
"""
import math
import os
import subprocess
import sys
import tempfile
import textwrap
import glob

import _physics  # whose folder takes those made here
from _physics import check, finish

PREFIX = os.path.dirname(os.path.dirname(os.path.abspath(os.environ["CEREUS"])))
if not glob.glob(os.path.join(PREFIX, "lib", "cereus", "python", "_world*")):
    finish("no pybind11 when this was built")
BEGIN = """
import math, sys
import numpy as np
import cereus
w = cereus.World(cells=(16, 12), lower=0, upper=(2, 3), periodic=True, name="values", output="values")
u = w.field("u", initial="sin(pi x)^2 + 1")
def said(f):
    try:
        f()
    except cereus.Error as e:
        return str(e)
    return "nothing"
"""


def run(text, processes=1):
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "script.py"), "w") as f:
        f.write(BEGIN + textwrap.dedent(text))
    words = [sys.executable, "script.py"]
    if processes > 1:
        words = ["mpirun", "--quiet", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", str(processes), *words]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, env=os.environ | {"PYTHONPATH": os.path.join(PREFIX, "lib", "python3")})
    return done.returncode, done.stdout, done.stderr, folder


VALUES = """
numbers = [u.sum(), u.mean(), u.integral(), (w.x * u).integral(), (w.x * u).mean(), np.mean(u), np.sum(u * u), (u.at(1) - u.at(-1)).max(), u.integral()]
if w.rank == 0:
    print(*map(repr, numbers))
w.save("values.yaml")
"""
one, two = run(VALUES), run(VALUES, 2)
check(one[0] == two[0] == 0 and one[1] == two[1], f"the same digits on two processes {one[2][-400:]} {two[2][-400:]}")
got = [float(x) for x in one[1].split()]
x = [k / 8 for k in range(16)]  # of 16 vertices over 2
f = [math.sin(math.pi * a) ** 2 + 1 for a in x]
h = (2 / 16) * (3 / 12)
want = [12 * sum(f), sum(f) / 16, 12 * sum(f) * h, 12 * sum(a * b for a, b in zip(x, f)) * h, sum(a * b for a, b in zip(x, f)) / 16, sum(f) / 16,
        12 * sum(b * b for b in f), max(f[(k + 1) % 16] - f[k - 1] for k in range(16)), 12 * sum(f) * h]
check(len(got) == len(want) and all(abs(a - b) < 1e-12 * abs(b) for a, b in zip(got, want)), f"values: {got}, for {want}")
text = open(os.path.join(one[3], "values.yaml")).read()
check("valueOf" not in text and "not in this file" not in text and "does not say" not in one[2], "save() knows nothing of it")

code, out, err, folder = run("""
a = np.asarray(u)
print(a.shape, a.dtype, abs(a[3, 4] - (math.sin(math.pi * 0.5) ** 2 + 1)) < 1e-15)
print(repr(u))
for f in (lambda: bool(u > 0), lambda: u[3, 4], lambda: np.asarray(u + 1), lambda: np.median(u), lambda: list(u), lambda: w.run(until=-1)):
    print(said(f))
u.plot().savefig("u.png")
""")
lines = out.splitlines()
check(code == 0 and len(lines) == 8, f"asked like arrays: {code} {err[-600:]}")
for line, words in zip(lines, ("(12, 16) float64 True", "<World::u: 16 × 12 vertices, from 1 to 2>", "np.where", "gather()", "assigned", "gather()", "gather()", "has passed that")):
    check(words in line, f"{words!r} in {line!r}")
check(os.path.exists(os.path.join(folder, "u.png")), "a picture")

code, out, err, folder = run("""
w.evolve("D_t u = 0.1 D_ii u", dt=1e-3)
def look():
    u[:] = 2 * u
    look.said = said(lambda: w.run(iterations=1))
w.run(iterations=40, every=(2, look))
print(look.said)
print(said(lambda: w.run(until=0.01)))
w.save("again.yaml")
""")
check(code == 0 and "within the function" in out and "has passed" in out and err.count("does not say") == 1 and "20 times from iteration 2 to 40" in err, f"in a callback: {code} {out} {err[-500:]}")
code, out, err, folder = run("""
w.evolve("D_t u = u u")
print(said(lambda: w.run(iterations=1)))
""")
check("dt=" in out and "diffusivity=" in out, f"a mend in Python's words: {out} {err[-300:]}")
finish()
