"""Text files of a run: rows of numbers, each with its iteration and time."""
from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

from .needs import Error, Missing, Unreadable, package

_CARPET = {"it": "iteration"}  # Carpet's names of columns, where they are not ours


class Table:
    """A text file: norms or scalars (a row an output), or lines, points, spectra and histograms (several rows an output).

    table["u"] is a column, table.iteration and table.time have a number a row, table.columns are the names, and
    table.at(time=0.5) is the part that was written nearest to then. Numbers are those of the run, bit for bit.
    """

    def __init__(self, name: str, columns: tuple[str, ...], rows: np.ndarray):
        self.name, self.columns, self.rows = name, columns, rows

    def __getitem__(self, column: str) -> np.ndarray:
        if column not in self.columns:
            raise Missing(f"{self.name} has no column '{column}'; it has {', '.join(self.columns)}")
        return self.rows[:, self.columns.index(column)]

    @property
    def iteration(self) -> np.ndarray:
        """Of each row."""
        return self["iteration"].astype(int)

    @property
    def time(self) -> np.ndarray:
        """Of each row."""
        return self["time"]

    @property
    def _outputs(self) -> np.ndarray:
        """A number for each output, of rows; multipoles are written without their iterations."""
        return self["iteration" if "iteration" in self.columns else "time"]

    @property
    def data(self) -> tuple[str, ...]:
        """The columns that hold what was written, not where and when."""
        places = {"iteration", "time", "tl", "rl", "c", "ml", "ix", "iy", "iz", "x", "y", "z", "k", "from", "to"}
        return tuple(c for c in self.columns if c not in places)

    def at(self, time: float | None = None, iteration: int | None = None) -> Table:
        """The rows that were written nearest to a time or an iteration; without either the last ones."""
        if not len(self):
            raise Error(f"{self.name} has no rows yet")
        asked, of = (iteration, self.iteration) if iteration is not None else (time, self.time)
        row = -1 if asked is None else int(np.argmin(np.abs(of - asked)))
        return Table(self.name, self.columns, self.rows[self._outputs == self._outputs[row]])

    def xarray(self) -> Any:
        """An xarray.Dataset over `time`; for files with one row an output."""
        if len(np.unique(self.time)) != len(self):
            raise Error(f"{self.name} has several rows an output; take .at(time=…) and its columns")
        where = {"time": self.time, "iteration": ("time", self.iteration)}
        return package("xarray", "Table.xarray").Dataset({c: ("time", self[c]) for c in self.data}, where)

    def __len__(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        span = f", t = {self.time[0]:.6g} … {self.time[-1]:.6g}" if len(self) else ""
        return f"<{self.name}: {', '.join(self.data)}; {len(np.unique(self._outputs))} outputs{span}>"


def read_table(path: Path, name: str) -> Table:
    """A text file of IOASCII, Spectrum, Histogram, Interpolate or Multipole, or another thorn's whose header names columns.
    Lines that are no numbers or have another length than the first are left out."""
    lines = whole_lines(path)
    names: dict[int, str] = {}
    for line in lines[:20]:
        if line.startswith("#"):
            names |= {int(n): name for n, name in re.findall(r"(?<!\S)(\d+):([^\s:]\S*)", line)}
    rows = numbers([line for line in lines if line and line[0] not in "# "])
    width = rows.shape[1] if rows.size else max(names, default=0)
    if not {"iteration", "it", "time"} & set(names.values()):
        raise Unreadable(f"{path}: no text file of a run (no line names its columns)")
    columns = tuple(_CARPET.get(names.get(n, ""), names.get(n, f"column {n}")) for n in range(1, width + 1))
    return Table(name, columns, rows if rows.size else np.empty((0, width)))


def whole_lines(path: Path) -> list[str]:
    """Lines of a file but for a last one without its end, which is still being written."""
    text = path.read_bytes().decode("utf-8", "replace")
    return text[:text.rfind("\n") + 1].splitlines()


def numbers(lines: list[str]) -> np.ndarray:
    """Lines of numbers as an array; lines that hold something else, or fewer numbers than the first, are left out."""
    try:
        return np.loadtxt(lines, ndmin=2) if lines else np.empty((0, 0))
    except ValueError:
        rows: list[list[float]] = []
        for line in lines:
            try:
                row = [float(word) for word in line.split()]
            except ValueError:
                continue
            if not rows or len(row) == len(rows[0]):
                rows.append(row)
        return np.array(rows) if rows else np.empty((0, 0))
