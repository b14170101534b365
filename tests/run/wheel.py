#!/usr/bin/env python3
"""A wheel of the Python package, which is pure: built without a network, installed into an environment of its own, it opens a run and draws it; `run` says
what it lacks.

Mutation seen to fail: sites/ left out of the wheel.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

import _physics
from _physics import check, finish

SOURCE = os.environ["CEREUS_SOURCE"]
folder = tempfile.mkdtemp(prefix="cereus-")
shutil.copytree(os.path.join(SOURCE, "flesh/python"), os.path.join(folder, "python"), ignore=shutil.ignore_patterns("__pycache__"))  # setuptools writes beside it
made = subprocess.run([sys.executable, "-m", "venv", "--system-site-packages", os.path.join(folder, "there")], capture_output=True, text=True)
if made.returncode != 0:
    finish("no python3-venv here")
python = os.path.join(folder, "there/bin/python")
env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "CEREUS_PYTHON")}
done = subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", os.path.join(folder, "python")], capture_output=True, text=True,
                      env=env, timeout=200)
if done.returncode != 0 and ("bdist_wheel" in done.stderr or "No module named 'setuptools'" in done.stderr or "Cannot import 'setuptools" in done.stderr):
    finish("no python3-setuptools or no python3-wheel here")
check(done.returncode == 0, f"a wheel is built and installed: {done.stderr[-600:]}")
version = re.search(r"project\(Cereus VERSION (\S+)", open(os.path.join(SOURCE, "CMakeLists.txt")).read())[1]
run = _physics.run("""thorns: [UniGrid, Time, MoL, WaveToy, Reduce, IOASCII]
Cereus: {iterations: 3}
UniGrid: {cells: [16]}
""")
script = f"""
import importlib.metadata, os, cereus
print(importlib.metadata.version("cereus"), cereus.__file__)
run = cereus.open({run!r})
print(run.state, len(run.series["wavetoy-state.norm2"]["u"]))
cereus.plot(run, "wavetoy-state.norm2").savefig("u.png")
print(os.path.getsize("u.png") > 1000, os.path.exists(os.path.join(os.path.dirname(cereus.__file__), "sites", "generic.yaml")))
try:
    cereus.run("wave.yaml")
except cereus.Error as e:
    print(e)
"""
done = subprocess.run([python, "-c", script], cwd=folder, capture_output=True, text=True, env=env | {"PATH": "/usr/bin:/bin"}, timeout=100)
lines = done.stdout.splitlines()
check(len(lines) == 4 and lines[0].startswith(version + " " + folder) and lines[1] == "done 4" and lines[2] == "True True" and "none on the PATH" in lines[3],
      f"it works: {done.stdout} {done.stderr[-600:]}")
finish()
