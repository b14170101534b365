#!/usr/bin/env python3
"""Compressible flow: each scheme against loops over arrays, Sod's tube against the exact solution, and what must hold to the last bit.

Mutations, each of which makes it fail, in thorns/Hydro/src but for the last three:
  solvers.hpp      `ml * l.x - mr * r.x` → `ml * l.x`; `pressure * contact) * share` → `pressure) * share`: the loop
  solvers.hpp      Einfeldt's `{min(q - c, l.x - mean.cl)` → `{max(…)`: the loop
  reconstruct.hpp  the limited quotient → `R(0.25) * (a + b)`; `here + half` → `here`: the loop
  split.hpp        f.down … b.down in reversed order: the loop; `possible(…) && possible(…)` → `possible(c.u, eos)`, or the
                   pressure left out of `possible`: streams that part
  split.hpp        in `weight`, of q = 2, the square left out: the loop, the slow shock
  rhs.hpp          the line of `gravity` that adds to `change.last` left out: the loop
  kernels.hpp      `v = max(v, absolute(q.y))` left out: Sod's tube along y
  five.hpp         in square_of_velocity `max(x, y)` for `max(y, x)`: not a number
  EOS/gamma.hpp    `gamma_1 * internal` → `gamma * internal`: the loop
  Boundary/src/formula.hpp  `- between` left out: a wall of formulas is no mirror
  Boundary/src/fill.hpp  the order that `extrapolate` has without a word 0 → 1: rounding grows where a flow leaves
"""
import numpy as np

from _flow import NAMES, centres, fields, parfile, plm_rhs, says, series, split_rhs, state, to_conserved
from _physics import check, finish, run
from _riemann import Riemann

# One step of Euler's method on a smooth flow, against loops over arrays.
SMOOTH = {"density": '"1 + 0.3*sin(2*pi*x)*cos(2*pi*y) + 0.2*sin(2*pi*(z+x))"', "pressure": '"1 + 0.4*cos(2*pi*(x+y-z))"',
          "velocity": '["0.4 + 1.3*sin(2*pi*(x+y))", "0.7*cos(2*pi*x) + 0.2", "1.1*sin(2*pi*(x-y))"]', "quadrature": 1}
GRAVITY = (0.3, -0.2, 0.1)
for dim in (1, 2, 3):
    for scheme in ("plm", "upwind3", "weno5", "weno5q2"):
        n, dt = (16, 12, 10)[dim - 1], 1e-3
        cells = [n] * dim
        gravity = GRAVITY if scheme == "plm" else (0, 0, 0)
        folder = run(parfile(cells, {**SMOOTH, "scheme": scheme, "gravity": list(gravity)}, steps=1, method="Euler", every=1, courant=f"{{dt: {dt}}}"))
        x = centres(n)
        x, y, z = np.meshgrid(x, x if dim > 1 else [0], x if dim > 2 else [0], indexing="ij")
        w = np.array([1 + 0.3 * np.sin(2 * np.pi * x) * np.cos(2 * np.pi * y) + 0.2 * np.sin(2 * np.pi * (z + x)), 0.4 + 1.3 * np.sin(2 * np.pi * (x + y)),
                      0.7 * np.cos(2 * np.pi * x) + 0.2, 1.1 * np.sin(2 * np.pi * (x - y)), 1 + 0.4 * np.cos(2 * np.pi * (x + y - z))])
        u = to_conserved(w, 1.4)
        before = fields(folder, 0).reshape(u.shape)
        check(abs(before - u).max() < 1e-14, f"{dim}D: initial data differ by {abs(before - u).max():.1e}")
        rhs = plm_rhs(before, 1 / n, 1.4, dim, gravity) if scheme == "plm" else split_rhs(before, 1 / n, 1.4, dim, scheme)
        got = (fields(folder, 1).reshape(u.shape) - before) / dt
        check(abs(got - rhs).max() < 1e-9, f"{dim}D, {scheme}: right-hand sides differ by {abs(got - rhs).max():.1e} of {abs(rhs).max():.0f}")


# Sod's tube: the mean error of density of the exact solution, within 20 % of what independent programs have.
SOD = {"density": '"x < 0.5 ? 1 : 0.125"', "pressure": '"x < 0.5 ? 1 : 0.1"'}
exact = Riemann((1, 0, 1), (0.125, 0, 0.1))
check(abs(exact.p - 0.3031301781) < 1e-10 and abs(exact.u - 0.9274526200) < 1e-10, f"star: p {exact.p:.10f}, u {exact.u:.10f}")


