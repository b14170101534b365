#!/usr/bin/env python3
"""A ball of seven patches: orders of an off-centre pulse that is known exactly, its error where patches meet and elsewhere, noise over 60 crossings, the volume.

    patches.py OUTPUT.json [CASE…]      derivatives order4 order6 order8 noise4 noise6 noise8 volume; all by default: three quarters of an hour on two cores

CEREUS names the executable (default: cereus), PYTHONPATH has its Python, DEVICE=cuda takes a GPU. Rows of the file that are measured again are replaced.
"""
import math
import os
import re
import subprocess
import sys
import tempfile

import numpy as np
from _rates import host, note, write

DEVICE = os.environ.get("DEVICE", "none")
if DEVICE == "none":
    os.environ.setdefault("MACHINE", host())
CEREUS = os.environ.get("CEREUS", "cereus")
RUN = """thorns: [Forest, "Accelerator?", "AcceleratorCUDA?", Time, MoL, Boundary, WaveToy, Reduce, IOASCII{more}]
Cereus: {{{end}, output: out, device: {device}}}
Forest: {{cells: [{n}, {n}, {n}], lower: -0.7853981633974483, upper: 0.7853981633974483, periodic: false, block: {block}, shell_radius: {radius}, shell_cells: {n}}}
Boundary: {{all: dirichlet}}
Time: {{courant: {courant}}}
MoL: {{method: {method}}}
WaveToy: {{order: {order}, width: 0.35, centre: [0.1, -0.05, 0.07]}}
IOASCII: {{variables: ["{variable}"], reductions: [norm_inf, sum], every: 0, at_end: true}}
{rest}"""


