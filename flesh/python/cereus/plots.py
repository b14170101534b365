"""Pictures of runs, with matplotlib: a slice of a field, its profile along a line, or curves over time."""
from __future__ import annotations

import contextlib
import itertools
import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from . import folder
from .fields import Field, Patch, Snapshot
from .needs import Error, Missing, package
from .text import Table


def plot(run: folder.Run | str | os.PathLike[str], variable: str | Sequence[str] | None = None, *, time: float | None = None, iteration: int | None = None,
         slice: str | None = None, through: tuple[float, ...] = (0, 0, 0), log: bool = False, range: tuple[float, float] | None = None,
         palette: str | None = None, smooth: bool | None = None, fluid: str | None = None, change: bool = False) -> Any:
    """A matplotlib Figure of a field or slice (`WaveToy::u`, or `u`), of a text file (`wavetoy-state.norm2`), or of the first thing there is;
    of a list of them, side by side.

    Of a field the output nearest to `time` or `iteration` (default: the last) and the `slice` (xy, xz, yz; x, y, z: a curve) through the
    grid point nearest to `through`. `range` are the values at the ends of the palette or axis; without it a field of both signs has a
    palette that is white at 0. `smooth` interpolates between points (default: of fewer than 128 along an axis). Cells where the field
    `fluid` (default: `open` of the same thorn, if the run wrote it) is 0 are grey. `change`: of text files, what columns have gained.
    """
    run = run if isinstance(run, folder.Run) else folder.open(run)
    names = [variable] if variable is None or isinstance(variable, str) else list(variable)
    shown = [_find(run, name, slice) for name in names]
    if change and not all(isinstance(what, Table) for what in shown):
        raise Error(f"a change is of text files; {next(what.name for what in shown if isinstance(what, Field))} is a field")
    figure = package("matplotlib.figure", "a picture").Figure(figsize=(6.4, 4.8), layout="constrained")
    cuts = [what if isinstance(what, Table) else (s := what.at(time, iteration)).slice(slice or s.axes[:2], through) for what in shown]
    for what, place in zip(cuts, _places(figure, cuts)):
        if isinstance(what, Table):
            if (time, iteration) != (None, None) and len(shown) == 1 and len(np.unique(what.time)) == len(what):
                raise Error(f"{what.name} has one line an output, and is drawn over the time: leave time and iteration out")
            of_fields = {"slice": slice, "through": through if any(through) else None, "palette": palette, "smooth": smooth, "fluid": fluid}
            given = [word for word, value in of_fields.items() if value is not None]
            if given and len(shown) == 1:
                raise Error(f"{what.name} is a text file: leave {' and '.join(given)} out, or name a field, THORN::NAME")
            _curves(figure, place, what.at(time, iteration) if len(np.unique(what.time)) < len(what) else what, log, range, change)
        else:
            _field(figure.add_subplot(place), what, _solid(run, what, fluid, through), log, range, palette, smooth)
    return figure


