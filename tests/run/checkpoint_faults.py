#!/usr/bin/env python3
"""What goes wrong while a checkpoint is written or before it is read: the n-th of all system calls that bring it to the disk fails, for n = 1,
2, … until none is left; the run is killed at instants all over the writing; bits of files flip, files are cut. Each time the run goes on
from a checkpoint that is whole, and ends with the bits of one that never stopped, or says clearly why not.

A seeded few by default; all with --long (CEREUS_LONG=1). A mutation that makes it fail: the checksum of a piece is not looked at.
"""
import collections
import glob
import os
import random
import select
import shutil
import signal
import subprocess
import tempfile
import time

from _physics import check, finish, job

LONG = os.environ.get("CEREUS_LONG") == "1"
FAILURES = ("28", "5", "22", "0")  # no space, input/output error, what a file system says that cannot go past the page cache, a write of a part
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
    for error in FAILURES if LONG else (random.choice(FAILURES),):
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

# Killed, one process or both, at an instant while the second checkpoint of the run is brought to the disk, which is slow here.
references, stages = {}, collections.Counter()


def reference(iterations):
    if iterations not in references:
        folder = tempfile.mkdtemp(prefix="cereus-")
        run(folder, iterations, every=0)
        references[iterations] = series(folder)
    return references[iterations]


class Calls:
    """What a run has asked of its disk, as it says in a pipe."""

    def __init__(self, folder):
        self.path = os.path.join(folder, "calls")
        os.mkfifo(self.path)
        self.pipe, self.rest, self.all = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK), "", []

    def until(self, condition, seconds):
        """Reads on until a condition on all calls holds; false if it never does."""
        limit = time.monotonic() + seconds
        while not condition() and time.monotonic() < limit:
            if select.select([self.pipe], [], [], 0.001)[0]:
                text = self.rest + os.read(self.pipe, 65536).decode()
                *lines, self.rest = text.split("\n")
                self.all += [(time.monotonic(), *line.split(" ", 2)) for line in lines]
        return condition()


def stage(call, path):
    """Which part of a checkpoint a call belongs to."""
    name = os.path.basename(path.rstrip("/"))
    if call == "rename" or (call == "fsync" and name == "checkpoints"):
        return "rename"
    return "manifest" if name.startswith("manifest") or (call in ("fsync", "open") and "unfinished" in name) else "lists" if name.startswith("pieces") else "data"


for case in range(500 if LONG else 8):
    folder = copy()
    calls = Calls(folder)
    victim = subprocess.Popen(**job(folder, PARFILE.format(iterations=4000, every=2), 2, LD_PRELOAD=FAULTS, FAIL_BELOW="/checkpoints", SLOW_LOG=calls.path, SLOW_BY="2000"),
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def ends():  # instants at which a checkpoint was there in full
        return [n for n, (_, _, call, path) in enumerate(calls.all) if call == "fsync" and path.endswith("/checkpoints/")]

    def opens(after):
        return [at for at, _, call, path in calls.all[after:] if call == "open" and "/state." in path]

    check(calls.until(lambda: ends() and opens(ends()[0] + 1), 30), "a second checkpoint is begun")
    first, second = opens(0)[0], opens(ends()[0] + 1)[0]
    instant = second + random.uniform(0, calls.all[ends()[0]][0] - first + 0.002)
    calls.until(lambda: time.monotonic() >= instant, 30)
    processes = sorted({int(process) for _, process, _, _ in calls.all})
    hit = processes if case % 2 else [random.choice(processes)]
    if case % 2:
        os.killpg(victim.pid, signal.SIGKILL)
    for process in hit:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    try:
        victim.wait(timeout=30)
    except subprocess.TimeoutExpired:
        check(False, "the others end, too")
        os.killpg(victim.pid, signal.SIGKILL)
    left = os.listdir(os.path.join(folder, "out", "checkpoints"))
    newest = max(int(x) for x in left if x.isdigit())
    reached = stage(*calls.all[-1][2:]) if any("unfinished" in x for x in left) or calls.all[-1][2] == "rename" else "whole"
    stages[reached] += 1
    os.close(calls.pipe)
    done = run(folder, newest + 3)
    good = done.returncode == 0 and f"going on from iteration {newest}" in done.stdout and series(folder) == reference(newest + 3)
    check(good, f"{'all' if case % 2 else 'one'} killed at {newest}, {reached}: the same afterwards{'' if good else ': ' + (done.stdout + done.stderr)[-300:]}")
    shutil.rmtree(folder)
print("killed while a checkpoint was at:", ", ".join(f"{n} × {what}" for what, n in stages.items()))
finish()
