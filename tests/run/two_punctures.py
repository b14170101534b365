#!/usr/bin/env python3
"""TwoPunctures on a grid: the masses of QC-0, K_ij against Bowen and York's formula, constraints that vanish at the order of BSSN's differences, the same
bits on 1, 2 and 4 processes and on a device's mirror, holes along any direction, and a message for each thing that cannot be.

Sources: J. Baker et al., Phys. Rev. D 65 (2002) 124012 (QC-0, whose masses several codes agree on: thorns/TwoPunctures/tests/solver_test.cpp); J. M. Bowen and
J. W. York, Phys. Rev. D 21 (1980) 2047.

Mutations tried: in kernels.hpp ψ³ for ψ⁴ (formula, constraints), the wave cos φ left out (H); in bowen_york.hpp the sign of n × S (formula; constraints see
no difference, as it is one of S); in kernels.hpp x for frame.seen(x) (holes along other
directions).
"""
import os

import h5py
import numpy as np
from _physics import DIMENSIONS, bits, check, fails, finish, order_of, rows, run

PARFILE = """
thorns: [UniGrid, Time, Reduce, IOASCII, IOHDF5, ADMBase, TwoPunctures{thorns}]
Cereus: {{iterations: 0}}
UniGrid: {{cells: {cells}, lower: {lower}, upper: {upper}, periodic: false}}
TwoPunctures: {{{two}}}
IOHDF5: {{variables: [{variables}], every: 1}}
IOASCII: {{variables: ["TwoPunctures::*"]}}
{more}"""
ADM = "ADMBase::metric, ADMBase::curv, ADMBase::lapse, ADMBase::shift"
UNEQUAL = ("half_distance: 0.9, mass_plus: 0.6, mass_minus: 0.3, centre: [0.05, -0.1, 0.03], momentum_plus: [-0.01, 0.2, 0.05], "
           "momentum_minus: [0.01, -0.2, -0.05], spin_plus: [0.1, -0.05, 0.2], spin_minus: [0, 0.03, -0.04]")


def parfile(two="", variables=ADM, cells=(6, 7, 8), lower=(-1.9, -0.9, -0.8), upper=(2.1, 1.1, 1.0), thorns="", more=""):
    return PARFILE.format(two=two, variables=variables, cells=list(cells), lower=list(lower), upper=list(upper), thorns=thorns, more=more)


def fields(folder):
    with h5py.File(os.path.join(folder, "run_00000000.hdf")) as f:
        return {name.split("__")[1]: values[()] for name, values in f["data/0/meshes"].items()}


def bowen_york(x, b, momenta, spins):
    """Ā_ij at points x (…, 3)."""
    total = 0
    for place, p, s in zip((b, -b), np.array(momenta), np.array(spins)):
        d = x - np.array([place, 0, 0])
        r = np.sqrt((d**2).sum(-1))[..., None, None]
        n = d / r[..., 0]
        outer = lambda a, c: a[..., :, None] * c[..., None, :]
        pn, turn = outer(p + 0 * n, n), outer(np.cross(n, s), n)
        along = (n @ p)[..., None, None]
        total = total + 1.5 / r**2 * (pn + pn.swapaxes(-1, -2) - (np.eye(3) - outer(n, n)) * along) - 3 / r**3 * (turn + turn.swapaxes(-1, -2))
    return total


