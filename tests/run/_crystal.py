"""Runs of thorn Dendrite for its tests, and its steps as loops over arrays, written from the equations of its README."""
import glob
import itertools
import os

import h5py
import numpy as np

from _noise import noise


def parfile(cells, upper, dendrite, steps=0, time=0, dt=0.0, every=0, thorns="", grid="", output='["Dendrite::phi", "Dendrite::U"]', ascii="[]"):
    """Ends after so many steps, or at a time; `every` is a number of steps or an interval of time, and as long as the run if it is left out."""
    parameters = "\n".join(f"  {k}: {v}" for k, v in dendrite.items())
    when = f"every: 0, every_time: {every or time}" if time else f"every: {every or steps}"
    return f"""
thorns: [UniGrid, Time, Boundary, Reduce, IOASCII, IOHDF5, Dendrite{thorns}]
Cereus: {{{f"final_time: {time}" if time else f"iterations: {steps}"}}}
UniGrid: {{cells: {list(cells)}, lower: 0, upper: {upper}, periodic: false{grid}}}
Time: {{{f"dt: {dt}" if dt else "diffusive_courant: 0.64"}}}
IOASCII: {{variables: {ascii}, {when}, reductions: [average]}}
IOHDF5: {{variables: {output}, {when}}}
Dendrite:
{parameters}
"""


def fields(folder, iteration=-1, names=("phi", "U")):
    """Of the last output, or of an iteration, as arrays [x][y][z], without axes that the grid has not."""
    paths = sorted(glob.glob(os.path.join(folder, "*.hdf")))
    path = paths[-1] if iteration < 0 else next(p for p in paths if p.endswith(f"{iteration:08d}.hdf"))
    with h5py.File(path) as f:
        meshes = next(iter(f["data"].values()))["meshes"]
        return [np.atleast_1d(meshes[f"Dendrite__{n}"][()].T.squeeze()) for n in names]


def series(folder, name):
    """The rows of a text file of grid scalars or averages: iteration, time, values."""
    with open(glob.glob(os.path.join(folder, name))[0]) as f:
        return [[float(x) for x in line.split()] for line in f if line.strip() and line[0] != "#"]


def coefficients(n, epsilon):
    """a² and A_ij of normals n[i]."""
    k, dim = 4 * epsilon, len(n)
    S = sum(x**4 for x in n)
    a = 1 - 3 * epsilon + k * S
    b = [4 * k * (x**2 - S) for x in n]
    A = [[n[i] * n[j] * (2 * a * (b[i] + b[j]) + b[i] * b[j] + 4 * k * a * (6 * S - 4 * n[i]**2 - 4 * n[j]**2)) for j in range(dim)] for i in range(dim)]
    for i in range(dim):
        x = n[i]**2
        A[i][i] = a**2 + 4 * a * b[i] * x + b[i]**2 * x + 4 * k * a * (3 * x - S - 8 * x**2 + 6 * S * x)
    return a**2, A


class Near:
    """The neighbours of all cells, with a layer of mirror images around the domain."""

    def __init__(self, a, ahead=None):
        self.a, self.dim, self.shape = np.pad(a, 1, mode="edge"), a.ndim, a.shape
        if ahead is not None:  # the value at the upper face across x
            self.a[-1] = 2 * ahead - self.a[-2]

    def __call__(self, **by):  # x=1, y=-1 …
        offset = [by.get("xyz"[d], 0) for d in range(self.dim)]
        return self.a[tuple(slice(1 + o, 1 + o + n) for o, n in zip(offset, self.shape))]

    def along(self, d, m):
        return self(**{"xyz"[d]: m})

    def corner(self, d, m, e, n):
        return self(**{"xyz"[d]: m, "xyz"[e]: n})


