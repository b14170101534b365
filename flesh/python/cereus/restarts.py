"""Whether a run that was cut at some step and goes on, on another number of processes, has the bits of one that was not."""
from __future__ import annotations

import dataclasses
import os
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import folder
from .jobs import parent_of, run
from .needs import Error, Mistake


@dataclasses.dataclass(frozen=True)
class RestartTest:
    """A run of `steps` steps, runs[0], and one that was cut after `cut` of them, runs[1]; `different`: what has not the same bits."""
    runs: tuple[folder.Run, folder.Run]
    steps: int
    cut: int
    processes: tuple[int, int, int]  # of the whole, of the first part, of the second
    compared: list[str]
    different: list[str]

    def __str__(self) -> str:
        whole, first, second = self.processes
        how = (f"{self.steps} steps on {whole} process{'es' * (whole > 1)}; and {self.cut} on {first}, the others from the checkpoint on {second}: ")
        if self.different:
            return how + f"not the same bits: {', '.join(self.different)}"
        return how + f"the same bits in {len(self.compared)} fields and series"


def restart_test(file: str | os.PathLike[str], processes: int = 2, steps: int = 20, cut: int = 0, output: str | None = None,
                 set: Mapping[str, Any] | None = None, options: Sequence[str] = ()) -> RestartTest:
    """Runs a file for `steps` steps on one process, and again on `processes`, cut after step `cut` (0: a random one), from whose checkpoint
    one process goes on. Compares the evolved fields, those that IOHDF5 writes, and all text series, bit for bit."""
    if steps < 2 or not 0 <= cut < steps:
        raise Mistake(f"a run of {steps} steps is cut after step 1 to {steps - 1}" if steps > 1 else "a run that is cut has two steps at least")
    cut = cut or random.randint(1, steps - 1)
    parent = parent_of(output, set, f"{Path(file).stem}-restart-test")
    options = [*options, "--activate", "Checkpoint,IOHDF5"]
    both = {"IOHDF5.variables": ["@evolved"], "IOHDF5.format": ["native"], "IOHDF5.every_time": 0, "IOHDF5.at_end": False, "IOHDF5.slices": [],
            "Checkpoint.every": 0, "Cereus.final_time": -1, "Cereus.wall_clock": 0, **(set or {}), "IOHDF5.every": steps, "Checkpoint.at_end": True}

    def part(where: str, last: int, on: int, fresh: bool) -> folder.Run:
        return run(file, on, f"{parent}/{where}", {**both, "Cereus.iterations": last}, fresh, options)

    whole = part("whole", steps, 1, True)
    part("cut", cut, processes, True)
    parts = part("cut", steps, 1, False)
    for found in (whole, parts):
        if not found.fields or any(field.iterations[-1] != steps for field in found.fields.values()):
            raise Error(f"{found.folder}: the run has not written its fields after {steps} steps; what ends it before?")
    names, different = _compare(whole, parts)
    return RestartTest((whole, parts), steps, cut, (1, processes, 1), names, different)


def _compare(whole: folder.Run, parts: folder.Run) -> tuple[list[str], list[str]]:
    names, different = [], []
    for name, field in whole.fields.items():
        names.append(name)
        if name not in parts.fields or field[-1].values.tobytes() != parts.fields[name][-1].values.tobytes():
            different.append(name)
    for name in sorted({path.name for run in (whole, parts) for path in run.folder.glob("*.asc")}):
        names.append(name)
        both = [run.folder / name for run in (whole, parts)]
        if not all(path.exists() for path in both) or both[0].read_bytes() != both[1].read_bytes():
            different.append(name)
    return names, different
