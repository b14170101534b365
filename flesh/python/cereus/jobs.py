"""Starts `cereus run`, once or for each of many values."""
from __future__ import annotations

import dataclasses
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import folder
from .needs import Error, Failure, Mistake


def executable() -> str:
    """The `cereus` that this package came with, or that on the PATH."""
    beside = Path(__file__).absolute().parents[3] / "bin" / "cereus"  # of PREFIX/lib/python3/cereus/jobs.py
    found = str(beside) if beside.is_file() else shutil.which("cereus")
    if not found:
        raise Error(f"there is no cereus beside {Path(__file__).parent} and none on the PATH")
    return found


def run(parameters: str | os.PathLike[str] | Mapping[str, Any], processes: int = 0, output: str | None = None,
        set: Mapping[str, Any] | None = None, fresh: bool = False, options: Sequence[str] = (), name: str = "run") -> folder.Run:
    """Runs a parameter file, or what would stand in one, and waits for it.

    cereus.run("wave.yaml", processes=4, set={"WaveToy.order": 2}); cereus.run({"thorns": ["UniGrid", …], "UniGrid": {"cells": [80, 80]}})
    `output` is the folder, below the current one; without it the file says, or `name` where there is no file. `fresh` moves an
    earlier run aside; `options` are those of the command line. A run that was stopped early is returned, too. Raises Mistake and
    Failure with the text of the command.
    """
    with tempfile.TemporaryDirectory(prefix="cereus-") as scratch:
        if isinstance(parameters, Mapping):
            file = Path(scratch) / f"{name}.yaml"
            file.write_text(json.dumps(parameters, indent=1))  # which YAML includes
        else:
            file = Path(parameters)
        words = [executable(), "run", str(file), *options] + ["-n", str(processes)] * (processes > 0) + ["--fresh"] * fresh
        for key, value in {**(set or {}), **({"Cereus.output": output} if output else {})}.items():
            words += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value)}"]
        code, said, wrong = _wait(words)
    if code not in (0, 2):
        raise (Mistake if code == 1 else Failure)(
            wrong.strip().replace("with --set Cereus.output=NAME", "with output='NAME' (--output NAME)") or said.strip() or f"cereus run ended with {code}")
    found = re.search(r"output is in (.*)$", said, re.M)
    if not found:
        raise Error(f"cereus run did not say where its output is: {said.strip()}")
    return folder.open(found[1])


def parent_of(output: str | None, settings: Mapping[str, Any] | None, usual: str) -> str:
    """The folder that the runs of a study go to, which `output` says: each has a Cereus.output of its own."""
    if "Cereus.output" in (settings or {}):
        raise Mistake("Cereus.output is another one for each run; output (--output) says which folder they all go to")
    return output or usual


def _wait(words: list[str]) -> tuple[int, str, str]:
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, errors="replace") as child:
        try:
            said, wrong = child.communicate()
        except BaseException:  # such as Ctrl-C: the run ends after its present step, with its output
            child.send_signal(signal.SIGTERM)
            child.communicate()
            raise
    return child.returncode, said, wrong


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


def sweep(file: str | os.PathLike[str], over: Mapping[str, Sequence[Any]], processes: int = 0, output: str | None = None,
          set: Mapping[str, Any] | None = None, fresh: bool = False, options: Sequence[str] = (),
          each: Callable[[Point], None] = lambda point: None) -> list[Point]:
    """Runs a parameter file with all combinations of values: cereus.sweep("wave.yaml", {"WaveToy.order": [2, 4], "Time.courant": [0.2, 0.4]}).

    The runs go to folders of `output` (default: FILE-sweep), one after another. One that fails has an `error` in place of a `run`, and
    the others go on. `each` is told of each when it is over.
    """
    parent = parent_of(output, set, f"{Path(file).stem}-sweep")
    points = []
    for chosen in itertools.product(*over.values()):
        values = dict(zip(over, chosen))
        name = re.sub(r"[^\w.=,+\[\]-]", "_", label_of(values).replace(" ", ""))
        try:
            points.append(Point(values, run(file, processes, f"{parent}/{name}", {**(set or {}), **values}, fresh, options), None))
        except (Mistake, Failure) as error:
            points.append(Point(values, None, error))
        each(points[-1])
    return points
