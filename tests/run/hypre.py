#!/usr/bin/env python3
"""Thorn Multigrid against hypre (conjugate gradients with PFMG), which is compiled here where Debian's libhypre-dev is installed: the same φ.

A mutation that makes it fail: the arithmetic mean of coefficients for the harmonic one, here or in tests/run/_hypre.c.
"""
import os
import shutil
import subprocess
import tempfile

import numpy as np
from _elliptic import conditions, solve
from _physics import DIMENSIONS, check, finish

PROGRAM = os.path.join(tempfile.mkdtemp(prefix="cereus-"), "hypre")
SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_hypre.c")
built = shutil.which("mpicc") and subprocess.run(["mpicc", "-O2", "-I/usr/include/hypre", SOURCE, "-lHYPRE", "-lm", "-o", PROGRAM], capture_output=True)
if 3 not in DIMENSIONS or not built or built.returncode:
    finish("there is no libhypre-dev, or no mpicc")


def hypre(found, cells, faces="", upper=1, periodic=False, tolerance=1e-12, times=1, **_):
    """φ of the equation with the fields of a run; what hypre says of it."""
    letters = "".join("p" if p else f[0] for f, p in zip(conditions(3, faces), np.repeat(np.broadcast_to(periodic, 3), 2)))
    rho, a, b = (found.fields[n].astype(float) for n in ("source", "coefficient", "absorption"))
    if "d" not in letters and not b.any():
        rho = rho - rho.mean()
    h = [str(u / n) for u, n in zip(np.broadcast_to(upper, 3), cells)]
    done = subprocess.run([PROGRAM, *map(str, cells), *h, letters, str(tolerance), str(times)], input=b"".join(x.tobytes("F") for x in (rho, a, b)),
                          capture_output=True)
    if done.returncode:
        raise SystemExit(f"hypre: {done.stderr.decode()}")
    return np.frombuffer(done.stdout).reshape(cells, order="F"), done.stderr.decode().strip()


if __name__ == "__main__":
    for cells, given in (([32, 24, 16], dict(faces="all: dirichlet")), ([32, 24, 20], dict(faces="all: neumann; z_upper: dirichlet", coefficient="x > 0.4 ? 100 : 1")),
                         ([20, 24, 32], dict(faces="all: neumann", upper=[1, 2, 1])), ([16, 32, 24], dict(faces="all: dirichlet", periodic=[True, False, False], absorption="y")),
                         ([24, 24, 24], dict(faces="all: neumann", coefficient="1.5+sin(3*x+2*y)+z", absorption=3))):
        given |= dict(source="exp(x)*sin(7*x*y+3*z)+x*z", tolerance=1e-11)
        found = solve(cells, **given)
        phi, said = hypre(found, cells, **(given | dict(tolerance=1e-12)))
        open_mean = phi.mean() if abs(found.phi.mean()) < 1e-12 else 0
        wrong = np.max(np.abs(found.phi - phi + open_mean)) / np.max(np.abs(phi))
        check(wrong < 1e-9, f"{cells}, {given}: {wrong:.1e} from hypre's; {found.cycles} cycles, hypre {said}")
    finish()
