#!/usr/bin/env python3
"""timers.json of a run: shares of bins add up to 100 %, no child takes more than its parent, `terminate` is there.

The report is made in `terminate`, after another routine of that bin. Mutation: no count_open in TimerReport.cpp.
"""
import json
import os
import subprocess
import tempfile

from _physics import check, finish

folder = tempfile.mkdtemp(prefix="cereus-")
with open(os.path.join(folder, "wave.yaml"), "w") as f:
    f.write("""thorns: [UniGrid, Time, MoL, Reduce, WaveToy, IOImage, TimerReport]
Cereus: {iterations: 4}
UniGrid: {cells: [16, 16]}
IOImage: {every: 0}
TimerReport: {every: 2}
""")
done = subprocess.run([os.environ["CEREUS"], "run", "wave.yaml"], cwd=folder, capture_output=True, text=True, timeout=100)
check(done.returncode == 0, f"exit {done.returncode} {done.stderr}")
with open(os.path.join(folder, "wave", "timers.json")) as f:
    timers = json.load(f)["timers"]
total = sum(t["percent"] for t in timers if t["depth"] == 0)
check(abs(total - 100) < 0.1, f"bins take {total:.2f} %")
path = []
for t in timers:
    path = path[:t["depth"]] + [t]
    if t["depth"]:
        parent = path[-2]
        check(t["seconds"]["average"] <= parent["seconds"]["average"] * 1.0001,
              f"{t['name']} {t['seconds']['average']} s, in {parent['name']} {parent['seconds']['average']} s")
    if t["name"] == "terminate":
        check(t["calls"] == 1 and t["seconds"]["average"] > 0, f"terminate: {t}")
check(any(t["name"] == "IOImage::last_slices" and t["calls"] == 1 for t in timers), "IOImage::last_slices was timed")
with open(os.path.join(folder, "wave", "timers.txt")) as f:
    check("\nterminate " in f.read(), "timers.txt has a row for terminate")
finish()
