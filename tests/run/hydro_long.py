#!/usr/bin/env python3
"""Compressible flow at the sizes of published figures: orders on a vortex, growth of an instability, a blast, random Riemann problems. Minutes.

Figures are those of independent programs, or of theory. hydro.py has the mutations; this one looks at what takes minutes.
"""
import glob
import os
import random

import numpy as np

from _flow import centres, fields, parfile, series, state
from _physics import check, finish, run
from _riemann import Riemann

# The vortex of constant entropy: mean |Δρ| after a period, and its order.
FORM = {"density": '"(1 - 10/(11.2*pi^2)*exp(1 - x^2 - y^2))^2.5"', "pressure": '"(1 - 10/(11.2*pi^2)*exp(1 - x^2 - y^2))^3.5"',
        "velocity": '["1 - 5*y/(2*pi)*exp((1 - x^2 - y^2)/2)", "1 + 5*x/(2*pi)*exp((1 - x^2 - y^2)/2)"]'}
for name, hydro, method, bars, order in (
        ("plm, MC", {"limiter": "mc"}, "SSPRK2", (1.43e-3, 3.5e-4), 2.0), ("plm, van Leer", {}, "SSPRK2", (2.1e-3, 4.2e-4), 2.3),
        ("ppm", {"scheme": "ppm"}, "SSPRK3", (1.02e-3, 3.3e-4), 1.6), ("upwind3", {"scheme": "upwind3"}, "SSPRK3", (1.31e-3, 2.0e-4), 2.7),
        ("weno5", {"scheme": "weno5"}, "SSPRK3", (2.7e-4, 3.2e-6), 4.8)):  # at 128² what the domain cuts off is as large
    errors = []
    for n in (64, 128):
        folder = run(parfile([n, n], FORM | hydro, lower=-5, upper=5, time=10, method=method))
        errors.append(abs(fields(folder)[0] - fields(folder, 0)[0]).mean())
    measured = np.log2(errors[0] / errors[1])
    check(all(e < 1.2 * b for e, b in zip(errors, bars)) and measured > order - 0.2,
          f"vortex, {name}: {errors[0]:.2e} {errors[1]:.2e}, order {measured:.2f}; published {bars[0]:.2e} {bars[1]:.2e}")

# Rayleigh–Taylor: the growth rate of cos(4πx) of the velocity along y, at y = 0, against that of the linear equations: σ = 0.5824.
RT = {"limiter": "mc", "gravity": "[0, -0.1, 0]", "density": '"1.5 + 0.5*(exp(y/0.02) - exp(-y/0.02))/(exp(y/0.02) + exp(-y/0.02))"',
      "pressure": '"2.5 - 0.1*(1.5*y + 0.01*log((exp(y/0.02) + exp(-y/0.02))/2))"',
      "velocity": '["5e-4*sin(4*pi*x)*(y > 0 ? 1 : -1)*exp(-4*pi*abs(y))", "5e-4*cos(4*pi*x)*exp(-4*pi*abs(y))"]'}
WALLS = ('{all: reflect, overrides: ["Hydro::energy y_lower formula energy - 0.2*density*(y + 0.75)/0.4", '
         '"Hydro::energy y_upper formula energy - 0.2*density*(y - 0.75)/0.4"]}')
text = parfile([64, 192], RT, lower="[-0.25, -0.75]", upper="[0.25, 0.75]", time=5, periodic="[true, false]", boundary=WALLS)
folder = run(text.replace("every_time: 5", "every_time: 0.5").replace("Time: {courant: 0.4}", "Time: {courant: 0.4, land_on: [0.5]}"))
iterations = sorted(int(p[-12:-4]) for p in glob.glob(os.path.join(folder, "*.hdf")))
wave = np.cos(4 * np.pi * centres(64, -0.25, 0.25))
modes = [2 * (wave[:, None] * state(folder, i)[2][:, 94:98].reshape(64, 4)).mean() for i in iterations]
rates = np.diff(np.log(modes)) / 0.5
rate = rates[8:].mean()  # once the mode has formed; an independent program of the same scheme has 0.5735
check(abs(rate / 0.5824 - 1) < 0.03, f"Rayleigh–Taylor: growth {rate:.4f}, theory 0.5824; by half units of time " + " ".join(f"{r:.3f}" for r in rates))

