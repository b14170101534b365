#!/usr/bin/env python3
"""The energy of parfiles/wave.yaml is conserved up to the error of its differences, which falls with their order.

The sum of energies is not constant on a grid, because centred first differences applied twice are not the second
difference; how much it changes falls as hᵖ. Mutation: derivative<2, axis> in CalcEnergy, whatever the order.
"""
import math
import os
import subprocess
import sys
import tempfile

from _physics import check, finish, rows

PARFILE = os.path.join(os.environ["CEREUS_SOURCE"], "parfiles", "wave.yaml")


def drift(*sets):
    """The largest change of the energy, relative to that at the start."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    settings = ["IOASCII.lines=[]", "IOHDF5.every=0", "IOImage.every=0", *sets]
    done = subprocess.run([os.environ["CEREUS"], "run", PARFILE] + [word for s in settings for word in ("--set", s)],
                          cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    energy = [row[2] for row in rows(os.path.join(folder, "wave"), "wavetoy-energy.average.asc")]
    return max(abs(e / energy[0] - 1) for e in energy)


changed = drift("Cereus.final_time=0.3")
check(changed < 1e-3, f"wave.yaml as it is: the energy changes by {changed:.1e}")

# In 2D with a wider pulse, so that orders show on small grids; steps so short that only differences matter.
sizes = (40, 60, 80)
for order in (2, 4, 6, 8):
    drifts = [drift(f"UniGrid.cells=[{n}, {n}]", f"WaveToy.order={order}", "WaveToy.width=0.2", "Cereus.final_time=0.3",
                    "Time.courant=0.1", "MoL.method=RKF78") for n in sizes]
    measured = [math.log(a / b) / math.log(m / n) for a, b, n, m in zip(drifts, drifts[1:], sizes, sizes[1:])]
    check(abs(measured[-1] - order) < 0.15, f"order {order}: measured {', '.join(f'{x:.2f}' for x in measured)}")
finish()