def formulas():
    folder = run(parfile(UNEQUAL))
    found = fields(folder)
    axes = [np.linspace(a, b, n + 1) for n, a, b in zip((6, 7, 8), (-1.9, -0.9, -0.8), (2.1, 1.1, 1.0))]
    z, y, x = np.meshgrid(*axes[::-1], indexing="ij")
    wanted = bowen_york(np.stack([x - 0.05, y + 0.1, z - 0.03], -1), 0.9, [[-0.01, 0.2, 0.05], [0.01, -0.2, -0.05]], [[0.1, -0.05, 0.2], [0, 0.03, -0.04]])
    psi = found["gxx"] ** 0.25
    worst = max(np.abs(found["k" + "xyz"[i] + "xyz"[j]] * psi**2 - wanted[..., i, j]).max() for i in range(3) for j in range(i, 3)) / np.abs(wanted).max()
    check(worst < 1e-13, f"K_ij is ψ^(-2) times the formula of Bowen and York to {worst:.1e}")
    flat = all((found[a] == found["gxx"]).all() for a in ("gyy", "gzz")) and not any(found[a].any() for a in ("gxy", "gxz", "gyz", "betax", "betay", "betaz"))
    check(flat and np.abs(found["alp"] * psi**2 - 1).max() < 1e-14 and psi.min() > 1, "the metric is conformally flat, the lapse ψ^(-2), the shift 0")
    check((fields(run(parfile("lapse: one")))["alp"] == 1).all(), "the lapse is 1 if asked for")
    same = bits(folder, 0)
    check(all(bits(run(parfile(UNEQUAL), n), 0) == same for n in (2, 4)), "the same bits on 2 and 4 processes")
    mirror = fields(run(parfile(UNEQUAL, thorns=", Accelerator, AcceleratorMirror")))
    check(all((mirror[name] == values).all() for name, values in found.items()), "the same bits on a mirror of a device")


def masses():
    names = ("adm_mass", "mass_plus", "mass_minus", "bare_plus", "bare_minus")
    got = dict(zip(names, rows(run(parfile()), "twopunctures-masses_found..asc")[0][-5:]))
    check(abs(got["adm_mass"] - 1.007876440660) < 1e-9, f"QC-0 has the mass {got['adm_mass']:.12f}")
    check(max(abs(got[n] - 0.516817388675) for n in names[1:3]) < 1e-8, f"its punctures {got['mass_plus']:.12f} and {got['mass_minus']:.12f}")
    got = dict(zip(names, rows(run(parfile("masses: puncture, mass_plus: 0.6, mass_minus: 0.4, points: [20, 20, 8]")), "twopunctures-masses_found..asc")[0][-5:]))
    check(max(abs(got["mass_plus"] - 0.6), abs(got["mass_minus"] - 0.4)) < 1e-11, "punctures have the masses that were asked for")


def turned():
    """The pair along −x, y and (3, 4, 0): the data of the pair along x, with coordinates, momenta, spins and K_ij turned. Points go to points: about z those of
    (5a, 5b) to (3a − 4b, 4a + 3b). On the line through the holes the expansion depends on the angle a little: not looked at."""
    momenta, spins = np.array([[-0.01, 0.2, 0.05], [0.01, -0.2, -0.05]]), np.array([[0.1, -0.05, 0.2], [0, 0.03, -0.04]])
    h, n = 0.25, 10

    def data(turn):
        vectors = {"direction": turn[:, 0], "momentum_plus": turn @ momenta[0], "momentum_minus": turn @ momenta[1], "spin_plus": turn @ spins[0], "spin_minus": turn @ spins[1]}
        two = ", ".join(f"{name}: {v.tolist()}" for name, v in vectors.items()) + ", half_distance: 0.9, mass_plus: 0.6, mass_minus: 0.3, points: [28, 28, 12]"
        folder = run(parfile(two, cells=[2 * n] * 3, lower=[-n * h] * 3, upper=[n * h] * 3))
        found = fields(folder)
        k = np.array([[found["k" + min(a, b) + max(a, b)].T for b in "xyz"] for a in "xyz"])  # [i][j][x][y][z]
        return found["gxx"].T, k, rows(folder, "twopunctures-masses_found..asc")[0][-5]

    metric, k, mass = data(np.eye(3))
    all_points = np.stack(np.meshgrid(*[np.arange(-n, n + 1)] * 3, indexing="ij"), -1).reshape(-1, 3)
    for what, turn in (("(3, 4, 0)", np.array([[3, -4, 0], [4, 3, 0], [0, 0, 5]]) / 5), ("−x", np.diag([-1.0, -1, 1])), ("y", np.roll(np.eye(3), 1, axis=0))):
        to = all_points @ turn.T
        kept = (abs(to - to.round()) < 1e-9).all(1) & (abs(to) < n + 0.1).all(1) & all_points[:, 1:].any(1)
        at, of = tuple((to[kept].round().astype(int) + n).T), tuple((all_points[kept] + n).T)
        g, turned_k, got = data(turn)
        worst = abs(g[at] / metric[of] - 1).max()
        of_k = abs(turned_k[(..., *at)] - np.einsum("ia,jb,abp->ijp", turn, turn, k[(..., *of)])).max() / abs(k).max()
        check(kept.sum() > 100 and max(worst, of_k) < 1e-9, f"along {what}: the metric of holes along x, turned, to {worst:.1e}, K_ij to {of_k:.1e}, at {kept.sum()} points")
        check(abs(got - mass) < 1e-10, f"along {what}: M_ADM is the same to {abs(got - mass):.1e}")
    tracked = "Interpolate: {order: 1}\nBoundary: {all: extrapolate}\nPunctureTracker: {shift: [\"ADMBase::betax\", \"ADMBase::betay\", \"ADMBase::betaz\"]}\n"
    start = rows(run(parfile("direction: [0, 3, 4], half_distance: 0.5, points: [6, 6, 4], centre: [0.1, 0.05, 0]", thorns=", Boundary, Interpolate, PunctureTracker", more=tracked)),
                 "punctures.asc")[0][2:]
    check(np.allclose(start, [0.1, 0.35, 0.4, 0.1, -0.25, -0.4], atol=1e-14), f"PunctureTracker starts there: {start}")


