#!/usr/bin/env python3
"""Conditions at the outer boundary in whole runs, against formulas and against runs that need no boundary.

Mutations, each of which makes it fail, in thorns/Boundary/src:
  fill.hpp       `2 * face.value` → `face.value`: the offset run between Dirichlet walls leaves its solution
  fill.hpp       `2 * first` → `2 * first + 1` (vertices): orders drop, the integral drifts, half a domain differs from the whole
  flesh/src/exec/plan.cpp     `reach + 1` → `reach`: four processes differ from one
  Boundary.cpp   `touches_strip(2)` → `touches_strip(1)`: the fused run reads right-hand sides that were never stored
  flesh/include/cereus/kernel/wide_loop.hpp  `end < lanes` left out, or `in ?` → `true ?`; flesh/src/exec/launch.cpp  `updated[in_level]` → `box`
  thorns/MoL/src/kernels.hpp  `c * n` → `0`: BSSN's strips are all updated as their first variable
  radiate.hpp    `kernel_.launch(` → `if (false) kernel_.launch(`: the wave comes back
  flesh/src/run/assemble.cpp  `where.line < first.line` → `>`, or no place of `periodic`: a missing condition has another line, or none
"""
import os
import re

import numpy as np
from _physics import DIMENSIONS, bits, check, fails, finish, known, line, order_of, rows, run


def wave(cells, dim, extra="", time=0.5, order=4, boundary="{all: dirichlet}"):
    return f"""
thorns: [UniGrid, Boundary, MoL, Time, WaveToy, Reduce, IOASCII]
Cereus: {{final_time: {time}}}
UniGrid: {{cells: {[cells] * dim}, periodic: [false]{extra}}}
Boundary: {boundary}
Time: {{courant: 0.25, land_on: [{time}]}}
WaveToy: {{order: {order}, initial_data: standing, wave_number: [0.25, 0.75, 0.25]}}
IOASCII: {{variables: ["WaveToy::error", "WaveToy::state"], every: 0, every_time: {time}, reductions: [norm_inf], lines: [x]}}
"""


# A standing wave between walls where it vanishes stays the solution, to the order of the differences.
for dim, cells in known(((1, 32), (2, 32), (3, 16))):
    errors = [rows(run(wave(n, dim)), "wavetoy-error.norm_inf.asc")[-1][2] for n in (cells, 2 * cells)]
    order = order_of(*errors)
    check(abs(order - 4) < 0.25, f"Dirichlet, {dim}D: order {order:.3f}, error {errors[1]:.2e}")

# However the domain is cut, corners included, the bits are the same.
for dim, cells in known(((2, 24), (3, 16))):
    whole, cut = (line(run(wave(cells, dim, extra)), "wavetoy-state.x.asc") for extra in ("", ", blocks: 5, uneven: true"))
    check(whole == cut, f"Dirichlet, {dim}D: one block and five have the same bits")

# So are they where kernels run while messages travel, next to walls that change the points on the face.
for dim, cells in known(((2, 24), (3, 16))):
    text = wave(cells, dim, boundary="{all: dirichlet, value: 0.25}").replace("standing", "gaussian, width: 0.5")
    one, four = (line(run(text, processes), "wavetoy-state.x.asc") for processes in (1, 4))
    check(one == four, f"Dirichlet, {dim}D: one process and four have the same bits")


def diffusion(cells, lower, boundary, data, time=0.02, every=0):
    dim = len(cells)
    return f"""
thorns: [UniGrid, Boundary, MoL, Time, Diffusion, Reduce, IOASCII]
Cereus: {{final_time: {time}}}
UniGrid: {{cells: {cells}, lower: {lower}, upper: [1], periodic: [false]}}
Boundary: {boundary}
MoL: {{method: Euler}}
Diffusion: {{order: 4, {data}}}
IOASCII: {{variables: ["Diffusion::u", "Diffusion::error"], every: {every}, every_time: {time}, reductions: [norm_inf, average], lines: [x]}}
"""


# Nothing passes a Neumann face: the integral stays. A Gaussian off the centre, so that it meets the faces unevenly.
for dim, cells in known(((1, 32), (2, 16), (3, 8))):
    averages = [r[2] for r in rows(run(diffusion([cells] * dim, [-1] * dim, "{all: neumann}",
                                                 "width: 0.3, centre: [0.6, -0.5, 0.7]", 0.1, 1)), "diffusion-state.average.asc")]
    drift = max(abs(a / averages[0] - 1) for a in averages)
    check(drift < 1e-13 and len(averages) > 10, f"Neumann, {dim}D: the integral drifts by {drift:.1e} in {len(averages)} steps")

# Walls at a value other than zero: sine + offset is odd about the value.
for (dim,) in known(((1,), (2,))):
    errors = [rows(run(diffusion([n] * dim, [-1] * dim, "{all: dirichlet, value: 1.5}",
                                 "initial_data: sine, offset: 1.5, diffusivity: 0.5, wave_number: [0.5, 1, 0.5]", 0.05)),
                   "diffusion-error.norm_inf.asc")[-1][2] for n in (16, 32)]
    check(errors[1] < 1e-2 and order_of(*errors) > 1.9, f"Dirichlet at 1.5, {dim}D: error {errors[1]:.2e}, order {order_of(*errors):.2f}")

