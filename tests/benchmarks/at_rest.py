#!/usr/bin/env python3
"""A hole at rest whose finest level comes and goes around it, against the same hole among blocks that stay: prints a table and writes JSON.

    at_rest.py OUTPUT.json [TIME]      TIME: 20 by default, more than 3, when horizons are looked for

A puncture of mass 1 in an eighth of space, order 4, five levels from h = 1 to 1/16, subcycled. Blocks of 1/16 are always there within 0.7 M of the hole; beyond, they come
and go by an oscillator at each place, at nearly every coarse step. Its largest difference in irreducible mass has a bar of 5e-4. CEREUS names the executable, PYTHONPATH has its Python.
"""
import os
import subprocess
import sys
import tempfile
import numpy as np
from _holes import horizon
from _rates import host, note, write

os.environ.setdefault("MACHINE", host())
output, end = sys.argv[1], float((sys.argv[2:] or [20])[0])
RUN = """
arrangements: [refined]
thorns: [Refine, ADMBase, ExactMetrics, BSSN, Constraints, Interpolate, Horizons]
equations: |
  thorn Flicker "Numbers that say where blocks are fine: at each place for half of its time"
  evolve marks "An oscillator at each place"
    u, v
  initial
    u = sin(4 x) sin(4 y + 1) exp(-(x^2 + y^2 + z^2) / 2)
    v = 0
  rhs
    D_t u = -3 v
    D_t v = 3 u
Cereus: {final_time: %g, output: out}
Forest: {cells: [24, 24, 24], lower: 0, upper: 24, periodic: false, block: 12, levels: 5, every: 1, subcycle: true}
Refine:
  spheres: ["1 11 at 0 0 0", "2 5.5 at 0 0 0", "3 2.6 at 0 0 0", "4 0.7 at 0 0 0"]
%s
Boundary: {all: radiation, x_lower: reflect, y_lower: reflect, z_lower: reflect}
Time: {dt: 0.25}
ExactMetrics: {data: BrillLindquist, mass: 1}
BSSN: {order: 4, eta: 1}
Interpolate: {order: 5}
Horizons: {centres: [0, 0, 0], radii: [0.7], start_times: [3], every: 2, shapes: false}
NaNChecker: {every: 4}
IOASCII: {every: 0}
IOImage: {variables: []}
"""
FLICKER = '  variables: ["Flicker::u"]\n  measure: value\n  refine_above: 0.2\n  coarsen_below: 0.1\n  buffer: 0'


def evolved(more):
    """Times, irreducible masses, and how many times blocks changed."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(f"{folder}/run.yaml", "w") as f:
        f.write(RUN % (end, more))
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "run.yaml"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    found = horizon(f"{folder}/out", 1)
    return found["time"], found["m_irreducible"], done.stdout.count("from iteration")


times, still, _ = evolved("")
again, moving, changes = evolved(FLICKER)
if not np.array_equal(times, again) or changes < 0.5 * end / 0.25:
    sys.exit(f"the runs looked for horizons at other times, or blocks changed only {changes} times")
WHAT = f"a hole at rest to t = {end:g} M, h = 1/16 on five levels, order 4"
note(f"{WHAT}: changes of blocks", changes, "", None, None)
worst = abs(moving / still - 1).max()
note(f"{WHAT}: M_irr with these changes, from that without, largest, relative", worst, "", "≤ 5e-4", bool(worst <= 5e-4))
note(f"{WHAT}: M_irr among blocks that stay, from 1, largest from t = 10 M on, relative", abs(still[times >= min(10, end / 2)] - 1).max(), "", None, None)
write(output)
