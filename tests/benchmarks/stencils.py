#!/usr/bin/env python3
"""Rates of the stencil programs on a device, through `cereus run` with default parameters: one step at a time, and in time tiles.
Prints a table and writes JSON.

    stencils.py OUTPUT.json COPY_BANDWIDTH_PROGRAM [PROGRAM…]

CEREUS names the executable (default: cereus). The bound is the copy bandwidth of the same run, over the bytes that a point must move.
Each case runs twice: the first run chooses a tile and keeps the choice (in a folder of this benchmark), the second is measured.
"""
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import time

PARFILE = """thorns: [UniGrid, Time, Boundary, Stencils, CaKernel, Accelerator, AcceleratorCUDA]
Cereus: {{iterations: {iterations}, device: cuda, real: {real}, poison: false}}
UniGrid: {{cells: {cells}, periodic: false}}
Time: {{dt: 1}}
Boundary: {{all: fixed}}
Stencils: {{program: {program}}}
CaKernel: {{report: true, steps: {steps}}}
"""
CEREUS = os.environ.get("CEREUS", "cereus")
# Values that a point moves a step, fused; sizes; (bar of one step, of time tiles, as parts of the bound; bar of the gain).
PROGRAMS = {
    "jacobi3d": (2, [[512, 512, 512], [768, 768, 768]], {"double": (0.93, 1.9), "float": (0.93, 1.8)}, None),
    "jacobi2d": (2, [[8192, 8192], [16384, 16384]], {"double": (None, 4.5), "float": (None, 4.7)}, 2.6),
    "jacobi1d3": (2, [[1 << 28]], {"double": (None, 8), "float": (None, 8)}, None),
    "jacobi1d5": (2, [[1 << 28]], {}, None),
    "jacobi1d7": (2, [[1 << 28]], {}, None),
    "poisson2d": (2, [[8192, 8192]], {}, 1.9),
    "fdtd2d": (6, [[8192, 8192]], {}, 3.4),
    "gradient2d": (2, [[8192, 8192]], {}, 2.0),
    "rician2d": (3, [[8192, 8192]], {}, 1.06),
    "tv2d": (4, [[8192, 8192]], {}, 1.27),
}
cache = tempfile.mkdtemp(prefix="cereus-cache-")
results = []


def run(program, cells, real, steps, iterations):
    """Gpoint/s, and what the engine says."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "bench.yaml"), "w") as f:
        f.write(PARFILE.format(program=program, cells=cells, real=real, steps=steps, iterations=iterations))
    done = subprocess.run([CEREUS, "run", "bench.yaml"], cwd=folder, capture_output=True, text=True, env=dict(os.environ, XDG_CACHE_HOME=cache))
    found = re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)
    if done.returncode != 0 or not found:
        sys.exit(done.stdout + done.stderr)
    return 1e-3 * float(found[-1]), done.stdout[done.stdout.rfind("time tiles"):]


def note(what, value, bar, bound):
    results.append({"what": what, "value": round(value, 3), "unit": "of the bound" if bound else "×", "bar": bar, "met": None if bar is None else value >= bar, "peer": None,
                    "machine": os.environ.get("MACHINE", "NVIDIA H200"), "date": str(datetime.date.today()), "commit": os.environ.get("COMMIT", ""),
                    "command": "tests/benchmarks/stencils.py"})


copy = float(subprocess.run([sys.argv[2]], capture_output=True, text=True, check=True).stdout.split()[0])
print(f"copy bandwidth {copy:.0f} GB/s\n{'program':12} {'size':>16} {'type':7} {'one step':>9} {'of bound':>9} {'tiles':>9} {'of bound':>9} {'gain':>6}  tile")
for program, (values, sizes, bars, gain_bar) in PROGRAMS.items():
    if len(sys.argv) > 3 and program not in sys.argv[3:]:
        continue
    for cells in sizes:
        for real in ("double", "float"):
            points = 1
            for n in cells:
                points *= n
            bound = copy / (values * (8 if real == "double" else 4))
            enough = 480 * max(1, round(60e9 / points / 480))  # a multiple of what a tile takes at once
            one, _ = run(program, cells, real, 1, enough)
            _, tried = run(program, cells, real, 0, max(2000, 2 * enough))
            if os.environ.get("TRIED"):
                print(tried)
            tiles, said = run(program, cells, real, 0, 4 * enough)
            size = "×".join(map(str, cells))
            tile = (said.splitlines() + ["", "", ""])[2]
            print(f"{program:12} {size:>16} {real:7} {one:9.1f} {one / bound:9.3f} {tiles:9.1f} {tiles / bound:9.3f} {tiles / one:6.2f}  {tile.strip()}", flush=True)
            single, several = bars.get(real, (None, None))
            note(f"{program} {size} {real}, one step", one / bound, single, True)
            note(f"{program} {size} {real}, time tiles", tiles / bound, several, True)
            if gain_bar:
                note(f"{program} {size} {real}, gain of time tiles over one step", tiles / one, gain_bar, False)
results.append({"what": "copy bandwidth of this run", "value": copy, "unit": "GB/s", "bar": 4100, "met": copy >= 4100, "peer": None, "machine": "NVIDIA H200",
                "date": str(datetime.date.today()), "commit": os.environ.get("COMMIT", ""), "command": "tests/benchmarks/stencils.py"})
with open(sys.argv[1], "w") as f:
    json.dump(results, f, indent=1, ensure_ascii=False)
