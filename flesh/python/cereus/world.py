"""A run that is written down in Python instead of in a parameter file."""
from __future__ import annotations

import atexit
import contextlib
import fcntl
import importlib.util
import itertools
import json
import math
import numbers
import os
import re
import shutil
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .jobs import as_json, executable
from .needs import Error, Failure, package
from .neighbours import Neighbours
from .variables import Expression, Variable

_USUAL = ["UniGrid", "Accelerator", "AcceleratorCUDA?", "Time", "Boundary", "MoL", "Reduce", "CaKernel", "Expressions"]
_FOREST, _REFINE = "levels block boxes every most_blocks points".split(), "variables measure refine_above coarsen_below buffer".split()
_SCRATCH = "valueOfExpression"  # a field that expressions are computed into
_BY_STEPS = "Expressions", "initial"  # the thorn and its parameter that assign formulas
_open: dict[int, Any] = {}  # what is not closed, by the number of its World
_numbers = itertools.count()


def _build(tree: Path) -> None:
    """Builds what World needs in a build tree, where nobody has; one process does, others on this host wait for it."""
    cache = (tree / "CMakeCache.txt").read_text()
    cmake = re.search("^CMAKE_COMMAND:INTERNAL=(.*)$", cache, re.M)
    if not cmake or not re.search("^pybind11_DIR:PATH=/", cache, re.M):
        return
    print("cereus: building what World needs …", file=sys.stderr, flush=True)
    with open(tree / ".lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run([cmake[1], "--build", str(tree), "--target", "world_module"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Error(f"what World needs cannot be built: {done.stdout[-1500:]}")


def _module() -> Any:
    """The simulation itself, which is beside Cereus's libraries: the package is Python alone."""
    if "cereus._world" in sys.modules:
        return sys.modules["cereus._world"]
    tree = Path(executable()).resolve().parents[1]
    folder = tree / "lib" / "cereus" / "python"
    names = [folder / f"_world{suffix}" for suffix in importlib.machinery.EXTENSION_SUFFIXES]
    if not any(name.is_file() for name in names) and (tree / "CMakeCache.txt").is_file():
        _build(tree)
    found = [name for name in names if name.is_file()]
    if not found:
        raise Error(f"World needs {folder}/_world.so for Python {sys.version_info[0]}.{sys.version_info[1]}, which is built where pybind11 and DLPack are: "
                    "apt-get install python3-dev pybind11-dev libdlpack-dev, and build Cereus again")
    os.environ.setdefault("GOMP_SPINCOUNT", "10000")  # threads that wait sleep soon: read when OpenMP is loaded
    spec = importlib.util.spec_from_file_location("cereus._world", found[0])
    assert spec and spec.loader
    flags = sys.getdlopenflags()
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)  # thorns that a run compiles look for the library among all that is loaded
    try:
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.setdlopenflags(flags)
    sys.modules["cereus._world"] = module
    atexit.register(_end)
    return module


def _end() -> None:
    """Closes what is left, on all processes in the order in which Worlds were made."""
    try:
        for number in sorted(_open):
            _open.pop(number).close()
    except Error as error:
        print(error, file=sys.stderr, flush=True)
        sys.modules["cereus._world"].abort(3 if isinstance(error, Failure) else 1)
    sys.modules["cereus._world"].finish()


def _yaml(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, default=as_json)
    except (ValueError, TypeError):
        raise Error(f"{value!r} is no value of a parameter") from None


def _caller() -> str:
    """The line of the program that called this package."""
    frame = sys._getframe(1)
    while frame.f_back and os.path.dirname(frame.f_code.co_filename) == os.path.dirname(__file__):
        frame = frame.f_back
    return f"{os.path.basename(frame.f_code.co_filename)}:{frame.f_lineno}"


