#!/usr/bin/env python3
"""Ψ4 and the invariants of WeylScalars on a Kerr hole converge to their exact values at the order of the differences; on the axis and at the origin they are
numbers, the limits at φ = 0.

Exact values: Ψ4 = -R_abcd n^a m̄^b n^c m̄^d with the Riemann tensor of the metric of four dimensions (C. W. Misner, K. S. Thorne and J. A. Wheeler,
Gravitation, (14.21b)), whose first derivatives are complex steps and second ones differences of these, of order 8 and step 0.02; I = 3 Ψ2², J = -Ψ2³, Ψ2 = -M / (r - i a cos θ)³.
No formula of 3 + 1 dimensions is used.

Mutations tried, in equations.edl, with what fails: 0.99 L_mij C^m_kl or 0.99 curv_ik curv_jl in E_ij, + C^p_mj in turn_ij, B_ij with the other sign (all);
s^i r^j for s^i f^j in Psi4i (Ψ4); -1/3 for -1/6 in Jr (J); Ii with the other sign (I); no `least` for the parallel (on the axis: not a number).
"""
import os

import h5py
import numpy as np
from _physics import DIMENSIONS, check, finish, order_of, run

MASS, SPIN = 0.9, 0.6
PARFILE = """
thorns: [UniGrid, Time, Boundary, IOHDF5, ADMBase, ExactMetrics, WeylScalars]
Cereus: {{iterations: 0}}
UniGrid: {{cells: {cells}, lower: {lower}, upper: {upper}, periodic: false}}
Time: {{dt: 0.1}}
ExactMetrics: {{data: KerrSchild, mass: {mass}, spin: {spin}, place: {place}}}
Boundary: {{all: fixed}}
WeylScalars: {{order: {order}}}
IOHDF5: {{variables: ["WeylScalars::psi4", "WeylScalars::invariants"], every: 1}}
"""


def radius(x, y, z):
    b = x**2 + y**2 + z**2 - SPIN**2
    return np.sqrt((b + np.sqrt(b**2 + 4 * SPIN**2 * z**2)) / 2)


def metric(x):
    """g_ab at points [3, n], as [n, 4, 4]."""
    x, y, z = x
    r = radius(x, y, z)
    k = np.array([np.ones_like(r), (r * x + SPIN * y) / (r**2 + SPIN**2), (r * y - SPIN * x) / (r**2 + SPIN**2), z / r])
    return np.diag([-1.0, 1, 1, 1]) + np.einsum("n,an,bn->nab", 2 * MASS * r**3 / (r**4 + SPIN**2 * z**2), k, k)


def slopes(x):
    """∂_c g_ab as [n, a, b, c]."""
    d = [np.zeros_like(metric(x))]
    for axis in range(3):
        step = np.zeros((3, 1), complex)
        step[axis] = 1e-40j
        d.append(metric(x + step).imag / 1e-40)
    return np.stack(d, -1)


