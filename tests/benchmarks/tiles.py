#!/usr/bin/env python3
"""What CaKernel chooses on a device, and what it costs: against an exhaustive search, on odd sizes, and in time at the start.
Prints tables and writes JSON.

    tiles.py OUTPUT.json

The space of the search is all tiles of CaKernel's list (src/tiles.cpp: steps, rows, points a lane, warps and blocks a
multiprocessor; those whose planes fit into registers and shared memory), each as long a march as the model likes best; the fastest
is then tried with other lengths. CEREUS names the executable.
"""
import sys
import tempfile
import time

from _rates import note, points, run, size, write


def steps_for(cells):
    return 480 * max(1, min(100, round(120e9 / points(cells) / 480)))


ALL_TILES = "tiles: 10000, wait: true"
DEFAULT, ALL = tempfile.mkdtemp(prefix="cereus-cache-"), tempfile.mkdtemp(prefix="cereus-cache-")
SIZES = {"jacobi3d": [512, 512, 512], "jacobi1d3": [1 << 28], "jacobi1d5": [1 << 28], "jacobi1d7": [1 << 28]}
PROGRAMS = ["jacobi3d", "jacobi2d", "jacobi1d3", "jacobi1d5", "jacobi1d7", "poisson2d", "fdtd2d", "gradient2d", "rician2d", "tv2d"]

def took(cache, program, cells):
    begun = time.monotonic()
    _, ready, _ = run(cache, program, cells, "double", 480, "")
    return time.monotonic() - begun, ready


compiled = added = most_warm = 0
for program in PROGRAMS:
    cells = SIZES.get(program, [8192, 8192])
    _, seconds, tried = run(DEFAULT, program, cells, "double", steps_for(cells), "wait: true")
    whole, warm = took(DEFAULT, program, cells)
    fresh, _ = took(tempfile.mkdtemp(prefix="cereus-cache-"), program, cells)
    compiled, added, most_warm = compiled + seconds, added + fresh - whole, max(most_warm, warm)
    print(f"{program:10} {len(tried)} tiles compiled in {seconds:6.2f} s; with what was kept ready in {warm:6.3f} s; a short run takes {whole:.2f} s with it, {fresh:.2f} s without", flush=True)
note("time that late compilation adds to short runs of all ten programs, nothing kept: they go on meanwhile", added, "s", 15, added <= 15)
note("the tiles of all ten programs compiled, nothing kept, waited for", compiled, "s", None, None)
note("a program ready, with what was kept, at most", most_warm, "s", 0.5, most_warm <= 0.5)

for program, real in (("jacobi3d", "double"), ("jacobi3d", "float"), ("jacobi2d", "double"), ("jacobi2d", "float"), ("gradient2d", "double"), ("jacobi1d3", "double")):
    cells = SIZES.get(program, [8192, 8192])
    enough = steps_for(cells)
    run(DEFAULT, program, cells, real, enough, "wait: true")
    _, _, tried = run(ALL, program, cells, real, max(enough, 6000), ALL_TILES)
    rates = [(run(DEFAULT, program, cells, real, enough, ""), run(ALL, program, cells, real, enough, ALL_TILES)) for _ in range(2)]
    chosen, best = max(a[0] for a, _ in rates), max(b[0] for _, b in rates)
    print(f"{program:10} {real:6} {chosen:8.1f} Gpoint/s, best of all {len(tried)}: {best:8.1f}; {rates[0][0][2][0]} | {rates[0][1][2][0]}", flush=True)
    note(f"{program} {real}: the choice, over the best of an exhaustive search", chosen / best, "×", 0.95, chosen >= 0.95 * best)

for odd, nearby in (([500, 500, 500], [512, 512, 512]), ([1000, 300, 70], [1024, 304, 72]), ([509, 503, 499], [512, 512, 512]), ([43, 37, 41], [40, 40, 40])):
    for real in ("double", "float"):
        rate = {}
        for cells in (odd, nearby):
            run(DEFAULT, "jacobi3d", cells, real, steps_for(cells), "wait: true")
            rate[str(cells)] = run(DEFAULT, "jacobi3d", cells, real, steps_for(cells), "")
        (a, _, t), (b, _, u) = rate[str(odd)], rate[str(nearby)]
        print(f"jacobi3d {size(odd):>12} {real:6} {a:8.1f} Gpoint/s, {size(nearby)}: {b:8.1f}  {a / b:.3f}; {(t + ['?'])[0]} | {(u + ['?'])[0]}", flush=True)
        note(f"jacobi3d {size(odd)} {real}, over {size(nearby)}", a / b, "×", 0.9, a >= 0.9 * b)
write(sys.argv[1])
