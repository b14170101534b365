#!/usr/bin/env python3
"""Blocks that change in the course of a run, on the host and on a mirror with its lane.

One level: blocks that move to other slots before each step, in slabs that grow, give the bits of blocks that stay; so do time tiles. Two levels, of which the
finer covers a box that moves: a constant field has its mean, the wave converges, output and interpolation see the box where it is, a run
that goes on from a checkpoint has the bits of one that did not stop, level 1 may come once initial data are there, and an audit finds nothing.

Mutations, each of which makes it fail: blocks keep their old slots' addresses (Fields::place not called); the epoch stays; a covered block counts, or is written;
what lies in slots is not copied when a slab grows; the checkpoint does not say where the box was; the lane is not told.
"""
import math
import os
import subprocess
import tempfile

from _physics import check, finish, job, line, order_of, rows

THORNS = os.environ["CEREUS_TEST_THORNS"]
DEVICES = {"host": "", "mirror": ", Accelerator, AcceleratorMirror"}


def run(thorns, driver, more, iterations, device="host", folder=None, dt=0.01, cereus=""):
    folder = folder or tempfile.mkdtemp(prefix="cereus-")
    text = f"""thorns: [Moving, Time, Reduce, IOASCII, IOHDF5{thorns}{DEVICES[device]}]
Cereus: {{thorn_path: ["{THORNS}"], iterations: {iterations}, output: run{", device: mirror" if device == "mirror" else ""}{cereus}}}
Moving: {{{driver}}}
Time: {{dt: {dt}}}
{more}
"""
    done = subprocess.run(**job(folder, text, CEREUS_DEVICE="none"), capture_output=True, timeout=100)
    check(done.returncode == 0, f"{device}: {driver}{done.stderr[-2000:] if done.returncode else ''}")
    return os.path.join(folder, "run")


def texts(folder):
    """What all text series say."""
    found = {}
    for name in os.listdir(folder):
        if name.endswith(".asc"):
            with open(os.path.join(folder, name)) as f:
                found[name] = f.read()
    return found


WAVE = """WaveToy: {order: 4, initial_data: standing, wave_number: [0.5, 0.5, 0.5]}
MoL: {method: RK4}
IOASCII: {variables: ["WaveToy::u", "WaveToy::rho", "WaveToy::error"], every: 2, lines: [x, y], lines_every: 4, line_through: [0.125, 0.125, 0]}
"""
HEAT = """IOASCII: {variables: ["Jacobi::u", "Moving::count"], every: 6, lines: [x, y], lines_every: 6, line_through: [0.125, 0.125, 0]}
"""