# Sedov's blast: the radius of the shock on the axis, where density is half of its greatest value.
for dim, n, energy, radius, width in ((2, 96, 0.311357, 0.75, 0.015), (3, 64, 0.851072, 1.0, 0.03)):
    top = 0.96 if dim == 2 else 1.2
    r2, volume = "+".join(f"{a}^2" for a in "xyz"[:dim]), f"(pi*{width}^2)^{dim / 2}"
    blast = {"limiter": "mc", "quadrature": 3, "pressure": f'"1e-5 + 0.4*{energy}/({volume})*exp(-({r2})/{width}^2)"'}
    q = state(run(parfile([n] * dim, blast, lower=0, upper=top, time=1, periodic=False, courant=0.3,
                          boundary="{all: extrapolate, extrapolation_order: 0, x_lower: reflect, y_lower: reflect, z_lower: reflect}")))
    along = q[0][:, 0] if dim == 2 else q[0][:, 0, 0]
    last = np.nonzero(along > 0.5 * (1 + along.max()))[0][-1]
    found = (last + 0.5 + (along[last] - 0.5 * (1 + along.max())) / (along[last] - along[last + 1])) * top / n
    check(abs(found - radius) < 1.5 * top / n, f"Sedov, {dim}D: shock at {found:.4f}, theory {radius}, cells of {top / n:.4f}; greatest density {along.max():.2f}")

# Shu and Osher's tube against a fine grid: mean |Δρ|.
SHU = {"density": '"x < -4 ? 3.857143 : 1 + 0.2*sin(5*x)"', "velocity": '["x < -4 ? 2.629369 : 0"]', "pressure": '"x < -4 ? 10.33333 : 1"'}
tube = lambda n, hydro, method: fields(run(parfile([n], SHU | hydro, lower=-5, upper=5, time=1.8, periodic=False, method=method)))[0].ravel()
fine = tube(6400, {"scheme": "ppm"}, "SSPRK3")
for name, hydro, method, bars in (("plm, MC", {"limiter": "mc"}, "SSPRK2", (0.077, 0.055, 0.023)), ("ppm", {"scheme": "ppm"}, "SSPRK3", (0.072, 0.038, 0.015)),
                                  ("weno5", {"scheme": "weno5"}, "SSPRK3", (0.076, 0.040, 0.016))):
    errors = [abs(tube(n, hydro, method) - fine.reshape(n, -1).mean(1)).mean() for n in (200, 400, 800)]
    check(all(e < 1.2 * b for e, b in zip(errors, bars)), f"Shu and Osher, {name}: " + " ".join(f"{e:.3f}" for e in errors) + f"; published {bars}")

# Random Riemann problems: no floors, and errors that fall.
random.seed(7)
rates, floors, bad = [], 0, 0
for case in range(200):
    left, right = ([10 ** random.uniform(-2, 2), 0, 10 ** random.uniform(-2, 2)] for _ in range(2))
    a = max((1.4 * q[2] / q[0]) ** 0.5 for q in (left, right))
    left[1], right[1] = a * random.uniform(-3, 3), a * random.uniform(-3, 3)
    exact = Riemann(left, right)
    middle = left[1] + 2 * exact.al / 0.4 if exact.vacuum else exact.u  # seen from where the waves fill the domain
    shift = middle + random.uniform(-0.5, 0.5) * (exact.fastest(middle))
    left[1], right[1] = left[1] - shift, right[1] - shift
    exact = Riemann(left, right)
    time, errors = 0.45 / exact.fastest(), []
    for n in (100, 400):
        pair = lambda k: f'"x < 0.5 ? {left[k]:.17g} : {right[k]:.17g}"'
        folder = run(parfile([n], {"density": pair(0), "velocity": f"[{pair(1)}]", "pressure": pair(2)}, time=time, periodic=False))
        q = state(folder)
        bad += not (np.isfinite(q).all() and (q[0] > 0).all())
        floors += series(folder, "hydro-floored..asc")[-1][-2]
        errors.append(sum(abs(d - exact.mean(i / n, (i + 1) / n, time, samples=10)) for i, d in enumerate(q[0])) / n)
    rates.append((exact.narrowest() * time * 100, np.log(errors[0] / errors[1]) / np.log(4)))
check(bad == 0 and floors == 0, f"random Riemann problems: {bad} not finite, {floors:.0f} floors")
# Shells that are thinner than some cells on the coarse grid are not seen there: no error of theirs falls yet.
seen = np.array([r for width, r in rates if width > 4])
check(len(seen) > 60 and np.mean(seen >= 0.6) > 0.9 and np.median(seen) > 0.65,
      f"{len(seen)} of {len(rates)} that a hundred cells resolve: rates from {seen.min():.2f}, median {np.median(seen):.2f}, {np.mean(seen >= 0.6):.0%} at 0.6 or more")

MIRROR = {"density": '"1 + 0.5*cos(2*pi*x)*cos(2*pi*y)"', "pressure": '"1 + 0.5*cos(2*pi*x)*cos(4*pi*y)"', "velocity": '["sin(2*pi*x)", "0.1*cos(2*pi*x)"]', "quadrature": 1}
u = fields(run(parfile([64, 32], MIRROR, lower=-0.5, upper=0.5, steps=1000)))
check(all((q == sign * q[::-1]).all() for q, sign in zip(u, (1, -1, 1, 1, 1))), "mirrored data stay mirrored for 1000 steps")
finish()
