#!/usr/bin/env python3
"""A process that goes on from a checkpoint reads what it needs of it, and not what the others need: on 8 processes, and on 2.

Mutation that makes it fail: wants() is always true, as it was.
"""
import glob
import os
import subprocess
import tempfile

from _physics import check, finish, job

FAULTS = os.path.join(os.environ["CEREUS_BUILD"], "tests", "failing_disk.so")
PARFILE = """thorns: [UniGrid, Time, MoL, Boundary, WaveToy, Checkpoint]
Cereus: {{iterations: {iterations}, output: out}}
UniGrid: {{cells: [64, 64, 64], periodic: {periodic}}}
Boundary: {{all: neumann}}
"""


def run(folder, processes, iterations, periodic, **more):
    text = PARFILE.format(iterations=iterations, periodic=str(periodic).lower())
    if periodic:
        text = text.replace("Boundary: {all: neumann}\n", "").replace("Boundary, ", "")
    done = subprocess.run(**job(folder, text, processes, OMP_NUM_THREADS="1", CEREUS_DEVICE="none", **more), capture_output=True, timeout=200)
    return done.returncode == 0 or print(done.stdout + done.stderr)


for processes, periodic in ((8, True), (2, False)):
    folder = tempfile.mkdtemp(prefix="cereus-")
    check(run(folder, processes, 1, periodic), f"{processes} processes write")
    own = max(os.path.getsize(p) for p in glob.glob(os.path.join(folder, "out", "checkpoints", "00000001", "state.*")))
    log = os.path.join(folder, "read")
    check(run(folder, processes, 1, periodic, LD_PRELOAD=FAULTS, FAIL_BELOW="/checkpoints/", READ_LOG=log), f"{processes} processes go on")
    read = [int(open(p).read()) for p in glob.glob(log + ".*")]
    read = [n for n in read if n > 0]  # mpirun and the like read nothing
    check(len(read) == processes and max(read) <= 1.2 * own, f"of {own} bytes that one wrote, processes read {sorted(n / own for n in read)}")
finish()
