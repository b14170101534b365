#!/usr/bin/env python3
"""`cereus graph` in its three forms; where there is no dot, it says so.

Mutations, each of which makes it fail: the exit code of dot not looked at; the error of posix_spawnp() not looked at.
"""
import os
import shutil
import subprocess
import tempfile

from _physics import check, finish

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
finish()
