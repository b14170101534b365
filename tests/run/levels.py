#!/usr/bin/env python3
"""Two unconnected levels in one run give the bits of two runs of one level each: nothing assumes that there is one only.

Mutations, each of which makes it fail:
  flesh/src/run/run.cpp       clock.dt = dt for dt * tick.dt_fraction; run_bin(…, 0) for tick.level
  flesh/src/exec/launch.cpp    geometry of s.grid.levels[0]
  thorns/MoL/src/MoL.cpp      s.clock for the clock of the level
"""
import os

from _physics import check, finish, rows, run

THORNS = os.environ["CEREUS_TEST_THORNS"]


def points(driver, dt, steps, method, level=None):
    """{(ix, iy): values} of the last line written."""
    folder = run(f"""
thorns: [{driver.split(":")[0]}, Time, MoL, Reduce, IOASCII, WaveToy, ODE]
Cereus: {{thorn_path: ["{THORNS}"], iterations: {steps}}}
{driver}
Time: {{dt: {dt}}}
MoL: {{method: {method}}}
WaveToy: {{order: 4, width: 0.2}}
IOASCII: {{variables: ["WaveToy::u", "WaveToy::rho", "ODE::u"], every: {steps}, lines: [x, y], reductions: []}}
""")
    found = {}
    for name in ("wavetoy-state.x.asc", "wavetoy-state.y.asc", "ode-state.x.asc"):
        lines = rows(folder, name)
        last = [r for r in lines if r[0] == lines[-1][0] and (level is None or r[2] == level)]
        found |= {(name, r[5], r[6]): r[12:] for r in last}
    return found


for method in ("RK4", "SSPRK3", "RK2", "Euler", "DP87"):
    for level in (0, 1):
        one = points(f"UniGrid: {{cells: [{16 << level}, {12 << level}]}}", 0.02 / (1 << level), 5 << level, method)
        both = points("TwoLevels: {cells: [16, 12]}", 0.02, 5, method, level)
        check(len(one) > 0 and both == one, f"{method}: level {level} of two has the bits of a run alone, {len(one)} points")
finish()
