#!/usr/bin/env python3
"""Texts of equations on shells: what BSSN's right-hand side, with mixed and upwinded differences, makes of a hole that stays as it is (Kerr and Schild's, outside of the
ball) falls as it should; the same bits on 1 and 2 processes, and on a mirror; a third derivative is refused with its place in the text.

Mutation seen to fail: the sign of second derivatives of coordinates in equations/shell.cpp (K, A_ij, X^i).
"""
import math

from _physics import DIMENSIONS, bits, check, finish, order_of, outcome, rows

RUN = """thorns: [Forest, Time, MoL, Boundary, ADMBase, ExactMetrics, BSSN, Reduce, IOASCII]
Cereus: {{iterations: {steps}, output: run}}
Forest: {{cells: [{n}, {n}, {n}], lower: -0.7853981633974483, upper: 0.7853981633974483, periodic: false, block: 12, shell_radius: 2.6, shell_cells: {n}}}
Boundary: {{all: {condition}}}
Time: {{dt: {dt}}}
MoL: {{method: {method}}}
BSSN: {{order: 4, startlapse: given, startshift: given, slicing: {slicing}, shift: {shift}, diss: {diss}}}
ExactMetrics: {{data: KerrSchild, mass: 0.3, spin: 0.1, place: [1, 2, 7]}}
IOASCII: {{variables: ["{variables}"], reductions: [norm_inf, norm2], every: {every}, at_end: true}}
{rest}"""
# What a step changes, over the step, inside of r = 2.
KEPT = """equations: |
  thorn Kept "Rates of change"
  dimensions 3
  evolve kept "At the start"
    W0, K0, gxy0, Axx0, Ayz0, Xz0
  derive rates "Changes over the step"
    W1, K1, gxy1, Axx1, Ayz1, Xz1
  foreign BSSN: W, K, g_(ij), A_(ij), X^i
  let
    in = x^2 + y^2 + z^2 < 4 ? 10000 : 0
  initial after exchange
    W0 = W, K0 = K, gxy0 = g_xy, Axx0 = A_xx, Ayz0 = A_yz, Xz0 = X^z
  rhs
    D_t W0 = 0 W0, D_t K0 = 0 K0, D_t gxy0 = 0 W0, D_t Axx0 = 0 W0, D_t Ayz0 = 0 W0, D_t Xz0 = 0 W0
  analysis
    W1 = in (W - W0), K1 = in (K - K0), gxy1 = in (g_xy - gxy0)
    Axx1 = in (A_xx - Axx0), Ayz1 = in (A_yz - Ayz0), Xz1 = in (X^z - Xz0)
"""


def text(n=24, steps=1, dt=0.0001, method="Euler", condition="extrapolate", slicing="geodesic", shift="zero", diss=0, variables="Kept::rates", every=0, rest=KEPT):
    return RUN.format(**locals())


if 3 not in DIMENSIONS:
    finish("shells have three dimensions")
left = []
for n in (24, 36):
    code, said, folder = outcome(text(n), timeout=500, CEREUS_DEVICE="none")
    check(code == 0, f"{n} cells: {code} {said[-800:] if code else ''}")
    left.append(rows(folder, "kept-rates.norm2.asc")[-1][2:] if code == 0 else [1] * 6)
for name, coarse, fine in zip(("W", "K", "g_xy", "A_xx", "A_yz", "X^z"), *left):
    order = order_of(coarse, fine) / math.log2(1.5)
    check(3.4 < order < 4.6, f"what is left of the rate of {name}: {fine:.1e}, order {order:.2f}")

same = dict(steps=3, dt=0.01, method="RK4", condition="radiation", slicing="onelog", shift="driver", diss=0.2, variables="BSSN::geometry", every=1, rest="")
code, said, whole = outcome(text(**same), CEREUS_DEVICE="none")
check(code == 0, f"three steps: {code} {said[-500:] if code else ''}")
mirror = {"CEREUS_DEVICE": "mirror", "CEREUS_ACTIVATE": "Accelerator,AcceleratorMirror"}
for what, processes, environment in (("2 processes", 2, {}), ("a mirror, 2 processes", 2, mirror)):
    code, said, folder = outcome(text(**same), processes, **({"CEREUS_DEVICE": "none"} | environment))
    check(code == 0 and bits(folder, 0) == bits(whole, 0), f"{what}: the same bits {said[-400:] if code else ''}")

SINGLE = """equations: |
  thorn Single "A text"
  dimensions 3
  evolve state "u"
    u
  operators centred(4)
  initial
    u = x
  rhs
    D_t u = {rate}
"""
for what, processes, parfile, words in (
        ("a third derivative", 2, text(variables="Single::u", rest=SINGLE.format(rate="D_xxy u")), ["run.yaml:", "a third derivative has no value on the shells of this run"]),
        ("one over the spacing", 1, text(variables="Single::u", rest=SINGLE.format(rate="u / h_x")), ["the spacing h of an axis has no value on the shells of this run"]),
        ("float", 1, text(**same).replace("Cereus: {", "Cereus: {real: float, "), ["run.yaml:2", "shells around a cube are for double; leave it out"])):
    code, said, _ = outcome(parfile, processes, CEREUS_DEVICE="none")
    check(code == 1 and all(word in said for word in words), f"{what}: {code} {said[-400:]}")
finish()
