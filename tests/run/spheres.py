#!/usr/bin/env python3
"""Refine.spheres: blocks are fine where a ball is that follows a moving point, and coarse again behind it; on 1 and 2 processes and after a restart the
same. What a sphere cannot be is refused with its place. Boxes that meet balls are tested in thorns/Refine/tests.

Mutations, each of which makes it fail: Wishes::add that looks at blocks of its own level alone; the element N for N - 1; Interpolate keeps its first index of blocks (places_).
"""
import glob
import os
import re
import subprocess
import tempfile

from _physics import DIMENSIONS, bits, check, finish, job

RUN = """thorns: [Forest, Refine, Time, MoL, Interpolate, PunctureTracker, IOHDF5, Checkpoint]
Cereus: {iterations: 16, output: out, compile: false}
Forest: {cells: [48, 48, 48], lower: -1, upper: 1, block: 12, levels: 2, every: 4}
Refine:
  spheres: ["1 0.19 around PunctureTracker 2", "1 0.1 at 0.7 0.7 0.7"]
Time: {dt: 0.05}
PunctureTracker: {count: [2], positions: [0, 0, 0, -0.4, 0.1, 0.2], shift: ["Carrier::bx", "Carrier::by", "Carrier::bz"]}
IOHDF5: {variables: ["Carrier::bx"], every: 4}
Checkpoint: {every: 0}
equations: |
  thorn Carrier "carries punctures"
  evolve b
    bx, by, bz
  initial
    bx = -1
    by = 0
    bz = 0
  rhs
    D_t bx = 0
    D_t by = 0
    D_t bz = 0
"""


def run(text=RUN, processes=1, folder=None, options=()):
    folder = folder or tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, text, processes, options), capture_output=True, timeout=120)
    return done.returncode, done.stdout + done.stderr, os.path.join(folder, "out")


def fine_blocks(folder, iteration):
    import h5py
    with h5py.File(glob.glob(f"{folder}/*{iteration:08d}.hdf")[0]) as f:
        return [tuple((lo / 48 - 1, hi / 48 - 1) for lo, hi in zip(box[:3], box[3:])) for box in f["native/lev1/boxes"]]


def met(centre, radius):
    """The coarse blocks, 4³ of them, that meet a ball."""
    return {(i, j, k) for i in range(4) for j in range(4) for k in range(4)
            if sum(max(n / 2 - 1 - c, 0, c - (n + 1) / 2 + 1) ** 2 for n, c in zip((i, j, k), centre)) < radius**2}


if 3 not in DIMENSIONS:
    finish("needs kernels in 3D")
code, said, whole = run()
check(code == 0, f"a run: {code} {said[-600:] if code else ''}")
check("'1 0.19 around PunctureTracker 2': what is followed moved by 0.2" in said, "balls that come along too seldom are said")
# The first blocks follow from parameters, so check knows them, and their memory.
folder = tempfile.mkdtemp(prefix="cereus-")
with open(os.path.join(folder, "run.yaml"), "w") as f:
    f.write(RUN)
done = subprocess.run([os.environ["CEREUS"], "check", "-n", "2", "run.yaml"], cwd=folder, capture_output=True, text=True)
first = re.search(r"blocks of 12³ cells \((\d+), (\d+)\)\n(?!Forest.*iteration 0)", said)
found = re.findall(r"level \d: (\d+) blocks", done.stdout)
check(done.returncode == 0 and first and list(first.groups()) == found and "Forest:" not in done.stdout, f"check finds the first blocks: {found}, the run had {first and first.groups()} {done.stderr[-300:]}")
for iteration in (0, 4, 8, 16) if code == 0 else ():
    # The blocks are those of the look before the step that followed the last change.
    wanted = [met((-0.4 + 0.05 * at, 0.1, 0.2), 0.19) | met((0.7, 0.7, 0.7), 0.1) for at in (iteration, max(0, iteration - 1), max(0, iteration - 4))]
    blocks = fine_blocks(whole, iteration)
    places = {tuple(int((lo + 1) * 2 + 1e-9) for lo, _ in box) for box in blocks}
    check(len(blocks) == 8 * len(places) and places in wanted, f"iteration {iteration}: {len(blocks)} fine blocks, in {sorted(places)}" + ("" if places in wanted else f", not {[sorted(w) for w in wanted]}"))
code, said, two = run(processes=2)
check(code == 0 and bits(two, 16) == bits(whole, 16), f"2 processes: the same bits {said[-300:] if code else ''}")
folder = tempfile.mkdtemp(prefix="cereus-")
run(folder=folder, options=["--set", "Cereus.iterations=6"])
code, said, parts = run(folder=folder)
check(code == 0 and bits(parts, 16) == bits(whole, 16), f"after a restart: the same bits {said[-300:] if code else ''}")

SPHERE = '"1 0.19 around PunctureTracker 2"'
for what, sphere, words in (("a level too many", '"2 0.2 at 0 0 0"', ["run.yaml:5", "'2 0.2 at 0 0 0'", "Forest.levels: 2 has levels 0 to 1"]),
                            ("level 0", '"0 0.2 at 0 0 0"', ["run.yaml:5", "a level from 1 on"]),
                            ("no radius", '"1 -1 at 0 0 0"', ["run.yaml:5", "a radius greater than 0"]),
                            ("a plane", '"1 0.2 at 0 0"', ["run.yaml:5", "2 coordinates on a grid of 3 dimensions"]),
                            ("no place", '"1 0.2"', ["run.yaml:5", "is not a level, a radius and a place"]),
                            ("words behind", '"1 0.2 at 0 0 0 x"', ["run.yaml:5", "is not a level, a radius and a place"]),
                            ("the third of two", '"1 0.19 around PunctureTracker 3"', ["run.yaml:5", "number 3 of 2"]),
                            ("number 0", '"1 0.19 around PunctureTracker 0"', ["run.yaml:5", "is not a level"]),
                            ("fields", '"1 0.19 around Carrier 1"', ["Carrier::x", "which no active thorn declares"]),
                            ("nobody", '"1 0.19 around Nobody 1"', ["Refine needs the thorn Nobody"])):
    code, said, _ = run(RUN.replace(SPHERE, sphere), 2)
    check(code == 1 and all(w in said for w in words), f"{what}: {words} {code} {said[-400:] if not all(w in said for w in words) else ''}")
finish()