def riemann(x):
    """R_abcd."""
    h, weights = 0.02, {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
    g, first = metric(x), slopes(x)
    second = [np.zeros_like(first)]
    for e in np.eye(3):
        at = lambda m: slopes(x + m * h * e[:, None])
        second.append(sum(w * (at(m) - at(-m)) for m, w in weights.items()) / h)
    second = np.stack(second, -1)  # [n, a, b, c, d] = ∂_c ∂_d g_ab
    lower = (np.einsum("nabc->nabc", first) + np.einsum("nacb->nabc", first) - np.einsum("nbca->nabc", first)) / 2  # Γ_abc
    upper = np.einsum("nae,nebc->nabc", np.linalg.inv(g), lower)
    bent = (np.einsum("nadbc->nabcd", second) + np.einsum("nbcad->nabcd", second) - np.einsum("nbdac->nabcd", second) - np.einsum("nacbd->nabcd", second)) / 2
    return bent + np.einsum("nebc,nead->nabcd", lower, upper) - np.einsum("nebd,neac->nabcd", lower, upper)


def exact(x, place):
    """Ψ4 with the tetrad of spheres around the origin, I and J, at points [3, n]."""
    at = x - np.array(place)[:, None]
    g = metric(at)
    inverse = np.linalg.inv(g)
    alpha = (-inverse[:, 0, 0]) ** -0.5
    normal = -alpha[:, None] * inverse[:, 0, :]
    dot = lambda a, b: np.einsum("nij,ni,nj->n", g, a, b)
    unit = lambda a: a / np.sqrt(dot(a, a))[:, None]
    space = lambda *a: np.stack([0 * x[0], *np.broadcast_arrays(*a)], -1)
    axis, origin = np.hypot(x[0], x[1]) < 1e-9, np.sqrt((x**2).sum(0)) < 1e-9
    e_r = unit(space(x[0], x[1], np.where(origin, 1, x[2])))
    e_f = space(np.where(axis, 0, -x[1]), np.where(axis, 1, x[0]), 0 * x[0])
    e_f = unit(e_f - dot(e_f, e_r)[:, None] * e_r)
    volume = np.sqrt(np.linalg.det(g[:, 1:, 1:]))
    e_t = np.zeros_like(normal)
    e_t[:, 1:] = volume[:, None] * np.einsum("nij,nj->ni", np.linalg.inv(g[:, 1:, 1:]), np.cross(e_f[:, 1:], e_r[:, 1:]))
    n, m = (normal - e_r) / np.sqrt(2), (e_t - 1j * e_f) / np.sqrt(2)
    psi2 = -MASS / (radius(*at) - 1j * SPIN * at[2] / radius(*at)) ** 3
    return -np.einsum("nabcd,na,nb,nc,nd->n", riemann(at), n, m, n, m), 3 * psi2**2, -psi2**3


def errors(order, n, lower, place=(0, 0, 0)):
    """Largest errors of Ψ4, I and J at the points of a unit box that a grid of n / 2 cells has, too."""
    folder = run(PARFILE.format(cells=[n] * 3, lower=list(lower), upper=[a + 1 for a in lower], order=order, mass=MASS, spin=SPIN, place=list(place)))
    with h5py.File(os.path.join(folder, "run_00000000.hdf")) as f:
        found = {name.split("__")[1]: v[()][::n // 10, ::n // 10, ::n // 10].ravel() for name, v in f["data/0/meshes"].items()}
    z, y, x = np.meshgrid(*(a + np.arange(11) / 10 for a in lower[::-1]), indexing="ij")
    wanted = exact(np.array([x.ravel(), y.ravel(), z.ravel()]), place)
    return [np.abs(found[name + "r"] + 1j * found[name + "i"] - w).max() for name, w in zip(("Psi4", "I", "J"), wanted)]


if 3 not in DIMENSIONS:
    finish("the kernels are of three dimensions")
for order in (4, 6, 8):
    coarse, fine = (errors(order, n, (1.5, 0.5, 1)) for n in (10, 20))
    for what, a, b in zip(("Ψ4", "I", "J"), coarse, fine):
        check(order - 0.35 < order_of(a, b) < order + 0.5, f"{what} at order {order}: measured {order_of(a, b):.2f} ({a:.2g}, {b:.2g})")
for where, lower, place in (("on the axis", (-0.5, -0.5, 1.5), (0, 0, 0)), ("at the origin, which is not the hole's place", (-0.5, -0.5, -0.5), (2.5, 0, 0))):
    coarse, fine = (errors(4, n, lower, place) for n in (10, 20))
    for what, a, b in zip(("Ψ4", "I", "J"), coarse, fine):
        check(3.6 < order_of(a, b) < 4.5, f"{what} {where}: measured {order_of(a, b):.2f} of 4 ({a:.2g}, {b:.2g})")
finish()
