#!/usr/bin/env python3
"""A run that is asked to stop, by SIGTERM to `cereus run -n 2` or by its wall-clock limit, leaves a checkpoint of its last step and
exits with code 2, in time; and goes on from there. SIGUSR1 and a file ask for a checkpoint, and the run goes on.

Three of each; fifty with --long (CEREUS_LONG=1). Mutations that make it fail: a stop without a checkpoint; a limit that is passed.
"""
import os
import random
import re
import shutil
import signal
import subprocess
import tempfile
import time

from _physics import check, finish, job

# Runs alone: a limit of wall-clock time is kept.
CASES = 50 if os.environ.get("CEREUS_LONG") == "1" else 3
PARFILE = """thorns: [UniGrid, Time, MoL, WaveToy, Checkpoint]
Cereus: {{iterations: 1000000, output: out, wall_clock: {limit}}}
UniGrid: {{cells: [40, 40, 40]}}
"""
random.seed(5)


def begin(limit=0.0, processes=2):
    folder = tempfile.mkdtemp(prefix="cereus-")
    return folder, subprocess.Popen(**job(folder, PARFILE.format(limit=limit), processes), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def checkpoints(folder):
    path = os.path.join(folder, "out", "checkpoints")
    return sorted(int(n) for n in os.listdir(path) if n.isdigit()) if os.path.isdir(path) else []


def wait_for(condition, seconds=30):
    limit = time.monotonic() + seconds
    while not condition() and time.monotonic() < limit:
        time.sleep(0.01)
    return condition()


def last_iteration(said):
    found = re.findall(r"iteration (\d+)", said)
    return int(found[-1]) if found else -1


for case in range(CASES):
    folder, asked = begin()
    wait_for(lambda: os.path.exists(os.path.join(folder, "out", "parameters.yaml")))
    time.sleep(0.6 + random.uniform(0, 0.5))
    asked.send_signal(signal.SIGTERM)
    begun = time.monotonic()
    said, _ = asked.communicate(timeout=60)
    took = time.monotonic() - begun
    there = checkpoints(folder)
    check(asked.returncode == 2 and there and 0 <= last_iteration(said) - there[-1] <= 2 and took < 5,
          f"SIGTERM: code {asked.returncode}, at iteration {last_iteration(said)} with checkpoints {there}, after {took:.2f} s")
    shutil.rmtree(folder)

for case in range(CASES):
    limit = 2.5 + random.uniform(0, 0.5)
    folder, asked = begin(limit / 60)
    wait_for(lambda: os.path.exists(os.path.join(folder, "out", "parameters.yaml")))
    begun = time.monotonic()
    said, _ = asked.communicate(timeout=60)
    took = time.monotonic() - begun
    there = checkpoints(folder)
    check(asked.returncode == 2 and there and 0 <= last_iteration(said) - there[-1] <= 2 and took < limit + 1,
          f"wall-clock limit of {limit:.2f} s: code {asked.returncode}, at iteration {last_iteration(said)} with checkpoints {there}, after {took:.2f} s")
    shutil.rmtree(folder)

folder, asked = begin()
wait_for(lambda: os.path.exists(os.path.join(folder, "out", "parameters.yaml")))
time.sleep(0.6)
asked.send_signal(signal.SIGUSR1)
check(wait_for(lambda: len(checkpoints(folder)) == 1), "SIGUSR1: a checkpoint")
open(os.path.join(folder, "out", "checkpoint-now"), "w").close()
check(wait_for(lambda: len(checkpoints(folder)) == 2), "a file that asks: another")
check(not os.path.exists(os.path.join(folder, "out", "checkpoint-now")) and asked.poll() is None, "the file is gone, and the run goes on")
asked.send_signal(signal.SIGTERM)
asked.communicate(timeout=60)
check(len(checkpoints(folder)) == 2, "two are kept")
shutil.rmtree(folder)
finish()
