#!/usr/bin/env python3
"""Thorns Elliptic and Multigrid. Orders and numbers of cycles are looked at for cells or for vertices, in turns; with --long for both, and on finer
grids; and the same bits are asked of more cases.
"""
import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from _elliptic import conditions, direct, parfile, solve, start
from _physics import DIMENSIONS, check, finish, known, order_of

LONG = "CEREUS_LONG" in os.environ
ROUGH = {1: "exp(x)*sin(7*x)+x", 2: "exp(x)*sin(7*x*y+3)+x*y", 3: "exp(x)*sin(7*x*y+3*z)+x*z"}  # a source without symmetries
JUMP, SMOOTH, HOLE = "x > 0.4 ? 100 : 1", "1.5+sin(3*x+2*y)", "(x-0.5)^2+(y-0.5)^2 < 0.07 ? 0 : 1"
CENTRINGS = ("cells", "vertices")


def in_turns(cases):
    """Cases with the centring of their variable."""
    return [(*c, centring) for n, c in enumerate(cases) for centring in (CENTRINGS if LONG else CENTRINGS[n % 2:][:1])]


def each(cases, f):
    """f(case) of all of them, two at a time; in their order."""
    with ThreadPoolExecutor(2) as pool:
        return list(zip(cases, pool.map(f, cases)))


# A matrix, solved directly.
def against_matrix(case):
    dim, cells, given, centring = case
    given = {"source": ROUGH[dim], "tolerance": 1e-12} | given
    found = solve(cells, centring=centring, **given)
    expected = direct(found, cells, centring=centring, **given)
    return np.max(np.abs(found.phi.reshape(expected.shape) - expected)) / max(np.max(np.abs(expected)), 1e-300)


CASES = [(1, [30], dict(faces="all: dirichlet", value=1.5)), (1, [30], dict(faces="all: neumann; x_upper: dirichlet", coefficient=JUMP)),
         (1, [31], dict(periodic=True)), (1, [1], dict(periodic=True, absorption=2, source="x+1")), (1, [7], dict(faces="all: neumann", absorption=2)),
         (2, [16, 12], dict(faces="all: dirichlet", value=-2, coefficient=JUMP)), (2, [16, 12], dict(faces="all: neumann", coefficient=JUMP)),
         (2, [16, 12], dict(faces="all: neumann", coefficient=SMOOTH, absorption="x*y")), (2, [16, 12], dict(faces="all: neumann", coefficient=HOLE)),
         (2, [16, 12], dict(faces="all: dirichlet; y_lower: neumann", coefficient=HOLE, absorption=1)),
         (2, [12, 16], dict(faces="all: reflect; y_upper: dirichlet", periodic=[True, False], coefficient=3)),
         (2, [15, 9], dict(faces="all: neumann", upper=[1, 5], coefficient=SMOOTH)), (2, [20, 18], dict(periodic=True, absorption="0*x")),
         (3, [8, 12, 6], dict(faces="all: dirichlet; z_upper: neumann", coefficient="x > 0.4 ? 1e4 : 1")),
         (3, [8, 12, 6], dict(faces="all: neumann", coefficient=SMOOTH + "+z", upper=[1, 2, 1])),
         (3, [9, 12, 8], dict(faces="all: neumann; y_lower: dirichlet", periodic=[False, False, True], value=1, absorption="x", upper=[1, 2, 0.3]))]
for case, wrong in each([(*c, centring) for c in known(CASES) for centring in CENTRINGS], against_matrix):
    check(wrong < 1e-10, f"{case[1]} {case[3]}, {case[2]}: {wrong:.1e} from the solution of the matrix")

# Solutions that are known: a constant and a product of waves, each an eigenfunction of an axis with its conditions.
LOWER, UPPER = [-0.5, 0.25, 0], [1, 1.75, 1.25]
AXES = {"P": ("sin", 2, None, None), "D": ("sin", 1, "dirichlet", "dirichlet"), "N": ("cos", 1, "neumann", "neumann"),
        "R": ("cos", 1, "reflect", "reflect"), "DN": ("sin", 0.5, "dirichlet", "neumann"), "ND": ("cos", 0.5, "neumann", "dirichlet")}


