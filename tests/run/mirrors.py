#!/usr/bin/env python3
"""Reflecting faces know how each component changes its sign: Maxwell's equations, an antisymmetric pair and a tensor of rank 3 in an octant
have the bits of the whole. In 2D they are interpreted, which takes less time than to compile them and rounds another way; without `axial` a quarter
is far from the whole.

Mutations, each of which makes it fail: `c.axial` left out of parity() (grid.cpp); components of an antisymmetric pair declared as scalars (print_thorn.cpp).
"""
import os

import h5py
import numpy
from _physics import DIMENSIONS, check, finish, run

SOURCE = os.environ["CEREUS_SOURCE"]
EQUATIONS = """thorn Mirrors "Fields that know reflections"
evolve fields "Electric and magnetic field, and what follows from them"
  E^i, B^i axial, psi, phi axial
  F_[ij], Q_ijk axial
operators centred(4), dissipation(5)
initial
  f = exp(-4 x_i x_i)
  E^x = f x,  E^y = -2 f y,  E^z = f z (1 + x^2)
  B^x = f (y + 1/2 y^3) (z + {flat}),  B^y = f x (z + {flat}),  B^z = -f x y
  psi = f x^2,  phi = f x y (z + {flat})
  F_ij = 0,  Q_ijk = 0
rhs
  every D_t u: + 0.1 dissipation u
  D_t E^i =  eps^ijk D_j B_k - D_i psi
  D_t B^i = -eps^ijk D_j E_k - D_i phi
  D_t psi = -D_i E^i - psi
  D_t phi = -D_i B^i - phi
  D_t F_ij = D_i E_j - D_j E_i
  D_t Q_ijk = D_i E_j B_k + D_i B_j E_k
"""
PARFILE = """thorns: [UniGrid, Boundary, Time, MoL, IOHDF5]
equations: |
{equations}
Cereus: {{iterations: 8, compile: {compiled}}}
UniGrid: {{cells: {cells}, lower: {lower}, upper: [1], periodic: [false]}}
Boundary: {{all: neumann{faces}}}
Time: {{dt: 0.03125}}
IOHDF5: {{variables: ["Mirrors::fields"], every: 8}}
"""


def fields(dim, cells, lower, faces, axial=True):
    # In 2D the fields do not depend on z, and those that are odd along it are 0 or not without regard to it.
    text = EQUATIONS.format(flat=0 if dim == 3 else 1)
    text = text if axial else text.replace(" axial", "")
    parfile = PARFILE.format(equations="".join("  " + line + "\n" for line in text.splitlines()), cells=[cells] * dim, lower=[lower] * dim, faces=faces,
                             compiled=str(dim == 3).lower())
    with h5py.File(os.path.join(run(parfile), "run_00000008.hdf")) as f:
        return {name.split("__")[1]: x[()] for name, x in f["data/8/meshes"].items() if "__" in name}


for dim in (2, 3):
    if dim not in DIMENSIONS:
        continue
    n, faces = 16, "".join(f", {axis}_lower: reflect" for axis in "xyz"[:dim])
    whole, part = fields(dim, n, -1, ""), fields(dim, n // 2, 0, faces)
    corner = (slice(n // 2, None),) * dim
    wrong = [name for name, x in part.items() if numpy.abs(x - whole[name][corner]).max() > (0 if dim == 3 else 1e-14)]
    moved = [name for name, x in whole.items() if numpy.abs(x).max() > 1e-6]
    check(not wrong and len(part) == 38, f"{dim}D: {len(part)} components of a part are those of the whole; others: {wrong}")
    check(len(moved) == (38 if dim == 3 else 29), f"{dim}D: {len(moved)} components are not 0; in 2D D_z leaves nine at 0")
    if dim == 2:
        polar = fields(dim, n // 2, 0, faces, axial=False)
        away = numpy.abs(polar["B_z"] - whole["B_z"][corner]).max()
        check(away > 1e-3, f"without `axial` it is another solution, away by {away:.1e}")
finish()