def sod_error(n, hydro, method, axis=0):
    cells = [n if a == axis else 4 for a in range(axis + 1)]
    text = parfile(cells, {k: v.replace("x", "xyz"[axis]) for k, v in SOD.items()} | hydro, time=0.2, periodic=[a != axis for a in range(axis + 1)], method=method)
    density = np.moveaxis(fields(run(text))[0], axis, 0)
    if density.ndim > 1:
        density = density.reshape(n, -1)[:, 0]
    return sum(abs(d - exact.mean(i / n, (i + 1) / n, 0.2)) for i, d in enumerate(density)) / n


for name, hydro, method, bars in (("plm, MC", {"limiter": "mc"}, "SSPRK2", (0.00407, 0.00243)), ("plm, van Leer", {}, "SSPRK2", (0.00460, 0.00275)),
                                  ("first order", {"limiter": "none"}, "SSPRK2", (0.0201, 0.0132)), ("ppm", {"scheme": "ppm"}, "SSPRK3", (0.00292, 0.00160)),
                                  ("weno5", {"scheme": "weno5"}, "SSPRK3", (0.0055, 0.0029)), ("weno5q2", {"scheme": "weno5q2"}, "SSPRK3", (0.0055, 0.0029)), ("upwind3", {"scheme": "upwind3"}, "SSPRK3", (0.0065, 0.0037))):
    errors = [sod_error(n, hydro, method) for n in (100, 200)]
    check(all(abs(e / b - 1) < 0.2 for e, b in zip(errors, bars)), f"Sod, {name}: {errors[0]:.5f} {errors[1]:.5f}, published {bars[0]} {bars[1]}")
# Order 5 on a wave of density that is carried along, steps as short as that asks for.
for scheme in ("weno5", "weno5q2"):
    errors = []
    for n in (20, 40):
        folder = run(parfile([n], {"scheme": scheme, "density": '"1 + 0.5*sin(2*pi*x)"', "velocity": "[1]"}, time=0.5, method="SSPRK3", courant=f"{{dt: {0.2 / n * (20 / n) ** (2 / 3)}, land_on: [0.5]}}"))
        errors.append(abs(fields(folder)[0].ravel() - 1 - 0.5 * np.sin(2 * np.pi * (centres(n) - 0.5))))
    order, worst = np.log2(errors[0].mean() / errors[1].mean()), np.log2(errors[0].max() / errors[1].max())
    check(order > 4.8 and worst > 4.5, f"{scheme}: order {order:.2f}, of the largest error {worst:.2f}")

# A shock of Mach 3 that moves slowly leaves less behind with q = 2.
drop, fast = 3.857142857142857, 3 * 1.4**0.5
SLOW = {"density": f'"x < 0.3 ? {drop} : 1"', "velocity": f'["x < 0.3 ? {0.1 - fast / drop} : {0.1 - fast}"]', "pressure": f'"x < 0.3 ? {31 / 3} : 1"'}
waves = {}
for scheme in ("weno5", "weno5q2"):
    density = fields(run(parfile([200], SLOW | {"scheme": scheme}, time=2, periodic=False, method="SSPRK3")))[0].ravel()
    shock = np.nonzero(density > 0.5 * (1 + drop))[0][-1]
    waves[scheme] = abs(density[5:shock - 12] / drop - 1).max()
check(waves["weno5q2"] < 0.6 * waves["weno5"] and waves["weno5"] < 0.02, f"behind a slow shock: {waves['weno5']:.2%} with q = 1, {waves['weno5q2']:.2%} with q = 2")
for solver, worst in (("hll", 1.25), ("roe", 1.1), ("llf", 1.6)):
    ratio = sod_error(100, {"solver": solver}, "SSPRK2") / 0.00460
    check(0.9 < ratio < worst, f"Sod, {solver}: {ratio:.2f} times the error of HLLC")
along = [sod_error(50, {}, "SSPRK2", axis) for axis in (0, 1, 2)]
check(along[0] == along[1] == along[2], f"Sod along x, y and z: {along}")

# What must hold to the last bit.
still = fields(run(parfile([12, 10, 8], {"density": 1.7, "pressure": 0.3, "velocity": "[0.7, -1.3, 0.4]"}, steps=20)))
check(all(len(set(q.ravel())) == 1 for q in still) and abs(still[0, 0, 0, 0] - 1.7) < 1e-15, "a constant state stays, bit for bit")

FLOW2D = {"density": '"1 + 0.5*exp(-30*((x-0.4)^2 + (y-0.3)^2))"', "pressure": '"1 + 20*exp(-60*((x-0.6)^2 + (y-0.5)^2))"',
          "velocity": '["sin(2*pi*y)", "0.5*cos(2*pi*x)"]', "quadrature": 1}


