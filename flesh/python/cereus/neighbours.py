"""Expressions with neighbours: formulas cannot have them, so each becomes a thorn of equations, which computes a variable."""
from __future__ import annotations

import itertools
import re
from typing import NamedTuple

from .needs import Error

_MOST = 24  # numbers that are parameters; a kernel has 64 members
# A number, or a negative one with its parentheses. Exponents and bases of powers stay in the text: an exponent of 2 is a product there. So do seeds of noise.
_DIGITS = r"\d[\d.]*(?:e[+-]?\d+)?(?![\w.])"
_NUMBER = re.compile(rf"(?<!\^ )\((-{_DIGITS})\)(?! \^)|(?<![\w.])(?<!noise\()(?<!\^ )(?<!\^ \()(?<!\^ \(-)({_DIGITS})(?! \^)")


class Near(NamedTuple):
    """The thorn of an expression, and the variable that it computes."""
    body: str  # of the thorn, without its name
    thorn: str
    variable: str
    numbers: dict[str, float]  # which its parameters are to have
    new: bool


class Neighbours:
    """The thorns of a World. Expressions that differ in numbers alone are one thorn: its parameters are the numbers."""

    def __init__(self, centring: str = "") -> None:
        self._centring = centring  # behind the description of a thorn
        self._thorns: dict[str, tuple[str, str]] = {}  # by body: the name, and the line of the program that needed it first
        self._made = itertools.count()  # a name is not given twice

    def thorn_for(self, formula: str, order: int, place: str) -> Near:
        """The thorn of a formula with derivatives of an order; a new one unless the World has one that differs in numbers alone. Raises Error if names clash."""
        known = {name: thorn for thorn, name in re.findall(r"(\w+)::(\w+)", formula)}
        if len(set(re.findall(r"\w+::\w+", formula))) > len(known):
            raise Error(f"{formula}: two grid functions have one name, and neighbours stand beside them; assign one to a field first")
        own = "near"  # what the names begin with that the thorn adds
        while any(name.startswith(own) for name in known):
            own += "r"
        numbers: dict[str, float] = {}

        def parameter(number: re.Match[str]) -> str:
            if len(numbers) == _MOST:
                return number[0]
            numbers[f"{own}{len(numbers)}"] = float(number[1] or number[2])
            return f"{own}{len(numbers) - 1}"
        shifts = sorted(set(re.findall(r"\((next|last)(\d+)_", formula)))
        text = re.sub(r"\w+::", "", re.sub(r"\((next|last)(\d+)_", rf"({own}\1\2_", formula))
        text = _NUMBER.sub(parameter, text)
        body = "\n".join([*(["parameter"] if numbers else []), *(f'  {name} = 1 "A number of the expression" steerable' for name in numbers),
                          'derive result "What it gives"', f"  {own}", *(f"foreign {thorn}: {name}" for name, thorn in known.items()),
                          *([f"operators centred({order})"] if "(D_" in text else []),
                          *(f"operator {own}{word}{n}(u) = u({'-' if word == 'last' else '+'}{n})" for word, n in shifts), "analysis", f"  {own} = {text}"])
        if new := body not in self._thorns:
            self._thorns[body] = f"Near{next(self._made)}", place
        name = self._thorns[body][0]
        return Near(body, name, f"{name}::{own}", numbers, new)

    def forget(self, near: Near) -> None:
        """Takes a thorn away that nothing uses."""
        del self._thorns[near.body]

    def texts(self) -> list[tuple[str, str]]:
        """Of all of them, each with its line of the program."""
        return [(f'thorn {name} "An expression with neighbours"{self._centring}\n{body}', place) for body, (name, place) in self._thorns.items()]
