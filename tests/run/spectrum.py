#!/usr/bin/env python3
"""Power spectra: a plane wave has its power in its one shell, Parseval's sum, an independent transform of the field that
IOHDF5 wrote, and the same bytes on any number of processes and blocks.

Mutations, each of which makes it fail, in thorns/Spectrum/src:
  shells.hpp    `std::lround(` → `std::floor(`: the wave with |m| = √8 lies in shell 2
  shells.hpp    `std::min(shortest_` → `std::max(shortest_`: wrong shells in a box of unequal edges
  shells.hpp    `i <= n / 2 ? i : i - n` → `i`: negative wave numbers in shells of large ones
  power.cpp     `points * points` → `points`: no longer the mean of the squares
  power.cpp     `n % power.size()` → `0`: all power in one shell
  transform.hpp `l / stride * stride * n` → `l / stride * stride`: lines along y start in one another
  slab.hpp      `slab(i, j, k) = values` → `slab.values[at + n] = values`: points in the order of arrival
  kernels.hpp   `? 1 : 2` → `? 1 : 1`, and `n[1]; ++j` → `n[1] - 1; ++j`: on a device, power is missing
  on_device.cpp without `collect`: on a device, other processes' points are missing
  Spectrum.cpp  `periodic[d]` → `periodic[0]`: no message of an open y axis
"""
import math
import os

import h5py
import numpy as np

from _physics import DIMENSIONS, check, fails, finish, known, rows, run

CELLS, LOWER, UPPER = (18, 15, 14), (-1, 0, -0.5), (1, 1.5, 1)  # unequal, and with the factors 2, 3, 5, 7


def parfile(dim, data, more="", real="double"):
    take = lambda v: list(v[:dim])
    return f"""thorns: [UniGrid, Time, MoL, WaveToy, IOHDF5, Spectrum]
Cereus: {{iterations: 4, real: {real}}}
UniGrid: {{cells: {take(CELLS)}, lower: {take(LOWER)}, upper: {take(UPPER)}, periodic: true{more}}}
Time: {{dt: 0.01}}
WaveToy: {{order: 4, {data}}}
IOHDF5: {{variables: ["WaveToy::u", "WaveToy::rho"], every: 2}}
Spectrum: {{variables: ["WaveToy::u", "WaveToy::*o"], every: 2}}
"""


def field(folder, name, iteration):
    with h5py.File(os.path.join(folder, f"run_{iteration:08d}.hdf")) as f:
        return f[f"data/{iteration}/meshes/WaveToy__{name}"][()].astype(float)  # [z, y, x]


def spectrum(folder, name, iteration):
    return [row[3] for row in rows(folder, f"wavetoy-{name}.spectrum.asc") if row[0] == iteration]


def by_numpy(values):
    """The same sums by the formula, with another transform."""
    edges = [u - l for l, u in zip(LOWER, UPPER)][:values.ndim]
    waves = [np.fft.fftfreq(n, 1 / n) * min(edges) / e for n, e in zip(values.shape, edges[::-1])]
    m = np.meshgrid(*waves, indexing="ij")
    shell = np.floor(np.sqrt(sum(x**2 for x in m)) + 0.5).astype(int)
    power = np.abs(np.fft.fftn(values) / values.size) ** 2
    return np.bincount(shell.ravel(), power.ravel())


# A sine of amplitude A has A²/2, all in the shell of its wave vector; m counts waves along each axis.
AMPLITUDE = 3
for dim, cells, m, shell in known(((1, 20, (3,), 3), (2, 12, (2, 2), 3), (2, 12, (1, 1), 1), (3, 12, (2, -2, 1), 3),
                                   (3, 9, (-1, 0, 0), 1), (3, 14, (3, 2, 1), 4))):
    k = [x / 2 for x in m] + [0] * (3 - dim)
    text = f"""thorns: [UniGrid, Time, MoL, WaveToy, Spectrum]
Cereus: {{iterations: 0}}
UniGrid: {{cells: {[cells] * dim}, lower: -1, upper: 1}}
Time: {{dt: 0.01}}
WaveToy: {{initial_data: plane, amplitude: {AMPLITUDE}, wave_number: {k}}}
Spectrum: {{variables: ["WaveToy::u"]}}
"""
    power = np.array(spectrum(run(text), "u", 0))
    expected = np.where(np.arange(len(power)) == shell, AMPLITUDE**2 / 2, 0)
    worst = np.max(np.abs(power - expected))
    check(worst < 1e-14, f"{dim}D wave {m}: A²/2 in shell {shell}, nothing elsewhere, within {worst:.1e}")

