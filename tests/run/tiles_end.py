#!/usr/bin/env python3
"""A run that ends with a time tile leaves the pictures and values of its last step, with the bits of a run without tiles.

Mutation that makes it fail: the iteration is counted after the tile is taken.
"""
import glob
import os
import subprocess
import tempfile

from _physics import check, finish, job, picture

PARFILE = """thorns: [UniGrid, Time, Reduce, IOASCII, IOImage, Jacobi{more}]
Cereus: {{iterations: 9}}
UniGrid: {{cells: [48, 40, 36]}}
Time: {{dt: 1}}
IOASCII: {{variables: ["Jacobi::u"], every: 0, reductions: [], points: [0.1, 0, 0], print_points: true}}
IOImage: {{variables: ["Jacobi::u"], every: 0, at_end: true}}
"""
DEVICE = {k: v for k, v in os.environ.items() if k == "CEREUS_ACTIVATE"}
TILES = "CaKernel: {steps: 3, trials: false, cache: false}\n"


def run(tiles):
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, PARFILE.format(more=", CaKernel" if tiles else "") + (TILES if tiles else ""), **DEVICE), capture_output=True, timeout=100)
    check(done.returncode == 0, f"it runs {done.stderr}")
    check(not tiles or "time tiles: none" not in done.stdout, "steps are taken in tiles")
    drawn = {os.path.basename(p): picture(p) for p in glob.glob(os.path.join(folder, "run", "*.png"))}
    return drawn, [line for line in done.stdout.splitlines() if "Jacobi::u at" in line], done.stderr


want, values, _ = run(False)
check(len(want) == 1 and "it00000009" in list(want)[0] and len(values) == 1, f"without tiles: {list(want)} {values}")
got, printed, said = run(True)
check(got == want, f"the same picture: {list(got)}")
check(printed == values, f"the same value: {printed} {said}")
finish()
