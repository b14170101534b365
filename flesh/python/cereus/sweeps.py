"""Runs of one parameter file with several values of parameters: started, opened again, and drawn over each other."""
from __future__ import annotations

import dataclasses
import hashlib
import itertools
import json
import numbers
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import folder
from .jobs import parent_of, run
from .needs import Error, Failure, Missing, Mistake, package

_NOTE = "sweep.json"  # in the folder of a sweep: its points, and what they have in common


@dataclasses.dataclass(frozen=True)
class Point:
    """A run of a sweep: the values that it had, and what became of it."""
    values: dict[str, Any]
    run: folder.Run | None
    error: Error | None

    @property
    def label(self) -> str:
        """Its values as text: WaveToy.order=2, Time.courant=0.4."""
        return label_of(self.values)


def label_of(values: Mapping[str, Any]) -> str:
    """Values of parameters as text: WaveToy.order=2, Time.courant=0.4."""
    return ", ".join(f"{key}={value}" for key, value in values.items())


class Sweep(Sequence[Point]):
    """The points of a sweep, in their order: sweep[0].run.series[…]. sweep.xarray("wavetoy-state.norm2", "u") has the parameters as axes."""

    def __init__(self, points: Sequence[Point], place: Path):
        self.points, self.folder = list(points), place

    def __getitem__(self, n: Any) -> Any:
        return self.points[n]

    def __len__(self) -> int:
        return len(self.points)

    def __iter__(self) -> Iterator[Point]:
        return iter(self.points)

    @property
    def over(self) -> dict[str, list[Any]]:
        """The parameters, each with its values in the order in which they came."""
        return {key: list({str(p.values[key]): p.values[key] for p in self.points}.values()) for key in (self.points[0].values if self.points else ())}

    def xarray(self, series: str, column: str) -> Any:
        """A column of a text series as an xarray.DataArray over the parameters and time; not-a-number where a run has no such time."""
        over = self.over
        tables = {str(p.values): p.run.series[series] for p in self.points if p.run and series in p.run.series}
        times = np.unique(np.concatenate([t.time for t in tables.values()])) if tables else np.zeros(0)
        if not tables:
            raise Missing(f"no run of {self.folder} has the series '{series}'")
        array = np.full([*map(len, over.values()), len(times)], np.nan)
        for place in np.ndindex(array.shape[:-1]):
            if table := tables.get(str({key: over[key][n] for key, n in zip(over, place)})):
                array[place][np.searchsorted(times, table.time)] = table[column]
        return package("xarray", "Sweep.xarray").DataArray(array, {**{k: [v if isinstance(v, (int, float, str)) else str(v) for v in vs] for k, vs in over.items()}, "time": times},
                                                                 [*over, "time"], name=column)

    def plot(self, series: str, column: str | None = None, log: bool = False) -> Any:
        """A matplotlib Figure of a text series: a curve a run. `column`: by default the first."""
        from .plots import beside
        figure = package("matplotlib.figure", "a picture").Figure(figsize=(6.4, 4.8), layout="constrained")
        axes = figure.add_subplot()
        for point in self.points:
            if point.run and series in point.run.series:
                table = point.run.series[series]
                axes.plot(table.time, table[column or table.data[0]], label=point.label)
        if not axes.lines:
            known = sorted({name for p in self.points if p.run for name in p.run.series})
            raise Missing(f"no run of {self.folder} has the series '{series}'; they have: {', '.join(known) or 'none'}")
        axes.set(xlabel="t", title=f"{series}: {column or table.data[0]}", yscale="log" if log else "linear")
        beside(axes)
        axes.grid(alpha=0.3)
        return figure

    def __repr__(self) -> str:
        return f"<sweep in {self.folder}: {'; '.join(f'{p.label}: {p.run.state if p.run else p.error}' for p in self.points)}>"