# A pulse, against the formula; however the domain is cut, the bytes are the same.
PULSE = "width: 0.2, centre: [0.3, 0.6, 0.1]"
for dim in DIMENSIONS:
    folder = run(parfile(dim, PULSE))
    for name in ("u", "rho"):
        for it in (0, 2, 4):
            values, power = field(folder, name, it), np.array(spectrum(folder, name, it))
            if name == "rho" and it == 0:  # at rest
                check(len(power) > 0 and not power.any(), f"{dim}D: no power where all is zero")
                continue
            reference = by_numpy(values)
            check(len(power) == len(reference), f"{dim}D: {len(power)} shells")
            worst = np.max(np.abs(power - reference)) / np.max(reference)
            parseval = abs(sum(power) / np.mean(values**2) - 1)
            check(worst < 1e-14 and parseval < 1e-14,
                  f"{dim}D {name}, iteration {it}: shells within {worst:.1e}, sum within {parseval:.1e}")
    name = os.path.join(folder, "wavetoy-u.spectrum.asc")
    with open(name) as f:
        text = f.read()
    lines = text.split("\n")
    shells = len(reference)
    check("# 1:iteration 2:time 3:k [2 pi / L] 4:P [square of the unit of v]" in lines[:4],
          f"{dim}D: the header names columns and units")
    first_blank = [l for l in lines if not l.startswith("#")].index("")
    check(first_blank == shells and text.count("\n\n") == 3, f"{dim}D: a blank line after each time")
    for processes, cut in ((1, ", blocks: 3, uneven: true"), (2, ""), (4, ""), (2, ", blocks: 2, uneven: true")):
        with open(os.path.join(run(parfile(dim, PULSE, cut), processes), "wavetoy-u.spectrum.asc")) as f:
            check(f.read() == text, f"{dim}D: the same bytes on {processes} processes{cut}")

# More processes than planes, and single precision.
if 2 in DIMENSIONS:
    thin = parfile(2, PULSE).replace("cells: [18, 15]", "cells: [40, 2]").replace("order: 4", "order: 2")
    one, four = (spectrum(run(thin, n), "u", 4) for n in (1, 4))
    check(one == four and len(one) > 0, "more processes than planes")
    if "CEREUS_LONG" in os.environ:  # what is in float is built first
        folder = run(parfile(2, PULSE, real="float"))
        worst = np.max(np.abs(spectrum(folder, "u", 4) - by_numpy(field(folder, "u", 4))))
        check(worst < 1e-14, f"of floats: within {worst:.1e}")

# The example: power swings between u and ρ. Of each mode k² |u|² + |ρ|² stays; with the k of the shell for all its modes, which
# lie within ½ of it, the sum over the shell stays as far as this allows. (Of shell 8 all outputs are at turning points.)
if 3 in DIMENSIONS:
    with open(os.path.join(os.environ["CEREUS_SOURCE"], "parfiles", "mixed.yaml")) as f:
        folder = run(f.read())
    for k in (4, 6):
        u, rho = ([row[3] for row in rows(folder, f"wavetoy-{name}.spectrum.asc") if row[2] == k] for name in ("u", "rho"))
        energy = [(math.pi * k) ** 2 * p + q for p, q in zip(u, rho)]
        check(len(u) == len(rho) == 9 and rho[0] == 0 and max(rho) > 0.8 * energy[0] and min(u) < 0.2 * u[0],
              f"parfiles/mixed.yaml: in shell {k} power swings between u and ρ")
        check(max(energy) < ((k + 0.5) / (k - 0.5)) ** 2 * min(energy),
              f"parfiles/mixed.yaml: and their sum stays within {max(energy) / min(energy) - 1:.1%}")

# Mistakes: one line, with the place.
walls = parfile(2, PULSE).replace("periodic: true", "periodic: [true, false]").replace("[UniGrid", "[Boundary, UniGrid")
for what, text, words in (
        ("an open axis", walls + "Boundary: {all: neumann}\n", "not periodic along y; make all axes periodic"),
        ("a grid scalar", parfile(2, PULSE).replace("WaveToy::*o", "WaveToy::max_speed"), "WaveToy::max_speed is a grid scalar"),
        ("a misspelt variable", parfile(2, PULSE).replace("WaveToy::*o", "WaveToy::roh"), "did you mean 'WaveToy::rho'?")):
    if 2 in DIMENSIONS:
        code, said = fails(text)
        mistakes = [l for l in said.splitlines() if "Spectrum.variables" in l]
        check(code == 1 and len(mistakes) == 1 and words in mistakes[0] and mistakes[0].startswith("run.yaml:7:23: "),
              f"{what}: exit {code}: {mistakes[0] if len(mistakes) == 1 else said}")
finish()
