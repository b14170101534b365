"""Fields of a run: a grid function has outputs, an output has levels, a level is an array over blocks. Nothing is read but what is asked for."""
from __future__ import annotations

import dataclasses
import itertools
import math
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .needs import Error, Missing, Unreadable, package


def open_hdf5(path: Path) -> Any:
    """The file, to read; without a lock, so that a run may go on writing."""
    try:
        return package("h5py", "reading fields").File(path, "r", locking=False)
    except OSError as error:
        raise Unreadable(f"{path}: cannot be read as HDF5: {error}") from None


@dataclasses.dataclass(frozen=True)
class Patch:
    """Values at the points of a grid: a level, a block of it, or a slice through either."""
    path: Path
    dataset: str
    stored: str  # axes of the dataset, "xyz"; it has the slowest, z, first
    axes: str  # those that are left: a slice has fewer
    origin: tuple[float, ...]  # coordinates of the dataset's first point, in the order of `stored`, as all below
    spacing: tuple[float, ...]
    lo: tuple[int, ...]  # which part of the dataset this is: lo ≤ index < hi
    hi: tuple[int, ...]
    boxes: np.ndarray  # of blocks, in indices of the dataset: [block, 0 for lo and 1 for hi, axis]
    places: tuple[np.ndarray, ...] = ()  # of stretched axes: coordinates of all points along each
    shell: int = 0  # 1 … 6: a shell around +x, −x, +y, −y, +z, −z, whose "x", "y", "z" are two angles and the radius
    parts: tuple[str, ...] = ()  # where each block has a dataset of its own, these, in the order of `boxes`

    @property
    def values(self) -> np.ndarray:
        """The array, slowest axis first: u[z, y, x]. Points in no block, as refined levels have, are not-a-number."""
        with open_hdf5(self.path) as f:
            array = self._array_of_parts(f) if self.parts else f[self.dataset][tuple(map(slice, self.lo[::-1], self.hi[::-1]))]
        if (blocks := self._boxes()).prod(axis=1).sum() < array.size:
            covered = np.zeros(array.shape, bool)
            for lo, size in zip(self._lows(), blocks):
                covered[tuple(map(slice, lo[::-1], (lo + size)[::-1]))] = True
            array = np.where(covered, array, np.nan)
        return array.reshape(self.shape)

    @property
    def shape(self) -> tuple[int, ...]:
        """Numbers of points, slowest axis first, as of `values`."""
        return tuple(self.hi[a] - self.lo[a] for a in reversed(range(len(self.stored))) if self.stored[a] in self.axes)

    def coordinates(self, axis: str) -> np.ndarray:
        """Of the points along x, y or z."""
        if axis not in self.axes:
            raise Missing(f"there is no axis '{axis}' here; there are: {', '.join(self.axes)}")
        a = self.stored.index(axis)
        if self.places:
            return self.places[a][self.lo[a]:self.hi[a]]
        return self.origin[a] + self.spacing[a] * np.arange(self.lo[a], self.hi[a])

    @property
    def positions(self) -> tuple[np.ndarray, ...]:
        """x, y and z of all points, as many as there are axes, each of the shape of `values`; of a shell, too. Raises Missing for a
        slice."""
        if self.axes != self.stored:
            raise Missing(f"a slice along {self.axes} has coordinates(axis), and no positions")
        places = tuple(reversed(np.meshgrid(*(self.coordinates(a) for a in reversed(self.axes)), indexing="ij")))
        if not self.shell:
            return places
        x, y, z = places
        a, b, first = np.tan(x), np.tan(y), z * (1 if self.shell % 2 else -1)
        first = first / np.sqrt(1 + a**2 + b**2)
        turned, along = (first, first * a, first * b), (self.shell - 1) // 2
        return turned[-along % 3], turned[(1 - along) % 3], turned[(2 - along) % 3]

    def edges(self, axis: str) -> np.ndarray:
        """Of the cells around the points along x, y or z, one more than points: what matplotlib's pcolormesh takes."""
        a, x = self.stored.index(axis), self.coordinates(axis)
        if not self.places:
            return self.origin[a] + self.spacing[a] * (np.arange(self.lo[a], self.hi[a] + 1) - 0.5)
        steps = np.diff(x) if len(x) > 1 else np.ones(1)
        return np.concatenate([x[:1] - steps[:1] / 2, (x[1:] + x[:-1]) / 2, x[-1:] + steps[-1:] / 2])

    @property
    def extent(self) -> list[float]:
        """Edges of the cells around the points, lower and upper of x, then y …: what matplotlib's imshow takes, where no axis
        is stretched."""
        return [end for axis in self.axes for end in self.edges(axis)[[0, -1]].tolist()]

    def slice(self, axes: str, through: tuple[float, ...] = (0, 0, 0)) -> Patch:
        """What is left along `axes`, as in "xy" or "x", through the grid point nearest to `through`."""
        if not axes or set(axes) - set(self.axes):
            raise Error(f"there is no slice '{axes}' of what has the axes {self.axes}")
        lo, hi = list(self.lo), list(self.hi)
        for a, axis in enumerate(self.stored):
            if axis in self.axes and axis not in axes:
                x = through["xyz".index(axis)]
                near = int(np.argmin(np.abs(self.places[a] - x))) if self.places else round((x - self.origin[a]) / self.spacing[a])
                lo[a] = min(max(near, lo[a]), hi[a] - 1)
                hi[a] = lo[a] + 1
        return dataclasses.replace(self, axes="".join(a for a in self.stored if a in axes), lo=tuple(lo), hi=tuple(hi))

    @property
    def blocks(self) -> list[Patch]:
        """The blocks, or the parts of those that a slice meets."""
        lows = self._lows() + self.lo
        return [dataclasses.replace(self, lo=tuple(lo.tolist()), hi=tuple((lo + size).tolist()))
                for lo, size in zip(lows, self._boxes()) if size.min() > 0]

    def meets(self, axes: str, through: tuple[float, ...]) -> bool:
        """Whether the slice `axes` passes here, and is not only nearest to here."""
        cut = self.slice(axes, through)
        return bool(cut.blocks) and all(
            abs(self.origin[a] + self.spacing[a] * cut.lo[a] - through["xyz".index(axis)]) <= self.spacing[a]
            for a, axis in enumerate(self.stored) if axis in self.axes and axis not in axes)

    def _array_of_parts(self, f: Any) -> np.ndarray:
        lower, upper = np.array(self.lo), np.array(self.hi)
        array = np.zeros((upper - lower)[::-1], f[self.dataset].dtype)
        for name, (lo, hi) in zip(self.parts, self.boxes):
            first, last = np.maximum(lo, lower), np.minimum(hi, upper)
            if (first < last).all():
                to, of = (tuple(map(slice, (first - origin)[::-1], (last - origin)[::-1])) for origin in (lower, lo))
                array[to] = f[name][of]
        return array

    def _lows(self) -> np.ndarray:
        return np.clip(self.boxes[:, 0], self.lo, self.hi) - self.lo

    def _boxes(self) -> np.ndarray:
        return np.clip(self.boxes[:, 1], self.lo, self.hi) - self.lo - self._lows()

    def xarray(self) -> Any:
        """An xarray.DataArray with coordinates."""
        axes = self.axes[::-1]
        return package("xarray", "Patch.xarray").DataArray(self.values, {a: self.coordinates(a) for a in axes}, list(axes))


