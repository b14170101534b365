#!/usr/bin/env python3
"""Parameter files of parfiles/, on a small grid: 8 steps at once, against steps 1 to 3 on two processes and to 8 on one of two blocks, from the
checkpoint of the first. The fields at the end have the same bits, and all text series are the same. On a mirror device (CEREUS_ACTIVATE), too.
With --long steps 1 to 2 are done on one process, to 4 on two, to 6 on four, and every file is run; else one or two of each family of thorns.

A mutation that makes it fail: a past timelevel is left out of a checkpoint.
"""
import os
import re
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from _examples import PARFILES, name_of, refined, small
from _physics import DIMENSIONS, bits, check, finish

ACTIVATE = ["Checkpoint", "IOHDF5"] + [t for t in os.environ.get("CEREUS_ACTIVATE", "").split(",") if t]  # of which the last are those of a device
LONG = "CEREUS_LONG" in os.environ
PARTS = ((2, 1, 1), (4, 2, 1), (6, 4, 1), (8, 1, 2)) if LONG else ((3, 2, 1), (8, 1, 2))  # the last step, processes, blocks of each
SHORT = ("burgers", "cahn-hilliard", "cavity", "cavity-sola", "cylinder", "dendrite", "diffusion", "heat-stencil", "kelvin-helmholtz", "mixed", "poisson", "puncture-coarse",
         "rayleigh-benard", "schroedinger", "sod", "standing-wave", "stencil-fdtd2d", "stencil-jacobi3d", "wave-2d")
if not LONG:
    PARFILES = [p for p in PARFILES if name_of(p) in SHORT]
    check(len(PARFILES) == len(SHORT), f"{len(PARFILES)} of {len(SHORT)} files are there")


def part(folder, parfile, settings, steps, processes=1, blocks=1):
    command = [os.environ["CEREUS"], "run", parfile, "--activate", ",".join(ACTIVATE)] + (["-n", str(processes)] if processes > 1 else [])
    for text in settings + [f"Cereus.iterations={steps}", f"UniGrid.blocks={blocks}"]:
        command += ["--set", text]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=200, env={k: v for k, v in os.environ.items() if k != "CEREUS_ACTIVATE"})
    return done.returncode, done.stdout + done.stderr


def compare(parfile):
    name = name_of(parfile)
    with open(parfile) as f:
        text = f.read()
    dim, settings = small(text)
    if dim not in DIMENSIONS or refined(text):  # refined.py, adaptive.py and reflux.py go on with those
        return []
    variables = re.search(r'^IOASCII:.*?variables: (\[.*?\])', text, re.M | re.S)[1]
    settings += ["Cereus.output=out", "IOHDF5.every=8", f"IOHDF5.variables={variables}", "Checkpoint.every=0", "Cereus.final_time=1000"]
    settings += [f"{thorn}.every={n}" for thorn, n in (("IOASCII", 2), ("Spectrum", 4), ("Histogram", 2)) if f"\n{thorn}:" in text]
    whole, parts = tempfile.mkdtemp(prefix="cereus-"), tempfile.mkdtemp(prefix="cereus-")
    code, said = part(whole, parfile, settings, 8)
    if code != 0:
        return [(False, f"{name}: exit {code} {said[-400:]}")]
    want = bits(os.path.join(whole, "out"), 8)
    for steps, processes, blocks in PARTS:
        code, said = part(parts, parfile, settings, steps, processes, blocks)
        if code != 0:
            return [(False, f"{name}, to step {steps} on {processes}: exit {code} {said[-400:]}")]
    got = bits(os.path.join(parts, "out"), 8)
    fields = sum(not w.endswith(".asc") for w in want)
    different = [w for w in want if got.get(w) != want[w]]
    return [(not different and fields > 0 and len(want) > fields, f"{name}: {fields} fields and {len(want) - fields} series the same" + (f", but not {different}" if different else ""))]


with ThreadPoolExecutor(2) as pool:
    for results in pool.map(compare, PARFILES):
        for good, text in results:
            check(good, text)
finish()
