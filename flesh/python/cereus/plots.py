"""Pictures of runs, with matplotlib: a slice of a field, its profile along a line, or curves over time."""
from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from . import folder
from .fields import Field, Snapshot
from .needs import Error, Missing, package
from .text import Table


def plot(run: folder.Run | str | os.PathLike[str], variable: str | None = None, *, time: float | None = None, iteration: int | None = None,
         slice: str | None = None, through: tuple[float, ...] = (0, 0, 0), log: bool = False, range: tuple[float, float] | None = None,
         palette: str | None = None) -> Any:
    """A matplotlib Figure of a field or slice (`WaveToy::u`, or `u`), of a text file (`wavetoy-state.norm2`), or of the first thing there is.

    Of a field the output nearest to `time` or `iteration` (default: the last) and the `slice` (xy, xz, yz; x, y, z: a curve) through the
    grid point nearest to `through`. `range` are the values at the ends of the palette or axis; without it a field of both signs has a
    palette that is white at 0.
    """
    run = run if isinstance(run, folder.Run) else folder.open(run)
    what = _find(run, variable, slice)
    figure = package("matplotlib.figure", "a picture").Figure(figsize=(6.4, 4.8), layout="constrained")
    axes = figure.add_subplot()
    if isinstance(what, Table):
        _curves(axes, what.at(time, iteration) if len(np.unique(what.time)) < len(what) else what, log, range)
    else:
        snapshot = what.at(time, iteration)
        snapshot = snapshot.slice(slice or snapshot.axes[:2], through)
        axes.set_title(f"{what.name} at t = {snapshot.time:.6g}")
        (_image if len(snapshot.axes) == 2 else _profile)(axes, snapshot, log, range, palette)
    return figure


def film(run: folder.Run | str | os.PathLike[str], file: str | os.PathLike[str], variable: str | None = None, *, slice: str | None = None,
         through: tuple[float, ...] = (0, 0, 0), log: bool = False, range: tuple[float, float] | None = None, palette: str | None = None,
         rate: float = 10) -> None:
    """All outputs of a field or slice as a film, `rate` a second, with one range for all: .gif, or what ffmpeg writes (.mp4)."""
    run = run if isinstance(run, folder.Run) else folder.open(run)
    field = _find(run, variable, slice)
    if isinstance(field, Table):
        raise Error(f"{field.name} is a text file: films show fields and slices")
    animation = package("matplotlib.animation", "a film")
    if Path(file).suffix != ".gif" and not shutil.which("ffmpeg"):
        raise Error(f"{file} needs ffmpeg: apt-get install ffmpeg; or write a .gif")
    if range is None:
        ends = [(np.nanmin(v), np.nanmax(v)) for s in field for v in (s.slice(slice or s.axes[:2], through).values,)]
        range = float(min(low for low, _ in ends)), float(max(high for _, high in ends))
        range = range if log else _around_zero(*range)
    figure = package("matplotlib.figure", "a film").Figure(figsize=(6.4, 4.8), layout="constrained")
    writer = animation.PillowWriter(rate) if Path(file).suffix == ".gif" else animation.FFMpegWriter(rate)
    with _writing(file), writer.saving(figure, str(file), 100):
        for snapshot in field:
            figure.clear()
            axes = figure.add_subplot(title=f"{field.name} at t = {snapshot.time:.6g}")
            snapshot = snapshot.slice(slice or snapshot.axes[:2], through)
            (_image if len(snapshot.axes) == 2 else _profile)(axes, snapshot, log, range, palette)
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


def _image(axes: Any, snapshot: Snapshot, log: bool, range: tuple[float, float] | None, palette: str | None) -> None:
    arrays = [level.values for level in snapshot.levels]
    finite = np.concatenate([a[np.isfinite(a)] for a in arrays])
    if not finite.size:
        raise Error(f"{snapshot.name} has no finite value at t = {snapshot.time:.6g}")
    norm, colours = _scale(float(finite.min()), float(finite.max()), log, range, palette)
    try:
        colours = package("matplotlib", "a picture").colormaps[colours]
    except KeyError:
        raise Missing(f"matplotlib has no palette '{colours}'; there are viridis, magma, RdBu_r and more") from None
    for level, array in zip(snapshot.levels, arrays):
        if level.places:
            image = axes.pcolormesh(*map(level.edges, level.axes), array, norm=norm, cmap=colours)
        else:
            image = axes.imshow(array, norm=norm, cmap=colours, extent=level.extent, origin="lower", interpolation="nearest")
    coarsest = snapshot.levels[0].extent
    axes.set(xlabel=snapshot.axes[0], ylabel=snapshot.axes[1], xlim=coarsest[:2], ylim=coarsest[2:], aspect="equal")
    axes.figure.colorbar(image, cax=axes.inset_axes((1.03, 0, 0.04, 1)))  # as high as the picture


def _profile(axes: Any, snapshot: Snapshot, log: bool, range: tuple[float, float] | None, palette: str | None) -> None:
    for n, level in enumerate(snapshot.levels):
        axes.plot(level.coordinates(snapshot.axes), level.values, label=f"level {n}")
    axes.set(xlabel=snapshot.axes, yscale="log" if log else "linear", ylim=range)
    if len(snapshot.levels) > 1:
        axes.legend(frameon=False)


def _curves(axes: Any, table: Table, log: bool, range: tuple[float, float] | None) -> None:
    """Columns over time; of one time over the first place that changes: x, y, z, k."""
    if not len(table):
        raise Error(f"{table.name} has no rows yet")
    over = "time" if np.ptp(table.time) > 0 or len(table) == 1 else next((c for c in table.columns if c in "xyzk" or c == "from"
                                                                        if np.ptp(table[c][np.isfinite(table[c])]) > 0), "time")
    for column in table.data:
        axes.plot(table[over], table[column], "o" if len(table) == 1 else "-", label=column)
    axes.set(xlabel="t" if over == "time" else over, yscale="log" if log else "linear", ylim=range,
             title=table.name if over == "time" else f"{table.name} at t = {table.time[0]:.6g}")
    axes.legend(frameon=False)
    axes.grid(alpha=0.3)
