#!/usr/bin/env python3
"""Where the time of a binary black hole goes on a device: shares of the table of classes as a run tells them, against those of a run that waits for the
device after each routine; and what telling them costs.

    device_times.py OUTPUT.json [STEPS]

CEREUS names the executable (default: cereus). Runs take turns; shares are means of two, rates the best of three.
"""
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile

FILE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "parfiles", "qc0-small.yaml")
CEREUS = os.environ.get("CEREUS", "cereus")
STEPS = int(sys.argv[2]) if len(sys.argv) > 2 else 48
QUIET = ["IOHDF5.every=0", "IOImage.every=0", "Checkpoint.every=0"]


def run(*settings):
    """Shares of the evolution by class, and the rate in Mcell/s."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    words = [w for text in [f"Cereus.iterations={STEPS}", "Cereus.output=out", *QUIET, *settings] for w in ("--set", text)]
    done = subprocess.run([CEREUS, "run", os.path.abspath(FILE), *words], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    with open(os.path.join(folder, "out", "timers.json")) as f:
        shares = {c["name"]: c["exposed"] for c in json.load(f)["classes"] if c["name"] != "start"}
    whole = sum(shares.values())
    return {name: time / whole for name, time in shares.items()}, float(re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)[-1])


run()  # code is compiled, and kept
told, exact = [run() for _ in range(3)], [run("Cereus.exact_times=true") for _ in range(2)]
mean = lambda runs, name: sum(r[0].get(name, 0) for r in runs) / len(runs)
names = sorted({n for shares, _ in told + exact for n in shares}, key=lambda n: -mean(exact, n))
print(f"{'share of the evolution':30} {'told':>8} {'exact':>8}")
for name in names:
    print(f"{name:30} {100 * mean(told, name):7.2f}% {100 * mean(exact, name):7.2f}%")
apart = max(100 * abs(mean(told, n) - mean(exact, n)) for n in names)
rate = max(r for _, r in told)
print(f"furthest apart {apart:.2f} points; {rate:.1f} Mcell/s, {max(r for _, r in exact):.1f} with exact times")
head = {"peer": None, "machine": os.environ.get("MACHINE", "one NVIDIA H200"), "date": datetime.date.today().isoformat(),
        "commit": os.environ.get("COMMIT", "?"), "command": f"tests/benchmarks/device_times.py OUTPUT.json {STEPS}"}
rows = [{"what": f"QC-0 small, {STEPS} steps on one GPU: shares of the table, furthest from those with exact times", "value": round(apart, 2), "unit": "points", "bar": 3,
         "met": apart <= 3, **head},
        {"what": f"QC-0 small, {STEPS} steps on one GPU: rate", "value": round(rate, 1), "unit": "Mcell/s", "bar": None, "met": None, **head}]
with open(sys.argv[1], "w") as f:
    json.dump(rows, f, indent=1, ensure_ascii=False)
