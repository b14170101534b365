#!/usr/bin/env python3
"""Scaling over the devices of a host, by `cereus run` with default parameters: prints a table and writes JSON.

    weak.py OUTPUT.json [CASE…]      all cases, or those whose names begin so; on 1, 2, 4, 8 devices, as many as there are

CEREUS names the executable. Weak: as many points on each device, side by side along z; strong: as many in all. Efficiency: the rate over that of one device, so many times. Where a sweep is
chosen by trials, a first run makes and keeps the choice; the better of two others counts. A process has a device of its own. DEVICES=1,4 of the environment takes
only these.
"""
import os
import re
import subprocess
import sys
import tempfile

from _rates import note, size, write

HEAD = """thorns: [UniGrid, Accelerator, AcceleratorCUDA, Time, {thorns}]
Cereus: {{device: cuda, iterations: {steps}, poison: false, output: out}}
UniGrid: {{cells: {cells}, periodic: {periodic}}}
"""
WAVE = "MoL: {method: RK4}\nTime: {courant: 0.4}\nWaveToy: {order: 4}\n"
SWEEP = "CaKernel: {{{how}: true}}\n"
# Name: thorns, the rest of the file, points (each or in all), whether strong, steps on one device, bars on 2, 4 and 8 devices
CASES = {
    "wave in one sweep, 256³ each": ("MoL, WaveToy, CaKernel", WAVE, 256, False, 1200, {2: 0.96, 4: 0.93, 8: 0.92}),
    "wave in one sweep, 512³ in all": ("MoL, WaveToy, CaKernel", WAVE, 512, True, 300, {2: 0.96, 4: 0.92, 8: 0.85}),
    "wave in one sweep, 1024³ in all": ("MoL, WaveToy, CaKernel", WAVE, 1024, True, 60, {8: 0.92}),
    "wave by stages, 256³ each": ("MoL, WaveToy", WAVE, 256, False, 600, {8: 0.94}),
    "heat in time tiles, 512³ each": ("Boundary, Stencils, CaKernel", "Time: {dt: 1}\nBoundary: {all: fixed}\nStencils: {program: jacobi3d}\n", 512, False, 960, {4: 0.92, 8: 0.90}),
    "BSSN, order 8, 192³ each": ("MoL, ADMBase, ExactMetrics, BSSN", "MoL: {method: RK4}\nTime: {dt: 1e-4}\nExactMetrics: {data: GaugeWave}\nBSSN: {order: 8, startlapse: given}\n", 192, False, 60,
                                 {2: 0.985, 4: 0.96, 8: 0.95}),
    "Hydro, PLM, 256³ each": ("MoL, EOS, Hydro", 'MoL: {method: SSPRK2}\nTime: {courant: 0.3}\nHydro: {pressure: "1 + 0.1*sin(2*pi*x)*sin(2*pi*y)"}\n', 256, False, 200, {8: 0.93}),
}
there = len([line for line in subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout.split("\n") if line])
CACHE = tempfile.mkdtemp(prefix="cereus-cache-")
COUNTS = [int(n) for n in os.environ.get("DEVICES", "1,2,4,8").split(",") if int(n) <= there]


def cells_of(points, strong, n):
    return [points] * 3 if strong else [points, points, points * n]


def rate(text, n, folder):
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(text)
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "--fresh", *(["-n", str(n)] if n > 1 else []), "run.yaml"], cwd=folder, capture_output=True, text=True,
                          env=dict(os.environ, XDG_CACHE_HOME=CACHE))
    found = re.findall(r"([0-9.e+]+) ([kMG]?)cell/s", done.stdout)
    if done.returncode != 0 or not found:
        sys.exit(done.stdout + done.stderr)
    return float(found[-1][0]) * {"": 1e-9, "k": 1e-6, "M": 1e-3, "G": 1}[found[-1][1]], done.stdout


def best(name, n):
    """The rate in Gcell-steps/s on n devices, and what was said of tiles."""
    thorns, rest, points, strong, steps, _ = CASES[name]
    tiles = "CaKernel" in thorns
    text = HEAD.format(thorns=thorns, steps=steps * (n if strong else 1), cells=cells_of(points, strong, n), periodic="false" if "Boundary" in thorns else "true") + rest
    with tempfile.TemporaryDirectory(prefix="cereus-") as folder:
        if tiles:
            rate(text + SWEEP.format(how="wait"), n, folder)
        found = [rate(text + (SWEEP.format(how="report") if tiles else ""), n, folder) for _ in range(2)]
    return max(r for r, _ in found), "; ".join(line.strip() for line in found[-1][1].splitlines() if re.match(r" +\d.*(registers|step)", line))[:150]


print(f"{'case':34} {'devices':>7} {'cells':>16} {'Gcell/s':>9} {'of all':>7}  tile")
for name in CASES:
    if sys.argv[2:] and not any(name.startswith(case) for case in sys.argv[2:]):
        continue
    one = best(name, 1)[0]
    for n in COUNTS:
        found, said = (one, "") if n == 1 else best(name, n)
        share, bar = found / (n * one), CASES[name][5].get(n)
        print(f"{name:34} {n:7} {size(cells_of(CASES[name][2], CASES[name][3], n)):>16} {found:9.2f} {share:7.3f}  {said}", flush=True)
        if n == 1:
            note(f"{name}: one device", found, "Gcell-steps/s", None, None)
            continue
        note(f"{name}, {n} devices, of {n} × one", share, "×", bar, None if bar is None else share >= bar)
write(sys.argv[1])