class World:
    """A run in this process, or in all that mpirun started; each makes the same calls in the same order.

    `cells`, `lower`, `upper`, `periodic`: one value for all axes, or one an axis, x first; as many as `cells` has are the dimensions. `name`:
    of the run, by default that of the script. `centring`: where its fields lie, at "vertices" or in "cells", as those of Hydro and Elliptic do.
    `refine`: finer blocks, in boxes that stay, {"levels": 2, "block": 16, "boxes": [(1, -0.5, 0.5, -0.5, 0.5)]} (a level, and the ends along
    each axis), or where fields ask for them, {"levels": 4, "block": 16, "every": 4, "variables": ["u"], "refine_above": 0.1, "coarsen_below":
    0.03}: the parameters of thorns Forest and Refine. `output`: the folder for what thorns write, NAME-output if nothing is said; `fresh`
    moves an earlier run there aside. `verbose`: says what `cereus run` says. `comm`: the processes that share it, a communicator of mpi4py; by default all. Worlds of other processes at the same
    time have names or folders of their own.

    What is said is gathered; the run begins when somebody asks for a value or a step. What is said later is added then, and what
    fields hold stays. Raises Mistake and Failure, both Error, with the text of the command.
    """

    def __init__(self, cells: Any = None, lower: Any = -1, upper: Any = 1, periodic: Any = True, *, name: str | None = None, real: str = "double",
                 centring: str = "vertices", refine: dict[str, Any] | None = None, output: str | None = None, fresh: bool = False,
                 verbose: bool = False, comm: Any = None):
        self._c: Any = None
        self._number = next(_numbers)
        self._stamp = 0  # of views: counts what makes them old
        self._changed, self._begun = True, False
        self._thorns: dict[str, str] = {}  # by name, with the line that said so; as all below
        self._blocks: dict[str, dict[str, tuple[Any, str]]] = {}
        self._fields: dict[str, tuple[str, str]] = {}
        self._limits_of: dict[str, dict[str, str]] = {}  # of the time step: speed and diffusivity of fields
        self._equations: dict[str, tuple[str, str]] = {}
        self._texts: list[tuple[str, str]] = []
        self._stencils: dict[str, tuple[str, str]] = {}
        if centring not in ("vertices", "cells"):
            raise Error(f'centring is "vertices" or "cells", not {centring!r}')
        self._centring = " in cells" if centring == "cells" else ""
        self._near = Neighbours(self._centring)
        self._order = 4
        self._initial: list[tuple[str, str]] = []
        self._late: list[tuple[str, str]] = []  # fields and their formulas, of which initial data know nothing
        self._looked: list[str] = []
        self._hand: dict[str, list[int]] = {}  # what no parameter file says: how often, at which iteration first and last
        self._stepping = False
        self._limits = {"iterations": 0, "final_time": -1.0}
        self._checked = 0  # iteration at which evolved fields were looked at
        script = re.sub(r"\W", "_", Path(sys.argv[0]).stem) if sys.argv and sys.argv[0] else ""
        self.name = name or script or "world"
        self._set("Cereus", {"real": real, **({"output": output} if output else {})})
        self._usual = _USUAL
        if refine is not None:
            if cells is None or not isinstance(refine, dict):
                raise Error('refine= is a dictionary, beside cells: World([64, 64], refine={"levels": 2, "boxes": [(1, -0.5, 0.5, -0.5, 0.5)]})')
            self._usual = ["Forest", *_USUAL[1:], *(["Refine"] if "every" in refine else [])]
            self._refine(refine)
        self._lacks = "" if cells is None else "xyz"[len(np.atleast_1d(cells)):]  # axes
        if cells is not None:
            self._set(self._usual[0], {"cells": np.atleast_1d(cells).tolist(), "lower": lower, "upper": upper, "periodic": periodic})
        module = _module()
        self._c = module.World(self.name, fresh, verbose, None if comm is None else comm.py2f())
        _open[self._number] = self._c
        if self.processes > 1 and sys.excepthook is sys.__excepthook__:
            sys.excepthook = _fail_together

    # What there is.

    def field(self, name: str, initial: str | float = 0, speed: str | float | None = None, diffusivity: str | float | None = None) -> Variable:
        """A grid function, with a formula of x, y, z and fields before it, in the language of equations: "exp(-x^2)". `speed` of its fastest
        signals, `diffusivity` of what spreads: steps are as long as these allow, where no `dt` is given. The formula of a field that comes
        once a value has been asked for is one of thorn Expressions, where a product has its `*`."""
        if not isinstance(initial, (str, numbers.Real)):
            raise Error(f"initial of a field is a formula, \"exp(-x^2)\", or a number, not {type(initial).__name__}; arrays are assigned: {name}[:] = array")
        formula = str(initial).replace("\n", " ")
        for axis in self._lacks:
            if re.search(rf"(?<![\w.]){axis}\b", formula):
                warnings.warn(f"initial of {name}: '{formula}': the World has no axis {axis}, and {axis} is 0", stacklevel=2)
        limits = {word: str(value) for word, value in (("speed", speed), ("diffusivity", diffusivity)) if value is not None}
        if before := self._fields.get(name):
            if before[0] != formula:
                raise Error(f"there is a field '{name}' already, with initial='{before[0]}' ({before[1]}): it is w[\"{name}\"], and is set by {name}[:] = …")
            for word, value in limits.items():
                if value != (kept := self._limits_of[name].get(word)):
                    raise Error(f"there is a field '{name}' already, with {word}={kept} ({before[1]}): it keeps that; `dt` of evolve() sets the step")
            return Variable(self, f"World::{name}")
        self._fields[name] = (formula, _caller())
        self._changed = True
        self._limits_of[name] = limits
        if self._begun:  # initial data were before
            known = "|".join(map(re.escape, self._fields))
            self._late.append((f"World::{name}", re.sub(rf"(?<![\w:])({known})\b", r"World::\1", self._fields[name][0])))
        return Variable(self, f"World::{name}")

    def evolve(self, equations: str, order: int | None = None, method: str | None = None, dt: float | None = None) -> None:
        """Equations of fields, "D_t u = 0.1 D_ii u", one a line; or the text of a whole thorn. `order` of the differences (4), `method` of MoL,
        `dt` where no field has a `speed` or a `diffusivity`."""
        where = _caller()
        if re.match(r"\s*thorn\s", equations):
            self._texts.append((equations, where))
        else:
            lines = [line.strip() for line in equations.splitlines() if line.strip()]
            for n, line in enumerate(lines):
                if left := re.match(r"(?:every\s+)?D_t\s*([A-Za-z]\w*)", line):
                    last = left[0]
                    before = self._equations.get(last)
                    if before and before[1] != where:
                        warnings.warn(f"{where}: '{line}' takes the place of '{before[0]}' of {before[1]}", stacklevel=2)
                    self._equations[last] = (line, where)
                elif n == 0:
                    raise Error(f"{where}: '{line}' is no equation: D_t u = …")
                else:
                    self._equations[last] = (self._equations[last][0] + " " + line, where)
        self._order = order or self._order
        for thorn, values in (("MoL", {"method": method}), ("Time", {"dt": dt})):
            self._set(thorn, {key: value for key, value in values.items() if value is not None})
        self._changed = True

    def stencil(self, text: str, name: str = "Program", **parameters: Any) -> None:
        """A stencil program, with values of its parameters; it says what the grid is, unless the World does. Its fields are w["Program::A"]."""
        self._stencils[name] = (text, _caller())
        self._set(name, parameters)
        self._changed = True

    def thorn(self, name: str, **parameters: Any) -> None:
        """Activates a thorn, and sets parameters: w.thorn("WaveToy", order=8). Cereus stands for the flesh."""
        if name == "Forest" and parameters.get("subcycle"):
            raise Error(f"{_caller()}: a World has each place once, and Forest.subcycle keeps covered blocks; take cereus.run")
        if name == "Forest" and parameters.get("shell_radius"):
            raise Error(f"{_caller()}: a World knows no shells around its cube; take cereus.run")
        if name != "Cereus" and name not in self._usual:
            self._thorns.setdefault(name, _caller())
        self._set(name, parameters)

    def __getitem__(self, name: str) -> Variable:
        """A grid function of any thorn, w["WaveToy::u"], or of this World, w["u"]."""
        full = name if "::" in name else f"World::{name}"
        if full not in self._looked and not (full.startswith("World::") and full[7:] in self._fields):
            self._looked.append(full)
            self._changed = True
        return Variable(self, full)

    def __setitem__(self, name: str, value: Any) -> None:
        """w["u"] = 2 * v, as a whole; w["u"] += 1."""
        variable = self[name]
        if not (isinstance(value, Variable) and value.name == variable.name):
            variable[:] = value

    x, y, z, t = (property(lambda self, name=name: Expression(self, name), doc=f"{name}, in expressions") for name in "xyzt")

    def noise(self, seed: int) -> Expression:
        """In expressions, a number from 0 up to 1 that differs from point to point, and with the seed, a whole number."""
        return Expression(self, f"noise({seed})")

    # The run.

    def run(self, until: float | None = None, iterations: int | None = None, every: tuple[float, Callable[[], Any]] | None = None,
            progress: bool = False) -> None:
        """Steps, until a time or for a number of iterations, whichever ends first.

        `every=(0.1, f)` calls f() at multiples of this time, on which steps land; `every=(10, f)`, with a whole number, at multiples of
        so many iterations. `progress` shows a bar, with tqdm. Ctrl-C ends it after a step, as KeyboardInterrupt; the World can go on.
        """
        if until is None and iterations is None:
            raise Error("run() ends with until=TIME or iterations=NUMBER")
        if iterations is not None and iterations < 0:
            raise Error("run() needs a number of iterations that is not negative")
        if every is not None and not (isinstance(every, (tuple, list)) and len(every) == 2 and callable(every[1])):
            raise Error(f"run(every=(INTERVAL, f)) needs an interval and a function to call, such as every=(0.1, show), not {every!r}")
        if self._stepping:
            raise Error("run() within the function that `every` calls: the steps are those of the run around it")
        interval, call = every or (None, None)
        if interval is not None and not interval > 0:
            raise Error("run(every=(INTERVAL, f)) needs an interval above 0")
        if isinstance(interval, float):
            known = self._blocks.get("Time", {}).get("land_on", ([], ""))[0]
            if interval not in known:
                self._set("Time", {"land_on": [*known, interval]})
        core = self._core()
        if until is not None and until < core.time - 1e-9 * max(core.dt, abs(until)):
            raise Error(f"run(until={until!r}): the World has passed that, it is at t = {core.time!r}")
        last = core.iteration + iterations if iterations is not None else -1
        end = until if until is not None else -1.0
        self._note_limits(last, end)
        bar = _Bar(self, last, end) if progress and self.rank == 0 else None
        self._stepping = True
        try:
            self._pieces(last, end, interval, call)
        finally:
            self._stepping = False
            if bar:
                bar.close()

    def _pieces(self, last: int, end: float, interval: float | None, call: Any) -> None:
        core = self._core()

        def over() -> bool:
            return 0 <= last <= core.iteration or 0 <= end <= core.time + 1e-9 * core.dt

        while not over():
            pause, at = last, end
            if isinstance(interval, float):
                next_time = (math.floor((core.time + 1e-9 * core.dt) / interval) + 1) * interval
                if next_time - core.time <= 1e-9 * core.dt:
                    next_time += interval
                at = next_time if end < 0 else min(end, next_time)
            elif interval is not None:
                next_step = (core.iteration // interval + 1) * interval
                pause = next_step if last < 0 else min(last, next_step)
            before = core.iteration
            self._stale()
            ended = core.steps(pause, at)
            if ended == "interrupted":
                raise KeyboardInterrupt
            if ended == "stopped" or core.iteration == before:
                break
            if call and (core.iteration % interval == 0 if not isinstance(interval, float)
                         else abs(core.time - round(core.time / interval) * interval) <= 1e-9 * core.dt):
                call()
        if over() and core.iteration == 0:
            core.steps(0, -1.0)  # looks at initial data
        if core.iteration - self._checked >= 10:  # a look is one pass over what is evolved
            self._checked = core.iteration
            for name in (f"World::{f}" for f in self._evolved() if f in self._fields):
                if not math.isfinite(core.norms(name)[3]) and self.rank == 0:
                    warnings.warn(f"{name} is not finite at iteration {core.iteration}, t = {core.time:.6g}: it blew up; try shorter steps, dt=…", stacklevel=3)

    def save(self, path: str | os.PathLike[str]) -> None:
        """The parameter file of this run: `cereus run` does the same. What was done by hand is no part of it, of which it warns."""
        for note in self._notes() if self.rank == 0 else ():
            warnings.warn(f"{path} does not say that {note}", stacklevel=2)
        lines = [f"# not in this file: {note}" for note in self._notes()] + [line for line, _ in self._lines()]
        with self._first():
            if self.rank == 0:
                Path(path).write_text("\n".join(lines) + "\n")

    def output(self, variables: str | Variable | list[str | Variable], path: str | os.PathLike[str]) -> None:
        """Writes grid functions as they are now into a file of thorn IOHDF5, .hdf or .h5."""
        target = Path(path)
        suffix = target.suffix[1:]
        if suffix not in ("hdf", "h5"):
            raise Error(f"{path}: World.output writes .hdf and .h5; for others, activate their thorn: w.thorn(\"IOImage\", every=10)")
        chosen = variables if isinstance(variables, list) else [variables]
        names = [v.name if isinstance(v, Variable) else self[v].name for v in chosen]
        core = self._core()
        folder = target.parent / f".{target.name}.writing"
        with self._first():
            if core.rank == 0:
                folder.mkdir(parents=True, exist_ok=True)
        core.now("IOHDF5", _yaml({"variables": names, "every": 1, "suffix": suffix}), str(folder))
        with self._first():
            if core.rank == 0:
                (made,) = folder.glob(f"*.{suffix}")
                made.replace(target)
                shutil.rmtree(folder)

    def close(self) -> None:
        """Ends the run: its last checkpoint, if there are any. The end of the program does so, too."""
        if self._c is not None:
            self._stale()
            self._c = None
            if core := _open.pop(self._number, None):
                core.close()

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @property
    def time(self) -> float:
        """t, after the last step."""
        return self._core().time

    @property
    def iteration(self) -> int:
        """How many steps were taken."""
        return self._core().iteration

    @property
    def blocks(self) -> list[int]:
        """How many blocks each level has, of all processes together."""
        return self._core().blocks()

    @property
    def rank(self) -> int:
        """The number of this process, from 0."""
        return self._open().rank

    @property
    def processes(self) -> int:
        """How many there are."""
        return self._open().processes

    # How it is done: the text of a parameter file is made, and handed over.

    def _set(self, thorn: str, parameters: dict[str, Any]) -> None:
        where = _caller()
        for key, value in parameters.items():
            _yaml(value)
            self._blocks.setdefault(thorn, {})[key] = (value, where)
            self._changed = True

    def _refine(self, how: dict[str, Any]) -> None:
        known = _FOREST + _REFINE
        if unknown := sorted(set(how) - set(known)):
            raise Error(f"refine has no {', '.join(map(repr, unknown))}; there are {', '.join(known)}")
        if given := sorted(set(how) & set(_REFINE)) if "every" not in how else []:
            raise Error(f"refine: {', '.join(given)} say where blocks change, and nothing says how often; add \"every\": 4")
        how = dict(how)
        if "boxes" in how:
            how["boxes"] = [_box(box) for box in ([how["boxes"]] if isinstance(how["boxes"], str) else how["boxes"])]
        if "variables" in how:
            names = [how["variables"]] if isinstance(how["variables"], (str, Variable)) else how["variables"]
            names = [v.name if isinstance(v, Variable) else v for v in names]
            how["variables"] = [v if "::" in v or v.startswith("@") else f"World::{v}" for v in names]
        self._set("Forest", {key: how[key] for key in _FOREST if key in how})
        self._set("Refine", {key: how[key] for key in _REFINE if key in how})

    def _open(self) -> Any:
        if self._c is None:
            raise Error("this World is closed")
        return self._c

    def _core(self) -> Any:
        """The simulation, with all that was said."""
        core = self._open()
        if self._changed:
            lines = list(self._lines(assembling=True))
            self._stale()
            try:
                late = ["World", *self._stencils] + [t.split()[1] for t, _ in [*self._texts, *self._near.texts()]]
                core.describe("\n".join(line for line, _ in lines) + "\n", [*self._usual, "AcceleratorCUDA", *late], self._looked)
                core.ready()
            except Error as error:
                raise type(error)(self._placed(str(error), [place for _, place in lines])) from None
            self._changed, self._begun = False, True
            while self._late:
                name, formula = self._late.pop(0)
                core.now("Expressions", _yaml({"initial": [f"{name} = {formula}"]}), "")
                if core.iteration > 0 and name != f"World::{_SCRATCH}":
                    self._by_hand(f"{name} began")
        return core

    def _assembled(self) -> bool:
        return self._c is not None and self._begun and not self._changed

    def _first_text(self, text: str) -> str:
        """That of process 0, on all."""
        return str(self._open().from_first(text))

    @contextlib.contextmanager
    def _first(self) -> Iterator[None]:
        """What process 0 does for all: its mistake is raised by all, none of which waits for the others then."""
        said = ""
        try:
            yield
        except (Error, OSError, ValueError, TypeError) as error:
            said = str(error)
        if said := self._open().from_first(said):
            raise Error(said)

    def _placed(self, message: str, places: list[str]) -> str:
        """Before each place in the text that was made stands the line of the program that said so."""
        def line(found: re.Match[str]) -> str:
            n = int(found[1]) - 1
            return (f"{places[n]}: " if 0 <= n < len(places) and places[n] else "") + found[0]
        return re.sub(rf"^{re.escape(self.name)}\.yaml:(\d+)", line, message, flags=re.M)

    def _lines(self, assembling: bool = False) -> Iterator[tuple[str, str]]:
        yield f"thorns: {_yaml([*self._usual, *self._thorns])}", next(iter(self._thorns.values()), "")
        blocks = {thorn: dict(block) for thorn, block in self._blocks.items()}
        limits = {"iterations": 0} if assembling else {k: v for k, v in self._limits.items() if v >= 0}
        blocks["Cereus"] |= {key: (value, "") for key, value in limits.items()}
        if self._initial:
            given = blocks.get("Expressions", {}).get("initial", ([], ""))[0]
            blocks.setdefault("Expressions", {})["initial"] = ([*given, *(text for text, _ in self._initial)], self._initial[0][1])
        for thorn, block in blocks.items():
            if thorn != "Cereus" and not block:
                continue
            yield f"{thorn}:", ""
            for key, (value, place) in block.items():
                yield f"  {key}: {_yaml(value)}", place
        texts = [*self._texts, *(self._near.texts() if assembling else ())]
        if texts or self._equations or any(assembling or name != _SCRATCH for name in self._fields):
            yield "equations:", ""
            if self._equations or any(assembling or name != _SCRATCH for name in self._fields):
                yield "  - |2", ""
                for line, place in self._own_thorn(assembling):
                    yield f"    {line}", place
            for text, place in texts:
                yield "  - |2", place
                for line in _dedented(text):
                    yield f"    {line}" if line else "", place
        if self._stencils:
            yield "stencils:", ""
            for name, (text, place) in self._stencils.items():
                yield f"  {name}: |2", place
                for line in _dedented(text):
                    yield f"    {line}" if line else "", place

    def _evolved(self) -> list[str]:
        """In the order in which they came: a set has another one on each process."""
        return list(dict.fromkeys(re.split(r"\s+|D_t", left)[-1] for left in self._equations))

    def _own_thorn(self, assembling: bool) -> Iterator[tuple[str, str]]:
        fields = {name: said for name, said in self._fields.items() if assembling or name != _SCRATCH}
        yield f'thorn World "Fields of a program in Python"{self._centring}', ""
        evolved = self._evolved()
        for section, doc, names in (("evolve state", "Those that have equations", [f for f in fields if f in evolved]),
                                    ("derive others", "Those that have none", [f for f in fields if f not in evolved])):
            if names:
                yield f'{section} "{doc}"', ""
                for name in names:
                    yield f"  {name}" + "".join(f" {word} {value}" for word, value in self._limits_of[name].items()), fields[name][1]
        if self._equations:
            yield f"operators centred({self._order})", ""
        if fields:
            yield "initial", ""
            for name, (formula, place) in fields.items():
                yield f"  {name} = {formula}", place
        if self._equations:
            yield "rhs", ""
            for text, place in self._equations.values():
                yield f"  {text}", place

    def _evaluated(self, made: Expression) -> Variable:
        """The values of an expression, in a field that no file has."""
        if _SCRATCH not in self._fields:
            self.field(_SCRATCH)
        variable = Variable(self, f"World::{_SCRATCH}")
        self._assign(variable.name, made.text, made.near, kept=False)
        return variable

    def _assign(self, name: str, formula: str, near: bool = False, kept: bool = True) -> None:
        """target = formula, by thorn Expressions: in its initial data as long as there was no step. `kept`: save() says so."""
        text = f"{name} = {formula}"
        if near:
            made = self._near.thorn_for(formula, self._order, _caller())
            if made.new:
                self._looked.append(made.variable)
                self._changed = True
            try:
                core = self._core()
            except Error:
                if made.new:  # so that the World goes on without it
                    self._near.forget(made)
                    self._looked.remove(made.variable)
                raise
            if kept:
                self._stale()
            core.steer(made.thorn, made.numbers)
            core.assign(name, made.variable, *_BY_STEPS)
            return self._by_hand(text) if kept else None
        if not self._begun and kept:
            self._initial.append((text, _caller()))
            self._changed = True
            return
        core = self._core()
        if kept:
            self._stale()
        core.assign(name, formula, *_BY_STEPS)
        if not kept:
            return
        if core.iteration == 0:
            self._initial.append((text, _caller()))
        else:
            self._by_hand(f"{text}")

    def _by_hand(self, what: str) -> None:
        times, first, _ = self._hand.get(what, (0, self._c.iteration, 0))
        self._hand[what] = [times + 1, first, self._c.iteration]

    def _notes(self) -> list[str]:
        return [f"{what}, at iteration {first}" if times == 1 else f"{what}, {times} times from iteration {first} to {last}"
                for what, (times, first, last) in self._hand.items()]

    def _note_limits(self, last: int, end: float) -> None:
        before = self._limits["final_time"]
        if 0 <= before != end and self._open().iteration > 0:
            self._by_hand(f"a step ended at t = {before!r}")
        self._limits = {"iterations": last, "final_time": end}

    def _stale(self) -> None:
        self._stamp += 1

    def __del__(self) -> None:
        if getattr(self, "_c", None) is None or self._number not in _open or sys.is_finalizing():
            return
        if self.processes == 1:
            return self.close()
        # Other processes may collect theirs at another time, or keep it: none of them waits for this one here.
        warnings.warn(f"the World '{self.name}' was not closed, and is kept until the program ends; on several processes, close it", ResourceWarning)


def _box(box: Any) -> str:
    """A level and the ends along each axis, as Forest takes them."""
    try:
        return box if isinstance(box, str) else " ".join([str(int(box[0])), *(repr(float(x)) for x in box[1:])])
    except (TypeError, ValueError, IndexError):
        raise Error(f"a box is a level and two ends along each axis, such as (1, -0.5, 0.5, -0.5, 0.5), in a list, not {box!r}") from None


def _dedented(text: str) -> list[str]:
    import textwrap
    return textwrap.dedent(text.strip("\n")).rstrip().splitlines()


def _fail_together(kind: Any, error: Any, trace: Any) -> None:
    """A script that ends on one process ends on all: others would wait for it. Where all fail alike, the first of them speaks."""
    module = sys.modules["cereus._world"]
    if any(core.rank != 0 for core in _open.values()):
        time.sleep(1)
    sys.__excepthook__(kind, error, trace)
    sys.stderr.flush()
    module.abort(1)


class _Bar:
    """A bar of tqdm, from a thread of its own: the run knows nothing of it."""

    def __init__(self, world: World, last: int, end: float):
        tqdm = package("tqdm", "run(progress=True)").tqdm
        self._core, self._by_time = world._open(), end >= 0  # while it steps, `reached` alone may be asked for by another thread
        self._bar = tqdm(total=end if self._by_time else last, initial=self._core.time if self._by_time else self._core.iteration,
                         bar_format="{l_bar}{bar}| {n:.4g}/{total:.4g} [{elapsed}<{remaining}]")
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _at(self) -> float:
        return self._core.reached[self._by_time]

    def _watch(self) -> None:
        while not self._end.wait(0.2):
            self._bar.update(self._at() - self._bar.n)

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        self._bar.update(self._at() - self._bar.n)
        self._bar.close()
