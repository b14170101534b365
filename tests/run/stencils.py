#!/usr/bin/env python3
"""The ten stencil programs against loops that write their formulas a second time: the same bits on a host, and on a device in the
strict build; in the usual build of a device 1e-13 (double) or 1e-5 (float), relative, in the L2 norm. Every program runs
one step at a time and with time tiles of several depths, in float and double, on odd sizes. With --long and on a device on some sizes that are smaller
than a tile, with tiles of all depths, and all of them in float; else two.

Mutations that make it fail: a coefficient, a margin of a tile one point short, a plane kept one step too few, a shell that is
not kept, points across a periodic axis with indices of their own.
"""
import glob
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np
from _noise import noise
from _physics import DIMENSIONS, check, finish, job

CUDA = os.environ.get("CEREUS_DEVICE") == "cuda"
LONG = os.environ.get("CEREUS_LONG") == "1" or CUDA
PARFILE = """thorns: [UniGrid, Time, Boundary, IOHDF5, Stencils{more}]
Cereus: {{iterations: {steps}, device: {device}, real: {real}}}
UniGrid: {{cells: {cells}, periodic: {periodic}}}
Time: {{dt: 1}}
Boundary: {{{faces}}}
Stencils: {{program: {program}}}
IOHDF5: {{variables: ["Stencils::{variable}"], every: {steps}}}
"""
TILED = "CaKernel: {{steps: {tile}, trials: false, cache: false, report: true}}\n"


def at(a, dx=0, dy=0, dz=0, r=1):
    """Interior points, moved."""
    def cut(n, d):
        return slice(r + d, n - r + d) if n > 1 else slice(0, 1)
    return a[cut(a.shape[0], dz), cut(a.shape[1], dy), cut(a.shape[2], dx)]


