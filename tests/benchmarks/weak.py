#!/usr/bin/env python3
"""Weak scaling of time tiles over the devices of a host: 7 points, as many as 512³ has a device, fixed boundary, by `cereus run` with default parameters. Prints a
table and writes JSON.

    weak.py OUTPUT.json

As many devices are used as there are: 1, 2, 4, 8. CEREUS names the executable. In each case a first run chooses a tile and keeps the choice, and
the best of three others is measured; and the same with Cereus.overlap off, where ghost zones are waited for.
"""
import subprocess
import sys
import tempfile

from _rates import note, run, size, write

cache = tempfile.mkdtemp(prefix="cereus-cache-")
devices = len([n for n in subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout.split("\n") if n])
print(f"{'devices':>7} {'size':>16} {'type':7} {'Gpoint/s':>9} {'of all':>7} {'waiting':>9}  tile")
for real in ("double", "float"):
    for n, cells in ((1, [512, 512, 512]), (2, [512, 512, 1024]), (4, [512, 1024, 1024]), (8, [1024, 1024, 1024])):
        if n > devices:
            continue
        on = ["-n", str(n)] if n > 1 else []
        def best(*options):
            run(cache, "jacobi3d", cells, real, 2000, "wait: true", *on, *options)
            return max(run(cache, "jacobi3d", cells, real, 1920, "", *on, *options) for _ in range(3))
        rate, _, tried = best()
        waiting = best("--set", "Cereus.overlap=false")[0] if n > 1 else rate
        if n == 1:
            one = rate
        print(f"{n:7} {size(cells):>16} {real:7} {rate:9.1f} {rate / (n * one):7.3f} {waiting:9.1f}  {tried[0] if tried else ''}", flush=True)
        if n > 1:
            note(f"jacobi3d {real}, {n} devices, {size(cells)}, time tiles, over {n} × one with 512³", rate / (n * one), "×", 0.9 if n == 8 else None, rate >= 0.9 * n * one if n == 8 else None)
            note(f"jacobi3d {real}, {n} devices, {size(cells)}, time tiles, ghost zones waited for, over {n} × one with 512³", waiting / (n * one), "×", None, None)
write(sys.argv[1])
