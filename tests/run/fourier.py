#!/usr/bin/env python3
"""Elliptic equations by Fourier transforms: what is left is rounding, on cells and vertices, with every condition at faces and sizes that are no powers of
two; the matrix of the equation, built by numpy, has the same solution; the same bits on 1, 2 and 4 processes and in several blocks.

Mutations, each of which makes it fail: images at the upper end without the sign; the period of an axis with unlike ends twice its length instead of four times;
an image of a vertex shifted by one; eigenvalues of the Laplacian itself instead of those of differences (−k²); b left out; the mean not left out.
"""
import glob
import os

import h5py
import numpy as np
from _physics import check, fails, finish, known, run

PARFILE = """thorns: [UniGrid, Time, Boundary, IOHDF5, Reduce, IOASCII, Elliptic, {solver}]
Cereus: {{iterations: 0, real: {real}}}
Time: {{dt: 1}}
UniGrid: {{cells: {cells}, lower: 0, upper: [{upper}], periodic: [{periodic}], blocks: {blocks}, uneven: {uneven}}}
Boundary: {{{boundary}}}
Elliptic: {{source: "{source}", absorption: "{b}", coefficient: "{a}", centring: {centring}, tolerance: {tolerance}}}
IOHDF5: {{variables: ["{name}"], every: 1}}
IOASCII: {{variables: ["Elliptic::cycles", "Elliptic::residual"], every: 1}}
"""
SOURCES = {1: "sin(5*x) + x", 2: "exp(x)*sin(7*x*y) + y", 3: "exp(x)*sin(7*x*y + 3*z) + x*z"}


def solve(cells, ends, centring="cells", b="0", a="2", real="double", tolerance=1e-10, processes=1, blocks=1, uneven="false", solver="Fourier"):
    """`ends`: for each axis two of d (φ = 0.5 there) and n, or p."""
    dim = len(cells)
    boundary = ", ".join(f"{'xyz'[d]}_{side}: {'dirichlet' if end == 'd' else 'neumann'}" for d, pair in enumerate(ends) if pair != "p" for side, end in zip(("lower", "upper"), pair))
    text = PARFILE.format(solver=solver, real=real, cells=cells, upper=", ".join(str(1 + 0.1 * d) for d in range(dim)), periodic=", ".join(str(p == "p").lower() for p in ends), blocks=blocks,
                          uneven=uneven, boundary="value: 0.5" + (", " + boundary if boundary else ""), source=SOURCES[dim], b=b, a=a, centring=centring, tolerance=tolerance,
                          name="Elliptic::phi" + ("_vertex" if centring == "vertices" else ""))
    folder = run(text, processes)
    (path,) = glob.glob(os.path.join(folder, "*.hdf"))
    with h5py.File(path) as f:
        (field,) = f["data/0/meshes"].values()
        phi = field[()].reshape([n for n in field.shape if n > 1]).T  # x first
    with open(glob.glob(os.path.join(folder, "*left..asc"))[0]) as f:
        return phi, float(f.read().split()[-1])


def line(n, h, pair, vertices):
    """Of −Δ along an axis: a matrix, what a boundary value adds, and the points whose value is known."""
    points = n + 1 if vertices and pair != "p" else n
    m, extra, fixed = np.zeros((points, points)), np.zeros(points), []
    for i in range(points):
        m[i, i] = 2
        for j in (i - 1, i + 1):
            if pair == "p": m[i, j % points] -= 1
            elif 0 <= j < points: m[i, j] -= 1
            elif vertices and pair[j > 0] == "n": m[i, 2 * i - j] -= 1
            elif not vertices: m[i, i] += 1 if pair[j > 0] == "d" else -1
            if pair != "p" and not 0 <= j < points and pair[j > 0] == "d": fixed.append(i) if vertices else extra.__setitem__(i, 2 * 0.5)
    return m / h**2, extra / h**2, fixed


