#!/usr/bin/env python3
"""Rates of flows and crystals through `cereus run`: prints a table and writes JSON.

    flows.py OUTPUT.json [--device] [--cells N] [NAME…]

--device: on a GPU, else on the host, where the bars do not hold. --cells: along each axis, instead of what a bar is for. Best of three
runs. CEREUS names the executable.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

from _rates import note, write

PARFILE = """thorns: [UniGrid, Time, {thorns}{device}]
Cereus: {{iterations: {steps}, device: {kind}, real: {real}, poison: false}}
UniGrid: {{cells: {cells}, lower: 0, upper: 1, periodic: {periodic}}}
Time: {{dt: {dt}}}
{parameters}
"""
# What, thorns, type, axes, cells along each, periodic, step in units of the spacing, steps, bar in Gcell-steps/s, parameters.
CASES = {
    "sola": ("Sola, 4 sweeps, float", "Boundary, Sola", "float", 3, 256, False, 0.0127, 400, 20, "Sola: {iterations: 4}"),
}
parser = argparse.ArgumentParser()
parser.add_argument("output")
parser.add_argument("--device", action="store_true")
parser.add_argument("--cells", type=int)
parser.add_argument("names", nargs="*", default=list(CASES))
options = parser.parse_intermixed_args()


def rate(text):
    """Gcell-steps/s."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "bench.yaml"), "w") as f:
        f.write(text)
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "bench.yaml"], cwd=folder, capture_output=True, text=True)
    found = re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)
    if done.returncode or not found:
        sys.exit(text + done.stdout + done.stderr)
    for line in re.findall(r".*the fastest of.*", done.stdout):
        print(" ", line)
    return 1e-3 * float(found[-1])


for name in options.names:
    what, thorns, real, dim, cells, periodic, step, steps, bar, parameters = CASES[name]
    n = options.cells or cells
    text = PARFILE.format(thorns=thorns, device=", Accelerator, AcceleratorCUDA" if options.device else "", kind="cuda" if options.device else "none", real=real,
                          steps=steps if options.device else max(2, steps // 100), cells=[n] * dim, periodic=str(periodic).lower(), dt=step / n, parameters=parameters)
    found = max(rate(text) for _ in range(3))
    comparable = options.device and n == cells
    print(f"{what:50} {n}^{dim}: {found:8.3f} Gcell-steps/s (bar {bar})", flush=True)
    note(f"{what}, {n}^{dim}", found, "Gcell-steps/s", bar if comparable else None, found >= bar if comparable else None)
write(options.output)