def run(name, **words):
    """The last value of a series, and the radius of the ball."""
    words = {"order": 4, "courant": 0.1, "end": "final_time: 0.5", "radius": 3.2, "more": "", "rest": "", "variable": "WaveToy::error", "device": DEVICE, "method": "RK4"} | words
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(RUN.format(**words))
    done = subprocess.run([CEREUS, "run", "run.yaml"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    with open(os.path.join(folder, "out", name)) as f:
        last = f.read().splitlines()[-1].split()
    return max(map(float, last[2:])), float(re.search(r"to r = (\S+)", done.stdout)[1]), folder


def at_faces(folder, points=2):
    """The largest error within so many points of where patches meet, and elsewhere."""
    import cereus
    near = rest = 0.0
    snapshot = cereus.open(os.path.join(folder, "out")).fields["WaveToy::error"].at()
    for patch in snapshot.levels + snapshot.shells:
        beside = np.ones(patch.values.shape, bool)
        beside[points:None if patch.shell else -points, points:-points, points:-points] = False  # the first axis of a shell is the radius, whose outer end is no face
        near, rest = max(near, np.abs(patch.values[beside]).max()), max(rest, np.abs(patch.values[~beside]).max())
    return near, rest


def order(of, block, sizes, bar):
    steps = {"method": "DP87", "courant": 0.3} if of == 8 else {}  # RK4's errors would be as large as those of space
    runs = [run("wavetoy-error.norm_inf.asc", **steps, order=of, block=block, n=n, more=", IOHDF5", rest='IOHDF5: {variables: ["WaveToy::error"], every: 0, at_end: true}\n') for n in sizes]
    errors = [error for error, _, _ in runs]
    measured = math.log(errors[0] / errors[1]) / math.log(sizes[1] / sizes[0])
    note(f"an off-centre pulse through cube and shells, {sizes[0]} and {sizes[1]} cells a quarter circle, differences of order {of}: order", measured, "", f"≥ {bar}", measured >= bar)
    note(f"the same, order {of}: largest error with {sizes[1]} cells", errors[1], "", None, None)
    near, rest = at_faces(runs[-1][2])
    note(f"the same, order {of}: largest error within two points of where patches meet, over that elsewhere", near / rest, "", "≤ 3", bool(near <= 3 * rest))
    print(of, errors, measured, near, rest, flush=True)


FIELD = """
equations: |
  thorn Field "Derivatives of a polynomial and harmonics, and what they are"
  evolve state "u"
    u
  derive errors
    first_i, second_(ij)
  operators centred(ORDER)
  let
    f = x^3 y - 2 x y^2 z + z^4 / 4 + x y z + (x^2 - y^2) / (1 + x^2 + y^2 + z^2)^2
  initial
    u = f
  rhs
    D_t u = 0 u
  analysis
    first_i = D_i u - D_i f
    second_ij = D_ij u - D_ij f
"""


def largest(folder, variables, width):
    """Within r = 2.4, where no stencil reads beyond the ball: the largest value of points so many away from all ends of their patch, and of the others, which read ghost zones."""
    import cereus
    inside, beside, fields = 0.0, 0.0, cereus.open(os.path.join(folder, "out")).fields
    for name in variables:
        snapshot = fields[name].at()
        for patch in snapshot.levels + snapshot.shells:
            x, y, z = patch.positions
            values, kept = np.where(x**2 + y**2 + z**2 < 2.4**2, np.abs(patch.values), 0), (slice(width, -width),) * 3
            inside = max(inside, values[kept].max())
            values[kept] = 0
            beside = max(beside, values.max())
    return inside, beside


def derivatives():
    first, second = ([f"Field::{name}_{axes}" for axes in all_axes] for name, all_axes in (("first", ("x", "y", "z")), ("second", ("xx", "xy", "xz", "yy", "yz", "zz"))))
    for of, block, sizes in ((4, 8, (32, 64)), (6, 12, (36, 60)), (8, 24, (48, 72))):
        rest = FIELD.replace("ORDER", str(of)) + f"IOHDF5: {{variables: {first + second}, every: 1}}\n"
        folders = [run("field-state.norm_inf.asc", order=of, block=block, n=n, radius=2.8, end="iterations: 0", more=", IOHDF5", rest=rest, variable="Field::u")[2] for n in sizes]
        for what, names in (("first", first), ("second", second)):
            errors = np.array([largest(folder, names, of // 2 * n // sizes[0]) for folder, n in zip(folders, sizes)])  # the same part of each patch
            here, beside = np.log(errors[0] / errors[1]) / math.log(sizes[1] / sizes[0])
            note(f"{what} derivatives of a polynomial and harmonics in a ball, differences of order {of}: order of the largest error of points that read no ghost zone between patches", here, "", f"{of} ± 0.15", bool(abs(here - of) <= 0.15))
            note(f"the same, {what}, order {of}: of points that read ghost zones between patches", beside, "", None, None)
            print(of, what, errors.tolist(), here, beside, flush=True)


def noise(of, block):
    radius, crossings = 2.5 if of == 4 else 3.2, 60
    rest = 'Expressions: {initial: ["WaveToy::u = 2 * noise(1) - 1", "WaveToy::rho = 2 * noise(2) - 1"]}\n' + f"Dissipation: {{order: {of}}}\n"
    words = {"order": of, "block": block, "n": block, "courant": 0.4, "radius": radius, "more": ", Dissipation, Expressions", "rest": rest, "variable": "WaveToy::u"}
    _, outer, _ = run("wavetoy-state.norm_inf.asc", **words, end="iterations: 0")
    left, _, _ = run("wavetoy-state.norm_inf.asc", **words, end=f"final_time: {2 * outer * crossings:.0f}")
    note(f"noise of height 1 after {crossings} crossings, order {of}, thorn Dissipation's default: largest value", left, "", "≤ 0.5", left <= 0.5)
    print(of, left, flush=True)


def volume():
    off = []
    for n in (32, 64):
        found, radius, _ = run("wavetoy-state.sum.asc", n=n, block=8, radius=2.3, end="iterations: 0", more=", Expressions", rest='Expressions: {initial: ["WaveToy::u = 1"]}\n', variable="WaveToy::u")
        off.append(abs(found / (4 * math.pi / 3 * radius**3) - 1))
    measured = math.log2(off[0] / off[1])
    note("volume of the ball, 32 and 64 cells a quarter circle: order", measured, "", "2 ± 0.2", abs(measured - 2) <= 0.2)


CASES = {"derivatives": derivatives, "order4": lambda: order(4, 8, (24, 48), 3.8), "order6": lambda: order(6, 12, (36, 60), 5.5), "order8": lambda: order(8, 16, (48, 64), 7.5),
         "noise4": lambda: noise(4, 12), "noise6": lambda: noise(6, 16), "noise8": lambda: noise(8, 20), "volume": volume}
for case in sys.argv[2:] or CASES:
    CASES[case]()
    write(sys.argv[1])
