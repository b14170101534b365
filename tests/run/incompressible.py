#!/usr/bin/env python3
"""Incompressible flow: steps against loops over arrays, in 2 and 3 dimensions with all conditions; exact solutions; orders in the spacing and in
the step; what is conserved; the same bits on 1 and 4 processes, in several blocks, and after a restart from 2; what is said of mistakes.

Mutations, each of which makes it fail: see at the end of this text.
"""
import os
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from _incompressible import Reference, fields, flow, parfile, worst
from _physics import DIMENSIONS, bits, check, finish, fails, job, order_of, rows, run

DEVICE = {k: v for k, v in os.environ.items() if k == "CEREUS_ACTIVATE"}
NAMES = {"sin": np.sin, "cos": np.cos, "exp": np.exp, "pi": np.pi}


def function(text):
    return lambda *x: eval(text.replace("^", "**"), dict(zip("xyzt", (*x, *[0] * (4 - len(x))))) | NAMES)


def quoted(texts):
    return "[" + ", ".join(f'"{t}"' for t in texts) + "]"


# Steps, against the equations of the README as loops.
V2 = ["sin(2*pi*x)*cos(3*y)+0.3", "cos(5*x)*sin(2*pi*y/1.2)-0.2"]
V3 = ["sin(2*pi*x)*cos(3*y)*cos(z)+0.3", "cos(5*x)*sin(2*pi*y/1.2)-0.2*z", "x*y-cos(4*z)"]
CHANNEL = {"x_lower": ("inflow", ["y*(1.2-y)*(1+t)", "sin(3*y+t)"]), "x_upper": ("outflow", []), "y_lower": ("slip", []), "y_upper": ("wall", ["0.5"])}
STREAM = {"x_lower": ("outflow", []), "y_upper": ("inflow", ["0.3", "-0.7"])}
LID = {"y_upper": ("wall", ["1+t"])}
SLIDING = {"z_lower": ("wall", ["0.3", "-0.4"]), "x_upper": ("slip", []), "z_upper": ("inflow", ["0.2", "0.1*x", "sin(x+t)-1"]), "y_lower": ("outflow", [])}
WARM = {"scalars": ["T = x+y", "c = cos(4*x)"], "diffusivity": [0.03, 0.01], "buoyant": "T", "expansion": 2, "reference": 0.4, "gravity": [0.1, -1, 0.5]}
ROUND = "0.04-(x-0.5)^2-(y-0.6)^2"
CASES = [
    ("periodic", 2, "tt", {"viscosity": 0.01}, {}, "SSPRK3"),
    ("force", 2, "ft", {"viscosity": 0.02, "force": [0.1, 0.2, 0.3]}, {}, "RK2"),
    ("a share of 1", 2, "tf", {"viscosity": 0.002}, {}, "SSPRK3", 1.5),  # ⅔ of this step
    ("donor", 2, "tf", {"advection": "donor", "upwind": 0.3}, {}, "SSPRK2"),
    ("limited", 2, "ft", {"advection": "limited"}, {}, "Euler"),
    ("lid", 2, "ff", {"viscosity": 0.02}, LID, "SSPRK3"),
    ("inflow and outflow", 2, "ff", {"viscosity": 0.02}, CHANNEL, "SSPRK3"),
    ("another inflow", 2, "ff", {"viscosity": 0.02, "advection": "limited"}, STREAM, "RK2"),
    ("obstacle", 2, "ff", {"viscosity": 0.02, "obstacle": ROUND}, CHANNEL, "RK2"),
    ("implicit", 2, "ff", {"viscosity": 0.5, "implicit": True}, LID, "RK2"),
    ("implicit, inflow", 2, "ff", {"viscosity": 0.5, "implicit": True}, CHANNEL, "SSPRK2"),
    ("scalars", 2, "tf", {"viscosity": 0.02} | WARM, {}, "SSPRK3"),
    ("scalars, limited", 2, "tf", {"viscosity": 0.02, "advection": "limited"} | WARM, {}, "RK2"),
    ("3D", 3, "tft", {"viscosity": 0.01, "force": [0.1, 0.2, 0.3]}, {}, "SSPRK3"),
    ("3D, limited, faces", 3, "fff", {"viscosity": 0.01, "advection": "limited"}, SLIDING, "RK2"),
    ("3D, implicit, donor", 3, "ftf", {"viscosity": 0.5, "implicit": True, "advection": "donor", "upwind": 0.5}, {"z_upper": LID["y_upper"]}, "RK2"),
    ("3D, scalars, obstacle", 3, "ttf", {"viscosity": 0.02, "obstacle": ROUND} | WARM, {}, "SSPRK3"),
]
MIRRORS = "Boundary: {all: neumann, overrides: [\"Incompressible::T y_lower dirichlet 1\", \"Incompressible::T y_upper dirichlet 0.5\"]}\n"
WALLS = {"T": ((1, 0), (1, 0), (-1, 1.0), (-1, 0.5), (1, 0), (1, 0)), "c": ((1, 0),) * 6}


