"""Grid functions of a World: as wholes, in expressions that become one kernel, and as arrays that lie where Cereus has them."""
from __future__ import annotations

import contextlib
import ctypes
import math
import numbers
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .needs import Error

if TYPE_CHECKING:
    from .world import World

# Functions of NumPy, and erf of SciPy, in the words of thorn Expressions.
_WORDS = {"add": "({} + {})", "subtract": "({} - {})", "multiply": "({} * {})", "divide": "({} / {})", "true_divide": "({} / {})",
          "power": "({} ^ {})", "float_power": "({} ^ {})", "negative": "(-{})", "positive": "{}", "square": "({} ^ 2)", "absolute": "abs({})",
          "fabs": "abs({})", "less": "({} < {})", "less_equal": "({} <= {})", "greater": "({} > {})", "greater_equal": "({} >= {})",
          "arcsin": "asin({})", "arccos": "acos({})", "arctan": "atan({})", "arctan2": "atan2({}, {})", "minimum": "min({}, {})",
          "maximum": "max({}, {})", **{f: f + "({})" for f in "sqrt exp log log10 sin cos tan sinh cosh tanh erf floor ceil".split()}}

_REDUCTIONS = {"sum": "sum", "mean": "mean", "min": "min", "max": "max", "amin": "min", "amax": "max"}  # of NumPy, and our names


class Expression(np.lib.mixins.NDArrayOperatorsMixin):
    """Arithmetic of grid functions, coordinates and numbers, as text: nothing is computed until it is assigned, `u[:] = 2*v + w`."""

    def __init__(self, world: World, text: str, near: bool = False):
        self.world, self.text = world, text
        self.near = near  # whether neighbours stand in it

    def at(self, *offset: int) -> Expression:
        """The same so many points further along x, y and z: u.at(1) - u.at(-1), u.at(0, 1); up to 16."""
        if not 0 < len(offset) <= 3 or not all(isinstance(n, numbers.Integral) and abs(n) <= 16 for n in offset):
            raise Error("at(i, j, k) takes whole numbers of points along x, y and z, from -16 to 16")
        text = self.text
        for axis, n in zip("xyz", offset):
            text = f"({'next' if n > 0 else 'last'}{abs(n)}_{axis} ({text}))" if n else text
        return Expression(self.world, text, True)

    def D(self, axes: str) -> Expression:  # noqa: N802
        """A derivative by centred differences of the order of evolve(): u.D("x"), u.D("xy"); u.D("ii") is the Laplacian."""
        if axes != "ii" and not (0 < len(axes) <= 4 and set(axes) <= set("xyz")):
            raise Error(f"D(axes) takes up to four of x, y, z, such as D(\"xx\"), or \"ii\" for the Laplacian, not {axes!r}")
        return Expression(self.world, f"(D_{axes} ({self.text}))", True)

    def __array_ufunc__(self, function: np.ufunc, method: str, *inputs: Any, out: Any = None, **kinds: Any) -> Any:
        if method != "__call__" or kinds or function.__name__ not in _WORDS:
            raise Error(f"an expression of grid functions has no {function.__name__}; there are: {', '.join(sorted(_WORDS))} and where")
        made = self._made(_WORDS[function.__name__], inputs)
        if out is None:
            return made
        out[0][:] = made  # u += v
        return out[0]

    def __array_function__(self, function: Any, types: Any, inputs: Any, kinds: Any) -> Any:
        if function is np.where and not kinds and len(inputs) == 3:
            return self._made("({} ? {} : {})", inputs)
        if function.__name__ in _REDUCTIONS and len(inputs) == 1 and not kinds:
            return getattr(self, _REDUCTIONS[function.__name__])()
        raise Error(f"numpy.{function.__name__} takes arrays: u.gather() is one, of all points on process 0; of whole grid functions there are "
                    f"{', '.join(sorted(_REDUCTIONS))} and where")

    # Values over all points, the same bits on any number of processes. All processes ask, in the same order.

    def max(self) -> float:
        """Over all points."""
        return self._norms()[1]

    def min(self) -> float:
        """Over all points."""
        return self._norms()[0]

    def sum(self) -> float:
        """Of the values at all points, as of an array; vertices on an outer face count half. For ∫ u dV take integral()."""
        if (found := self._norms()[2]) is None:
            raise Error("a sum over points of stretched axes, or of several levels, means nothing; integral() is ∫ u dV")
        return found

    def mean(self) -> float:
        """The integral over the volume."""
        return self._norms()[4]

    def integral(self) -> float:
        """∫ u dV over the domain, by the trapezoid rule at vertices and the midpoint rule in cells."""
        return self._norms()[5]

    def norm2(self) -> float:
        """The root of the mean square."""
        return self._norms()[3]

    def _norms(self) -> tuple[float, ...]:
        return self.world._evaluated(self)._norms()

    def __bool__(self) -> bool:
        raise Error("a grid function is not true or false: ask for u.min() > 0 or u.max() > 0, or choose point by point, np.where(u > 0, a, b)")

    def __float__(self) -> float:
        raise Error("a grid function is no single number: np.sin(u) in place of math.sin(u), and u.max(), u.mean(), u.integral() of all points")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise Error("an expression has no values before it is assigned, u[:] = …; sum(), mean(), integral(), min() and max() compute them")

    def __getitem__(self, where: Any) -> Any:
        raise Error("a grid function has no single points here: u.gather()[k, j, i] on process 0, or u.local()[…] for those of this process")

    def __iter__(self) -> Any:
        raise Error("a grid function is no sequence; u.gather() is an array of all points, on process 0")

    def _made(self, words: str, inputs: Any) -> Expression:
        return Expression(self.world, words.format(*(self._text_of(x) for x in inputs)), any(getattr(x, "near", False) for x in inputs))

    def _text_of(self, x: Any) -> str:
        if isinstance(x, Expression):
            if x.world is not self.world:
                raise Error("an expression has grid functions of one World")
            return x.text
        if isinstance(x, np.ndarray) and x.ndim > 0 or not isinstance(x, (numbers.Real, np.ndarray)):
            raise Error(f"an expression has grid functions, coordinates and numbers, not {type(x).__name__}; assign an array by itself: u[:] = array")
        if not math.isfinite(x):
            raise Error("an expression has no number that is not finite")
        return f"({float(x)!r})" if x < 0 else repr(float(x))

    __array_priority__ = 1000

    def __repr__(self) -> str:
        return f"<{self.text}>"


