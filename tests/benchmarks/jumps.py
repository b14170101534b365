#!/usr/bin/env python3
"""What faces of finer levels do to constraints and to the conformal factor W, in a plane of a run with holes: prints a table and writes JSON.

    jumps.py OUTPUT.json PARFILE TIME [KEY=VALUE…]      runs PARFILE to TIME with slices of |H| and W; keys as of `--set`

Of each finer level, the largest |H| within three points of its faces to coarser ones over that three to eight points inside, and the largest fourth difference of W of five points
of which one is at a face over that of points further in. Both grow towards holes by orders of magnitude: without jumps there would be less at faces. CEREUS names the executable, PYTHONPATH has its Python.
"""
import os
import subprocess
import sys
import tempfile

import cereus
import numpy as np
from _rates import host, note, write

os.environ.setdefault("MACHINE", host())
output, parfile, time, *more = sys.argv[1:]
folder = tempfile.mkdtemp(prefix="cereus-")
settings = [f"Cereus.final_time={time}", 'IOHDF5.variables=["BSSN::H", "BSSN::W"]', "IOHDF5.slices=[xy]", "IOHDF5.format=[]", "IOHDF5.at_end=true",
            "IOImage.variables=[]", "IOASCII.every=0", *more]
command = [os.environ.get("CEREUS", "cereus"), "run", os.path.abspath(parfile), "--set", f"Cereus.output={folder}/out"] + [word for s in settings for word in ("--set", s)]
done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
if done.returncode != 0:
    sys.exit(done.stdout + done.stderr)


def inside(there, steps):
    """Points with so many around them that are there, too."""
    for _ in range(steps):
        kept = np.zeros_like(there)
        kept[1:-1, 1:-1] = there[1:-1, 1:-1] & there[:-2, 1:-1] & there[2:, 1:-1] & there[1:-1, :-2] & there[1:-1, 2:]
        there = kept
    return there


def with_finer(there, level, finer):
    """The points of a level, and those below which there are finer blocks."""
    filled = there.copy()
    for other in finer:
        at = [np.rint((other.coordinates(axis) - level.coordinates(axis)[0]) / level.spacing[0]).astype(int) for axis in "yx"]
        j, i = (a[n] for n, a in zip(np.nonzero(np.isfinite(other.values)), at))
        kept = (j >= 0) & (j < filled.shape[0]) & (i >= 0) & (i < filled.shape[1])
        filled[j[kept], i[kept]] = True
    return filled


def fourth_difference(values):
    """The larger along both axes; not a number where one of the five points is missing."""
    padded, found = np.pad(values, 2, constant_values=np.nan), []
    for axis in (0, 1):
        shift = [np.roll(padded, n, axis)[2:-2, 2:-2] for n in (-2, -1, 0, 1, 2)]
        found.append(np.abs(shift[0] - 4 * shift[1] + 6 * shift[2] - 4 * shift[3] + shift[4]))
    return np.maximum(*found)


for name, what, size in (("BSSN::H", "|H|", np.abs), ("BSSN::W", "fourth difference of W", fourth_difference)):
    worst = 0.0
    coarsest, *levels = cereus.open(f"{folder}/out").slices["xy"][name].at().levels
    for number, level in enumerate(levels):
        values = size(level.values)
        there = np.isfinite(level.values)
        known = np.isfinite(values)
        for n, axis in enumerate("yx"):  # where the domain ends levels have no face
            ends, at = coarsest.coordinates(axis), level.coordinates(axis)
            known &= np.expand_dims((at > ends[0] + 12 * level.spacing[0]) & (at < ends[-1] - 12 * level.spacing[0]), 1 - n)
        depth, all_of_it = 3 if size is np.abs else 5, with_finer(there, level, levels[number + 1:])
        faces, interior = known & ~inside(all_of_it, depth), known & inside(all_of_it, depth) & ~inside(all_of_it, depth + 5)
        ratio = values[faces].max() / values[interior].max()
        print(f"{what}, level of h = {level.spacing[0]:.4g}: at faces {values[faces].max():.3g}, inside {values[interior].max():.3g}, ratio {ratio:.3g}", flush=True)
        worst = max(worst, ratio)
    note(f"{os.path.basename(parfile)} at t = {float(time):g} M: largest {what} at faces of levels, over that five points further in, the worst level", worst, "", "≤ 3", bool(worst <= 3))
write(output)
