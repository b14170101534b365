#!/usr/bin/env python3
"""A World with finer blocks: in boxes that stay, and where a field asks for them. Blocks of all levels are arrays to read and to change; integrals are those of the
parameter file that save() writes; what no array can be is refused. On one process and on two.

Mutations, each of which makes it fail: blocks of level 0 alone; the spacing of level 0 for all; what was written noted for level 0 alone.
"""
import os
import subprocess
import sys
import tempfile

from _physics import DIMENSIONS, check, finish

BUILD = os.environ["CEREUS_BUILD"]
SCRIPT = '''
import sys, numpy as np, cereus
from cereus import World
w = World([64, 64], 0, 1, refine={{"levels": 3, "block": 16, {refine}}}, output="out", fresh=True)
u, v = w.field("u", "exp(-((x-0.5)^2 + (y-0.5)^2)/0.004)"), w.field("v")
w.evolve("D_t u = v\\nD_t v = D_ii u", order=4, dt=0.002)
def say(*what):
    if w.rank == 0: print(*what)
say("blocks", w.blocks)
say("exact", abs(u.integral() - np.pi * 0.004) < 1e-5)
for b in u.blocks():
    x, y = b.coordinates("x"), b.coordinates("y")[:, None]
    assert b.spacing == (1 / 64 / 2**b.level,) * 2 and np.allclose(b, np.exp(-((x - 0.5)**2 + (y - 0.5)**2) / 0.004), atol=1e-15), b.level
levels = [n for n, blocks in enumerate(w.blocks) if blocks]
v[:] = u + 0.25 * w.y + 0 * w.x
say("assigned", abs((v - 0.25 * w.y).mean() - u.mean()) < {about})
v.integral()
with v.writing() as blocks:
    for known, inside in zip(v.blocks(), blocks): inside[...] = known.level + 1
say("written", v.min() == 1 + min(levels) and v.max() == 3)
v.integral()
with v.writing() as blocks:
    for inside in blocks: inside[...] = 0
say("zero", v.max() == 0 and v.min() == 0 and v.integral() == 0)
for what in (lambda: u.gather(), lambda: u.shape, lambda: u.__setitem__(slice(None), np.zeros((64, 64))), lambda: u.sum(), lambda: np.sum(u), lambda: u.writing(block=0).__enter__()):
    try: what(); say("silent")
    except cereus.Error as error: say("refused", "levels" in str(error))
w.run(iterations=70)
say("after", w.blocks, f"{{u.integral():.14g}} {{u.norm2():.14g}} {{u.max():.14g}}")
if w.processes == 1: print(repr(u), u.plot(), file=sys.stderr)
if "--save" in sys.argv: w.save("saved.yaml")
w.close()
'''


def script(refine, processes=1, about="1e-12", options=()):
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "s.py"), "w") as f:
        f.write(SCRIPT.format(refine=refine, about=about))
    env = {k: v for k, v in os.environ.items() if k != "CEREUS_ACTIVATE"} | {"PYTHONPATH": os.path.join(os.path.dirname(os.path.dirname(os.environ["CEREUS"])), "lib", "python3")}
    launch = ["mpirun", "--quiet", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", str(processes)] if processes > 1 else []
    done = subprocess.run([*launch, sys.executable, "s.py", *options], cwd=folder, env=env, capture_output=True, text=True, timeout=200)
    return done.returncode, done.stdout, done.stderr, folder


def good(said):
    return all(line in said for line in ("exact True", "assigned True", "written True", "zero True")) and said.count("refused True") == 6 and "silent" not in said


if 2 in DIMENSIONS:
    boxes = '"boxes": [(1, 0.3, 0.7, 0.3, 0.7), "2 0.45 0.55 0.45 0.55"]'
    code, said, errors, folder = script(boxes, options=["--save"])
    check(code == 0 and good(said) and "blocks of 3 levels in vertices" in errors, f"boxes that stay: exit {code}\n{said}{errors[-600:]}")
    code, two, errors, _ = script(boxes, 2)
    check(code == 0 and two == said, f"the same on 2 processes: exit {code} {errors[-600:]}" + (two if two != said else ""))
    text = open(os.path.join(folder, "saved.yaml")).read()
    check("Forest:" in text and "UniGrid" not in text, "save() has the forest")
    text = text.replace("\nthorns: [", "\nthorns: [\"IOASCII\", ", 1) + '\nIOASCII: {variables: ["World::u"], reductions: [norm2], every: 70}\n'
    with open(os.path.join(folder, "again.yaml"), "w") as f:
        f.write(text)
    done = subprocess.run([os.environ["CEREUS"], "run", "again.yaml"], cwd=folder, capture_output=True, text=True, timeout=200, env={k: v for k, v in os.environ.items() if k != "CEREUS_ACTIVATE"})
    check(done.returncode == 0, f"the parameter file that save() wrote runs: {done.stderr[-500:]}")
    follow = '"every": 4, "variables": ["u"], "measure": "gradient", "refine_above": 0.02, "coarsen_below": 0.006'
    code, said, errors, _ = script(follow, about="1e-3")
    lines = dict(line.split(" ", 1) for line in said.splitlines() if line.startswith(("blocks", "after")))
    check(code == 0 and good(said) and lines["after"].startswith("[0, ") and "Figure" in errors, f"blocks follow u, and a level without blocks is drawn: exit {code}\n{said}{errors[-600:]}")
    code, two, errors, _ = script(follow, 2, about="1e-3")
    check(code == 0 and two == said, f"the same on 2 processes: exit {code} {errors[-600:]}" + (two if two != said else ""))
    for wrong, why in (('"boxs": []', "boxs"), ('"variables": ["u"]', "every"), ('"boxes": [(1, 0.3, 1.7, 0.3, 0.7)]', "within the domain"),
                       ('"boxes": (1, 0.3, 0.7, 0.3, 0.7)', "a box is a level"), ('"every": 4, "variables": "w"', "'World::w'")):
        code, said, errors, _ = script(wrong)
        check(code == 1 and why in errors and "Traceback" in errors, f"{wrong}: {errors.strip().splitlines()[-1:]}")
finish("" if 2 in DIMENSIONS else "kernels were not compiled for two dimensions")
