"""Starts `cereus run`."""
from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import folder
from .needs import Error, Failure, Mistake


_said: set[str] = set()  # warnings of runs of this process: those of a study say the same


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
            file.write_text(json.dumps(parameters, indent=1, default=as_json))  # which YAML includes
        else:
            file = Path(parameters)
        words = [executable(), "run", str(file), *options] + ["-n", str(processes)] * (processes > 0) + ["--fresh"] * fresh
        for key, value in {**(set or {}), **({"Cereus.output": output} if output else {})}.items():
            words += ["--set", f"{key}={value if isinstance(value, str) else json.dumps(value, default=as_json)}"]
        code, said, wrong = _wait(words)
    if code not in (0, 2):
        raise (Mistake if code == 1 else Failure)(
            wrong.strip().replace("with --set Cereus.output=NAME", "with output='NAME' (--output NAME)") or said.strip() or f"cereus run ended with {code}")
    found = re.search(r"output is in (.*)$", said, re.M)
    if not found:
        raise Error(f"cereus run did not say where its output is: {said.strip()}")
    if warned := [line for line in wrong.splitlines() if line.startswith("warning: ") and line not in _said]:
        _said.update(warned)
        print("\n".join(warned), file=sys.stderr, flush=True)
    return folder.open(found[1])


def as_json(value: Any) -> Any:
    """An array or a number of NumPy as JSON has them."""
    try:
        return value.tolist()
    except AttributeError:
        raise Error(f"{value!r} is no value of a parameter") from None


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
