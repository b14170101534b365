#!/usr/bin/env python3
"""The class World of the package for Python on this host: the script of docs/python.md beside `cereus run` of the file that it saves, what
a call of run() costs beyond its step, and what local() copies.

    CEREUS=build/bin/cereus COMMIT=… python3 tests/benchmarks/world.py docs/measured/view.json
"""
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

os.environ["MACHINE"] = host()
FILE = os.path.abspath(sys.argv[1])
N, STEPS, ROUNDS = 96, 100, 5
os.chdir(tempfile.mkdtemp(prefix="cereus-"))


def heat(n):
    w = cs.World(cells=(n, n, n), lower=0, upper=1, periodic=True, name="heat")
    u = w.field("u", initial="exp(-100*((x-0.5)^2 + (y-0.5)^2 + (z-0.5)^2))")
    w.evolve("D_t u = 0.1 D_ii u", order=4, method="RK4", dt=0.5 / n**2)
    return w, u


def seconds(f):
    start = time.perf_counter()
    f()
    return time.perf_counter() - start


w, u = heat(N)
w.run(iterations=STEPS)
w.save("heat.yaml")  # as many steps
ratios = []
for _ in range(ROUNDS):  # in turn, so that what else the machine does meets both
    mine = N**3 * STEPS / seconds(lambda: w.run(iterations=STEPS)) * 1e-6
    done = subprocess.run([os.environ["CEREUS"], "run", "heat.yaml", "--fresh"], capture_output=True, text=True, check=True)
    command = float(re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)[-1])
    ratios.append(mine / command)
    print(f"{mine:.1f} Mcell/s, the command {command:.1f}")
ratio = statistics.median(ratios)
note(f"World, heat {N}³, order 4, RK4, host: rate over that of cereus run", ratio, "", "≥ 0.97", ratio >= 0.97)

a = np.asarray(u.local())
copied = 0 if a.__array_interface__["data"][0] == np.asarray(u.local()).__array_interface__["data"][0] and not a.flags.owndata else a.nbytes
note("World, local(): bytes copied", copied, "B", "0", copied == 0)

w, u = heat(8)
w.run(iterations=100)
CALLS = 500
together, apart = [], []
for _ in range(20):  # the least of each: what others do on the machine only adds
    together.append(seconds(lambda: w.run(iterations=CALLS)))
    apart.append(seconds(lambda: [w.run(iterations=1) for _ in range(CALLS)]))
cost = (min(apart) - min(together)) / CALLS * 1e6
print(f"{cost:.1f} us a call")
note("World, a call of run() for one step, beyond the step", cost, "µs", "≤ 100", cost <= 100)
_rates.write(FILE)