def expected(cells, upper, periodic, flow, faces, velocity, dt, steps, method):
    scalars = [(s.split()[0], d, WALLS[s.split()[0]]) for s, d in zip(flow.get("scalars", ()), flow.get("diffusivity", ()))]
    names = ("x_lower", "x_upper", "y_lower", "y_upper", "z_lower", "z_upper")
    conditions = [(lambda kind, v: (kind, [function(t) for t in v]))(*faces.get(f, ("wall", []))) for f in names]
    r = Reference(cells, [0] * len(cells), upper, periodic, conditions, nu=flow.get("viscosity", 0), implicit=flow.get("implicit", False),
                  obstacle=function(flow["obstacle"]) if "obstacle" in flow else None, scalars=scalars, buoyant=0 if "buoyant" in flow else None,
                  **{k: flow[k] for k in ("force", "advection", "upwind", "expansion", "reference", "gravity") if k in flow})
    r.begin([function(v) for v in velocity], [function(s.split("=")[1]) for s in flow.get("scalars", ())])
    for _ in range(steps):
        r.step(dt, method)
    return r


def written(flow, faces, velocity):
    """Parameters as a parameter file has them."""
    given = {k: quoted(v) if k == "scalars" else f'"{v}"' if k == "obstacle" else str(v).lower() if k == "implicit" else v for k, v in flow.items()}
    for face, (kind, v) in faces.items():
        given |= {face: kind} | ({face + "_velocity": quoted(v)} if v else {})
    return given | {"velocity": quoted(velocity), "tolerance": 1e-13}


def size(dim):
    return ([12, 10], [1, 1.2], V2, 3) if dim == 2 else ([6, 8, 7], [1, 1.2, 0.9], V3, 2)


def with_step(case):
    return case if len(case) > 6 else (*case, 0.02)


def slow(velocity, dt):
    return velocity if dt < 1 else [f"0.01*({v})" for v in velocity]


def text_of(case, cells=None, steps=None, **how):
    name, dim, periodic, parameters, faces, method, dt = with_step(case)
    usual, upper, velocity, few = size(dim)
    scalars = [s.split()[0] for s in parameters.get("scalars", ())]
    return parfile(cells or usual, written(parameters, faces, slow(velocity, dt)), dt=dt, steps=steps or few, upper=upper, periodic=[p == "t" for p in periodic],
                   method=method, variables=["u", "v", "w", "p"] + scalars, **{"more": MIRRORS if scalars else ""} | how)


def each(f, cases):
    """Checks that f gives for a case, two cases at a time."""
    with ThreadPoolExecutor(2) as pool:
        for results in pool.map(f, cases):
            for good, text in results:
                check(good, text)


def steps_of(case):
    name, dim, periodic, parameters, faces, method, dt = with_step(case)
    cells, upper, velocity, steps = size(dim)
    r = expected(cells, upper, [p == "t" for p in periodic], parameters, faces, slow(velocity, dt), dt, steps, method)
    folder = run(text_of(case))
    found, want = fields(folder), r.result()
    want["p"], found["p"] = (p * r.inner(r.open) for p in (want["p"], found["p"]))  # within solids there is none
    away, left = worst(found, want), max(row[-1] for row in rows(folder, "incompressible-residual..asc"))
    return [(away < 1e-11, f"{name}: away from the equations by {away:.1e}"), (0 <= left < 1e-11, f"{name}: largest |∇·u| h/|u| {left:.1e}")]


