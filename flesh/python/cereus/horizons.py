"""Horizons of black holes: the files of AHFinderDirect's form that the thorn Horizons writes."""
from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from .needs import Error
from .text import Table, numbers, whole_lines

_OURS = {"cctk_iteration": "iteration", "cctk_time": "time"}


class Horizon(Table):
    """A horizon over a run, a row for each time at which it was found: horizon["m_irreducible"], horizon["mean radius"];
    `columns` has all names. horizon.surface(time=30) is its shape."""

    def __init__(self, folder: Path, number: str):
        names: dict[int, str] = {}
        lines = whole_lines(folder / f"BH_diagnostics.ah{number}.gp")
        for line in lines:
            if found := re.match(r"# column +(\d+) = (.*)", line):
                names[int(found[1])] = _OURS.get(found[2], found[2])
        rows = numbers([line for line in lines if line and line[0] not in "# "])
        width = rows.shape[1] if rows.size else len(names)
        columns = tuple(names.get(n, f"column {n}") for n in range(1, width + 1))
        super().__init__(f"horizon {number}", columns, rows if rows.size else np.empty((0, width)))
        self._files = {int(path.name.split(".")[1][1:]): path for path in folder.glob(f"h.t*.ah{number}.gp")}

    @property
    def surfaces(self) -> list[int]:
        """Iterations at which its shape was written."""
        return sorted(self._files)

    def surface(self, time: float | None = None, iteration: int | None = None) -> np.ndarray:
        """Its points x, y, z as an array [θ, φ, 3], of the surface nearest to a time or an iteration; without either the
        last one. The first φ is there again as the last one."""
        rows = self.rows[np.isin(self.iteration, self.surfaces)]
        if not len(rows):
            raise Error(f"{self.name} has no surfaces; let Horizons.shapes be true")
        table = Table(self.name, self.columns, rows).at(time, iteration)
        lines = [line for line in whole_lines(self._files[int(table.iteration[0])]) if not line.startswith("#")]
        circles = " ".join(line or "|" for line in lines).split("|")
        return np.array([np.array(circle.split(), float).reshape(-1, 6)[:, 3:] for circle in circles if circle.strip()])