def wave(axis, kind):
    """Its text, its slope, its wave number."""
    function, halves = AXES[kind][:2]
    k = halves * np.pi / (UPPER[axis] - LOWER[axis])
    phase = f"({k!r}*({'xyz'[axis]}-({LOWER[axis]})))"
    return function + phase, f"({k}*cos{phase})" if function == "sin" else f"(-{k}*sin{phase})", k


def waves(kinds, constant=0, a="1", a_along=None, b="0"):
    """φ, and the equation; a varies along an axis as a + cos, with one wave."""
    w = [wave(d, kind) for d, kind in enumerate(kinds)]
    product = "*".join(x[0] for x in w)
    source = f"-{sum(x[2] ** 2 for x in w)}*A*{product} - ({b})*({constant}+{product})"
    if a_along is not None:
        k = 2 * np.pi / (UPPER[a_along] - LOWER[a_along])
        phase = f"({k}*({'xyz'[a_along]}-({LOWER[a_along]})))"
        slopes = "*".join(x[d == a_along] for d, x in enumerate(w))
        a, source = f"{a}+cos{phase}", f"{source} - {k}*sin{phase}*{slopes}"
    faces = "; ".join(f"{'xyz'[d]}_{end}: {AXES[kind][n]}" for d, kind in enumerate(kinds) if kind != "P" for n, end in ((2, "lower"), (3, "upper")))
    return f"{constant}+{product}", dict(
        source=source.replace("A", f"({a})"), coefficient=a, absorption=b, faces=faces, value=constant, periodic=str([k == "P" for k in kinds]),
        lower=LOWER[:len(kinds)], upper=UPPER[:len(kinds)])


def slanted(dim):
    """φ = e^x cos 2y cos z, with its values at lower faces and its slopes at upper ones."""
    text = ["exp(x)", "cos(2*y)", "cos(z)"][:dim]
    slope = ["exp(x)", "(-2*sin(2*y))", "(-sin(z))"]
    put = lambda d, value, by: "*".join(t.replace("xyz"[d] + ")", f"({value}))") if e == d else t for e, t in enumerate(text[:d] + [by] + text[d + 1:]))
    faces = [f"{n}_lower formula 2*{put(d, LOWER[d], text[d])} - PHI" for d, n in enumerate("xyz"[:dim])]
    faces += [f"{n}_upper formula PHI + 2*({n}-{UPPER[d]})*{put(d, UPPER[d], slope[d])}" for d, n in enumerate("xyz"[:dim])]
    return "*".join(text), dict(source=f"{[1, -3, -4][dim - 1]}*{'*'.join(text)}", faces="; ".join(faces), lower=LOWER[:dim], upper=UPPER[:dim])


def jumping(dim):
    """φ = sin 2πx cos πy cos πz / a, where a jumps by a factor of 50 at x = 1/2."""
    product = "sin(2*pi*x)" + "".join(f"*cos(pi*{n})" for n in "yz"[:dim - 1])
    return f"{product}/where(x > 0.5, 50, 1)", dict(source=f"-{3 + dim}*pi^2*{product}", coefficient="x > 0.5 ? 50 : 1", faces="all: neumann; x_lower: dirichlet; x_upper: dirichlet")


def value(text, cells, vertex, shape, lower=0, upper=1):
    """A formula at the points of a field."""
    at = {"pi": np.pi, "sin": np.sin, "cos": np.cos, "exp": np.exp, "where": np.where}
    for d, (n, l, u) in enumerate(zip(cells, np.broadcast_to(lower, len(cells)), np.broadcast_to(upper, len(cells)))):
        x = l + (np.arange(shape[d]) + (0 if vertex else 0.5)) * (u - l) / n
        at["xyz"[d]] = x.reshape([-1 if e == d else 1 for e in range(len(cells))])
    return eval(text, at)


def errors(case):
    """On a grid, and on one that is finer by a factor."""
    dim, cells, factor, (text, given), centring = case
    found = []
    for n in (cells, [factor * c for c in cells]):
        phi = solve(n, centring=centring, **given).phi
        phi = phi.reshape(phi.shape[:dim])
        place = {k: given[k] for k in ("lower", "upper") if k in given}
        found.append(np.sqrt(np.mean((phi - value(text, n, centring == "vertices", phi.shape, **place)) ** 2)))
    return found


