#!/usr/bin/env python3
"""Flows on blocks that follow them, against grids that are fine everywhere: errors, cells, what is kept, time to solution.

    refined_flows.py OUTPUT.json [CASE…]      sod, sedov, sedov3d, double_mach, vortex, kelvin_helmholtz, conserved; all by default

CEREUS names the executable (default: cereus); Python finds the package cereus and tests/run/_riemann.py. On a host; DEVICE=cuda takes a GPU,
and sedov3d has four levels there.
"""
import datetime
import json
import math
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "run"))
import cereus  # noqa: E402
from _riemann import Riemann  # noqa: E402

CEREUS, DEVICE = os.environ.get("CEREUS", "cereus"), os.environ.get("DEVICE", "none")
RUN = """thorns: [{driver}, "Accelerator?", "AcceleratorCUDA?", Time, Boundary, MoL, Reduce, IOASCII, IOHDF5, EOS, Hydro]
Cereus: {{{end}, output: out, device: {device}}}
{grid}
MoL: {{method: {method}}}
IOHDF5: {{variables: ["Hydro::density"], every: 0, at_end: true}}
IOASCII: {{variables: ["Hydro::state"], reductions: [sum], every: 1000}}
{rest}
"""
rows = []


def note(what, value, unit, bar, at_least=False):
    met = None if bar is None else bool(value >= bar if at_least else value <= bar)
    told = None if bar is None else f"{'≥' if at_least else '≤'} {bar}"
    rows.append({"what": what, "value": float(f"{value:.4g}"), "unit": unit, "bar": told, "met": met, "peer": None,
                 "machine": os.environ.get("MACHINE", "2 cores, Debian 12"), "date": datetime.date.today().isoformat(), "commit": os.environ.get("COMMIT", "?"),
                 "command": "tests/benchmarks/refined_flows.py OUTPUT.json"})
    print(f"{what:120} {value:10.4g} {unit:6} {told or ''} {'' if met is None else 'met' if met else 'MISSED'}", flush=True)


