#!/usr/bin/env python3
"""One process of two fails, in each bin (in two of them without --long): all end within 10 s, with one message and exit code 3. One process
never returns: each says where it is, and the run ends if that is wanted.
"""
import os
import subprocess
import tempfile
import time

from _physics import check, finish, job

PARFILE = """thorns: [UniGrid, Time, MoL, WaveToy, Trouble]
Cereus: {{iterations: 40, output: out, hang: {hang}, hang_ends: true}}
UniGrid: {{cells: [16, 16, 16]}}
Trouble: {{bin: {bin}, rank: {rank}, kind: {kind}, iteration: {iteration}}}
"""


def run(bin, rank, kind, hang=0.0, iteration=0):
    folder = tempfile.mkdtemp(prefix="cereus-")
    parfile = PARFILE.format(bin=bin, rank=rank, kind=kind, hang=hang, iteration=iteration)
    begun = time.monotonic()
    done = subprocess.run(**job(folder, parfile, 2, ["--thorns", os.environ["CEREUS_TEST_THORNS"]]), capture_output=True, timeout=100)
    return done.returncode, done.stderr, time.monotonic() - begun


BINS = ("startup", "paramcheck", "basegrid", "initial", "postinitial", "postpostinitial", "regrid", "postregrid", "prestep", "evolve", "poststep", "postrestrict", "checkpoint", "analysis", "output", "precheckpoint", "terminate", "shutdown")
for bin in BINS if os.environ.get("CEREUS_LONG") == "1" else ("initial", "evolve"):
    for rank in (0, 1):
        code, said, took = run(bin, rank, "throw")
        mine = [line for line in said.splitlines() if "trouble" in line]
        check(code == 3 and len(mine) == 1 and took < 10, f"{bin}, process {rank} fails: code {code}, after {took:.1f} s: {' | '.join(mine)}")

code, said, took = run("poststep", 1, "block", hang=2.0, iteration=5)
mine = [line for line in said.splitlines() if "no step has ended" in line]
check(code == 3 and any("process 1 of 2 is in Trouble::trouble" in line for line in mine) and any("process 0 of 2" in line for line in mine) and took < 30,
      f"process 1 never returns: code {code}, after {took:.1f} s: {' | '.join(mine)}")
finish()
