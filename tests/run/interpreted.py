#!/usr/bin/env python3
"""Equations that are interpreted compute what the compiled ones do, to rounding, in 1, 2 and 3 dimensions, double and single precision, with the
same bits on 2 processes and under an audit, also in a thorn that is called as a template of the flesh; `after substep` and `after step` count stages and steps; stencil programs say that they are always compiled.

Mutations that make it fail: values of members in another order (print_tables.cpp); `using namespace cereus` before the tables; no division by the spacing; a coordinate that stays within some points of a row; `choose` turned round; `step` read as `substep` (parse.cpp); noise of the first
point of some in a row.
"""
import os
import tempfile

import h5py
import numpy as np
from _physics import DIMENSIONS, check, fails, finish, run

SOURCE = os.environ["CEREUS_SOURCE"]
COMMON = """thorns: [UniGrid, Time, MoL, Boundary, IOHDF5, {thorns}]
Cereus: {{iterations: 4, real: {real}, compile: {compiled}{cereus}}}
UniGrid: {{cells: {cells}, periodic: true, upper: 1, lower: 0}}
{more}
IOHDF5: {{variables: [{variables}], every: 4}}
"""
MIXED = """thorn Max "All that an expression may be"
parameter
  a = 2 in (0, inf) "a number"
  k_i = (1, 2, 3) "a vector"
  kind = one in {one "first", two "second"} "a word"
evolve state "state"
  u, v_(ij)
derive extra "analysed"
  e
derive counts "how often"
  stages, steps
operators centred(4), upwind(4), dissipation(3)
operator Dplus(f) = (f(+1) - f(0)) / h
let
  s(T) = T_ij T_ij
initial
  u = 1 + 0.1 sin(2 pi k_i x_i) + 1e-3 (noise(5) - 1/2) + (x < 0.3 or not (x > 0.7) and y == 0 ? 0.01 : 0.02)
  v_ij = (delta_ij + 0.01 k_i k_j) (1 + 0.1 cos(2 pi x) cos(2 pi (y + x)))
  stages = 0, steps = 0
rhs
  every D_t u: + 0.01 dissipation u
  D_t u = a D_ij v_ij + u upwind_x u - sqrt(u) / (1 + s(v)) + (kind == two ? 1 : 0) atan2(u, 2) min(u, v_11) u^(3/2) sin(t) + D_x erf(v_12)
  D_t v_ij = 0.1 Dplus_i u Dplus_j u / max(u, 0.1) + floor(10 u) delta_ij exp(-abs(u))
after substep on everywhere
  u = max(u, 1/10), stages = stages + 1
after step on everywhere
  u = u - 1e-3 (u - v_22), steps = steps + 1
analysis
  e = h_x D_xx u + u v_12 + noise(6)
"""


def variables_of(folder):
    with h5py.File(os.path.join(folder, "run_00000004.hdf")) as f:
        return {name: data[()] for name, data in f["data/4/meshes"].items()}


def text(thorns, variables, cells, more, compiled, real="double", cereus=""):
    return COMMON.format(thorns=thorns, variables=variables, cells=cells, more=more, compiled="true" if compiled else "false", real=real, cereus=cereus)


def compare(what, compiled_thorns, interpreted_thorns, variables, cells, more, real="double"):
    compiled = compiled_thorns.split(", ")[-1]
    expected = variables_of(run(text(compiled_thorns, variables, cells, more, True, real)))
    if compiled_thorns != interpreted_thorns:  # the name of a thorn that is there already is taken
        variables, more = variables.replace(compiled + "::", f"Late{compiled}::"), more.replace(compiled + ":", f"Late{compiled}:")
    folder = run(text(interpreted_thorns, variables, cells, more, False, real))
    found = {name.removeprefix("Late"): u for name, u in variables_of(folder).items()}
    check(len(found) >= variables.count(",") + 1 and found.keys() == expected.keys(), f"{what}: {len(found)} variables")
    for name, times in (("stages", 16), ("steps", 5)):  # of 4 steps of RK4, and once after initial data
        check(all((u == times).all() for key, u in found.items() if key.endswith("__" + name)), f"{what}: {times} {name}")
    for name, u in expected.items():
        scale, error = max(np.abs(u).max(), 1), np.abs(u - found[name]).max()
        check(error <= (1e-12 if real == "double" else 1e-3) * scale, f"{what}, {real}: {name} off by {error:.2g} of {scale:.2g}")
    again = variables_of(run(text(interpreted_thorns, variables, cells, more, False, real), processes=2))
    check(all(u.tobytes() == found[name.removeprefix("Late")].tobytes() for name, u in again.items()), f"{what}: the same bits on 2 processes")