# Half a domain with a mirror evolves as the symmetric whole does, bit for bit.
for dim, faces in known(((1, "{all: neumann, x_lower: reflect}"), (2, "{all: neumann, x_lower: reflect, y_lower: reflect}"),
                         (3, "{all: neumann, x_lower: reflect, y_lower: reflect, z_lower: reflect}"))):
    n = 32 if dim < 3 else 16
    full = line(run(diffusion([n] * dim, [-1] * dim, "{all: neumann}", "width: 0.25", 0.02)), "diffusion-state.x.asc")
    half = line(run(diffusion([n // 2] * dim, [0] * dim, faces, "width: 0.25", 0.02)), "diffusion-state.x.asc")
    check(len(half) == n // 2 + 1 and all(full[x] == u for x, u in half.items()), f"reflection, {dim}D: {len(half)} points have the bits of the whole")

# A pulse at the origin leaves through radiating faces: in 1D nearly all of it (the scheme is of second order), in 3D most.
for dim, cells, time, limit in known(((1, 128, 3, 0.01), (3, 32, 3, 0.03))):
    for faces, left in (("{all: radiation}", True), ("{all: neumann}", False)):
        text = wave(cells, dim, "", time, 4, faces).replace("initial_data: standing", "initial_data: gaussian, width: 0.15")
        text = text.replace("lines: [x]", "lines: []").replace("every: 0", "every: 10")
        norms = [r[2] for r in rows(run(text), "wavetoy-state.norm_inf.asc")]
        rest = norms[-1] / norms[0]
        check((rest < limit) == left, f"{faces[6:-1]}, {dim}D: {rest:.1e} of the pulse is left")

# The update is fused but for a strip along the faces, and has the bits of one that is not (on a GPU, which contracts a·b + c, nearly); so have four
# processes.
bound = 1e-14 if os.environ.get("CEREUS_DEVICE") == "cuda" else 0
for dim, cells in known(((2, 24), (3, 16))):
    text = wave(cells, dim, boundary="{all: radiation}").replace("standing", "gaussian, width: 0.3")
    fused, swept = (line(run(text.replace("Cereus: {", "Cereus: {fuse: %s, " % fuse)), "wavetoy-state.x.asc") for fuse in ("true", "false"))
    off = max(abs(u - swept[x]) for x, u in fused.items())
    check(len(fused) == cells + 1 and off <= bound, f"radiation, {dim}D: fused but for a strip, and not fused, differ by {off}")
    check(fused == line(run(text, 4), "wavetoy-state.x.asc"), f"radiation, {dim}D: one process and four have the same bits")

# So have 24 variables, of which an update along the faces takes eight at a time.
black_hole = """
thorns: [UniGrid, Boundary, MoL, Time, Reduce, ADMBase, ExactMetrics, BSSN, IOHDF5]
Cereus: {fuse: true, iterations: 2}
UniGrid: {cells: [12, 13, 14], periodic: false, lower: 1, upper: 3}
Boundary: {all: radiation, z_lower: extrapolate}
Time: {dt: 0.02}
MoL: {method: METHOD}
ExactMetrics: {data: KerrSchild}
BSSN: {order: 4, startlapse: given, startshift: given}
IOHDF5: {variables: ["BSSN::geometry", "BSSN::gauge"], every: 2}
"""
for method in ("RK4", "RKF78") if 3 in DIMENSIONS else ():
    text = black_hole.replace("METHOD", method)
    fused, swept, four = (bits(run(*case), 2) for case in ((text,), (text.replace("fuse: true", "fuse: false"),), (text, 4)))
    off = np.max([abs(np.frombuffer(values) - np.frombuffer(swept[name])).max() for name, values in fused.items()])
    check(len(fused) >= 20 and (off <= 10 * bound if bound else fused == swept), f"BSSN, {method}: {len(fused)} fields, fused but for a strip, and not fused, differ by {off}")
    check(fused == four, f"BSSN, {method}: one process and four have the same bits")

# Where nothing is said, the run ends and says what to set; mistakes in overrides are found at the start.
code, text = fails(wave(16, DIMENSIONS[0], boundary="{x_upper: neumann}"))
check(code != 0 and "no condition at x_lower" in text and "WaveToy::u x_lower neumann" in text, "a face without a condition is named")
for boundary, key in (("\n  extrapolation_order: 1\n  x_upper: neumann", "extrapolation_order:"), ("{}", "periodic:")):
    file = wave(16, DIMENSIONS[0], boundary=boundary)
    code, text = fails(file)
    line = next(n for n, text_of in enumerate(file.split("\n"), 1) if key in text_of)
    check(re.search(rf"run\.yaml:{line}:\d+: WaveToy::u is read next to the outer boundary", text), f"with the line of {key} {text.strip()[-250:]}")
code, text = fails(wave(16, DIMENSIONS[0], boundary="{all: neumann, overrides: ['WaveToy::u x_lowr dirichlet']}"))
check(code == 1 and "did you mean 'x_lower'" in text and "run.yaml:" in text, "a misspelt face is named, with its place")
code, text = fails(wave(16, DIMENSIONS[0], boundary="{all: neumann, overrides: ['WaveToy::w x_lower dirichlet']}"))
check(code != 0 and "is like no variable" in text, "a pattern that fits nothing is named")
finish()
