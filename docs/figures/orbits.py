#!/usr/bin/env python3
"""The picture of orbits in docs/binary-black-hole.md, from the output of runs of parfiles/gw150914-*.yaml.

    PYTHONPATH=…/lib/python3 python3 orbits.py PICTURE NAME=FOLDER…

Tracks are those of the last run, the wave is that of the first, which rings to its end.
"""
from __future__ import annotations

import sys

import cereus
import numpy as np
from binary_black_hole import HOLES, mode
from matplotlib.figure import Figure


def orbits(runs: dict[str, cereus.Run]) -> Figure:
    """The ways of both holes, how far they are apart in each run, and r C_22 of Ψ4."""
    figure = Figure(figsize=(12, 3.6), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    *_, (name, last) = runs.items()
    track = last.series["punctures"]
    for n in (1, 2):
        left.plot(track[f"x{n - 1}"], track[f"y{n - 1}"], color=HOLES[n], linewidth=1)
    left.set(xlabel="x / M", ylabel="y / M", aspect="equal", title=f"tracks, {name}")
    for name, run in runs.items():
        found = run.series["orbits"]
        middle.plot(found.time, found["separation"], label=f"{name}: {found['orbits'][-1]:.2f} orbits")
    middle.set(xlabel="t / M", title="separation / M", ylim=(0, None))
    middle.legend(frameon=False, loc="lower left")
    name, run = next(iter(runs.items()))
    radius, (time, wave) = list(mode(run).items())[-1]
    right.plot(time - radius, radius * np.real(wave), color="black", linewidth=0.8)
    right.set(xlabel=f"(t − {radius:g} M) / M", title=f"r Re C₂₂ of Ψ4 at r = {radius:g} M, {name}")
    return figure


if __name__ == "__main__":
    picture, *named = sys.argv[1:]
    orbits({name: cereus.open(folder) for name, folder in (text.split("=", 1) for text in named)}).savefig(picture, dpi=90)
