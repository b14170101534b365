#!/usr/bin/env python3
"""The figures of docs/binary-black-hole.md, from the output of a run with two black holes.

    PYTHONPATH=…/lib/python3 python3 binary_black_hole.py FOLDER PICTURES

Each function takes a run, cereus.open(FOLDER), and returns a matplotlib Figure; what a run did not write is left out of it. timers(run) returns text.
"""
from __future__ import annotations

import os
import re
import sys

import cereus
import numpy as np
from matplotlib.figure import Figure

HOLES = {1: "tab:blue", 2: "tab:orange", 3: "black"}


def fields(run: cereus.Run) -> Figure:
    """Lapse, W and Ψ4 in the plane of the orbit, at three times, with the horizons that were found then."""
    kinds = {"BSSN::alpha": ("lapse α", "viridis", 5), "BSSN::W": ("W", "viridis", 5), "WeylScalars::Psi4r": ("r Re Ψ4", "RdBu_r", None)}
    found = {name: part[name] for name in kinds for part in (run.slices["xy"] if "xy" in run.slices else {}, run.fields) if name in part}
    first, last = np.min([f.times[0] for f in found.values()]), np.min([f.times[-1] for f in found.values()])
    times = np.linspace(first, last, 4)[1:]
    figure = Figure(figsize=(10.5, 3.3 * len(found)), layout="constrained")
    grid = figure.subplots(len(found), len(times), squeeze=False)
    for row, (name, field) in zip(grid, found.items()):
        label, palette, half = kinds[name]
        shots = [field.at(time=t).slice("xy") for t in times]
        values = [_weighted(shot) if name.endswith("Psi4r") else shot.values for shot in shots]
        most = np.percentile(np.abs(values[-1]), 99.5)
        low, high = (-most, most) if name.endswith("Psi4r") else (0, 1)
        for axes, shot, v in zip(row, shots, values):
            image = axes.pcolormesh(*map(shot.levels[0].edges, "xy"), v, vmin=low, vmax=high, cmap=palette)
            limit = half or np.abs(shot.coordinates("x")).max()
            axes.set(title=f"t = {shot.time:.3g} M", xlim=(-limit, limit), ylim=(-limit, limit), aspect="equal", xlabel="x / M")
            if half:
                _outlines(axes, run, shot.time)
        row[0].set_ylabel("y / M")
        figure.colorbar(image, ax=row[-1], label=label)
    return figure


def _weighted(shot: cereus.Snapshot) -> np.ndarray:
    """r Ψ4, which keeps its size on the way out; nothing near the holes, where it is no wave."""
    r = np.hypot(*np.meshgrid(shot.coordinates("x"), shot.coordinates("y")))
    return np.where(r > 4, r * shot.values, np.nan_to_num(0 * shot.values))


def horizons(run: cereus.Run) -> dict[int, tuple[cereus.Horizon, np.ndarray]]:
    """Number → horizon, and which of its rows are its own: after the holes have merged a search around one of them finds the common horizon, and before it one around both may
    find one of them."""
    there = {number: run.horizons[number] for number in HOLES if str(number) in run.horizons and len(run.horizons[number])}
    one = max((there[number]["mass"][0] for number in (1, 2) if number in there), default=0)
    found = {}
    for number, horizon in there.items():
        own = np.ones(len(horizon), bool)
        if number == 3:
            own = horizon["mass"] > 1.1 * one
        elif 3 in there:
            both = there[3]["mass"] > 1.1 * one
            size = np.interp(horizon.time, there[3].time[both], there[3]["mean radius"][both], left=np.inf) if both.any() else np.inf
            own = horizon["mean radius"] < 0.8 * size
        if own.any():
            found[number] = horizon, own
    return found


def _outlines(axes, run: cereus.Run, time: float) -> None:
    for number, (horizon, own) in horizons(run).items():
        times = horizon.time[own]
        if horizon.surfaces and np.abs(times - time).min() < 0.51:
            axes.plot(*_equator(horizon, times[np.argmin(np.abs(times - time))]), color=HOLES[number], linewidth=1)


def _equator(horizon: cereus.Horizon, time: float) -> np.ndarray:
    """x and y of the circle of points nearest to the plane of the orbit."""
    surface = horizon.surface(time=time)
    return surface[np.argmin(np.abs(surface[:, 0, 2]))][:, :2].T


