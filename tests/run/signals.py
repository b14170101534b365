#!/usr/bin/env python3
"""SIGTERM, SIGINT and SIGHUP, to `cereus run -n`, to a bare mpirun, to all processes or to one, at any instant from the start on: the run ends,
and the same command, on another number of processes, goes on to the bits of one that was let alone. Twelve of them; 60 with CEREUS_LONG.

Mutations seen to fail: no handler for SIGHUP; a stop that one process hears of alone.
"""
import glob
import os
import random
import signal
import subprocess
import tempfile
import time

from _physics import check, finish, job, ranks

CASES = 60 if os.environ.get("CEREUS_LONG") == "1" else 12
STEPS = 300
PARFILE = f"""thorns: [UniGrid, Time, MoL, WaveToy, Checkpoint, Reduce, IOASCII]
Cereus: {{iterations: {STEPS}, output: out}}
UniGrid: {{cells: [20, 20, 20]}}
IOASCII: {{variables: ["WaveToy::u"], every: 10}}
Checkpoint: {{every: 50}}
"""
random.seed(39)


def series(folder):
    return {os.path.basename(p): open(p, "rb").read() for p in glob.glob(os.path.join(folder, "out", "*.asc"))}


def start(folder, processes, bare):
    how = job(folder, PARFILE, processes)
    if bare:
        how["args"] = ["mpirun", "--quiet", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", str(processes), *job(folder, PARFILE)["args"]]
        how["env"]["OMPI_MCA_odls_base_sigkill_timeout"] = "3"
    return subprocess.Popen(**how, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


begun = time.monotonic()
alone = os.path.realpath(tempfile.mkdtemp(prefix="cereus-"))
whole = start(alone, 2, False)
said, _ = whole.communicate(timeout=120)
takes = time.monotonic() - begun
check(whole.returncode == 0, f"let alone: {whole.returncode}, {takes:.1f} s")
want = series(alone)

ends = {}
for case in range(CASES):
    number = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)[case % 3]
    target = ("cereus", "mpirun", "all", "one")[case // 3 % 4]
    processes = random.choice((2, 2, 4))
    folder = os.path.realpath(tempfile.mkdtemp(prefix="cereus-"))
    run = start(folder, processes, target == "mpirun" or target != "cereus" and random.random() < 0.5)
    instant = random.uniform(0, takes)
    time.sleep(instant)
    found = ranks(folder)
    steps = bool(glob.glob(os.path.join(folder, "out", "checkpoints", "*[0-9]")))  # all processes listen
    for pid in [run.pid] if target in ("cereus", "mpirun") else found if target == "all" else random.sample(found, min(1, len(found))):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            pass
    asked = time.monotonic()
    try:
        said, _ = run.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        run.kill()
        said, run.returncode = run.communicate()[0], "it hung"
    ends[run.returncode] = ends.get(run.returncode, 0) + 1
    what = f"{signal.Signals(number).name} to {target}, {processes} processes, after {instant:.2f} s: ended with {run.returncode}, in {time.monotonic() - asked:.1f} s"
    later = start(folder, 1, False) if run.returncode != 0 else None
    after = later.communicate(timeout=120)[0] if later else ""
    good = not (steps and target != "mpirun" and run.returncode not in (0, 2)) and (not later or later.returncode == 0) and series(folder) == want
    check(good, what + ("" if good else f", then {later and later.returncode}\n{said[-800:]}\n{after[-800:]}"))
check(ends.get(2, 0) >= CASES // 3, f"how they ended: {ends}")
finish()
