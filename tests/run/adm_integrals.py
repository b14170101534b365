#!/usr/bin/env python3
"""ADMIntegrals on exact data: the mass of Brill and Lindquist's holes and of Kerr and Schild's approaches its value as 1/r, and where it is known at each r it has the
order of the interpolation; J of Kerr; P and J of two punctures; the same bits on 1, 2 and 4 processes.

One hole at rest, γ = ψ⁴ δ with ψ = 1 + m/2r, has M(r) = m ψ; spheres go on in mirror images of a half.

Mutations tried: in integrand.hpp ∂_j γ_ik alone (mass), x[k] for x[j] in J (J of Kerr, of punctures, halves); no mirror images (halves); in
Interpolate/src/plan.cpp the spacing for the distance of points (stretched axes). The sign of the trace
is seen by thorns/ADMIntegrals/tests/sphere_test.cpp.
"""
import os

from _physics import DIMENSIONS, check, fails, finish, order_of, rows, run

PARFILE = """
thorns: [UniGrid, Time, Boundary, ADMBase, Interpolate, ADMIntegrals, {thorn}]
Cereus: {{iterations: 0}}
UniGrid: {{cells: {cells}, lower: {lower}, upper: {upper}, periodic: false{grid}}}
Boundary: {{all: extrapolate{faces}}}
Interpolate: {{order: {order}}}
ADMIntegrals: {{radii: {radii}{more}}}
{thorn}: {{{data}}}
"""


def integrals(thorn, data, radii, n=40, size=10.0, order=5, more="", processes=1, half=False, grid=""):
    cells, lower, upper = [n] * 3, [-size + 0.011, -size - 0.013, -size + 0.017], [size + 0.011, size - 0.013, size + 0.017]
    if half:
        cells[2], lower[2] = n // 2, 0
    folder = run(PARFILE.format(thorn=thorn, data=data, radii=radii, cells=cells, lower=lower, upper=upper, order=order, more=more, grid=grid, faces=", z_lower: reflect" if half else ""), processes)
    return [rows(folder, f"adm.r{r:g}.asc")[0][2:] for r in radii], folder


def at_infinity(radii, values):
    """Of values at three radii, a + b/r + c/r²."""
    (p, q, s), (a, b, c) = [1 / r for r in radii], values
    return a * q * s / ((p - q) * (p - s)) + b * p * s / ((q - p) * (q - s)) + c * p * q / ((s - p) * (s - q))


if 3 not in DIMENSIONS:
    finish("the grid is of three dimensions")
radii = [5, 6.5, 8]
one = "data: BrillLindquist, mass: 1"
errors = []
for n in (24, 48):
    found, _ = integrals("ExactMetrics", one, [6], n, 8.0, 3)
    errors.append(abs(found[0][0] - (1 + 1 / 12)))  # √γ γ^-1 γ^-1 ∂γ = -8 ψ ψ': M(r) = m ψ
check(abs(order_of(*errors) - 3) < 0.6, f"one hole at rest has the mass m ψ at each r, at order {order_of(*errors):.2f} of 3 ({errors[1]:.1e})")
found, _ = integrals("ExactMetrics", one, [6], 48, 8.0, 3, grid=", stretch_factor: 3, stretch_from: 4, stretch_width: 2")
check(abs(found[0][0] - (1 + 1 / 12)) < 2e-3, f"and on stretched axes: {found[0][0]:.5f} of {1 + 1 / 12:.5f}")
found, folder = integrals("ExactMetrics", "data: BrillLindquist, mass: 0.6, mass2: 0.4, place: [0, 0, 1], place2: [0, 0, -1.5]", radii)
mass = at_infinity(radii, [q[0] for q in found])
check(abs(mass - 1) < 1e-3 and all(max(map(abs, q[1:])) < 1e-14 for q in found), f"two holes at rest have the mass {mass:.5f} of 1, and no momentum")
kerr, radii = "data: KerrSchild, mass: 1, spin: 0.6", [8, 11, 15]
found, folder = integrals("ExactMetrics", kerr, radii, n=64, size=18.0)
mass, spin = (at_infinity(radii, [q[i] for q in found]) for i in (0, 6))
check(abs(mass - 1) < 2e-3, f"Kerr's hole has the mass {mass:.5f} of 1")
(a, b) = (r * abs(q[0] - 1) for r, q in zip(radii[1:], found[1:]))
check(0.8 < a / b < 1.25, f"which M(r) approaches as 1/r: r (M(r) − M) = {a:.3f} and {b:.3f}")
check(abs(spin - 0.6) < 1e-3 and all(abs(q[6] - 0.6) < 2e-3 for q in found), f"and the angular momentum {spin:.5f} of 0.6, at each r")
for n in (2, 4):
    _, other = integrals("ExactMetrics", kerr, radii, n=64, size=18.0, processes=n)
    same = all(open(os.path.join(folder, f"adm.r{r:g}.asc")).read() == open(os.path.join(other, f"adm.r{r:g}.asc")).read() for r in radii)
    check(same, f"the same bits on {n} processes")
two = ("points: [16, 16, 8], momentum_plus: [0.05, 0.3, 0.02], momentum_minus: [0.05, -0.3, 0.08], spin_plus: [0.1, 0.05, 0.2], spin_minus: [0, 0.03, -0.04], half_distance: 1")
found, _ = integrals("TwoPunctures", two, [5, 8])
wanted = [0.1, 0, 0.1, 0.1, 0.08 - (0.02 - 0.08), 0.16 + 0.6]  # Σ P; Σ x × P + S with x = ±1 along x
for q in found:
    check(max(abs(a - b) for a, b in zip(q[1:], wanted)) < 3e-3, f"two punctures: P, J = {[round(x, 4) for x in q[1:]]}")
halves = "masses: bare, points: [16, 16, 8], centre: [0.1, 0.2, 0], spin_plus: [0, 0, 0.2]"
whole, half = (integrals("TwoPunctures", halves, [4.5, 6], n=32, size=8.0, half=h)[0] for h in (False, True))
worst = max(abs(a - b) for p, q in zip(whole, half) for a, b in zip(p, q))
check(worst < 1e-3 and half[0][6] > 0.9 and half[0][0] > 0.9, f"on half the domain, reflected, the same as on the whole, within {worst:.1e}")
rc, text = fails(PARFILE.format(thorn="ExactMetrics", data=one, radii=[9], cells=[16] * 3, lower=[-8] * 3, upper=[8] * 3, order=3, more="", grid="", faces=""))
check(rc == 1 and "lies outside the domain" in text, "a sphere outside the domain is a mistake: " + text.strip().splitlines()[-1][:150])
finish()
