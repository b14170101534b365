#!/usr/bin/env python3
"""Waves of a quadrupole, known exactly, that leave a ball of seven patches: their error after many wavelengths, and its order.

    quadrupole.py OUTPUT.json [cuda|none] [WAVELENGTHS] [ORDER…]     100 wavelengths, orders 4, 6 and 8; not run whole on a device

CEREUS names the executable (default: cereus). The source is that of parfiles/quadrupole.yaml; steps are so short, or the integrator of so high an order, that
errors are those of space. Rows of the file that are measured again are replaced.
"""
import math
import os
import subprocess
import sys
import tempfile

from _rates import host, note, write

CEREUS, DEVICE = os.environ.get("CEREUS", "cereus"), sys.argv[2] if len(sys.argv) > 2 else "cuda"
COUNT = int(sys.argv[3]) if len(sys.argv) > 3 else 100
WAVELENGTH = 1.6
RUN = """thorns: [Forest, Time, MoL, WaveToy, Boundary, Dissipation, Expressions, Reduce, IOASCII, NaNChecker{more}]
Cereus: {{final_time: {end}, device: {device}, output: out}}
Forest: {{cells: [{n}, {n}, {n}], lower: -1.5, upper: 1.5, periodic: false, block: {block}, shell_radius: {radius}, shell_cells: {angles}, shell_spacing: {h}}}
Boundary: {{all: radiation}}
MoL: {{method: {method}}}
Time: {{dt: {dt}}}
WaveToy: {{order: {order}}}
Dissipation: {{order: {order}}}
Expressions:
  initial:
    - WaveToy::u = 0
    - WaveToy::rho = 1024 * (x^2 - y^2) * exp(-4 * (x^2 + y^2 + z^2))
  analysis:
    - r = sqrt(x^2 + y^2 + z^2 + 1e-12)
    - off = WaveToy::u - (x^2 - y^2) * exp(-4 * (t - r)^2) * ((64 * (t - r)^2 - 8) / r^3 - 24 * (t - r) / r^4 + 3 / r^5)
IOASCII: {{variables: ["WaveToy::u", "Expressions::off"], reductions: [norm_inf], every: 0, at_end: true}}
NaNChecker: {{every: 1000}}
"""
if DEVICE == "none":
    os.environ.setdefault("MACHINE", host())


def error(order, a_unit, method, steps):
    """Of so many points a unit of length and steps a distance of points: the largest error at the end over the height of the wave there."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    end = round(COUNT * WAVELENGTH)
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(RUN.format(more=", Accelerator, AcceleratorCUDA" if DEVICE == "cuda" else "", device=DEVICE, end=end, n=3 * a_unit, block=a_unit, angles=a_unit, h=1 / a_unit,
                           radius=end + 3, method=method, dt=f"1/{steps * a_unit}", order=order))
    done = subprocess.run([CEREUS, "run", "run.yaml"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    print("   ", done.stdout.strip().splitlines()[-1][:200])

    def last(name):
        with open(os.path.join(folder, "out", name)) as f:
            return float(f.read().split()[-1])
    return last("expressions-results.norm_inf.asc") / last("wavetoy-state.norm_inf.asc")


for order, method, steps, (coarse, fine), bar in ((8, "DP87", 2, (20, 24), 7.5), (6, "DP87", 2, (20, 24), 5.5), (4, "RK4", 2, (24, 32), 3.8)):
    if sys.argv[4:] and str(order) not in sys.argv[4:]:
        continue
    errors = [error(order, n, method, steps) for n in (coarse, fine)]
    measured = math.log(errors[0] / errors[1]) / math.log(fine / coarse)
    what = f"waves of a quadrupole in a ball over {COUNT} wavelengths, differences of order {order}, {coarse} and {fine} points a unit of length and a quarter circle"
    note(f"{what}: order of the largest error", measured, "", f"≥ {bar}", measured >= bar)
    note(f"the same, order {order}: largest error over the height of the wave", 100 * errors[1], "%", None, None)
    print(f"{what}: {errors}, order {measured:.2f}", flush=True)
    write(sys.argv[1])
