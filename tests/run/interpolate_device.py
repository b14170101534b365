#!/usr/bin/env python3
"""Interpolation where a device holds the fields: the bits of the host, values and gradients, mirror images and stretched axes, on any number of processes
and in 1, 2, 3 dimensions; points travel up once, values come back, and no field does.

By default on the mirror device. DEVICE=cuda takes a GPU, where sums may be contracted: then values agree to 1e-13, and what follows
from them to 1e-10, of the largest number of a file.
Mutations seen to fail: stencils one point off (values, gradients); the host's copy called valid after an evaluation (values of the next step); the table of
targets sent each time (bytes); one level at most on a device (bytes of three levels).
"""
import json
import os
import random
import re

from _physics import DIMENSIONS, check, finish, run

DEVICE = os.environ.get("DEVICE", "mirror")
ON = {"mirror": "Accelerator, AcceleratorMirror", "cuda": "Accelerator, AcceleratorCUDA"}[DEVICE]
random.seed(7)
POINTS = [[random.uniform(-1, 1) for _ in range(3)] for _ in range(50)]
WAVE = """
thorns: [UniGrid, Time, MoL, WaveToy, Interpolate, TimerReport, {on}]
Cereus: {{iterations: 3, device: {device}, lane: {lane}, real: {real}}}
UniGrid: {{cells: {cells}, lower: -1, upper: 1, periodic: true, blocks: {blocks}}}
WaveToy: {{initial_data: standing, order: 2, wave_number: [0.5, 0.5, 0.5]}}
Time: {{dt: 0.01}}
Interpolate: {{order: 4, on_device: {there}, variables: ["WaveToy::u", "WaveToy::rho"], points: {points}}}
"""
# A hole on an eighth of space, on stretched axes; spheres and a horizon across the planes of symmetry.
HOLE = """
thorns: [UniGrid, Time, Boundary, ADMBase, ExactMetrics, Interpolate, Horizons, Multipole, ADMIntegrals, TimerReport, {on}]
Cereus: {{iterations: 1, device: {device}, lane: {lane}}}
UniGrid: {{cells: [32, 32, 32], lower: 0, upper: 6, periodic: false, stretch_factor: 2.5, stretch_from: 3, stretch_width: 1, blocks: {blocks}}}
Boundary: {{all: extrapolate, x_lower: reflect, y_lower: reflect, z_lower: reflect}}
Time: {{dt: 0.5}}
ExactMetrics: {{data: KerrSchild}}
Interpolate: {{order: 5, on_device: {there}, variables: ["ADMBase::metric", "ADMBase::curv"], points: {points}}}
Horizons: {{centres: [0, 0, 0], radii: [2.3], beside: false}}
Multipole: {{variables: ["ADMBase::gxy", "ADMBase::kzz"], radii: [2.5, 4]}}
ADMIntegrals: {{radii: [3, 5]}}
"""


def case(text, device, processes=1, there="true", blocks=1, lane="true", **more):
    on = "" if device == "none" else ON
    return run(text.format(device=device, on=on, there=there, blocks=blocks, lane=lane, **more).replace(", ]", "]"), processes)


def series(folder):
    """All text that was written, but for what says how long something took."""
    found = {}
    for name in sorted(os.listdir(folder)):
        if name.endswith((".asc", ".gp")):
            with open(os.path.join(folder, name)) as f:
                found[name] = f.read()
    return found


NUMBER = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?")


def same(a, b):
    """Bits; on a GPU numbers, relative to the largest of the file."""
    if DEVICE == "mirror" or a.keys() != b.keys():
        return a == b
    for name in a:
        x, y = ([float(n) for n in NUMBER.findall(t)] for t in (a[name], b[name]))
        worst = max(abs(p - q) for p, q in zip(x, y)) / max(map(abs, x))
        if len(x) != len(y) or not worst < (1e-13 if name == "interpolated.asc" else 1e-10):
            return print(f"      {name}: numbers differ by {worst:.1e}")
    return True


def traffic(folder):
    """{(routine, variable): (bytes to the host, to the device)}"""
    with open(os.path.join(folder, "timers.json")) as f:
        return {(t["routine"], t["variable"]): (t["to_host"], t["to_device"]) for t in json.load(f)["traffic"]}