def phase_rate(phi, h, p):
    """Σ A_ij φ_ij and a². p.angle: by how much the crystal of each cell is turned."""
    f, dim = Near(phi), phi.ndim
    first = [(f.along(d, 1) - f.along(d, -1)) / (2 * h[d]) for d in range(dim)]
    second = [(f.along(d, 1) - 2 * phi + f.along(d, -1)) / h[d]**2 for d in range(dim)]
    H = [[second[i] if i == j else (f.corner(i, 1, j, 1) - f.corner(i, 1, j, -1) - f.corner(i, -1, j, 1) + f.corner(i, -1, j, -1)) / (4 * h[i] * h[j])
          for j in range(dim)] for i in range(dim)]
    laplacian = sum(second)
    for i, j in itertools.combinations(range(dim), 2):
        both = sum(f.corner(i, m, j, n) for m in (-1, 1) for n in (-1, 1)) + 4 * phi - 2 * sum(f.along(d, m) for d in (i, j) for m in (-1, 1))
        laplacian = laplacian + (1 / h[i]**2 + 1 / h[j]**2) / 12 * both
    R = np.zeros((dim, dim) + phi.shape)
    for d in range(dim):
        R[d, d] = 1
    if dim > 1:
        R[0, 0] = R[1, 1] = np.cos(p.angle)
        R[0, 1], R[1, 0] = np.sin(p.angle), -np.sin(p.angle)
    first = [sum(R[i, j] * first[j] for j in range(dim)) for i in range(dim)]
    H = [[sum(R[i, k] * H[k][l] * R[j, l] for k in range(dim) for l in range(dim)) for j in range(dim)] for i in range(dim)]
    m = sum(x**2 for x in first)
    n = [np.where(m < 1e-12, 0, x / np.sqrt(np.maximum(m, 1e-300))) for x in first]
    a2, A = coefficients(n, p.epsilon)
    mean = sum(A[d][d] for d in range(dim)) / dim
    return mean * laplacian + sum((A[i][j] - (mean if i == j else 0)) * H[i][j] for i in range(dim) for j in range(dim)), a2


def flux(phi, new, U, h, p, axis):
    """Through the upper face of each cell: diffusion and the anti-trapping current, times dt."""
    f, g, u = Near(phi), Near(new), Near(U, p.ahead)
    up = lambda q: q.along(axis, 1)
    gradient = [(up(f) - phi) / h[axis] if d == axis else
                ((f.along(d, 1) - f.along(d, -1)) + (f.corner(axis, 1, d, 1) - f.corner(axis, 1, d, -1))) / (4 * h[d]) for d in range(phi.ndim)]
    m = sum(x**2 for x in gradient)
    normal = np.where(m < 1e-12, 0, gradient[axis] / np.sqrt(np.maximum(m, 1e-300)))
    solute = 1 + (1 - p.k) * (U + up(u)) / 2
    return p.dt * p.D * (1 - (phi + up(f)) / 2) / 2 * (up(u) - U) / h[axis] + solute * ((new - phi) + (up(g) - up(f))) / 2 * normal / (2 * np.sqrt(2))


def step(phi, U, h, p, iteration, time, offset=0):
    """One step of `p.model`; p has epsilon, coupling, D, dt, angle, F, seed, ahead and, of an alloy, k, slope, speed, isotherm."""
    anisotropic, a2 = phase_rate(phi, h, p)
    warm, kick, alloy = 0, 0, p.model == "alloy"
    if alloy:
        x = ((np.arange(phi.shape[0]) + 0.5 + offset) * h[0]).reshape([-1] + [1] * (phi.ndim - 1))
        warm = p.slope * (x - p.isotherm - p.speed * time)
    if p.F:
        xi = noise((phi.shape + (1, 1))[2::-1], (0, 0, 0), (0x9E3779B9 * p.seed + iteration) % 2**32).T.reshape(phi.shape)
        kick = np.sqrt(2 * p.F / (p.dt * np.prod(h))) * np.sqrt(3) * (2 * xi - 1) * (1 - phi**2)
    drive = (phi - p.coupling * (U + warm) * (1 - phi**2)) * (1 - phi**2)
    growth = p.dt * (drive + anisotropic + kick) / (a2 * (np.maximum(p.k, 1 - (1 - p.k) * warm) if alloy else 1))
    new, u = phi + growth, Near(U, p.ahead)
    if not alloy:
        return new, U + p.dt * p.D * sum((u.along(d, 1) - 2 * U + u.along(d, -1)) / h[d]**2 for d in range(phi.ndim)) + growth / 2
    change = (1 + (1 - p.k) * U) * growth / 2
    for d in range(phi.ndim):
        through = flux(phi, new, U, h, p, d)
        change = change + (through - lower(through, d)) / h[d]
    return new, U + change / ((1 + p.k - (1 - p.k) * new) / 2)


def lower(through, d):
    """The flux through the lower face: that of the cell before; nothing flows through the domain's own."""
    before = np.roll(through, 1, d)
    before[(slice(None),) * d + (0,)] = 0
    return before