CASES = [(1, [32], 2, waves(["D"], 2, a_along=0, a="2")), (1, [32], 2, waves(["DN"], b="3")), (1, [15], 3, waves(["N"])), (1, [32], 2, slanted(1)),
         (2, [24, 32], 2, waves("PD", -1, b="1+x^2")), (2, [24, 32], 2, waves("NN", a="3")), (2, [32, 24], 2, waves(["R", "P"], a="2", a_along=0)),
         (2, [24, 24], 2, waves(["DN", "ND"], 1.5, a="1.5", a_along=1)), (2, [24, 32], 2, slanted(2)), (2, [15, 18], 3, waves("DN", a="2", a_along=1)),
         (3, [16, 24, 20], 2, waves("NNN")), (3, [16, 16, 24], 2, waves("PND", a="2", a_along=1, b="x^2")), (3, [16, 16, 16], 2, waves("PPP")),
         (3, [16, 20, 16], 2, slanted(3)), (3, [12, 16, 16], 2, waves(["ND", "R", "D"], 1))]
CASES = in_turns(CASES)
CASES += [(dim, cells, factor, jumping(dim), centring)  # between points, in the middle
          for dim, n in ((1, [24]), (2, [24, 24]), (3, [16, 12, 12])) for cells, factor, centring in ((n, 2, "cells"), ([n[0] - 9] + n[1:], 3, "vertices"))]
for case, (coarse, fine) in each(known(CASES), errors):
    order = np.log(coarse / fine) / np.log(case[2])
    check(abs(order - 2) < 0.1, f"{case[1]} {case[4]}, {case[3][0]}: order {order:.3f}, {fine:.1e} off")


# Cycles: few, whatever the size.
def cycles(case):
    dim, sizes, given, most, centring = case
    return [int(solve(cells, centring=centring, source=ROUGH[dim], **given).cycles) for cells in sizes]


equal = lambda dim, *n: [[k] * dim for k in n]
MIXED = {1: dict(faces="x_lower: dirichlet; x_upper: neumann"), 2: dict(faces="all: dirichlet; x_upper: neumann", periodic=[False, True])}
MIXED[3] = MIXED[2] | dict(periodic=[False, True, False])
SMALL = equal(3, 16)
CASES = []
for dim, n, most in ((1, (16, 128), 8), (2, (16, 128), 9), (3, (16, 32), 9)):
    n += {1: (256, 4096), 2: (256, 512), 3: (64, 128)}[dim] if LONG else ()
    CASES += [(dim, equal(dim, *n), given, most) for given in (dict(faces="all: dirichlet"), dict(faces="all: neumann"), dict(periodic=True), MIXED[dim])]
    CASES += [(dim, equal(dim, n[0]), dict(faces="all: neumann", absorption=100), 8)]
CASES += [(1, [[250], [101]], dict(faces="all: neumann"), 10), (2, [[100, 60], [96, 31], [63, 64], [15, 31]], dict(faces="all: dirichlet"), 9),
          (2, [[255, 8]], dict(faces="all: dirichlet"), 10), (2, [[64, 64], [12, 64]], dict(faces="all: neumann", upper=[1, 10]), 9),
          (3, [[21, 32, 20]], dict(faces="all: neumann"), 9), (3, SMALL, dict(faces="all: neumann", upper=[1, 1, 8]), 8),
          (3, SMALL, dict(faces="all: dirichlet", upper=[1, 0.1, 0.01]), 7), (2, equal(2, 64), dict(faces="all: dirichlet", coefficient=SMOOTH), 9),
          (2, equal(2, 64), dict(faces="all: neumann", coefficient=JUMP), 16), (3, SMALL, dict(faces="all: neumann", coefficient=JUMP), 16),
          (2, equal(2, 64), dict(faces="all: neumann", coefficient=HOLE), 12), (2, equal(2, 32), dict(faces="all: dirichlet", absorption="100*x"), 8),
          (1, [[2048], [4096]], dict(faces="all: dirichlet"), 9),  # with cycles in float, and in double
          (2, equal(2, 64), dict(faces="all: neumann", absorption=1e-9), 9), (1, [[1536]], dict(faces="x_lower: dirichlet; x_upper: neumann"), 9)]
for case, taken in each(in_turns(known(CASES)), cycles):
    check(max(taken) <= case[3] and max(taken) - min(taken) <= 4, f"{case[1]} {case[4]}, {case[2]}: {taken} cycles")

