"""Runs of thorn Incompressible for its tests, and its scheme as loops over arrays, written from the equations of its README."""
import glob
import os

import h5py
import numpy as np

from _physics import run

THORNS = "UniGrid, Time, MoL, Boundary, Reduce, IOHDF5, IOASCII, Multigrid, Incompressible"


def parfile(cells, flow, dt=None, steps=None, time=None, lower=0, upper=1, periodic=True, method="SSPRK3", grid="", variables=("u", "v", "w", "p"),
            every=0, scalars=("divergence", "cycles"), reductions="[maximum]", more="", limits="{courant: 0.5}", cereus=""):
    """A parameter file; `flow` has the parameters of the thorn. Fields are written at the end."""
    end = f"final_time: {time}" if time else f"iterations: {steps}"
    listed = lambda names: "[" + ", ".join(f'"Incompressible::{n}"' for n in names) + "]"
    return f"""thorns: [{THORNS}]
Cereus: {{{end}{cereus}}}
UniGrid: {{cells: {list(cells)}, lower: {lower}, upper: {upper}, periodic: {str(periodic).lower()}{grid}}}
Time: {f"{{dt: {dt}}}" if dt else limits}
MoL: {{method: {method}}}
Incompressible: {{{", ".join(f"{k}: {v}" for k, v in flow.items())}}}
IOHDF5: {{variables: {listed(variables)}, every: {steps or 0}, every_time: {time or 0}}}
IOASCII: {{variables: {listed(scalars)}, every: {every or 1}, reductions: {reductions}}}
{more}"""


def fields(folder):
    """The fields of the last output, as arrays [x][y][z] without axes that the grid lacks."""
    paths = sorted(glob.glob(os.path.join(folder, "*.hdf")))
    found = {}
    for path in paths:
        if path[-12:] == paths[-1][-12:]:
            with h5py.File(path) as f:
                found |= {n.split("__")[-1]: x[()].T.squeeze() for n, x in next(iter(f["data"].values()))["meshes"].items()}
    return found


def flow(cells, parameters, processes=1, **how):
    return fields(run(parfile(cells, parameters, **how), processes))


def along(a, axis, by):
    return np.roll(a, -by, axis)


def at(a, axis, index):
    return a[tuple(index if d == axis else slice(None) for d in range(a.ndim))]


def van_leer(l, r):
    with np.errstate(all="ignore"):
        return np.where(l * r > 0, 2 * l * r / (l + r), 0)


G = 2  # layers around


