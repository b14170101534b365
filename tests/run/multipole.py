#!/usr/bin/env python3
"""Modes of fields given by formulas: exact for polynomials that interpolation bears, else of its order; kuibit reads the files; the same bytes on any number
of processes; mistakes are told.

Expected modes: by formula, or sums over 60 × 120 points with closed forms of the harmonics (J. N. Goldberg et al., J. Math. Phys. 8 (1967) 2155).
Mutations: those of thorns/Multipole/tests/harmonics_test.cpp; without `check_places` a sphere outside ends the run with 3, not its start with 1.
"""
import os
import sys

import numpy as np
from _physics import DIMENSIONS, check, fails, finish, order_of, read_by_kuibit, rows, run

PARFILE = """
equations: |
  thorn Field "Fields by formulas"
  dimensions 3
  derive fields "at vertices"
    poly, re, im, hill
  analysis
    poly = 0.3 + 2 z + x y
    re = (1 + z)^2 (x^2 - y^2)
    im = 2 (1 + z)^2 x y
    hill = exp(-(x - 0.3)^2 - (y + 0.2)^2 - 1/2 z^2)
thorns: [UniGrid, Time, Boundary, Interpolate, Multipole]
Cereus: {{iterations: 1, compile: false}}
UniGrid: {{cells: [{n}, {n}, {n}], lower: -2, upper: 2, periodic: false}}
Boundary: {{all: extrapolate}}
Time: {{dt: 0.5}}
Interpolate: {{order: 5}}
Multipole:
  variables: ["Field::re", "Field::poly", "Field::hill"]
  imaginary: ["Field::im"]
  names: [{names}]
  spin_weights: [-2, 0, 0]
  radii: [{radii}]
  lmax: {lmax}
"""


def parfile(n=16, radii="1, 1.5", names="Psi4, poly, hill", lmax=4):
    return PARFILE.format(n=n, radii=radii, names=names, lmax=lmax)


def mode(folder, name, l, m, r):
    return [complex(*row[1:]) for row in rows(folder, f"mp_{name}_l{l}_m{m}_r{r:.2f}.asc")]


def integral(f, harmonic, r):
    c, w = np.polynomial.legendre.leggauss(60)
    phi = 2 * np.pi * np.arange(120) / 120
    c, phi = np.meshgrid(c, phi, indexing="ij")
    s = np.sqrt(1 - c**2)
    values = f(r * s * np.cos(phi), r * s * np.sin(phi), r * c) * np.conj(harmonic(c, s, phi))
    return (w[:, None] * values).sum() * 2 * np.pi / 120


def kuibit_reads(out):
    from kuibit.simdir import SimDir

    modes = SimDir(out).multipoles["Psi4"]
    assert sorted(modes.available_radii if hasattr(modes, "available_radii") else modes.radii) == [1.0, 1.5]
    found = modes[1.5][2, 2]
    assert list(found.t) == [0, 0.5] and abs(found.y[0] - mode(out, "Psi4", 2, 2, 1.5)[0]) == 0, found.y


if sys.argv[1:2] == ["kuibit"]:
    kuibit_reads(sys.argv[2])
    sys.exit(0)
if 3 not in DIMENSIONS:
    finish("spheres are of three dimensions")

folder = run(parfile())
for r in (1, 1.5):
    y22 = r**2 / 2 / (2j * np.sqrt(15 / (2 * np.pi)) / 4)
    wanted = {(0, 0): 0.3 * np.sqrt(4 * np.pi), (1, 0): 2 * r * np.sqrt(4 * np.pi / 3), (2, 2): y22, (2, -2): -y22}
    worst = max(abs(found - wanted.get((l, m), 0)) for l in range(5) for m in range(-l, l + 1) for found in mode(folder, "poly", l, m, r))
    check(worst < 1e-13, f"modes of a polynomial, r = {r}: {worst:.1e}")
    spin = lambda x, y, z: (1 + z) ** 2 * (x + 1j * y) ** 2
    for (l, m), harmonic in {(2, 2): lambda c, s, p: np.sqrt(5 / 64 / np.pi) * (1 + c) ** 2 * np.exp(2j * p),
                             (2, 1): lambda c, s, p: np.sqrt(5 / 16 / np.pi) * s * (1 + c) * np.exp(1j * p),
                             (2, 0): lambda c, s, p: np.sqrt(15 / 32 / np.pi) * s**2 + 0j}.items():
        found, exact = mode(folder, "Psi4", l, m, r)[0], integral(spin, harmonic, r)
        check(abs(found - exact) < 1e-12, f"spin -2, l = {l}, m = {m}, r = {r}: {abs(found - exact):.1e} of {abs(exact):.2g}")
hill = lambda x, y, z: np.exp(-((x - 0.3) ** 2) - (y + 0.2) ** 2 - z**2 / 2)
y20 = lambda c, s, p: np.sqrt(5 / 16 / np.pi) * (3 * c**2 - 1) + 0j
coarse, fine = (abs(mode(f, "hill", 2, 0, 1)[0] - integral(hill, y20, 1)) for f in (folder, run(parfile(32))))
check(order_of(coarse, fine) > 5, f"a smooth field: order {order_of(coarse, fine):.2f} ({coarse:.2g}, {fine:.2g})")

# An eighth of space, on whose other parts spheres go on in mirror images: γ_xy = 2M xy/r³ of a hole, odd along x and y, has l = 2, m = ±2 alone.
# Mutation: mirrored values keep their sign (modes of l = 0).
eighth = """
thorns: [UniGrid, Time, Boundary, ADMBase, ExactMetrics, Interpolate, Multipole]
Cereus: {iterations: 0}
UniGrid: {cells: [32, 32, 32], lower: 0, upper: 4, periodic: false}
Boundary: {all: extrapolate, x_lower: reflect, y_lower: reflect, z_lower: reflect}
Time: {dt: 0.5}
ExactMetrics: {data: KerrSchild}
Interpolate: {order: 5}
Multipole: {variables: ["ADMBase::gxy"], radii: [3]}
"""
out = run(eighth)
y22 = 2 / 3 / (2j * np.sqrt(15 / (2 * np.pi)) / 2)
wanted = {(2, 2): y22, (2, -2): -y22}
worst = max(abs(mode(out, "gxy", l, m, 3)[0] - wanted.get((l, m), 0)) for l in range(5) for m in range(-l, l + 1))
check(worst < 1e-6, f"a component of the metric on an eighth of space: {worst:.1e} of {abs(y22):.2g}")


def files(out):
    return {name: open(os.path.join(out, name)).read() for name in os.listdir(out) if name.startswith("mp_")}


for processes in (2, 4):
    check(files(run(parfile(), processes)) == files(folder), f"the same bytes on {processes} processes")
for what, text, code, said in (("a sphere outside", parfile(radii="1, 3"), 1, "Multipole.radii: spheres must lie inside the grid"),
                               ("too few names", parfile(names="Psi4"), 1, "Multipole.names has 1 entries"),
                               ("spin above lmax", parfile(lmax=1), 1, "raise Multipole.lmax")):
    done, text = fails(text)
    check(done == code and said in text, f"{what}: exit {done}, {text.strip()[-200:]}")
read_by_kuibit(__file__, folder, "the modes")
finish()
