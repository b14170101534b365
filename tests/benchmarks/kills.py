#!/usr/bin/env python3
"""Kills `cereus run` at random instants, and gives the same command again: does the run go on or start anew, and to the same end? Adds a row to a
file of measured rows.

    kills.py [OUTPUT.json] [KILLS] [blocks]      default: docs/measured/everyday.json, 100

`blocks`: of a run whose blocks change at each step. CEREUS names the executable. An instant is drawn from the whole time that a run takes, from its start on; half of the runs have two processes, of
which the launcher is killed. What counts are the series of the last run in the folder, byte for byte those of a run that was never killed.
"""
import glob
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

from _rates import host, note, write

os.environ.setdefault("MACHINE", host())
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
OUTPUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "docs", "measured", "everyday.json")
KILLS = int(sys.argv[2]) if len(sys.argv) > 2 else 100
PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII, WaveToy, Checkpoint]
Cereus: {iterations: 300, output: out}
UniGrid: {cells: [24, 24, 24]}
IOASCII: {variables: ["WaveToy::u", "WaveToy::energy"], every: 10}
Checkpoint: {every: 60}
"""
BLOCKS = """thorns: [Forest, Refine, Time, MoL, Reduce, IOASCII, WaveToy, Checkpoint]
Cereus: {iterations: 240, output: out}
Forest: {cells: [48, 48], block: 8, levels: 3, every: 1, subcycle: true}
Refine: {variables: ["WaveToy::u"], refine_above: 0.01, coarsen_below: 0.003}
IOASCII: {variables: ["WaveToy::u", "WaveToy::energy"], every: 10}
Checkpoint: {every: 40}
"""
CHANGES = sys.argv[3:] == ["blocks"]


def start(folder, processes):
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(BLOCKS if CHANGES else PARFILE)
    on = ["-n", str(processes)] if processes > 1 else []
    return subprocess.Popen([os.environ.get("CEREUS", "cereus"), "run", "run.yaml", *on], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def series(folder):
    return {os.path.basename(p): open(p, "rb").read() for p in glob.glob(os.path.join(folder, "out", "*.asc"))}


whole, took = {}, {}
for processes in (1, 2):
    folder = tempfile.mkdtemp(prefix="cereus-")
    begun = time.monotonic()
    said, _ = start(folder, processes).communicate()
    took[processes], whole[processes] = time.monotonic() - begun, series(folder)
    shutil.rmtree(folder)

random.seed(7)
well, ended, anew, went_on = 0, 0, 0, 0
for kill in range(KILLS):
    processes = 1 + kill % 2
    folder = tempfile.mkdtemp(prefix="cereus-")
    running = start(folder, processes)
    instant = random.uniform(0, took[processes])
    time.sleep(instant)
    over = running.poll() is not None
    running.kill()
    running.communicate()
    again = start(folder, processes)
    said, _ = again.communicate(timeout=300)
    same = again.returncode == 0 and series(folder) == whole[processes]
    well, ended = well + same, ended + over
    anew, went_on = anew + ("died before its first checkpoint" in said), went_on + ("going on from iteration" in said)
    if not same:
        print(f"WRONG after {instant:.3f} s on {processes}: exit {again.returncode}: {said[-400:]}", flush=True)
    shutil.rmtree(folder)
print(f"{well} of {KILLS}; {went_on} went on, {anew} were moved aside, {KILLS - anew - went_on} had written nothing yet; {ended} had ended before the kill")

what = ("blocks change at each step, and levels take steps of their own: " if CHANGES else "") + "kills of `cereus run` at random instants, half of them with two processes; the same command again: it goes on or starts anew, to the same series"
note(what, well, f"of {KILLS}", "all", well == KILLS)
write(OUTPUT)
