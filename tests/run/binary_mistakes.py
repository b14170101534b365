#!/usr/bin/env python3
"""Mistakes with black holes: each gives a message with its place in the file, what is wrong and what would be right, or is said in a file while the run goes on.

Mutations tried: ADMIntegrals' and PunctureTracker's messages of Interpolate alone (no place in the file); Horizons does not look at later spheres at the start; TwoPunctures'
failure without its place; FindLow with < for <= (a lapse at its floor); Multipole without a look at empty lists; spins
that change sign across a mirror as momenta do (what is symmetric does not run); resolve.cpp names variables and not the thorn.
"""
import os
import re

from _physics import DIMENSIONS, check, fails, finish, rows, run

PARFILE = """arrangements: [standard]
thorns: [ADMBase, TwoPunctures, BSSN, WeylScalars, Interpolate, Multipole, Horizons, PunctureTracker, ADMIntegrals, Constraints]
Cereus: {iterations: 1}
UniGrid: {cells: [20, 21, 10], lower: [-6, -6, 0], upper: 6, periodic: false, stretch_factor: 4, stretch_from: 1.5, stretch_width: 1}
Boundary: {all: radiation, z_lower: reflect}
Time: {dt: 0.05}
BSSN: {order: 4, startlapse: given}
WeylScalars: {order: 4}
TwoPunctures: {points: [8, 8, 4]}
Interpolate: {order: 3}
PunctureTracker: {count: [2]}
Multipole: {variables: ["WeylScalars::Psi4r"], imaginary: ["WeylScalars::Psi4i"], names: [Psi4], spin_weights: [-2], radii: [4], points: 8}
Horizons: {centres: [1.17, 0, 0, 0, 0, 0], radii: [0.6, 2], start_times: [0, 10], punctures: [1, 0], most_steps: 2, lmax: 4}
ADMIntegrals: {radii: [4], points: [8, 16]}
NaNChecker: {every: 1}
IOASCII: {variables: []}
IOHDF5: {variables: []}
IOImage: {variables: []}
"""
FLAT = """arrangements: [standard]
thorns: [ADMBase, ExactMetrics, Expressions, BSSN]
Cereus: {iterations: 1}
UniGrid: {cells: [8, 8, 8], periodic: true}
Time: {dt: 0.01}
BSSN: {order: 4}
Expressions: {initial: ["BSSN::alpha = LAPSE"]}
NaNChecker: {floored: ["BSSN::alpha", "BSSN::W"], floors: [1e-8, 1e-4], every: 1}
IOASCII: {variables: []}
IOHDF5: {variables: []}
IOImage: {variables: []}
"""
EVEN = ("[20, 21, 10]", "[24, 24, 12]"), ("stretch_factor: 4", "stretch_factor: 1")
QUARTER = ("[20, 21, 10], lower: [-6", "[10, 21, 10], lower: [0"), ("z_lower: reflect", "x_lower: reflect, z_lower: reflect")
WITHOUT = {name: [(f"{name}, ", "")] + [(line, "") for line in re.findall(rf"^{name}: .*\n", PARFILE, re.M)] for name in ("TwoPunctures", "BSSN", "PunctureTracker", "ADMBase", "Interpolate")}
# What is changed, the exit code, the parameter whose place is named, and words of the message.
CASES = {
    "a puncture is a point of the grid": ([*EVEN, ("points: [8, 8, 4]", "half_distance: 1, points: [8, 8, 4]")], 1, "half_distance", "(1, 0, 0) is a point of the grid", "by half a cell"),
    "a sphere of Multipole outside": ([("radii: [4], points: 8", "radii: [40], points: 8")], 1, "radii", "Multipole.radii", "inside the grid", "which ends at 6"),
    "a sphere of ADMIntegrals outside": ([("radii: [4], points: [8", "radii: [40], points: [8")], 1, "radii", "ADMIntegrals.radii", "inside the grid"),
    "a first horizon outside": ([("radii: [0.6, 2]", "radii: [6, 2]")], 3, "centres", "horizon 1", "inside the grid"),
    "a later one outside": ([("radii: [0.6, 2]", "radii: [0.6, 20]")], 3, "centres", "horizon 2", "inside the grid", "iteration 0"),
    "masses out of reach": ([("points: [8, 8, 4]", "points: [8, 8, 4], masses: puncture, mass_plus: 0.9, mass_minus: 0.01")], 3, "mass_plus", "no bare masses", "0.9 and 0.01", "smaller momenta"),
    "a negative mass": ([("points: [8, 8, 4]", "mass_plus: -1")], 1, "mass_plus", "must be >= 0"),
    "momentum without mass": ([("points: [8, 8, 4]", "mass_minus: 0")], 1, "mass_minus", "neither momentum nor spin"),
    "a puncture placed outside": ([("count: [2]", "positions: [40, 0, 0, 1, 0, 0]")], 3, "positions", "not inside the grid"),
    "more punctures than places": ([("count: [2]", "count: [3]")], 1, "count", "count is 3", "positions of 2"),
    "a horizon around a puncture that is not": ([("punctures: [1, 0]", "punctures: [3, 0]")], 1, "punctures", "names puncture 3", "count is 2"),
    "too few entries": ([("punctures: [1, 0]", "punctures: [1]")], 1, "punctures", "has 1 entries", "one for each"),
    "no radii of horizons": ([("radii: [0.6, 2], ", "")], 1, "centres", "6 numbers", "0 entries"),
    "no radii of multipoles": ([(", radii: [4], points: 8", ", points: 8")], 1, "variables", "Multipole.radii is empty"),
    "no reflection": ([(", z_lower: reflect", "")], 1, "radii", "inside the grid"),
    "two dimensions": ([("cells: [20, 21, 10], lower: [-6, -6, 0]", "cells: [20, 21], lower: [-6, -6]"), ("z_lower", "y_lower")], 1, "", "BSSN is not compiled for 2D double", "but for 3D"),
    "no data": ([*WITHOUT["TwoPunctures"]], 1, "", "PunctureTracker does not know where punctures start: give positions, x, y, z of each, or add TwoPunctures to thorns:, which has two"),
    "no evolution": ([*WITHOUT["BSSN"]], 1, "", "Constraints needs the thorn BSSN; add it to thorns:"),
    "no tracker": ([*WITHOUT["PunctureTracker"]], 1, "", "Horizons needs the thorn PunctureTracker; add it to thorns:"),
    "no geometry": ([*WITHOUT["ADMBase"]], 1, "", "ADMIntegrals needs the thorn ADMBase; add it to thorns:"),
    "no interpolation": ([*WITHOUT["Interpolate"]], 1, "", "needs the thorn Interpolate; add it to thorns:"),
    "floors without variables": ([("every: 1}", "floors: [1]}")], 1, "floors", "as many entries"),
    "one name twice": ([('["WeylScalars::Psi4r"], imaginary', '["WeylScalars::Psi4r", "WeylScalars::Psi4i"], imaginary'), ("[Psi4], spin_weights: [-2]", "[A, A]")], 1, "names", "mp_A_l2_m0_r4.00.asc"),
    "radii that files cannot tell": ([("radii: [4], points: 8", "radii: [4, 4.001], points: 8")], 1, "radii", "files of one name", "by 0.01"),
    "a sphere twice": ([("radii: [4], points: [8", "radii: [4, 4], points: [8")], 1, "radii", "each once"),
    "holes beside a mirror": ([("points: [8, 8, 4]", "points: [8, 8, 4], centre: [0, 0, 1]")], 1, "centre", "reflected in z = 0", "not symmetric (centre)"),
    "holes that leave a mirror": ([("points: [8, 8, 4]", "points: [8, 8, 4], momentum_plus: [0, 0.3, 0.1]")], 1, "momentum_plus", "reflected in z = 0", "momentum_plus, momentum_minus"),
    "a spin in a mirror": ([("points: [8, 8, 4]", "points: [8, 8, 4], spin_minus: [0.1, 0, 0]")], 1, "spin_minus", "reflected in z = 0", "spin_plus, spin_minus"),
    "an orbit in a quarter": ([*QUARTER], 1, "", "reflected in x = 0", "momentum_plus, momentum_minus"),
    "masses in a quarter": ([*QUARTER, ("points: [8, 8, 4]", "points: [8, 8, 4], mass_plus: 0.5")], 1, "mass_plus", "reflected in x = 0", "mass_plus, mass_minus"),
    "a time step far too long": ([("dt: 0.05", "dt: 0.4"), ("iterations: 1", "iterations: 6")], 3, "", "NaNChecker: BSSN::", "NaN values in iteration"),
}


