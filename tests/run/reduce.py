#!/usr/bin/env python3
"""Norms of a standing wave have their known values, and the same bits on any number of processes and blocks.

Mutation seen to fail: the second pass not combined over processes (same bits).
"""
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import _physics  # whose folder takes those made here

CEREUS = os.environ["CEREUS"]
PARFILE = """
thorns: [UniGrid, Time, MoL, WaveToy, Reduce, IOASCII]
Cereus: {{iterations: 3}}
UniGrid: {{cells: {cells}, lower: [-1.0], upper: [1.0], periodic: [true], blocks: {blocks}, uneven: {uneven}}}
WaveToy: {{initial_data: standing, order: 2}}
Time: {{dt: 0.03}}
IOASCII: {{variables: ["WaveToy::u", "WaveToy::rho"]}}
"""


def norms(folder, processes, **values):
    folder.mkdir()
    (folder / "norms.yaml").write_text(PARFILE.format(**values))
    command = [CEREUS, "run", "norms.yaml"] + (["-n", str(processes)] if processes > 1 else [])
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"cereus ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    # minimum, maximum … to lines without comments
    return {p.name.split(".")[1]: [line.split() for line in p.read_text().splitlines() if line and line[0] != "#"]
            for p in (folder / "norms").glob("*.asc") if len(p.name.split(".")) == 3}


def main():
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        for dim, cells in ((1, [40]), (2, [20, 24]), (3, [16, 12, 20])):
            one = norms(root / f"{dim}d-1", 1, cells=cells, blocks=1, uneven="false")
            start = {name: float(lines[0][2]) for name, lines in one.items()}
            expected = {"minimum": -1, "maximum": 1, "average": 0, "norm_inf": 1, "norm2": math.sqrt(0.5 ** dim)}
            for name, value in expected.items():
                assert abs(start[name] - value) < 1e-14, f"{dim}D: {name} of u is {start[name]!r}, not {value!r}"
            assert len(one["norm2"]) == 4, f"{len(one['norm2'])} lines, not 4"
            for processes, blocks, uneven in ((1, 3, "true"), (2, 1, "false"), (4, 1, "false"), (2, 2, "true")):
                other = norms(root / f"{dim}d-{processes}-{blocks}", processes, cells=cells, blocks=blocks,
                              uneven=uneven)
                assert other == one, f"{dim}D: other bits on {processes} processes of {blocks} blocks"
    print("norms are right, and the same on 1, 2, 4 processes")


main()
