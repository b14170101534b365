#!/usr/bin/env python3
"""The pictures of docs/six-orbits.md, from the output of runs of parfiles/gw150914-*.yaml.

    PYTHONPATH=…/lib/python3 python3 orbits.py PICTURES NAME=FOLDER…

Tracks, wave, slices and masses are those of the first run; separations are of all.
"""
from __future__ import annotations

import os
import sys

import cereus
import numpy as np
from binary_black_hole import HOLES, horizons, mode
from matplotlib.figure import Figure


def orbits(runs: dict[str, cereus.Run]) -> Figure:
    """The ways of both holes, how far they are apart in each run, and r C_22 of Ψ4."""
    figure = Figure(figsize=(12, 3.6), layout="constrained")
    left, middle, right = figure.subplots(1, 3)
    (name, first), *_ = runs.items()
    track = first.series["punctures"]
    for n in (1, 2):
        left.plot(track[f"x{n - 1}"], track[f"y{n - 1}"], color=HOLES[n], linewidth=1)
    left.set(xlabel="x / M", ylabel="y / M", aspect="equal", title=f"tracks, {name}")
    for label, run in runs.items():
        found = run.series["orbits"]
        middle.plot(found.time, found["separation"], label=f"{label}: {found['orbits'][-1]:.2f} orbits")
    middle.set(xlabel="t / M", title="separation / M", ylim=(0, None))
    middle.legend(frameon=False, loc="lower left")
    radius, (time, wave) = list(mode(first).items())[-1]
    right.plot(time - radius, radius * np.real(wave), color="black", linewidth=0.8)
    right.set(xlabel=f"(t − {radius:g} M) / M", title=f"r Re C₂₂ of Ψ4 at r = {radius:g} M, {name}")
    return figure


def waves(run: cereus.Run, times: list[float]) -> Figure:
    """r Re Ψ4 in the plane of the orbit, level by level, out to 100 M; left out near the holes, where it is no wave."""
    figure = Figure(figsize=(4 * len(times) + 0.8, 3.8), layout="constrained")
    field = run.slices["xy"]["WeylScalars::Psi4r"]
    for axes, time in zip(figure.subplots(1, len(times), squeeze=False)[0], times):
        shot = field.at(time=time)
        for level in shot.levels:
            r = np.hypot(*np.meshgrid(level.coordinates("x"), level.coordinates("y")))
            image = axes.pcolormesh(level.edges("x"), level.edges("y"), np.where(r > 9, r * level.values, np.nan), vmin=-0.03, vmax=0.03, cmap="RdBu_r", rasterized=True)
        axes.set(xlim=(-100, 100), ylim=(-100, 100), aspect="equal", title=f"t = {shot.time:.0f} M", xlabel="x / M", ylabel="y / M")
    figure.colorbar(image, ax=axes, label="r Re Ψ4")
    return figure


def holes(run: cereus.Run) -> Figure:
    """Mass and J/M² of each horizon over time."""
    figure = Figure(figsize=(9, 3.4), layout="constrained")
    left, right = figure.subplots(1, 2)
    for number, (horizon, own) in horizons(run).items():
        left.plot(horizon.time[own], horizon["mass"][own], color=HOLES[number], label=f"horizon {number}")
        right.plot(horizon.time[own], horizon["spin_z"][own] / horizon["mass"][own] ** 2, color=HOLES[number])
    left.set(xlabel="t / M", title="masses of horizons")
    right.set(xlabel="t / M", title="their spins, J/M²")
    left.legend(frameon=False)
    return figure


if __name__ == "__main__":
    pictures, *named = sys.argv[1:]
    runs = {name: cereus.open(folder) for name, folder in (text.split("=", 1) for text in named)}
    first = next(iter(runs.values()))
    os.makedirs(pictures, exist_ok=True)
    for name, figure in {"orbits": orbits(runs), "waves": waves(first, [864, 936, 1008]), "holes": holes(first)}.items():
        figure.savefig(os.path.join(pictures, f"{name}.png"), dpi=90)
