"""The output folder of a run: what is in it, and what is not. The folder is looked at each time, so that a run may still go on."""
from __future__ import annotations

import fcntl
import json
import os
import re
import socket
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from .fields import Field, carpet_levels, native_levels, open_hdf5
from .horizons import Horizon
from .needs import Error, Named, Unreadable, package
from .text import Table, read_table

_PARTS = {"x", "y", "z", "points", "spectrum", "histogram"}  # of names of text files with several rows an output


def open(folder: str | os.PathLike[str]) -> Run:
    """A run by its output folder, whether it goes on, has ended, or has died. Reads nothing but the list of files."""
    path = Path(folder)
    if not path.is_dir():
        raise Error(f"'{path}' is {'no folder' if path.exists() else 'not there'}; give the output folder of a run")
    if not (path / "parameters.yaml").is_file():
        held = sorted(entry.name for entry in path.iterdir())
        if "sweep.json" in held:
            raise Error(f"'{path}' holds a sweep: cereus.open_sweep opens it; each of its runs has a folder there")
        what = f"it holds {', '.join(held[:5])}{', …' if len(held) > 5 else ''}" if held else "it is empty"
        raise Error(f"'{path}' holds no run (no parameters.yaml; {what}); give the output folder of one")
    return Run(path)


class Run:
    """What a run has written so far. print(run) lists it."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.unread: dict[str, str] = {}  # files that could not be read, and why: filled by what looks into them
        self._sizes: dict[str, int] = {}  # of files that were found whole

    # How far it is, and what it is.

    @property
    def progress(self) -> dict[str, Any]:
        """progress.json; empty if there is none."""
        return self._json("progress.json")

    @property
    def state(self) -> str:
        """goes on; done, stopped or failed, as it said itself; died: it did not say; unknown: it is another machine's, or
        it never said how far it was."""
        if _locked(self.folder / "parameters.yaml"):
            return "goes on"
        said = self.progress
        if said.get("state") == "running":
            return "died" if said.get("host") == socket.gethostname() else "unknown"
        return str(said.get("state", "unknown"))

    @property
    def parameters(self) -> dict[str, Any]:
        """All parameters with their values: parameters["WaveToy"]["order"]."""
        yaml = package("yaml", "Run.parameters")

        class Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):  # numbers as in YAML 1.2: 1e-3, too
            pass

        Loader.add_implicit_resolver("tag:yaml.org,2002:float", re.compile(r"[-+]?(\d+\.?\d*|\.\d+)[eE][-+]?\d+$"), list("-+.0123456789"))
        try:
            found = yaml.load((self.folder / "parameters.yaml").read_text(), Loader)
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise Unreadable(f"{self.folder}/parameters.yaml: {error}") from None
        return found if isinstance(found, dict) else {}

    @property
    def provenance(self) -> dict[str, Any]:
        """provenance.txt by keyword, `thorn` by name: provenance["thorn"]["WaveToy"] is its hash and path."""
        path, found = self.folder / "provenance.txt", {"thorn": {}}  # type: ignore[var-annotated]
        for line in path.read_text(errors="replace").splitlines() if path.is_file() else ():
            key, _, value = line.partition(": ")
            if key == "thorn":
                name, _, rest = value.partition(" ")
                found["thorn"][name] = rest
            else:
                found[key] = value
        return found

    @property
    def timers(self) -> list[dict[str, Any]]:
        """A dict a timer: name, depth, calls, seconds (min, average, max, own), percent, bytes. Empty until TimerReport wrote them."""
        return self._json("timers.json").get("timers", [])

    @property
    def time_classes(self) -> list[dict[str, Any]]:
        """Where the time went, a dict a class of routines: name, busy and exposed in s, to_host and to_device in bytes, and its routines alike. What was
        exposed adds up to the wall time. Empty until TimerReport wrote them."""
        return self._json("timers.json").get("classes", [])

    @property
    def checkpoints(self) -> list[int]:
        """Iterations of the checkpoints."""
        return sorted(int(p.name) for p in self.folder.glob("checkpoints/*") if p.name.isdigit())

    @property
    def pictures(self) -> list[Path]:
        """Files of pictures, in the order of their names."""
        return sorted(self.folder.glob("*.png"))

    # What it has written.

    @property
    def series(self) -> Named[Table]:
        """Text files with a row an output: series["wavetoy-state.norm2"]["u"], series["wavetoy-speeds"]["max_speed"]."""
        return self._tables("series", lambda part: part not in _PARTS)

    @property
    def lines(self) -> Named[Table]:
        """Text files with several rows an output: lines, points, spectra, histograms: lines["wavetoy-state.x"].at(time=0.4)["u"]."""
        return self._tables("lines", lambda part: part in _PARTS)

    @property
    def horizons(self) -> Named[Horizon]:
        """Horizons of black holes that were found, by their numbers: horizons[1]["m_irreducible"], horizons[1].surface(time=30)."""
        names = [path.name[len("BH_diagnostics.ah"):-len(".gp")] for path in sorted(self.folder.glob("BH_diagnostics.ah*.gp"))]
        return Named("horizon", names, lambda name: Horizon(self.folder, name))

    @property
    def fields(self) -> Named[Field]:
        """Whole grid functions: fields["WaveToy::u"].at(time=0.4).values is u[z, y, x]."""
        native = self._native()
        found = {name: (outputs, carpet_levels) for name, outputs in self._carpet("xyz").items()}
        found |= {name: (native[name], native_levels) for name in native}
        return Named("field", sorted(found), lambda name: Field(name, *found[name]))

    @property
    def slices(self) -> Mapping[str, Named[Field]]:
        """Slices, and whole fields of a grid with fewer axes, in Carpet's format: slices["xy"]["WaveToy::u"].at().values is u[y, x]."""
        def make(axes: str) -> Named[Field]:
            found = self._carpet(axes)
            return Named(f"slice {axes}", sorted(found), lambda name: Field(name, found[name], carpet_levels))
        there = {path.name.split(".")[-2] for path in self._files(".h5")}
        return Named("slices", [axes for axes in ("x", "y", "z", "xy", "xz", "yz") if axes in there], make)

    @property
    def unfinished(self) -> list[str]:
        """Files that a run is writing, or was when it died; NAME.changes: what was to be added to NAME, which the run does when it goes on."""
        return [path.name for path in self._files(".tmp", ".changes")]

    def __str__(self) -> str:
        """What is there, and what is not."""
        return describe(self)

    def __repr__(self) -> str:
        unfinished = f"; unfinished: {', '.join(self.unfinished)}" if self.unfinished else ""
        return f"<run in {self.folder}: {self.state}{unfinished}>"

    def _files(self, *ends: str) -> list[Path]:
        """Those whose names end so, in their order; read at one go, for there may be thousands."""
        with os.scandir(self.folder) as entries:
            return [self.folder / name for name in sorted(e.name for e in entries if e.name.endswith(ends) and e.is_file())]

    def _json(self, name: str) -> dict[str, Any]:
        path = self.folder / name
        try:
            found = json.loads(path.read_text()) if path.is_file() else {}
        except (OSError, ValueError) as error:
            return self._leave(path, error) or {}
        return found if isinstance(found, dict) else {}

    def _leave(self, path: Path, error: Exception) -> None:
        self.unread[path.name] = str(error).removeprefix(f"{path}: ")

    def _tables(self, kind: str, wanted: Callable[[str], bool]) -> Named[Table]:
        found = {p.name.removesuffix(".asc").rstrip("."): p for p in self._files(".asc")}
        part = {name: "points" if name == "interpolated" else name.rpartition(".")[2] for name in found}
        return Named(kind, [name for name in found if wanted(part[name])], lambda name: read_table(found[name], name))

    def _native(self) -> dict[str, dict[int, tuple[float, Any]]]:
        """Of each field its outputs: iteration → time and file. What a file holds is seen in the last of its kind that is whole."""
        found: dict[str, dict[int, tuple[float, Any]]] = {}
        kinds: dict[str, dict[int, Path]] = {}
        for path in self._files(".hdf", ".h5"):
            if name := re.fullmatch(r"(.*)_(\d{8,})(\.hdf|\.h5)", path.name):
                kinds.setdefault(name[1] + name[3], {})[int(name[2])] = path
        for kind, paths in kinds.items():
            times = {file.get("name"): file.get("time") for file in self._json(f"{Path(kind).stem}.hdf.series").get("files", [])}
            outputs, names = {}, []
            for iteration, path in sorted(paths.items(), reverse=True):
                try:
                    size = path.stat().st_size
                    if self._sizes.get(path.name) != size and not _whole(path):
                        raise Unreadable("it is truncated")
                    self._sizes[path.name] = size
                    if path.name not in times or not names:
                        with open_hdf5(path) as f:
                            times[path.name] = float(f["native"].attrs["time"])
                            names = [name for name, data in f["native/lev0"].items() if "__" in name and hasattr(data, "shape")]
                    outputs[iteration] = times[path.name], path
                except (Unreadable, KeyError, OSError) as error:
                    self._leave(path, Error("no file of IOHDF5") if isinstance(error, KeyError) else error)
            for name in names:
                found.setdefault(name.replace("__", "::"), {}).update(outputs)
        return found

    def _carpet(self, axes: str) -> dict[str, dict[int, tuple[float, Any]]]:
        thorns = {thorn.lower(): thorn for thorn in self.provenance["thorn"]}
        found: dict[str, dict[int, tuple[float, Any]]] = {}
        for path in self._files(f".{axes}.h5"):
            if path.with_name(path.name + ".changes").exists() and self.state != "goes on":
                died = "the run died while it changed this file, and mends it when it goes on"
                self._leave(path, Error("a run may be changing this file" if self.state == "unknown" else died))
                continue
            try:
                with open_hdf5(path) as f:
                    for key in f:
                        if name := re.fullmatch(r"(\w+)::(\S+) it=(\d+) tl=0 rl=\d+ c=\d+", key):
                            outputs = found.setdefault(f"{thorns.get(name[1].lower(), name[1])}::{name[2]}", {})
                            if (iteration := int(name[3])) not in outputs:
                                outputs[iteration] = float(f[key].attrs["time"]), (path, axes, [])
                            outputs[iteration][1][2].append(key)
            except (Unreadable, KeyError, OSError) as error:
                self._leave(path, error)
        return found