def run(driver, grid, end, rest, method="SSPRK2"):
    """The run, seconds of its evolution, and the largest number of blocks."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(RUN.format(driver=driver, device=DEVICE, end=end, grid=grid, method=method, rest=rest))
    done = subprocess.run([CEREUS, "run", "run.yaml"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    words = re.findall(r"cell/s, in (.+)", done.stdout)[-1].split()
    took = sum(float(n) * {"µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60}[unit] for n, unit in zip(words[::2], words[1::2]))
    blocks = [int(n) for n in re.findall(r"levels?, (\d+) blocks", done.stdout)]
    return cereus.open(os.path.join(folder, "out")), took, max(blocks, default=0)


def both(size, domain, levels, block, every, refine, end, rest):
    """(followed, everywhere fine), the share of cells, how many times longer the fine one takes."""
    grid = f"Forest: {{cells: {size}, {domain}, block: {block}, levels: {levels}, every: {every}}}\nRefine: {{{refine}}}"
    fine = [n << (levels - 1) for n in size]
    followed, took, blocks = run("Forest, Refine", grid, end, rest)
    whole, longer, _ = run("UniGrid", f"UniGrid: {{cells: {fine}, {domain.replace(', points: 4', '')}}}", end, rest)
    return followed, whole, blocks * block ** len(size) / math.prod(fine), longer / took


def cells(snapshot):
    """x, y, spacing and density of each cell of a field at one time."""
    for level in snapshot.levels:
        for part in level.blocks:
            x, y = np.meshgrid(part.coordinates("x"), part.coordinates("y"))
            yield x.ravel(), y.ravel(), part.spacing, part.values.ravel()


def sod():
    exact = Riemann((1, 0, 1), (0.125, 0, 0.1))
    rest = 'Boundary: {all: extrapolate, extrapolation_order: 0}\nTime: {courant: 0.3}\nEOS: {gamma: 1.4}\nHydro: {limiter: mc, density: "x < 0.5 ? 1 : 0.125", pressure: "x < 0.5 ? 1 : 0.1"}'
    followed, whole, share, times = both([256, 16], "lower: 0, upper: [1, 0.0625], periodic: [false, true]", 3, 16, 4,
                                         'variables: ["Hydro::density"], measure: gradient, refine_above: 0.01, coarsen_below: 0.004', "final_time: 0.2", rest)

    def error(found):
        total = area = 0
        for x, _, h, rho in cells(found.fields["Hydro::density"].at()):
            means = {a: exact.mean(a - h[0] / 2, a + h[0] / 2, 0.2) for a in np.unique(x)}
            total, area = total + h[0] * h[1] * np.abs(rho - [means[a] for a in x]).sum(), area + h[0] * h[1] * len(x)
        return total / area
    note("Sod's tube, 3 levels of blocks of 16², of 1024 cells along x everywhere: mean error of the density", error(followed) / error(whole), "", 1.1)
    note("Sod's tube followed by blocks: cells", share, "", 0.35)
    note("Sod's tube followed by blocks: time to solution, how many times shorter", times, "", None)


def sedov():
    rest = ('Boundary: {all: extrapolate, extrapolation_order: 0, x_lower: reflect, y_lower: reflect}\nTime: {courant: 0.3}\n'
            'Hydro: {limiter: mc, quadrature: 3, pressure: "1e-5 + 0.4*0.311357/(pi*0.015^2)*exp(-(x^2 + y^2)/0.015^2)"}')
    followed, whole, share, times = both([96, 96], "lower: 0, upper: 0.96, periodic: false, points: 4", 3, 8, 2,
                                         'variables: ["Hydro::energy"], measure: gradient, refine_above: 0.06, coarsen_below: 0.02, buffer: 3', "final_time: 1", rest)
    for what, found in (("followed", followed), ("everywhere fine", whole)):
        places = [(r[n], rho[n]) for x, y, _, rho in cells(found.fields["Hydro::density"].at()) for r in [np.hypot(x, y)] for n in [np.argmax(rho)]]
        radius, peak = max(places, key=lambda p: p[1])
        note(f"Sedov's blast in 2D at t = 1, 3 levels on 96², {what}: the densest cell lies off r = 0.75, in fine cells", abs(radius - 0.75) / 0.0025, "cells", 1.5)
        note(f"Sedov's blast in 2D at t = 1, {what}: largest density (6 in theory)", peak, "", None)
    note("Sedov's blast in 2D followed by blocks: cells", share, "", 0.2)
    note("Sedov's blast in 2D followed by blocks: time to solution, how many times shorter", times, "", None)


def sedov3d():
    """An eighth of a blast whose shock is at r = (E t² / 0.851072 ρ)^(1/5) (Sedov 1959, γ = 1.4): at 0.75 at t = 1."""
    energy, width = 0.851072 * 0.75**5, 0.05
    rest = ('Boundary: {all: extrapolate, extrapolation_order: 0, x_lower: reflect, y_lower: reflect, z_lower: reflect}\nTime: {courant: 0.3}\n'
            f'Hydro: {{solver: hll, quadrature: 2, pressure: "1e-5 + {0.4 * energy / (math.pi**1.5 * width**3)!r}*exp(-(x^2 + y^2 + z^2)/{width}^2)"}}')
    base, levels, block, every = (48, 4, 16, 8) if DEVICE == "cuda" else (24, 3, 8, 2)
    grid, h = f"{levels} levels on {base}³", 0.96 / (base << (levels - 1))
    followed, whole, share, times = both([base] * 3, "lower: 0, upper: 0.96, periodic: false, points: 4", levels, block, every,
                                         'variables: ["Hydro::energy"], measure: gradient, refine_above: 0.06, coarsen_below: 0.02, buffer: 3', "final_time: 1", rest)
    for what, found in (("followed", followed), ("everywhere fine", whole)):
        best = (0, 0)
        for level in found.fields["Hydro::density"].at().levels:
            for part in level.blocks:
                z, y, x = np.meshgrid(*(part.coordinates(axis) for axis in "zyx"), indexing="ij")
                n = np.argmax(part.values)
                best = max(best, (part.values.flat[n], math.sqrt(x.flat[n] ** 2 + y.flat[n] ** 2 + z.flat[n] ** 2)))
        note(f"Sedov's blast in 3D at t = 1, {grid}, {what}: the densest cell lies off r = 0.75, in fine cells", abs(best[1] - 0.75) / h, "cells", 1.5)
        note(f"Sedov's blast in 3D at t = 1, {grid}, {what}: largest density (6 in theory)", best[0], "", None)
    note(f"Sedov's blast in 3D, {grid}, followed by blocks: cells", share, "", 0.2)
    note(f"Sedov's blast in 3D, {grid}, followed by blocks: time to solution, how many times shorter", times, "", 10 if DEVICE == "cuda" else None, True)


def off(found, fine):
    """The mean difference of the density from means of a fine run over the same cells; the domain begins at 0 and has cells that are squares."""
    total = area = 0
    for x, y, h, rho in cells(found.fields["Hydro::density"].at()):
        n = round(h[0] / fine.spacing[0])
        means = fine.values.reshape(fine.values.shape[0] // n, n, fine.values.shape[1] // n, n).mean(axis=(1, 3))
        total, area = total + h[0] * h[1] * np.abs(rho - means[(y / h[1]).astype(int), (x / h[0]).astype(int)]).sum(), area + h[0] * h[1] * len(x)
    return total / area


def part_of(name, begin, end=None):
    """What stands in a parameter file of the tree between two of its lines."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "parfiles", name)) as f:
        text = f.read()
    return text[text.index(f"\n{begin}") + 1:text.index(f"\n{end}") + 1 if end else None]


def double_mach():
    rest = part_of("double-mach.yaml", "Boundary:", "MoL:") + part_of("double-mach.yaml", "Time:", "IOASCII:")
    domain, end = "lower: 0, upper: [4, 1], periodic: false", "final_time: 0.2"
    followed, whole, share, times = both([96, 24], domain, 3, 8, 2, 'variables: ["Hydro::density"], measure: gradient, refine_above: 1, coarsen_below: 0.3, buffer: 3', end, rest)
    finer, _, _ = run("UniGrid", f"UniGrid: {{cells: [768, 192], {domain}}}", end, rest)
    fine = finer.fields["Hydro::density"].at().levels[0].blocks[0]
    note("double Mach reflection, 3 levels to 384 × 96, of 384 × 96 cells everywhere: mean difference of the density from 768 × 192", off(followed, fine) / off(whole, fine), "", 1.1)
    note("double Mach reflection followed by blocks: cells", share, "", 0.35)
    note("double Mach reflection followed by blocks: time to solution, how many times shorter", times, "", None)


