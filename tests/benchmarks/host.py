#!/usr/bin/env python3
"""On the host: a mean of 7 points on 512³ doubles through `cereus run`, one step at a time and with time tiles, against loops written by
hand and a copy with the same stores. Prints, and writes JSON.

    host.py OUTPUT.json HOST_STENCIL_PROGRAM      host_stencil.cpp, compiled (benchmark_host_stencil)

Three rounds, interleaved; the best of each counts. CEREUS names the executable.
"""
import os
import re
import subprocess
import sys
import tempfile

from _rates import host, note, write

os.environ.setdefault("MACHINE", host())
PARFILE = """thorns: [UniGrid, Time, Boundary, Stencils{more}]
Cereus: {{iterations: {steps}, poison: false}}
UniGrid: {{cells: [512, 512, 512], periodic: false}}
Time: {{dt: 1}}
Boundary: {{all: fixed}}
Stencils: {{program: jacobi3d}}
"""
cache = tempfile.mkdtemp(prefix="cereus-cache-")


def run(more, steps):
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "bench.yaml"), "w") as f:
        f.write(PARFILE.format(more=more, steps=steps))
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "bench.yaml"], cwd=folder, capture_output=True, text=True, env=dict(os.environ, XDG_CACHE_HOME=cache))
    found = re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)
    if done.returncode or not found:
        sys.exit(done.stdout + done.stderr)
    return 1e-3 * float(found[-1])


run(", CaKernel", 60)  # chooses
rates = {}
for _ in range(3):
    for what, value in (("one step", run("", 120)), ("chosen", run(", CaKernel", 240))):
        rates.setdefault(what, []).append(value)
    for text in subprocess.run([sys.argv[2], "512", "10"], capture_output=True, text=True, check=True).stdout.splitlines():
        what, value = text.split("\t")
        rates.setdefault(what, []).append(float(value))
for what, values in rates.items():
    print(f"{what:28} {max(values):7.3f} Gpoint/s   ({', '.join(f'{v:.3f}' for v in values)})")
rival = max(max(v) for what, v in rates.items() if what.startswith("rows"))
one, chosen, copy = (max(rates[what]) for what in ("one step", "chosen", "copy"))
note(f"host, 512³ double, 7 points, one step, over the best of {sum(w.startswith('rows') for w in rates)} loops written by hand ({rival:.2f} Gpoint/s)", one / rival, "×", 0.95, one >= 0.95 * rival)
note(f"host, 512³ double, 7 points: what is chosen, over a copy loop with stores past the caches ({copy:.2f} Gpoint/s)", chosen / copy, "×", 1.5, chosen >= 1.5 * copy)
write(sys.argv[1])