def exchanged(hydro):
    swap = str.maketrans("xy", "yx")
    other = {k: v.translate(swap) if k in ("density", "pressure") else v for k, v in hydro.items()}
    other["velocity"] = '["0.5*cos(2*pi*y)", "sin(2*pi*x)"]'
    for k in ("density", "pressure"):
        other[k] = other[k].replace("eyp", "exp")
    return other


for scheme in ("plm", "ppm", "weno5"):
    one = fields(run(parfile([32, 32], FLOW2D | {"scheme": scheme}, steps=40)))
    two = fields(run(parfile([32, 32], exchanged(FLOW2D) | {"scheme": scheme}, steps=40)))
    same = all((one[a] == two[b].T).all() for a, b in ((0, 0), (1, 2), (2, 1), (4, 4)))
    check(same, f"{scheme}: x and y exchanged give the same bits")

MIRROR = {"density": '"1 + 0.5*cos(2*pi*x)*cos(2*pi*y)"', "pressure": '"1 + 0.5*cos(2*pi*x)*cos(4*pi*y)"',
          "velocity": '["2*(x > 0 ? sin(2*pi*x) : -sin(2*pi*(-x)))", "0.1*cos(2*pi*x)"]', "quadrature": 1}
for scheme in ("plm", "ppm", "weno5"):
    u = fields(run(parfile([32, 16], MIRROR | {"scheme": scheme}, lower=-0.5, upper=0.5, steps=200)))
    worst = max(abs(q - sign * q[::-1]).max() for q, sign in zip(u, (1, -1, 1, 1, 1)))
    check(worst == 0, f"{scheme}: mirrored data stay mirrored, {worst:.1e}")

rows = series(run(parfile([32, 32], FLOW2D, steps=100, every=10)), "hydro-state.average.asc")
drift = [max(abs(r[2 + c] - rows[0][2 + c]) for r in rows) for c in (0, 1, 2, 4)]
check(max(drift) < 1e-13, f"mass, momentum, energy drift by {max(drift):.1e}")

for scheme in ("plm", "weno5"):
    text = parfile([24, 20, 16], SMOOTH | {"scheme": scheme, "quadrature": 2}, steps=10, periodic=[True, False, True], boundary="{all: reflect}")
    one = fields(run(text))
    for processes in (2, 4):
        check((one == fields(run(text, processes))).all(), f"{scheme}: one process and {processes} have the same bits")
    check((one == fields(run(text.replace("periodic:", "blocks: 3, uneven: true, periodic:")))).all(), f"{scheme}: one block and three have the same bits")

# A wall as formulas is a mirror; and a flow along y sets the step.
wall = parfile([40, 8], FLOW2D, steps=30, periodic=[False, True], boundary="{all: reflect}")
formulas = '["Hydro::* all extrapolate", ' + ", ".join(f'"Hydro::{n} x_{s} formula {"-" * (n == "momentum_x")}{n}"' for n in NAMES for s in ("lower", "upper")) + "]"
check((fields(run(wall)) == fields(run(wall.replace("{all: reflect}", "{all: reflect, overrides: " + formulas + "}")))).all(), "a wall of formulas is a mirror")
speed = series(run(parfile([16, 16], {"velocity": "[0, 5]"}, steps=1, every=1)), "hydro-speed..asc")[-1][-1]
check(abs(speed - 5 - 1.4**0.5) < 1e-14, f"a flow along y: speed {speed}")

# A column of gas at rest in gravity, between walls that continue the pressure: velocities of second order.
worst = []
for n in (32, 64):
    column = {"density": '"exp(-y)"', "pressure": '"exp(-y)"', "gravity": "[0, -1, 0]"}
    walls = '{all: reflect, overrides: ["Hydro::energy y_lower formula energy - 2*density*y/0.4", "Hydro::energy y_upper formula energy - 2*density*(y-1)/0.4"]}'
    q = state(run(parfile([4, n], column, time=1, periodic=[True, False], boundary=walls)))
    worst.append(abs(q[2]).max())
check(worst[1] < 1e-3 and worst[0] / worst[1] > 3, f"a column at rest: velocities {worst[0]:.1e}, {worst[1]:.1e}")