def _whole(path: Path) -> bool:
    """Whether an HDF5 file is as long as its superblock says (HDF5 File Format Specification 3.0, II.A); True where it says nothing."""
    with path.open("rb") as f:
        head = f.read(64)
    at = {0: 40, 1: 44, 2: 28, 3: 28}.get(head[8] if len(head) > 8 else -1, 64)
    return len(head) < 64 or int.from_bytes(head[at:at + 8], "little") <= path.stat().st_size


def _locked(path: Path) -> bool:
    """Whether a run goes on: it has locked its parameters."""
    try:
        with path.open() as f:
            fcntl.flock(f, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False


def _grouped(names: Iterable[str]) -> list[str]:
    """A line for all names that are alike up to a dot."""
    lines: dict[str, list[str]] = {}
    for name in names:
        if multipole := re.fullmatch(r"(mp_.+)_l\d+_m-?\d+(_r.+)", name):
            stem, part = f"{multipole[1]}_lL_mM{multipole[2]}", ""
        else:
            stem, _, part = name.partition(".")
        lines.setdefault(stem, []).extend([f".{part}"] if part else [])
    return [f"{stem} {' '.join(parts)}".rstrip() for stem, parts in lines.items()]


def describe(run: Run) -> str:
    """Of each kind of file what there is; what there is not with the thorn that would write it."""
    said = run.progress
    far = f" at iteration {said['iteration']}, t = {said['time']:.6g}" if {"iteration", "time"} <= set(said) else ""
    fields, slices, timers = run.fields, run.slices, run.timers
    kinds = {
        "series": (_grouped(run.series), "IOASCII"), "lines": (_grouped(run.lines), "IOASCII: lines"),
        "fields": ([repr(field)[1:-1] for field in fields.values()], "IOHDF5: every"),
        "slices": ([f"{axes}: {', '.join(slices[axes])}" for axes in slices], "IOHDF5: slices"),
        "horizons": ([f"{name}: found at {len(found)} times" for name, found in run.horizons.items()], ""),
        "pictures": ([f"{len(run.pictures)} of IOImage"] if run.pictures else [], "IOImage"),
        "checkpoints": ([f"at iteration {n}" for n in run.checkpoints], "Checkpoint"),
        "timers": ([f"of {len(timers)} routines and groups"] if timers else [], "TimerReport, at the end"),
        "unfinished": (run.unfinished, ""),
        "unread": ([f"{name}: {why}" for name, why in run.unread.items()], "")}
    text = f"{run.folder}: {run.state}{far}\n"
    for kind, (found, thorn) in kinds.items():
        if found or thorn:
            text += f"  {kind + ':':<13}" + ("\n" + " " * 15).join(found or [f"none ({thorn})"]) + "\n"
    return text.rstrip()