# The same bits however the domain is cut, and on a mirror device.
DEVICE = ", Accelerator, AcceleratorMirror"
CASES = [(2, [40, 36], dict(faces="all: dirichlet; y_upper: neumann", centring="vertices")), (2, [40, 36], dict(faces="all: neumann", coefficient=JUMP)),
         (3, [24, 20, 16], dict(faces="all: neumann", coefficient=JUMP, absorption="y", centring="vertices"))]
if LONG:
    CASES += [(1, [64], dict(faces="all: neumann")), (1, [100], dict(faces="all: dirichlet", centring="vertices")), (2, [63, 50], dict(faces="all: neumann", periodic=[False, True], centring="vertices")),
              (2, [64, 64], dict(faces="all: neumann", coefficient=HOLE)), (3, [48, 40, 36], dict(faces="all: dirichlet", periodic=[True, False, False])),
              (3, [32, 32, 32], dict(periodic=True, absorption=0.001)), (3, [40, 40, 40], dict(periodic=True, real="float", tolerance=1e-5)),
              (3, [32, 32, 32], dict(faces="all: neumann", upper=[1, 2, 8], coefficient=SMOOTH))]
for dim, cells, given in known(CASES):
    given |= dict(source=ROUGH[dim])
    ways = [(1, 1, False, ""), (1, 3, True, ""), (1, 2, True, DEVICE), (2, 1, False, ""), (3, 2, True, ""), (4, 1, True, "")]
    results = each(ways, lambda way: solve(cells, way[0], blocks=way[1], uneven=way[2], device=way[3], **given))
    one = results[0][1]
    for way, found in results[1:]:
        same = found.phi.tobytes() == one.phi.tobytes() and found.cycles == one.cycles
        check(same, f"{cells}, {given}: on {way[0]} processes, {way[1]} blocks each, uneven {way[2]}{', mirror' if way[3] else ''}: the same bits")

# What is open; what is there already; what can be resolved; what changes.
if 2 in DIMENSIONS:
    for centring in CENTRINGS:
        found = solve([32, 20], centring=centring, faces="all: neumann", source="x-0.1", guess="7")
        phi = found.phi.reshape(found.phi.shape[:2])
        share = np.outer(*(np.where(np.isin(np.arange(n), (0, n - 1)) & (centring == "vertices"), 0.5, 1) for n in phi.shape))
        check(abs(np.sum(share * phi)) < 1e-13 * share.sum(), f"{centring}: φ that is open has mean 0")
        text, given = slanted(2)
        check(solve([8, 8], centring=centring, faces="all: dirichlet", guess="1", value=1, source="0").cycles == 0, f"{centring}: a guess that is the solution takes no cycle")
        found = solve([32, 32], centring=centring, tolerance=1e-30, **given)
        check(found.cycles < 20 and 0 < found.residual < 1e-12, f"{centring}: with a tolerance of 1e-30 {found.cycles} cycles leave {found.residual:.1e}")
        if LONG:
            found = solve([32, 32], centring=centring, real="float", **given)
            wrong = np.max(np.abs(found.phi.reshape(found.phi.shape[:2]) - solve([32, 32], centring=centring, **given).phi.reshape(found.phi.shape[:2])))
            check(found.cycles < 10 and wrong < 1e-4, f"{centring}: in single precision {found.cycles} cycles, {wrong:.1e} from double")
        later = dict(centring=centring, faces="all: neumann", source=ROUGH[2])
        changed = solve([32, 32], coefficient=f"t < 0.5 ? 1 : ({JUMP})", absorption="t < 0.5 ? x : 0", steps=2, each_step="true", **later)
        fresh = solve([32, 32], coefficient=JUMP, absorption="0*x", **later)
        check(changed.cycles == fresh.cycles and changed.phi.tobytes() == fresh.phi.tobytes(), f"{centring}: coefficients that change, {changed.cycles} and {fresh.cycles} cycles")
        found = solve([8, 8], centring=centring, faces="all: neumann", source="-t", absorption="1", steps=2, each_step="true")
        check(np.max(np.abs(found.phi - 2)) < 1e-9, f"{centring}: in each step the solution is that for its end, {found.phi.max():.9g} at t = 2")
finish()
