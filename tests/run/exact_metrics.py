#!/usr/bin/env python3
"""ExactMetrics against the line elements of the papers: lapse, shift and γ_ij from the inverse of the 4-metric, K_ij = -1/2 £_n γ_ij with derivatives by
complex steps (J. N. Lyness and C. B. Moler, SIAM J. Numer. Anal. 4 (1967) 202), at the start in ADMBase and later in ExactMetrics; and the constraints
that BSSN finds on each, which vanish at the order of its differences.

Sources: waves, M. Alcubierre et al., Class. Quantum Grav. 21 (2004) 589, and M. C. Babiuc et al., 25 (2008) 125012; Kerr and Schild, M. Visser,
arXiv:0706.0622, (32) to (34); D. R. Brill and R. W. Lindquist, Phys. Rev. 131 (1963) 471.

Mutations tried, in equations.edl, with what fails (the comparison of that solution, of holes the constraints, too): the phase x + t; of K_ij a sign
(GaugeWave), 1/sqrt(1 + H) left out (ShiftedGaugeWave), 0.501 for 1/2 (LinearWave), a Christoffel symbol's sign or 0.9999 of it (KerrSchild); of γ_ij both
signs alike (LinearWave), the spin's sign in k_2, ψ³ for ψ⁴, twice the second mass; lapse 1 - H or 1/ψ; the shift's sign, or without 1 + 2H.
"""
import os

import h5py
import numpy as np
from _physics import DIMENSIONS, check, finish, order_of, run

NAMES = ("xx", "xy", "xz", "yy", "yz", "zz")
PAIRS = [("xyz".index(a), "xyz".index(b)) for a, b in NAMES]
FLAT = np.diag([-1.0, 1, 1, 1])


def null(h, k):
    """η + h k k of the components k, arrays of points."""
    return FLAT + np.einsum("...,a...,b...->...ab", h, k, k)


def diagonal(*g):
    return np.einsum("a...,ab->...ab", np.array(np.broadcast_arrays(*g)), np.eye(4))


def kerr_schild(x, y, z, mass, a):
    r = np.sqrt(x**2 + y**2 + z**2)  # above the root that is meant of r² + a² (1 - z²/r²) = x² + y² + z²
    for _ in range(60):
        r = r - (r**4 - r**2 * (x**2 + y**2 + z**2 - a**2) - a**2 * z**2) / (4 * r**3 - 2 * r * (x**2 + y**2 + z**2 - a**2))
    form = [1 + 0 * r, (r * x + a * y) / (r**2 + a**2), (r * y - a * x) / (r**2 + a**2), z / r]
    return null(2 * mass * r**3 / (r**4 + a**2 * z**2), np.array(form))


def wave(t, x):
    return 0.1 * np.sin(2 * np.pi * (x - t) / 0.8)


AT, OTHER = (0.1, -0.2, 0.3), (-0.3, 0.4, 0.2)  # of the holes
METRICS = {
    "Minkowski": lambda t, x, y, z: FLAT + 0 * wave(t, x)[..., None, None],
    "GaugeWave": lambda t, x, y, z: diagonal(wave(t, x) - 1, 1 - wave(t, x), 1, 1),
    "ShiftedGaugeWave": lambda t, x, y, z: null(wave(t, x), np.array([-1 + 0 * x, 1 + 0 * x, 0 * x, 0 * x])),
    "LinearWave": lambda t, x, y, z: diagonal(-1, 1, 1 + wave(t, x), 1 - wave(t, x)),
    "KerrSchild": lambda t, x, y, z: kerr_schild(x - AT[0], y - AT[1], z - AT[2], 0.9, 0.6),
}


def split(metric, *at):
    """Lapse, shift and γ_ij."""
    g = metric(*at)
    inverse = np.linalg.inv(g)
    return (-inverse[..., 0, 0]) ** -0.5, -inverse[..., 0, 1:] / inverse[..., :1, 0], g[..., 1:, 1:]


def exact(data, t, x, y, z):
    """Lapse, shift, γ_ij, K_ij."""
    if data == "BrillLindquist":
        psi = 1 + sum(m / 2 / np.sqrt((x - p[0]) ** 2 + (y - p[1]) ** 2 + (z - p[2]) ** 2) for m, p in ((0.9, AT), (0.5, OTHER)))
        gamma = psi[..., None, None] ** 4 * np.eye(3)
        return psi**-2, np.zeros(x.shape + (3,)), gamma, 0 * gamma
    at, step = [t + 0j, x, y, z], 1e-40j
    alpha, beta, gamma = (u.real for u in split(METRICS[data], *at))
    slopes = [[u.imag / 1e-40 for u in split(METRICS[data], *(u + step * (a == d) for a, u in enumerate(at)))] for d in range(4)]
    change = np.stack([s[1] for s in slopes[1:]], -2)  # ∂_i β^k as [i, k]
    lie = sum(beta[..., k, None, None] * slopes[k + 1][2] for k in range(3)) + np.einsum("...ik,...jk->...ij", change, gamma) + np.einsum("...jk,...ik->...ij", change, gamma)
    return alpha, beta, gamma, (lie - slopes[0][2]) / (2 * alpha[..., None, None])


