"""Runs at three resolutions, and the order at which they approach each other."""
from __future__ import annotations

import dataclasses
import math
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import folder
from .fields import Snapshot
from .jobs import parent_of, run
from .needs import Error, package

_MIDDLE = np.array([3, -25, 150, 150, -25, 3]) / 256  # Lagrange's polynomial through six points, in their middle


@dataclasses.dataclass(frozen=True)
class Convergence:
    """Differences of runs with spacings h, h/2 and h/4: differences[variable][0 or 1][time] is the root mean square of
    u(h) − u(h/2) or of u(h/2) − u(h/4) at points of the coarser."""
    runs: list[folder.Run]
    times: np.ndarray
    differences: dict[str, np.ndarray]

    def order(self, variable: str) -> np.ndarray:
        """log2 of the ratio of both differences at each time; not-a-number where one is 0."""
        coarse, fine = self.differences[variable]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where((coarse > 0) & (fine > 0), np.log2(coarse / fine), np.nan)

    def plot(self) -> Any:
        """A matplotlib Figure: the differences and the order over time."""
        figure = package("matplotlib.figure", "a picture").Figure(figsize=(10, 4), layout="constrained")
        left, right = figure.subplots(1, 2)
        for n, (variable, both) in enumerate(self.differences.items()):
            for line, what, difference in zip(("-", "--"), ("h, h/2", "h/2, h/4"), both):
                left.semilogy(self.times, np.where(difference > 0, difference, np.nan), f"o{line}", color=f"C{n}", ms=3, label=f"{variable}: {what}")
            right.plot(self.times, self.order(variable), "o-", color=f"C{n}", ms=3, label=variable)
        left.set(xlabel="t", title="root mean square of differences")
        right.set(xlabel="t", title="observed order")
        for axes in (left, right):
            axes.legend(frameon=False)
            axes.grid(alpha=0.3)
        return figure

    def __str__(self) -> str:
        lines = [f"{v}: order {self.order(v)[-1]:.2f} at t = {self.times[-1]:.6g}; differences {coarse[-1]:.4g} (h, h/2), {fine[-1]:.4g} (h/2, h/4)"
                 for v, (coarse, fine) in self.differences.items()]
        return "\n".join(lines)


def convergence(file: str | os.PathLike[str], variables: Sequence[str] = ("@evolved",), processes: int = 0, output: str | None = None,
                set: Mapping[str, Any] | None = None, fresh: bool = False, options: Sequence[str] = (), outputs: int = 8) -> Convergence:
    """Runs a file with its cells, twice and four times as many along each axis, and compares `outputs` times up to Cereus.final_time.

    Steps shrink with h as the file's own would, but so that all three land on those times. Cell-centred values are interpolated to
    sixth order to the points of the coarser run. The runs go to folders of `output` (default: FILE-convergence).
    """
    package("h5py", "convergence")  # before the runs, which take longest
    parent, settings = parent_of(output, set, f"{Path(file).stem}-convergence"), dict(set or {})
    options = [*options, "--activate", "IOHDF5"]
    driver, cells, end, dt = _first_step(file, settings, options)
    interval = end / outputs
    steps = math.ceil(interval / dt * (1 - 1e-9))
    finer = _first_step(file, {**settings, f"{driver}.cells": [2 * n for n in cells]}, options)[3]
    ratio = max(2, math.ceil(interval / finer / steps * (1 - 1e-9))) if finer < dt else 2  # a dt of the file's does not know h
    runs = []
    for k in range(3):
        here = {f"{driver}.cells": [2**k * n for n in cells], "Time.dt": interval / steps / ratio**k, "Time.land_on": [interval],
                "Time.courant": 0.4, "Time.diffusive_courant": 0.5,  # as if the file had none: dt has the say
                "IOHDF5.variables": list(variables), "IOHDF5.format": ["native"], "IOHDF5.every": 0, "IOHDF5.every_time": interval}
        runs.append(run(file, processes, f"{parent}/{'x'.join(map(str, here[f'{driver}.cells']))}", {**settings, **here}, fresh, options))
    return compare(runs)


def compare(runs: Sequence[folder.Run]) -> Convergence:
    """Three runs with spacings h, h/2 and h/4 and fields at the same times."""
    fields = [r.fields for r in runs]
    names = [name for name in fields[0] if all(name in f for f in fields)]
    if not names:
        raise Error(f"{', '.join(str(r.folder) for r in runs)} have no field in common; name variables that no time integrator evolves")
    of = {name: [f[name] for f in fields] for name in names}
    count = min(len(f) for fs in of.values() for f in fs)
    times = next(iter(of.values()))[0].times[:count]
    for f in (f for fs in of.values() for f in fs):
        if not np.allclose(f.times[:count], times, rtol=1e-9, atol=1e-12):
            raise Error(f"{f.name} was not written at the same times in all runs")
    found = {name: np.array([[_difference(a[n], b[n]) for n in range(count)] for a, b in zip(fs, fs[1:])]) for name, fs in of.items()}
    return Convergence(list(runs), times, found)


def _first_step(file: Any, settings: Mapping[str, Any], options: Sequence[str]) -> tuple[str, list[int], float, float]:
    """The driver, its cells, the final time, and the time step that the file would take: from a run of one step."""
    place = tempfile.mkdtemp(prefix=".cereus-", dir=".")
    try:
        once = {"Cereus.iterations": 1, "Cereus.progress": 1, "IOHDF5.every": 0, "IOHDF5.every_time": 0}  # progress.json holds the step
        first = run(file, 1, Path(place).name, {**settings, **once}, False, options)
        parameters, dt = first.parameters, first.progress.get("dt", 0)
    finally:
        shutil.rmtree(place, ignore_errors=True)
    driver = next((thorn for thorn, values in parameters.items() if isinstance(values, dict) and "cells" in values), None)
    end = parameters.get("Cereus", {}).get("final_time", 0)
    if not driver or end <= 0 or "Time" not in parameters:
        raise Error(f"{file}: convergence needs a driver with a parameter 'cells', thorn Time, and Cereus.final_time, a time that runs of other steps reach, too (not iterations)")
    return driver, list(parameters[driver]["cells"]), float(end), float(parameters["Time"]["dt"] or dt)


def _difference(coarse: Snapshot, fine: Snapshot) -> float:
    a, b = coarse.values, fine.values
    for axis, name in enumerate(reversed(coarse.axes)):
        x, y = coarse.coordinates(name), fine.coordinates(name)
        n = len(x)
        if abs(x[0] - y[0]) < 1e-6 * (x[1] - x[0]):  # every second point is one of the coarser run
            b = b.take(range(0, 2 * n - 1, 2), axis)
        else:
            b = sum(w * b.take(range(k, k + 2 * (n - 2), 2), axis) for k, w in enumerate(_MIDDLE))
            a = a.take(range(1, n - 1), axis)
    return float(np.sqrt(np.nanmean(np.abs(a - b) ** 2)))