def sweep(file: str | os.PathLike[str], over: Mapping[str, Sequence[Any]], processes: int = 0, output: str | None = None,
          set: Mapping[str, Any] | None = None, fresh: bool = False, options: Sequence[str] = (),
          each: Callable[[Point], None] = lambda point: None) -> Sweep:
    """Runs a parameter file with all combinations of values: cereus.sweep("wave.yaml", {"WaveToy.order": [2, 4], "Time.courant": [0.2, 0.4]}).

    The runs go to folders of `output` (default: FILE-sweep), one after another. One that fails has an `error` in place of a `run`, and
    the others go on. What is done already, of the same file and settings, is not done again. `each` is told of each when it is over.
    """
    for key, values_of_key in over.items():
        if isinstance(values_of_key, (str, numbers.Number)):
            raise Mistake(f"a sweep takes a list of values for each parameter: {{{key!r}: [{values_of_key!r}]}}")
    over = {key: list(values_of_key) for key, values_of_key in over.items()}
    for key, values_of_key in over.items():
        plain_values = [_plain({key: value}) for value in values_of_key]
        if twice := [value for n, value in enumerate(values_of_key) if plain_values[n] in plain_values[:n]]:
            raise Mistake(f"{key} has the value {twice[0]} twice in this sweep")
    if both := [key for key in over if key in (set or {})]:
        raise Mistake(f"{both[0]} is set to one value, and has several in this sweep; leave one of the two out")
    parent = parent_of(output, set, f"{Path(file).stem}-sweep")
    text = Path(file).read_text() if Path(file).is_file() else str(file)
    common = hashlib.sha256(json.dumps([text, set or {}, list(options), sorted(over)], sort_keys=True, default=str).encode()).hexdigest()
    noted = _note(Path(parent))
    known = noted["points"] if noted.get("common") == common and not fresh else {}  # of another file or other settings nothing is kept
    points: list[Point] = []
    for chosen in itertools.product(*over.values()):
        values = dict(zip(over, chosen))
        name = re.sub(r"[^\w.=,+\[\]-]", "_", label_of(values).replace(" ", ""))
        try:
            if name in {p.run.folder.name for p in points if p.run}:
                raise Mistake(f"the folder {parent}/{name} is that of other values in this sweep, whose names differ in signs alone")
            done = folder.open(Path(parent) / name) if known.get(name) == _plain(values) and (Path(parent) / name / "parameters.yaml").is_file() else None
            if not done or done.state != "done":
                done = run(file, processes, f"{parent}/{name}", {**(set or {}), **values}, fresh, options)
            points.append(Point(values, done, None))
            known = {**known, name: _plain(values)}
            _write_note(Path(parent), {"common": common, "points": known})
        except (Mistake, Failure) as error:
            points.append(Point(values, None, error))
        each(points[-1])
    return Sweep(points, Path(parent))


def open_sweep(place: str | os.PathLike[str]) -> Sweep:
    """A sweep by its folder: the runs that are there; of those that left nothing an error says so."""
    path = Path(place)
    noted = _note(path)
    if not noted:
        raise Error(f"'{path}' holds no sweep (no {_NOTE}); give the folder of `cereus sweep`")
    points = []
    for name, values in noted["points"].items():
        whole = (path / name / "parameters.yaml").is_file()
        points.append(Point(values, folder.open(path / name) if whole else None, None if whole else Error(f"{path / name} holds no run")))
    return Sweep(points, path)


def is_sweep(place: str | os.PathLike[str]) -> bool:
    """Whether a folder is that of a sweep."""
    return (Path(place) / _NOTE).is_file()


def _plain(values: Mapping[str, Any]) -> Any:
    """As JSON gives it back; a text that is a number, as from a command line, is that number."""
    def of(value: Any) -> Any:
        try:
            return json.loads(value if isinstance(value, str) else json.dumps(value, default=str))
        except ValueError:
            return value
    return {key: of(value) for key, value in values.items()}


def _write_note(path: Path, note: Mapping[str, Any]) -> None:
    part = path / (_NOTE + ".tmp")
    part.write_text(json.dumps(note, indent=1) + "\n")
    part.replace(path / _NOTE)


def _note(path: Path) -> dict[str, Any]:
    try:
        found = json.loads((path / _NOTE).read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) and isinstance(found.get("points"), dict) else {}