COMMON = """
thorns: [UniGrid, Time, MoL, Boundary, IOHDF5, ADMBase, ExactMetrics{thorns}]
Cereus: {{iterations: {steps}}}
UniGrid: {{cells: {cells}, lower: {lower}, upper: {upper}, periodic: {periodic}}}
Time: {{dt: 0.1}}
ExactMetrics: {{data: {data}, amp: {amp}, length: 0.8, mass: 0.9, spin: 0.6, place: [0.1, -0.2, 0.3], mass2: 0.5, place2: [-0.3, 0.4, 0.2]}}
IOHDF5: {{variables: [{variables}], every: 3}}
"""


def fields(folder, step):
    with h5py.File(os.path.join(folder, f"run_{step:08d}.hdf")) as f:
        return {name: values[()] for name, values in f[f"data/{step}/meshes"].items()}


def compare(data):
    cells, lower, upper = [4, 5, 6], [-0.7, -0.9, -0.8], [1.1, 0.8, 1.3]
    folder = run(COMMON.format(thorns="", steps=3, cells=cells, lower=lower, upper=upper, periodic="false", data=data, amp=0.1,
                               variables="ADMBase::metric, ADMBase::curv, ADMBase::lapse, ADMBase::shift, ExactMetrics::exact"))
    x, y, z = (np.linspace(a, b, n + 1).reshape([-1 if d == axis else 1 for d in (2, 1, 0)]) for axis, (n, a, b) in enumerate(zip(cells, lower, upper)))
    x, y, z = np.broadcast_arrays(x, y, z)
    worst = {}
    for step, prefix in ((0, ("ADMBase__g", "ADMBase__k")), (3, ("ExactMetrics__metric_", "ExactMetrics__curvature_"))):
        found, (alpha, beta, gamma, bend) = fields(folder, step), exact(data, 0.1 * step, x, y, z)
        wanted = {p + name: tensor[..., i, j] for p, tensor in zip(prefix, (gamma, bend)) for name, (i, j) in zip(NAMES, PAIRS)}
        if step == 0:
            wanted |= {"ADMBase__alp": alpha} | {f"ADMBase__beta{'xyz'[i]}": beta[..., i] for i in range(3)}
        worst |= {name: np.abs(found[name] - values).max() / max(1, np.abs(values).max()) for name, values in wanted.items()}
    name = max(worst, key=worst.get)
    check(worst[name] < 1e-13 and len(worst) == 28, f"{data}: {len(worst)} fields, at t = 0 or 0.3, differ by {worst[name]:.1e} at most ({name})")


def constraints(data, n, amp, waves):
    """Largest H and M_i in the middle of a box, where no face is near, or in a periodic one."""
    half = 0.4 * 6 / n
    box = {"cells": [n, 6, 6], "lower": [-0.4, -half, -half], "upper": [0.4, half, half]} if waves else {"cells": [n] * 3, "lower": [0.6] * 3, "upper": [1.6] * 3}
    folder = run(COMMON.format(thorns=", BSSN", steps=0, periodic=str(waves).lower(), data=data, amp=amp, variables="BSSN::constraints", **box)
                 + "BSSN: {order: 4, startlapse: given, startshift: given}\n" + ("" if waves else "Boundary: {all: radiation}\n"))
    middle = (slice(None),) * 3 if waves else (slice(n // 4, 3 * n // 4 + 1),) * 3
    found = {name: np.abs(values[middle]).max() for name, values in fields(folder, 0).items()}
    return found["BSSN__H"], max(found[f"BSSN__M_{c}"] for c in "xyz")


if 3 not in DIMENSIONS:
    finish("the kernels are of three dimensions")
for data in [*METRICS, "BrillLindquist"]:
    compare(data)
for data in ("GaugeWave", "ShiftedGaugeWave", "KerrSchild", "BrillLindquist"):
    waves = data.endswith("Wave")
    coarse, fine = (constraints(data, n, 0.1, waves) for n in ((32, 64) if waves else (24, 48)))
    for what, a, b in zip("HM", coarse, fine):
        if a < 1e-15:
            check(b < 1e-15 and data == "BrillLindquist" and what == "M", f"{data}: {what} is 0, where K_ij is")
        else:
            check(abs(order_of(a, b) - 4) < 0.3, f"{data}: {what} vanishes at order {order_of(a, b):.2f} of 4 ({a:.2g}, {b:.2g})")
small = [constraints("LinearWave", 32, amp, True)[0] for amp in (2e-3, 1e-3)]
check(abs(order_of(*small) - 2) < 0.02, f"LinearWave: H falls with the square of the amplitude, power {order_of(*small):.3f}")
check(max(constraints("Minkowski", 12, 0.1, True)) == 0, "Minkowski: H and M are 0")
finish()
