#!/usr/bin/env python3
"""Levels with steps of their own: beside the same scheme in numpy, with stages of the coarser level from derivatives in place of sums of registers; an oblique
wave on three levels converges as with one step for all; the same bits on 1, 2 and 4 processes, on a mirror device and from checkpoints; half a domain with a mirror
is the whole; what a gas conserves stays, where blocks change, too; sums, files and pictures leave out covered blocks; what cannot be known is refused.

Mutations, each of which makes it fail: finer levels that see timelevel 0 of the coarser one, or the first stage at all stages; no restriction; fluxes with the weights of a
stage; sums of fluxes that are not cleared; covered blocks in kernels that reduce; a level without blocks that keeps its time.
"""
import math
import os
import re
import subprocess
import tempfile

import numpy as np
from _physics import DIMENSIONS, bits, check, finish, job

WAVE = """thorns: [Forest, Time, MoL, WaveToy, Reduce, IOASCII{more}]
Cereus: {{{end}, output: out}}
Forest: {{cells: {cells}, lower: 0, upper: {upper}, block: {block}, levels: {levels}, boxes: {boxes}, points: {points}, subcycle: true}}
MoL: {{method: {method}}}
Time: {{courant: {courant}}}
WaveToy: {{order: {order}, initial_data: {data}, wave_number: {wave}}}
IOASCII: {{variables: ["WaveToy::u", "WaveToy::error"], reductions: [norm_inf, norm2, sum], every: {every}, points: {places}}}
"""
TWO = '["1 0.26 0.74 0.26 0.74", "2 0.45 0.55 0.45 0.55"]'


def wave(**changes):
    asked = dict(more="", end="iterations: 16", cells=[64, 64], upper=1, block=16, levels=3, boxes=TWO, points=6, method="RK4", courant=0.4, order=4, data="plane", wave=[1, 2, 0], every=1,
                 places="[0.5, 0.5, 0, 0.27, 0.31, 0, 0.7, 0.1, 0]")
    return WAVE.format(**asked | changes)


def run(text, processes=1, options=()):
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, text, processes, options), capture_output=True, timeout=280)
    return done.returncode, done.stdout + done.stderr, os.path.join(folder, "out")


def rows(out, name):
    with open(os.path.join(out, name)) as f:
        return [line.split() for line in f if line[0] != "#"]


def last_points(out):
    all_rows = rows(out, "wavetoy-state.points.asc")
    return [float(row[5]) for row in all_rows if row[0] == all_rows[-1][0]]


# The reference: vertices [first, end) of each level along x, two ghost points at either end; y is the same everywhere.
SPANS = [(0, 64), (32, 96), (96, 160)]


def at(level, index):
    return index - SPANS[level][0] + 2


