#!/usr/bin/env python3
"""A run that stops and goes on has the same bits and the same text series as one that never stopped: on 1, 2 and 4 processes, one
after another, with one block a process or several: a wave with fixed and adaptive steps, with radiation, stencils in time tiles.

Mutations that make it fail: a timelevel that is not kept; a clock that is not; series that are not cut.
"""
import os
import shutil
import subprocess
import tempfile

from _physics import bits, check, finish, job

DEVICE = os.environ.get("CEREUS_DEVICE", "none")
ON_DEVICE = {"none": "", "mirror": ", Accelerator, AcceleratorMirror", "cuda": ", Accelerator, AcceleratorCUDA"}[DEVICE]
COMMON = """Cereus: {{iterations: {iterations}, device: {device}, output: out}}
"""
RUNS = {
    "wave, RK4, periodic": """thorns: [UniGrid, Time, MoL, Reduce, IOASCII, IOHDF5, WaveToy, Checkpoint{more}]
UniGrid: {{cells: [26, 22, 18], blocks: {blocks}}}
IOASCII: {{variables: ["WaveToy::u", "WaveToy::rho"], every: 1}}
IOHDF5: {{variables: ["WaveToy::u", "WaveToy::rho"], every: 12}}
Checkpoint: {{every: {every}, keep: 9}}
""",
    "wave, radiation": """thorns: [UniGrid, Time, MoL, Boundary, Reduce, IOASCII, IOHDF5, WaveToy, Checkpoint{more}]
UniGrid: {{cells: [26, 22, 18], periodic: false, blocks: {blocks}}}
Boundary: {{all: radiation}}
IOASCII: {{variables: ["WaveToy::u"], every: 2}}
IOHDF5: {{variables: ["WaveToy::u", "WaveToy::rho"], every: 12}}
Checkpoint: {{every: {every}, keep: 9}}
""",
    "wave, RK45, adaptive steps": """thorns: [UniGrid, Time, MoL, Reduce, IOASCII, IOHDF5, WaveToy, Checkpoint{more}]
UniGrid: {{cells: [26, 22, 18], blocks: {blocks}}}
MoL: {{method: RK45}}
IOASCII: {{variables: ["WaveToy::u", "WaveToy::rho"], every: 1}}
IOHDF5: {{variables: ["WaveToy::u", "WaveToy::rho"], every: 12}}
Checkpoint: {{every: {every}, keep: 9}}
""",
    "7 points, fixed, time tiles": """thorns: [UniGrid, Time, Boundary, Reduce, IOASCII, IOHDF5, Stencils, CaKernel, Checkpoint{more}]
UniGrid: {{cells: [31, 27, 29], periodic: false, blocks: {blocks}}}
Time: {{dt: 1}}
Boundary: {{all: fixed}}
Stencils: {{program: jacobi3d}}
CaKernel: {{steps: 3, trials: false, cache: false}}
IOASCII: {{variables: ["Stencils::u"], every: 4}}
IOHDF5: {{variables: ["Stencils::u"], every: 12}}
Checkpoint: {{every: {every}, keep: 9}}
""",
    "9 points in 2D, fixed, time tiles": """thorns: [UniGrid, Time, Boundary, Reduce, IOASCII, IOHDF5, Stencils, CaKernel, Checkpoint{more}]
UniGrid: {{cells: [31, 27], periodic: false, blocks: {blocks}}}
Time: {{dt: 1}}
Boundary: {{all: fixed}}
Stencils: {{program: poisson2d}}
CaKernel: {{steps: 3, trials: false, cache: false}}
IOASCII: {{variables: ["Stencils::u"], every: 3}}
IOHDF5: {{variables: ["Stencils::u"], every: 12}}
Checkpoint: {{every: {every}, keep: 9}}
""",
}


def start(folder, text, processes, iterations, every, blocks=1):
    text = text.format(blocks=blocks, every=every, more=ON_DEVICE) + COMMON.format(iterations=iterations, device=DEVICE)
    return subprocess.run(**job(folder, text, processes), capture_output=True, timeout=200)


for name, text in RUNS.items():
    whole = tempfile.mkdtemp(prefix="cereus-")
    done = start(whole, text, 1, 12, 0)
    if not check(done.returncode == 0, f"{name}: {done.stderr[-300:]}"):
        continue
    want = bits(os.path.join(whole, "out"), 12)
    check(len(want) >= 2, f"{name}: there is something to compare: {len(want)} fields and series")
    parts = tempfile.mkdtemp(prefix="cereus-")
    for processes, iterations, blocks in ((1, 3, 1), (2, 6, 1), (4, 9, 1), (1, 12, 3)):
        done = start(parts, text, processes, iterations, 0, blocks)  # so that tiles are taken in between
        check(done.returncode == 0, f"{name}, up to {iterations} on {processes}: {(done.stdout + done.stderr)[-300:] if done.returncode else 'done'}")
    got = bits(os.path.join(parts, "out"), 12)
    for what in sorted(want):
        check(got.get(what) == want[what], f"{name}, 1 → 2 → 4 → 1 processes: {what} is the same")

    def described():
        with open(os.path.join(parts, "out", "parameters.yaml")) as f:
            return f.read()
    before = described()
    check("iterations: 12 " in before, f"{name}: the run is described as it went on")
    done = start(parts, text.replace("UniGrid: {{", "UniGrid: {{lower: -3, "), 1, 15, 0)
    check(described() == before, f"{name}: what is refused does not describe itself there")
    check(done.returncode == 1 and "other bounds" in done.stderr, f"{name}: another grid is refused: {done.returncode} {done.stderr[-200:].strip()}")

    # Killed at once after it has written a checkpoint, in the middle of its series.
    killed = tempfile.mkdtemp(prefix="cereus-")
    done = start(killed, text, 1, 7, 5)
    shutil.rmtree(os.path.join(killed, "out", "checkpoints", "00000007"), ignore_errors=True)
    check("00000005" in os.listdir(os.path.join(killed, "out", "checkpoints")), f"{name}: there is a checkpoint of iteration 5")
    done = start(killed, text, 1, 12, 5)
    check("going on from iteration 5" in done.stdout, f"{name}: it goes on from 5, not from 7: {done.stdout[-200:] if done.returncode else ''}")
    check(bits(os.path.join(killed, "out"), 12) == want, f"{name}: the same after what came behind the checkpoint was lost")
finish()
