#!/usr/bin/env python3
"""Compressible flow that carries scalars, in gravity of a potential: against loops over arrays, orders, and what stays as it is.

Mutations, each of which makes it fail, in thorns/Hydro/src:
  scalars.hpp   `mass > R(0)` → `mass < R(0)`; `b + half_difference` → `b`; `fraction<axis, n>(p) * c.f.density` without the fraction: the loop
  scalars.hpp   `choose(possible, high, …)` → `high`: parting streams; `R(0.5) * change<1>(p)`: the loop
  rhs.hpp       `lower * f.lower.density + upper * f.upper.density` with the two exchanged: the loop, E + ρΦ; `p(s.density)` left out: the loop
"""
import os

import numpy as np

from _flow import centres, fields, parfile, plm_rhs, says, split_rhs, state, to_conserved
from _physics import check, finish, run

ACTIVATE = os.environ.get("CEREUS_ACTIVATE", "")


def carrying(text):
    """The same, with scalars in the output."""
    return text.replace('["Hydro::state"]', '["Hydro::state", "Hydro::scalars"]')


def said(text, words, what):
    code, out = says(text)
    ok = code == 1 and all(w in out for w in words)
    check(ok, f"{what} is said" + ("" if ok else f": {code} {out[-500:]}"))


# One step of Euler's method on a smooth flow, against loops over arrays.
SMOOTH = {"density": '"1 + 0.3*sin(2*pi*x)*cos(2*pi*y) + 0.2*sin(2*pi*(z+x))"', "pressure": '"1 + 0.4*cos(2*pi*(x+y-z))"',
          "velocity": '["0.4 + 1.3*sin(2*pi*(x+y))", "0.7*cos(2*pi*x) + 0.2", "1.1*sin(2*pi*(x-y))"]', "quadrature": 1}
DYE, PHI = "0.5 + 0.4*sin(2*pi*(x+y))*cos(2*pi*(z-y))", "0.3*sin(2*pi*x)*cos(2*pi*(y+z))"
for dim in (1, 2, 3):
    n, dt = (16, 12, 10)[dim - 1], 1e-3
    x = centres(n)
    x, y, z = np.meshgrid(x, x if dim > 1 else [0], x if dim > 2 else [0], indexing="ij")
    s, c, k = np.sin, np.cos, 2 * np.pi
    w = np.array([1 + 0.3 * s(k * x) * c(k * y) + 0.2 * s(k * (z + x)), 0.4 + 1.3 * s(k * (x + y)), 0.7 * c(k * x) + 0.2, 1.1 * s(k * (x - y)), 1 + 0.4 * c(k * (x + y - z))])
    u = np.concatenate([to_conserved(w, 1.4), [w[0] * (0.5 + 0.4 * s(k * (x + y)) * c(k * (z - y)))]])
    for scheme in ("plm", "weno5"):
        hydro = {**SMOOTH, "scheme": scheme, "scalars": f'["dye = {DYE}"]'} | ({"potential": f'"{PHI}"', "gravity": [0.1, 0.2, -0.3]} if scheme == "plm" else {})
        folder = run(carrying(parfile([n] * dim, hydro, steps=1, method="Euler", every=1, courant=f"{{dt: {dt}}}")))
        read = lambda i: np.concatenate([fields(folder, i), fields(folder, i, ["dye"])]).reshape(u.shape)
        before = read(0)
        check(abs(before - u).max() < 1e-14, f"{dim}D, {scheme}: initial data differ by {abs(before - u).max():.1e}")
        phi = 0.3 * s(k * x) * c(k * (y + z))
        rhs = plm_rhs(before, 1 / n, 1.4, dim, (0.1, 0.2, -0.3), phi) if scheme == "plm" else split_rhs(before, 1 / n, 1.4, dim, scheme)
        off = abs((read(1) - before) / dt - rhs).max()
        check(off < 1e-9, f"{dim}D, {scheme}: right-hand sides differ by {off:.1e} of {abs(rhs).max():.0f}, that of ρX {abs(rhs[5]).max():.1f}")

