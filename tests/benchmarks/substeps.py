#!/usr/bin/env python3
"""Runge–Kutta steps in one sweep: rates of `cereus run` with CaKernel, which tries tiles in a run before, over those of stages one by one.

    substeps.py OUTPUT.json [WORD]      the cases with that word in their names; MACHINE of the environment names a device: then the cases for one run, else those for the host

Floor of WaveToy (u, ρ): a step reads and writes both once, 32 bytes a point in double; RK4 by stages moves 208. Three rounds, interleaved; the median of the
ratios counts. CEREUS names the executable.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile

from _rates import host, note, write

DEVICE = "MACHINE" in os.environ
os.environ.setdefault("MACHINE", host())
PARFILE = """thorns: [UniGrid, Time, MoL, {thorn}, {more}]
Cereus: {{iterations: {steps}, poison: false, real: {real}{device}}}
UniGrid: {{cells: {cells}, periodic: true}}
MoL: {{method: {method}}}
{thorn}: {{order: {order}}}
"""
# thorn, cells, order, method, scalar type, steps, bar
CASES = ([("WaveToy", [8192, 8192], 4, "RK4", "double", 200, 3.0), ("WaveToy", [256, 256, 256], 4, "RK4", "double", 400, None)] if DEVICE else
         [("WaveToy", [256, 256, 256], 4, "RK4", "double", 20, 1.3), ("WaveToy", [256, 256, 256], 2, "RK4", "double", 20, None),
          ("WaveToy", [256, 256, 256], 4, "RK3", "double", 20, None), ("WaveToy", [2048, 2048], 4, "RK4", "double", 60, None),
          ("Diffusion", [256, 256, 256], 2, "RK4", "double", 20, None)])
cache = tempfile.mkdtemp(prefix="cereus-cache-")


def run(tiles, thorn, cells, order, method, real, steps):
    """Mcell/s, and what was said."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    thorns = (["Accelerator", "AcceleratorCUDA"] if DEVICE else ["Boundary"]) + (["CaKernel"] if tiles else [])
    with open(os.path.join(folder, "bench.yaml"), "w") as f:
        f.write(PARFILE.format(thorn=thorn, more=", ".join(thorns), steps=steps, real=real, device=", device: cuda" if DEVICE else "", cells=cells, method=method, order=order))
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "bench.yaml"], cwd=folder, capture_output=True, text=True, env=dict(os.environ, XDG_CACHE_HOME=cache))
    found = re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)
    if done.returncode or not found:
        sys.exit(done.stdout + done.stderr)
    return float(found[-1]), re.findall("time tiles.*", done.stdout)


for thorn, cells, order, method, real, steps, bar in CASES:
    case = (thorn, cells, order, method, real)
    what = f"{thorn}, order {order}, {method}, {'×'.join(map(str, cells))} {real}"
    if len(sys.argv) > 2 and sys.argv[2] not in what:
        continue
    _, said = run(True, *case, 2 * steps)  # chooses
    rounds = [(run(False, *case, steps)[0], run(True, *case, steps)[0]) for _ in range(3)]
    ratio = statistics.median(b / a for a, b in rounds)
    print(f"{what:50} {ratio:5.2f}   {max(a for a, _ in rounds):9.1f} → {max(b for _, b in rounds):9.1f} Mcell/s  {'; '.join(said)}", flush=True)
    note(f"{what}: stages in one sweep over stages one by one", ratio, "×", bar, None if bar is None else ratio >= bar)
    note(f"{what}: stages in one sweep", max(b for _, b in rounds), "Mcell/s", None, None)
write(sys.argv[1])
