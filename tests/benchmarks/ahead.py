#!/usr/bin/env python3
"""Sweeps compiled late, by NVRTC, against the same text compiled ahead of time, by nvcc: 7 points on 512³ doubles and 5 points on 8192² floats, the
same tile, runs interleaved, medians. Prints, and writes JSON.

    ahead.py OUTPUT.json [ROUNDS]

What nvcc made lies in a cache of its own: a copy of CaKernel beside a program that calls nvcc where cereus-nvrtc calls NVRTC fills it.
CEREUS names the executable.
"""
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

from _rates import note, run, write

if os.path.basename(sys.argv[0]) == "cereus-nvrtc":
    task = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in task["headers"] + [["sweep.cu", task["source"]]]:
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as f:
                f.write(text)
        options = ["--expt-relaxed-constexpr" if o == "-default-device" else o for o in task["options"]]
        done = subprocess.run([os.environ.get("NVCC", "nvcc"), "-cubin", *options, "-I", folder, "-o", f"{folder}/sweep.cubin", f"{folder}/sweep.cu"], capture_output=True, text=True)
        sys.stderr.write(done.stdout + done.stderr)
        if done.returncode == 0:
            with open(f"{folder}/sweep.cubin", "rb") as f:
                sys.stdout.buffer.write(f.read())
    sys.exit(done.returncode != 0)

ROUNDS = int(sys.argv[2]) if len(sys.argv) > 2 else 20
CASES = [("jacobi3d", [512, 512, 512], "double", 2400, "steps: 3, trials: false"), ("jacobi2d", [8192, 8192], "float", 12000, "steps: 8, trials: false")]
late, ahead, nvcc = (tempfile.mkdtemp(prefix="cereus-") for _ in range(3))
thorns = os.path.join(os.path.dirname(os.path.realpath(shutil.which(os.environ.get("CEREUS", "cereus")))), "..", "lib", "cereus", "thorns")
shutil.copy(os.path.join(thorns, "CaKernel.so"), nvcc)
shutil.copy(os.path.join(os.path.dirname(__file__), "_rates.py"), nvcc)
shutil.copy(os.path.realpath(__file__), os.path.join(nvcc, "cereus-nvrtc"))
os.chmod(os.path.join(nvcc, "cereus-nvrtc"), 0o755)
for program, cells, real, steps, more in CASES:
    rates = {late: [], ahead: []}
    run(late, program, cells, real, 480, more)
    run(ahead, program, cells, real, 480, more, "--thorns", nvcc)
    for _ in range(ROUNDS):
        for cache, values in rates.items():
            values.append(run(cache, program, cells, real, steps, more)[0])
    a, b = (statistics.median(v) for v in rates.values())
    print(f"{program} {real}: late {a:.1f}, ahead of time {b:.1f} Gpoint/s (medians of {ROUNDS}), {a / b:.4f}", flush=True)
    kept = [{n: open(os.path.join(c, "cereus", n), "rb").read() for n in os.listdir(os.path.join(c, "cereus")) if n.endswith(".cubin")} for c in (late, ahead)]
    if kept[0].keys() != kept[1].keys() or any(kept[1][n] == code for n, code in kept[0].items()):
        sys.exit("these are not the same sweeps by two compilers")
    note(f"{program} {real}: late-compiled over ahead of time, the same sweep, medians of {ROUNDS}, interleaved", a / b, "×", 0.99, a >= 0.99 * b)
    write(sys.argv[1])
