#!/usr/bin/env python3
"""Crystals: steps against loops over arrays written from the README, in 1 to 3 dimensions, turned, with noise, of an alloy in a temperature gradient;
what is conserved; a frame that moves; growth of flat fronts against exact solutions. The same bits on 1, 2, 4 processes, in several blocks,
in time tiles, and cut into three runs.

Mutations, each of which makes it fail: ½φ_t missing; the sign of ε; a in τ but not in W, or the other way; a coefficient of A_ij; the Laplacian
with 5 points; noise that depends on the process, or is the same in each step; the frame moved the other way or by two cells, its offset not counted;
fluxes through the two faces of a cell from different formulas; P before U's rate as it was; without the anti-trapping current; k for 1 − k; the
gradient's speed with the wrong sign; the tip from the row below; the nearest seed's angle from the next one.
"""
import math
import os
import subprocess
import tempfile
import types

import numpy as np

from _crystal import coefficients, fields, parfile, series, step
from _physics import DIMENSIONS, bits, check, fails, finish, job, known, run

EXACT = os.environ.get("CEREUS_DEVICE", "none") != "cuda"
DEVICE = {k: v for k, v in os.environ.items() if k == "CEREUS_ACTIVATE"}

# A_ij of the reference are the second derivatives of ½ a² |p|².
random = np.random.default_rng(1)
for dim in (2, 3):
    p, epsilon, h = random.uniform(0.2, 1, (dim, 50)), 0.05, 1e-4
    energy = lambda q: coefficients(q / np.sqrt((q**2).sum(0)), epsilon)[0] * (q**2).sum(0) / 2
    e = h * np.eye(dim)[:, :, None]
    numbers = [[sum(s * t * energy(p + s * e[i] + t * e[j]) for s in (-1, 1) for t in (-1, 1)) / (4 * h * h) for j in range(dim)] for i in range(dim)]
    wrong = np.abs(np.array(numbers) - np.array(coefficients(p / np.sqrt((p**2).sum(0)), epsilon)[1])).max()
    check(wrong < 1e-6, f"{dim}D: A_ij away from differences of A by {wrong:.1e}")

# Steps. Seeds touch, so that normals have all directions.
PLAIN = dict(undercooling=0.6, diffusivity=2, radius=4, seeds=[5, 6, 7, 13, 11, 5, 3, 15, 12])
TURNED = PLAIN | dict(angles=[0, 17, -40])
NOISY = TURNED | dict(noise=1e-3, noise_seed=5, anisotropy=0.03, coupling=2.5)
ALLOY = PLAIN | dict(model="alloy", partition=0.3)
PULLED = ALLOY | dict(angles=[5, 0, 30], noise=1e-4, thermal_length=12, pulling_speed=0.5, isotherm=4)
MOVING = TURNED | dict(noise=1e-3, frame=0.35)
CARRIED = PULLED | dict(frame=0.35)
FLAT, SQUARE, BRICK = ([40], [24]), ([30, 26], [18, 17]), ([22, 19, 20], [17, 16, 15])


def tip_of(phi, offset, row, h):
    """Where φ is 0 on a straight line between two cells, furthest along x."""
    line = phi[(slice(None),) + row]
    crossings = [i + 0.5 + line[i] / (line[i] - line[i + 1]) for i in range(len(line) - 1) if line[i] > 0 >= line[i + 1]]
    return (offset + max(crossings)) * h[0]


