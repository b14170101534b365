#!/usr/bin/env python3
"""Rates of the stencil programs on a device, through `cereus run` with default parameters: one step at a time, and in time tiles.
Prints a table and writes JSON.

    stencils.py OUTPUT.json COPY_BANDWIDTH_PROGRAM [PROGRAM…]

CEREUS names the executable (default: cereus). The bound is the copy bandwidth of the same run, over the bytes that a point must move.
Each case runs twice: the first run chooses a tile and keeps the choice (in a folder of this benchmark), the second is measured.
"""
import subprocess
import sys
import tempfile

from _rates import note, points, run, size, write

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
copy = float(subprocess.run([sys.argv[2]], capture_output=True, text=True, check=True).stdout.split()[0])
print(f"copy bandwidth {copy:.0f} GB/s\n{'program':12} {'size':>16} {'type':7} {'one step':>9} {'of bound':>9} {'tiles':>9} {'of bound':>9} {'gain':>6}  tile")
for program, (values, sizes, bars, gain_bar) in PROGRAMS.items():
    if len(sys.argv) > 3 and program not in sys.argv[3:]:
        continue
    for cells in sizes:
        for real in ("double", "float"):
            bound = copy / (values * (8 if real == "double" else 4))
            enough = 480 * max(1, round(60e9 / points(cells) / 480))  # a multiple of what a tile takes at once
            one, _, _ = run(cache, program, cells, real, 4 * enough, None)
            run(cache, program, cells, real, max(2000, 2 * enough), "wait: true")
            tiles, _, tried = run(cache, program, cells, real, 4 * enough, "")
            what = f"{program} {size(cells)} {real}"
            print(f"{program:12} {size(cells):>16} {real:7} {one:9.1f} {one / bound:9.3f} {tiles:9.1f} {tiles / bound:9.3f} {tiles / one:6.2f}  {tried[0] if tried else ''}", flush=True)
            single, several = bars.get(real, (None, None))
            note(f"{what}, one step", one / bound, "of the bound", single, single and one >= single * bound)
            note(f"{what}, time tiles", tiles / bound, "of the bound", several, several and tiles >= several * bound)
            if gain_bar:
                note(f"{what}, gain of time tiles over one step", tiles / one, "×", gain_bar, tiles >= gain_bar * one)
note("copy bandwidth of this run", copy, "GB/s", 4100, copy >= 4100)
write(sys.argv[1])