class Variable(Expression):
    """A grid function over all processes. All that is asked of it is asked by all of them, in the same order."""

    def __init__(self, world: World, name: str):
        super().__init__(world, name)
        self.name = name

    @property
    def shape(self) -> tuple[int, ...]:
        """Of all processes together, slowest axis first."""
        return tuple(self.world._core().shape(self.name))

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's name of the type of its values."""
        word = self.world._core().type(self.name)
        return np.dtype({"float": "f4", "double": "f8", "complex<float>": "c8", "complex<double>": "c16", "int32": "i4"}[word])

    def local(self, block: int | None = None, device: bool = False) -> Local:
        """The points that this process owns, u[z, y, x], without a copy: to read, until the next run or assignment.

        With several blocks a process `block` says which, in the order of blocks(). `device`: where they lie on the GPU, for what takes DLPack or
        `__cuda_array_interface__`; otherwise on the host, to which they are brought if they are newer on the device.
        """
        return Local(self.world, self._piece(block, device, False))

    def blocks(self, device: bool = False) -> list[Local]:
        """The blocks that this process owns, of all levels, as local(): each has its `level`, from 0, and its `spacing`. Where blocks change,
        others are there after a run."""
        return [Local(self.world, piece) for piece in self.world._core().pieces(self.name, device, False)]

    def writing(self, block: int | None = None, device: bool = False) -> Writing:
        """`with u.writing() as b: b[...] *= 2`: the points of this process, to change. Afterwards all know that they have changed. All processes
        enter it, each with its own points. On several levels `b` is a list of arrays, in the order of blocks().

        `device`: where they lie on the GPU, `with u.writing(device=True) as b: cupy.asarray(b)[...] *= 2`; at the end the GPU is waited for.
        """
        return Writing(self._writing(block, device))

    @contextlib.contextmanager
    def _writing(self, block: int | None, device: bool) -> Iterator[Any]:
        core, several = self.world._core(), len(self.world.blocks) > 1
        if several and block is not None:
            raise Error(f"writing(block={block}) on several levels: other processes have other blocks; writing() gives a list of all of this process")
        pieces = core.pieces(self.name, device, True) if several else [self._piece(block, device, True)]
        arrays = [Local(self.world, piece) if piece.on_device else np.asarray(_Memory(piece)) for piece in pieces]
        on_device = device and any(piece.on_device for piece in pieces)
        try:
            yield arrays if several else arrays[0]
        finally:
            for array in arrays:
                if not on_device:
                    array.flags.writeable = False
            self.world._stale()
            core.wrote(self.name, on_device)
            self.world._by_hand(f"{self.name} was written to")
            if on_device:
                _wait_for_device()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        if self.world.processes > 1:
            raise Error(f"np.asarray({self.name}) would be of all processes: u.gather() is, on process 0, and u.local() of the points of this one")
        array = self.gather()
        assert array is not None
        return array if dtype is None else array.astype(dtype, copy=False)

    def __repr__(self) -> str:
        """Name, points and centring; on one process, where the run has begun, the range, too."""
        try:
            if self.world.processes > 1 or not self.world._assembled():
                return f"<{self.name}>"
            low, high = self._norms()[:2]
            levels = self.world.blocks
            points = " × ".join(map(str, self.shape[::-1])) if len(levels) == 1 else f"{sum(levels)} blocks of {len(levels)} levels in"
        except Error:
            return f"<{self.name}>"
        return f"<{self.name}: {points} {self.centring}, from {low:.6g} to {high:.6g}>"

    @property
    def centring(self) -> str:
        """"vertices", "cells", or "faces" of an axis."""
        return str(self.world._core().centring(self.name))

    def plot(self, **how: Any) -> Any:
        """A matplotlib Figure of the field as it is now, on process 0; None on others. `how`: slice, through, log, range and palette of `plot`."""
        from . import folder, plots
        world, place, figure = self.world, "", None
        with world._first():
            place = tempfile.mkdtemp(prefix="cereus-") if world.rank == 0 else ""
        place = world._first_text(place)
        try:
            world.output(self, f"{place}/field_{0:08}.hdf")
            with world._first():
                figure = plots.plot(folder.Run(Path(place)), self.name, **how) if world.rank == 0 else None
        finally:
            if world.rank == 0:
                shutil.rmtree(place, ignore_errors=True)
        return figure

    def gather(self) -> np.ndarray | None:
        """All points, u[z, y, x], as an array on process 0; None on others."""
        core = self.world._core()
        array = np.empty(self.shape, self.dtype) if core.rank == 0 else None
        core.out(self.name, 0 if array is None else array.ctypes.data)
        return array

    def __setitem__(self, where: Any, value: Any) -> None:
        if where is not Ellipsis and where != slice(None):
            raise Error("a grid function is assigned as a whole, u[:] = …; `with u.writing() as b` gives the points of this process")
        if isinstance(value, np.ndarray) and value.ndim > 0 or value is None:
            self._scatter(value)
        else:
            self.world._assign(self.name, self._text_of(value), getattr(value, "near", False))

    def _scatter(self, value: np.ndarray | None) -> None:
        core, shape = self.world._core(), self.shape
        with self.world._first():
            array = np.ascontiguousarray(value, self.dtype) if core.rank == 0 else None
            if array is not None and array.shape != shape:
                raise Error(f"{self.name} has {shape} points, and the array {array.shape}")
        self.world._stale()
        core.into(self.name, 0 if array is None else array.ctypes.data)
        self.world._by_hand(f"an array was assigned to {self.name}")

    def _norms(self) -> tuple[float, ...]:
        return self.world._core().norms(self.name)

    def _piece(self, block: int | None, device: bool, writable: bool) -> Any:
        pieces = self.world._core().pieces(self.name, device, writable)
        if block is None and len(pieces) > 1:
            raise Error(f"this process has {len(pieces)} blocks; say which: local(block=0), or read all: u.blocks()")
        if not 0 <= (block or 0) < len(pieces):
            raise Error(f"this process has {len(pieces)} block{'s' * (len(pieces) != 1)}, and no number {block}")
        return pieces[block or 0]


