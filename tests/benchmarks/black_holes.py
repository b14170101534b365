#!/usr/bin/env python3
"""Rates of BSSN on a device, through `cereus run` with default parameters: prints a table and writes JSON.

    black_holes.py OUTPUT.json [CELLS]
    black_holes.py OUTPUT.json CELLS faces     a step on stretched axes with radiation and reflection, over the periodic one
    DEVICES=2 black_holes.py OUTPUT.json …     a step on so many devices of a host, with as many points each, over so many times one

CEREUS names the executable (default: cereus). A periodic box of CELLS³ (256) with a gauge wave, order 8; or half of space with the axes of qc0-small.yaml.
Times of single kernels are those that the device counts. The arithmetic alone allows 4.6 G point right-hand sides a second on an H200 (3,543 FP64 instructions a point, 16.4e12 a second).
"""
import os
import re
import subprocess
import sys
import tempfile
import time

from _rates import note, write

PARFILE = """
arrangements: [standard]
thorns: [ADMBase, ExactMetrics, BSSN]
Cereus: {{iterations: {iterations}, device: cuda, poison: false, real: {real}, fuse: {fuse}}}
UniGrid: {{cells: {cells}, {grid}, blocks: {blocks}}}
Boundary: {{{boundary}}}
Time: {{dt: {dt}}}
MoL: {{method: RK4}}
ExactMetrics: {{data: GaugeWave}}
BSSN: {{order: {order}, startlapse: given}}
AcceleratorCUDA: {{counters: {counters}}}
IOASCII: {{variables: []}}
IOHDF5: {{variables: []}}
IOImage: {{variables: [], series: []}}
"""
n = int(sys.argv[2]) if len(sys.argv) > 2 else 256
DEVICES = int(os.environ.get("DEVICES", 1))
BOX = "lower: -0.5, upper: 0.5, periodic: true", ""
FACES = ("lower: [-48, -48, 0], upper: 48, periodic: false, stretch_factor: 19.2, stretch_from: 2.95, stretch_width: 0.8", "all: radiation, z_lower: reflect")


def run(iterations=20, real="double", fuse="true", blocks=1, order=8, counters="false", where=BOX, devices=1):
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "bench.yaml"), "w") as f:
        f.write(PARFILE.format(iterations=iterations, real=real, fuse=fuse, blocks=blocks, order=order, counters=counters, cells=[n, n, n * devices], grid=where[0], boundary=where[1],
                               dt=0.25 / n / (devices if where == BOX else 4)))
    many = ["-n", str(devices)] if devices > 1 else []
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", *many, "bench.yaml"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return done.stdout


def steps(**how):  # G cell-steps/s, once the code is kept on disk
    return max(1e-3 * float(re.findall(r"([0-9.e+]+) Mcell/s", run(**how))[-1]) for _ in range(3))


def start(cache):  # seconds of a whole run of one step
    os.environ["XDG_CACHE_HOME"] = cache
    begin = time.monotonic()
    run(iterations=1)
    return time.monotonic() - begin


def kernel(name, **how):  # G points/s of one kernel, and the table
    text = run(iterations=4, counters="true", **how)
    times = [float(t) for t in re.findall(rf"^BSSN::{name}, \d+ blocks(?: \(\d+\))? +\d+ +([0-9.]+)", text, re.M)]
    print(*(line for line in text.splitlines() if "BSSN" in line or line.startswith("kernel")), sep="\n", flush=True)
    return n**3 / min(times) * 1e-3


def bar(what, value, unit, least=None, most=None):
    limit = least if most is None else most
    met = None if limit is None else value >= limit if most is None else value <= limit
    note(what, value, unit, limit, met)
    print(f"{what:60} {value:8.3f} {unit:14}" + ("" if limit is None else f" bar {limit:g} {'met' if met else 'MISSED'}"), flush=True)


if len(sys.argv) > 3 or DEVICES > 1:
    one = {}
    for where, name in ((BOX, "periodic"), (FACES, "stretched axes, radiation, reflection")):
        one[where] = steps(iterations=40, where=where)
        bar(f"BSSN, order 8, {n}³, double, {name}: a step of RK4", one[where], "G cell-steps/s")
        if DEVICES > 1:
            many = steps(iterations=40, where=where, devices=DEVICES)
            bar(f"BSSN, order 8, {n}³ each on {DEVICES} devices, {name}: over {DEVICES} times one", many / one[where] / DEVICES, "×", 0.95)
    if DEVICES == 1:
        bar(f"BSSN, order 8, {n}³: a step on {name}, over the periodic one", one[FACES] / one[BOX], "×", 0.9)
    write(sys.argv[1])
    sys.exit(0)
bar(f"BSSN, order 8, {n}³, double: right-hand side alone", kernel("rhs", fuse="false"), "G points/s", 1.35)
bar("the same with the update of a stage", kernel("rhs"), "G points/s", 1.2)
bar("a step of RK4", steps(), "G cell-steps/s", 0.28)
bar("a step of RK4 in 64 blocks", steps(blocks=64), "G cell-steps/s", 0.22)
bar("float: right-hand side alone", kernel("rhs", fuse="false", real="float"), "G points/s", 2.3)
for order in (4, 6):
    bar(f"order {order}, double: right-hand side alone", kernel("rhs", fuse="false", order=order), "G points/s")
with tempfile.TemporaryDirectory() as cache:
    first, again = start(cache), start(cache)
bar("late compilation: what a first run takes longer than the next", first - again, "s", most=10)
bar("start of a run of 256³ with code from the cache, first step included", again, "s")
write(sys.argv[1])