for dim, name, (cells, upper), dendrite in known([
        (1, "melt", FLAT, PLAIN), (2, "melt", SQUARE, PLAIN), (3, "melt", BRICK, PLAIN), (2, "turned", SQUARE, TURNED), (3, "turned", BRICK, TURNED),
        (2, "noise", SQUARE, NOISY), (3, "noise", BRICK, NOISY), (1, "alloy", FLAT, ALLOY), (2, "alloy", SQUARE, ALLOY), (3, "alloy", BRICK, ALLOY),
        (2, "alloy, pulled", SQUARE, PULLED), (3, "alloy, pulled", BRICK, PULLED), (2, "frame", SQUARE, MOVING), (2, "alloy, frame", SQUARE, CARRIED)]):
    steps, dt, h = 12, 0.02, [u / n for u, n in zip(upper, cells)]
    text = lambda grid="": parfile(cells, upper, dendrite, steps, dt=dt, grid=grid, every=1, ascii='["Dendrite::tip", "Dendrite::solid", "Dendrite::offset"]')
    folder = run(text())
    x = np.meshgrid(*((np.arange(n) + 0.5) * s for n, s in zip(cells, h)), indexing="ij")
    seeds = np.array(dendrite["seeds"]).reshape(-1, 3)[:, :dim]
    row = tuple(int(y / s) for y, s in zip(seeds[0][1:], h[1:]))
    distances = lambda offset: np.array([np.sqrt(sum((x[d] + (offset * h[0] if d == 0 else 0) - s[d])**2 for d in range(dim))) - 4 for s in seeds])
    p = types.SimpleNamespace(model=dendrite.get("model", "melt"), epsilon=dendrite.get("anisotropy", 0.05), D=2, dt=dt, coupling=dendrite.get("coupling", 2 / 0.6267),
                              k=dendrite.get("partition"), F=dendrite.get("noise", 0), seed=dendrite.get("noise_seed", 1), isotherm=dendrite.get("isotherm", 0),
                              slope=1 / dendrite["thermal_length"] if "thermal_length" in dendrite else 0, speed=dendrite.get("pulling_speed", 0), ahead=-0.6 if "frame" in dendrite else None)
    phi, U, offset, wrong, tips = -np.tanh(distances(0).min(0) / math.sqrt(2)), np.full(cells, -0.6), 0, [], []
    for n in range(steps + 1):
        if n > 0:
            p.angle = np.radians(np.array(dendrite.get("angles", [0, 0, 0])))[distances(offset).argmin(0)]
            phi, U = step(phi, U, h, p, n, (n - 1) * dt, offset)
        tips.append(tip_of(phi, offset, row, h))
        if tips[-1] / h[0] - offset > dendrite.get("frame", 9) * cells[0]:
            phi, U = np.concatenate((phi[1:], phi[-1:])), np.concatenate((U[1:], 2 * p.ahead - U[-1:]))
            offset += 1
        wrong.append(max(np.abs(a - b).max() for a, b in zip(fields(folder, n), (phi, U))))
    bar = 1e-13 if EXACT else 1e-11
    check(wrong[0] < bar and wrong[-1] < bar, f"{dim}D, {name}: away from the formulas by {wrong[0]:.1e} at the start, {wrong[-1]:.1e} after {steps} steps")
    found = [r[-1] for r in series(folder, "dendrite-tips..asc")]
    check(np.abs(np.array(found) - tips).max() < 1e-11, f"{dim}D, {name}: the tip is where φ = 0, from {tips[0]:.3f} to {tips[-1]:.3f}")
    solid = series(folder, "dendrite-fraction..asc")[-1][-1]
    check(abs(solid - (1 + phi.mean()) / 2) < 1e-14, f"{dim}D, {name}: {solid:.4f} of the box is solid")
    if "frame" in dendrite:
        moved = series(folder, "dendrite-frames..asc")[-1][-1]
        check(moved == offset and 3 < offset < steps, f"{dim}D, {name}: the frame has moved by {moved:.0f} cells")
    for processes, grid in ((4, ", uneven: true"), (1, ", blocks: 3, uneven: true"), (2, ""))[:3 if name in ("melt", "noise") or "frame" in name else 1]:
        if dim > 1:
            same = bits(run(text(grid), processes), steps) == bits(folder, steps)
            check(same, f"{dim}D, {name}: the same bits on {processes} processes{grid}")

# Steps in time tiles, where axes are periodic.
if 2 in DIMENSIONS:
    tiled = parfile([60, 50], [36, 34], PLAIN, 24, dt=0.02, thorns=", CaKernel").replace("periodic: false", "periodic: true") + "CaKernel: {steps: 4, trials: false, wait: true, cache: false}\n"
    one_by_one = tiled.replace(", CaKernel", "").replace("CaKernel:", "#")
    check(bits(run(tiled), 24) == bits(run(one_by_one), 24) or not EXACT, "the same bits in time tiles of four steps")