def waves():
    for dim in DIMENSIONS:
        for real in ("double", "float") if "CEREUS_LONG" in os.environ else ("double",):  # what is in float is built for a minute first
            more = {"cells": [16] * dim, "real": real, "points": [x for p in POINTS for x in p]}
            there = case(WAVE, DEVICE, **more)
            where = f"{dim}D, {real}"
            check(same(series(there), series(case(WAVE, DEVICE, there="false", **more))), f"{where}: values from the device are those of the host")
            if DEVICE == "mirror":
                check(series(there) == series(case(WAVE, "none", **more)), f"{where}: and those without a device")
                check(series(there) == series(case(WAVE, DEVICE, 2, blocks=2, **more)), f"{where}: and on 2 processes")
    rows = 4 + 2 * (5 * dim + 3 - dim)  # places and levels; weights and their derivatives
    moved = traffic(case(WAVE, DEVICE, **more))
    moved = {v: moved[k, v] for k, v in moved if k == "Interpolate::series"}
    values = 8 * len(POINTS) * 4  # at the beginning, and after each of three steps
    wanted = {"WaveToy::u": (values, 8 * rows * len(POINTS)), "WaveToy::rho": (values, 0)}
    check(moved == wanted, f"points travel up once, values come back: {moved}" + ("" if moved == wanted else f" instead of {wanted}"))
    moved = traffic(case(WAVE, DEVICE, there="false", **more))
    moved = moved["Interpolate::series", "WaveToy::u"][0]
    check(moved >= 4 * 4 * 16**dim, f"on the host: whole fields, {moved} bytes")


def levels():
    """Three levels of blocks lie in one slab: values of all come from the device."""
    grid = "Forest: {{cells: [32, 32], block: 16, levels: 3, boxes: ['1 -0.4 0.4 -0.4 0.4', '2 -0.2 0.2 -0.2 0.2']}}"
    text = re.sub(r"^UniGrid: .*$", grid, WAVE, flags=re.M).replace("[UniGrid,", "[Forest,").replace("order: 4, on_device", "order: 3, on_device").replace("order: 2, wave", "order: 4, wave")
    more = {"cells": 0, "real": "double", "points": [x for p in POINTS for x in (0.6 * p[0], 0.6 * p[1], 0)]}
    there = case(text, DEVICE, **more)
    check(same(series(there), series(case(text, DEVICE, there="false", **more))), "three levels: values from the device are those of the host")
    if DEVICE == "mirror":
        check(series(there) == series(case(text, "none", **more)), "three levels: and those without a device")
        check(series(there) == series(case(text, DEVICE, 2, **more)), "three levels: and on 2 processes")
    moved = traffic(there)["Interpolate::series", "WaveToy::rho"]
    check(moved == (8 * len(POINTS) * 4, 0), f"three levels: no field comes, {moved}")


def holes():
    points = [x for p in POINTS for x in (4 * p[0], 4 * p[1], 2.5 + p[2])]
    there = case(HOLE, DEVICE, points=points)
    check("BH_diagnostics.ah1.gp" in series(there), "the horizon is found")
    check(same(series(there), series(case(HOLE, DEVICE, there="false", points=points))), "an eighth of space: gradients, mirror images, stretched axes")
    if DEVICE == "mirror":
        check(series(there) == series(case(HOLE, "none", points=points)), "and without a device")
        check(series(there) == series(case(HOLE, DEVICE, 2, blocks=4, points=points)), "and on 2 processes")
    moved, sphere = traffic(there), 8 * 2 * 24 * 48 * 2  # bytes: two of them, at two times
    wanted = {("ADMIntegrals::integrate", "ADMBase::gzz"): 4 * sphere, ("ADMIntegrals::integrate", "ADMBase::kzz"): sphere,
              ("Multipole::multipoles", "ADMBase::gxy"): sphere}
    found = {key: moved.get(key, (0, 0))[0] for key in wanted}
    check(found == wanted, f"values and gradients come back: {found}")
    field = 8 * 32**3
    check(max(to_host for (routine, _), (to_host, _) in moved.items() if routine != "Horizons::search") < field, "and no field")
    up = sum(to_device for (routine, _), (_, to_device) in moved.items() if routine == "Multipole::multipoles")
    check(up == 8 * (4 + 36) * 2 * 24 * 48, f"spheres travel up once, beside a search for a horizon: {up} bytes")


waves()
if 2 in DIMENSIONS:
    levels()
if 3 in DIMENSIONS:
    holes()
finish()
