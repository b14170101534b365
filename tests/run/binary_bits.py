#!/usr/bin/env python3
"""Two black holes with all their analysis: the same bits in all files on 1, 2 and 4 processes, and when the run is killed and goes on from its checkpoint in the
middle. On a device in the strict build, and on a mirror, too. With CEREUS_LONG QC-0, coarse, to t = 5.

The short run has searches that find a horizon, searches that do not converge, and horizons that are too small for the grid.
Mutations tried: horizons go on from a sphere around the last centroid (searches of a restart take other numbers of steps); Checkpoint does not cut files of horizons
(lines twice); coefficients written with 16 digits.
"""
import os
import shutil
import subprocess
import sys

from _binary import SMALL, binary, contents, start
from _physics import DIMENSIONS, check, finish

LONG = "CEREUS_LONG" in os.environ
QC0 = {"UniGrid.cells": [48, 49, 24], "UniGrid.lower": [-12, -12, 0], "UniGrid.upper": 12, "Multipole.radii": [5, 8], "ADMIntegrals.radii": [5, 8],
       "Horizons.radii": [0.7, 0.7, 1.5], "Horizons.start_times": [0, 0, 0], "Horizons.lmax": 6, "Cereus.final_time": 5, "Checkpoint.every": 50, "IOHDF5.every": 50, "IOImage.every": 50}
settings, last = (QC0, 100) if LONG else (SMALL, 16)


def differ(a, b):
    return sorted(name for name in a.keys() | b.keys() if a.get(name) != b.get(name))


if 3 not in DIMENSIONS:
    finish("black holes are of three dimensions")
cuda = "AcceleratorCUDA" in os.environ.get("CEREUS_ACTIVATE", "")
if cuda and "strict" not in subprocess.run([os.environ["CEREUS"], "--version"], capture_output=True, text=True).stdout:
    finish("bits are the same on devices in the strict build only")
folder = binary(settings)
whole = contents(folder)
searches = whole["searches.ah3.asc"].decode().splitlines()[2:]
check({"punctures.asc", "surfaces.ah1.asc", "constraints-squares.average.asc", f"bssn-alpha.xy.it{last:08d}.png"} <= whole.keys() and len(whole) > 60,
      f"{len(whole)} files and fields")
if not LONG:
    check({line.split()[2] for line in searches} == {"0", "1"} and any("does not converge" in line for line in searches), "some searches find a horizon, others do not")
for processes in (2, 4):
    check((wrong := differ(contents(binary(settings, processes)), whole)) == [], f"the same bits on {processes} processes {wrong[:5]}")

for processes in (1, 2):  # killed after its end, as it were: the later checkpoint is lost
    shutil.rmtree(os.path.join(folder, f"checkpoints/{last:08d}"))
    done = subprocess.run(**start(os.path.dirname(folder), settings, processes))
    check(done.returncode == 0 and "checkpoint" in (done.stdout + done.stderr), f"goes on on {processes} processes {done.stderr[-300:]}")
    check((wrong := differ(contents(folder), whole)) == [], f"the same bits after a restart on {processes} processes {wrong[:5]}")
finish()