each(steps_of, [c for c in CASES if c[1] in DIMENSIONS])


# The same bits on several processes and in several blocks; and with axes exchanged, but for the order of sums.
def bits_of(case):
    name, cells = case[0], [24, 20] if case[1] == 2 else [12, 10, 14]
    ways = [(1, ""), (1, ", blocks: 3, uneven: true"), (4, ", uneven: true")]
    first, *others = (bits(run(text_of(case, cells, 4, grid=grid), processes), 4) for processes, grid in ways)
    return [(found == first and len(found) > 4, f"{name}: the same bits on {n} processes{grid}") for found, (n, grid) in zip(others, ways[1:])]


each(bits_of, [c for c in CASES if c[1] in DIMENSIONS and c[0] in ("obstacle", "scalars, limited", "implicit, inflow", "3D, limited, faces")])

if 2 in DIMENSIONS:
    swap = str.maketrans("xy", "yx")
    for name, faces in (("walls", LID | {"x_lower": ("slip", [])}), ("a channel", CHANNEL)):
        usual = {"viscosity": 0.01, "advection": "limited", "obstacle": ROUND}
        other = usual | {"obstacle": ROUND.translate(swap)}
        turned = lambda v: [t.translate(swap) for t in (v + ["0"])[1::-1]] if v else []
        how = dict(dt=0.02, steps=4, method="RK2", periodic=False)
        a = flow([12, 10], written(usual, faces, V2), **how)
        b = flow([10, 12], written(other, {f[0].translate(swap) + f[1:]: (kind, turned(v)) for f, (kind, v) in faces.items()}, turned(V2)), **how)
        away = max(abs(a[m] - b[n].T).max() for m, n in ("uv", "vu", "pp"))
        check(away < 1e-12, f"{name}: x and y exchanged, away by {away:.1e}")


# A restart in the middle of a run: pressure and potential are first guesses, and the step follows from the speed.
def goes_on(name, text):
    whole, parts = tempfile.mkdtemp(), tempfile.mkdtemp()
    text = text.replace("Incompressible]", "Incompressible, Checkpoint]", 1)
    for folder, steps, processes in ((whole, 6, 1), (parts, 3, 2), (parts, 6, 1)):
        done = subprocess.run(**job(folder, text, processes, ["--set", f"Cereus.iterations={steps}"], **DEVICE), capture_output=True)
        check(done.returncode == 0, f"{name}: {steps} steps" + (done.stderr if done.returncode else ""))
    one, two = (bits(os.path.join(f, "run"), 6) for f in (whole, parts))
    check(one == two and len(one) > 4, f"{name}: the same bits after a restart" + str([n for n in one if one[n] != two.get(n)]))


if 2 in DIMENSIONS:
    for name in ("scalars", "implicit, inflow", "obstacle"):
        text = text_of(next(c for c in CASES if c[0] == name), [24, 20], 6)
        goes_on(name, text.replace("Time: {dt: 0.02}", "Time: {courant: 0.4}").replace("tolerance: 1e-13", "tolerance: 1e-8"))


def centres(n):
    return (np.arange(n) + 0.5) / n


def order(name, errors, wanted, by=0.1):
    orders = [order_of(a, b) for a, b in zip(errors, errors[1:])]
    check(abs(orders[-1] - wanted) < by, f"{name}: order {orders[-1]:.2f}, errors " + " ".join(f"{e:.2e}" for e in errors))


