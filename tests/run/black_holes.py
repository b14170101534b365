#!/usr/bin/env python3
"""BSSN evolves exact solutions: a gauge wave with a known error, orders of convergence, a weak wave, and noise on flat space, which must not grow.
Bits are the same on 1, 2 and 4 processes; a mirror device (CEREUS_ACTIVATE) and an audit find the same.

Known errors of the gauge wave: two independent programs (50 points, RK4, dt = h/4, dissipation 0.1), which differ less.
With --long (CEREUS_LONG=1) for longer and on finer grids, some 40 minutes on one core.
Mutations tried, of order 4, with what fails: det g = 1 and tr A = 0 after each stage, with which RK4 converges in dt at order 2 only
(gauge wave, A = 0.1, order 8, with --long: 4.7e-7); D_t K without A_ij A^ij, and V^i without D_j K (gauge wave: errors of 1e-4 and 0.02); no dissipation (noise);
the harmonic shift with the other sign before D_j alpha, or with 0.999 N^i (shifted gauge wave); differences of order 4 for 8 (linear wave);
a reach one too small (kernel.cpp: the code does not compile).
"""
import os

import h5py
import numpy
from _physics import DIMENSIONS, bits, check, finish, order_of, rows, run

COMMON = """
thorns: [UniGrid, Time, MoL, Reduce, IOASCII, IOHDF5, ADMBase{data}, BSSN]
Cereus: {{iterations: {steps}{cereus}}}
UniGrid: {{cells: [{n}, 6, 6], lower: [-0.5, {low}, {low}], upper: [0.5, {high}, {high}]}}
Time: {{dt: {dt}}}
{more}
BSSN: {{order: {order}, {bssn}}}
IOHDF5: {{variables: [{fields}], every: {every}}}
IOASCII: {{variables: [BSSN::H], reductions: [norm2], every: {every}}}
"""
WAVE = "slicing: harmonic, shift: zero, startlapse: given, diss: {}"


def evolve(n, order, steps, dt, bssn, more, data=", ExactMetrics", fields="ADMBase::gxx, ExactMetrics::metric_xx", processes=1, cereus="", every=None, text=""):
    """`text`: equations, interpreted in the place of BSSN."""
    half = 3 / n
    body = COMMON.format(n=n, order=order, steps=steps, dt=repr(dt), bssn=bssn, more=more, data=data, fields=fields, low=-half, high=half,
                         cereus=cereus + (", compile: false" if text else ""), every=every or steps)
    if text:
        body = "equations: |\n" + "".join(f"  {line}\n" for line in text.splitlines()) + body.replace(", BSSN]", "]").replace("BSSN", "Other")
    return run(body, processes)


def error(folder, step, name="xx"):
    with h5py.File(os.path.join(folder, f"run_{step:08d}.hdf")) as f:
        meshes = f[f"data/{step}/meshes"]
        return numpy.sqrt(numpy.mean((meshes[f"ADMBase__g{name}"][()] - meshes[f"ExactMetrics__metric_{name}"][()]) ** 2))


if 3 not in DIMENSIONS:
    finish("the kernels are of three dimensions")

with open(os.path.join(os.environ["CEREUS_SOURCE"], "thorns/BSSN/equations.edl")) as f:
    TEXT = f.read().replace("thorn BSSN", "thorn Other")
LONG = os.environ.get("CEREUS_LONG") == "1"
gauge, strong = ("ExactMetrics: {data: GaugeWave, amp: %s}" % a for a in (0.01, 0.1))
TIMES = {4: {1: 2.1e-7, 10: 2.3e-6, 100: 8.9e-5}, 8: {1: 3.6e-10, 10: 3.6e-9, 100: 3.6e-8, 150: 5.5e-8}}  # t, error
for order, errors in TIMES.items():
    errors = {t: known for t, known in errors.items() if LONG or t == 1}
    folder = evolve(50, order, 200 * max(errors), 0.005, WAVE.format(0.1), gauge, every=200)
    for t, known in errors.items():
        found = error(folder, 200 * t)
        check(abs(found - known) < 0.1 * known, f"gauge wave, order {order}, t = {t}: {found:.3g}, known {known:.3g}")
for order, n, known in ((4, 50, 1.50e-4), (4, 100, 9.37e-6), (4, 200, 5.86e-7), (8, 50, 7.7e-8)):
    if not LONG:
        continue
    found = error(evolve(n, order, 40 * n, 0.25 / n, WAVE.format(0.1), strong), 40 * n)
    check(abs(found - known) < 0.1 * known, f"gauge wave, A = 0.1, order {order}, {n} points, t = 10: {found:.3g}, known {known:.3g}")

for order, least in ((4, 3.9), (6, 5.9), (8, 6.2)):  # at order 8 the errors of RK4 show
    coarse, fine = (error(evolve(n, order, 2 * n, 0.1 / n, WAVE.format(0), gauge), 2 * n) for n in (32, 64))
    measured = order_of(coarse, fine)
    check(least < measured < order + 0.3, f"gauge wave, order {order}: measured {measured:.2f} ({coarse:.2g}, {fine:.2g})")

linear = "ExactMetrics: {data: LinearWave, amp: 1e-8}"
fields = "ADMBase::gyy, ExactMetrics::metric_yy"
for order, points, c in ((4, 16, 4), (6, 8, 10), (8, 6, 25)):  # few points, small steps: rounding leaves 1e-15
    coarse, fine = (error(evolve(n, order, c * n, 1 / (c * n), "startlapse: given, diss: 0", linear, fields=fields), c * n, "yy") for n in (points, 2 * points))
    check(abs(order_of(coarse, fine) - order) < 0.3, f"linear wave, order {order}: measured {order_of(coarse, fine):.2f}")