mixed = os.path.join(tempfile.mkdtemp(prefix="cereus-"), "Max.edl")
with open(mixed, "w") as f:
    f.write(MIXED)
edl = {}
for name in ("Wave", "Maxwell", "BSSN"):
    with open(os.path.join(SOURCE, f"thorns/{name}/equations.edl")) as f:
        content = f.read()
    edl[name] = os.path.join(os.path.dirname(mixed), f"Late{name}.edl")
    with open(edl[name], "w") as f:
        f.write(content.replace(f"thorn {name} ", f"thorn Late{name} ", 1))
for dim in DIMENSIONS:
    cells = [70, 12, 10][:dim]
    if dim != 2 or "CEREUS_LONG" in os.environ:
        compare(f"all of the language, {dim}D", mixed, mixed, "Max::state, Max::e, Max::counts", cells, "Time: {dt: 1e-4}\nMax: {a: 0.5, kind: two, k: [2, 1, 1]}", "float" if dim == 1 else "double")
    compare(f"Wave, {dim}D", "Wave", edl["Wave"], "Wave::u, Wave::rho, Wave::e", cells, "Time: {courant: 0.25}\nWave: {order: 6}")
if 2 in DIMENSIONS:
    compare("Maxwell, 2D", "Maxwell", edl["Maxwell"], "Maxwell::E_y, Maxwell::B_z, Maxwell::energy", [20, 16], "Time: {dt: 1e-3}\nMaxwell: {order: 8}")
    crystal = os.path.join(SOURCE, "tests/unit/equations/crystal.edl")
    compare("what is stored", crystal, crystal, "Crystal::u", [24, 20], "Time: {dt: 0.01}")
    audited = text(mixed, "Max::state", [20, 12], "Time: {dt: 1e-4}", False, cereus=", audit: true")
    run(audited)
    check(True, "an audit finds nothing")
if 3 in DIMENSIONS:
    compare("BSSN", "ADMBase, ExactMetrics, BSSN", f"ADMBase, ExactMetrics, {edl['BSSN']}", "BSSN::geometry, BSSN::gauge, BSSN::H", [12, 10, 8],
            "Time: {dt: 0.001}\nExactMetrics: {data: GaugeWave, amp: 0.01}\nBSSN: {order: 4}")
code, said = fails("thorns: [UniGrid, Time, Boundary]\nCereus: {compile: false}\nstencils:\n  Heat: |\n    G = [0..7], 2\n    A_G : real\n    f(A_G)[1..6] = A[-1]\n")
check(code == 1 and "Cereus.compile: the stencil program Heat is always compiled" in said, f"a stencil program is not interpreted: {said if code != 1 else ''}")
for compiled in ("true", "false"):
    code, said = fails(f"thorns: [UniGrid, Time, MoL]\nCereus: {{iterations: 1, compile: {compiled}}}\nUniGrid: {{cells: [8, 8, 8], periodic: true}}\nTime: {{courant: 0.5}}\nequations: |\n  thorn Fast \"x\"\n"
                       "  parameter\n    a = -1 in (-2, 2) \"a\"\n  evolve state \"s\"\n    u speed sqrt(a)\n  initial\n    u = 1\n  rhs\n    D_t u = a u\n")
    check(code == 3 and "max_speed, which limits the time step, is not finite" in said, f"a speed that is no number, compile: {compiled}: {said if code != 3 else ''}")
finish()