def reference(program, cells, steps, real):
    """The interior of what the program iterates."""
    R = np.float64 if real == "double" else np.float32
    n = [c for c in reversed(cells)]
    while len(n) < 3:
        n.insert(0, 1)
    r = {"jacobi1d5": 2, "jacobi1d7": 3}.get(program, 1)
    width = [r if k > 1 else 0 for k in n]
    shape, low = [k + 2 * w for k, w in zip(n, width)], [-w for w in width]
    def filled(seed, a=0.0, b=1.0):
        return R(a) + (R(b) - R(a)) * noise(shape, low, seed).astype(R)
    if program == "fdtd2d-periodic":
        ex, ey, hz = (R(1) * noise([1, n[1], n[2]], [0, 0, 0], seed).astype(R) for seed in (2, 3, 4))
        for _ in range(steps):
            ey[:, 1:] -= R(0.5) * (hz[:, 1:] - hz[:, :-1])
            ex[:, :, 1:] -= R(0.5) * (hz[:, :, 1:] - hz[:, :, :-1])
            hz -= R(0.7) * (np.roll(ex, -1, 2) - ex + np.roll(ey, -1, 1) - ey)
        return hz
    if program == "fdtd2d":
        shape = [1, n[1] + 1, n[2] + 1]
        low = [0, 0, 0]
        ex, ey, hz = filled(2), filled(3), filled(4)
        for _ in range(steps):
            ey[:, 1:] -= R(0.5) * (hz[:, 1:] - hz[:, :-1])
            ex[:, :, 1:] -= R(0.5) * (hz[:, :, 1:] - hz[:, :, :-1])
            hz[:, :-1, :-1] -= R(0.7) * (ex[:, :-1, 1:] - ex[:, :-1, :-1] + ey[:, 1:, :-1] - ey[:, :-1, :-1])
        return hz[:, :-1, :-1]
    positive = program in ("rician2d", "gradient2d", "tv2d")
    u = filled(1, 0.1, 10) if positive else filled(1)
    f, v = filled(1, 0.1, 10), filled(5, 0.1, 10)
    one = R(1)
    def sq(x):
        return x * x
    for _ in range(steps):
        new = u.copy()
        if program.startswith("jacobi1d"):
            total = at(u, -r, r=r)
            for m in range(1 - r, r + 1):
                total = total + at(u, m, r=r)
            value = R({3: 0.333, 5: 0.2, 7: 0.143}[2 * r + 1]) * total
        elif program == "jacobi2d":
            value = R(0.2) * (at(u) + at(u, 0, -1) + at(u, 0, 1) + at(u, -1) + at(u, 1))
        elif program == "jacobi3d":
            value = R(0.143) * (at(u) + at(u, -1) + at(u, 1) + at(u, 0, -1) + at(u, 0, 1) + at(u, 0, 0, -1) + at(u, 0, 0, 1))
        elif program == "poisson2d":
            value = R(8) * at(u) - (at(u, -1, -1) + at(u, 0, -1) + at(u, 1, -1) + at(u, -1) + at(u, 1) + at(u, -1, 1) + at(u, 0, 1) + at(u, 1, 1))
        elif program == "gradient2d":
            value = at(u) + one / np.sqrt(R(1e-4) + (sq(at(u) - at(u, 0, -1)) + sq(at(u) - at(u, 0, 1)) + sq(at(u) - at(u, -1)) + sq(at(u) - at(u, 1))))
        elif program == "rician2d":
            g = np.zeros_like(u)
            at(g)[...] = one / np.sqrt(R(1e-20) + (sq(at(u) - at(u, 0, -1)) + sq(at(u) - at(u, 0, 1)) + sq(at(u) - at(u, -1)) + sq(at(u) - at(u, 1))))
            sigma2 = 1.00001 * 1.00001
            gamma, dt = R(1.00001 / sigma2), R(5)
            s = at(u) * at(f) * R(1 / sigma2)
            k = s * (R(2.38944) + s * (R(0.950037) + s)) / (R(4.65314) + s * (R(2.57541) + s * (R(1.48937) + s)))
            north, south, west, east = at(g, 0, -1), at(g, 0, 1), at(g, -1), at(g, 1)
            total = at(u, 0, -1) * north + at(u, 0, 1) * south + at(u, -1) * west + at(u, 1) * east
            value = (at(u) + dt * (total + gamma * at(f) * k)) / (one + dt * (north + south + west + east + gamma))
        elif program == "tv2d":
            e, alpha = R(1e-8), R(1.1)
            up, down, right, left = at(u, 0, 1), at(u, 0, -1), at(u, 1), at(u, -1)
            c1 = one / np.sqrt(e + sq(up - at(u)) + sq(right - at(u)))
            c2 = one / np.sqrt(e + sq(at(u) - down) + sq(at(u, 1, -1) - down))
            c4 = one / np.sqrt(e + sq(at(u, -1, 1) - left) + sq(at(u) - left))
            weight = alpha * at(v)  # the fraction times v
            value = (weight * at(f) + at(u) * (c1 * (up + right) + c2 * down + c4 * left)) / (weight + at(u) * (c1 + c1 + c2 + c4))
        at(new, r=r)[...] = value
        u = new
    return at(u, r=r)


def run(program, cells, steps, real, tile, processes=1):
    device = "cuda" if CUDA else "none" if processes == 1 else "mirror"
    periodic = program.endswith("-periodic")
    program = program.removesuffix("-periodic")
    folder = tempfile.mkdtemp(prefix="cereus-")
    variable = "hz" if program == "fdtd2d" else "u"
    more = (", CaKernel" if tile else "") + {"none": "", "mirror": ", Accelerator, AcceleratorMirror", "cuda": ", Accelerator, AcceleratorCUDA"}[device]
    parfile = (PARFILE + TILED * (tile > 0)).format(program=program, cells=cells, steps=steps, real=real, tile=tile, variable=variable,
                             periodic="true" if periodic else "false", faces="" if periodic else "all: fixed",
                             device=device, more=more)
    done = subprocess.run(**job(folder, parfile, processes), capture_output=True, timeout=300)
    if done.returncode != 0:
        return None, done.stdout + done.stderr
    (path,) = glob.glob(os.path.join(folder, "run", f"*{steps:08d}.hdf"))
    with h5py.File(path) as f:
        return f[f"data/{steps}/meshes/Stencils__{variable}"][()].reshape([1] * (3 - len(cells)) + cells[::-1]), done.stdout


