#!/usr/bin/env python3
"""Norms of constraints under a mask: those of numpy from H, M_i and the metric at all points; they fall at the order of the differences where the ones without
a mask, which know the hole, do not.

Mutations tried, in equations.edl, with what fails: W^2 for W^3 in H2, counts without `second`, r2 >= outer^2, square = W g^ij M_i M_j, H for abs(H)
(norms).
"""
import os

import h5py
import numpy as np
from _physics import DIMENSIONS, check, finish, order_of, rows, run

PARFILE = """
thorns: [UniGrid, Time, MoL, Boundary, Reduce, IOASCII, IOHDF5, ADMBase, ExactMetrics, BSSN, Constraints]
Cereus: {{iterations: 0}}
UniGrid: {{cells: [{n}, {n}, {n}], lower: -2, upper: 2.125, periodic: false}}
Boundary: {{all: radiation}}
Time: {{dt: 0.1}}
ExactMetrics: {{data: KerrSchild, mass: 0.3, spin: 0.1, place: [0.03, 0.03, 0.53]}}
BSSN: {{order: 4, startlapse: given, startshift: given}}
Constraints: {{inner: 0.3, outer: 1.3, radius1: 0.5, place1: [0.03, 0.03, 0.53], radius2: 0.4, place2: [0.03, 0.03, -0.57]}}
IOASCII: {{variables: ["Constraints::*"], reductions: [average, maximum], every: 1}}
IOHDF5: {{variables: ["BSSN::constraints", "BSSN::geometry"], every: 1}}
"""


def norms(n):
    """‖H‖ and ‖M‖, by the thorn and by numpy; largest |H| and |M| by both; the largest |H| of all."""
    folder = run(PARFILE.format(n=n))
    _, _, h2, m2, volume = rows(folder, "constraints-squares.average.asc")[-1]
    _, _, *largest = rows(folder, "constraints-sizes.maximum.asc")[-1]
    with h5py.File(os.path.join(folder, "run_00000000.hdf")) as f:
        u = {name.split("__")[1]: v[()] for name, v in f["data/0/meshes"].items()}
    axis = -2 + 4.125 * np.arange(n + 1) / n
    z, y, x = np.meshgrid(axis, axis, axis, indexing="ij")
    r = np.sqrt(x**2 + y**2 + z**2)
    away = lambda c: np.sqrt((x - 0.03) ** 2 + (y - 0.03) ** 2 + (z - c) ** 2)
    counts = (r >= 0.3) & (r <= 1.3) & (away(0.53) >= 0.5) & (away(-0.57) >= 0.4)
    g = np.array([[u["g_" + "".join(sorted(a + b))] for b in "xyz"] for a in "xyz"])
    inverse = np.linalg.inv(np.moveaxis(g, (0, 1), (-2, -1)))
    m = np.stack([u["M_" + a] for a in "xyz"], -1)
    squared = u["W"] ** 2 * np.einsum("...i,...ij,...j", m, inverse, m)
    element = u["W"] ** -3.0
    mean = lambda v: np.sqrt((v * element)[counts].sum() / element[counts].sum())
    return (np.sqrt(h2 / volume), np.sqrt(m2 / volume), *largest), (mean(u["H"] ** 2), mean(squared), abs(u["H"])[counts].max(), np.sqrt(squared[counts].max())), abs(u["H"]).max()


if 3 not in DIMENSIONS:
    finish("the kernels are of three dimensions")
found = {n: norms(n) for n in (33, 66)}
for n, (thorn, numpy, _) in found.items():
    worst = max(abs(a - b) / max(b, 1e-12) for a, b in zip(thorn, numpy))
    check(worst < 1e-10, f"{n} cells: ‖H‖ = {thorn[0]:.3g}, ‖M‖ = {thorn[1]:.1g}, largest {thorn[2]:.3g}; numpy differs by {worst:.1e}")
order, bare = order_of(found[33][0][0], found[66][0][0]), order_of(found[33][2], found[66][2])
check(order > 3.5 and bare < 1, f"‖H‖ falls at order {order:.2f} under the mask; the largest |H| of all at {bare:.2f}")
finish()
