#!/usr/bin/env python3
"""Stretched axes: points where the formula of docs/concepts/grid-and-blocks.md says; derivatives of equations and of WaveToy converge at orders 4, 6, 8
against formulas, first, second and mixed ones; upwinding and dissipation by their weights; interpolation, integrals, Courant's step, radiation; readers see
the coordinates; the same bits on 1, 2 and 4 processes, under an audit and on a mirror; whoever knows one spacing only says so.

Mutations tried, with what fails: no `bend` in second_derivative, or one of the other sign (second derivatives); inv_dx of another axis in
mixed_derivative (mixed ones); the volume of Reduce added up block by block (uneven blocks).
"""
import math
import os
import sys

import numpy as np
from _physics import DIMENSIONS, bits, check, fails, finish, rows, run

sys.path.insert(0, os.path.join(os.environ["CEREUS_SOURCE"], "flesh", "python"))
A, X0, S, UPPER = 4.0, 1.5, 0.6, 6.0
STRETCH = f"stretch_factor: {A}, stretch_from: {X0}, stretch_width: {S}"


def place(X):
    return A * X + (1 - A) * S / (2 * np.tanh(X0 / S)) * (np.log(np.cosh((X + X0) / S)) - np.log(np.cosh((X - X0) / S)))


def slope(X):
    return A + (1 - A) / (2 * np.tanh(X0 / S)) * (np.tanh((X + X0) / S) - np.tanh((X - X0) / S))


def inverse(x):
    low, high = 0.0, x
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if place(middle) < x else (low, middle)
    return low


END = inverse(UPPER)  # the domain is |x| < UPPER, |X| < END


def vertices(n):
    return place(-END + 2 * END / n * np.arange(n + 1))


def orders(errors, sizes):
    return [math.log(a / b) / math.log(m / n) for a, b, n, m in zip(errors, errors[1:], sizes, sizes[1:])]


EQUATIONS = """
equations: |
  thorn Slopes "Derivatives of a known function, and how far they are off"
  evolve state "The function"
    u
  derive errors "Of the first and second derivatives, and a mixed one"
    ex, exx, exy
  derive moved "Upwinding and dissipation"
    up, down, diss
  operators centred({order}){kind}, upwind({order}), dissipation({odd})
  initial on everywhere
    u = sin(x) cos(3/4 y + 1)
  rhs
    D_t u = 0 u
  analysis
    ex = D_x u - cos(x) cos(3/4 y + 1)
    exx = D_xx u + sin(x) cos(3/4 y + 1)
    exy = D_xy u + 3/4 cos(x) sin(3/4 y + 1)
    up = 2 upwind_x u
    down = -2 upwind_x u
    diss = dissipation u
"""
SLOPES = EQUATIONS + """
thorns: [UniGrid, Time, MoL, Boundary, Reduce, IOASCII]
Cereus: {{iterations: 0, compile: {compile}}}
UniGrid: {{cells: {cells}, lower: -{upper}, upper: {upper}, periodic: false, {stretch}}}
Boundary: {{all: fixed}}
Time: {{dt: 0.1}}
IOASCII: {{variables: ["Slopes::errors", "Slopes::moved", "Slopes::u"], reductions: [norm2], lines: [x]}}
"""


def slopes(order, n, compiled, kind=""):
    return run(SLOPES.format(order=order, odd=order + 1, cells=[n, n], compile=str(compiled).lower(), stretch=STRETCH, upper=UPPER, kind=kind))


def norms(folder, name):
    return rows(folder, f"slopes-{name}.norm2.asc")[-1][2:]