class Reference:
    """What the thorn does, on arrays with two layers around: velocity c at lower faces across axis c, the rest in cells. A face is a pair of a
    condition and the velocity there, a list of functions of the coordinates and the time."""

    methods = {"Euler": [(1, [1], 1)], "RK2": [(0.5, [1], 0.5), (1, [1, 0], 1)], "SSPRK2": [(1, [1], 1), (1, [0.5, 0.5], 0.5)],
               "SSPRK3": [(1, [1], 1), (0.5, [0.75, 0.25], 0.25), (1, [1 / 3, 0, 2 / 3], 2 / 3)]}

    def __init__(self, cells, lower, upper, periodic=None, faces=None, nu=0.0, force=(0, 0, 0), advection="centred", upwind=0.0, implicit=False,
                 obstacle=None, scalars=(), buoyant=None, expansion=1.0, reference=0.0, gravity=(0, 0, 0)):
        self.cells, self.dim = cells, len(cells)
        self.lower, self.h = lower, [(b - a) / n for a, b, n in zip(lower, upper, cells)]
        self.periodic, self.faces = periodic or [True] * self.dim, faces or [("wall", [])] * 6
        self.nu, self.force, self.advection, self.upwind, self.implicit = nu, force, advection, upwind, implicit
        self.scalars, self.buoyant, self.expansion, self.reference, self.gravity = scalars, buoyant, expansion, reference, gravity
        self.shape = [n + 2 * G + 1 for n in cells]
        self.open = np.ones(self.shape)
        if obstacle:
            self.open = np.where(obstacle(*self.places(None)) > 0, 0.0, 1.0)
        self.fill(self.open, "neumann")
        self.matrix = self.laplacian_matrix()

    def places(self, c):
        """Coordinates of velocity c, or of cells."""
        x = [self.lower[d] + (np.arange(self.shape[d]) - G + (0 if d == c else 0.5)) * self.h[d] for d in range(self.dim)]
        return list(np.meshgrid(*x, indexing="ij"))

    def begin(self, velocity, values=()):
        """Sets fields from functions of the coordinates, and takes sources out."""
        self.q = [velocity[c](*self.places(c)) + np.zeros(self.shape) for c in range(self.dim)]
        self.s = [f(*self.places(None)) + np.zeros(self.shape) for f in values]
        self.p = np.zeros(self.shape)
        self.t = 0.0
        self.project(self.q, 1.0, 0.0)
        self.p = np.zeros(self.shape)

    # What lies outside.
    def condition(self, what, d, side, t):
        """±1 for the sign of the mirror image, and the value on the face."""
        kind, velocity = self.faces[2 * d + side]
        if what == "neumann":
            return 1, 0.0
        if what == "p":
            return (-1, 0.0) if kind == "outflow" else (1, 0.0)
        if isinstance(what, tuple):  # a scalar: its conditions by face
            return what[2 * d + side]
        if kind == "outflow" or (kind == "slip" and what != d):
            return 1, 0.0
        if what == d and kind in ("wall", "slip"):
            return -1, 0.0
        x = self.places(what)
        x[d] = np.full(self.shape, self.lower[d] + side * self.cells[d] * self.h[d])
        return -1, velocity[what](*x, *[0] * (3 - self.dim), t) + np.zeros(self.shape) if what < len(velocity) else 0.0

    def fill(self, a, what, t=0.0):
        for d in range(self.dim):
            n = self.cells[d]
            if self.periodic[d]:
                for m in range(1, G + 1):
                    at(a, d, G - m)[...] = at(a, d, G + n - m)
                for m in range(G + 1):
                    at(a, d, G + n + m)[...] = at(a, d, G + m)
                continue
            for side in (0, 1):
                sign, value = self.condition(what, d, side, t)
                if what == d:  # a vertex lies on the face
                    face = G + side * n
                    if sign < 0:
                        at(a, d, face)[...] = at(value, d, face) if np.ndim(value) else value
                    for m in range(1, G + 1):
                        out, inner = (face + m, face - m) if side else (face - m, face + m)
                        v = at(value, d, out) if np.ndim(value) else value
                        at(a, d, out)[...] = sign * at(a, d, inner) + (1 - sign) * v
                else:
                    for m in range(G):
                        out, inner = (G + n + m, G + n - 1 - m) if side else (G - 1 - m, G + m)
                        v = at(value, d, out) if np.ndim(value) else value
                        at(a, d, out)[...] = sign * at(a, d, inner) + (1 - sign) * v

    # Rates of change.
    def flux(self, q, d, s, side):
        """Across the face `side` along axis d, of q, with velocity s."""
        a, b, c, e = (along(q, d, side + k) for k in (-2, -1, 0, 1))
        if self.advection == "limited":
            return s * np.where(s > 0, b + van_leer(b - a, c - b) / 2, c - van_leer(c - b, e - c) / 2)
        return s * (b + c) / 2 - self.upwind * abs(s) * (c - b) / 2

    def curved(self, q):
        return sum((along(q, d, 1) - 2 * q + along(q, d, -1)) / self.h[d] ** 2 for d in range(self.dim))

    def rate(self, q, s):
        rates = []
        for c in range(self.dim):
            r = self.force[c] + (0 if self.implicit else self.nu) * self.curved(q[c])
            for d in range(self.dim):
                across = lambda side: (along(q[d], d, side) + along(along(q[d], d, side), c, -1)) / 2
                if c == d:
                    across = lambda side: (along(q[c], c, side - 1) + along(q[c], c, side)) / 2
                r = r - (self.flux(q[c], d, across(1), 1) - self.flux(q[c], d, across(0), 0)) / self.h[d]
            if self.buoyant is not None:
                T = s[self.buoyant]
                r = r - self.expansion * self.gravity[c] * ((T + along(T, c, -1)) / 2 - self.reference)
            rates.append(r)
        for value, (_, diffusivity, _) in zip(s, self.scalars):
            r = diffusivity * self.curved(value)
            for d in range(self.dim):
                r = r - (self.flux(value, d, along(q[d], d, 1), 1) - self.flux(value, d, q[d], 0)) / self.h[d]
            rates.append(r)
        return rates

    # Pressure, by elimination.
    def inner(self, a, vertex=None):
        return a[tuple(slice(G, G + n + (d == vertex)) for d, n in enumerate(self.cells))]

    def is_open(self, d):
        return self.open * along(self.open, d, -1)

    def laplacian_matrix(self):
        number = np.full(self.shape, -1)
        self.inner(number)[...] = np.arange(np.prod(self.cells)).reshape(self.cells)
        A = np.zeros((np.prod(self.cells),) * 2)
        for d in range(self.dim):
            if self.periodic[d]:
                self.wrap(number, d)
            for place in zip(*np.nonzero(number == number)):
                if not all(G <= i < G + n for i, n in zip(place, self.cells)):
                    continue
                me = number[place]
                for side in (0, 1):
                    there = tuple(i + (2 * side - 1 if e == d else 0) for e, i in enumerate(place))
                    weight = self.is_open(d)[there if side else place] / self.h[d] ** 2
                    if number[there] >= 0:
                        A[me, number[there]] += weight
                        A[me, me] -= weight
                    elif self.faces[2 * d + side][0] == "outflow":
                        A[me, me] -= 2 * weight
        return A

    def wrap(self, a, d):
        n = self.cells[d]
        for m in range(1, G + 1):
            at(a, d, G - m)[...] = at(a, d, G + n - m)
        at(a, d, G + n)[...] = at(a, d, G)

    def hold(self, q, t):
        for c in range(self.dim):
            self.fill(q[c], c, t)
            q[c] *= self.is_open(c)

    def project(self, q, weight, t):
        self.hold(q, t)
        source = sum((along(q[d], d, 1) - q[d]) / self.h[d] for d in range(self.dim))
        phi = np.zeros(self.shape)
        solution = np.linalg.lstsq(self.matrix, self.inner(source).ravel() / weight, rcond=None)[0]
        if all(f[0] != "outflow" or self.periodic[i // 2] for i, f in enumerate(self.faces[:2 * self.dim])):
            solution -= solution[self.inner(self.open).ravel() > 0].mean()  # nothing else says how large it is
        self.inner(phi)[...] = solution.reshape(self.cells)
        self.fill(phi, "p")
        for d in range(self.dim):
            q[d] -= weight * self.is_open(d) * (phi - along(phi, d, -1)) / self.h[d]
            self.fill(q[d], d, t)
        return phi, source

    def diffuse(self, q, q0, weight, t):
        """(1 − ½ weight ν Δ) q' = q + weight (½ν Δq₀ − ∇p), by sweeps of Jacobi's method."""
        f = 0.5 * weight * self.nu
        for c in range(self.dim):
            self.fill(q[c], c, t)
            known = q[c] + f * self.curved(q0[c]) - weight * (self.p - along(self.p, c, -1)) / self.h[c]
            diagonal = 1 + 2 * f * sum(1 / h ** 2 for h in self.h)
            for _ in range(20000):
                change = (known - q[c] + f * self.curved(q[c])) / diagonal
                q[c] += change
                self.fill(q[c], c, t)
                if abs(self.inner(change, c if not self.periodic[c] else None)[tuple(slice(1, -1) if d == c else slice(None) for d in range(self.dim))]).max() < 1e-15:
                    break

    def step(self, dt, method="SSPRK3"):
        for c in range(self.dim):
            self.fill(self.q[c], c, self.t)
        states, t0, now = [[a.copy() for a in self.q + self.s]], self.t, self.t
        for fraction, parts, b in self.methods[method]:
            old = states[-1]
            for c in range(self.dim):
                self.fill(old[c], c, now)
            for value, (_, _, conditions) in zip(old[self.dim:], self.scalars):
                self.fill(value, conditions)
            rates = self.rate(old[:self.dim], old[self.dim:])
            new = [sum(a * state[n] for a, state in zip(parts, states)) + b * dt * rates[n] for n in range(len(rates))]
            now = t0 + fraction * dt
            q = new[:self.dim]
            if self.implicit:
                self.hold(q, now)
                self.diffuse(q, states[0], b * dt, now)
            phi, source = self.project(q, b * dt, now)
            self.p = self.p + phi - 0.5 * self.nu * source if self.implicit else phi
            self.fill(self.p, "p")
            states.append(q + new[self.dim:])
        self.q, self.s, self.t = states[-1][:self.dim], states[-1][self.dim:], t0 + dt

    def result(self):
        """As `fields` gives it; a periodic axis has no second face."""
        found = {name: self.inner(q, None if self.periodic[c] else c) for c, (name, q) in enumerate(zip("uvw", self.q))}
        return found | {"p": self.inner(self.p)} | {name: self.inner(s) for (name, _, _), s in zip(self.scalars, self.s)}


def worst(found, expected):
    return max(abs(found[n] - x).max() for n, x in expected.items())


CONV_U = {1: 1.0, 0.9766: 0.84348, 0.9688: 0.79161, 0.9609: 0.74071, 0.9531: 0.69118, 0.8516: 0.23644, 0.7344: 0.00415, 0.6172: -0.13881, 0.5: -0.20915,
          0.4531: -0.21398, 0.2813: -0.15765, 0.1719: -0.10173, 0.1016: -0.06441, 0.0703: -0.04663, 0.0625: -0.04198, 0.0547: -0.03722, 0: 0.0}
CONV_V = {1: 0.0, 0.9688: -0.06229, 0.9609: -0.07790, 0.9531: -0.09334, 0.9453: -0.10851, 0.9063: -0.17716, 0.8594: -0.23371, 0.8047: -0.25354, 0.5: 0.05754,
          0.2344: 0.17956, 0.2266: 0.17936, 0.1563: 0.16480, 0.0938: 0.12638, 0.0781: 0.11178, 0.0703: 0.10360, 0.0625: 0.09481, 0: 0.0}


def between(places, values, x):
    """A cubic through the four points around."""
    near = sorted(np.argsort(abs(places - x))[:4])
    return sum(values[a] * np.prod([(x - places[b]) / (places[a] - places[b]) for b in near if b != a]) for a in near)