# Axes exchanged: in 2D sums have two terms, and the bits stay.
ORDERS = {2: [(1, 0)], 3: [(1, 2, 0), (2, 1, 0)]}
for dim, model in known([(2, "melt"), (2, "alloy"), (3, "melt"), (3, "alloy")]):
    cells, upper, seed = np.array([18, 14, 16][:dim]), np.array([13.5, 10.5, 12][:dim]), np.array([3, 4, 6])
    grow = lambda order: fields(run(parfile(cells[order].tolist(), upper[order].tolist(), dict(model=model, radius=4, seeds=[*seed[order].tolist(), 0][:3]), 30)))
    first = grow(list(range(dim)))
    for order in ORDERS[dim]:
        wrong = max(np.abs(x.transpose(order) - y).max() for x, y in zip(first, grow(list(order))))
        check(wrong == 0 if dim == 2 and EXACT else wrong < 1e-12, f"{dim}D, {model}, axes in the order {order}: away by {wrong:.1e}")

# A run that is cut into three, on other processes, with noise in a frame that moves.
if 2 in DIMENSIONS:
    for name, dendrite in (("melt", MOVING), ("alloy", CARRIED)):
        texts = [parfile([30, 26], [18, 17], dendrite, n, dt=0.02, every=2, thorns=", Checkpoint", ascii='["Dendrite::tip", "Dendrite::offset"]') for n in (3, 6, 12)]
        whole, folder = run(texts[2]), tempfile.mkdtemp(prefix="cereus-")
        for text, processes in zip(texts, (1, 4, 2)):
            done = subprocess.run(**job(folder, text, processes, **DEVICE), capture_output=True)
            if done.returncode:
                check(False, done.stdout + done.stderr)
        check(bits(whole, 12) == bits(os.path.join(folder, "run"), 12), f"{name}: the same bits, cut at steps 3 and 6")

# What is conserved: heat, U − ½φ, and solute, with noise as well.
for dim, cells, upper in known([(2, [48, 40], [36, 30]), (3, [20, 18, 16], [15, 13.5, 12])]):
    for model, names in (("melt", ["phi", "U"]), ("alloy", ["c"])):
        dendrite = dict(model=model, radius=6, undercooling=0.7, noise=1e-3, seeds=[2, 3, 4], angles=[20], partition=0.2)
        folder = run(parfile(cells, upper, dendrite, 400, every=20, ascii=[f"Dendrite::{n}" for n in names] + ["Dendrite::solid"]))
        average = lambda group: np.array(series(folder, f"dendrite-{group}.average.asc"))[:, -1]
        total = average("field") - average("phase") / 2 if model == "melt" else average("concentration")
        solid = np.array(series(folder, "dendrite-fraction..asc"))[:, -1]
        drift = np.abs(total / total[0] - 1).max()
        check(drift < 1e-13 and solid[-1] > 2 * solid[0], f"{dim}D, {model}: kept to {drift:.1e}, while {solid[0]:.3f} becomes {solid[-1]:.3f}")

# A crystal that is turned by 45° grows along the diagonal as another along an axis; noise of another seed is other noise.
if 2 in DIMENSIONS:
    box = dict(cells=[80, 80], upper=48, time=180)
    along = fields(run(parfile(dendrite=dict(), **box)))[0]
    diagonal = fields(run(parfile(dendrite=dict(angles=[45]), **box)))[0].diagonal()
    reach = [tip_of(q[:, None], 0, (0,), [s]) for q, s in ((along[:, 0], 0.6), (diagonal, 0.6 * math.sqrt(2)), (along.diagonal(), 0.6 * math.sqrt(2)))]
    check(abs(reach[1] / reach[0] - 1) < 0.02 and reach[2] < 0.9 * reach[0],
          f"tips at {reach[0]:.2f} along an axis, {reach[1]:.2f} along the diagonal where it is turned by 45°, {reach[2]:.2f} where it is not")
    a, b = (fields(run(parfile(dendrite=dict(noise=1e-3, noise_seed=n), cells=[40, 40], upper=24, steps=40)))[0] for n in (1, 2))
    check(np.abs(a - b).max() > 1e-3, "another seed, another noise")

