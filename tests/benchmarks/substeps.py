#!/usr/bin/env python3
"""Runge–Kutta steps in one sweep: rates of `cereus run` with CaKernel, which tries tiles in a run before, over those of stages one by one.

    substeps.py OUTPUT.json [PATTERN]   the cases whose names have a match of that; MACHINE of the environment names a device: then the cases for one run, else those for the host

Floor of WaveToy (u, ρ): a step reads and writes both once, 32 bytes a point in double; RK4 by stages moves 208. Three rounds (two on a device), interleaved; the median of the
ratios counts. CEREUS names the executable. Compiled code is kept in XDG_CACHE_HOME, if there is one, else in a new folder.
"""
import concurrent.futures
import os
import re
import statistics
import subprocess
import sys
import tempfile

from _rates import host, note, write

DEVICE = "MACHINE" in os.environ
os.environ.setdefault("MACHINE", host())
PARFILE = """thorns: [UniGrid, Time, MoL, {thorns}]
Cereus: {{iterations: {steps}, poison: false, real: {real}{device}}}
UniGrid: {{cells: {cells}, periodic: true}}
MoL: {{method: {method}}}
{wait}
"""
# What a system adds to the thorns and to the file. All variables of GrayScott and BSSN have neighbours.
SYSTEMS = {"WaveToy": (["WaveToy"], "WaveToy: {{order: {order}}}"), "Diffusion": (["Diffusion"], "Diffusion: {{order: {order}}}"),
           "BSSN": (["ADMBase", "ExactMetrics", "BSSN"], "Time: {{courant: 0.25}}\nExactMetrics: {{data: GaugeWave}}\nBSSN: {{order: {order}}}"),
           "GrayScott": ([], """Time: {{dt: 1e-3}}
equations: |
  thorn GrayScott "Two chemicals that react and diffuse"
  evolve chemicals "Concentrations"
    U, V
  operators centred({order})
  initial
    V = 1/4 exp(-200 ((x - 1/2)^2 + (y - 1/2)^2))
    U = 1 - 2 V
  rhs
    D_t U = 2e-5 D_ii U - U V^2 + 0.037 (1 - U)
    D_t V = 1e-5 D_ii V + U V^2 - 0.097 V
""")}
# thorn, cells, order, method, scalar type, steps, bar
CASES = ([("WaveToy", [512, 512, 512], 4, "RK4", "double", 240, None), ("WaveToy", [256, 256, 256], 4, "RK4", "double", 1200, None),
          ("WaveToy", [512, 512, 512], 2, "RK4", "double", 60, 1.5), ("Diffusion", [512, 512, 512], 2, "RK4", "double", 60, 1.3),
          ("WaveToy", [8192, 8192], 4, "RK4", "double", 200, 3.0), ("WaveToy", [512, 512, 512], 4, "RK3", "double", 60, 1.5),
          ("WaveToy", [512, 512, 512], 4, "RK4", "float", 60, 1.5), ("WaveToy", [512, 512, 512], 6, "RK4", "double", 60, 1.5),
          ("GrayScott", [8192, 8192], 2, "RK4", "double", 100, 1.5), ("GrayScott", [512, 512, 512], 4, "RK4", "double", 40, 0.99),
          ("BSSN", [160, 160, 160], 4, "RK4", "double", 40, 0.99)] if DEVICE else
         [("WaveToy", [256, 256, 256], 4, "RK4", "double", 20, 1.3), ("WaveToy", [256, 256, 256], 2, "RK4", "double", 20, None),
          ("WaveToy", [256, 256, 256], 4, "RK3", "double", 20, None), ("WaveToy", [2048, 2048], 4, "RK4", "double", 60, None),
          ("Diffusion", [256, 256, 256], 2, "RK4", "double", 20, None)])
RATES = {512: 45000, 256: 40000}  # Mcell/s, of WaveToy with order 4, RK4 and double in 3D on a device
cache = os.environ.get("XDG_CACHE_HOME") or tempfile.mkdtemp(prefix="cereus-cache-")


def run(tiles, thorn, cells, order, method, real, steps, wait=False):
    """Mcell/s, and what was said. `wait`: until what is to be tried is compiled."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    more, system = SYSTEMS[thorn]
    thorns = more + (["Accelerator", "AcceleratorCUDA"] if DEVICE else ["Boundary"]) + (["CaKernel"] if tiles else [])
    with open(os.path.join(folder, "bench.yaml"), "w") as f:
        f.write((PARFILE + system).format(thorns=", ".join(thorns), steps=steps, real=real, device=", device: cuda" if DEVICE else "", cells=cells, method=method, order=order, wait="CaKernel: {wait: true, report: true}" if wait else ""))
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "bench.yaml"], cwd=folder, capture_output=True, text=True, env=dict(os.environ, XDG_CACHE_HOME=cache))
    found = re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)
    if done.returncode or not found:
        raise RuntimeError(done.stdout + done.stderr)
    return float(found[-1]), done.stdout[done.stdout.find("time tiles"):] if "time tiles" in done.stdout else ""


def name(thorn, cells, order, method, real):
    return f"{thorn}, order {order}, {method}, {'×'.join(map(str, cells))} {real}"


def compile_for(case):
    try:
        run(True, *case[:5], 1, True)
    except RuntimeError as error:
        print(name(*case[:5]), error, flush=True)


failed = []
CASES = [c for c in CASES if len(sys.argv) < 3 or re.search(sys.argv[2], name(*c[:5]))]
if DEVICE:  # all at once: code for a device takes long to compile
    with concurrent.futures.ThreadPoolExecutor(len(CASES)) as pool:
        list(pool.map(compile_for, CASES))
for *case, steps, bar in CASES:
    what = name(*case)
    try:
        _, said = run(True, *case, 2 * steps, True)  # chooses
        print(said, flush=True)
        rounds = [(run(False, *case, steps)[0], run(True, *case, steps)[0]) for _ in range(2 if DEVICE else 3)]
    except RuntimeError as error:  # the others go on
        failed.append(what)
        print(what, error, flush=True)
        continue
    ratio, rate = statistics.median(b / a for a, b in rounds), max(b for _, b in rounds)
    rate_bar = RATES.get(case[1][0]) if DEVICE and case[0] == "WaveToy" and len(case[1]) == 3 and case[2:] == [4, "RK4", "double"] else None
    print(f"{what:50} {ratio:5.2f}   {max(a for a, _ in rounds):9.1f} → {rate:9.1f} Mcell/s", flush=True)
    note(f"{what}: stages in one sweep over stages one by one", ratio, "×", bar, None if bar is None else ratio >= bar)
    note(f"{what}: stages in one sweep", rate, "Mcell/s", rate_bar, None if rate_bar is None else rate >= rate_bar)
    write(sys.argv[1])
sys.exit(f"failed: {', '.join(failed)}" if failed else 0)
