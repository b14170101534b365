#!/usr/bin/env python3
"""Processes with a device and others on the host in one run: how fast they are together, against the sum of what each does alone, and against the devices
alone where hosts are slow.

    two_kinds.py OUTPUT.json            on a mirror device: one core each, the host slower by known factors (thorn Busy of the tests)
    DEVICE=cuda two_kinds.py OUTPUT.json      on a GPU and its host: a wave, and kernels of many operations a byte

CEREUS names the executable (default: cereus), CEREUS_TEST_THORNS the folder of Busy.
"""
import os
import re
import subprocess
import sys
import tempfile

from _rates import host as machine, note, write

CEREUS = os.environ.get("CEREUS", "cereus")
DEVICE = os.environ.get("DEVICE", "mirror")
ON = {"mirror": "Accelerator, AcceleratorMirror", "cuda": "Accelerator, AcceleratorCUDA"}[DEVICE]
SIZE = int(os.environ.get("SIZE", 48 if DEVICE == "mirror" else 256))
RUN = """thorns: [{driver}, Time, MoL, WaveToy, Busy, {on}]
Cereus: {{iterations: {steps}, output: out, device: {device}, device_processes: {devices}}}
{grid}
Time: {{courant: 0.3}}
WaveToy: {{order: 4, initial_data: gaussian, width: 0.2}}
Busy: {{rounds: {rounds}}}
{more}
"""
GRIDS = {"UniGrid": f"UniGrid: {{cells: [{SIZE}, {SIZE}, {SIZE}], periodic: true}}",
         "Forest": f"Forest: {{cells: [{SIZE}, {SIZE}, {SIZE}], periodic: true, block: {12 if DEVICE == 'mirror' else 32}}}"}
if DEVICE == "mirror":
    os.environ.setdefault("MACHINE", machine())


def seconds(steps, driver, processes, device, rounds, said):
    """Of the evolution; the second of two runs, whose kernels are known."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(RUN.format(driver=driver, on=ON if device else "", steps=steps, device=DEVICE if device else "none", devices=1 if device else 0,
                           grid=GRIDS[driver], rounds=rounds, more="AcceleratorMirror: {late: false, seed: 0}" if device and DEVICE == "mirror" else "").replace(", ]", "]"))
    more = ["-n", str(processes)] if processes > 1 else []
    environment = dict(os.environ, OMP_NUM_THREADS="1") if DEVICE == "mirror" else dict(os.environ)
    done = subprocess.run([CEREUS, "run", "run.yaml", "--thorns", os.environ["CEREUS_TEST_THORNS"], *more], cwd=folder, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    said[:] = re.findall(r"devices compute .*|a step takes .*", done.stdout)
    words = re.findall(r"cell/s, in (.+)", done.stdout)[-1].split()
    return sum(float(n) * {"µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60}[unit] for n, unit in zip(words[::2], words[1::2]))


def rate(driver, processes, device, rounds):
    """Steps a second, and what the run said of shares, which are settled after 50 steps."""
    said, before, steps = [], 52 if processes > 1 else 4, STEPS[0 if device else 1]
    short = seconds(before, driver, processes, device, rounds, said)
    long = seconds(before + steps, driver, processes, device, rounds, said)
    return steps / (long - short), said


def ratio(what, value, bar=None):
    note(what, value, "", bar and f"≥ {bar}", None if bar is None else value >= bar)
    print(f"{what:110} {value:8.3f} {'' if bar is None else f'≥ {bar}'} {'' if bar is None else 'met' if value >= bar else 'MISSED'}", flush=True)


CASES = [(120, 120), (120, 480), (120, 1800)] if DEVICE == "mirror" else [(0, 0), (100, 100)]
STEPS = (80, 20) if DEVICE == "mirror" else (1000, 2)  # with a device, and on the host: moving blocks takes longer than many steps on a card
for driver in GRIDS:
    for mine, theirs in CASES:
        device = rate(driver, 1, True, [mine])[0]
        host = rate(driver, 1, False, [theirs])[0]
        together, said = rate(driver, 2, True, [mine, theirs])
        print("   ", *said, sep="\n    ")
        slower = f"{driver}, {DEVICE}, {mine} rounds a point: a device and a host" + (f" with {theirs}" if theirs != mine else "")
        ratio(f"{slower}: rate of the host over that of the device", host / device)
        if host / device >= 0.2:
            ratio(f"{slower} together, over the sum", together / (device + host), 0.9)
        else:
            ratio(f"{slower} together, over the device alone", together / device, 0.98)

write(sys.argv[1])
