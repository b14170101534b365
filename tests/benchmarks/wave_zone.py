#!/usr/bin/env python3
"""How many points a wave zone takes in a ball of seven patches, and in a cube with a finer middle, for one error of the quadrupole C_22 far out.

    wave_zone.py OUTPUT.json [cuda|none]

CEREUS names the executable (default: cereus). The source and the solution are those of parfiles/quadrupole.yaml; the sphere lies at r = 10, six wavelengths. Of three cubes
the smallest that is as good as the ball counts, or the largest. Rows of the file that are measured again are replaced.
"""
import math
import os
import re
import subprocess
import sys
import tempfile

from _rates import host, note, write

CEREUS, DEVICE = os.environ.get("CEREUS", "cereus"), sys.argv[2] if len(sys.argv) > 2 else "cuda"
R, END = 10, 13
RUN = """thorns: [Forest, Time, MoL, WaveToy, Boundary, Expressions, Interpolate, Multipole, Reduce, IOASCII, NaNChecker{more}]
Cereus: {{final_time: {end}, device: {device}, output: out}}
Forest: {{{grid}}}
Boundary: {{all: radiation}}
Time: {{dt: 1/80}}
WaveToy: {{order: 8}}
Interpolate: {{order: 7}}
Expressions: {{initial: ["WaveToy::u = 0", "WaveToy::rho = 1024 * (x^2 - y^2) * exp(-4 * (x^2 + y^2 + z^2))"]}}
Multipole: {{variables: ["WaveToy::u"], radii: [{r}], every: 2}}
NaNChecker: {{every: 100}}
IOASCII: {{variables: []}}
"""
if DEVICE == "none":
    os.environ.setdefault("MACHINE", host())


def exact(t):
    """C_22 of u = (x² − y²) g(r, t): the integral of sin⁴θ cos 2φ e^(−2iφ) over the sphere is 16 π / 15."""
    s = t - R
    g = math.exp(-4 * s**2) * ((64 * s**2 - 8) / R**3 - 24 * s / R**4 + 3 / R**5)
    return R**2 * g * math.sqrt(15 / (2 * math.pi)) / 4 * 16 * math.pi / 15


def run(grid):
    """Points, and the largest error of C_22 over its largest value."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(RUN.format(more=", Accelerator, AcceleratorCUDA" if DEVICE == "cuda" else "", device=DEVICE, end=END, grid=grid, r=R))
    done = subprocess.run([CEREUS, "run", "run.yaml"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    name = next(f for f in os.listdir(os.path.join(folder, "out")) if f.startswith("mp_") and "_l2_m2_" in f)
    with open(os.path.join(folder, "out", name)) as f:
        series = [[float(x) for x in line.split()[:2]] for line in f if line.strip() and line[0] != "#"]
    error = max(abs(c - exact(t)) for t, c in series) / max(abs(exact(t)) for t, c in series)
    check = subprocess.run([CEREUS, "check", "run.yaml"], cwd=folder, capture_output=True, text=True).stdout
    several = [int(n) for n in re.findall(r"blocks?, (\d+) cells", check)]  # of levels and shells; of one level nothing is said
    points = sum(several) if several else int(re.search(r"cells: \[(\d+)", grid)[1]) ** 3
    print(f"{grid}: {points} points, error {error:.3e}", flush=True)
    return points, error


ball = run("cells: [48, 48, 48], lower: -1.5, upper: 1.5, periodic: false, block: 16, shell_radius: 12, shell_cells: 16, shell_spacing: 0.0625")
cubes = [run(f"cells: [{n}, {n}, {n}], lower: -12, upper: 12, periodic: false, block: {block}, levels: {levels}{boxes}")
         for n, block, levels, boxes in ((192, 32, 2, ', boxes: ["1 -1.5 1.5 -1.5 1.5 -1.5 1.5"]'), (256, 32, 2, ', boxes: ["1 -1.5 1.5 -1.5 1.5 -1.5 1.5"]'), (384, 64, 1, ""))]
good = [cube for cube in cubes if cube[1] <= ball[1]]
points, error = min(good) if good else max(cubes)
what = "C_22 of a scalar quadrupole at r = 10, six wavelengths out, order 8"
note(f"{what}: points of a ball of seven patches, of a cube with {error / ball[1]:.2g} times its error", ball[0] / points, "", "≤ 0.5", ball[0] / points <= 0.5)
note(f"{what}: largest error in the ball, of the largest C_22", 100 * ball[1], "%", None, None)
write(sys.argv[1])