STEPS = {"poisson2d": 8, "gradient2d": 10}
SIZES = {1: [[4099], [57]], 2: [[131, 97], [300, 70], [19, 7]], 3: [[67, 61, 71], [130, 70, 37], [13, 5, 9]]}
TILES = {1: [0, 1, 4, 16, 24], 2: [0, 1, 2, 3, 5, 8], 3: [0, 1, 2, 3, 4]}  # 0: none, but the loop that was compiled ahead of time
strict = not CUDA or "strict" in subprocess.run([os.environ["CEREUS"], "--version"], capture_output=True, text=True).stdout
cases = []
for program in ("jacobi1d3", "jacobi1d5", "jacobi1d7", "jacobi2d", "jacobi3d", "poisson2d", "fdtd2d", "fdtd2d-periodic", "rician2d", "gradient2d", "tv2d"):
    dim = 1 if "1d" in program else 3 if "3d" in program else 2
    if dim not in DIMENSIONS or (len(sys.argv) > 1 and program not in sys.argv[1:]):
        continue
    for cells in SIZES[dim] if LONG else SIZES[dim][:1]:
        for real in ("double", "float") if LONG or program in ("jacobi1d5", "fdtd2d") else ("double",):
            for tile in TILES[dim] if LONG else TILES[dim][::2] if real == "double" else TILES[dim][::3]:
                cases.append((program, cells, STEPS.get(program, 26), real, tile))
LARGE = {"jacobi3d": ([256, 256, 132], [1100, 1100, 40]), "jacobi2d": ([1531, 2947],), "poisson2d": ([1531, 2947],), "gradient2d": ([1531, 2947],), "tv2d": ([1531, 2947],)}
for program, sizes in LARGE.items() if CUDA else ():  # so many points that threads march
    if len(sizes[0]) in DIMENSIONS and (len(sys.argv) == 1 or program in sys.argv):
        cases += [(program, cells, 5, real, 0) for cells in sizes for real in ("double", "float")]
for program, cells, tile in (("jacobi3d", [200, 140, 60] if CUDA else [30, 36, 44], 3), ("fdtd2d", [700, 500] if CUDA else [131, 97], 4)):  # tiles at faces beside the others
    if len(cells) in DIMENSIONS and (len(sys.argv) == 1 or program in sys.argv):
        cases += [(program, cells, 26, real, tile, processes) for real in ("double", "float")[:1 + LONG] for processes in (2, 4)]


def compare(case):
    program, cells, steps, real, tile = case[:5]
    got, said = run(*case)
    name = f"{program} {'x'.join(map(str, cells))} {real}, tiles of {tile}{f', {case[5]} processes' if len(case) > 5 else ''}"
    if got is None:
        return False, f"{name}: {said[-600:]}"
    want = reference(program, cells, steps, real)
    off = np.linalg.norm((got - want).astype(np.float64).ravel()) / np.linalg.norm(want.astype(np.float64).ravel())
    # Where planes of many fields leave no registers, no tile fits.
    used = tile == 0 or "time tiles: none" not in said or "no tile fits" in said
    same = got.tobytes() == want.tobytes() if strict else off <= (1e-13 if real == "double" else 1e-5)
    return same and used, f"{name}: differs by {off:.2g}{'' if used else ', and no tiles: ' + said[-400:]}"


with ThreadPoolExecutor(int(os.environ.get("CEREUS_JOBS", "2"))) as pool:
    for good, text in pool.map(compare, cases):
        check(good, text)
finish()
