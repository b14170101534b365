#!/usr/bin/env python3
"""The class World of the package for Python: the script of docs/python.md beside `cereus run` of the file that it saves, what a call of run()
costs beyond its step, and what local() copies. On the host, or, with `--device cuda` (or DEVICE=cuda), on a GPU, where CuPy looks at fields.

    CEREUS=build/bin/cereus COMMIT=… python3 tests/benchmarks/world.py docs/measured/view.json [--device cuda] [--cells 512] [--steps 500] [--rounds 5]
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

import _rates
from _rates import host, note

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(os.environ["CEREUS"]))), "lib", "python3"))
import cereus as cs  # noqa: E402

arguments = argparse.ArgumentParser()
arguments.add_argument("file")
arguments.add_argument("--device", default=os.environ.get("DEVICE", "none"))
arguments.add_argument("--cells", type=int)
arguments.add_argument("--steps", type=int)
arguments.add_argument("--rounds", type=int, default=5)
a = arguments.parse_args()
GPU = a.device == "cuda"
N, STEPS = a.cells or (512 if GPU else 96), a.steps or (500 if GPU else 100)
FILE = os.path.abspath(a.file)
WHERE = {"none": "host", "cuda": "GPU"}.get(a.device, a.device)
if not GPU:
    os.environ["MACHINE"] = host()
os.chdir(tempfile.mkdtemp(prefix="cereus-"))


def world(n, name):
    w = cs.World(cells=(n, n, n), lower=0, upper=1, periodic=True, name=name)
    w.thorn("Cereus", device=a.device)
    if a.device == "mirror":
        w.thorn("AcceleratorMirror")
    return w


def heat(n, name):
    w = world(n, name)
    u = w.field("u", initial="exp(-100*((x-0.5)^2 + (y-0.5)^2 + (z-0.5)^2))")
    w.evolve("D_t u = 0.1 D_ii u", order=4, method="RK4", dt=0.5 / n**2)
    return w, u


def seconds(f):
    start = time.perf_counter()
    f()
    return time.perf_counter() - start


def command():
    """Mcell/s of the saved file."""
    done = subprocess.run([os.environ["CEREUS"], "run", "heat.yaml", "--fresh"], capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return float(re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)[-1])


def rates():
    w, u = heat(N, "heat")
    w.run(iterations=STEPS)
    w.save("heat.yaml")  # as many steps
    ratios = []
    for _ in range(a.rounds):  # in turn, so that what else the machine does meets both
        mine = N**3 * STEPS / seconds(lambda: w.run(iterations=STEPS)) * 1e-6
        ratios.append(mine / (other := command()))
        print(f"{mine:.1f} Mcell/s, the command {other:.1f}", flush=True)
    ratio = statistics.median(ratios)
    note(f"World, heat {N}³, order 4, RK4, {WHERE}: rate over that of cereus run", ratio, "", "≥ 0.97", ratio >= 0.97)
    w.close()


def copies_on_host():
    w, u = heat(N, "views")
    view = np.asarray(u.local())
    same = view.__array_interface__["data"][0] == np.asarray(u.local()).__array_interface__["data"][0] and not view.flags.owndata
    note("World, local(): bytes copied", 0 if same else view.nbytes, "B", "0", same)
    w.close()


def copies_on_gpu():
    """CuPy's arrays begin where the field's points do, on the device; what changes there is seen by the next step, and by the reverse."""
    import cupy
    w, u = heat(64, "views")
    w.run(iterations=1)
    view = u.local(device=True)
    address = view._piece.interface["data"][0]  # as the field's memory has it
    before = cupy.cuda.runtime.pointerGetAttributes(address)
    arrays = [cupy.from_dlpack(view), cupy.asarray(view)]
    same = before.type == 2 and all(x.data.ptr == address and x.shape == view.shape for x in arrays)  # cudaMemoryTypeDevice
    seen = bool((arrays[0] == cupy.asarray(u.gather())).all())
    with u.writing(device=True) as b:
        written = cupy.asarray(b)
        written[...] = cupy.random.default_rng(1).random(written.shape)  # ghost zones must follow
        start = written.get()
        same = same and written.data.ptr == address
    stays = u.local(device=True)._piece.interface["data"][0] == address and np.array_equal(u.gather(), start)
    w.run(iterations=1)
    end = u.gather()
    d = 0.5 / 64**2 * 0.1 * 64**2  # dt D / h²

    def rate(v):
        return d * sum((-np.roll(v, 2, x) + 16 * np.roll(v, 1, x) - 30 * v + 16 * np.roll(v, -1, x) - np.roll(v, -2, x)) / 12 for x in range(3))
    want, term = start.copy(), start
    for n in range(1, 5):  # RK4 of a linear equation is its exponential's first terms
        term = rate(term) / n
        want += term
    stepped = abs(end - want).max() < 1e-12
    again = bool((cupy.from_dlpack(u.local(device=True)) == cupy.asarray(end)).all())
    print(f"the same memory {same}, CuPy sees the field {seen and again}, others see what CuPy wrote {stays}, a step, too {stepped}")
    note("World, local(device=True): bytes copied", 0 if same else u.local().shape[0]**3 * 8, "B", "0", same)
    note("World, values that CuPy sees and writes against the field's, before and after a step", int(seen + again + stays + stepped), "of 4", "4",
         bool(seen and again and stays and stepped))
    w.close()


def calls():
    w, u = heat(8, "calls")
    w.run(iterations=100)
    number = 500
    together, apart = [], []
    for _ in range(20):  # the least of each: what others do on the machine only adds
        together.append(seconds(lambda: w.run(iterations=number)))
        apart.append(seconds(lambda: [w.run(iterations=1) for _ in range(number)]))
    cost = (min(apart) - min(together)) / number * 1e6
    print(f"{cost:.1f} us a call; a step of many {min(together) / number * 1e6:.1f} us")
    note(f"World, a call of run() for one step, beyond the step{', GPU' if GPU else ''}", cost, "µs", "≤ 100", cost <= 100)
    w.close()


for part in (copies_on_gpu if GPU else copies_on_host, calls, rates):
    start = time.perf_counter()
    part()
    print(f"{part.__name__}: {time.perf_counter() - start:.1f} s", flush=True)
    _rates.write(FILE)
