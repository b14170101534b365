#!/usr/bin/env python3
"""The ten programs of thorns/Stencils/programs against the kernels of thorn Stencils, written by hand: one step at a time, and in time
tiles. Prints a table and writes JSON.

    stencil_programs.py OUTPUT.json [--device] [--thorn NAME] [--path FOLDER] [--rounds N] [--parts N] [--reals double] [PROGRAM…]

--device: on a GPU, else on the host. --thorn: what was compiled ahead of time and lies in FOLDER, `Ahead{}` for the thorns that are built with
-DCEREUS_BENCHMARKS=ON; else the files are compiled when a run starts. --parts: one so manieth of the grid along its slowest axis. Both
choose a tile and keep the choice before anything is measured; runs are interleaved, and medians are compared. CEREUS names the executable.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

from _rates import host, note, points, size, write

PROGRAMS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "thorns", "Stencils", "programs")
SIZES = {"jacobi3d": [512, 512, 512], "jacobi1d3": [1 << 28], "jacobi1d5": [1 << 28], "jacobi1d7": [1 << 28]}
NAMES = ["jacobi3d", "jacobi2d", "jacobi1d3", "jacobi1d5", "jacobi1d7", "poisson2d", "fdtd2d", "gradient2d", "rician2d", "tv2d"]
PARFILE = """thorns: [UniGrid, Time, Boundary, {thorn}{more}]
Cereus: {{iterations: {steps}, device: {device}, real: {real}, poison: false, thorn_path: [{path}]}}
UniGrid: {{cells: {cells}, periodic: false}}
Time: {{dt: 1}}
Boundary: {{all: fixed}}
{parameters}
"""
parser = argparse.ArgumentParser()
parser.add_argument("output")
parser.add_argument("--device", action="store_true")
parser.add_argument("--thorn", default="")
parser.add_argument("--path", default="")
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--parts", type=int, default=1)
parser.add_argument("--reals", default="double,float")
parser.add_argument("programs", nargs="*", default=NAMES)
options = parser.parse_intermixed_args()
if not options.device:
    os.environ.setdefault("MACHINE", host())
cache = tempfile.mkdtemp(prefix="cereus-cache-")


def by_hand(program, cells):
    return "Stencils", f"Stencils: {{program: {program}}}"


def by_text(program, cells):
    """The points that a program counts are those that change and the shell around them; of fdtd2d all are counted, from 0 on."""
    extra = -1 if program == "fdtd2d" else 2 * {"jacobi1d5": 2, "jacobi1d7": 3}.get(program, 1)
    values = ", ".join(f"{name}: {n + extra}" for name, n in zip("LNM"[-len(cells):] if len(cells) > 1 else "N", reversed(cells)))
    if options.thorn:
        name = options.thorn.format(program)
        return name, f"{name}: {{{values}}}"
    return os.path.join(PROGRAMS, f"{program}.stencil"), f"{program}: {{{values}}}"


def rate(version, program, cells, real, steps, tiles, more=""):
    """Gpoint/s."""
    thorn, parameters = version(program, cells)
    thorns = (", Accelerator, AcceleratorCUDA" if options.device else "") + (", CaKernel" if tiles else "")
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "bench.yaml"), "w") as f:
        f.write(PARFILE.format(thorn=thorn, more=thorns, steps=steps, device="cuda" if options.device else "none", real=real, cells=cells, path=options.path,
                               parameters=parameters + (f"\nCaKernel: {{{more}}}" if tiles else "")))
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "bench.yaml"], cwd=folder, capture_output=True, text=True, env=dict(os.environ, XDG_CACHE_HOME=cache))
    found = re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)
    if done.returncode or not found:
        sys.exit(done.stdout + done.stderr)
    return 1e-3 * float(found[-1])


print(f"{'program':10} {'size':>14} {'type':7} {'':10} {'by hand':>9} {'text':>9} {'ratio':>6}")
for program in options.programs:
    cells = list(SIZES.get(program, [8192, 8192]))
    cells[-1] //= options.parts
    work = 60e9 if options.device else 1e9
    steps = max(1, round(work / points(cells) / 24)) * 24
    for real in options.reals.split(","):
        for tiles in (False, True):
            rates = {by_hand: [], by_text: []}
            for version in rates:  # chooses a tile
                rate(version, program, cells, real, steps, tiles, "wait: true")
            for _ in range(options.rounds):
                for version, values in rates.items():
                    values.append(rate(version, program, cells, real, steps, tiles))
            a, b = (statistics.median(v) for v in rates.values())
            how = "time tiles" if tiles else "one step"
            print(f"{program:10} {size(cells):>14} {real:7} {how:10} {a:9.2f} {b:9.2f} {b / a:6.3f}", flush=True)
            note(f"{program} {size(cells)} {real}, {how}: the text over kernels by hand, medians of {options.rounds}, interleaved", b / a, "×", 0.98, b >= 0.98 * a)
            write(options.output)