def constraints(n):
    """Largest H and M_i in a box beside both holes, away from its faces."""
    folder = run(parfile(UNEQUAL + ", points: [32, 32, 14]", "BSSN::constraints", [n] * 3, [-1.2, 0.2, -0.3], [0.4, 1.8, 1.3], ", MoL, Boundary, BSSN",
                         "Boundary: {all: radiation}\nBSSN: {order: 4, startlapse: given, startshift: given}\n"))
    middle = (slice(n // 4, 3 * n // 4 + 1),) * 3
    found = {name: np.abs(values[middle]).max() for name, values in fields(folder).items()}
    return found["H"], max(found[f"M_{c}"] for c in "xyz")


def refused(two, code, *said, **more):
    rc, text = fails(parfile(two, **more))
    check(rc == code and all(s in text for s in said), f"{two or more} ends with {code}: " + text.strip().splitlines()[-1][:150])


if 3 not in DIMENSIONS:
    finish("the kernels are of three dimensions")
masses()
formulas()
turned()
for what, coarse, fine in zip("HM", constraints(24), constraints(48)):
    check(abs(order_of(coarse, fine) - 4) < 0.3, f"{what} vanishes at order {order_of(coarse, fine):.2f} of 4 ({coarse:.2g}, {fine:.2g})")
refused("half_distance: 1", 1, "run.yaml", "(1, 0, 0) is a point of the grid", cells=[8, 8, 8], lower=[-2, -2, -2], upper=[2, 2, 2])
refused("half_distance: 0", 1, "run.yaml", "half_distance", "> 0")
refused("direction: [0, 3, 4], half_distance: 2.5", 1, "run.yaml", "(0, 1.5, 2) is a point of the grid", cells=[8, 8, 8], lower=[-2, -2, -2], upper=[2, 2, 2])
refused("direction: [0, 0, 0]", 1, "run.yaml", "is no direction")
refused("direction: [1, 1, 0]", 1, "run.yaml", "reflected in x = 0, where", "(direction)", thorns=", Boundary", more="Boundary: {all: extrapolate, x_lower: reflect}\n", lower=[0, -1, -1])
refused("momentum_plus: [0, 0.3]", 1, "run.yaml", "must be a list of 3 numbers, not 2")
for half, warns in ((40, True), (1.5, False)):  # one is inside
    code, said = fails(parfile(f"half_distance: {half}, centre: [0.7, 0.03, 0.02], points: [6, 6, 4]"))
    check(code == 0 and ("both punctures lie outside of the domain" in said) == warns, f"{half}: {'a' if warns else 'no'} warning of holes outside")
refused("points: [20, 20, 7]", 1, "run.yaml", "must be even")
refused("mass_plus: 0", 1, "run.yaml", "without mass")
refused("masses: puncture, mass_plus: 1, spin_plus: [0, 0, 2], points: [16, 16, 6]", 3, "no bare masses")
refused("mass_plus: 1e-9, mass_minus: 1e-9, momentum_plus: [0, 1e9, 0], points: [8, 8, 4]", 3, "does not converge")
refused("", 1, "three dimensions", cells=[8, 8], lower=[-1.9, -2], upper=[2, 2])
finish()