# One level: blocks that move through memory.
for device in DEVICES:
    for name, thorns, more, steps in (("wave", ", MoL, WaveToy", WAVE, 8), ("heat", ", Jacobi", HEAT, 12),
                                      ("heat in time tiles", ", Jacobi, CaKernel", HEAT + "CaKernel: {steps: 3, trials: false, cache: false}\n", 12)):
        dt = 1 if "heat" in name else 0.01
        stay = texts(run(thorns, "cells: [32, 24], blocks: 2", more, steps, device, dt=dt))
        every = 3 if "tiles" in name else 1
        move = texts(run(thorns, f"cells: [32, 24], blocks: 2, every: {every}, shuffle: true", more, steps, device, dt=dt))
        counts = [[line.split()[-3:] for line in texts_.pop("moving-count..asc", "").splitlines() if line and line[0] != "#"][-1:] for texts_ in (stay, move)]
        check("heat" not in name or [c[0] for c in counts] == [["0"] * 3, [str(12 // every)] * 3], f"blocks changed: {counts}")
        check(len(stay) > 2 and stay == move, f"{name} on the {device}: blocks that move in memory have the bits of those that stay")

# A constant: each point counts once.
CONSTANT = """Diffusion: {initial_data: sine, amplitude: 0, offset: 1.5}
MoL: {method: RK4}
IOASCII: {variables: ["Diffusion::u"], every: 1, reductions: [average, minimum, maximum]}
"""
folder = run(", MoL, Diffusion", "cells: [32, 32], box: 2, every: 3", CONSTANT, 8, dt=1e-4)
means = [r[2] for r in rows(folder, "diffusion-state.average.asc")]
check(len(means) == 9 and all(abs(x - 1.5) < 1e-12 for x in means), f"the mean of 1.5 over the domain: {means}")

# Two levels, whose box is at block n of level 0 after n moves.
errors = []
for n in (32, 64):
    folder = run(", MoL, WaveToy", f"cells: [{n}, {n}], box: 2, every: {n // 8}", WAVE, n // 4, dt=0.64 / n)
    errors.append(rows(folder, "wavetoy-error.norm_inf.asc")[-1][2])
check(errors[1] < 1e-4 and order_of(*errors) > 3.5, f"the wave: errors {errors}, order {order_of(*errors):.2f}")


def box_seen(folder, iteration):
    """From where to where level 1 has points along x."""
    x = [r[9] for r in rows(folder, "wavetoy-state.x.asc") if r[0] == iteration and r[2] == 1]
    return min(x), max(x)


folder = run(", MoL, WaveToy, Interpolate", "cells: [32, 32], box: 2, every: 4",
             WAVE + 'Interpolate: {order: 3, variables: ["WaveToy::u"], points: [-0.9, 0.1, 0, 0.4, 0.1, 0]}', 8)
check(box_seen(folder, 0) == (-1, -1 / 32), f"level 1 at the start: {box_seen(folder, 0)}")
check(box_seen(folder, 8) == (0, 1 - 1 / 32), f"level 1 after two moves: {box_seen(folder, 8)}")
for iteration in (0, 4, 8):
    coarse, fine = ({r[9]: r[12] for r in rows(folder, "wavetoy-state.x.asc") if r[0] == iteration and r[2] == level} for level in (0, 1))
    both = coarse.keys() & fine.keys()
    check(len(coarse) == 16 and len(fine) == 32 and not both, f"what finer blocks cover is written once: {len(both)} points of both levels at iteration {iteration}")
for iteration, t, x, y, _, u in rows(folder, "interpolated.asc"):
    exact = math.cos(math.pi * x) * math.cos(math.pi * y) * math.cos(math.sqrt(2) * math.pi * t)
    # Order 3 on cells of 1/16: at most 3/128 h⁴ |u⁗| an axis.
    check(abs(u - exact) < 2 * 3 / 128 * (math.pi / 16) ** 4 + 1e-4, f"interpolated at {x} at iteration {iteration:.0f}: {u} for {exact}")

# Level 1 comes when initial data are there, and has its own.
there = texts(run(", MoL, WaveToy", "cells: [32, 32], box: 2, every: 100", WAVE, 4))
late = texts(run(", MoL, WaveToy", "cells: [32, 32], box: 2, every: 100, late: true", WAVE, 4))
check(there == late, "a level that comes late has the bits of one that was there")

# A run that goes on, and an audit. Coordinates are in no checkpoint, and made anew for the blocks that there are.
more = WAVE.replace('"WaveToy::error"', '"WaveToy::error", "Coordinates::x"') + "Checkpoint: {every: 5}\n"
thorns, driver = ", MoL, WaveToy, Checkpoint, Coordinates", "cells: [32, 32], box: 2, every: 4"
for device in DEVICES:
    whole = texts(run(thorns, driver, more, 12, device))
    folder = tempfile.mkdtemp(prefix="cereus-")
    for iterations in (5, 12):
        parts = run(thorns, driver, more, iterations, device, folder)
    check(whole == texts(parts), f"on the {device}: a run that goes on has the bits of one that did not stop")
    check(whole == texts(run(thorns, driver, more, 12, "host")), f"the {device} has the bits of the host")
check(whole == texts(run(thorns, driver, more, 12, cereus=", audit: true")), "an audit finds nothing")
finish()
