#!/usr/bin/env python3
"""Elliptic's formulas of variables of other thorns: the source of a text's variable has the solution of the discrete equation; a coefficient from a variable the bits of
one from a formula; waves in a gas that attracts itself have the frequency of Jeans, and grow where he says so. On two processes the same bits.

Reference: J. H. Jeans, Phil. Trans. R. Soc. A 199 (1902) 1: ω² = c²k² − 4πGρ. Mutation seen to fail: φ solved for once and not in each step.
"""
import math

from _physics import DIMENSIONS, check, fails, finish, rows, run

DUST = """thorns: [UniGrid, Time, Boundary, Elliptic, Multigrid, Reduce, IOASCII]
Cereus: {{iterations: 0, compile: false}}
Time: {{dt: 1}}
UniGrid: {{cells: [24, 32], lower: 0, upper: 1, periodic: true}}
Elliptic: {{{elliptic}, tolerance: 1e-12}}
IOASCII: {{variables: ["Elliptic::phi"], lines: [x, y], line_through: [0.3, 0.4, 0]}}
equations: |
  thorn Dust "Dust" {where}
  derive matter "Density"
    rho, kappa
  initial
    rho = cos(2 pi x) cos(4 pi y)
    kappa = 1.5 + sin(2 pi x) / 2
"""
GAS = """thorns: [UniGrid, Time, MoL, Boundary, EOS, Hydro, Elliptic, Fourier, Reduce, IOASCII]
Cereus: {{final_time: {end}}}
Time: {{courant: 0.4}}
MoL: {{method: SSPRK2}}
UniGrid: {{cells: [128], lower: 0, upper: 1, periodic: true}}
EOS: {{gamma: 5/3}}
Hydro: {{scheme: plm, limiter: mc, density: "1 + 1e-4*cos(2*pi*x)", pressure: "0.6*(1 + 5/3*1e-4*cos(2*pi*x))", potential: "Elliptic::phi"}}
Elliptic: {{source: "{strength}*(2*pi)^2*Hydro::density", each_step: true}}
IOASCII: {{variables: ["Hydro::state"], every: 0, at_end: true, reductions: [maximum, minimum], lines: [x]}}
"""


if 2 in DIMENSIONS:
    text = DUST.format(elliptic='source: "3*Dust::rho"', where="in cells")
    folder = run(text)
    h = 1 / 24, 1 / 32
    eigenvalue = -(2 - 2 * math.cos(2 * math.pi * h[0])) / h[0] ** 2 - (2 - 2 * math.cos(4 * math.pi * h[1])) / h[1] ** 2
    line = rows(folder, "elliptic-solution.x.asc")
    want = [3 / eigenvalue * math.cos(2 * math.pi * row[9]) * math.cos(4 * math.pi * row[10]) for row in line]
    worst = max(abs(row[12] - w) for row, w in zip(line, want)) / max(map(abs, want))
    check(len(line) == 24 and worst < 1e-10, f"the source of a variable: off by {worst:.1e}")
    two = run(text, 2)
    check(rows(two, "elliptic-solution.x.asc") == line, "on two processes the same")
    both = [rows(run(DUST.format(elliptic=f'source: "cos(2*pi*y)*x*(1 - x) - 1/12", coefficient: "{a}"', where="in cells")), "elliptic-solution.y.asc")
            for a in ("Dust::kappa", "1.5 + sin(2*pi*x)/2")]
    worst = max(abs(a[12] - b[12]) for a, b in zip(*both))
    check(worst < 1e-12, f"a coefficient from a variable and from a formula: {worst:.1e} apart")
    for elliptic, where, words in (('source: "Dust::rho"', "", ("Elliptic::", "Dust::rho", "in cells")), ('source: "Elliptic::phi"', "in cells", ("what is solved for",)),
                                   ('source: "Dust::roh"', "in cells", ("Dust::roh", "Dust::rho")), ('source: "rho"', "in cells", ("unknown name 'rho'",))):
        code, text = fails(DUST.format(elliptic=elliptic, where=where))
        check(code == 1 and all(word in text for word in words), f"{elliptic} {where or 'at vertices'}: {code} {text.strip()[-300:]}")

if 1 in DIMENSIONS:
    k = 2 * math.pi
    for strength, end, factor in ((0.5, math.sqrt(2) / 2, -1.0), (2.0, 0.3, math.cosh(k * 0.3))):
        last = [row for row in rows(run(GAS.format(end=end, strength=strength)), "hydro-state.x.asc") if row[8] > 0]
        amplitude = sum(2 * (row[12] - 1) * math.cos(k * row[9]) for row in last) / len(last) / 1e-4
        check(len(last) == 128 and abs(amplitude / factor - 1) < 0.02, f"4πGρ = {strength} c²k²: the wave has {amplitude:.4f} of its height at t = {end:.3f}, for {factor:.4f}")
finish()