def place_of(text, said, parameter):
    """Whether the message names the value of the parameter, in the line of any thorn."""
    places = [f"run.yaml:{n}:{m.end() + 1}: " for n, line in enumerate(text.splitlines(), 1) for m in re.finditer(rf"\b{parameter}: ", line)]
    return any(place in said for place in places)


def changed(text, *changes):
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    return text


if 3 not in DIMENSIONS:
    finish("black holes are of three dimensions")
for what, (changes, code, place, *words) in CASES.items():
    text = changed(PARFILE, *changes)
    done, said = fails(text)
    lines = [line for line in said.splitlines() if words[0] in line]
    check(done == code and lines and all(w in said for w in words) and (not place or place_of(text, said, place)), f"{what}: exit {done}: {(lines or [said[-300:]])[0][:170]}")

still = "momentum_plus: [0, 0, 0], momentum_minus: [0, 0, 0], spin_plus: [0, 0.1, 0.2], spin_minus: [0, -0.1, -0.2]"
done, said = fails(changed(PARFILE, *QUARTER, ("z_lower: reflect", "z_lower: none"), ("lower: [0, -6, 0]", "lower: [0, -6, -6]"), ("points: [8, 8, 4]", f"points: [8, 8, 4], {still}")))
check(done == 0, f"what is symmetric in x = 0 runs: {said[-300:] if done else ''}")
folder = run(PARFILE)
with open(os.path.join(folder, "searches.ah1.asc")) as f:
    searches = f.read().splitlines()[1:]
check(len(searches) == 2 and all(line.split()[2] == "0" and "# its mean radius is less than two cells" in line for line in searches), "a horizon that is too small: " + searches[0])
folder = run(changed(PARFILE, ("radii: [0.6, 2]", "radii: [1.8, 2]"), ("points: [8, 8, 4]", "points: [8, 8, 4], mass_plus: 3")))
with open(os.path.join(folder, "searches.ah1.asc")) as f:
    searches = f.read().splitlines()[1:]
check(len(searches) == 2 and all("# it does not converge" in line for line in searches), "a search that does not converge: " + searches[0])
check(len(rows(folder, "punctures.asc")) == 2, "and the run goes on")
done, said = fails(FLAT.replace("LAPSE", "1e-8"))
check(done == 0 and "BSSN::alpha is at or below its floor, 1e-08: 512 values in iteration 0" in said and said.count("its floor") == 1, f"a lapse at its floor is said once: {said[-300:]}")
done, said = fails(FLAT.replace("LAPSE", "0.5"))
check(done == 0 and "its floor" not in said, "one above it is not")
done, said = fails(FLAT.replace("LAPSE", "sqrt(x)"))
check(done == 3 and "BSSN::alpha has 256 NaN values in iteration 0" in said, "a lapse that is not a number: " + said[-300:])
finish()
