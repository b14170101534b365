#!/usr/bin/env python3
"""A file `steer.yaml` changes parameters of a run that goes on: a wave's speed, which the step follows, and the run's end. What may not
be changed, is no parameter or out of range changes nothing and is said.

Mutations that make it fail: kernels keep their old parameters; speeds for the step are not offered again; a pipe is opened as a file.
"""
import os
import re
import subprocess
import tempfile
import time

from _physics import check, finish, job, rows

# Runs alone: it waits for seconds in which a run takes many steps.
PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII, WaveToy]
Cereus: {iterations: 10000000, output: out}
UniGrid: {cells: [24, 24, 24]}
WaveToy: {initial_data: standing, wave_number: [1, 0, 0]}
IOASCII: {variables: ["WaveToy::u"], every: 1}
"""


def steer(folder, text):
    with open(os.path.join(folder, "steer.part"), "w") as f:
        f.write(text)
    os.rename(os.path.join(folder, "steer.part"), os.path.join(folder, "out", "steer.yaml"))
    limit = time.monotonic() + 30
    while os.path.exists(os.path.join(folder, "out", "steer.yaml")) and time.monotonic() < limit:
        time.sleep(0.05)


def steps_between_minima(norms):
    minima = [i for i in range(1, len(norms) - 1) if norms[i] < norms[i - 1] and norms[i] <= norms[i + 1]]
    return (minima[-1] - minima[0]) / (len(minima) - 1)


for processes in (1, 2):
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "said"), "w") as said:
        victim = subprocess.Popen(**job(folder, PARFILE, processes), stdout=said, stderr=said)
        while not os.path.exists(os.path.join(folder, "out", "parameters.yaml")) and victim.poll() is None:
            time.sleep(0.05)
        time.sleep(1)
        for text in ("WaveToi: {speed: 2}\n", "WaveToy: {speed: -1}\n", "WaveToy: {width: 2}\n", "WaveToy: {speed: [\n", "Cereus: {iterations: 20, final_time: x}\n", ""):
            steer(folder, text)
        os.mkfifo(os.path.join(folder, "out", "steer.yaml"))  # nobody writes into it
        while os.path.exists(os.path.join(folder, "out", "steer.yaml")) and victim.poll() is None:
            time.sleep(0.05)
        time.sleep(1.2)
        steer(folder, "#" * (1 << 21))
        steer(folder, "WaveToy: {speed: 2}\n")
        time.sleep(1.5)
        steer(folder, "Cereus: {iterations: 20}\n")  # which are over
        try:
            victim.wait(timeout=30)
        except subprocess.TimeoutExpired:
            victim.kill()
    said = open(os.path.join(folder, "said")).read()
    check(victim.returncode == 0, f"on {processes}: it ends when it is told to: {victim.returncode} {said[-300:] if victim.returncode else ''}")
    for what in ("'WaveToi' is no active thorn; did you mean 'WaveToy'", "WaveToy.speed = -1: must be", "WaveToy.width cannot be changed during a run; what can: speed", "Cereus.final_time = x: must be", "steer.yaml is no file of at most 1.0 MiB"):
        check(what in said and "nothing is changed" in said, f"on {processes}: {what}")
    at = re.search(r"iteration (\d+), t = (\S+): WaveToy.speed is 2.*, was 1", said)
    check(at and at[0] in open(os.path.join(folder, "out", "steering.txt")).read(), f"on {processes}: {at[0] if at else said[-500:]}")
    series = rows(os.path.join(folder, "out"), "wavetoy-state.norm2.asc")
    times, norms, n = [r[1] for r in series], [r[2] for r in series], int(at[1])
    check(abs((times[n + 2] - times[n + 1]) / (times[n] - times[n - 1]) - 0.5) < 1e-6, f"on {processes}: the step is half as long")
    # A wave that is twice as fast comes back after as many steps that are half as long.
    before, after = (steps_between_minima(norms[m : m + 400]) for m in (n - 400, n))
    check(abs(after / before - 1) < 0.05, f"on {processes}: the wave is twice as fast: {before:.1f} steps from minimum to minimum, then {after:.1f}")
finish()