def _places(figure: Any, cuts: Sequence[Table | Snapshot]) -> list[Any]:
    """A place in the figure for each of them, in rows and columns; several make a figure half as wide again as high."""
    extents = [cut.levels[0].extent for cut in cuts if isinstance(cut, Snapshot) and len(cut.axes) == 2]
    wide = max([(e[1] - e[0]) / (e[3] - e[2]) for e in extents], default=1.6)
    width, height = (6.4, 4.8) if len(cuts) == 1 else (min(6.4, 3.9 * wide + 2.4), min(4.8, 4.8 / wide + 1))
    columns = min(range(1, len(cuts) + 1), key=lambda n: abs(np.log(n * width / (-(-len(cuts) // n) * height) / 1.5)))
    rows = -(-len(cuts) // columns)
    figure.set_size_inches(columns * width, rows * height)
    grid = figure.add_gridspec(rows, columns)
    return [grid[n // columns, n % columns] for n in range(len(cuts))]


def film(run: folder.Run | str | os.PathLike[str], file: str | os.PathLike[str], variable: str | None = None, *, slice: str | None = None,
         through: tuple[float, ...] = (0, 0, 0), log: bool = False, range: tuple[float, float] | None = None, palette: str | None = None,
         smooth: bool | None = None, fluid: str | None = None, rate: float = 10) -> None:
    """All outputs of a field or slice as a film, `rate` a second, with one range for all: .gif, or what ffmpeg writes (.mp4)."""
    run = run if isinstance(run, folder.Run) else folder.open(run)
    field = _find(run, variable, slice)
    if isinstance(field, Table):
        raise Error(f"{field.name} is a text file: films show fields and slices")
    animation = package("matplotlib.animation", "a film")
    if Path(file).suffix != ".gif" and not shutil.which("ffmpeg"):
        raise Error(f"{file} needs ffmpeg: apt-get install ffmpeg; or write a .gif")
    if range is None:
        ends = []
        for snapshot in field:
            cut = snapshot.slice(slice or snapshot.axes[:2], through)
            values = _open_values(cut.levels[0], _solid(run, cut, fluid, through))
            ends.append((np.nanmin(values), np.nanmax(values)))
        range = float(min(low for low, _ in ends)), float(max(high for _, high in ends))
        range = range if log else _around_zero(*range)
    figure = package("matplotlib.figure", "a film").Figure(figsize=(6.4, 4.8), layout="constrained")
    writer = animation.PillowWriter(rate) if Path(file).suffix == ".gif" else animation.FFMpegWriter(rate)
    with _writing(file), writer.saving(figure, str(file), 100):
        for snapshot in field:
            figure.clear()
            cut = snapshot.slice(slice or snapshot.axes[:2], through)
            _field(figure.add_subplot(), cut, _solid(run, cut, fluid, through), log, range, palette, smooth)
            writer.grab_frame()


def save(figure: Any, file: str | os.PathLike[str]) -> None:
    """Writes a picture, in the format that the name ends with."""
    with _writing(file):
        figure.savefig(file)


@contextlib.contextmanager
def _writing(file: str | os.PathLike[str]) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        raise Error(f"{file} cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _find(run: folder.Run, variable: str | None, slice: str | None) -> Field | Table:
    """The field, slice or text file that a name means, whole or without its thorn; without a name the first that there is."""
    cuts = run.slices
    axes = [slice] if slice in cuts else list(cuts) if slice is None else []
    places = [run.fields, *(cuts[a] for a in reversed(axes)), run.series, run.lines]
    for there in places:
        for name in there:
            if variable is None or variable.lower() in (name.lower(), name.lower().rpartition("::")[2]):
                return there[name]
    known = [name for there in places for name in there]
    without = "" if any(there for there in places[:-2]) else "; no fields: IOHDF5: {every: …} writes them"
    raise Missing(f"{run.folder} holds no '{variable}'; it holds: {', '.join(known)}{without}" if variable and known else
                  f"{run.folder} holds nothing to plot yet")


def _solid(run: folder.Run, cut: Snapshot, fluid: str | None, through: tuple[float, ...]) -> Patch | None:
    """Where the field that says what is solid is cut as this one is; None if there is no such field, or it is this one."""
    name = fluid or cut.name.rpartition("::")[0] + "::open"
    try:
        field = _find(run, name, cut.axes)
    except Missing:
        if fluid:
            raise
        return None
    if isinstance(field, Table):
        raise Error(f"{field.name} is a text file: a field says which cells are solid")
    return None if field.name == cut.name else field.at(iteration=cut.iteration).slice(cut.axes, through).levels[0]


def _in_solid(level: Patch, solid: Patch) -> np.ndarray:
    """Of each point, whether there is nothing but solid around it: it may lie at an edge of cells."""
    closed, inside = solid.values == 0, np.ones(level.shape, bool)
    edges = {a: solid.edges(a) for a in level.axes}
    for sides in itertools.product((-1e-6, 1e-6), repeat=len(level.axes)):
        places = [np.searchsorted(edges[a], level.coordinates(a) + side * np.diff(edges[a]).min()) - 1 for a, side in zip(level.axes, sides)]
        inside &= closed[np.ix_(*(np.clip(p, 0, len(edges[a]) - 2) for p, a in reversed(list(zip(places, level.axes)))))]
    return inside


def _open_values(level: Patch, solid: Patch | None) -> np.ndarray:
    """Not-a-number in solid."""
    return np.where(_in_solid(level, solid), np.nan, level.values) if solid else level.values


def _continued(array: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """With the mean of its neighbours at each point of the solid that has any, so that interpolation beside it has something to go to."""
    around = np.pad(array, 1, constant_values=np.nan)
    ny, nx = array.shape
    near = np.stack([around[j:j + ny, i:i + nx] for j in range(3) for i in range(3)])
    known = np.isfinite(near)
    count = known.sum(axis=0)
    return np.where(inside & (count > 0), np.where(known, near, 0).sum(axis=0) / np.maximum(count, 1), array)


def _scale(lowest: float, highest: float, log: bool, range: tuple[float, float] | None, palette: str | None) -> tuple[Any, str]:
    """How values become colours: white is 0 where there are both signs."""
    colors = package("matplotlib.colors", "a picture")
    low, high = range or (lowest, highest)
    if log:
        if high <= 0:
            raise Error("a logarithm needs values above 0")
        return colors.LogNorm(low if low > 0 else high * 1e-6, high, clip=True), palette or "viridis"
    if range is None:
        low, high = _around_zero(low, high)
    return colors.Normalize(low, high), palette or ("RdBu_r" if _has_both_signs(low, high) else "viridis")


def _has_both_signs(low: float, high: float) -> bool:
    """A sign counts from a thousandth of the range on: what a scheme leaves below 0 does not."""
    return low < 0 < high and min(-low, high) > 1e-3 * (high - low)


def _around_zero(low: float, high: float) -> tuple[float, float]:
    """Ends with 0 in their middle where there are both signs."""
    return (min(low, -high), max(high, -low)) if _has_both_signs(low, high) else (low, high)


def _field(axes: Any, cut: Snapshot, solid: Patch | None, log: bool, range: tuple[float, float] | None, palette: str | None, smooth: bool | None) -> None:
    axes.set_title(f"{cut.name} at t = {cut.time:.6g}")
    if len(cut.axes) == 2:
        _image(axes, cut, log, range, palette, smooth, solid)
    else:
        if (palette, smooth) != (None, None):
            raise Error(f"{cut.name} is drawn as a curve, which has one colour and is not smoothed: leave palette and smooth out")
        _profile(axes, cut, log, range, solid)


def _image(axes: Any, snapshot: Snapshot, log: bool, range: tuple[float, float] | None, palette: str | None, smooth: bool | None, solid: Patch | None) -> None:
    arrays = [_open_values(level, solid) for level in snapshot.levels]
    finite = np.concatenate([a[np.isfinite(a)] for a in arrays])
    if not finite.size:
        raise Error(f"{snapshot.name} has no finite value at t = {snapshot.time:.6g}")
    norm, colours = _scale(float(finite.min()), float(finite.max()), log, range, palette)
    try:
        colours = package("matplotlib", "a picture").colormaps[colours]
    except KeyError:
        raise Missing(f"matplotlib has no palette '{colours}'; there are viridis, magma, RdBu_r and more") from None
    if smooth is None:
        smooth = min(arrays[0].shape) < 128 and snapshot.values.dtype.kind == "f"
    for level, array in zip(snapshot.levels, arrays):
        if level.places:
            image = axes.pcolormesh(*map(level.edges, level.axes), array, norm=norm, cmap=colours)
        else:
            if smooth and solid:
                array = _continued(array, _in_solid(level, solid))
            image = axes.imshow(array, norm=norm, cmap=colours, extent=level.extent, origin="lower", interpolation="bilinear" if smooth else "nearest")
    if solid:
        grey = package("matplotlib.colors", "a picture").ListedColormap(["#b4b4b4"])
        axes.pcolormesh(*map(solid.edges, solid.axes), np.ma.masked_where(solid.values != 0, solid.values), cmap=grey)
    coarsest = snapshot.levels[0].extent
    axes.set(xlabel=snapshot.axes[0], ylabel=snapshot.axes[1], xlim=coarsest[:2], ylim=coarsest[2:], aspect="equal")
    axes.figure.colorbar(image, cax=axes.inset_axes((1.03, 0, 0.04, 1)))  # as high as the picture


def _profile(axes: Any, snapshot: Snapshot, log: bool, range: tuple[float, float] | None, solid: Patch | None) -> None:
    for n, level in enumerate(snapshot.levels):
        axes.plot(level.coordinates(snapshot.axes), _open_values(level, solid), label=f"level {n}")
    axes.set(xlabel=snapshot.axes, yscale="log" if log else "linear", ylim=range)
    if len(snapshot.levels) > 1:
        beside(axes)


def beside(axes: Any) -> None:
    """The legend, where it hides no curve."""
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1), borderaxespad=0)


def _alike(table: Table) -> list[list[str]]:
    """Columns whose magnitudes are within a factor of 10 together, in the order of the file; of more than five magnitudes, within a larger one."""
    size = {c: float(np.abs(table[c][np.isfinite(table[c])]).max(initial=0)) for c in table.data}
    factor, groups = 1.0, [[]] * 6
    while len(groups) > 5:
        factor, groups = factor * 10, []
        for column in sorted(size, key=lambda c: -size[c]):
            if not groups or 0 < size[column] * factor < size[groups[-1][0]]:
                groups.append([])
            groups[-1].append(column)
    return sorted((sorted(group, key=table.data.index) for group in groups), key=lambda group: table.data.index(group[0]))


def _changed(table: Table) -> Table:
    """What columns have gained since their first finite values."""
    rows = table.rows.copy()
    for column in table.data:
        values = rows[:, table.columns.index(column)]
        values -= values[np.isfinite(values)][:1].sum()
    return Table(table.name, table.columns, rows)


def _curves(figure: Any, place: Any, table: Table, log: bool, range: tuple[float, float] | None, change: bool) -> None:
    """Columns over time, in panels by magnitude; of one time over the first place that changes: x, y, z, k."""
    if not len(table):
        raise Error(f"{table.name} has no rows yet")
    over = "time" if np.ptp(table.time) > 0 or len(table) == 1 else next((c for c in table.columns if c in "xyzk" or c == "from"
                                                                        if np.ptp(table[c][np.isfinite(table[c])]) > 0), "time")
    title = f"{table.name}: change since t = {table.time[0]:.6g}" if change else table.name
    table = _changed(table) if change else table
    groups = [list(table.data)] if log or range or over != "time" else _alike(table)
    if place.get_gridspec().get_geometry() == (1, 1) and len(groups) > 1:
        figure.set_figheight(1.2 + 1.9 * len(groups))
    panels = place.subgridspec(len(groups), 1).subplots(sharex=True, squeeze=False)[:, 0]
    for axes, columns in zip(panels, groups):
        for column in columns:
            axes.plot(table[over], table[column], "o" if len(table) == 1 else "-", label=("Δ " if change else "") + column, color=f"C{table.data.index(column)}")
        axes.set(yscale="log" if log else "linear", ylim=range)
        axes.grid(alpha=0.3)
        if len(columns) > 1:
            beside(axes)
        else:
            axes.set(ylabel=axes.lines[0].get_label())
    panels[0].set(title=title if over == "time" else f"{title} at t = {table.time[0]:.6g}")
    panels[-1].set(xlabel="t" if over == "time" else over)
    figure.align_ylabels(panels)