if 2 in DIMENSIONS:
    for compiled, kind, cases in ((False, "", (4, 6, 8)), (True, "", (6,)), (True, " diagonal", (4,))):
        for order in cases:
            sizes = (64, 96) if order < 8 else (48, 72)
            by_size = [norms(slopes(order, n, compiled, kind), "errors") for n in sizes]
            for v, name in enumerate(("first", "second", "mixed")):
                found = orders([e[v] for e in by_size], sizes)[-1]
                check(abs(found - order) < 0.6, f"{name} derivative{kind}, order {order}, {'compiled' if compiled else 'interpreted'}: {found:.2f}")
    n = 40
    for compiled in (False, True):
        folder = slopes(4, n, compiled)
        u, moved = (np.array(rows(folder, f"slopes-{name}.x.asc")) for name in ("state", "moved"))
        x, u = u[:, 9], u[:, 12]
        check(np.abs(x - vertices(n)).max() < 1e-12, f"points lie where the formula says: off by {np.abs(x - vertices(n)).max():.1e}")
        dx, inner = 2 * END / n * slope(-END + 2 * END / n * np.arange(n + 1)), slice(3, -3)
        near = lambda m: np.roll(u, -m)[inner]
        up = (-3 * near(-1) - 10 * near(0) + 18 * near(1) - 6 * near(2) + near(3)) / 12 / dx[inner]
        down = (3 * near(1) + 10 * near(0) - 18 * near(-1) + 6 * near(-2) - near(-3)) / 12 / dx[inner]
        sixth = lambda f: f(-3) - 6 * f(-2) + 15 * f(-1) - 20 * f(0) + 15 * f(1) - 6 * f(2) + f(3)
        along_y = sixth(lambda m: np.cos(0.75 * vertices(n)[n // 2 + m] + 1)) / (64 * dx[n // 2]) * np.sin(x[inner])
        for name, want, got in (("upwind", 2 * up, 12), ("downwind", -2 * down, 13), ("dissipation", sixth(near) / (64 * dx[inner]) + along_y, 14)):
            off = np.abs(want - moved[inner, got]).max()
            check(off < 1e-12, f"{name}: off by {off:.1e}")


WAVE = """
thorns: [UniGrid, Time, MoL, Boundary, Reduce, Interpolate, IOASCII, IOHDF5, WaveToy{thorns}]
Cereus: {{final_time: {time}{cereus}}}
UniGrid: {{cells: {cells}, lower: {lower}, upper: {upper}, periodic: false, {stretch}{unigrid}}}
Boundary: {{{boundary}}}
Time: {{courant: {courant}}}
MoL: {{method: {method}}}
WaveToy: {{order: {order}, {data}}}
IOASCII: {{variables: ["WaveToy::error", "WaveToy::u", "WaveToy::rho"], reductions: [norm2, average], every: 1, lines: [x]}}
IOHDF5: {{variables: [{fields}], every: 1}}
{more}
"""
K = 0.2
KNOWN = f'all: neumann, overrides: ["WaveToy::u all formula cos(2*pi*{K}*x)*cos(2*pi*{K}*t)", "WaveToy::rho all formula -2*pi*{K}*cos(2*pi*{K}*x)*sin(2*pi*{K}*t)"]'
STANDING = f"initial_data: standing, wave_number: [{K}, 0, 0]"
PULSE = "initial_data: gaussian, width: 0.6, centre: [0.4, 0.3, 0.2]"


def wave(order=4, cells=(64,), time=1.0, courant=0.1, data=PULSE, boundary="all: radiation", stretch=STRETCH, more="", processes=1, thorns="", cereus="", unigrid="",
         fields="", lower=-UPPER, method="RK4", call=run):
    return call(WAVE.format(cells=list(cells), time=time, courant=courant, data=data, boundary=boundary, stretch=stretch, more=more, order=order, thorns=thorns, fields=fields,
                            cereus=cereus, unigrid=unigrid, upper=UPPER, lower=lower, method=method), *([processes] if processes > 1 else []))


if 1 in DIMENSIONS:
    for order, sizes in ((2, (60, 90)), (4, (60, 90)), (6, (60, 90)), (8, (48, 72))):
        errors = [rows(wave(order, (n,), data=STANDING, boundary=KNOWN, method="RKF78"), "wavetoy-error.norm2.asc")[-1][2] for n in sizes]
        found = orders(errors, sizes)[-1]
        check(abs(found - order) < 0.5, f"WaveToy, order {order}: {found:.2f}, {errors[-1]:.1e}")
    n = 48
    x = vertices(n)
    folder = wave(4, (n,), time=0.2, courant=0.4)
    first = min(t for t in (row[1] for row in rows(folder, "wavetoy-state.norm2.asc")) if t > 0)
    least = 2 * END / n * slope(END / n)
    check(math.ceil(0.2 / (0.4 * least) - 1e-9) == rows(folder, "wavetoy-state.norm2.asc")[-1][0], "Courant's step is that of the smallest spacing")
    row = rows(wave(4, (n,), time=0, data=STANDING), "wavetoy-state.average.asc")[-1]
    w = slope(-END + 2 * END / n * np.arange(n + 1))
    w[[0, -1]] /= 2
    mean, exact = (w * np.cos(2 * np.pi * K * x)).sum() / w.sum(), math.sin(2 * math.pi * K * UPPER) / (2 * math.pi * K * UPPER)
    check(abs(row[2] - mean) < 1e-13 and abs(mean - exact) < 5e-3, f"the average weighs points by their distance: off by {row[2] - mean:.1e}, from the integral by {mean - exact:.1e}")
    where = [-5.77, -3.1, -0.21, 0.4, 2.22, 4.9]
    errors = []
    for n in (64, 96):
        folder = wave(4, (n,), time=0, data=STANDING, more=f'Interpolate: {{order: 5, variables: ["WaveToy::u"], points: {[y for x in where for y in (x, 0, 0)]}, every: 1}}')
        errors.append(max(abs(row[5] - math.cos(2 * math.pi * K * x)) for x, row in zip(where, rows(folder, "interpolated.asc"))))
    check(errors[0] < 1e-4 and errors[1] < errors[0] / 4, f"interpolation is off by {errors[0]:.1e}, {errors[1]:.1e}")
    leaving = dict(time=12.0, courant=0.4, data="initial_data: gaussian, width: 0.8", boundary="all: radiation, radiation_power: 0")
    left = [np.abs([r[12] for r in rows(wave(4, (n,), **leaving), "wavetoy-state.x.asc")[-n - 1:]]).max() for n in (96, 192)]
    check(left[1] < 4e-3 and left[1] < left[0] / 3.5, f"a pulse leaves through radiating ends, but for {left[0]:.1e}, {left[1]:.1e}")

if 2 in DIMENSIONS:
    settings = dict(cells=(40, 32), time=0.6, courant=0.3, fields='"WaveToy::u", "WaveToy::error"')
    last = lambda folder: max(int(name[4:12]) for name in os.listdir(folder) if name.endswith(".hdf"))
    whole = wave(4, **settings)
    end = last(whole)
    want = bits(whole, end)
    check(len(want) > 3, "there are fields")
    for name, more in {"2 processes": {"processes": 2}, "4 processes": {"processes": 4}, "uneven blocks": {"unigrid": ", blocks: 3, uneven: true"}, "unfused": {"cereus": ", fuse: false"},
                       "a mirror": {"thorns": ", Accelerator, AcceleratorMirror", "cereus": ", device: mirror"}}.items():
        check(bits(wave(4, **{**settings, **more}), end) == want, f"the same bits: {name}")
    wave(4, **{**settings, "time": 0.05, "cereus": ", audit: true"})
    centred = dict(settings, data="initial_data: gaussian, width: 0.6")
    parts = [wave(4, **centred), wave(4, **dict(centred, cells=(20, 16), lower=0, boundary="all: radiation, x_lower: reflect, y_lower: reflect"))]
    from cereus.fields import carpet_levels, native_levels
    from pathlib import Path
    full, part = (native_levels(Path(f, f"run_{end:08d}.hdf"), "WaveToy::u")[0] for f in parts)
    off = np.abs(full.values[16:, 20:] - part.values).max()
    check(off < 1e-12, f"a quarter with reflecting faces is the whole: off by {off:.1e}")
    check(np.abs(full.coordinates("x") - vertices(40)).max() < 1e-12 and np.abs(full.coordinates("y") - vertices(32)).max() < 1e-12, "the reader knows where points are")
    cut = full.slice("x", (0, 2.0, 0))
    check(abs(full.coordinates("y")[cut.lo[1]] - 2.0) <= np.abs(vertices(32) - 2.0).min() + 1e-12, "a slice goes through the nearest point")
    said = wave(4, (40, 32), time=0, unigrid="", stretch="stretch_factor: 3, stretch_from: 1", boundary="all: reflect", call=fails)
    check(said[0] != 0 and "x_lower" in said[1] and "reflect" in said[1], "a mirror that is not at 0 is refused")
    said = fails(SLOPES.format(order=4, odd=5, cells=[16, 16], compile="false", stretch=STRETCH, upper=UPPER, kind="").replace("operators", "operator twice(u) = (u(+1) - 2 u(0) + u(-1)) / h^2\n  operators")
                 .replace("diss = dissipation u", "diss = twice_x u"))
    check(said[0] != 0 and "one spacing" in said[1], f"equations that know one spacing are refused: {said[1][-300:]}")
    said = wave(4, (40, 32), time=0, call=fails, unigrid="", stretch=STRETCH + ", periodic: true").__getitem__(1) if False else fails(
        WAVE.format(cells=[40, 32], time=0, courant=0.1, data=PULSE, boundary="all: neumann", stretch=STRETCH, more="", order=4, thorns="", fields="", cereus="", unigrid="",
                    upper=UPPER, lower=-UPPER, method="RK4").replace("periodic: false", "periodic: true"))[1]
    check("periodic" in said and "stretch" in said, "a periodic axis is not stretched")

HOLES = """
thorns: [UniGrid, Time, MoL, Boundary, IOHDF5, ADMBase, ExactMetrics{thorn}]
Cereus: {{iterations: 4{cereus}}}
UniGrid: {{cells: [{n}, {n}, {n}], lower: {lower}, upper: {upper}, periodic: false, {stretch}}}
Boundary: {{all: radiation{faces}}}
Time: {{dt: 0.03}}
ExactMetrics: {{data: BrillLindquist, mass: 0.5, place: [0, 0, 0.87], mass2: 0.5, place2: [0, 0, -0.87]}}
{name}: {{order: 4}}
IOHDF5: {{variables: ["{name}::geometry", "{name}::gauge"], every: 4}}
"""


def holes(n=24, lower=-UPPER, faces="", cereus="", text="", stretch=STRETCH):
    name = "Other" if text else "BSSN"
    body = HOLES.format(n=n, lower=lower, upper=UPPER, faces=faces, cereus=cereus, stretch=stretch, thorn="" if text else ", BSSN", name=name)
    import h5py
    folder = run(("equations: |\n" + "".join(f"  {line}\n" for line in text.splitlines()) if text else "") + body)
    with h5py.File(os.path.join(folder, "run_00000004.hdf")) as f:
        return {key.split("__")[1]: x[()] for key, x in f["data/4/meshes"].items() if "__" in key}


if 3 in DIMENSIONS:
    mirrors = ", x_lower: reflect, y_lower: reflect, z_lower: reflect"
    for name, stretch in (("stretched", STRETCH), ("uniform", "stretch_factor: 1")):
        whole, part = holes(stretch=stretch), holes(12, 0, mirrors, stretch=stretch)
        off = {v: np.abs(whole[v][12:, 12:, 12:] - x).max() / max(1, np.abs(x).max()) for v, x in part.items()}
        moved = {v for v, x in part.items() if np.abs(x).max() > 1e-6}
        check(len(moved) > 15 and max(off.values()) < 1e-10, f"BSSN in an octant is the whole, {name}: {len(moved)} fields that are not 0, off by {max(off.values()):.1e}")
    with open(os.path.join(os.environ["CEREUS_SOURCE"], "thorns/BSSN/equations.edl")) as f:
        other = holes(12, 0, mirrors, ", compile: false", f.read().replace("thorn BSSN", "thorn Other"))
    part = holes(12, 0, mirrors)
    off = max(np.abs(x - part[v]).max() / max(1, np.abs(x).max()) for v, x in other.items())
    check(off < 1e-10, f"the large kernel of BSSN and its equations, interpreted: off by {off:.1e}")
finish()
