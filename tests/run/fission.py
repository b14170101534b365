#!/usr/bin/env python3
"""A kernel too large for a device's registers, with and without marks where it may be taken apart: the same numbers. With
CEREUS_DEVICE=cuda they come from a GPU, which must take the marked one apart, and whose rates are printed.

Mutations that make it fail: a mistaken kernel is let pass (resolve.cpp); and, where there is a GPU (not tried yet): a part stores all outputs
(FusedUpdate::writes is true); each part is part 0 (PartPoint::part); a part pushes ghost zones of part 0's outputs (start_part).
"""
import glob
import os
import re
import subprocess
import tempfile

import h5py
import numpy as np
from _physics import DIMENSIONS, check, finish, job

CUDA = os.environ.get("CEREUS_DEVICE") == "cuda"
THORNS = os.environ["CEREUS_TEST_THORNS"]


def run(parts, device, cells=20, blocks=1, iterations=6, output=True):
    """The fields at the end, and what was said."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, f"""thorns: [UniGrid, Time, MoL, Heavy, IOHDF5{", Accelerator, AcceleratorCUDA" if device == "cuda" else ""}]
Cereus: {{iterations: {iterations}, device: {device}, thorn_path: [{THORNS}]}}
UniGrid: {{cells: [{cells}, {cells}, {cells}], lower: -1, upper: 1, periodic: true, blocks: {blocks}}}
Time: {{dt: 1e-5}}
Heavy: {{parts: {parts}}}
IOHDF5: {{variables: {"[Heavy::state]" if output else "[]"}, every: {max(iterations, 1)}}}
"""), capture_output=True, timeout=250)
    check(done.returncode == 0, f"{parts} on {device}, {blocks} blocks: exit {done.returncode} {done.stderr if done.returncode else ''}")
    found = {}
    for path in glob.glob(os.path.join(folder, "run", f"*{iterations:08d}.hdf")):
        with h5py.File(path) as f:
            f["data"].visititems(lambda name, o: found.update({name.split("/")[-1]: o[()]}) if isinstance(o, h5py.Dataset) and o.size > 1000 else None)
    return found, done.stdout


def compare(what, a, b, same_bits):
    off = max((np.abs(a[name] - b[name]).max() / np.abs(a[name]).max() for name in a), default=1)
    same = a.keys() == b.keys() and all(a[name].tobytes() == b[name].tobytes() for name in a)
    check(len(a) == 24 and a.keys() == b.keys() and (same if same_bits else off <= 1e-13), f"{what}: {'the same bits' if same else f'differ by {off:.2g}'}")


if 3 not in DIMENSIONS:
    finish()
whole, _ = run("unmarked", "none")
start, _ = run("unmarked", "none", iterations=0)
check(all((whole[n] != start[n]).mean() > 0.5 for n in whole), "all fields change")
compare("marked and unmarked on the host", whole, run("marked", "none")[0], True)
folder = tempfile.mkdtemp(prefix="cereus-")
mistaken = subprocess.run(**job(folder, f"thorns: [UniGrid, Time, MoL, Heavy]\nCereus: {{iterations: 1, device: none, thorn_path: [{THORNS}]}}\nUniGrid: {{cells: [8, 8, 8]}}\n"
                                        "Heavy: {parts: mistaken}\n"), capture_output=True)
for mistake in ("u00_rhs in 2 of its 2 parts", "u35_rhs in none of its 2 parts"):
    check(mistaken.returncode == 1 and f"Heavy::rates writes Heavy::{mistake}" in mistaken.stderr, f"refused: {mistake}")
if CUDA:
    strict = "strict" in subprocess.run([os.environ["CEREUS"], "--version"], capture_output=True, text=True).stdout
    unmarked, said = run("unmarked", "cuda")
    check("parts" not in said, "what has no marks runs as a whole")
    compare("unmarked on the device and the host", whole, unmarked, strict)
    for blocks in 1, 8:
        marked, said = run("marked", "cuda", blocks=blocks)
        check("Heavy::rates runs in 4 parts" in said, "\n".join(line for line in said.split("\n") if "Heavy::rates" in line))
        compare(f"marked, {blocks} blocks, and unmarked", unmarked, marked, strict)
for parts in "unmarked", "marked":
    rates = [re.findall(r"[0-9.e+]+ [MG]?cell/s", run(parts, "cuda" if CUDA else "none", 160 if CUDA else 20, 1, 100 if CUDA else 4, False)[1]) for _ in range(3)]
    print(f"{parts}: {', '.join(r[-1] for r in rates if r)}")
finish()
