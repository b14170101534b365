#!/usr/bin/env python3
"""What a checkpoint costs a wave on 256³ points, and how fast it comes to the disk against dd. Prints, and writes JSON.

    checkpoint.py OUTPUT.json [DEVICE]      DEVICE: none (default) or cuda

Three runs a round, interleaved: without checkpoints, with some beside the run, with some that the run waits for. The cost of one is
what they add, over their number; its share is that of a minute. Files lie in the working directory.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

from _rates import host, note, write

DEVICE = sys.argv[2] if len(sys.argv) > 2 else "none"
if DEVICE == "none":
    os.environ.setdefault("MACHINE", host())
STEPS, EVERY = (35, 5) if DEVICE == "none" else (6500, 1500)
PARFILE = """thorns: [UniGrid, Time, MoL, WaveToy{checkpoint}{device}]
Cereus: {{iterations: {steps}, output: out, device: {name}, poison: false}}
UniGrid: {{cells: [256, 256, 256]}}
"""
folder = tempfile.mkdtemp(prefix="cereus-", dir=".")


def seconds(how):
    """Of the steps, as the run says."""
    shutil.rmtree(os.path.join(folder, "out"), ignore_errors=True)
    text = PARFILE.format(checkpoint="" if how is None else ", Checkpoint", device="" if DEVICE == "none" else ", Accelerator, AcceleratorCUDA", steps=STEPS, name=DEVICE)
    if how is not None:
        text += f"Checkpoint: {{every: {EVERY}, at_end: false, asynchronous: {how}}}\n"
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(text)
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "run.yaml"], cwd=folder, capture_output=True, text=True)
    found = re.findall(r"in ([0-9.]+) (ms|s|min)\b", done.stdout)
    if done.returncode or not found:
        sys.exit(done.stdout + done.stderr)
    return float(found[-1][0]) * {"ms": 1e-3, "s": 1, "min": 60}[found[-1][1]]


def dd(size):
    begun = time.monotonic()
    subprocess.run(["dd", "if=/dev/zero", f"of={folder}/dd", "bs=64M", f"count={size >> 26}", "conv=fsync"], capture_output=True, check=True)
    took = time.monotonic() - begun
    os.remove(f"{folder}/dd")
    return (size >> 26 << 26) / took


plain, beside, waited, disk = [], [], [], []
for _ in range(3):
    plain.append(seconds(None)), beside.append(seconds("true")), waited.append(seconds("false"))
    (newest,) = [p for p in sorted(os.listdir(f"{folder}/out/checkpoints"))[-1:]]
    size = sum(e.stat().st_size for e in os.scandir(f"{folder}/out/checkpoints/{newest}"))
    disk.append(dd(size))
shutil.rmtree(folder)
number = STEPS // EVERY
cost, wait = (min(beside) - min(plain)) / number, (min(waited) - min(plain)) / number
print(f"{size / 1e6:.0f} MB; a run of {min(plain):.2f} s; each of {number} checkpoints adds {cost:.3f} s beside it, {wait:.3f} s waited for; dd writes {max(disk) / 1e6:.0f} MB/s")
where = "host" if DEVICE == "none" else "device"
note(f"{where}: a checkpoint a minute of a wave on 256³ points, share of the run", 100 * cost / 60, "%", 3, cost <= 1.8)
note(f"{where}: a checkpoint that is waited for, bytes a second over those of dd with fsync", size / wait / max(disk), "×", 0.8, size / wait >= 0.8 * max(disk))
write(sys.argv[1])
