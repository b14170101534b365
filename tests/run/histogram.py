#!/usr/bin/env python3
"""Histograms: a linear profile fills all bins alike, a wave agrees with numpy on the field that IOHDF5 wrote, values that
are not finite are counted, and the bytes are the same on any number of processes and blocks; without --long on four and on blocks in 2D alone.

Mutations, each of which makes it fail, in thorns/Histogram/src:
  bins.hpp      `std::upper_bound` → `std::lower_bound`: values on an edge count one bin lower
  bins.hpp      `if (value == edges.back()) return last;` dropped: the upper end counts as above
  bins.hpp      `return last + 2` → `return last + 1`: not-a-numbers count as above
  bins.hpp      `e <= bins` → `e < bins`: one bin too few
  count.hpp     `std::isfinite(v)` → `true`: no automatic range of what is not finite
  Histogram.cpp `-mine.upper` → `mine.upper`: wrong automatic range
  Histogram.cpp `MPI_SUM` → `MPI_MAX`: other counts on several processes
"""
import math
import os

import h5py
import numpy as np

from _physics import DIMENSIONS, check, fails, finish, rows, run

LONG = "CEREUS_LONG" in os.environ
CELLS = (20, 16, 12)
WAVE = "initial_data: plane, wave_number: [0.5, 1, 0.5], amplitude: 2"


def parfile(dim, histogram, data=WAVE, cut="", real="double", dt=0.01):
    return f"""thorns: [UniGrid, Time, MoL, Coordinates, WaveToy, IOHDF5, Histogram]
Cereus: {{iterations: 4, real: {real}}}
UniGrid: {{cells: {list(CELLS[:dim])}, lower: -1, upper: 1, periodic: true{cut}}}
Time: {{dt: {dt}}}
WaveToy: {{order: 2, {data}}}
IOHDF5: {{variables: ["WaveToy::u"], every: 2}}
Histogram: {{every: 2, {histogram}}}
"""


def field(folder, iteration):
    with h5py.File(os.path.join(folder, f"run_{iteration:08d}.hdf")) as f:
        return f[f"data/{iteration}/meshes/WaveToy__u"][()].astype(float)


def histogram(folder, iteration, name="wavetoy-u"):
    """Edges of the bins, their counts; points below, above, not-a-number."""
    table = [row for row in rows(folder, f"{name}.histogram.asc") if row[0] == iteration]
    below, bins, above, nan = table[0], table[1:-2], table[-2], table[-1]
    assert below[2] == -math.inf and above[3] == math.inf and math.isnan(nan[2]) and math.isnan(nan[3]), table
    edges = [row[2] for row in bins] + [above[2]]
    assert edges == [below[3]] + [row[3] for row in bins], edges
    return np.array(edges), [int(row[4]) for row in bins], (int(below[4]), int(above[4]), int(nan[4]))


def agrees(folder, iteration, what, lower=None, upper=None, bins=None):
    values = field(folder, iteration)
    edges, counts, (below, above, nan) = histogram(folder, iteration)
    good = values[np.isfinite(values)]
    if lower is None:
        lower, upper = min(good, default=0), max(good, default=0)
    equal = np.allclose(edges, np.linspace(lower, upper, bins + 1), rtol=0, atol=1e-15 * max(abs(lower), abs(upper)))
    check(len(counts) == bins and edges[0] == lower and edges[-1] == upper and equal,
          f"{what}: {len(counts)} equal bins between {edges[0]} and {edges[-1]}")
    expected = np.histogram(good, edges)[0].tolist() if lower < upper else [0] * (bins - 1) + [good.size]
    outside = (np.count_nonzero(values < lower), np.count_nonzero(values > upper), np.count_nonzero(np.isnan(values)))
    check(counts == expected and (below, above, nan) == outside,
          f"{what}: counts, and {below} below, {above} above, {nan} not-a-number")
    check(sum(counts) + below + above + nan == values.size, f"{what}: every point is counted once")


for dim in DIMENSIONS:
    # x = -1, -0.9 … 0.9 lies on the edges of 10 bins, two points in each; an edge belongs to the bin above it.
    linear = "variables: ['Coordinates::x'], bins: 10"
    edges, counts, outside = histogram(run(parfile(dim, linear)), 0, "coordinates-x")
    check(counts == [2 * math.prod(CELLS[1:dim])] * 10 and outside == (0, 0, 0),
          f"{dim}D: a linear profile fills its bins alike: {counts}")
    edges, counts, outside = histogram(run(parfile(dim, linear + ", lower: -0.75, upper: 0.75")), 0, "coordinates-x")
    aside = 3 * math.prod(CELLS[1:dim])
    check(outside == (aside, aside - aside // 3, 0), f"{dim}D: and has points outside: {outside}")

    for histograms, bounds in (("bins: 13, lower: -1.5, upper: 1.75", {"lower": -1.5, "upper": 1.75, "bins": 13}),
                               ("bins: 7, range: auto", {"bins": 7})):
        folder = run(parfile(dim, "variables: ['@evolved', 'WaveToy::u'], " + histograms))
        for iteration in (0, 4):
            agrees(folder, iteration, f"{dim}D {histograms}, iteration {iteration}", **bounds)
        with open(os.path.join(folder, "wavetoy-u.histogram.asc")) as f:
            text = f.read()
        check(text.count("\n\n") == 3 and "# 1:iteration 2:time 3:from 4:to [unit of the variable] 5:points\n" in text,
              f"{dim}D: a blank line after each time")
        ways = ((2, ", blocks: 2, uneven: true"), (1, ", blocks: 3, uneven: true"), (2, ""), (4, ""))
        for processes, cut in ways if LONG or (dim == 2 and "auto" in histograms) else ways[:1]:
            other = run(parfile(dim, "variables: ['@evolved'], " + histograms, cut=cut), processes)
            with open(os.path.join(other, "wavetoy-u.histogram.asc")) as f:
                check(f.read() == text, f"{dim}D {histograms}: the same bytes on {processes} processes{cut}")

if 2 in DIMENSIONS:
    auto = "variables: ['WaveToy::u'], bins: 9, range: auto"
    agrees(run(parfile(2, auto, real="float")), 4, "of floats", bins=9)
    agrees(run(parfile(2, auto, "initial_data: plane, amplitude: 0")), 0, "of a constant", bins=9)
    # A step far too long: some values overflow, some are not-a-numbers.
    blown = "initial_data: gaussian, width: 0.01"
    for processes in (1, 4):
        folder = run(parfile(2, auto, blown, dt=1e60), processes)
        for iteration in (2, 4):
            agrees(folder, iteration, f"of values that are not finite, iteration {iteration}", bins=9)
    check(not np.isfinite(field(folder, 4)).all() and np.isnan(field(folder, 4)).any(), "there are such values")

# Mistakes: one line, with the place.
for what, histograms, words in (
        ("an empty range", "lower: 1, upper: 0.5", "7:40: Histogram.upper must be greater than Histogram.lower; they are"),
        ("no bins", "bins: 0", "7:29: Histogram.bins"),
        ("a grid scalar", "variables: ['WaveToy::max_speed']", "7:34: Histogram.variables: WaveToy::max_speed is a grid scalar")):
    code, said = fails(parfile(DIMENSIONS[-1], histograms))
    mistakes = [l for l in said.splitlines() if "Histogram." in l]
    check(code == 1 and len(mistakes) == 1 and words in mistakes[0],
          f"{what}: exit {code}: {mistakes[0] if len(mistakes) == 1 else said}")
finish()
