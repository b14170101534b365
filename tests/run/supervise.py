#!/usr/bin/env python3
"""A run that dies is run again from its newest checkpoint, on one process and two, and ends with the series of one that never died; one that dies
without a new checkpoint is given up after three times; one that is asked to stop stops. Nobody else may use its folder meanwhile.

Mutations that make it fail: any death is the last; a folder that is not locked; deaths are counted from one again where there is no checkpoint.
"""
import atexit
import glob
import os
import shutil
import signal
import subprocess
import tempfile
import time

from _physics import check, finish, job, ranks

PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII, WaveToy, Checkpoint{more}]
Cereus: {{iterations: {iterations}, output: out}}
UniGrid: {{cells: [{cells}, {cells}, {cells}]}}
IOASCII: {{variables: ["WaveToy::u"], every: 20}}
Checkpoint: {{every: 20}}
"""


def command(folder, processes, iterations=400, cells=24, more="", options=()):
    how = job(folder, PARFILE.format(iterations=iterations, cells=cells, more=more), processes, options)
    how["args"][1] = "supervise"
    return how


def series(folder):
    return {os.path.basename(p): open(p, "rb").read() for p in glob.glob(os.path.join(folder, "out", "*.asc"))}


def checkpoints(folder):
    return glob.glob(os.path.join(folder, "out", "checkpoints", "*[0-9]"))


whole = tempfile.mkdtemp(prefix="cereus-")
check(subprocess.run(**command(whole, 1), capture_output=True).returncode == 0, "a run that never dies")
for processes in (1, 2):
    folder = os.path.realpath(tempfile.mkdtemp(prefix="cereus-"))
    watched = subprocess.Popen(**command(folder, processes), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    for _ in range(2):
        before = set(checkpoints(folder))
        limit = time.monotonic() + 30
        while not set(checkpoints(folder)) - before and time.monotonic() < limit and watched.poll() is None:
            time.sleep(0.005)
        for pid in ranks(folder)[-1:]:
            os.kill(pid, signal.SIGKILL)
    said, _ = watched.communicate(timeout=120)
    check(watched.returncode == 0 and "it goes on from iteration" in said, f"{processes}: killed, and run again: {watched.returncode} {said[-300:] if watched.returncode else said.count('it goes on')}")
    check(series(folder) == series(whole), f"{processes}: the same series")

for dies, left in ((10, "before any checkpoint"), (150, "after a checkpoint")):
    folder = tempfile.mkdtemp(prefix="cereus-")
    trouble = f", Trouble]\nTrouble: {{bin: evolve, rank: 0, kind: throw, iteration: {dies}}}\n#"
    done = subprocess.run(**command(folder, 1, more=trouble, options=["--thorns", os.environ["CEREUS_TEST_THORNS"]]), capture_output=True, timeout=120)
    check(done.returncode == 3 and "3 times" in done.stderr, f"one that always dies, {left}, is given up: {done.returncode} {done.stderr[-200:].strip()}")

folder = tempfile.mkdtemp(prefix="cereus-")
watched = subprocess.Popen(**command(folder, 2, iterations=1000000), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
atexit.register(watched.kill)
while not checkpoints(folder):
    time.sleep(0.01)
other = subprocess.run(**job(folder, open(os.path.join(folder, "run.yaml")).read()), capture_output=True, timeout=60)
check(other.returncode == 1 and "still goes on" in other.stderr, f"a second run in the same folder is refused: {other.returncode} {other.stderr.strip()}")
watched.send_signal(signal.SIGTERM)
said, _ = watched.communicate(timeout=60)
check(watched.returncode == 2, f"asked to stop: {watched.returncode}")

# A run that dies before it has moved an older one aside does not go on from that.
folder = tempfile.mkdtemp(prefix="cereus-")
check(subprocess.run(**command(folder, 1, iterations=40), capture_output=True).returncode == 0, "an older run")
os.mkdir(os.path.join(folder, "bin"))
with open(os.path.join(folder, "bin", "mpirun"), "w") as f:
    f.write(f"#!/bin/bash\nif [[ ! -e {folder}/died ]]; then touch {folder}/died; kill -9 $$; fi\nexec {shutil.which('mpirun')} \"$@\"\n")
os.chmod(os.path.join(folder, "bin", "mpirun"), 0o755)
how = command(folder, 2, iterations=40, options=["--fresh"])
how["env"]["PATH"] = os.path.join(folder, "bin") + ":" + os.environ["PATH"]
done = subprocess.run(**how, capture_output=True, timeout=120)
check(done.returncode == 0 and "it begins anew" in done.stdout and os.path.isdir(os.path.join(folder, "out.old-1")), f"--fresh holds until the older one is aside: {done.returncode} {done.stdout[-200:]} {done.stderr[-200:]}")

finish()
