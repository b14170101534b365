#!/usr/bin/env python3
"""A wave whose amplitude overflows: NaNChecker names variable, iteration and point, and stops with
exit code 3, or only warns.

Mutations seen to fail: action ignored (exit code); `first` without the mask of finite points (place).
"""
import os
import re
import subprocess
import tempfile
from pathlib import Path

import _physics  # whose folder takes those made here

CEREUS = os.environ["CEREUS"]
PARFILE = """
thorns: [UniGrid, Time, MoL, WaveToy, NaNChecker]
Cereus: {{iterations: 2}}
UniGrid: {{cells: [32], lower: [-1.0], upper: [1.0], periodic: [true]}}
WaveToy: {{initial_data: gaussian, amplitude: {amplitude}, width: 0.05, centre: [0.5, 0, 0]}}
Time: {{dt: 0.01}}
NaNChecker: {{action: {action}, limit: 1.79e308}}
"""
MESSAGE = re.compile(r"NaNChecker: WaveToy::(u|rho) has (?:(\d+) NaN)?(?: and )?(?:(\d+) infinite)? "
                     r"values in iteration 1, t = 0.01, dt = 0.01, "
                     r"the first at \((\d+)\), x = (\S+)")


def run(folder, processes, **values):
    folder.mkdir()
    (folder / "nan.yaml").write_text(PARFILE.format(**values))
    command = [CEREUS, "run", "nan.yaml"] + (["-n", str(processes)] if processes > 1 else [])
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def main():
    with tempfile.TemporaryDirectory() as temporary:
        root = Path(temporary)
        calm = run(root / "calm", 2, amplitude="1.0", action="stop")
        assert calm.returncode == 0 and "NaNChecker" not in calm.stderr, calm
        found = set()
        for processes in (1, 2, 4):
            warned = run(root / f"warn-{processes}", processes, amplitude="1.7e308", action="warn")
            match = MESSAGE.search(warned.stderr)
            assert warned.returncode == 0 and match, warned
            found.add(match.groups())
            index, x = int(match[4]), float(match[5].rstrip(","))
            assert abs(x - (-1 + index / 16)) < 1e-14 and abs(x - 0.5) < 0.4, match[0]
        assert len(found) == 1, f"processes do not agree: {found}"
        for processes in (1, 2):
            stopped = run(root / f"stop-{processes}", processes, amplitude="1.7e308", action="stop")
            assert stopped.returncode == 3 and MESSAGE.search(stopped.stderr), stopped
    print("NaNs are found, counted and placed")


main()