# Viscosity: a shear flow decays as exp(−νk²t), along any axis; conduction: so does hot gas at a pressure that is high.
K = 2 * np.pi
for what, hydro, number, rate in (
        ("a shear flow across x", {"velocity": '["0", "0.01*sin(2*pi*x)"]', "viscosity": 0.05, "pressure": 10}, 2, 0.05 * K**2),
        ("a shear flow across y", {"velocity": '["0.01*sin(2*pi*y)"]', "viscosity": 0.05, "pressure": 10}, 1, 0.05 * K**2),
        ("a vortex", {"velocity": '["0.01*sin(2*pi*x)*cos(2*pi*y)", "-0.01*cos(2*pi*x)*sin(2*pi*y)"]', "viscosity": 0.05, "pressure": 10}, 1, 0.05 * 2 * K**2),
        ("hot gas", {"density": '"1 + 0.001*sin(2*pi*x)"', "conductivity": 0.05, "pressure": 1000}, 0, 0.05 * K**2)):
    time = 0.5 if "conductivity" in hydro else 0.1  # sound that is heard at the start counts less
    folder = run(parfile([32] * (1 if "y" not in hydro.get("velocity", "") else 2), hydro, time=time))
    amplitude = [(lambda q: abs(q - q.mean()).max())(state(folder, n)[number]) for n in (0, -1)]
    measured = np.log(amplitude[0] / amplitude[1]) / time
    check(abs(measured / rate - 1) < 0.02, f"{what} decays at {measured:.4f}, by theory {rate:.4f}")

# A uniform flow leaves through faces that copy: what is as small as rounding stays so. (silent.py has the warning.)
leaving = {"density": '"1.1 + 1e-14*sin(1000*x*y + 300*x)"', "velocity": "[0.5, 0.3]", "pressure": 0.9}
for scheme in ("ppm", "upwind3", "weno5", "weno5q2"):
    for velocity in ("[0.5, 0.3]", "[2.5, -0.3]"):
        folder = run(parfile([24, 20], leaving | {"scheme": scheme, "velocity": velocity}, steps=1000, periodic=False, boundary="{all: extrapolate}", method="SSPRK3"))
        grown = abs(fields(folder) - fields(folder, 0)).max()
        check(grown < 1e-12, f"{scheme}: a flow at {velocity} changes by {grown:.1e} in 1000 steps")

# Not a number in initial data: found before a step spreads it, along each axis, one that the grid lacks among them.
for n in range(3):
    velocity = ", ".join('"log(-1)"' if n == m else '"0.1"' for m in range(3))
    code, said = says(parfile([8, 8], {"velocity": f"[{velocity}]"}, steps=1))
    check(code != 0 and "max_speed, which limits the time step, is not finite (in Time::check, iteration 0" in said, f"velocity {n} is no number: {said.strip().splitlines()[-1]}")

# Two streams that part: vacuum, and floors, which are counted; energy that they add is, too.
apart = {"velocity": '["x < 0.5 ? -20 : 20"]', "pressure": "0.4"}
for scheme in ("plm", "ppm", "weno5", "upwind3"):
    folder = run(parfile([100], apart | {"scheme": scheme}, time=0.01, periodic=False, method="SSPRK3"))
    q = state(folder)
    counted = series(folder, "hydro-floored..asc")[-1]
    check((q[0] > 0).all() and q[0].max() < 1.5 and np.isfinite(q).all(), f"{scheme}: parting streams: least density {q[0].min():.1e}, floors {counted[-2]:.0f}")

# Floors, where there must be some: what they add to the energy is the difference to what was there, and the first place is named.
text = parfile([100], {"velocity": '["x < 0.5 ? -5 : 5"]', "density_floor": 0.2, "pressure_floor": 0.3}, time=0.05, every=1)
folder = run(text)
rows, counted = series(folder, "hydro-state.average.asc"), series(folder, "hydro-floored..asc")[-1]
added = rows[-1][6] - rows[0][6]
check(state(folder)[0].min() >= 0.2 and counted[-2] > 0 and counted[-1] > 0.01 and abs(added - counted[-1]) < 1e-12,
      f"{counted[-2]:.0f} cells at the floor: energy grows by {added:.6f}, of which floors say {counted[-1]:.6f}")
said = says(text)[1]
check("fell below its floor" in said and "the first has the indices 49 0 0" in said, "the first place is named")

for what, text, words in (
        ("a combination that is not built", parfile([8], {"scheme": "ppm", "solver": "roe"}, steps=1), ["run.yaml:", "ppm-roe-gamma is not built", "ppm-hllc-gamma"]),
        ("a mistake in a formula", parfile([8], {"density": '"1 + q"'}, steps=1), ["run.yaml:", "Hydro.density", "column 5", "unknown name 'q'"]),
        ("no equation of state", parfile([8], {}, steps=1).replace("EOS, ", "").replace("EOS: {gamma: 1.4}\n", ""), ["Hydro needs the thorn EOS"]),
        ("a mistake in a face's formula", parfile([8], {}, steps=1, periodic=False, boundary='{all: reflect, overrides: ["Hydro::energy x_lower formula 2*q"]}'),
         ["Boundary.overrides", "unknown name 'q'"])):
    code, said = says(text)
    check(code == 1 and all(w in said for w in words), f"{what} is said" + ("" if code == 1 and all(w in said for w in words) else f": {code} {said[-500:]}"))
finish()
