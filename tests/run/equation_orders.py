#!/usr/bin/env python3
"""The equations in parfiles/ converge at the order of their differences, within 0.3, for each order that they offer: Burgers' and Schroedinger's against
solutions in closed form (Cole and Hopf's; E. Schroedinger's coherent state, Naturwiss. 14 (1926) 664), the others against Fourier series, whose
coefficients a Runge-Kutta method of order 4 with an integrating factor follows (J. D. Lawson, SIAM J. Numer. Anal. 4 (1967) 372).
The texts are the shipped ones, interpreted, on small grids; only Cahn and Hilliard's begins with a smooth mixture in the place of noise.

Mutations tried, in the texts, with what fails: a coefficient 1 to 5 thousandths off, a sign, V for V^2, D_xx for D_ii (that equation, at order 4 if not
at 2); centred(2) for centred(4) (Gray and Scott's).
"""
import os
import subprocess
import tempfile

import h5py
import numpy as np
from _physics import DIMENSIONS, check, finish, order_of

PARFILES = os.path.join(os.environ["CEREUS_SOURCE"], "parfiles")


def fields(name, thorn, variables, cells, time, steps, order=None, settings=(), change=("", "")):
    """The variables at `time`, an array [variable, (y,) x], of a parameter file on another grid."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(PARFILES, name + ".yaml")) as f:
        text = f.read()
    assert change[0] in text
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(text.replace(*change))
    names = ", ".join(f'"{thorn}::{v}"' for v in variables)
    settings = [f"UniGrid.cells={cells}", f"Cereus.iterations={steps}", "Cereus.final_time=-1", f"Time.dt={time / steps!r}", "Cereus.compile=false", "IOASCII.variables=[]",
                "IOImage.variables=[]", f"IOHDF5.variables=[{names}]", f"IOHDF5.every={steps}", *settings] + ([f"{thorn}.order={order}"] if order else [])
    done = subprocess.run([os.environ["CEREUS"], "run", "run.yaml"] + [w for s in settings for w in ("--set", s)], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{name}: {done.stdout}{done.stderr}")
    with h5py.File(os.path.join(folder, "run", f"run_{steps:08d}.hdf")) as f:
        return np.array([f[f"data/{steps}/meshes/{thorn}__{v}"][()].squeeze() for v in variables])


def waves(cells, length):
    return 2 * np.pi / length * np.fft.fftfreq(cells, 1 / cells)


def lawson(u, linear, rest, time, steps):
    """u_t = linear u + rest(u), of Fourier coefficients."""
    h, e = time / steps, np.exp(linear * time / steps / 2)
    for _ in range(steps):
        a = rest(u)
        b = rest(e * (u + h / 2 * a))
        c = rest(e * u + h / 2 * b)
        d = rest(e * e * u + h * e * c)
        u = e * e * u + h / 6 * (e * e * a + 2 * e * (b + c) + d)
    return u


def points(n, lower, upper):
    return lower + (upper - lower) / n * np.arange(n)


def burgers(n, time, nu=0.1, b=1.25):
    x, decay = points(n, 0, 2 * np.pi), np.exp(-nu * time)
    return [2 * nu * decay * np.sin(x) / (b + decay * np.cos(x))]


def schroedinger(n, time, start=2):
    x = points(n, -10, 10)
    psi = np.pi**-0.25 * np.exp(-0.5 * (x - start * np.cos(time)) ** 2 - 1j * (time / 2 + x * start * np.sin(time) - start**2 / 4 * np.sin(2 * time)))
    return [psi.real, psi.imag]


def kuramoto_sivashinsky(n, time):
    x, k = points(n, 0, 32 * np.pi), waves(n, 32 * np.pi)
    fft, back = np.fft.fft, lambda u: np.fft.ifft(u).real
    return [back(lawson(fft(np.cos(x / 16) * (1 + np.sin(x / 16))), k**2 - k**4, lambda u: -0.5j * k * fft(back(u) ** 2), time, 400))]


def plane(n, lower, upper):
    """x, y, and the square of the wave number."""
    x, k = points(n, lower, upper), waves(n, upper - lower)
    return x[None, :], x[:, None], k[None, :] ** 2 + k[:, None] ** 2


def gray_scott(n, time, feed=0.037, kill=0.06):
    x, y, k2 = plane(n, 0.1, 0.9)  # V is 3e-15 at the faces
    fft, back = np.fft.fft2, lambda u: np.fft.ifft2(u).real

    def react(c):
        u, v = back(c)
        return np.array([fft(feed * (1 - u) - u * v**2), fft(u * v**2 - (feed + kill) * v)])
    v = np.exp(-200 * ((x - 0.5) ** 2 + (y - 0.5) ** 2)) / 4
    return back(lawson(fft(np.array([1 - 2 * v, v])), np.array([-2e-5 * k2, -1e-5 * k2]), react, time, 200))


SIZE = 32
MIXTURE = "0.3 cos(pi x / 16) + 0.2 sin(pi (x + 2 y) / 16)"


def cahn_hilliard(n, time):
    x, y, k2 = plane(n, 0, SIZE)
    fft, back = np.fft.fft2, lambda u: np.fft.ifft2(u).real
    start = 0.3 * np.cos(np.pi * x / 16) + 0.2 * np.sin(np.pi * (x + 2 * y) / 16)
    return [back(lawson(fft(start), k2 - k2**2, lambda c: -k2 * fft(back(c) ** 3), time, 400))]


# Name, thorn, variables, solution, orders, cells of the coarse grid, time, steps on it; how many times as many on the fine one; settings, what is replaced.
CASES = [
    ("burgers", "Burgers", ["u"], burgers, (2, 4, 6), 64, 1, 200, 2, (), ("", "")),
    ("schroedinger", "Schroedinger", ["re", "im"], schroedinger, (2, 4, 6), 128, 1, 200, 4, (), ("", "")),
    ("kuramoto-sivashinsky", "KuramotoSivashinsky", ["u"], kuramoto_sivashinsky, (2, 4, 6), 128, 4, 200, 16, (), ("", "")),
    ("gray-scott", "GrayScott", ["U", "V"], gray_scott, (None,), 96, 20, 40, 4, ("UniGrid.lower=0.1", "UniGrid.upper=0.9"), ("", "")),
    ("cahn-hilliard", "CahnHilliard", ["c"], cahn_hilliard, (2, 4), 32, 1, 64, 16, (f"UniGrid.upper={SIZE}",), ("0.2 (noise(1) - 1/2)", MIXTURE)),
]
for name, thorn, variables, solution, orders, cells, time, steps, more, settings, change in CASES:
    dim = 2 if name in ("gray-scott", "cahn-hilliard") else 1
    if dim not in DIMENSIONS:
        continue
    exact = np.array(solution(2 * cells, time))
    for order in orders:
        errors = []
        for m in (1, 2):
            found = fields(name, thorn, variables, [m * cells] * dim, time, steps * (1 if m == 1 else more), order, settings, change)
            errors.append(np.sqrt(np.mean((found - exact[(slice(None), *[slice(None, None, 2 // m)] * dim)]) ** 2)))
        measured = order_of(*errors)
        check(abs(measured - (order or 4)) < 0.3, f"{name}, order {order or 4}: measured {measured:.2f} ({errors[0]:.2g}, {errors[1]:.2g})")
finish()