def exact(cells, ends, centring, a, b):
    vertices = centring == "vertices"
    lines = [line(n, (1 + 0.1 * d) / n, pair, vertices) for d, (n, pair) in enumerate(zip(cells, ends))]
    shape = [len(l[1]) for l in lines]
    places = [(np.arange(k) + (0 if vertices else 0.5)) * (1 + 0.1 * d) / n for d, (n, k) in enumerate(zip(cells, shape))]
    grids = dict(zip("xyz", np.meshgrid(*places, indexing="ij")))
    rhs = -eval(SOURCES[len(cells)].replace("exp", "np.exp").replace("sin", "np.sin"), {"np": np} | grids) * np.ones(shape)
    whole, known = np.zeros((rhs.size, rhs.size)), np.zeros(shape, bool)
    for d, (m, extra, fixed) in enumerate(lines):
        parts = [np.eye(k) for k in shape]
        parts[d] = m
        product = parts[0]
        for part in parts[1:]: product = np.kron(product, part)
        whole += a * product
        rhs += a * extra.reshape([-1 if e == d else 1 for e in range(len(cells))])
        for i in fixed: known[tuple(i if e == d else slice(None) for e in range(len(cells)))] = True
    whole += b * np.eye(rhs.size)
    rhs, flat = rhs.ravel(), known.ravel()
    if b == 0 and all("d" not in pair for pair in ends):  # a constant is open; a vertex on a face counts half
        share = np.ones(shape)
        for d, pair in enumerate(ends):
            if vertices and pair != "p":
                for i in (0, -1): share[tuple(i if e == d else slice(None) for e in range(len(cells)))] *= 0.5
        share = share.ravel() / share.sum()
        phi = np.linalg.lstsq(np.vstack([whole, share]), np.append(rhs - share @ rhs, 0), rcond=None)[0]
    else:
        whole[flat], rhs[flat] = np.eye(len(rhs))[flat], 0.5
        phi = np.linalg.solve(whole, rhs)
    return phi.reshape(shape)


for dim, cells, ends, centring, b in known([
        (1, [20], ["nd"], "cells", 0), (1, [21], ["nd"], "vertices", 3), (1, [18], ["p"], "cells", 0), (2, [12, 15], ["p", "dd"], "cells", 0), (2, [12, 14], ["nn", "nn"], "cells", 0),
        (2, [12, 10], ["nn", "p"], "vertices", 0), (2, [9, 12], ["dn", "nd"], "vertices", 0), (2, [9, 12], ["dd", "nn"], "vertices", 2.5), (3, [8, 9, 10], ["p", "dn", "nn"], "cells", 0),
        (3, [8, 6, 10], ["p", "p", "p"], "vertices", 0)]):
    phi, left = solve(cells, ends, centring, str(b))
    want = exact(cells, ends, centring, 2, b)
    off = abs(phi - want).max()
    check(off < 1e-11 * abs(want).max() and left < 1e-10, f"{cells}, {ends}, {centring}, b = {b}: off by {off:.1e}, residual {left:.1e}")
for dim, cells, ends, centring in known([(2, [24, 20], ["dn", "p"], "vertices"), (3, [16, 20, 18], ["p", "nn", "dd"], "cells")]):
    first = solve(cells, ends, centring)[0]
    for processes, blocks, uneven in ((1, 3, "true"), (2, 1, "false"), (4, 1, "true")):
        check((solve(cells, ends, centring, processes=processes, blocks=blocks, uneven=uneven)[0] == first).all(), f"{cells}: the same bits on {processes} processes, {blocks} blocks each")
    other = solve(cells, ends, centring, solver="Multigrid")[0]
    check(abs(other - first).max() < 1e-8 * abs(first).max(), f"{cells}: Multigrid has the same solution")
    if "CEREUS_LONG" in os.environ:
        single = solve(cells, ends, centring, real="float", tolerance=1e-4)[0]
        check(abs(single - first).max() < 1e-4 * abs(first).max(), f"{cells}: in float")
code, said = fails(PARFILE.format(solver="Fourier", real="double", cells=[8, 8], upper="1", periodic="true", blocks=1, uneven="false", boundary="value: 0", source="x", b="0", a="1 + x",
                                  centring="cells", tolerance=1e-10, name="Elliptic::phi"))
check(code == 1 and "constant coefficients" in said and "Multigrid" in said, f"coefficients that vary are refused: {said.strip().splitlines()[-1][:120]}")
finish()
