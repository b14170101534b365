#!/usr/bin/env python3
"""Heat as a program without a thorn beside thorn Diffusion: the same domain, thorns and parameters (view/heat.cpp, view/diffusion.yaml), in turns, and
the ratio of their rates.

Usage: CEREUS=BUILD/bin/cereus view.py HEAT [--cells 512] [--steps 2000] [--rounds 5] [--out FILE] [--set Thorn.key=value …]

HEAT is the program benchmark_view_heat of a build. The first round begins without compiled code and choices, as a first run does; later ones find those of
the first. `--set` goes to both. With --out the medians are added to that file (docs/measured/view.json); MACHINE names the machine.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

import _rates

arguments = argparse.ArgumentParser()
arguments.add_argument("heat")
arguments.add_argument("--cells", type=int, default=512)
arguments.add_argument("--steps", type=int, default=2000)
arguments.add_argument("--rounds", type=int, default=5)
arguments.add_argument("--out")
arguments.add_argument("--set", action="append", default=[])
a = arguments.parse_args()

PARFILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "view", "diffusion.yaml")
FOLDER = tempfile.mkdtemp(prefix="cereus-")
SETS = [word for text in a.set for word in ("--set", text)]
HEAT = [os.path.abspath(a.heat), str(a.cells), str(a.steps), "--verbose"]
DIFFUSION = [os.path.abspath(os.environ["CEREUS"]), "run", PARFILE, "--fresh", "--set", f"UniGrid.cells=[{a.cells},{a.cells},{a.cells}]",
             "--set", f"Cereus.iterations={a.steps}", "--set", f"Time.dt={0.1 / a.cells**2!r}"]


def rate(command):
    """Gcell/s, as the run itself says at its end."""
    done = subprocess.run([*command, *SETS], cwd=FOLDER, capture_output=True, text=True, env=dict(os.environ, XDG_CACHE_HOME=FOLDER))
    found = re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)
    if done.returncode or not found:
        sys.exit(done.stdout + done.stderr)
    return 1e-3 * float(found[-1])


rounds = []
for n in range(a.rounds):
    rounds.append((rate(HEAT), rate(DIFFUSION)) if n % 2 == 0 else (rate(DIFFUSION), rate(HEAT))[::-1])
    print(f"round {n}: heat {rounds[-1][0]:.4g}, Diffusion {rounds[-1][1]:.4g} Gcell/s, ratio {rounds[-1][0] / rounds[-1][1]:.3f}", flush=True)
what = f"heat as a program without a thorn, {a.cells}³, {a.steps} steps{''.join(', ' + text for text in a.set)}: rate over that of thorn Diffusion"
for name, some in (("first run", rounds[:1]), ("later runs, median of ratios", rounds[1:])):
    if some:
        ratio = statistics.median(heat / diffusion for heat, diffusion in some)
        print(f"{what}, {name}: {ratio:.3f}")
        _rates.note(f"{what}, {name}", ratio, "", "≥ 0.98", ratio >= 0.98)
if a.out:
    _rates.write(a.out)