def tracks(run: cereus.Run) -> Figure:
    """The ways of the punctures, and horizons beside them."""
    track = run.series["punctures"]
    figure = Figure(figsize=(5.6, 5.2), layout="constrained")
    axes = figure.add_subplot()
    for n, number in enumerate((1, 2)):
        axes.plot(track[f"x{n}"], track[f"y{n}"], color=HOLES[number], label=f"puncture {number}")
    for number, (horizon, own) in horizons(run).items():
        times = horizon.time[own]
        for time in (times[:1] if number == 3 else times[:: max(1, len(times) // 3)]) if horizon.surfaces else ():
            axes.plot(*_equator(horizon, time), color=HOLES[number], linewidth=0.8, linestyle="--" if number == 3 else "-")
    axes.set(xlabel="x / M", ylabel="y / M", aspect="equal", title="tracks and horizons (dashed: the common one at first)")
    axes.legend(frameon=False)
    return figure


def masses(run: cereus.Run) -> Figure:
    """Of each horizon the irreducible mass and the mass; of spheres the ADM mass and angular momentum."""
    figure = Figure(figsize=(10, 3.8), layout="constrained")
    left, right = figure.subplots(1, 2)
    for number, (horizon, own) in horizons(run).items():
        line = "--" if number == 2 else "-"  # it lies upon that of the first
        left.plot(horizon.time[own], horizon["m_irreducible"][own], line, color=HOLES[number], label=f"M_irr of horizon {number}")
        left.plot(horizon.time[own], horizon["mass"][own], ":", color=HOLES[number])
    left.set(xlabel="t / M", title="masses of horizons (dotted: with spin)")
    for name in (name for name in run.series if name.startswith("adm.r")):
        right.plot(run.series[name].time, run.series[name]["Jz"], label=f"J_z at r = {name[5:]}")
    right.axhline(0.77876432749, color="grey", linewidth=0.8)
    right.set(xlabel="t / M", title="angular momentum on spheres (grey: of the data)")
    for axes in (left, right):
        if axes.get_legend_handles_labels()[0]:
            axes.legend(frameon=False)
    return figure


def mode(run: cereus.Run, l: int = 2, m: int = 2) -> dict[float, tuple[np.ndarray, np.ndarray]]:
    """Radius → time and C_lm of Ψ4."""
    found = {}
    for name in run.series:
        if radius := re.fullmatch(rf"mp_Psi4_l{l}_m{m}_r([\d.]+)", name):
            table = run.series[name]
            found[float(radius[1])] = table.time, table["real"] + 1j * table["imaginary"]
    return dict(sorted(found.items()))


def waveform(run: cereus.Run) -> Figure:
    """r C_22 over retarded time, and its size."""
    figure = Figure(figsize=(8, 5.6), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    for radius, (time, c) in mode(run).items():
        above.plot(time - radius, radius * c.real, label=f"r = {radius:g} M")
        below.semilogy(time - radius, np.maximum(radius * np.abs(c), 1e-12))
    above.set(title="Ψ4, the mode l = m = 2", ylabel="r Re C_22 M")
    above.legend(frameon=False)
    below.set(xlabel="(t − r) / M", ylabel="r |C_22| M")
    return figure


def constraints(run: cereus.Run) -> Figure:
    squares = run.series["constraints-squares.average"]
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.add_subplot(title="constraints between the spheres of Constraints", xlabel="t / M", yscale="log")
    for what, label in (("H2", "‖H‖"), ("M2", "‖M‖")):
        axes.plot(squares.time, np.sqrt(squares[what] / squares["volume"]), label=label)
    axes.legend(frameon=False)
    return figure


def timers(run: cereus.Run) -> str:
    """Where the time went: seconds that were spent on each, beside the evolution or not, and for which the evolution stood still."""
    classes = run.time_classes
    total = sum(row["exposed"] for row in classes) or 1
    lines = [f"{'':32}{'busy, s':>10}{'exposed, s':>12}{'%':>8}"]
    lines += [f"{row['name']:32}{row['busy']:10.1f}{row['exposed']:12.1f}{100 * row['exposed'] / total:8.1f}" for row in classes]
    return "\n".join([*lines, f"{'in all':32}{'':10}{total:12.1f}{100:8.1f}"])


FIGURES = {"fields": fields, "tracks": tracks, "masses": masses, "waveform": waveform, "constraints": constraints}

if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    run = cereus.open(sys.argv[1])
    os.makedirs(sys.argv[2], exist_ok=True)
    for name, figure in FIGURES.items():
        figure(run).savefig(os.path.join(sys.argv[2], f"{name}.png"), dpi=90)
    print(timers(run))
