"""Runs of thorn Hydro for its tests, and the same schemes as loops written from the equations of its README."""
import glob
import os
import subprocess
import tempfile

import h5py
import numpy as np

from _physics import job

OUTFLOW = "{all: extrapolate}"
NAMES = ("density", "momentum_x", "momentum_y", "momentum_z", "energy")


def parfile(cells, hydro, lower=0, upper=1, time=None, steps=None, periodic=True, boundary=OUTFLOW, method="SSPRK2", courant=0.4,
            gamma=1.4, every=0, more="", grid=""):
    end = f"final_time: {time}" if time else f"iterations: {steps}"
    extra = "\n".join(f"  {k}: {v}" for k, v in hydro.items())
    return f"""
thorns: [UniGrid, Boundary, MoL, Time, EOS, Hydro, Reduce, IOASCII, IOHDF5]
Cereus: {{{end}{more}}}
UniGrid: {{cells: {list(cells)}, lower: {lower}, upper: {upper}, periodic: {str(periodic).lower()}{grid}}}
Boundary: {boundary}
MoL: {{method: {method}}}
Time: {courant if isinstance(courant, str) else f"{{courant: {courant}}}"}
EOS: {gamma if isinstance(gamma, str) else f"{{gamma: {gamma}}}"}
Hydro:
{extra}
IOASCII: {{variables: ["Hydro::state", "Hydro::max_speed", "Hydro::floored"], every: {every or 1000000}, reductions: [average]}}
IOHDF5: {{variables: ["Hydro::state"], every: {every or steps or 0}, every_time: {time or 0}}}
"""


def fields(folder, iteration=-1, names=NAMES):
    """The conserved variables, or others, of the last output, or of an iteration, as arrays [variable][x][y][z]."""
    paths = sorted(glob.glob(os.path.join(folder, "*.hdf")))
    path = paths[-1] if iteration < 0 else next(p for p in paths if p.endswith(f"{iteration:08d}.hdf"))
    with h5py.File(path) as f:
        meshes = next(iter(f["data"].values()))["meshes"]
        return np.array([meshes[f"Hydro__{n}"][()].T for n in names])


def state(folder, iteration=-1, gamma=1.4):
    """Density, velocities, pressure."""
    u = fields(folder, iteration)
    v = u[1:4] / u[0]
    return np.array([u[0], *v, (gamma - 1) * (u[4] - 0.5 * u[0] * (v**2).sum(0))])


def centres(cells, lower=0.0, upper=1.0):
    return lower + (np.arange(cells) + 0.5) * (upper - lower) / cells


# The schemes as loops over arrays on a periodic grid, without regard to speed: primitives w = ρ, v, p; conserved u.
def to_conserved(w, g):
    return np.array([w[0], *(w[0] * w[1:4]), w[4] / (g - 1) + 0.5 * w[0] * (w[1:4] ** 2).sum(0)])


def physical_flux(w, axis, g):
    u = to_conserved(w, g)
    f = w[1 + axis] * u
    f[1 + axis] += w[4]
    f[4] += w[1 + axis] * w[4]
    return f


def hllc(l, r, axis, g):
    n = 1 + axis
    cl, cr = np.sqrt(g * l[4] / l[0]), np.sqrt(g * r[4] / r[0])
    a, b = np.sqrt(l[0]), np.sqrt(r[0])
    mean, eta = (a * l[n] + b * r[n]) / (a + b), 0.5 * a * b / (a + b) ** 2
    c = np.sqrt((a * cl**2 + b * cr**2) / (a + b) + eta * (r[n] - l[n]) ** 2)
    sl, sr = np.minimum(mean - c, l[n] - cl), np.maximum(mean + c, r[n] + cr)
    sm = (r[4] - l[4] + l[0] * l[n] * (sl - l[n]) - r[0] * r[n] * (sr - r[n])) / (l[0] * (sl - l[n]) - r[0] * (sr - r[n]))

    def side(w, s):
        u = to_conserved(w, g)
        star = np.array([w[0] * (s - w[n]) / (s - sm) * x for x in (1 + 0 * sm, *w[1:4], u[4] / w[0] + (sm - w[n]) * (sm + w[4] / (w[0] * (s - w[n]))))])
        star[n] = w[0] * (s - w[n]) / (s - sm) * sm
        return physical_flux(w, axis, g), physical_flux(w, axis, g) + s * (star - u)
    (fl, fls), (fr, frs) = side(l, sl), side(r, sr)
    return np.where(sl >= 0, fl, np.where(sm >= 0, fls, np.where(sr > 0, frs, fr)))