# nvcc contracts a product and a sum to one operation where it likes, in one kernel and not in another.
ROUNDED = 1e-12 if os.environ.get("CEREUS_DEVICE") == "cuda" else 0


def is_same(a, b):
    return (abs(a - b) <= ROUNDED * abs(b).max()).all()


# A flow with a shock: X = 1 is the density, to the last bit; 0.3 stays; what is between 0 and 1 stays there; the sum of ρX is kept.
FLOW = {"density": '"1 + 0.5*exp(-30*((x-0.4)^2 + (y-0.3)^2))"', "pressure": '"1 + 20*exp(-60*((x-0.6)^2 + (y-0.5)^2))"',
        "velocity": '["0.5*cos(2*pi*x)", "sin(2*pi*y)"]', "scalars": '["one = 1", "third = 0.3", "disk = (x-0.5)^2 + (y-0.5)^2 < 0.06 ? 1 : 0"]'}
for hydro, method in (({}, "SSPRK2"), ({"limiter": "mc"}, "SSPRK2"), ({"limiter": "none"}, "SSPRK2"), ({"scheme": "weno5"}, "SSPRK3")):
    name = "-".join(hydro.values()) or "plm"
    folder = run(carrying(parfile([32, 32], FLOW | hydro, steps=60, every=60, method=method)))
    density, (one, third, disk) = fields(folder, 60)[0], fields(folder, 60, ["one", "third", "disk"])
    check(is_same(one, density), f"{name}: ρX of X = 1 is the density, bit for bit")
    check(abs(third / density - 0.3).max() < 1e-14, f"{name}: X = 0.3 stays within {abs(third / density - 0.3).max():.1e}")
    x, drift = disk / density, disk.mean() - fields(folder, 0, ["disk"]).mean()
    if "scheme" not in hydro:
        check(x.min() > -1e-14 and x.max() < 1 + 1e-14, f"{name}: X stays in [{x.min():.1e}, 1 + {x.max() - 1:.1e}]")
    check(abs(drift) < 1e-15 * 60 and 0.05 < abs(x - (x > 0.5)).mean() < 0.5, f"{name}: mean ρX drifts by {drift:.1e}, while X mixes")

# A wave of density at one pressure goes with the flow, and so does X: orders.
WAVE = {"density": '"1 + 0.2*sin(2*pi*x + 1)"', "velocity": "[1]", "scalars": '["dye = 0.5 + 0.4*sin(2*pi*x)"]'}
for hydro, method, sizes, order in (({}, "SSPRK2", (64, 128), 1.9), ({"scheme": "weno5"}, "SSPRK3", (16, 32), 4.5)):
    errors = []
    for n in sizes:
        folder = run(carrying(parfile([n], WAVE | hydro, time=1, method=method, courant=0.4 * (sizes[0] / n if "scheme" in hydro else 1) / 2)))
        errors.append(abs(fields(folder, -1, ["dye"]) - fields(folder, 0, ["dye"])).mean())
    measured = np.log2(errors[0] / errors[1])
    check(measured > order, f"{hydro.get('scheme', 'plm')}: X goes with the flow: {errors[0]:.1e}, {errors[1]:.1e}, order {measured:.2f}")

# Streams that part: fluxes of first order carry X, too.
apart = {"velocity": '["x < 0.5 ? -20 : 20"]', "pressure": "0.4", "scalars": '["one = 1"]', "scheme": "weno5"}
folder = run(carrying(parfile([100], apart, time=0.01, periodic=False, method="SSPRK3")))
one, density = fields(folder, -1, ["one"])[0], fields(folder)[0]
check(is_same(one, density), f"parting streams: ρX of X = 1 is the density, off by {abs(one - density).max():.1e}")

# Other decompositions and other paths to the same bits; the mirror device comes from the environment.
text = carrying(parfile([24, 20, 16], SMOOTH | {"scalars": f'["dye = {DYE}", "other = x"]', "potential": f'"{PHI}"'}, steps=10, periodic=[True, False, True], boundary="{all: reflect}"))
both = lambda folder: np.concatenate([fields(folder), fields(folder, -1, ["dye", "other"])])
one = both(run(text))
for processes in (2, 4):
    check((one == both(run(text, processes))).all(), f"one process and {processes} have the same bits")