@dataclasses.dataclass(frozen=True)
class Snapshot:
    """A grid function at one time. `levels` are all that have blocks, coarsest first; the rest is of the coarsest. Around a cube of a
    ball there are `shells`, six of them."""
    name: str
    iteration: int
    time: float
    levels: list[Patch]
    shells: list[Patch] = dataclasses.field(default_factory=list)

    @property
    def values(self) -> np.ndarray:
        """The array of the coarsest level, slowest axis first: u[z, y, x]."""
        return self.levels[0].values

    @property
    def axes(self) -> str:
        """Those that it has: "xyz" of a field in 3D, "xy" of a slice."""
        return self.levels[0].axes

    def coordinates(self, axis: str) -> np.ndarray:
        """Of the points of the coarsest level along x, y or z."""
        return self.levels[0].coordinates(axis)

    @property
    def blocks(self) -> list[Patch]:
        """The blocks of the coarsest level."""
        return self.levels[0].blocks

    def slice(self, axes: str, through: tuple[float, ...] = (0, 0, 0)) -> Snapshot:
        """As Patch.slice, on each level that it meets; of a ball, the cube's."""
        if self.shells:
            warnings.warn(f"{self.name}: a slice has the cube's points alone; those of shells are snapshot.shells", stacklevel=2)
        levels = self.levels[:1] + [level for level in self.levels[1:] if level.meets(axes, through)]
        return dataclasses.replace(self, levels=[level.slice(axes, through) for level in levels], shells=[])

    def xarray(self) -> Any:
        """An xarray.DataArray of the coarsest level, with coordinates, time and iteration."""
        array = self.levels[0].xarray().rename(self.name)
        return array.assign_coords(time=self.time, iteration=self.iteration)

    def yt(self, level: int | None = None) -> Any:
        """A dataset of yt with all levels, or one of them, whatever its dimension: yt.SlicePlot(snapshot.yt(), "z", NAME), NAME as "u" of
        WaveToy::u. Each point is shown as the cell around it; points of a level that no block has are not-a-number. Raises Error for vertices
        of several levels: yt has cells that cells of the next level fill."""
        if level is not None:
            return dataclasses.replace(self, levels=[self.levels[level]], shells=[]).yt()
        if self.shells:
            raise Error("yt has no place for shells around a cube: take a level of the cube, snapshot.yt(level=0), or ParaView with the .xmf file")
        yt, name, coarse = package("yt", "Snapshot.yt"), self.name.rpartition("::")[2], self.levels[0]
        flat = 3 - len(coarse.axes)

        def array(patch: Patch) -> np.ndarray:
            return np.ascontiguousarray(patch.values.T.reshape(tuple(reversed(patch.shape)) + (1,) * flat))

        def ends(patch: Patch, end: int) -> list[float]:
            return [float(patch.edges(a)[end]) for a in patch.axes] + [float(end != 0)] * flat

        size = tuple(reversed(coarse.shape)) + (1,) * flat
        bbox = np.array([ends(coarse, 0), ends(coarse, -1)]).T
        if len(self.levels) == 1:
            return yt.load_uniform_grid({name: array(coarse)}, size, bbox=bbox, sim_time=self.time, nprocs=1)
        shifts = [(level.edges(a)[0] - coarse.edges(a)[0]) / step for level in self.levels for a, step in zip(coarse.stored, coarse.spacing) if a in coarse.axes]
        if any(abs(shift - round(shift)) > 1e-6 for shift in shifts):
            raise Error(f"yt has no place for vertices of several levels, such as {self.name}: cells around them do not fill cells of the next level. "
                        "Take one, snapshot.yt(level=0), or a variable in cells")
        grids = [{"level": round(math.log2(coarse.spacing[0] / level.spacing[0])), "left_edge": ends(block, 0), "right_edge": ends(block, -1),
                  "dimensions": tuple(reversed(block.shape)) + (1,) * flat, name: array(block)} for level in self.levels for block in level.blocks]
        return yt.load_amr_grids(grids, size, bbox=bbox, sim_time=self.time)


