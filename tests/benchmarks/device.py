#!/usr/bin/env python3
"""Rates of whole steps on devices, through `cereus run` with default parameters: prints a table and writes JSON.

    device.py OUTPUT.json [COPY_BANDWIDTH_PROGRAM]

CEREUS names the executable (default: cereus), TRACE the library of trace/, ANALYST the folder of the thorn Analyst. As many
devices are used as there are. Best of 3 runs each, or of REPEATS. The floors count what must move: 208 B a cell for a step of the wave with
RK4 (see docs/decisions), 16 B for one of diffusion with forward Euler.
"""
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile

COMMON = """
arrangements: [standard]
Cereus: {{iterations: {iterations}, device: cuda, poison: false}}
UniGrid: {{cells: [{x}, {y}, {z}], periodic: true, blocks: {blocks}}}
IOASCII: {{variables: []}}
IOHDF5: {{variables: []}}
IOImage: {{variables: [], series: []}}
"""
WAVE = COMMON + "thorns: [WaveToy]\nTime: {{courant: 0.4}}\nMoL: {{method: RK4}}\nWaveToy: {{order: 4}}\n"
DIFFUSION = COMMON + "thorns: [Diffusion]\nMoL: {{method: Euler}}\nDiffusion: {{order: 2}}\n"
CEREUS = os.environ.get("CEREUS", "cereus")
REPEATS = int(os.environ.get("REPEATS", "3"))
results = []


def rate(text, cells, iterations, processes=1, blocks=1, more=()):
    """The best of several rates, in Gcell/s."""
    best = 0
    for _ in range(REPEATS):
        folder = tempfile.mkdtemp(prefix="cereus-")
        with open(os.path.join(folder, "bench.yaml"), "w") as f:
            f.write(text.format(iterations=iterations, x=cells[0], y=cells[1], z=cells[2], blocks=blocks))
        command = [CEREUS, "run", "bench.yaml"] + (["-n", str(processes)] if processes > 1 else []) + list(more)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
        found = re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)
        if done.returncode != 0 or not found:
            sys.exit(done.stdout + done.stderr)
        best = max(best, 1e-3 * float(found[-1]))
    return best


def copied(iterations):
    """Bytes between host and device of a whole run, as CUPTI saw them."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "bench.yaml"), "w") as f:
        f.write(WAVE.format(iterations=iterations, x=128, y=128, z=128, blocks=1))
    done = subprocess.run([CEREUS, "run", "bench.yaml"], cwd=folder, capture_output=True, text=True,
                          env=dict(os.environ, CUDA_INJECTION64_PATH=os.environ["TRACE"]))
    return sum(int(n) for n in re.findall(r"copies to the (?:host|device), (\d+) bytes", done.stderr))


def note(what, value, unit, bar=None, peer=None, most=False):
    met = None if bar is None else value <= bar if most else value >= bar
    results.append({"what": what, "value": round(value, 4), "unit": unit, "bar": bar, "met": met, "peer": peer})
    print(f"{what:62} {value:9.3f} {unit:8} " + ("" if bar is None else f"bar {bar:g} {'met' if met else 'MISSED'}"), flush=True)
    return value


listed = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv,noheader"], capture_output=True, text=True).stdout.split("\n")
names = [n for n in listed if n]
if len(sys.argv) > 2:
    copy = note("copy, device to device", float(subprocess.run([sys.argv[2]], capture_output=True, text=True).stdout), "GB/s")
one = note("WaveToy order 4, RK4, 512³, one device", rate(WAVE, (512,) * 3, 200), "Gcell/s", 16, "AMReX 11.8")
if len(sys.argv) > 2:
    note("  of its floor, 208 B a cell", 208 * one / copy, "")
small = note("the same, 256³", rate(WAVE, (256,) * 3, 2000), "Gcell/s", 15.5, "AMReX 10.8")
note("the same, 128³", rate(WAVE, (128,) * 3, 2000), "Gcell/s", 13, "AMReX 6.3")
note("the same, 256³ in 64 blocks of 64³", rate(WAVE, (256,) * 3, 400, blocks=64), "Gcell/s", 12, "AMReX 6.5")
heat = note("Diffusion order 2, forward Euler, 512³, one device", rate(DIFFUSION, (512,) * 3, 400), "Gcell/s", 230, "AMReX 148")
if len(sys.argv) > 2:
    note("  of its floor, 16 B a cell", 16 * heat / copy, "")
for n, cells in ((2, (256, 256, 512)), (4, (256, 256, 1024)), (4, (256, 512, 512)), (8, (256, 256, 2048)), (8, (512, 512, 512))):
    if n <= len(names):
        note(f"weak scaling of WaveToy, 256³ a device, {n} devices, {'×'.join(map(str, cells))}", rate(WAVE, cells, 2000, n) / (n * small), "", 0.95)
for n, bar in ((2, None), (4, 0.93), (8, 0.87)):
    if n <= len(names):
        note(f"strong scaling of WaveToy, 512³, {n} devices", rate(WAVE, (512,) * 3, 1000, n) / (n * one), "", bar)
if "TRACE" in os.environ:
    note("bytes between host and device in 100 steps of the wave (CUPTI)", copied(110) - copied(10), "B", 0, most=True)
if "ANALYST" in os.environ:
    step = 512**3 / (one * 1e9)
    analyst = ["--thorns", os.environ["ANALYST"], "--activate", "Analyst"]
    alone = rate(WAVE, (512,) * 3, 600)
    beside = rate(WAVE, (512,) * 3, 600, more=analyst + ["--set", f"Analyst.seconds={6 * step}"])
    note("time added by an analysis of u as long as 6 steps, every 10 steps", 100 * (alone / beside - 1), "%", 5, most=True)
for r in results:
    r.update(machine=f"{len(names)} × {names[0]}", date=str(datetime.date.today()), commit=os.environ.get("COMMIT", ""),
             command="tests/benchmarks/device.py")
with open(sys.argv[1], "w") as f:
    json.dump(results, f, indent=1, ensure_ascii=False)