def vortex():
    """It is back after a period: what was there before. With weno5, of the file, interpolations between levels, of second order, are most of the error."""
    text = part_of("vortex.yaml", "Time:", "IOASCII:")
    domain, end = "lower: -5, upper: 5, periodic: true", "final_time: 10"
    square, follow = 'boxes: ["1 -2.5 2.5 -2.5 2.5"]', 'Refine: {variables: ["Hydro::density"], measure: gradient, refine_above: 0.01, coarsen_below: 0.002}'

    def error(driver, grid, scheme):
        total = area = 0
        found, _, _ = run(driver, grid, end, text.replace("scheme: weno5", scheme), "SSPRK3")
        for x, y, h, rho in cells(found.fields["Hydro::density"].at()):
            exact = (1 - 0.4 * 25 / (8 * 1.4 * math.pi**2) * np.exp(1 - x**2 - y**2)) ** 2.5
            total, area = total + h[0] * h[1] * np.abs(rho - exact).sum(), area + h[0] * h[1] * len(x)
        return total / area
    for name, scheme in (("plm with mc", "limiter: mc\n  quadrature: 3"), ("ppm", "scheme: ppm\n  quadrature: 3"), ("weno5", "scheme: weno5")):
        coarse, fine = (error("UniGrid", f"UniGrid: {{cells: [{n}, {n}], {domain}}}", scheme) for n in (64, 128))
        still = error("Forest", f"Forest: {{cells: [64, 64], {domain}, block: 16, levels: 2, {square}}}", scheme)
        moving = error("Forest, Refine", f"Forest: {{cells: [64, 64], {domain}, block: 16, levels: 2, every: 4}}\n{follow}", scheme)
        note(f"a vortex through a fine square that rests, {name}, after a period, of 64² cells: mean error of the density", still / coarse, "", 1.1)
        note(f"a vortex that fine blocks follow, {name}, after a period, of 128² cells: mean error of the density", moving / fine, "", 1.3)


def kelvin_helmholtz():
    rest = "EOS: {gamma: 5/3}\nTime: {courant: 0.4}\n" + part_of("kelvin-helmholtz.yaml", "Hydro:", "IOASCII:")
    domain, end = "lower: 0, upper: [1, 2]", "final_time: 2"
    followed, whole, share, times = both([48, 96], domain, 3, 12, 4, 'variables: ["Hydro::density"], measure: gradient, refine_above: 0.05, coarsen_below: 0.02', end, rest)
    coarser, _, _ = run("UniGrid", f"UniGrid: {{cells: [96, 192], {domain}}}", end, rest)
    fine = whole.fields["Hydro::density"].at().levels[0].blocks[0]

    note("Kelvin–Helmholtz at t = 2, 3 levels to 192 × 384: mean difference from the fine run, of that of 96 × 192 cells", off(followed, fine) / off(coarser, fine), "", 1.2)
    note("Kelvin–Helmholtz followed by blocks: cells", share, "", None)
    note("Kelvin–Helmholtz followed by blocks: time to solution, how many times shorter", times, "", None)


def conserved():
    rest = ('Time: {courant: 0.3}\nHydro: {limiter: mc, velocity: ["0.7", "0.3", "0.2"], pressure: "1 + 20*exp(-((x-0.45)^2 + (y-0.55)^2)/0.004)"}\n')
    for what, driver, grid in (
            ("static faces", "Forest", 'boxes: ["1 0.26 0.74 0.26 0.74", "2 0.4 0.6 0.4 0.6"]}'),
            ("changes of blocks each 4 steps", "Forest, Refine", 'every: 4}\nRefine: {variables: ["Hydro::density"], measure: gradient, refine_above: 0.1, coarsen_below: 0.03}')):
        found, _, _ = run(driver, f"Forest: {{cells: [64, 64], lower: 0, upper: 1, block: 16, levels: 3, {grid}", "iterations: 1000", rest)
        with open(os.path.join(found.folder, "hydro-state.sum.asc")) as f:
            values = np.array([[float(x) for x in line.split()[2:]] for line in f if line[0] != "#"])
        scale = np.abs(values[0])
        scale[1:4] = scale[1:4].max()
        note(f"mass, momentum and energy over 1,000 steps, shocks through {what}, 2D: largest relative change", float((np.abs(values[-1] - values[0]) / scale).max()), "", 1e-13)


for case in sys.argv[2:] or ["sod", "sedov", "sedov3d", "double_mach", "vortex", "kelvin_helmholtz", "conserved"]:
    globals()[case]()
with open(sys.argv[1], "w") as f:
    json.dump(rows, f, indent=1, ensure_ascii=False)
