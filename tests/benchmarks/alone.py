#!/usr/bin/env python3
"""One process of two fails, at one place after another: which runs hang? Adds a row to a file of measured rows.

    alone.py [OUTPUT.json]      default: docs/measured/core.json

CEREUS names the executable, CEREUS_TEST_THORNS the folder of the thorns of tests (Trouble fails). Places: each bin, on either process, on a grid of one
level; on one whose blocks change and whose levels take steps of their own nine bins, on one process; what a thorn says before there is a grid; a mistake, an error of a library
and a lack of memory in place of a failure. A run that ends within 30 s with exit code 1 or 3, and says who failed once, has not hung.
"""
import os
import subprocess
import sys
import tempfile

from _rates import host, note, write

os.environ.setdefault("MACHINE", host())
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
OUTPUT = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "docs", "measured", "core.json")
ONE_LEVEL = """thorns: [UniGrid, Time, MoL, WaveToy, Reduce, IOASCII, Checkpoint, Trouble]
Cereus: {iterations: 6, output: out}
UniGrid: {cells: [16, 16, 16]}
Checkpoint: {every: 3}
"""
LEVELS = """thorns: [Forest, Refine, Time, MoL, WaveToy, Reduce, IOASCII, Checkpoint, Trouble]
Cereus: {iterations: 6, output: out}
Forest: {cells: [32, 32], block: 8, levels: 3, every: 1, subcycle: true}
WaveToy: {initial_data: gaussian}
Refine: {variables: ["WaveToy::u"], refine_above: 0.01, coarsen_below: 0.003}
Checkpoint: {every: 3}
"""
BINS = ("startup", "paramcheck", "basegrid", "initial", "postinitial", "postpostinitial", "prestep", "evolve", "poststep", "precheckpoint", "checkpoint", "analysis", "output", "terminate", "shutdown")
ON_LEVELS = ("regrid", "postregrid", "basegrid", "initial", "prestep", "evolve", "poststep", "postrestrict", "analysis")


def run(text, place, rank, kind="throw", iteration=0):
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(text + f"Trouble: {{bin: {place}, rank: {rank}, kind: {kind}, iteration: {iteration}}}\n")
    environment = os.environ | ({"TROUBLE": kind} if place == "declare" else {})
    try:
        done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "--fresh", "-n", "2", "run.yaml", "--thorns", os.environ["CEREUS_TEST_THORNS"]], cwd=folder,
                              capture_output=True, text=True, timeout=30, env=environment)
    except subprocess.TimeoutExpired:
        return "hangs"
    said = [line for line in done.stderr.splitlines() if "trouble" in line or "memory" in line]
    return "" if done.returncode in (1, 3) and len(said) == 1 else f"code {done.returncode}, {len(said)} messages: {done.stderr[-400:]}"


places = [(ONE_LEVEL, place, rank, "throw", 0) for place in BINS for rank in (0, 1)]
places += [(LEVELS, place, 1, "throw", at) for place in ON_LEVELS for at in (0, 3) if at == 0 or place not in ("initial", "postregrid", "basegrid")]
places += [(ONE_LEVEL, place, 1, kind, 0) for place in ("schedule", "service", "initial", "evolve", "checkpoint") for kind in ("mistake", "standard", "memory")]
places += [(ONE_LEVEL, "declare", 1, kind, 0) for kind in ("throw", "mistake", "standard")]
wrong = hung = 0
for text, place, rank, kind, at in places:
    found = run(text, place, rank, kind, at)
    wrong, hung = wrong + (found != ""), hung + (found == "hangs")
    if found:
        print(f"{'levels' if text == LEVELS else 'one level'}, {place}, process {rank}, {kind}, iteration {at}: {found}", flush=True)
note(f"one process of two fails, at {len(places)} places, some of them while blocks change: runs that hang", hung, "", 0, hung == 0)
note("the same: runs with another exit code than 1 and 3, or without one message alone", wrong - hung, "", None, None)
write(OUTPUT)
print(f"{len(places)} places: {hung} hang, {wrong - hung} end otherwise than they should")