class Field:
    """A grid function over a run. field.at(time=0.5) or field.at(iteration=40) is the nearest output, field.at() the last."""

    def __init__(self, name: str, outputs: Mapping[int, tuple[float, Any]], read: Any):
        self.name, self._read = name, read
        self._outputs = dict(sorted(outputs.items()))  # iteration → time, and where it lies

    @property
    def iterations(self) -> np.ndarray:
        """Of all outputs, in their order."""
        return np.array(list(self._outputs), int)

    @property
    def times(self) -> np.ndarray:
        """Of all outputs, in their order."""
        return np.array([time for time, _ in self._outputs.values()], float)

    def at(self, time: float | None = None, iteration: int | None = None) -> Snapshot:
        """The output nearest to a time or an iteration; without either, the last."""
        asked, of = (iteration, self.iterations) if iteration is not None else (time, self.times)
        if asked is None:
            return self[-1]
        apart = float(np.diff(of).max()) if len(of) > 1 else 0
        if not of[0] - apart / 2 <= asked <= of[-1] + apart / 2 and not math.isclose(asked, of[0]):
            warnings.warn(f"{self.name} has outputs from {of[0]:.6g} to {of[-1]:.6g}: the nearest is taken in place of {asked:.6g}", stacklevel=2)
        return self[int(np.argmin(np.abs(of - asked)))]

    def __getitem__(self, n: int) -> Snapshot:
        iteration = int(self.iterations[n])
        time, where = self._outputs[iteration]
        patches = self._read(where, self.name)
        return Snapshot(self.name, iteration, time, [p for p in patches if not p.shell], [p for p in patches if p.shell])

    def __iter__(self) -> Iterator[Snapshot]:
        return (self[n] for n in range(len(self)))

    def __len__(self) -> int:
        return len(self._outputs)

    def xarray(self) -> Any:
        """An xarray.DataArray [time, z, y, x] of the coarsest level; reads all outputs."""
        return package("xarray", "Field.xarray").concat([snapshot.xarray() for snapshot in self], "time")

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self)} outputs, t = {self.times[0]:.6g} … {self.times[-1]:.6g}>"


