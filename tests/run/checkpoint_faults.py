#!/usr/bin/env python3
"""What goes wrong while a checkpoint is written or before it is read: the n-th of all system calls that bring it to the disk fails, for n = 1,
2, … until none is left; the run is killed at instants all over the writing; bits of files flip, files are cut. Each time the run goes on
from a checkpoint that is whole, and ends with the bits of one that never stopped, or says clearly why not.

A seeded few by default; all with --long (CEREUS_LONG=1). Mutations that make it fail: a checksum that is not looked at; a rename
before all processes are done; an unfinished folder that counts.
"""
import glob
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time

from _physics import check, finish, job

LONG = os.environ.get("CEREUS_LONG") == "1"
FAULTS = os.path.join(os.environ["CEREUS_BUILD"], "tests", "failing_disk.so")
PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII, WaveToy, Checkpoint]
Cereus: {{iterations: {iterations}, output: out}}
UniGrid: {{cells: [20, 18, 16]}}
IOASCII: {{variables: ["WaveToy::u", "WaveToy::rho"], every: 1}}
Checkpoint: {{every: {every}, keep: 2}}
"""
random.seed(20)


def run(folder, iterations, every=2, processes=1, **more):
    return subprocess.run(**job(folder, PARFILE.format(iterations=iterations, every=every), processes, **more), capture_output=True, timeout=120)


def series(folder):
    return {os.path.basename(p): open(p, "rb").read() for p in glob.glob(os.path.join(folder, "out", "*.asc"))}


whole = tempfile.mkdtemp(prefix="cereus-")
check(run(whole, 12).returncode == 0, "a run that never stops")
want = series(whole)
start = tempfile.mkdtemp(prefix="cereus-")  # where the others begin: two checkpoints, 4 and 6
check(run(start, 6).returncode == 0, "a run of 6 steps")
check(sorted(os.listdir(os.path.join(start, "out", "checkpoints"))) == ["00000004", "00000006"], "two are kept")


def copy():
    folder = tempfile.mkdtemp(prefix="cereus-")
    shutil.rmtree(folder)
    shutil.copytree(start, folder)
    return folder


def goes_on(folder, what):
    done = run(folder, 12)
    good = done.returncode == 0 and series(folder) == want
    check(good, what + ("" if good else ": " + (done.stdout + done.stderr)[-400:]))
    shutil.rmtree(folder)


# The n-th call fails.
n, left = 0, True
while left and n < 200:
    n += 1
    for error in ("28", "5") if LONG else (random.choice(("28", "5")),):  # no space, input/output error
        folder = copy()
        count = os.path.join(folder, "count")
        done = run(folder, 8, LD_PRELOAD=FAULTS, FAIL_AT=str(n), FAIL_WITH=error, FAIL_BELOW="/checkpoints/", FAIL_COUNT=count)
        left = os.path.exists(count + ".failed")
        if left:
            check(done.returncode == 0 and "no checkpoint was written" in done.stderr or done.returncode == 0 and "whole" not in done.stderr, f"call {n} fails with {error}: it is said, and the run goes on: {done.returncode} {done.stderr[-160:].strip()}")
        goes_on(folder, f"call {n} failed with {error}: the same afterwards")
check(n > 10, f"{n - 1} calls bring checkpoints to the disk")

# Flipped bits and cuts in the newest: noticed, and the older one is taken.
files = [p for p in glob.glob(os.path.join(start, "out", "checkpoints", "00000006", "*"))]
for case in range(1200 if LONG else 24):
    folder = copy()
    path = os.path.join(folder, os.path.relpath(files[case % len(files)], start))
    size = os.path.getsize(path)
    if case % 6 == 5:
        cut = random.randrange(size)
        os.truncate(path, cut)
        what = f"{os.path.basename(path)} cut to {cut} of {size} bytes"
    else:
        at, bit = random.randrange(size), random.randrange(8)
        with open(path, "r+b") as f:
            f.seek(at)
            byte = f.read(1)[0]
            f.seek(at)
            f.write(bytes([byte ^ (1 << bit)]))
        what = f"bit {bit} of byte {at} of {os.path.basename(path)} flipped"
    done = run(folder, 7)
    check("is damaged" in done.stderr and "going on from iteration 4" in done.stdout and done.returncode == 0, f"{what}: noticed: {done.stderr[-200:].strip()}")
    shutil.rmtree(folder)

# Killed.
for case in range(500 if LONG else 8):
    folder = copy()
    processes = 2 if case % 3 == 0 else 1
    victim = subprocess.Popen(**job(folder, PARFILE.format(iterations=4000, every=1), processes), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    limit = time.monotonic() + 20
    while not os.path.exists(os.path.join(folder, "out", "checkpoints", "00000008")) and time.monotonic() < limit:
        time.sleep(0.002)
    time.sleep(random.uniform(0, 0.05))
    mine = [int(p) for p in subprocess.run(["pgrep", "-f", "-s", "0,%d" % victim.pid, "cereus"], capture_output=True, text=True).stdout.split()]
    os.killpg(victim.pid, signal.SIGKILL)
    for p in mine:
        try:
            os.kill(p, signal.SIGKILL)
        except ProcessLookupError:
            pass
    victim.wait()
    left = os.listdir(os.path.join(folder, "out", "checkpoints"))
    newest = max(int(x) for x in left if x.isdigit())
    reference = newest + 3
    done = run(folder, reference, processes=1)
    good = done.returncode == 0 and f"going on from iteration {newest}" in done.stdout
    other = tempfile.mkdtemp(prefix="cereus-")
    run(other, reference, every=1)
    good = good and series(folder) == series(other)
    check(good, f"killed with {processes} processes at {newest}{' while one was unfinished' if any('unfinished' in x for x in left) else ''}: the same afterwards{'' if good else ': ' + (done.stdout + done.stderr)[-300:]}")
    shutil.rmtree(folder), shutil.rmtree(other)
finish()