def van_leer(a, b):
    with np.errstate(all="ignore"):
        return np.where(a * b > 0, 2 * a * b / (a + b), 0)


# With a sixth row, u has ρX of what the flow carries. potential: Φ of gravity.
def plm_rhs(u, h, g, dim, gravity=(0, 0, 0), potential=None):
    phi = 0 * u[0] if potential is None else potential
    w = np.array([u[0], *(u[1:4] / u[0]), (g - 1) * (u[4] - 0.5 * (u[1:4] ** 2).sum(0) / u[0])])
    rhs = np.zeros_like(u)
    for axis in range(dim):
        at = lambda q, n: np.roll(q, -n, axis + 1)
        slope = van_leer(w - at(w, -1), at(w, 1) - w)
        f = hllc(w + slope / 2, at(w - slope / 2, 1), axis, g)  # at the upper face
        rhs[:5] += (at(f, -1) - f) / h
        if len(u) > 5:
            x = (u[5] / u[0])[None]
            slope = van_leer(x - at(x, -1), at(x, 1) - x)
            carried = f[:1] * np.where(f[:1] > 0, x + slope / 2, at(x - slope / 2, 1))
            rhs[5:] += (at(carried, -1) - carried) / h
        rise, mass = at(phi[None], 1)[0] - phi, at(f, -1)[0]
        fall = phi - at(phi[None], -1)[0]
        rhs[1 + axis] += u[0] * (gravity[axis] - (rise + fall) / (2 * h))
        rhs[4] += 0.5 * (f[0] * (gravity[axis] - rise / h) + mass * (gravity[axis] - fall / h))
    return rhs


def weno_z(a, b, c, d, e, power=1):
    beta = [13 / 12 * (a - 2 * b + c) ** 2 + (a - 4 * b + 3 * c) ** 2 / 4, 13 / 12 * (b - 2 * c + d) ** 2 + (b - d) ** 2 / 4,
            13 / 12 * (c - 2 * d + e) ** 2 + (3 * c - 4 * d + e) ** 2 / 4]
    tau = abs(beta[0] - beta[2])
    weight = [k * (1 + (tau / (x + 1e-40)) ** power) for k, x in zip((0.1, 0.6, 0.3), beta)]
    q = ((2 * a - 7 * b + 11 * c) / 6, (-b + 5 * c + 2 * d) / 6, (2 * c + 5 * d - e) / 6)
    return sum(w * x for w, x in zip(weight, q)) / sum(weight)


def split_rhs(u, h, g, dim, scheme):
    w = np.array([u[0], *(u[1:4] / u[0]), (g - 1) * (u[4] - 0.5 * (u[1:4] ** 2).sum(0) / u[0])])
    rhs = np.zeros_like(u)
    for axis in range(dim):
        at = lambda q, n: np.roll(q, -n, q.ndim - 3 + axis)
        f, speed = np.concatenate([physical_flux(w, axis, g), w[1 + axis] * u[5:]]), abs(w[1 + axis]) + np.sqrt(g * w[4] / w[0])
        a = np.max([at(speed, n) for n in ((0, 1) if scheme == "upwind3" else range(-2, 4))], axis=0)
        plus, minus = (lambda n: (at(f, n) + a * at(u, n)) / 2), (lambda n: (at(f, n) - a * at(u, n)) / 2)
        if scheme == "upwind3":
            face = (-plus(-1) + 5 * plus(0) + 2 * plus(1) - minus(2) + 5 * minus(1) + 2 * minus(0)) / 6
        else:
            face = sum(weno_z(*(f(n) for n in range(-2, 3)), power=2 if scheme == "weno5q2" else 1) for f in (plus, lambda n: minus(1 - n)))
        rhs += (at(face, -1) - face) / h
    return rhs


def series(folder, name):
    """The last row of a text file of averages: time, then a number a variable."""
    with open(glob.glob(os.path.join(folder, name))[0]) as f:
        return [[float(x) for x in line.split()] for line in f if line.strip() and line[0] != "#"]


def says(text):
    """What a parameter file that must fail says."""
    done = subprocess.run(**job(tempfile.mkdtemp(), text, CEREUS_DEVICE="none"), capture_output=True)
    return done.returncode, done.stdout + done.stderr
