#!/usr/bin/env python3
"""What a device can do at most, and what the stencil programs reach of it: notes as JSON and a roofline plot.

    roofline.py OUTPUT.json OUTPUT.png ROOFLINE_PROGRAM KERNELS.json

ROOFLINE_PROGRAM: roofline.cu, compiled; KERNELS.json: what stencils.py wrote, on the same device.
"""
import json
import re
import subprocess
import sys

import matplotlib
from _rates import note, write

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

# Operations of a point (multiplication, addition, division, root: one each), and values that it moves a step.
WORK = {"jacobi1d3": (3, 2), "jacobi1d5": (5, 2), "jacobi1d7": (7, 2), "jacobi2d": (5, 2), "jacobi3d": (7, 2), "poisson2d": (9, 2), "fdtd2d": (11, 6),
        "gradient2d": (18, 2), "rician2d": (44, 3), "tv2d": (59, 4)}
limits = {}
for line in subprocess.run([sys.argv[3]], capture_output=True, text=True, check=True).stdout.splitlines():
    what, value, unit = line.split("\t")
    limits[what] = float(value)
    print(f"{what:40} {float(value):10.0f} {unit}")
    note(what, float(value), unit, None, None)
write(sys.argv[1])

with open(sys.argv[4]) as f:
    measured = json.load(f)
copy = next(m["value"] for m in measured if m["what"].startswith("copy bandwidth"))
figure, axes = plt.subplots(1, 2, figsize=(13, 6), sharey=True)
for plot, real in zip(axes, ("double", "float")):
    peak, bytes_of = limits[f"registers, a*b+c in {real}"], 8 if real == "double" else 4
    for what, style in (("memory, copied", "-"), ("second-level cache (16 MiB)", "--"), ("shared memory", ":")):
        x = [0.05, peak / limits[what], 100]
        plot.loglog(x, [min(peak, limits[what] * i) for i in x], style, color="grey", label=what)
    for m in measured:
        found = re.match(rf"(\w+) (\S+) {real}, (one step|time tiles)$", m["what"])
        if not found or found[1] not in WORK:
            continue
        flops, values = WORK[found[1]]
        rate = m["value"] * copy / (values * bytes_of)  # Gpoint/s
        plot.plot(flops / (values * bytes_of), rate * flops, "o" if found[3] == "time tiles" else "x", color=f"C{list(WORK).index(found[1])}",
                  label=found[1] if found[3] == "time tiles" and f"{found[1]}" not in plot.get_legend_handles_labels()[1] else None)
    plot.set(title=f"{real}: × one step at a time, ● time tiles", xlabel="operations a byte that a step must move", xlim=(0.05, 100))
    plot.grid(True, which="both", alpha=0.2)
    plot.legend(fontsize=8, loc="lower right")
axes[0].set_ylabel("Gflop/s")
figure.tight_layout()
figure.savefig(sys.argv[2], dpi=110)
