#!/usr/bin/env python3
"""What pictures of a wave on 512² cells cost: prints a table and adds it to docs/measured/everyday.json.

    pictures.py [OUTPUT.json] [work] [rate]

work: processor time of one, from runs with and without a picture each step; also on a machine that others use. rate: of a run with a picture each
second (by iterations: as many as a run without makes in a second), and every 100 steps, against the same run without, in turns; medians of seven.
The last picture is due half an interval before the end, so that all are drawn while steps are counted. CEREUS names the executable; cores are those
that this process may use (taskset), and nobody else should.
"""
import argparse
import os
import re
import statistics
import subprocess
import sys
import tempfile

from _rates import host, note, write

os.environ.setdefault("MACHINE", host())
parser = argparse.ArgumentParser()
parser.add_argument("output", nargs="?", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "measured", "everyday.json"))
parser.add_argument("names", nargs="*", default=["work", "rate"])
options = parser.parse_intermixed_args()


def run(folder, steps, every):
    """Steps a second, and seconds of processor time."""
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(f"""thorns: [UniGrid, Time, MoL, WaveToy, IOImage]
Cereus: {{iterations: {steps}, poison: false}}
UniGrid: {{cells: [512, 512]}}
WaveToy: {{width: 0.1}}
IOImage: {{variables: ["WaveToy::u"], every: {every}, at_end: false, series: []}}
""")
    before = os.times()
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "run.yaml", "--fresh"], cwd=folder, capture_output=True, text=True)
    after = os.times()
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return float(re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)[-1]) * 1e6 / 512**2, spent


def work(folder):
    steps = 50
    each = [1e3 * (run(folder, steps, 1)[1] - run(folder, steps, 0)[1]) / (steps + 1) for _ in range(3)]
    print(f"processor time of a picture: {statistics.median(each):.1f} ms ({min(each):.1f} to {max(each):.1f})", flush=True)
    note("a picture of a 512² slice: processor time, gathered, drawn and written", statistics.median(each), "ms", None, None)


def rate(folder):
    cores = len(os.sched_getaffinity(0))
    second = round(statistics.median(run(folder, 1000, 0)[0] for _ in range(3)))
    for what, every, pictures, bar in ((f"a picture each second ({second} steps)", second, 5, 2), ("a picture every 100 steps", 100, 20, None)):
        steps = every * pictures + every // 2
        lost = [100 * (1 - run(folder, steps, every)[0] / run(folder, steps, 0)[0]) for _ in range(7)]
        share = statistics.median(lost)
        print(f"{what}: {share:.2f} % of the rate lost ({min(lost):.2f} to {max(lost):.2f}; bar: {bar}), on {cores} cores", flush=True)
        note(f"a wave on 512² cells, {cores} cores, {what.split(' (')[0]}, drawn beside it: share of the rate lost", share, "%", bar and f"≤ {bar}",
             bar and share <= bar)


for name in options.names:
    with tempfile.TemporaryDirectory(prefix="cereus-", dir=".") as folder:
        {"work": work, "rate": rate}[name](folder)
    write(options.output)
