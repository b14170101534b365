"""What the other modules share: errors, packages that are imported when they are needed, and mappings that say what they hold."""
from __future__ import annotations

import difflib
import importlib
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

T = TypeVar("T")


class Error(Exception):
    """Something that cannot be done, in one sentence."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class Mistake(Error):
    """`cereus` found a mistake in the input (exit code 1); the text is its own."""


class Failure(Error):
    """A run failed while it ran (exit code 3, or a signal); the text is what it said."""


class Missing(Error, KeyError):
    """There is nothing of that name."""


class Unreadable(Error):
    """A file that is none of a run, or half of one."""


def package(name: str, use: str) -> Any:
    """Imports a package of Debian's; where it is missing the error says how to install it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name.split(".")[0]:
            raise
        raise Error(f"{use} needs {error.name}: apt-get install python3-{error.name} ({sys.executable} has none; "
                    "CEREUS_PYTHON names another Python for the commands of cereus)") from None


class Named(Mapping[str, T]):
    """Names, in any case of letters, and what they stand for, which is made when it is asked for."""

    def __init__(self, kind: str, names: list[str], make: Callable[[str], T]):
        self._kind, self._names, self._make = kind, names, make

    def __getitem__(self, name: str) -> T:
        known = {n.lower(): n for n in self._names}
        if str(name).lower() in known:
            return self._make(known[str(name).lower()])
        near = difflib.get_close_matches(str(name).lower(), known, 1)
        mean = f" (did you mean '{known[near[0]]}'?)" if near else ""
        raise Missing(f"there is no {self._kind} '{name}'{mean}; there are: {', '.join(self._names) or 'none'}")

    def __contains__(self, name: object) -> bool:
        return str(name).lower() in (n.lower() for n in self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<{len(self)} × {self._kind}: {', '.join(self._names)}>"
