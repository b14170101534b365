#!/usr/bin/env python3
"""Dendrites at the sizes of published figures. dendrite.py has the mutations; this one looks at what takes minutes, or a GPU.

    dendrite_long.py [NAME…]

Without names: one that takes a minute on two cores; with CEREUS_LONG those of a quarter of an hour each; on a device (CEREUS_DEVICE=cuda
CEREUS_ACTIVATE=Accelerator,AcceleratorCUDA) all.
"""
import os
import sys

import numpy as np

from _crystal import fields, parfile, series
from _physics import check, finish, run

# Tip velocities V d₀/D by the Green's function method (Karma and Rappel, table II), and how near such a box and mesh should come:
# undercooling, D, h, dt, end, published, part.
ARMS = {"065-coarse": (0.65, 1, 0.8, 0.09, 4000, 0.0469, 0.07), "065": (0.65, 1, 0.4, 0.0256, 3800, 0.0469, 0.05),
        "055": (0.55, 2, 0.4, 0.0128, 2400, 0.0170, 0.03), "045": (0.45, 3, 0.4, 0.0085, 3000, 0.00545, 0.08)}
# PFHub's benchmark 3a, to t = 1500: h, dt; where φ = ½ on the axis, and the solid part, of an independent program of the same differences.
# Published there for the first: 280.9 and 0.01878 (MOOSE), 216.8 and 0.01466 (MEMPHIS, h = 1).
PFHUB = {"pfhub-half": (0.5, 0.004, 274.9, 0.01785), "pfhub": (1, 0.016, 268.0, 0.01741)}
names = sys.argv[1:] or ([*ARMS, *PFHUB] if os.environ.get("CEREUS_DEVICE") == "cuda" else ["065-coarse", *(["055", "pfhub"] if os.environ.get("CEREUS_LONG") else [])])

for name in names:
    if name in ARMS:
        undercooling, D, h, dt, end, published, part = ARMS[name]
        cells = round(400 / h)
        folder = run(parfile([cells, cells], 400, dict(undercooling=undercooling, diffusivity=D), time=end, dt=dt, every=end / 24, ascii='["Dendrite::tip"]', output="[]"))
        t, x = np.array(series(folder, "dendrite-tips..asc"))[-5:, [8, -1]].T
        d0 = 0.8839 * 0.6267 / D
        speed = (x[-1] - x[0]) / (t[-1] - t[0]) * d0 / D
        check(abs(speed / published - 1) < part and x[-1] - x[0] > 20 * h and x[-1] > 250,
              f"Δ = {undercooling}, D = {D}, h = {h}: V d₀/D = {speed:.5f} at {x[-1]:.1f}, published {published}")
    else:
        h, dt, tip, fraction = PFHUB[name]
        cells = round(960 / h)
        folder = run(parfile([cells, cells], 960, dict(undercooling=0.3, diffusivity=10), time=1500, dt=dt, ascii='["Dendrite::solid"]', output='["Dendrite::phi"]'))
        solid = series(folder, "dendrite-fraction..asc")[-1][-1]
        line = fields(folder, names=["phi"])[0][:, 0]
        i = np.flatnonzero(line > 0.5)[-1]
        found = h * (i + 0.5 + (line[i] - 0.5) / (line[i] - line[i + 1]))
        check(abs(found - tip) < 2 and abs(solid / fraction - 1) < 0.01, f"PFHub 3a, h = {h}: φ = ½ at {found:.2f}, solid {solid:.5f}; independent {tip}, {fraction}")
finish()
