#!/usr/bin/env python3
"""The figure that proves each entry of docs/gallery.md: its parameter file is run as it stands, and one number of what it writes is compared
with a formula, an exact solution or a published value. Those of more than some seconds run with CEREUS_LONG.

A mutation that makes it fail: Hydro's gravity of the other sign (no growth); an entry of the page without a figure here.
"""
import os
import re

import numpy as np

from _physics import DIMENSIONS, check, finish, rows, run

SOURCE = os.environ["CEREUS_SOURCE"]


def series(folder, name):
    """Times and values; of the first variable in the file."""
    table = np.array([row[:3] for row in rows(folder, name + ".asc")])
    return table[:, 1], table[:, 2]


def on_line(folder, name, axis, at, column):
    """A variable at the point nearest to a place on a line, at the end."""
    table = np.array(rows(folder, name))
    table = table[table[:, 8] == table[-1, 8]]
    return table[abs(table[:, 9 + axis] - at).argmin(), 12 + column]


def kept(name):
    """The largest change of an average, over its size."""
    return lambda folder: (lambda v: abs(v - v[0]).max() / abs(v[0]))(series(folder, name)[1])


def growth(folder):
    t, v = series(folder, "hydro-primitives.norm2")
    a, b = (abs(t - x).argmin() for x in (3, 5))
    return np.log(v[b] / v[a]) / (t[b] - t[a])


def decay(folder):
    t, v = series(folder, "incompressible-u.maximum")
    return np.log(v[0] / v[-1]) / t[-1]


def strouhal(folder):
    table = np.array(rows(folder, "incompressible-cells.points.asc"))
    t, v = table[:, 1], table[:, -1]
    up = [t[i] - v[i] * (t[i + 1] - t[i]) / (v[i + 1] - v[i]) for i in range(len(t) - 1) if t[i] > 1.5 and v[i] < 0 <= v[i + 1]]
    return 0.1 / np.diff(up).mean()


def tip_speed(folder):  # V d₀ / D, d₀ = 0.8839 · 0.6267 / D, D = 1
    (_, *a, ta, _, _, _, xa), (_, *b, tb, _, _, _, xb) = rows(folder, "dendrite-tips..asc")[-2:]
    return (xb - xa) / (tb - ta) * 0.8839 * 0.6267


def energy_until(end):
    def largest(folder):
        t, v = series(folder, "wavetoy-energy.average")
        return abs(v[t < end] / v[0] - 1).max()
    return largest


def mean_while_moving(folder):
    moving = series(folder, "incompressible-densities.average")[1][-1] > 1e-3
    return series(folder, "incompressible-scalars.average")[1][-1] if moving else np.nan


# Parameter file, what, found in its folder, expected, tolerance.
FIGURES = (
    ("sod", "velocity between fan and shock (exact: Toro, Riemann Solvers, §4)", lambda f: on_line(f, "hydro-primitives.x.asc", 0, 0.75, 0), 0.92745, 2e-3),
    ("double-mach", "least energy, of the gas ahead of the shock, p / (γ − 1)", lambda f: min(row[6] for row in rows(f, "hydro-state.minimum.asc")), 2.5, 1e-9),
    ("kelvin-helmholtz", "change of the mass", kept("hydro-state.average"), 0, 1e-9),
    ("rayleigh-taylor", "growth rate (eigenvalue of the linear problem: 0.5824)", growth, 0.5824, 0.03),
    ("plume", "change of the dye", kept("hydro-scalars.average"), 0, 1e-5),
    ("taylor-green-2d", "rate of decay, 2ν", decay, 0.2, 2e-3),
    ("wave-2d", "change of the energy before the wave meets the open edge", energy_until(1.75), 0, 1e-3),
    ("cylinder", "Strouhal number (published: 0.295 to 0.305; these cells are coarse)", strouhal, 0.30, 0.015),
    ("rayleigh-benard", "mean temperature, by symmetry", mean_while_moving, 0.5, 1e-6),
    ("dendrite", "tip velocity V d₀/D (Karma and Rappel: 0.0469)", tip_speed, 0.0469, 0.0014),
    ("dendrite-alloy", "tip velocity: that of the gradient", lambda f: (lambda r: (r[-1][-1] - r[-5][-1]) / (r[-1][-5] - r[-5][-5]))(rows(f, "dendrite-tips..asc")), 0.4, 0.004),
    ("cahn-hilliard", "change of the mean", kept("cahnhilliard-concentration.average"), 0, 1e-12),
    ("kuramoto-sivashinsky", "mean", lambda f: abs(series(f, "kuramotosivashinsky-front.average")[1]).max(), 0, 1e-13),
    ("schroedinger", "norm over 20, after a period", lambda f: series(f, "schroedinger-measured.average")[1][-1], 0.05, 1e-9),
)
ELSEWHERE = {"gray-scott": "equation_orders.py"}  # the order of convergence
LONG = ("cylinder", "rayleigh-benard", "dendrite", "dendrite-alloy", "cahn-hilliard", "kuramoto-sivashinsky", "schroedinger")

with open(os.path.join(SOURCE, "docs", "gallery.md")) as f:
    page = f.read()
entries = re.findall(r"\(\.\./parfiles/([a-z0-9-]+)\.yaml\)", page)
figures = {name for name, *_ in FIGURES} | set(ELSEWHERE)
check(set(entries) == figures and len(entries) == len(figures) >= 10, f"the page has {len(entries)} entries, and each a figure")
for name in entries:
    check(os.path.exists(os.path.join(SOURCE, "docs", "images", "gallery", name + ".png")) and f"images/gallery/{name}.png" in page, f"{name}: a picture")
for name, what, found, expected, tolerance in FIGURES:
    if name in LONG and "CEREUS_LONG" not in os.environ or 2 not in DIMENSIONS:
        continue
    with open(os.path.join(SOURCE, "parfiles", name + ".yaml")) as f:
        value = found(run(f.read()))
    check(abs(value - expected) <= tolerance, f"{name}: {what}: {value:.6g}, {expected:g} within {tolerance:g}")
finish()
