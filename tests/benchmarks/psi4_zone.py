#!/usr/bin/env python3
"""Ψ4 of two black holes at r = 60, 80, 100 M, from a ball of seven patches and from a cube that is refined around them: amplitude and phase of C_22 beside each other.

    psi4_zone.py OUTPUT.json [BALL CUBE]

Five minutes and 70 GiB of an H200, in the working directory; with BALL and CUBE, the output folders of such runs, these are read. CEREUS names the executable (default: cereus). The data are those of
qc0-shells.yaml, with 1/16 M at the holes, 1 M along the radius of shells and in the cube as far as its sphere. Rows of the file that are measured again are replaced.
"""
import glob
import os
import subprocess
import sys

import numpy as np
from _rates import note, write

RUN = """arrangements: [refined]
thorns: [ADMBase, TwoPunctures, BSSN, Interpolate, WeylScalars, Multipole]
Cereus: {{final_time: 190, device: cuda}}
Forest: {{periodic: false, subcycle: true, {grid}}}
Boundary: {{all: radiation{floor}}}
Time: {{dt: 0.2}}
BSSN: {{eta: 1}}
TwoPunctures: {{points: [30, 30, 16]}}
Interpolate: {{order: 5}}
Multipole: {{variables: ["WeylScalars::Psi4r"], imaginary: ["WeylScalars::Psi4i"], names: [Psi4], spin_weights: [-2], radii: [60, 80, 100], every: 2}}
NaNChecker: {{every: 10}}
IOASCII: {{variables: []}}
IOHDF5: {{variables: []}}
IOImage: {{variables: [], series: []}}
"""


def boxes(first, halves, low="-{w}"):
    return "boxes: [" + ", ".join(f'"{level} -{w} {w} -{w} {w} {low.format(w=w)} {w}"' for level, w in enumerate(halves, first)) + "]"


GRIDS = {
    "ball": ("cells: [80, 80, 80], lower: -40, upper: 40, block: 20, levels: 5, same_steps: 1, shell_radius: 240, shell_cells: 40, shell_spacing: 1, " + boxes(1, (15.9, 7.9, 3.9, 1.9)), ""),
    "cube": ("cells: [256, 256, 128], lower: [-256, -256, 0], upper: 256, block: 32, levels: 6, same_steps: 2, " + boxes(1, (104, 15.9, 7.9, 3.9, 1.9), "0"), ", z_lower: reflect"),
}


def run(name):
    grid, floor = GRIDS[name]
    with open(f"{name}.yaml", "w") as f:
        f.write(RUN.format(grid=grid, floor=floor))
    if subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "--fresh", f"{name}.yaml"]).returncode != 0:
        sys.exit(1)
    return name


def wave(folder, radius):
    """Times, and C_22."""
    (path,) = glob.glob(os.path.join(folder, f"mp_Psi4_l2_m2_r{radius:.2f}.asc"))
    t, real, imaginary = np.loadtxt(path)[:, :3].T
    return t, real + 1j * imaginary


if len(sys.argv) not in (2, 4):
    sys.exit(__doc__)
folders = sys.argv[2:] or [run(name) for name in GRIDS]
for radius in (60, 80, 100):
    (t, ball), (times, cube) = (wave(folder, radius) for folder in folders)
    if len(t) != len(times) or not np.allclose(t, times):
        sys.exit(f"r = {radius}: the runs have Ψ4 at other times")
    peak = np.abs(cube[t > radius]).max()
    strong = (t > radius) & (np.abs(cube) > 0.05 * peak)  # later than data that are no waves, and without what is too weak to have a phase
    amplitude = float(np.abs(np.abs(ball) - np.abs(cube))[strong].max() / peak)
    phase = float(np.abs(np.angle(ball / cube))[strong].max())
    bars = ("≤ 0.01", "≤ 0.05", bool(amplitude <= 0.01), bool(phase <= 0.05)) if radius == 100 else (None,) * 4
    what = f"Ψ4 of QC-0, C_22 at r = {radius} M, seven patches beside a refined cube, where it is above a twentieth of its peak:"
    note(f"{what} largest difference of amplitudes, of the peak", amplitude, "", bars[0], bars[2])
    note(f"{what} largest difference of phases", phase, "rad", bars[1], bars[3])
    print(f"r = {radius}: amplitudes {amplitude:.2e}, phases {phase:.2e} rad, peak at {t[np.argmax(np.abs(cube) * (t > radius))]:.1f} and {t[np.argmax(np.abs(ball) * (t > radius))]:.1f}", flush=True)
write(sys.argv[1])