check((one == both(run(text.replace("periodic:", "blocks: 3, uneven: true, periodic:")))).all(), "one block and three have the same bits")
if ACTIVATE:
    on_device = text.replace("IOHDF5]", f"IOHDF5, {ACTIVATE.replace(',', ', ')}]").replace("{iterations", f"{{device: {os.environ['CEREUS_DEVICE']}, iterations")
    check((one == both(run(on_device))).all(), "host and device have the same bits")
y = parfile([12, 24], SMOOTH | {"potential": '"y"'}, steps=10, periodic=[True, False], boundary="{all: reflect}")
other = y.replace('potential: "y"', "potential: Coordinates::cell_y").replace("EOS,", "EOS, Coordinates,") + "Coordinates: {centring: cell}\n"
check((fields(run(y)) == fields(run(other))).all(), "a potential that another thorn has gives the same bits")

# A potential: a constant one moves nothing; E + ρΦ is kept; a column at rest stays so, to second order, between walls that continue its pressure.
still = fields(run(parfile([12, 10, 8], {"density": 1.7, "pressure": 0.3, "velocity": "[0.7, -1.3, 0.4]", "potential": '"2.7"'}, steps=20)))
check(all(len(set(q.ravel())) == 1 for q in still), "a constant potential: a constant state stays, bit for bit")
folder = run(parfile([32, 32], {k: v for k, v in FLOW.items() if k != "scalars"} | {"potential": '"0.5*sin(2*pi*x)*cos(2*pi*y)"'}, steps=60, every=60))
c = centres(32)
phi = 0.5 * np.sin(2 * np.pi * c)[:, None] * np.cos(2 * np.pi * c)[None, :]
sums = [(u[4] + u[0] * phi).mean() for u in (fields(folder, 0).reshape(5, 32, 32), fields(folder, 60).reshape(5, 32, 32))]
works = [u[4].mean() for u in (fields(folder, 0), fields(folder, 60))]
check(abs(sums[1] - sums[0]) < 1e-13 and abs(works[1] - works[0]) > 1e-3, f"E + ρΦ drifts by {sums[1] - sums[0]:.1e}, E by {works[1] - works[0]:.1e}")
worst = []
for n in (32, 64):
    phi, image = "(y + 0.3*y^2)", ("(-y + 0.3*y^2)", "((2-y) + 0.3*(2-y)^2)")  # Φ here, and at the mirror images across both walls
    column = {"density": f'"exp(-{phi})"', "pressure": f'"exp(-{phi})"', "potential": f'"{phi}"'}
    walls = "{all: reflect, overrides: [" + ", ".join(f'"Hydro::energy y_{side} formula energy - density*({phi} - {there})/0.4"' for side, there in zip(("lower", "upper"), image)) + "]}"
    worst.append(abs(state(run(parfile([4, n], column, time=1, periodic=[True, False], boundary=walls)))[2]).max())
check(worst[1] < 1e-3 and worst[0] / worst[1] > 3, f"a column at rest in a potential: velocities {worst[0]:.1e}, {worst[1]:.1e}")

said(parfile([8], {"scheme": "ppm", "scalars": '["dye = 1"]'}, steps=1), ["run.yaml:", "with scalars ppm-hllc-gamma is not built", "weno5-gamma"], "a scheme without scalars")
said(parfile([8], {"scheme": "weno5", "potential": '"x"'}, steps=1), ["run.yaml:", "weno5-gamma-potential is not built", "van_leer-hllc-gamma-potential"], "a scheme without a potential")
said(parfile([8], {"scalars": '["dye"]'}, steps=1), ["run.yaml:", "'dye' is not of the form NAME = formula"], "a scalar without a formula")
said(parfile([8], {"scalars": '["dye = q"]', "potential": '"x + r"'}, steps=1), ["unknown name 'q'", "Hydro.potential", "unknown name 'r'"], "mistakes in formulas")
finish()