if 2 in DIMENSIONS:
    # Taylor and Green's vortex: velocity and pressure, which belongs to the middle of the last step with SSPRK3.
    errors = {"u": [], "v": [], "p": []}
    for n in (16, 32, 64):
        f = flow([n, n], {"viscosity": 0.1, "velocity": '["-cos(x)*sin(y)", "sin(x)*cos(y)"]'}, upper="2*pi", dt=0.5 / n, steps=n)
        x, edge, half = 2 * np.pi * centres(n), 2 * np.pi * np.arange(n) / n, 0.5 - 0.25 / n
        errors["u"].append(abs(f["u"] + np.outer(np.cos(edge), np.sin(x)) * np.exp(-0.1)).max())
        errors["v"].append(abs(f["v"] - np.outer(np.sin(x), np.cos(edge)) * np.exp(-0.1)).max())
        errors["p"].append(abs(f["p"] + 0.25 * np.add.outer(np.cos(2 * x), np.cos(2 * x)) * np.exp(-0.4 * half)).max())
    for q in errors:
        order(f"Taylor and Green's vortex, {q}", errors[q], 2)

    # Orders in the step, from differences between steps that are halved.
    WAVES = '["sin(2*pi*x)*cos(4*pi*y) + 0.3*cos(2*pi*y)", "cos(4*pi*x)*sin(2*pi*y)"]'
    for method, wanted, more in (("SSPRK3", 3, {}), ("RK2", 2, {}), ("RK2", 2, {"implicit": "true", "y_upper_velocity": '["1"]'}), ("SSPRK2", 2, {"implicit": "true"})):
        found = [flow([16, 16], {"viscosity": 0.05, "velocity": WAVES, "tolerance": 1e-12} | more, dt=0.4 / m, steps=m, method=method, periodic=not more)
                 for m in (16, 32, 64)]
        order(f"step, {method} {more}", [max(abs(a[q] - b[q]).max() for q in "uv") for a, b in zip(found, found[1:])], wanted, 0.2)

    # Methods that store right-hand sides: the pressure is the mean over the step, which is that of its middle.
    a, b = (flow([16, 16], {"velocity": WAVES, "tolerance": 1e-12}, dt=0.01, steps=4, method=m) for m in ("DP87", "SSPRK3"))
    away = [abs(a[q] - b[q]).max() for q in "uvp"]
    check(max(away[:2]) < 1e-5 and away[2] < 1e-3, "DP87 and SSPRK3: away from each other by " + " ".join(f"{x:.1e}" for x in away))

    # Poiseuille's flow: the steady one of the differences stays, driven by a force, or by what flows in against a pressure that is 0 at the outflow.
    n, profile = 8, "10*(y*(1-y) + 1/256)"
    for name, more in (("force", {"force": [2, 0, 0]}), ("implicit", {"force": [2, 0, 0], "implicit": "true"}),
                       ("inflow", {"x_lower": "inflow", "x_lower_velocity": f'["{profile}"]', "x_upper": "outflow"})):
        f = flow([6, n], {"viscosity": 0.1, "velocity": f'["{profile}"]', "tolerance": 1e-13} | more, dt=0.01, steps=40, method="RK2", periodic=[name != "inflow", False])
        y = centres(n)
        away = max(abs(f["u"] - 10 * (y * (1 - y) + 1 / 256)).max(), abs(f["v"]).max())
        slope = 0 if name != "inflow" else 2 * (1 - centres(6))[:, None]
        check(away < 1e-12 and abs(f["p"] - slope).max() < 1e-10, f"Poiseuille's flow, {name}: away by {away:.1e}, its pressure by {abs(f['p'] - slope).max():.1e}")
    errors = []
    for n in (8, 16, 32):
        f = flow([4, n], {"viscosity": 1, "force": [1, 0, 0]}, dt=0.08 / n**2, steps=int(n**2 / 0.8), periodic=[True, False])
        y, t = centres(n), int(n**2 / 0.8) * 0.08 / n**2
        exact = y * (1 - y) / 2 - sum(4 / (k * np.pi) ** 3 * np.sin(k * np.pi * y) * np.exp(-(k * np.pi) ** 2 * t) for k in range(1, 99, 2))
        errors.append(abs(f["u"] - exact).max())
    order("Poiseuille's flow from rest", errors, 2)

    # A step of 20 times the explicit limit: shear decays as with Crank and Nicolson's method.
    for name, text, wave, periodic in (("periodic", "sin(2*pi*y)", 2 * np.pi, True), ("walls", "sin(pi*y)", np.pi, [True, False])):
        n, errors = 32, []
        for m in (1, 2, 4):
            dt = 20 / n**2 / 4 / m
            f = flow([4, n], {"viscosity": 1, "velocity": f'["{text}"]', "implicit": "true"}, dt=dt, steps=10 * m, method="RK2", periodic=periodic)
            rate = (2 - 2 * np.cos(wave / n)) * n**2
            errors.append(abs(f["u"] - np.sin(wave * centres(n)) * np.exp(-rate * 10 * m * dt)).max())
        order(f"implicit decay, {name}", errors, 2)