def filled(level, y, coarse):
    """With ghost points: periodic ones, or from six points of the coarser level."""
    first, end = SPANS[level]
    if coarse is None:
        y[:, :2], y[:, -2:] = y[:, -4:-2].copy(), y[:, 2:4].copy()
        return y
    for p in (first - 2, first - 1, end, end + 1):
        c = at(level - 1, p // 2)
        six = coarse[:, c - 2:c + 4]
        y[:, at(level, p)] = coarse[:, c] if p % 2 == 0 else six @ np.array([3, -25, 150, 150, -25, 3]) / 256
    return y


def rate(level, y):
    u, rho = y
    k = np.zeros_like(y)
    k[0, 2:-2] = rho[2:-2]
    k[1, 2:-2] = (-u[:-4] + 16 * u[1:-3] - 30 * u[2:-2] + 16 * u[3:-1] - u[4:]) / 12 * (64 * 2**level) ** 2
    return k


def advance(state, level, dt, seen):
    """A step of a level and two of the finer one; `seen`: the coarser level at the four stages."""
    y, k = state[level], []
    for n, a in enumerate((0, 0.5, 0.5, 1)):
        k.append(rate(level, filled(level, y + a * dt * k[-1] if n else y.copy(), seen and seen[n])))
    state[level] = y + dt / 6 * (k[0] + 2 * k[1] + 2 * k[2] + k[3])
    if level + 1 == len(state):
        return
    # y and its derivatives within the step (McCorquodale and Colella, Comm. App. Math. Comp. Sci. 6 (2011) 1), and from these a stage of half the step.
    third, bent, h = 4 * (k[0] - k[1] - k[2] + k[3]) / dt**2, 4 * (k[2] - k[1]) / dt**2, dt / 2
    for half in (0, 1):
        x = half * h
        second = (-3 * k[0] + 2 * k[1] + 2 * k[2] - k[3]) / dt + third * x
        slope = k[0] + (-3 * k[0] + 2 * k[1] + 2 * k[2] - k[3]) / dt * x + third * x**2 / 2
        value = y + k[0] * x + (-3 * k[0] + 2 * k[1] + 2 * k[2] - k[3]) / dt * x**2 / 2 + third * x**3 / 6
        advance(state, level + 1, h, [value, value + h / 2 * slope, value + h / 2 * slope + h**2 / 4 * second + h**3 / 16 * (third - bent),
                                      value + h * slope + h**2 / 2 * second + h**3 * (bent / 4 + (third - bent) / 8)])
    first, end = SPANS[level + 1]
    state[level][:, at(level, first // 2):at(level, end // 2)] = state[level + 1][:, 2:-2:2]


def reference(steps):
    state = []
    for level, (first, end) in enumerate(SPANS):
        x = np.arange(first - 2, end + 2) / (64 * 2**level)
        state.append(np.array([np.sin(2 * np.pi * x), -2 * np.pi * np.cos(2 * np.pi * x)]))
    for _ in range(steps):
        advance(state, 0, 0.4 / 64, None)
    return state


if 2 in DIMENSIONS:
    sample = [(0, 5), (0, 17), (1, 33), (1, 64), (1, 95), (2, 97), (2, 130), (2, 159), (0, 47)]
    places = ", ".join(f"{p / (64 * 2**l)}, 0.0625, 0" for l, p in sample)
    code, said, out = run(wave(cells=[64, 16], upper="[1, 0.25]", boxes='["1 0.26 0.74 0 0.25", "2 0.45 0.55 0 0.25"]', wave=[1, 0, 0], places=f"[{places}]", every=10, end="iterations: 40"))
    if check(code == 0, f"a wave along x: exit {code} {said[-300:] if code else ''}"):
        state = reference(40)
        finest = lambda l, p: (2, 4 * p // 2**l) if 96 <= 4 * p // 2**l < 160 else (1, 2 * p // 2**l) if l == 0 and 32 <= 2 * p < 96 else (l, p)
        want = [state[l][0, at(l, p)] for l, p in (finest(*s) for s in sample)]
        got = last_points(out)
        off = max(abs(a - b) for a, b in zip(want, got))
        check(len(got) == len(sample) and off < 1e-11, f"as in numpy, after 40 steps: off by {off:.1e}")

    small = wave(more=", IOHDF5, IOImage, Checkpoint") + "IOHDF5: {variables: [WaveToy::u], every: 16}\nIOImage: {variables: [WaveToy::u], every: 16, outlines: true}\nCheckpoint: {every: 8}\n"
    code, said, out = run(small)
    check(code == 0 and "3 levels, 48 blocks of 16² cells (16, 16, 16)" in said, f"a run to compare with: exit {code} {said[-300:] if code else ''}")
    one = bits(out, 16)
    for processes in (2, 4):
        code, said, out = run(small, processes)
        check(code == 0 and bits(out, 16) == one, f"{processes} processes: the same bits {said[-300:] if code else ''}")
    for processes in (1, 2):
        code, said, out = run(small.replace("Checkpoint]", "Checkpoint, Accelerator, AcceleratorMirror]").replace("Cereus: {", "Cereus: {device: mirror, "), processes)
        check(code == 0 and bits(out, 16) == one, f"a mirror, {processes} processes: the same bits {said[-300:] if code else ''}")
    code, said, out = run(small, 2, ["--set", "Cereus.iterations=8"])
    again = subprocess.run([os.environ["CEREUS"], "run", "run.yaml"], cwd=os.path.dirname(out), capture_output=True, text=True, timeout=200)
    check(code == again.returncode == 0 and bits(out, 16) == one, f"from a checkpoint of two processes on one: exit {again.returncode} {again.stderr[-300:]}")

    # Covered blocks are in no integral, file or picture: the integral of 1 is the volume, that of sin² half of it.
    code, said, out = run(wave(more=", Expressions, IOHDF5", end="iterations: 0", places="[]").replace('"WaveToy::error"', '"Expressions::results"')
                          + 'Expressions: {analysis: ["one = 1 + 0*x", "square = WaveToy::u^2"]}\nIOHDF5: {variables: [WaveToy::u], every: 1}\n')
    if check(code == 0, f"integrals: exit {code} {said[-300:] if code else ''}"):
        found = [float(x) for x in rows(out, "expressions-results.sum.asc")[-1][2:]]
        check(abs(found[0] - 1) < 1e-14 and abs(found[1] - 0.5) < 1e-6, f"integrals of 1 and of the square of a wave: {found}")

    # Half of a standing wave beside a mirror.
    whole = wave(data="standing", wave=[1, 1, 0], boxes='["1 0.26 0.74 0.26 0.74", "2 0.45 0.55 0.45 0.55"]', places="[0.53125, 0.5, 0, 0.75, 0.25, 0, 0.9375, 0.5, 0]").replace("subcycle", "periodic: false, subcycle")
    half = whole.replace("cells: [64, 64], lower: 0, upper: 1", "cells: [32, 64], lower: [0.5, 0], upper: 1").replace('"1 0.26 0.74', '"1 0.5 0.74').replace('"2 0.45 0.55', '"2 0.5 0.55')
    found = []
    for text, faces in ((whole, "all: neumann"), (half, "all: neumann, x_lower: reflect")):
        code, said, out = run(text.replace("IOASCII]", "IOASCII, Boundary]") + f"Boundary: {{{faces}}}\n")
        check(code == 0, f"{faces}: exit {code} {said[-300:] if code else ''}")
        found.append(last_points(out) if code == 0 else [math.nan])
    off = max(abs(a - b) for a, b in zip(*found))
    check(off < 1e-14, f"half a domain is half of the whole: off by {off:.1e}")

    # A level that goes and comes back has the time of the others, and a run goes on from a checkpoint without it.
    comes = wave(data="standing", wave=[1, 1, 0], levels=2, boxes="[]", end="final_time: 0.5", more=", Refine, Checkpoint", places="[]").replace("subcycle", "every: 1, subcycle") \
        + 'Refine: {variables: ["WaveToy::u"], measure: value, refine_above: 0.5, coarsen_below: 0.3}\nCheckpoint: {every: 0}\n'
    code, said, out = run(comes)
    blocks = [int(n) for n in re.findall(r"2 levels, \d+ blocks of 16² cells \(\d+, (\d+)\)", said)]
    check(code == 0 and 0 in blocks[1:-1] and blocks[-1] > 0, f"finer blocks: {blocks} {said[-300:] if code else ''}")
    same, theirs = (float(rows(where, "wavetoy-error.norm_inf.asc")[-1][2]) for where in (run(comes.replace("every: 1, subcycle: true", "every: 2"))[2], out))
    check(theirs < 1.5 * same, f"errors of a level that came back: {theirs:.2e}, with one step for all {same:.2e}")
    last = [int(n) for n in re.findall(r"from iteration (\d+) on", said)][blocks.index(0, 1)]
    code, said, cut = run(comes, 1, ["--set", f"Cereus.iterations={last + 2}"])
    again = subprocess.run([os.environ["CEREUS"], "run", "run.yaml"], cwd=os.path.dirname(cut), capture_output=True, text=True, timeout=200)
    check(code == again.returncode == 0 and bits(cut, 0) == bits(out, 0), f"from a checkpoint while there is none: exit {again.returncode} {again.stderr[-300:]}")

    # What cannot be known, and what has no use.
    for old, new, words in (("method: RK4", "method: RK45", "Forest.subcycle: MoL.method: RK45 keeps right-hand sides"), ("method: RK4", "method: DP87", "take RK4, RK3, SSPRK3, RK2, SSPRK2 or Euler"),
                            ("subcycle: true", "subcycle: true, same_steps: 2", "Forest.same_steps: 2, but the finest level is 2"),
                            (f"levels: 3, boxes: {TWO}", "levels: 1", "Forest.subcycle: true, but Forest.levels: 1 has no finer ones")):
        text = wave()
        check(old in text, old)
        code, said, out = run(text.replace(old, new))
        check(code == 1 and words in said and not os.path.exists(out), f"{new}: exit {code} {said.strip()[-200:]}")
    done = subprocess.run(**{**job(tempfile.mkdtemp(prefix="cereus-"), wave()), "args": [os.environ["CEREUS"], "check", "run.yaml"]}, capture_output=True)
    check(done.returncode == 0 and re.search(r"12288 cells, each level with steps of its own: 0\.583 of the updates", done.stdout), f"check says what a step costs: {done.stdout[-400:]}")


def error(dim, n, method, order=4, courant=0.2):
    block = (16 if dim == 2 else 12) * n
    boxes = f'["1 {"0.26 0.74 " * dim}", "2 {"0.45 0.55 " * dim}"]'
    code, said, out = run(wave(cells=[(4 if dim == 2 else 2) * block] * dim, block=block, boxes=boxes, end="final_time: 0.3", courant=courant, order=order, points=order + 2, method=method,
                               wave=[1, 2, 0] if dim == 2 else [1, 1, 1], places="[]", every=1))
    check(code == 0, f"{dim}D, {method}: exit {code} {said[-400:] if code else ''}")
    with open(os.path.join(out, "wavetoy-error.norm_inf.asc")) as f:
        return float(f.read().split()[-1])


for dim, method, want, order in ((2, "RK4", 4, 4), (2, "SSPRK3", 3, 6), (2, "RK3", 3, 6), (2, "SSPRK2", 2, 4), (2, "RK2", 2, 4), (3, "RK4", 4, 4)):
    if dim not in DIMENSIONS or (dim == 3 or method in ("RK3", "RK2")) and "CEREUS_LONG" not in os.environ:
        continue
    errors = [error(dim, n, method, order) for n in (1, 2)]
    found = math.log2(errors[0] / errors[1])
    check(abs(found - want) < 0.25, f"{dim}D, {method}, differences of order {order} on three levels: errors {errors}, order {found:.2f}")

GAS = """thorns: [Forest, Time, MoL, EOS, Hydro, Reduce, IOASCII{more}]
Cereus: {{iterations: {steps}, output: out}}
Forest: {{cells: [64, 64], lower: 0, upper: 1, block: 16, levels: 3, subcycle: true, {forest}}}
MoL: {{method: {method}}}
Time: {{courant: 0.3}}
Hydro: {{{scheme}, velocity: ["0.7", "0.3", "0"], pressure: "1 + 20*exp(-((x-0.45)^2 + (y-0.55)^2)/0.004)", scalars: ["dye = x < 0.4 ? 1 : 0"]}}
IOASCII: {{variables: ["Hydro::state", "Hydro::dye"], reductions: [sum, norm1, norm_inf], every: {steps}}}
"""
STATIC = f"boxes: {TWO}"
FOLLOWS = 'every: 2}\nRefine: {variables: ["Hydro::density"], measure: gradient, refine_above: 0.1, coarsen_below: 0.03'


def drift(out):
    sums, sizes = (rows(out, f"hydro-state.{what}.asc") for what in ("sum", "norm1"))
    scale = [float(x) for x in sizes[0][2:]]
    scale[1:4] = [max(scale[1:4])] * 3
    far = [abs(float(b) - float(a)) / s for a, b, s in zip(sums[0][2:], sums[-1][2:], scale)]
    dye = rows(out, "hydro-scalars.sum.asc")
    return max(far + [abs(float(dye[-1][2]) / float(dye[0][2]) - 1)])


if 2 in DIMENSIONS:
    for steps, forest, kind in ((30, STATIC, {}), (12, STATIC, dict(method="RK3", scheme="scheme: weno5")), (16, STATIC, dict(method="RK4")), (20, FOLLOWS, dict(more=", Refine"))):
        text = GAS.format(**dict(steps=steps, forest=forest, method="SSPRK2", scheme="scheme: plm", more="") | kind)
        code, said, out = run(text)
        if check(code == 0, f"a gas, {kind or 'static'}: exit {code} {said[-600:] if code else ''}"):
            far, most = drift(out), abs(float(rows(out, "hydro-state.norm_inf.asc")[-1][2]) - 1)
            check(far < 1e-13 and most > 0.005, f"a gas, {kind or 'static'}: sums are off by {far:.1e} after {steps} steps, the density by {most:.2f}")
        if kind and "more" not in kind:
            continue
        want = bits(out, steps)
        for what, processes, changed in (("2 processes", 2, text), ("4 processes", 4, text), ("a mirror on 2 processes", 2, re.sub(r"^(thorns: .*)\]", r"\1, Accelerator, AcceleratorMirror]", text, flags=re.M))):
            code, said, out = run(changed, processes)
            check(code == 0 and bits(out, steps) == want, f"{what}: the same bits {said[-400:] if code else ''}")
    # A kernel that reduces leaves out covered blocks: half of the 40 leaves are below the floor.
    text = GAS.format(steps=0, forest=STATIC, method="SSPRK2", scheme="scheme: plm", more="").replace("Hydro: {", 'Hydro: {density: "x < 0.5 ? 1 : 1e-5", density_floor: 1e-3, ').replace("every: 0", "every: 1")
    code, said, out = run(text)
    check(code == 0 and f"in {20 * 256} cells" in said, f"cells below a floor: exit {code} {said[-500:]}")
finish("" if {2, 3} & set(DIMENSIONS) else "kernels were compiled for one dimension only")