# The step: h²/(2 dim D), or of φ where D is small.
for dim, D, largest in known([(1, 4, 4), (2, 4, 4), (3, 1, 1 + 8 * 0.05 / 0.95)]):
    text = parfile([20] * dim, 10, dict(diffusivity=D), 1, ascii='["Dendrite::solid"]')
    dt = series(run(text), "dendrite-fraction..asc")[-1][8]
    check(abs(dt / (0.64 * 0.25 / (2 * dim * largest)) - 1) < 1e-12, f"{dim}D, D = {D}: dt = {dt:.5f}")

# Flat fronts far from the start: 1/V grows with x by 1/(2 β² D), √π β exp(β²) erfc(β) = Δ.
if 1 in DIMENSIONS:
    for model, undercooling in (("melt", 0.5), ("alloy", 0.5), ("alloy", 0.3)):
        dendrite = dict(model=model, undercooling=undercooling, anisotropy=0, partition=0.2)
        folder = run(parfile([1200], 600, dendrite, time=6000, every=300, ascii='["Dendrite::tip"]'))
        t, x = np.array(series(folder, "dendrite-tips..asc"))[3:, [8, -1]].T
        speed = np.diff(x) / np.diff(t)
        slope = np.polyfit((x[1:] + x[:-1]) / 2, 1 / speed, 1)[0]
        beta = 0.1
        for _ in range(100):
            beta = undercooling / (math.sqrt(math.pi) * math.exp(beta**2) * math.erfc(beta))
        check(abs(slope * 2 * beta**2 - 1) < 0.03, f"{model}, Δ = {undercooling}: β = {math.sqrt(1 / (2 * slope)):.4f}, exact {beta:.4f}")

    # A front that is pulled: U = exp(−V ξ/D) − 1 ahead of the isotherm, and solid as concentrated as the melt far away.
    k, speed, D = 0.5, 0.1, 1
    dendrite = dict(model="alloy", undercooling=1, anisotropy=0, partition=k, thermal_length=30, pulling_speed=speed, isotherm=8, frame=0.4)
    folder = run(parfile([300], 120, dendrite, time=2000, ascii='["Dendrite::tip", "Dendrite::offset"]', output='["Dendrite::phi", "Dendrite::U", "Dendrite::c"]'))
    phi, U, c = fields(folder, names=("phi", "U", "c"))
    tip, offset = (series(folder, f"dendrite-{n}..asc")[-1][-1] for n in ("tips", "frames"))
    x = 0.4 * (offset + np.arange(300) + 0.5) - tip
    rate, jump = np.polyfit(x[(x > 4) & (x < 25)], np.log(c[(x > 4) & (x < 25)] - k), 1)
    solid = c[(x < -10) & (x > -30)].mean()
    check(abs(tip / (8 + speed * 2000) - 1) < 0.005, f"a pulled front is at {tip:.2f}, its isotherm at {8 + speed * 2000:.2f}")
    check(abs(-rate * D / speed - 1) < 0.02 and abs(math.exp(jump) / (1 - k) - 1) < 0.03 and abs(solid / k - 1) < 0.02,
          f"the melt before it has {k} + {math.exp(jump):.4f} exp({rate:.4f} ξ), exact {1 - k} and {-speed / D}; the solid {solid:.4f}, exact {k}")

# Mistakes.
for wrong, said in ((dict(seeds=[1, 2]), "run.yaml:9:10: Dendrite.seeds has 2 numbers: give three for each seed, x, y and z"),
                    (dict(angles=[1, 2]), "run.yaml:9:11: Dendrite.angles has 2 numbers: give one for each of the 1 seeds, or none")):
    code, text = fails(parfile([20] * DIMENSIONS[-1], 10, wrong, 1))
    check(code == 1 and said in text, f"{said} {'' if said in text else text}")
code, text = fails(parfile([20] * DIMENSIONS[-1], 10, dict(frame=0.5), 1).replace("periodic: false", "periodic: true"))
said = "run.yaml:9:10: Dendrite.frame moves along x, so that axis must not be periodic: set UniGrid.periodic"
check(code == 1 and said in text, f"{said} {'' if said in text else text}")
finish()