# Without viscosity, centred fluxes keep the energy but for what the method of the step loses.
for dim, cells, velocity in ((2, [16, 16], ["sin(2*pi*x)*cos(4*pi*y) + 0.3*cos(2*pi*y)", "cos(4*pi*x)*sin(2*pi*y)"]),
                             (3, [8, 8, 8], ["sin(2*pi*x)*cos(2*pi*y)*cos(2*pi*z)", "-cos(2*pi*x)*sin(2*pi*y)*cos(2*pi*z) + 0.3*sin(2*pi*z)"])):
    if dim in DIMENSIONS:
        drift = []
        for m in (10, 20, 40):
            folder = run(parfile(cells, {"velocity": quoted(velocity), "tolerance": 1e-12}, dt=0.4 / m, steps=m, every=m, scalars=("energy",), reductions="[average]"))
            energy = [row[-1] for row in rows(folder, "incompressible-densities.average.asc")]
            drift.append(1 - energy[-1] / energy[0])
        order(f"{dim}D, energy lost", drift, 3, 0.3)

if 2 in DIMENSIONS:
    # What the flow carries: constants stay, sums stay, a sine decays; a fluid in layers stays at rest.
    folder = run(parfile([16, 16], {"velocity": WAVES, "scalars": '["one = 1", "some = sin(2*pi*x) + exp(y)"]', "advection": "limited"}, dt=0.02, steps=20, every=20,
                         variables=["one"], scalars=("some",), reductions="[average]"))
    away, sums = abs(fields(folder)["one"] - 1).max(), [row[-1] for row in rows(folder, "incompressible-scalars.average.asc")]
    check(away < 1e-8 and abs(sums[-1] / sums[0] - 1) < 1e-13, f"scalars: a constant changes by {away:.1e}, a sum by {abs(sums[-1] / sums[0] - 1):.1e}")
    f = flow([16, 4], {"scalars": '["s = sin(2*pi*x)"]', "diffusivity": 0.5}, dt=5e-4, steps=100, variables=["s"])
    z = -0.5 * (2 - 2 * np.cos(np.pi / 8)) * 16**2 * 5e-4
    away = abs(f["s"] - (np.sin(2 * np.pi * centres(16)) * (1 + z + z**2 / 2 + z**3 / 6) ** 100)[:, None]).max()
    check(away < 1e-13, f"scalars: a sine decays, away by {away:.1e}")
    f = flow([8, 12], {"scalars": '["T = y^2"]', "buoyant": "T", "gravity": [0, -3, 0], "expansion": 2, "reference": 0.5}, dt=0.02, steps=5, periodic=[True, False],
             more="Boundary: {all: neumann}\n")
    y = np.arange(12) / 12
    push = 6 * ((centres(12)[1:] ** 2 + centres(12)[:-1] ** 2) / 2 - 0.5)
    check(abs(f["v"]).max() < 1e-10 and abs(np.diff(f["p"], axis=1) * 12 - push).max() < 1e-7, f"layers at rest: velocity {abs(f['v']).max():.1e}")