# Harmonic slicing and harmonic shift, by another equation in the text: both hold for this wave.
shifted = TEXT.replace("mu B^i : 0 B^i", "mu B^i : alpha^2 W^2 (N^i + g^ij D_j W / W) - alpha W^2 g^ij D_j alpha")
moving = "startshift: given, " + WAVE.format(0)
coarse, fine = (error(evolve(n, 4, 2 * n, 0.25 / n, moving, "ExactMetrics: {data: ShiftedGaugeWave}", text=shifted), 2 * n) for n in (16, 32))
check(shifted != TEXT and abs(order_of(coarse, fine) - 4) < 0.3, f"shifted gauge wave, order 4: measured {order_of(coarse, fine):.2f} ({coarse:.2g}, {fine:.2g})")

# Geodesic slicing: E. Kasner, Am. J. Math. 43 (1921) 217: ds² = −dt² + Σ t^(2p) dx², Σ p = Σ p² = 1; from t = 1 to 2.
KASNER = """
equations: |
  thorn Kasner "Space that expands along two axes"
  dimensions 3
  foreign ADMBase: gamma_(ij) as g, curv_(ij) as k, lapse as alp, shift_i as beta
  initial on everywhere
    gamma_ij = delta_ij
    lapse = 1/2, shift_i = 0
    curv_11 = -2/3, curv_22 = -2/3, curv_33 = 1/3, curv_12 = 0, curv_13 = 0, curv_23 = 0
"""
errors = []
for steps in (32, 64):
    folder = evolve(6, 4, steps, 1 / steps, "slicing: geodesic, shift: zero, startlapse: one", KASNER, data="", fields="ADMBase::gxx, ADMBase::gzz, ADMBase::alp")
    with h5py.File(os.path.join(folder, f"run_{steps:08d}.hdf")) as f:
        found = {name: f[f"data/{steps}/meshes/ADMBase__{name}"][()] for name in ("gxx", "gzz", "alp")}
    check((found["alp"] == 1).all(), "geodesic slicing: the lapse stays 1")
    errors.append(max(abs(found["gxx"] - 2 ** (4 / 3)).max(), abs(found["gzz"] - 2 ** (-2 / 3)).max()))
check(abs(order_of(*errors) - 4) < 0.3, f"Kasner's space, RK4: measured {order_of(*errors):.2f} ({errors[0]:.2g}, {errors[1]:.2g})")

# Minkowski's space stays exactly as it is.
with h5py.File(os.path.join(evolve(16, 8, 8, 0.01, "diss: 0.2", "ExactMetrics: {data: Minkowski}", fields="BSSN::geometry"), "run_00000008.hdf")) as f:
    worst = max(abs(f["data/8/meshes"][name][()] - (name in ("BSSN__W", "BSSN__g_xx", "BSSN__g_yy", "BSSN__g_zz"))).max() for name in f["data/8/meshes"])
check(worst < 5e-18, f"flat space stays flat: {worst:.1e}")

# Robust stability: noise on flat space.
NAMES = [f"gamma_{c}" for c in (11, 12, 13, 22, 23, 33)] + [f"curv_{c}" for c in (11, 12, 13, 22, 23, 33)] + ["lapse", "shift_1", "shift_2", "shift_3"]
NOISE = """
equations: |
  thorn Noise "Flat space with noise"
  dimensions 3
  parameter
    amp = 1e-10  "Half the range of the noise"
  foreign ADMBase: gamma_(ij) as g, curv_(ij) as k, lapse as alp, shift_i as beta
  initial
""" + "".join(f"""    {name} = {int(name in ("gamma_11", "gamma_22", "gamma_33", "lapse"))} + amp (2 noise({n}) - 1)
""" for n, name in enumerate(NAMES))
for rho, crossings in ((1, 100), (2, 100), (4, 5)) if LONG else ((1, 3),):
    steps = 200 * rho * crossings
    folder = evolve(50 * rho, 4, steps, 0.005 / rho, "eta: 2, startlapse: given, startshift: given, diss: 0.1",
                    NOISE.replace("1e-10", f"{1e-10 / rho**2}"), data="", fields="", every=steps // 5)
    norms = [row[-1] for row in rows(folder, "bssn-constraints.norm2.asc")]
    check(norms[-1] < 0.2 * norms[0] and norms == sorted(norms, reverse=True),
          f"noise on {50 * rho} points is damped in {crossings} crossings: {norms[0]:.2g} to {norms[-1]:.2g}, {[f'{x:.1e}' for x in norms]}")

reference = evolve(24, 6, 5, 0.01, WAVE.format(0.1), gauge, fields="BSSN::geometry, BSSN::gauge")
for processes in (2, 4):
    same = bits(reference, 5) == bits(evolve(24, 6, 5, 0.01, WAVE.format(0.1), gauge, fields="BSSN::geometry, BSSN::gauge", processes=processes), 5)
    check(same, f"the same bits on {processes} processes")
audited = evolve(24, 6, 5, 0.01, WAVE.format(0.1), gauge, fields="BSSN::geometry, BSSN::gauge", cereus=", audit: true")
check(bits(reference, 5) == bits(audited, 5), "an audit finds nothing, and the same bits")
finish()
