#!/usr/bin/env python3
"""What pictures cost a run that goes on while they are drawn: prints a table and adds it to docs/measured/everyday.json.

Usage: pictures.py [OUT]   CEREUS names the executable. A wave on 512² cells, on as many cores as this process may use (taskset), with a picture of all
of it each second (by iterations: as many as a run without pictures makes in a second), and every 100 steps; against the same run without, in turns.
Medians of seven pairs. The last picture is due half an interval before the end, so that all are drawn while steps are counted.
"""
import os
import re
import statistics
import subprocess
import sys
import tempfile

from _rates import host, note, write

os.environ.setdefault("MACHINE", host())
root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(root, "docs", "measured", "everyday.json")
PAIRS = 7


def rate(folder, steps, every):
    """Steps a second."""
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(f"""thorns: [UniGrid, Time, MoL, WaveToy, IOImage]
Cereus: {{iterations: {steps}, poison: false}}
UniGrid: {{cells: [512, 512]}}
WaveToy: {{width: 0.1}}
IOImage: {{variables: ["WaveToy::u"], every: {every}, at_end: false, series: []}}
""")
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "run.yaml", "--fresh"], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return float(re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)[-1]) * 1e6 / 512**2


with tempfile.TemporaryDirectory(prefix="cereus-", dir=".") as folder:
    cores = len(os.sched_getaffinity(0))
    second = round(statistics.median(rate(folder, 1000, 0) for _ in range(3)))
    for what, every, pictures, bar in ((f"a picture each second ({second} steps)", second, 5, 2), ("a picture every 100 steps", 100, 20, None)):
        steps = every * pictures + every // 2
        lost = [100 * (1 - rate(folder, steps, every) / rate(folder, steps, 0)) for _ in range(PAIRS)]
        share = statistics.median(lost)
        print(f"{what}: {share:.2f} % of the rate lost ({min(lost):.2f} to {max(lost):.2f}; bar: {bar}), on {cores} cores", flush=True)
        note(f"a wave on 512² cells, {cores} cores, {what.split(' (')[0]}, drawn beside it: share of the rate lost", share, "%", bar and f"≤ {bar}",
             bar and share <= bar)
write(out)
