#!/usr/bin/env python3
"""Mistakes that newcomers made (S18 to S40), each with the message that ends them, and outputs that were asked for and did not come.

Mutations seen to fail: forget_folder() that does nothing; Every::due() without `at_end`.
"""
import glob
import os
import subprocess
import tempfile

from _physics import DIMENSIONS, check, finish

CEREUS = os.environ["CEREUS"]
WAVE = """thorns: [UniGrid, Time, MoL, WaveToy, Reduce, Boundary{more}]
Cereus: {{iterations: 4, output: out}}
UniGrid: {{cells: [12, 12]}}
{text}
"""


def run(text, more="", words=("run", "run.yaml")):
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(WAVE.format(text=text, more=more))
    env = {k: v for k, v in os.environ.items() if k not in ("CEREUS_ACTIVATE", "CEREUS_DEVICE")}
    done = subprocess.run([CEREUS, *words], cwd=folder, capture_output=True, text=True, env=env, timeout=120)
    return folder, done.returncode, done.stdout + done.stderr


def files(folder, pattern):
    return sorted(os.path.basename(p) for p in glob.glob(os.path.join(folder, "out", pattern)))


if 2 not in DIMENSIONS:
    finish("the grids are in 2D")

# S18: analysis on demand, by default at the end; and every output at the end alone.
folder, code, said = run('IOImage: {variables: ["WaveToy::energy"], series: []}', ", IOImage")
check(code == 0 and files(folder, "*.png") == ["wavetoy-energy.xy.it00000004.png"], f"a picture of an analysis: {code} {files(folder, '*.png')} {said[-300:]}")
folder, code, said = run('IOHDF5: {at_end: true, variables: ["WaveToy::u", "WaveToy::energy"]}\nIOASCII: {every: 0, at_end: true, variables: ["WaveToy::u"], reductions: [sum]}', ", IOHDF5, IOASCII")
rows = [line for line in open(os.path.join(folder, "out", "wavetoy-state.sum.asc")) if line[0] != "#"] if code == 0 else []
check(code == 0 and files(folder, "*.hdf") == ["run_00000004.hdf"] and len(rows) == 1, f"output at the end alone: {code} {files(folder, '*.hdf')} {rows} {said[-300:]}")

# S19: a grid scalar over time, and a file that a thorn appended, are series as norms are.
folder, code, said = run('IOASCII: {variables: ["WaveToy::max_speed"]}', ", IOASCII")
shown = subprocess.run([CEREUS, "watch", "out"], cwd=folder, capture_output=True, text=True, timeout=60).stdout
check(code == 0 and "max_speed" in shown, f"a scalar over time: {shown[-300:]}")

for what, text, more, words, mend in (
        ("S39, variables and no time", "IOHDF5: {variables: [\"WaveToy::u\"]}", ", IOHDF5", (), "run.yaml:4:21: IOHDF5.variables are never written: say when"),
        ("S39, a plane that there is not", "IOImage: {slice: xz}", ", IOImage", (), "run.yaml:4:18: IOImage.slice = xz: the grid has no axis z"),
        ("S39, as Cactus says it", "WaveToy::order: 4", "", (), "block of its thorn, WaveToy: {order: …}"),
        ("S40, another program's option", "", "", ("--steps", "10"), "there is no option --steps; a parameter is set by --set"),
        ("S40, two settings", "", "", ("--set", "WaveToy.order=2", "MoL.method=RK2"), "each takes one setting, --set WaveToy.order=2 --set MoL.method=RK2"),
        ("S40, mpirun's option", "", "", ("-np", "2"), "the number of processes is -n 2"),
        ("S20, a wrong formula of a face", 'Boundary: {overrides: ["WaveToy::u x_lower formula phi + 1"]}', "", (), "unknown name 'phi'")):
    folder, code, said = run(text, more, ("run", "run.yaml", *words))
    check(code == 1 and mend in said and not os.path.exists(os.path.join(folder, "out")), f"{what}: {code}, {said.strip()[-400:]}")

folder, code, said = run("IOASCII: {lines: [x, z], variables: [\"WaveToy::u\"]}", ", IOASCII")
check(code == 0 and "'z' is left out: the grid has no such axis" in said, f"a line along an axis that there is not: {said[-300:]}")

# S23: a parameter's name where a variable's was meant; S32: no initial value.
text = """equations: |
  thorn E "two"
  evolve state "both"
    u, v
  initial
    u = 1
  rhs
    D_t u = v
    D_t v = u
IOASCII: {variables: ["E::v"]}
Time: {dt: 0.1}
"""
folder, code, said = run(text, ", IOASCII", ("run", "run.yaml", "--set", "Cereus.compile=false"))
check(code == 1 and "E::v" in said and "under `initial`" in said, f"S32: {code} {said.strip()[-400:]}")
finish()
