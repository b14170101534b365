#!/usr/bin/env python3
"""Measures what a newcomer waits for, each in a clone of its own where nothing is compiled, without ccache, on an idle machine with all packages:
the first picture of a wave, a file of equations, a gas in 2D, a script with cereus.World, and a number that changes in a kernel.

Usage: from_nothing.py [OUTPUT.json [CASE…]]     default: docs/measured/core.json and all cases but `before`, which clones 8f0c677,
for the CPU seconds of then. `letter` changes the clone of `wave`.
"""
import os
import resource
import subprocess
import sys
import tempfile
import time

from _rates import host, note, write

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
OUTPUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "docs", "measured", "core.json")
CASES = sys.argv[2:] or ["wave", "gray-scott", "kelvin-helmholtz", "world", "letter"]
BEFORE = "8f0c677"
SHORT = ("--set", "Cereus.iterations={}", "--set", "Cereus.final_time=-1")
WORLD = """import cereus as cs
w = cs.World(cells=(64, 64, 64), lower=0, upper=1, periodic=True)
u = w.field("u", initial="exp(-100*((x-0.5)^2 + (y-0.5)^2 + (z-0.5)^2))")
w.evolve("D_t u = 0.1 D_ii u", order=4, method="RK4", dt=1e-4)
w.run(until=0.002, every=(0.001, lambda: print(w.time, u.max(), u.norm2())))
"""
os.environ.setdefault("MACHINE", host())
os.environ["CCACHE_DISABLE"] = "1"


def timed(command, folder, env=None):
    """Seconds by the clock, and CPU seconds."""
    before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    done = subprocess.run(command, cwd=folder, env={**os.environ, **(env or {})}, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"{command}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return time.time() - begin, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def clone(scratch, name, revision="HEAD"):
    folder = os.path.join(scratch, name)
    subprocess.run(["git", "clone", "-q", ROOT, folder], check=True)
    subprocess.run(["git", "checkout", "-q", revision], cwd=folder, check=True)
    return folder


def row(what, value, unit, bar=None, met=None):
    note(what, value, unit, bar, met)
    print(f"{what}: {value:.3g} {unit} (bar: {bar})", flush=True)


def first(scratch, name, bar, end, options=()):
    """The clone, and CPU seconds."""
    folder = clone(scratch, name)
    clock, cpu = timed(["./cereus", "run", f"parfiles/{name}.yaml", *options], folder)
    row(f"fresh clone to the {end} of parfiles/{name}.yaml, by the clock", clock, "s", f"≤ {bar}", clock <= bar)
    row(f"fresh clone to the {end} of parfiles/{name}.yaml: CPU seconds", cpu, "s")
    return folder, cpu


def steps(n):
    return [word.format(n) for word in SHORT]


def after_a_letter(folder):
    """Seconds that a run in this clone begins later because a number in WaveToy's kernel is another one."""
    kernel = os.path.join(folder, "thorns", "WaveToy", "src", "kernels.hpp")
    with open(kernel) as f:
        text = f.read()
    if "(2 * w2)" not in text:
        sys.exit(f"{kernel} has no '(2 * w2)' that could be changed")
    with open(kernel, "w") as f:
        f.write(text.replace("(2 * w2)", "(3 * w2)", 1))
    run = ["./cereus", "run", "--fresh", "parfiles/wave.yaml", *steps(1)]
    changed, as_before = timed(run, folder)[0], timed(run, folder)[0]
    return changed - as_before


if "letter" in CASES and "wave" not in CASES:
    sys.exit("the case letter changes the clone of the case wave; give both")
with tempfile.TemporaryDirectory(prefix="cereus-") as scratch:
    now = None
    if "wave" in CASES:
        folder, now = first(scratch, "wave", 120, "first picture")
    if "letter" in CASES:
        seconds = after_a_letter(folder)
        row("a change in WaveToy's kernel: from the command to the begin of the run, by the clock", seconds, "s", "≤ 8", seconds <= 8)
    if "before" in CASES:
        then = timed(["./cereus", "run", "parfiles/wave.yaml"], clone(scratch, "before", BEFORE))[1]
        row(f"fresh clone of {BEFORE} to the first picture of parfiles/wave.yaml: CPU seconds", then, "s")
        if now:
            row(f"first picture of parfiles/wave.yaml: CPU seconds, of those of {BEFORE} on the same machine", now / then, "", "≤ 0.12", now / then <= 0.12)
    for name in ("gray-scott", "kelvin-helmholtz"):
        if name in CASES:
            first(scratch, name, 200, "end of four steps", steps(4))
    if "world" in CASES:
        folder = clone(scratch, "world")
        built = timed(["./cereus", "build", "cereus"], folder)[0]
        run = timed(["/usr/bin/python3", "-c", WORLD], folder, {"PYTHONPATH": os.path.join(folder, "build", "lib", "python3")})[0]
        row("fresh clone to the first values of a script with cereus.World (heat, 64³ cells), by the clock", built + run, "s", "≤ 200", built + run <= 200)
write(OUTPUT)
