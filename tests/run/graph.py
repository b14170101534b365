#!/usr/bin/env python3
"""`cereus graph` in its three forms; where there is no dot, it says so. The bytes that it foresees for an output beside the evolution are those that travel; a routine
that is never due is shown as such, without what it would read.

Mutations, each of which makes it fail: the exit code of dot not looked at; the error of posix_spawnp() not looked at; Forecast::slab() not asked; nowhere() not looked at.
"""
import json
import os
import re
import shutil
import subprocess
import tempfile

from _physics import DIMENSIONS, check, finish

folder = tempfile.mkdtemp(prefix="cereus-")
with open(os.path.join(folder, "run.yaml"), "w") as f:
    f.write("thorns: [UniGrid, Time, MoL, WaveToy]\nCereus: {iterations: 1}\nUniGrid: {cells: [8, 8, 8]}\n")


def graph(*more, path=os.environ["PATH"]):
    done = subprocess.run([os.environ["CEREUS"], "graph", "run.yaml", *more], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "PATH": path})
    return done.returncode, done.stdout, done.stderr


code, text, _ = graph()
check(code == 0 and "sync WaveToy::u" in text, "text names syncs")
code, source, _ = graph("--dot")
check(code == 0 and source.startswith("digraph") and source.rstrip().endswith("}"), "dot")
if shutil.which("dot"):
    code, picture, _ = graph("--svg")
    check(code == 0 and "<svg" in picture and picture.rstrip().endswith("</svg>") and "WaveToy::rhs" in picture, "svg")
else:
    print("SKIPPED: not installed: dot (graphviz); no picture was drawn")
code, picture, said = graph("--svg", path=folder)
check(code == 3 and not picture and "install graphviz" in said, f"no dot: exit {code}: {said.strip()}")
with open(os.path.join(folder, "dot"), "w") as f:
    f.write("#!/bin/sh\nexit 1\n")
os.chmod(os.path.join(folder, "dot"), 0o755)
code, picture, said = graph("--svg", path=folder)
check(code == 3 and "dot failed" in said, f"a dot that fails: exit {code}: {said.strip()}")
if 2 in DIMENSIONS:
    run = """thorns: [UniGrid, Time, MoL, WaveToy, IOHDF5, TimerReport, Accelerator, AcceleratorMirror]
Cereus: {iterations: 4, device: mirror, output: out}
UniGrid: {cells: [64, 48]}
IOHDF5: {variables: ["WaveToy::u"], every: 2}
"""
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(run)
    _, text, _ = graph()
    foreseen = re.findall(r"→ ([0-9.]+) KiB of WaveToy::u to the host: IOHDF5::fields", text)
    done = subprocess.run([os.environ["CEREUS"], "run", "run.yaml"], cwd=folder, capture_output=True, text=True, timeout=200)
    check(done.returncode == 0, f"a run with a mirror{done.stderr[-500:] * (done.returncode != 0)}")
    with open(os.path.join(folder, "out/timers.json")) as f:
        travelled = sum(flow["to_host"] for flow in json.load(f)["traffic"] if flow["routine"] == "IOHDF5::fields")
    check(len(foreseen) == 1 and abs(float(foreseen[0]) - travelled / 3 / 1024) < 0.06, f"{foreseen} KiB foreseen, {travelled / 3 / 1024:.2f} KiB each time")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(run.replace("every: 2", "every: 0").replace('["WaveToy::u"]', "[]"))
    _, text, _ = graph()
    check("IOHDF5::fields: Fields in HDF5\n      never runs: nothing says when\n" in text, "what is never due")
finish()
