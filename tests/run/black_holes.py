#!/usr/bin/env python3
"""BSSN evolves exact solutions: a gauge wave with a known error, orders of convergence, a weak wave, and noise on flat space, which must not grow.
Bits are the same on 1, 2 and 4 processes; a mirror device (CEREUS_ACTIVATE) and an audit find the same.

Known errors of the gauge wave: two independent programs (A = 0.01, 50 points, RK4, dt = h/4, dissipation 0.1), which differ less.
Mutations tried, of order 4, with what fails: D_t K without A_ij A^ij, and V^i without D_j K (gauge wave: errors of 1e-4 and 0.02); no dissipation (noise);
a reach one too small (kernel.cpp: the code does not compile).
"""
import os
import sys

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
IOHDF5: {{variables: [{fields}], every: {steps}}}
IOASCII: {{variables: [BSSN::H], reductions: [norm2], every: {steps_of_norm}}}
"""
WAVE = "slicing: harmonic, shift: zero, startlapse: given, diss: {}"


def evolve(n, order, steps, dt, bssn, more, data=", ExactMetrics", fields="ADMBase::gxx, ExactMetrics::metric_xx", processes=1, cereus="", steps_of_norm=None):
    half = 3 / n
    return run(COMMON.format(n=n, order=order, steps=steps, dt=repr(dt), bssn=bssn, more=more, data=data, fields=fields, low=-half, high=half,
                             cereus=cereus, steps_of_norm=steps_of_norm or steps), processes)


def error(folder, step, name="xx"):
    with h5py.File(os.path.join(folder, f"run_{step:08d}.hdf")) as f:
        meshes = f[f"data/{step}/meshes"]
        return numpy.sqrt(numpy.mean((meshes[f"ADMBase__g{name}"][()] - meshes[f"ExactMetrics__metric_{name}"][()]) ** 2))


if 3 not in DIMENSIONS:
    finish("the kernels are of three dimensions")

gauge = "ExactMetrics: {data: GaugeWave, amp: 0.01}"
for order, known in ((4, 2.1e-7), (8, 3.6e-10)):
    found = error(evolve(50, order, 200, 0.005, WAVE.format(0.1), gauge), 200)
    check(abs(found - known) < 0.1 * known, f"gauge wave, order {order}, t = 1: {found:.3g}, known {known:.3g}")

for order, least in ((4, 3.9), (6, 5.9), (8, 6.2)):  # at order 8 the errors of RK4 show
    coarse, fine = (error(evolve(n, order, 2 * n, 0.1 / n, WAVE.format(0), gauge), 2 * n) for n in (32, 64))
    measured = order_of(coarse, fine)
    check(least < measured < order + 0.3, f"gauge wave, order {order}: measured {measured:.2f} ({coarse:.2g}, {fine:.2g})")

linear = "ExactMetrics: {data: LinearWave, amp: 1e-8}"
fields = "ADMBase::gyy, ExactMetrics::metric_yy"
coarse, fine = (error(evolve(n, 4, 4 * n, 0.25 / n, "startlapse: given, diss: 0", linear, fields=fields), 4 * n, "yy") for n in (16, 32))
check(abs(order_of(coarse, fine) - 4) < 0.3, f"linear wave, order 4: measured {order_of(coarse, fine):.2f}")

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
  initial on everywhere
""" + "".join(f"""    s{n} = 43758.5453 sin({n + 1} + 129.898 x + 782.33 y + 377.19 z)
    {name} = {int(name in ("gamma_11", "gamma_22", "gamma_33", "lapse"))} + amp (2 (s{n} - floor(s{n})) - 1)
""" for n, name in enumerate(NAMES))
crossings = int(sys.argv[1]) if len(sys.argv) > 1 else 5
steps = 200 * crossings
folder = evolve(50, 4, steps, 0.005, "eta: 2, startlapse: given, startshift: given, diss: 0.1", NOISE, data="", fields="", steps_of_norm=steps // 5)
norms = [row[-1] for row in rows(folder, "bssn-constraints.norm2.asc")]
check(norms[-1] < 0.2 * norms[0], f"noise is damped in {crossings} crossings: {norms[0]:.2g} to {norms[-1]:.2g}, {[f'{x:.1e}' for x in norms]}")

reference = evolve(24, 6, 5, 0.01, WAVE.format(0.1), gauge, fields="BSSN::geometry, BSSN::gauge")
for processes in (2, 4):
    same = bits(reference, 5) == bits(evolve(24, 6, 5, 0.01, WAVE.format(0.1), gauge, fields="BSSN::geometry, BSSN::gauge", processes=processes), 5)
    check(same, f"the same bits on {processes} processes")
audited = evolve(24, 6, 5, 0.01, WAVE.format(0.1), gauge, fields="BSSN::geometry, BSSN::gauge", cereus=", audit: true")
check(bits(reference, 5) == bits(audited, 5), "an audit finds nothing, and the same bits")
finish()
