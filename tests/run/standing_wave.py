"""The standing wave on 8³ points prints the published values at the origin, with the same bits on any decomposition.

u = cos(πx) cos(πy) cos(πz) at t = 0, ρ = 0, Kutta's RK3, dt 0.125, 10 steps, order 2. On the grid the wave is an
eigenvector of the discrete Laplacian, so the values follow from three lines of arithmetic, done here with fractions.
Dropping the sync of u, or a block boundary off by one, should make this fail (depth − 1 in ghost_pieces).
"""
import os
import re
import subprocess
import sys
import tempfile
from fractions import Fraction

import _physics  # whose folder takes those made here

PARFILE = os.path.join(os.environ["CEREUS_SOURCE"], "parfiles", "standing-wave.yaml")


def expected():
    """(u, ρ)' = (ρ, λu) with λ = 3·(2cos(π/4) − 2)/h² = −48(2 − √2), by the textbook form of Kutta's method."""
    root2 = Fraction(1414213562373095048801688724209698, 10**33)
    eigenvalue, dt = -48 * (2 - root2), Fraction(1, 8)
    f = lambda y: (y[1], eigenvalue * y[0])
    plus = lambda y, *terms: tuple(y[i] + sum(c * k[i] for c, k in terms) for i in range(2))
    y = (Fraction(1), Fraction(0))
    for _ in range(10):
        k1 = f(y)
        k2 = f(plus(y, (dt / 2, k1)))
        k3 = f(plus(y, (-dt, k1), (2 * dt, k2)))
        y = plus(y, (dt / 6, k1), (4 * dt / 6, k2), (dt / 6, k3))
    return float(y[0]), float(y[1])


def printed(*more):
    done = subprocess.run([os.environ["CEREUS"], "run", *more, PARFILE], cwd=tempfile.mkdtemp(prefix="cereus-"),
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return [re.search(rf"WaveToy::{v} at .*: (\S+)$", done.stdout, re.M).group(1) for v in ("u", "rho")]


first = printed()
uneven = ["--set", "UniGrid.blocks=8", "--set", "UniGrid.uneven=true"]
for name, value, published, formula in zip(("u", "rho"), first, (0.86461198973495, -1.86220412343936), expected()):
    print(name, value, "published", published, "formula", formula)
    assert abs(float(value) - published) < 1e-13, name
    assert abs(float(value) - formula) < 1e-13, name
for more in (["-n", "2"], ["-n", "4"], uneven, ["-n", "2", *uneven], ["-n", "4", "--set", "Cereus.overlap=false"],
             ["--set", "Cereus.fuse=false"], ["-n", "2", "--set", "Cereus.audit=true"]):
    values = printed(*more)
    print(" ".join(more), values)
    assert values == first, more
