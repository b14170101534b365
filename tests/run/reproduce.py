#!/usr/bin/env python3
"""`cereus reproduce` finds in each file that a run wrote the parameters that made it, wherever that file is now; a run of them writes the same bits.

Mutations that make it fail: the parameters that a file holds are those of the file, without defaults; a picture is written without notes;
thorns are loaded whatever they say that they read.
"""
import glob
import os
import re
import shutil
import subprocess
import tempfile

from _physics import check, finish, job

PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII, IOHDF5, IOImage, WaveToy, Checkpoint]
Cereus: {iterations: 20}
UniGrid: {cells: [12, 10, 8], lower: [-1, -1, -1]}
WaveToy: {amplitude: 0.7}  # ünïcode
IOASCII: {variables: ["WaveToy::u"], every: 1}
IOHDF5: {every: 20, format: [native, carpet], slices: [xy]}
IOImage: {every: 20}
Checkpoint: {every: 10}
"""


def reproduce(path):
    return subprocess.run([os.environ["CEREUS"], "reproduce", path], capture_output=True, text=True, timeout=60)


def loaded_for(path):
    """The thorns that are loaded to look at a file: the dynamic linker says so."""
    log = os.path.join(tempfile.mkdtemp(prefix="cereus-"), "log")
    subprocess.run([os.environ["CEREUS"], "reproduce", path], capture_output=True, timeout=60, env=os.environ | {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": log})
    said = "".join(open(name).read() for name in glob.glob(log + ".*"))
    return sorted(set(re.findall(r"cereus/thorns/(\w+)\.so", said)))


def series(folder):
    return open(os.path.join(folder, "wavetoy-state.norm2.asc")).read()


folder = tempfile.mkdtemp(prefix="cereus-")
subprocess.run(**job(folder, PARFILE, options=["--set", "Time.courant=0.2"]), check=True, capture_output=True)
out = os.path.join(folder, "run")
whole = open(os.path.join(out, "parameters.yaml")).read()
elsewhere = tempfile.mkdtemp(prefix="cereus-")
files = {"openPMD": "run_00000020.hdf", "Carpet, fields": "wavetoy-state.xyz.h5", "Carpet, slices": "wavetoy-state.xy.h5", "a slice's picture": "wavetoy-u.xy.it00000020.png", "a series' picture": "wavetoy-state.norm2.png",
         "a checkpoint": "checkpoints/00000010", "a manifest": "checkpoints/00000010/manifest.json", "a series": "wavetoy-state.norm2.asc", "the folder": ""}
for what, name in files.items():
    path = os.path.join(out, name)
    if what not in ("a series", "the folder"):  # those say nothing of their own: the folder around them does
        moved = os.path.join(elsewhere, os.path.basename(name))
        (shutil.copytree if os.path.isdir(path) else shutil.copy)(path, moved)
        path = moved
    got = reproduce(path)
    text = "".join(line + "\n" for line in got.stdout.splitlines() if not line.startswith("#"))
    check(got.returncode == 0 and text == whole and "#   thorn: WaveToy" in got.stdout, f"{what}: {got.returncode} {got.stderr.strip()}")

for name, thorns in (("wavetoy-u.xy.it00000020.png", ["IOImage"]), ("run_00000020.hdf", ["IOHDF5"]), ("wavetoy-state.xy.h5", ["IOHDF5"]), ("checkpoints/00000010", ["Checkpoint"]),
                     ("checkpoints/00000010/manifest.json", ["Checkpoint"]), ("wavetoy-state.norm2.asc", []), ("parameters.yaml", [])):
    loaded = loaded_for(os.path.join(out, name))
    check(loaded == thorns, f"{name} is shown to {loaded}")

again = tempfile.mkdtemp(prefix="cereus-")
subprocess.run(**job(again, reproduce(os.path.join(elsewhere, "wavetoy-u.xy.it00000020.png")).stdout), check=True, capture_output=True)
check(series(os.path.join(again, "run")) == series(out), "a run of what a picture says writes the same bits")

for n, name in enumerate(("run_00000020.hdf", "wavetoy-u.xy.it00000020.png", "manifest.json")):  # a stranger's
    path = os.path.join(elsewhere, name)
    data = open(path, "rb").read()
    for k in range(8):
        with open(path, "wb") as f:
            f.write(data[:len(data) * k // 8])
        got = reproduce(path)
        check(got.returncode in (0, 1) and (got.returncode == 0) == bool(got.stdout) and "\n" not in got.stderr.strip(), f"{name}, {k}/8 of it: {got.returncode} {got.stderr.strip()[-100:]}")
for name in ("manifest.json", "x.png", "x.hdf"):
    path = os.path.join(elsewhere, "pipe-" + name if name != "manifest.json" else name)
    if os.path.exists(path):
        os.remove(path)
    os.mkfifo(path)
    check(reproduce(path).returncode == 1, f"a pipe, {name}")
path = os.path.join(out, "cut.png")  # of another run, and damaged
with open(path, "wb") as f:
    f.write(open(os.path.join(out, "wavetoy-u.xy.it00000020.png"), "rb").read()[:2000])
check(f"parameters that made {os.path.realpath(out)}, where" in reproduce(path).stdout, "of a file that says nothing it says where it has them from")
nasty = os.path.join(out, "a\nWaveToy: {amplitude: 9}\033]0;x\007.asc")
shutil.copy(os.path.join(out, "wavetoy-state.norm2.asc"), nasty)
check("\nWaveToy: {amplitude: 9}" not in reproduce(nasty).stdout and "\033" not in reproduce(nasty).stdout, "a name with a line of its own stays in the comment")
for path in ("/nonexistent", "/dev/null", "/"):
    got = reproduce(path)
    check(got.returncode == 1 and path in got.stderr, f"{path}: {got.stderr.strip()}")
finish()
