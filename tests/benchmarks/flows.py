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
{parameters}
"""
GAS = """Time: {courant: 0.3}
MoL: {method: SSPRK2}
EOS: {gamma: 5/3}
Hydro: {scheme: plm, density: 1 + 0.2*sin(2*pi*(x + y)), velocity: ["0.1*cos(2*pi*y)", "0.1*sin(2*pi*z)", "0.05"], pressure: "1"}"""
# What, thorns, type, axes, cells along each, periodic, steps, bar in Gcell-steps/s, parameters; h is 1 over the cells.
CASES = {
    "sola": ("Sola, 4 sweeps, float", "Boundary, Sola", "float", 3, 256, False, 400, 20, "Time: {dt: 0.0127 * h}\nSola: {iterations: 4}"),
    "hydro": ("Hydro, PLM (van Leer), HLLC, SSPRK2", "EOS, MoL, Hydro", "double", 3, 256, True, 100, 4.0, GAS),
    "hydro-float": ("Hydro, PLM (van Leer), HLLC, SSPRK2, float", "EOS, MoL, Hydro", "float", 3, 256, True, 200, 6, GAS),
    "hydro-weno5": ("Hydro, WENO5, SSPRK3", "EOS, MoL, Hydro", "double", 3, 256, True, 40, 0.8, GAS.replace("SSPRK2", "SSPRK3").replace("plm", "weno5")),
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
    what, thorns, real, dim, cells, periodic, steps, bar, parameters = CASES[name]
    n = options.cells or cells
    text = PARFILE.format(thorns=thorns, device=", Accelerator, AcceleratorCUDA" if options.device else "", kind="cuda" if options.device else "none", real=real,
                          steps=steps if options.device else max(2, steps // 100), cells=[n] * dim, periodic=str(periodic).lower(), parameters=parameters.replace("h}", f"{1 / n}}}"))
    found = max(rate(text) for _ in range(3))
    comparable = options.device and n == cells
    print(f"{what:50} {n}^{dim}: {found:8.3f} Gcell-steps/s (bar {bar})", flush=True)
    note(f"{what}, {n}^{dim}", found, "Gcell-steps/s", bar if comparable else None, found >= bar if comparable else None)
write(options.output)
