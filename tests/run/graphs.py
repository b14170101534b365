#!/usr/bin/env python3
"""CUDA graphs change no bit: with an adaptive time step, buffers that take turns, past timelevels' copies, output in between,
and a parameter steered in mid-run. On a mirror it is compared with the host; where there is no device, it is skipped.

Mutations that made it fail on a GPU: arguments that differ are not set; only those of the first kernel are. (That a sequence is
known by its kernels, not by their number, is what tests/unit/device checks.)
"""
import glob
import os
import subprocess
import tempfile

from _physics import check, finish

PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, WaveToy, IOASCII, Steerer]
Cereus: {{iterations: {iterations}, thorn_path: [{thorns}]}}
UniGrid: {{cells: [20, 24, 28], lower: -1, upper: 1, blocks: {blocks}}}
MoL: {{method: {method}}}
WaveToy: {{order: 4, initial_data: {data}}}
Steerer: {{at: {steered}}}
IOASCII: {{variables: ["WaveToy::u", "WaveToy::rho", "WaveToy::energy", "WaveToy::error"], every: {every}, lines: [x, y, z], lines_every: {every}}}
"""
on_gpu = False


def written(other_way=False, **choice):
    """All numbers that a run writes; the other way is without graphs or, where there is no GPU, without a device."""
    global on_gpu
    choice = {"thorns": os.environ["CEREUS_TEST_THORNS"], "iterations": 60, "blocks": 1, "method": "RK4", "data": "gaussian", "steered": 0, "every": 20} | choice
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(PARFILE.format(**choice))
    command, environment = [os.environ["CEREUS"], "run", "run.yaml"], dict(os.environ)
    if other_way and on_gpu:
        command += ["--set", "AcceleratorCUDA.graphs=false"]
    elif other_way:
        environment.pop("CEREUS_ACTIVATE", None)
        environment["CEREUS_DEVICE"] = "none"
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, env=environment)
    check(done.returncode == 0, f"exit {done.returncode} {done.stderr[-500:] if done.returncode else ''}")
    on_gpu = on_gpu or "NVIDIA" in done.stdout
    return {os.path.basename(p): [l for l in open(p) if not l.startswith("#")] for p in glob.glob(os.path.join(folder, "run", "*.asc"))}


reference = written()
if not on_gpu and os.environ.get("CEREUS_DEVICE") != "mirror":
    finish("no GPU")
runs = {
    "buffers that take turns": {},
    "several blocks": {"blocks": 3},
    "an adaptive step": {"method": "RK45", "data": "standing"},
    "eighth order": {"method": "DP87", "iterations": 30},
    "a parameter steered": {"steered": 31},
    "both": {"steered": 31, "method": "RK45"},
    "output in each step": {"every": 1, "data": "plane"},
}
for name, choice in runs.items():
    mine, other = written(**choice), written(other_way=True, **choice)
    check(len(mine) > 12 and mine == other, f"{name}: the same bits")
check(reference != written(steered=31), "what is steered makes a difference")
finish()