# Mistakes.
MISTAKES = (
        ("inflow without outflow", {"x_lower": "inflow"}, ["run.yaml:6", "Incompressible.x_lower", "say outflow"], {}),
        ("inflow, outflow where an axis is periodic", {"x_lower": "inflow", "y_upper": "outflow"}, ["Incompressible.x_lower", "say outflow"], {"periodic": [False, True]}),
        ("velocity at a slip face", {"y_upper": "slip", "y_upper_velocity": "[1]"}, ["run.yaml:6", "y_upper_velocity", "take wall or inflow"], {}),
        ("velocity at an outflow face", {"y_upper": "outflow", "y_upper_velocity": "[1]"}, ["y_upper_velocity", "take wall or inflow"], {}),
        ("velocity at a periodic face", {"y_upper_velocity": "[1]"}, ["run.yaml:6", "y is periodic", "UniGrid.periodic"], {"periodic": True}),
        ("flow through a wall", {"y_upper_velocity": "[1, 0.0001]"}, ["nothing flows through a wall", "component along y", "inflow"], {}),
        ("an unknown scalar", {"buoyant": "T", "scalars": '["S = 1"]'}, ["run.yaml:6", "buoyant", "'T' is none of scalars"], {}),
        ("a mistake in a velocity", {"velocity": '["1 + q"]'}, ["run.yaml:6", "Incompressible.velocity", "column 5", "'q'"], {}),
        ("time in an initial velocity", {"velocity": '["t"]'}, ["Incompressible.velocity", "unknown name 't'"], {}),
        ("a mistake at a face", {"x_upper_velocity": '["0", "sin("]'}, ["x_upper_velocity", "'sin('", "column"], {}),
        ("a mistake in an obstacle", {"obstacle": '"x +"'}, ["Incompressible.obstacle: 'x +'", "column"], {}),
        ("an obstacle where fluid flows in", {"obstacle": '"0.3 - x - y"', "x_lower": "inflow", "x_lower_velocity": '["1", "0"]', "x_upper": "outflow"},
         ["run.yaml:6", "flows in at x_lower, where a cell at x = 0.0625, y = 0.0625 is solid"], {}),
        ("a scalar without formula", {"scalars": '["T"]'}, ["run.yaml:6", "'T'", "NAME = formula"], {}),
        ("a scalar with a mistake", {"scalars": '["T = 1 +"]'}, ["Incompressible.scalars", "' 1 +'"], {}),
        ("a scalar that is a velocity", {"scalars": '["u = 1"]'}, ["Incompressible"], {}),
        ("diffusivities", {"scalars": '["a = 1", "b = 2", "c = 3"]', "diffusivity": [1, 2]}, ["run.yaml:6", "one value, or one for each"], {}),
        ("one dimension", {}, ["run.yaml:3", "2 or 3 dimensions"], {"cells": [8]}),
        ("implicit with SSPRK3", {"implicit": "true"}, ["run.yaml:6", "not with SSPRK3", "RK2"], {}),
        ("implicit with obstacles", {"implicit": "true", "obstacle": '"x"'}, ["run.yaml:6", "no obstacles"], {"method": "RK2"}),
        ("several at once", {"x_lower": "inflow", "buoyant": "T"}, ["x_lower", "'T' is none"], {}),
        ("no convergence", {"most_cycles": 1, "velocity": V2}, ["Multigrid: Incompressible::p did not converge", "raise most_cycles", "x ="], {"code": 3}),
        ("no solver", {}, ["Incompressible needs the service Elliptic"], {"without": "Multigrid, "}),
        ("no integrator", {}, ["MoL"], {"without": "MoL, "}),
        ("at rest, and nothing limits the step", {"viscosity": 0}, ["Time: {dt: "], {"dt": None, "code": 3}))


def said_of(mistake):
    what, parameters, words, how = mistake
    without, cells, wanted = how.get("without", ""), how.get("cells", [8, 8]), how.get("code", 1)
    flow = {"viscosity": 0.1} | {k: quoted(v) if k == "velocity" and isinstance(v, list) else v for k, v in parameters.items()}
    text = parfile(cells, flow, **{"dt": 0.01, "steps": 2, "periodic": False} | {k: v for k, v in how.items() if k not in ("without", "cells", "code")})
    code, said = fails(text.replace(without, "", 1) if without else text)
    good = code == wanted and all(w in said for w in words)
    return [(good, f"{what} is said" + ("" if good else f": {code} {said[-700:]}"))]


each(said_of, MISTAKES)
finish()
