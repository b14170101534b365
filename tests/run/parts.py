#!/usr/bin/env python3
"""Lines, points, slices and pictures of slices move no more from a device (a mirror if there is no GPU) than they show, with the lane and without,
and show what they do on the host.

Mutations, each of which makes it fail: boxes one point off; the first component's place for all; a box of one block only; parts
brought are taken for all; memory of the lane not poisoned and one box left out.
"""
import glob
import json
import os
import subprocess
import tempfile

import h5py
from _physics import DIMENSIONS, check, finish, job, picture

N, TIMES = 16, 4  # iterations 0, 2, 4, 6
DEVICE = "cuda" if os.environ.get("CEREUS_DEVICE") == "cuda" else "mirror"
THORN = {"cuda": "AcceleratorCUDA", "mirror": "AcceleratorMirror"}[DEVICE]
PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, WaveToy, IOASCII, IOHDF5, IOImage, TimerReport{more}]
Cereus: {{iterations: 6, lane: {lane}, device: {device}}}
UniGrid: {{cells: [16, 16, 16], lower: -1, upper: 1, blocks: {blocks}}}
WaveToy: {{initial_data: gaussian, width: 0.3, centre: [0.2, 0.1, -0.3]}}
IOASCII: {{variables: ["WaveToy::u"], every: 2, lines: [x, z], line_through: [0.3, 0.6, -0.4], points: [0.1, 0.2, 0.3, -0.9, 0.9, 0.9]}}
IOHDF5: {{variables: ["WaveToy::rho"], format: [], slices: [xz, y], every: 2, slice_through: [0.1, -0.3, 0.3]}}
IOImage: {{variables: ["WaveToy::u", "WaveToy::rho"], every: 2, slice: yz, series: [], at_end: false}}
"""


def run(processes=1, blocks=1, device="none", lane="true"):
    """What was written, and the bytes that went to the host for each routine and variable."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    parfile = PARFILE.format(device=device, lane=lane, blocks=blocks, more="" if device == "none" else f", Accelerator, {THORN}")
    done = subprocess.run(**job(folder, parfile, processes), capture_output=True, timeout=100)
    check(done.returncode == 0, f"exit {done.returncode} {done.stderr if done.returncode else ''}")
    out = os.path.join(folder, "run")
    written = {}
    for path in glob.glob(os.path.join(out, "*.png")):
        written[os.path.basename(path)] = picture(path)
    for path in glob.glob(os.path.join(out, "*.asc")):
        with open(path, "rb") as f:
            written[os.path.basename(path)] = f.read()
    for path in glob.glob(os.path.join(out, "*.h5")):
        with h5py.File(path) as f:
            f.visititems(lambda name, o: written.update({os.path.basename(path) + name: o[()].tobytes()}) if isinstance(o, h5py.Dataset) and o.dtype.kind == "f" else None)
    with open(os.path.join(out, "timers.json")) as f:
        return written, {(t["routine"], t["variable"]): t["to_host"] for t in json.load(f)["traffic"] if t["to_host"]}


if 3 not in DIMENSIONS:
    finish()
# A GPU contracts a·b + c: what comes there without the lane is the reference for what comes with it.
reference, moved = run() if DEVICE == "mirror" else run(device=DEVICE, lane="false")
check(len(reference) > 15 and (not moved or DEVICE == "cuda"), f"{len(reference)} things are written")
line, expected = 8 * N, {}
expected["IOASCII::lines", "WaveToy::u"] = TIMES * 2 * line
expected["IOASCII::points", "WaveToy::u"] = TIMES * 2 * 8
expected["IOHDF5::slices", "WaveToy::rho"] = TIMES * (N + 1) * line
for v in ("u", "rho"):
    expected["IOImage::slices", "WaveToy::" + v] = TIMES * N * line
for lane in ("true", "false"):
    for layout in ({}, {"processes": 2}, {"processes": 2, "blocks": 4}):
        written, moved = run(device=DEVICE, lane=lane, **layout)
        different = [n for n in reference if written.get(n) != reference[n]]
        check(written.keys() == reference.keys() and not different, f"lane {lane} {layout}: as on the host {different}")
        check(moved == expected, f"lane {lane} {layout}: {moved}")
finish()
