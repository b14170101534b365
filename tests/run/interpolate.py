#!/usr/bin/env python3
"""Interpolated values of a standing wave: converge as the order says, wrap around, are the same bits on any number of
processes; a point outside the domain is named.

Mutations seen to fail: values put back in the order of the processes, not of the points (bits on 2 processes);
positions of vertices off by 0.01 cells (value at a grid point); any mirror image taken for a reflection (neumann).
"""
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import _physics  # whose folder takes those made here

CEREUS = os.environ["CEREUS"]
POINTS = [(0.1, 0.2, 0.3), (0.999, -0.999, 0.0), (-0.51, 0.49, 0.77), (1.1, 0.2, 0.3),
          (0.0, 0.0, 0.0), (-0.9, 0.2, 0.3)]
PARFILE = """
thorns: [UniGrid, Time, MoL, WaveToy, Interpolate{boundary}]
{cereus}
UniGrid: {{cells: {cells}, lower: [-1.0], upper: [1.0], periodic: [{periodic}], blocks: {blocks}}}
WaveToy: {{initial_data: standing, order: 2, wave_number: [0.5, 0.5, 0.5]}}
Time: {{dt: 0.01}}
Interpolate:
  order: {order}
  variables: ["WaveToy::u"]
  points: {points}
{more}
"""


def run(folder, processes, **values):
    folder.mkdir()
    values.setdefault("points", [x for p in POINTS for x in p])
    values = {"periodic": "true", "boundary": "", "more": "", "cereus": "Cereus: {iterations: 2}"} | values
    (folder / "points.yaml").write_text(PARFILE.format(**values))
    command = [CEREUS, "run", "points.yaml"] + (["-n", str(processes)] if processes > 1 else [])
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def values(folder, *arguments, **keywords):
    result = run(folder, *arguments, **keywords)
    if result.returncode:
        sys.exit(f"cereus ended with {result.returncode}:\n{result.stdout}{result.stderr}")
    lines = (folder / "points/interpolated.asc").read_text().splitlines()
    assert lines[0] == "# 1:iteration 2:time 3:x 4:y 5:z 6:WaveToy::u", lines[0]
    assert len(lines) == 1 + 3 * len(POINTS), lines
    return lines[1:]


def main():
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        for dim in (1, 2, 3):
            exact = [math.prod(math.cos(math.pi * x) for x in p[:dim]) for p in POINTS]
            errors = {}
            for cells in (16, 32):
                lines = values(root / f"{dim}d-{cells}", 1, cells=[cells] * dim, blocks=1, order=3)
                got = [float(line.split()[5]) for line in lines[:len(POINTS)]]
                errors[cells] = max(abs(a - b) for a, b in zip(got, exact))
                assert abs(got[3] - got[5]) < 1e-14, f"{dim}D: 1.1 and -0.9 are one point, but {got[3]} != {got[5]}"
                assert got[4] == 1, f"{dim}D: at a grid point the value is {got[4]!r}, not 1"
                for processes, blocks in ((1, 4), (2, 1), (4, 1), (2, 2)):
                    other = values(root / f"{dim}d-{cells}-{processes}-{blocks}", processes, cells=[cells] * dim,
                                   blocks=blocks, order=3)
                    assert other == lines, f"{dim}D: other bits on {processes} processes of {blocks} blocks"
            for cells, error in errors.items():  # 9/16 h⁴ max|u⁗| / 4! an axis
                bound = dim * 9 / 16 / 24 * (2 * math.pi / cells) ** 4
                assert bound / 30 < error < bound, f"{dim}D: error {error} on {cells} cells, bound {bound}"
        outside = run(root / "outside", 1, cells=[16], periodic="false", blocks=1, order=3,
                      points=[0.1, 0, 0, 3.5, 0, 0], boundary=", Boundary", more="Boundary: {all: extrapolate}")
        assert outside.returncode == 3 and "(3.5)" in outside.stderr and "[-1, 1]" in outside.stderr, outside
        beyond = {"cells": [16], "periodic": "false", "blocks": 1, "order": 3, "points": [-1.2, 0, 0, -0.8, 0, 0], "boundary": ", Boundary"}
        open_face = run(root / "neumann", 1, more="Boundary: {all: neumann}", **beyond)
        assert open_face.returncode == 3 and "goes on only beyond faces that reflect" in open_face.stderr, open_face
        assert run(root / "reflect", 1, more="Boundary: {all: reflect}", **beyond).returncode == 0
        lines = (root / "reflect/points/interpolated.asc").read_text().splitlines()[1:3]
        assert lines[0].split()[5] == lines[1].split()[5] != "0", lines
        for processes in (1, 2):
            asked = run(root / f"uneven-{processes}", processes, cells=[16], blocks=1, order=3, boundary=", Uneven", cereus=f'Cereus: {{iterations: 1, thorn_path: ["{os.environ["CEREUS_TEST_THORNS"]}"]}}')
            assert (asked.returncode == 3) == (processes == 2), asked
            told = [line for line in asked.stderr.splitlines() if line.startswith("Interpolate: some processes ask for gradients")]
            assert len(told) == processes - 1, asked
    print("interpolated values are right, and the same on 1, 2, 4 processes")


main()