def native_levels(path: Path, name: str) -> list[Patch]:
    """Of a file NAME_00000010.hdf of IOHDF5. A refined level is the part of it that has blocks."""
    with open_hdf5(path) as f:
        native, levels = f["native"], []
        axes = "xyz"[:int(native.attrs["dimension"])]
        name, mesh = name.replace("::", "__"), f"data/{native.attrs['iteration']}/meshes/{name.replace('::', '__')}"
        refined = -1  # the number of a level, which shells do not have
        for number in itertools.takewhile(lambda n: f"lev{n}/{name}" in native, itertools.count()):
            level = native[f"lev{number}"]
            shell = int(level.attrs.get("shell", 0))
            refined += not shell
            places = tuple(level[a][()] for a in axes) if axes[0] in level else ()
            boxes = level["boxes"][()].reshape(-1, 2, 3)[:, :, :len(axes)].astype(int)
            boxes = boxes - level.attrs["points"][:len(axes)]
            if not len(boxes):  # finer blocks cover all of it, or it has gone
                continue
            lo, hi = boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)
            levels.append(Patch(path, mesh + (f"_shell{shell}" if shell else f"_lvl{refined}" if refined else ""), axes, axes,
                                tuple(level.attrs["first_point"]), tuple(level.attrs["spacing"]), tuple(lo.tolist()), tuple(hi.tolist()), boxes, places, shell))
    if not levels:
        raise Missing(f"{path} does not hold {name}")
    return levels


def carpet_levels(where: tuple[Path, str, list[str]], _: str) -> list[Patch]:
    """Of a file THORN-GROUP.AXES.h5 of IOHDF5: its datasets of a variable and iteration, of which each is a block of a level."""
    path, axes, keys = where
    found: dict[int, list[str]] = {}
    for key in keys:
        found.setdefault(int(key.split(" rl=")[1].split()[0]), []).append(key)
    levels: list[Patch] = []
    with open_hdf5(path) as f:
        for _, parts in sorted(found.items()):
            data = f[parts[0]].attrs
            places = tuple(data[f"coordinates_{a}"] for a in axes) if f"coordinates_{axes[0]}" in data else ()
            origins, spacing = np.array([f[part].attrs["origin"] for part in parts]), np.array(data["delta"])
            lows = np.rint((origins - origins.min(axis=0)) / spacing).astype(int)
            boxes = np.stack([lows, lows + [f[part].shape[::-1] for part in parts]], axis=1)
            hi = boxes[:, 1].max(axis=0)
            levels.append(Patch(path, parts[0], axes, axes, tuple(origins.min(axis=0).tolist()), tuple(spacing.tolist()), (0,) * len(axes), tuple(hi.tolist()), boxes, places,
                                parts=tuple(parts) if len(parts) > 1 else ()))
    return levels
