#!/usr/bin/env python3
"""Time integrators on du/dt = p/2 (u^((p-1)/p) + (1+t)^(p-1)), u(0) = 1, which (1+t)^p solves.

Mutations, each of which makes it fail:
  thorns/MoL/src/method.cpp   any coefficient changed in its 8th digit; c of a stage; RK2 by Heun's method
  thorns/MoL/src/MoL.cpp      no copy of the past in begin(); the state not swapped back in a rejected step; the right-hand side
                              added last in an unfused update; a sum of grid scalars that begins with 0
  flesh/src/schedule/sums.cpp sums not cleared; cleared in the outermost place, or where the bin begins
  flesh/src/grid/fields.cpp   cycle() without timelevels
"""
import cmath
import math
import os

from _physics import check, fails, finish, rows, run

THORNS = os.environ["CEREUS_TEST_THORNS"]


def parfile(method, p, dt=0.002, steps=10, more="", flesh="", mol="", variables='"ODE::u"', every=1):
    return f"""
thorns: [UniGrid, Time, MoL, Reduce, IOASCII, ODE{more}]
Cereus: {{thorn_path: ["{THORNS}"], {flesh or f"iterations: {steps}"}}}
UniGrid: {{cells: [4]}}
Time: {{dt: {dt}}}
MoL: {{method: {method}{mol}}}
ODE: {{p: {p}}}
IOASCII: {{variables: [{variables}], every: {every}, points: [0, 0, 0], reductions: []}}
"""


def value(folder, name="ode-state"):
    return rows(folder, name + ".points.asc")[-1][5]


def error(*args, **more):
    last = rows(run(parfile(*args, **more)), "ode-state.points.asc")[-1]
    return last[5] - (1 + last[1]) ** args[1]


def heun(p, dt=0.002, steps=10):
    u = 1.0
    slope = lambda t, u: p / 2 * (u ** ((p - 1) / p) + (1 + t) ** (p - 1))
    for n in range(steps):
        k = slope(n * dt, u)
        u += dt / 2 * (k + slope((n + 1) * dt, u + dt * k))
    return u - (1 + steps * dt) ** p


# The figures are known to some digits: half a unit of the last one is allowed, beside rounding.
for method, p, known, digit in (("Euler", 2, -4.0178222766806826e-5, 0), ("RK2", 3, -8.067484214002718e-8, 0), ("RK3", 4, -3.038e-10, 1e-13),
                                ("SSPRK2", 3, heun(3), 0),
                                ("SSPRK3", 4, -6.95e-14, 1e-16), ("RK4", 5, -7.98e-13, 1e-15)):
    e = error(method, p)
    check(abs(e - known) < 4e-15 + digit / 2, f"{method}: error {e:.17g}, known {known:.17g}")

# Methods of order 8 are at rounding there: larger steps, up to t = 1, show their order.
for method in ("RKF78", "DP87"):
    errors = [abs(error(method, 9, dt=1 / n, steps=n)) for n in (8, 16)]
    order = math.log2(errors[0] / errors[1])
    check(order >= 7.5, f"{method}: errors {errors[0]:.2e}, {errors[1]:.2e}, order {order:.2f}")

# The adaptive method follows its tolerance, whatever step it is told to start with; a step of 2 is rejected at first.
errors = []
for tolerance in (1e-5, 1e-7, 1e-9):
    folder = run(parfile("RK45", 6, dt=2, flesh="final_time: 2", mol=f", relative_error: {tolerance}, absolute_error: {tolerance}"))
    steps = rows(folder, "ode-state.points.asc")
    errors.append(abs(steps[-1][5] / 3 ** 6 - 1))
    first = steps[1][1]
    check(abs(steps[-1][1] - 2) < 1e-12 and errors[-1] < 20 * tolerance, f"RK45, tolerance {tolerance}: error {errors[-1]:.1e}, {len(steps) - 1} steps")
    check(first < 2, f"the first step, of 2, is rejected and becomes {first:.3g}")
check(errors[0] > 5 * errors[1] > 25 * errors[2], "RK45: a tighter tolerance gives a smaller error")

# u' = u², u = 1/(1 − t), has no value beyond t = 1: the run ends there with a message, and so do initial data without one.
for initial in ("1", "sqrt(-1 - x x)"):
    code, said = fails(f"""
thorns: [UniGrid, Time, MoL]
equations: |
  thorn Blow "A solution that ends"
  dimensions 1
  evolve s "State"
    u
  initial
    u = {initial}
  rhs
    D_t u = u u
Cereus: {{compile: false, final_time: 2}}
UniGrid: {{cells: [4]}}
Time: {{dt: 0.1}}
MoL: {{method: RK45}}
""")
    check(code != 0 and "look for NaNs" in said, f"RK45 of u' = u², u(0) = {initial}, ends with a message{'' if code else said[-500:]}")

# Several thorns and groups together: two and three timelevels, a sum by two kernels, a grid scalar, complex numbers.
names = '"ODE::u", "ODEMany::u2", "ODEMany::u3", "ODEMany::u_sum", "ODEMany::u_matter", "ODEMany::total", "ODEMany::y", "ODEMany::zero", "ODEMany::past", "ODEComplex::z"'
for method, p in (("Euler", 2), ("SSPRK2", 3), ("RK4", 5), ("SSPRK3", 4), ("DP87", 5)):
    text = parfile(method, p, more=", ODEMany, ODEComplex", variables=names) + f"ODEMany: {{p: {p}}}\n"
    folder = run(text)
    u = value(folder)
    for group in ("two", "three", "summed", "matter"):
        check(abs(value(folder, "odemany-" + group) / u - 1) < 4e-16 * 8, f"{method}: {group} evolves as u does")
    check(abs(rows(folder, "odemany-number..asc")[-1][12] / u - 1) < 4e-16 * 8, f"{method}: so does a grid scalar")
    zero = rows(folder, "odemany-nothing..asc")[-1][-1]
    if method not in ("RK4", "DP87"):  # these have negative factors
        check(zero == 0 and math.copysign(1, zero) < 0, f"{method}: -0 that does not change stays -0, not {zero}")
    check([r[5] for r in rows(folder, "odemany-total.points.asc")] == [2 * r[5] for r in rows(folder, "odemany-matter.points.asc")], f"{method}: a sum in analysis is of its own iteration")
    past = rows(folder, "odemany-past.points.asc")
    two, three = rows(folder, "odemany-two.points.asc"), rows(folder, "odemany-three.points.asc")
    for n in range(2, 11):
        if [past[n][5], past[n][6], past[n][7]] != [two[n - 1][5], three[n - 1][5], three[n - 2][5]]:
            check(False, f"{method}: a past timelevel of step {n} is not the former value")
    z = complex(*rows(folder, "odecomplex-state.points.asc")[-1][5:7])
    check(abs(z - cmath.exp(0.02j)) < {"Euler": 3e-5, "SSPRK2": 2e-8}.get(method, 1e-8), f"{method}: complex z = {z}")
    whole = run(text.replace("thorn_path", "fuse: false, thorn_path"))
    same = all(rows(folder, f) == rows(whole, f) for f in ("ode-state.points.asc", "odemany-two.points.asc", "odemany-three.points.asc",
                                                           "odemany-summed.points.asc", "odecomplex-state.points.asc"))
    check(same, f"{method}: fused or not, the same bits")

single = value(run(parfile("RK4", 5, flesh="iterations: 10, real: float")))
check(0 < abs(single - 1.02 ** 5) < 1e-6, f"float: u = {single!r}")
finish()