def _wait_for_device() -> None:
    """For what others have started there, on any stream."""
    with contextlib.suppress(OSError):  # no driver: it is a mirror
        code = ctypes.CDLL("libcuda.so.1").cuCtxSynchronize()
        if code not in (0, 3, 201):  # without a context of CUDA in this process it is a mirror, too
            raise Error(f"waiting for the device: error {code} of CUDA")


class Writing:
    """What writing() returns: it gives its arrays within `with`."""

    def __init__(self, arrays: contextlib.AbstractContextManager[Any]):
        self._arrays = arrays

    def __enter__(self) -> Any:
        return self._arrays.__enter__()

    def __exit__(self, *how: Any) -> bool | None:
        return self._arrays.__exit__(*how)

    def __getitem__(self, where: Any) -> Any:
        raise Error("writing() gives an array within `with`: with u.writing() as b: b[...] = …")

    def __setitem__(self, where: Any, value: Any) -> None:
        self[where]


class _Memory:
    """Memory as arrays take it; it lives as long as they do."""

    def __init__(self, piece: Any):
        setattr(self, "__cuda_array_interface__" if piece.on_device else "__array_interface__", piece.interface)
        self._piece = piece


class Local(np.lib.mixins.NDArrayOperatorsMixin):
    """A block of a grid function, as an array to read: np.asarray(local), local[…], local + 1. After the next run or assignment it
    raises, so that nobody reads what has changed meanwhile; arrays made of it before stay, with whatever their memory holds then."""

    def __init__(self, world: World, piece: Any):
        self._world, self._piece, self._stamp = world, piece, world._stamp
        self.shape: tuple[int, ...] = tuple(piece.shape)
        self.offset: tuple[int, ...] = tuple(piece.offset)  # global index of the first point
        self.spacing: tuple[float, ...] = tuple(piece.spacing)
        self.level: int = piece.level
        self.on_device: bool = piece.on_device
        if self.on_device:
            self.__class__ = _OnDevice

    def coordinates(self, axis: str) -> np.ndarray:
        """Of the points along x, y or z."""
        a = len(self.shape) - 1 - "xyz".index(axis)
        return self._piece.first[a] + self.spacing[a] * np.arange(self.shape[a])

    def _now(self) -> Any:
        if self._stamp != self._world._stamp:
            raise Error("this view is older than the last run or assignment; ask for another, u.local()")
        return self._piece

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = np.asarray(_Memory(self._now()))
        return array if dtype is None else array.astype(dtype, copy=False)

    def __dlpack__(self, stream: Any = None, **_: Any) -> Any:
        """For from_dlpack of NumPy, CuPy, PyTorch, …: nothing runs any more when this was made, so that any stream may read. DLPack cannot say
        that an array is to read only."""
        return self._now().dlpack(self.__dlpack_device__()[1])

    def __dlpack_device__(self) -> tuple[int, int]:
        if not self.on_device:
            return 1, 0  # kDLCPU
        number, of_pointer = ctypes.c_int(), 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
        address = ctypes.c_uint64(self._now().interface["data"][0])
        if code := ctypes.CDLL("libcuda.so.1").cuPointerGetAttribute(ctypes.byref(number), of_pointer, address):
            raise Error(f"CUDA does not know where this lies: error {code}")
        return 2, number.value  # kDLCUDA, and which of those that this process sees

    def __array_ufunc__(self, function: np.ufunc, method: str, *inputs: Any, **kinds: Any) -> Any:
        return getattr(function, method)(*(np.asarray(x) if isinstance(x, Local) else x for x in inputs), **kinds)

    def __getitem__(self, where: Any) -> Any:
        return np.asarray(self)[where]

    def __setitem__(self, where: Any, value: Any) -> None:
        raise Error("these points are to read; `with u.writing() as b` gives them to change")

    def __len__(self) -> int:
        return self.shape[0]

    def __getattr__(self, name: str) -> Any:  # max(), mean(), T, …
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(np.asarray(self), name)


class _OnDevice(Local):
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self._now().interface

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise Error("this lies on a device: hand it to CuPy, cupy.asarray(local), or ask for u.local()")
