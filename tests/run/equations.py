#!/usr/bin/env python3
"""Thorns made of equations, in whole runs. Wave has the bits of WaveToy, which was written by hand, where both start from the same numbers;
Maxwell's plane wave converges at the order of its differences; bits are the same on 1, 2 and 4 processes and on a mirror device. Without --long
Wave has all its orders in 1D alone, else 4.

Mutations tried, on the texts compiled late, with what fails: a second derivative along the neighbouring axis (print_point.cpp: Wave, 1D); epsilon_ijk
without its sign (expand.cpp: Maxwell); dissipation with the other sign (expand.cpp: what alternates); a reach one too small (kernel.cpp: the code does not
compile).
"""
import glob
import math
import os

import h5py
import numpy
from _physics import DIMENSIONS, bits, check, finish, order_of, run

COMMON = """
thorns: [UniGrid, Time, MoL, IOHDF5, {thorn}{more}]
Cereus: {{{end}, real: {real}{cereus}}}
UniGrid: {{cells: {cells}, periodic: true{box}}}
Time: {{dt: {dt}}}
MoL: {{method: {method}}}
IOHDF5: {{variables: [{variables}], every: {every}}}
{thorn}: {{{parameters}}}
"""


def case(thorn, cells, variables, parameters, end, dt, real="double", method="RK4", every=20, box="", processes=1, more="", cereus=""):
    return run(COMMON.format(thorn=thorn, cells=cells, variables=", ".join(f"{thorn}::{v}" for v in variables), parameters=parameters,
                             end=end, dt=dt, real=real, method=method, every=every, box=box, more=more, cereus=cereus), processes)


def fields(folder, iteration):
    """Of each variable its numbers, without the name of its thorn."""
    return {name.split("__")[1]: data for name, data in bits(folder, iteration).items() if "__" in name}


for dim in DIMENSIONS:
    for order in (2, 4, 6, 8) if dim == DIMENSIONS[0] or "CEREUS_LONG" in os.environ else (4,):
        for real in ("double", "float") if order == 4 and "CEREUS_LONG" in os.environ else ("double",):
            cells = [24, 20, 16][:dim]
            # 1/(2 width²) is a power of two, so both thorns compute the same pulse.
            hand = case("WaveToy", cells, ["u", "rho"], f"order: {order}, width: 0.125", "iterations: 20", 0.005, real)
            made = case("Wave", cells, ["u", "rho"], f"order: {order}, width: 0.125", "iterations: 20", 0.005, real)
            check(fields(hand, 20) == fields(made, 20) and len(fields(made, 20)) == 2, f"Wave, {dim}D, order {order}, {real}: the bits of WaveToy")


def error(order, n):
    """After a period the wave is where it was."""
    folder = case("Maxwell", [n, 6], ["E_y", "B_z"], f"order: {order}", "final_time: 1", 0.1 / n, method="RKF78", every=10 * n, box=", upper: [1, 0.4], lower: [0, 0]")
    values = []
    for path in sorted(glob.glob(os.path.join(folder, "*.hdf"))):
        with h5py.File(path) as f:
            (iteration,) = f["data"].keys()
            values.append(f[f"data/{iteration}/meshes/Maxwell__E_y"][()])
    return numpy.abs(values[-1] - values[0]).max()


if 2 in DIMENSIONS:
    for order in (2, 4, 6, 8):
        coarse, fine = error(order, 12), error(order, 24)
        measured = order_of(coarse, fine)
        check(abs(measured - order) < 0.3, f"Maxwell, order {order}: measured {measured:.2f}, errors {coarse:.1e} and {fine:.1e}")

# What alternates from point to point is damped at the rate 1/h along each axis; RK4 takes four terms of its exponential.
DAMPED = """
thorns: [UniGrid, Time, MoL, IOHDF5]
equations: |
  thorn Damped "What alternates is damped"
  evolve s "state"
    u
  operators dissipation(5)
  initial
    u = cos(pi x / h_x) + sin(pi x / h_x)
  rhs
    D_t u = dissipation u
Cereus: {iterations: 10}
UniGrid: {cells: 16, lower: 0, upper: 16, periodic: true}
Time: {dt: 0.1}
MoL: {method: RK4}
IOHDF5: {variables: [Damped::u], every: 10}
"""
if 1 in DIMENSIONS:
    folder = run(DAMPED)
    first, last = (numpy.frombuffer(fields(folder, n)["u"]) for n in (0, 10))
    factor = sum((-0.1) ** k / math.factorial(k) for k in range(5)) ** 10
    check(numpy.abs(last - factor * first).max() < 1e-13 < numpy.abs(first).max(), f"what alternates is damped by {factor:.6f}")

if 3 in DIMENSIONS:
    everything = ["E_x", "E_y", "E_z", "B_x", "B_y", "B_z", "psi", "phi", "divE", "energy"]
    one = fields(case("Maxwell", [16, 12, 14], everything, "", "iterations: 10", 0.01, every=10), 10)
    check(len(one) == len(everything), "all variables of Maxwell are written")
    for what, options in (("2 processes", {"processes": 2}), ("4 processes", {"processes": 4}), ("an audit", {"cereus": ", audit: true"}),
                          ("a mirror", {"more": ", Accelerator, AcceleratorMirror", "cereus": ", device: mirror"})):
        check(fields(case("Maxwell", [16, 12, 14], everything, "", "iterations: 10", 0.01, every=10, **options), 10) == one, f"{what}: the same bits")
finish()
