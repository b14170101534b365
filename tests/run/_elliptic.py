"""Runs of thorn Elliptic for its tests, and the same equation as a matrix, solved directly."""
import glob
import itertools
import os
import subprocess
import tempfile

import h5py
import numpy as np
from _physics import job

PARFILE = """thorns: [UniGrid, Time, Boundary, IOHDF5, Elliptic, Multigrid{device}]
Cereus: {{iterations: {steps}, real: {real}}}
Time: {{dt: 1}}
UniGrid: {{cells: {cells}, lower: {lower}, upper: {upper}, periodic: {periodic}, blocks: {blocks}, uneven: {uneven}}}
Boundary:
  value: {value}
{faces}
Elliptic: {{centring: {centring}, tolerance: {tolerance}, most_cycles: {most}{more}}}
IOHDF5: {{variables: ["Elliptic::solution{end}", "Elliptic::given{end}", "Elliptic::cycles", "Elliptic::residual"], every: 1, compression: 0}}
"""
FACES = ["x_lower", "x_upper", "y_lower", "y_upper", "z_lower", "z_upper"]


class Found:
    """What a run has written at its end: fields by name [x, y, z], `cycles`, `residual`; and what it said."""
    def __init__(self, folder, said):
        path = max(glob.glob(os.path.join(folder, "*.hdf")))
        with h5py.File(path) as f:
            (data,) = f["data"].values()
            self.fields = {n.split("__")[1].split("_")[0]: x[()].T for n, x in data["meshes"].items()}
            self.cycles, self.residual = (np.ravel(f[f"native/values/Elliptic__{n}"][()])[0] for n in ("cycles", "residual"))
        self.phi, self.said = self.fields["phi"], said


def parfile(cells, faces="", lower=0, upper=1, periodic=False, blocks=1, uneven=False, real="double", centring="cells", tolerance=1e-10,
            most=100, value=0, device="", steps=0, **formulas):
    """`faces`: FACE: CONDITION; …, or FACE formula …, in which PHI is the variable. Other names are formulas of Elliptic."""
    end = "_vertex" if centring == "vertices" else ""
    parts = [p for p in faces.split("; ") if p]
    formed = ", ".join(f'"Elliptic::phi{end} {p}"' for p in parts if " formula " in p).replace("PHI", "phi" + end)
    return PARFILE.format(
        cells=list(cells), lower=lower, upper=upper, periodic=str(periodic).lower(), blocks=blocks, uneven=str(uneven).lower(), real=real,
        faces="\n".join([f"  {p}" for p in parts if " formula " not in p] + [f"  overrides: [{formed}]"]), centring=centring,
        tolerance=tolerance, most=most, value=value, device=device, steps=steps, end=end, more="".join(f", {k}: {v}" if k == "each_step" else f', {k}: "{v}"' for k, v in formulas.items()))


def start(text, processes=1):
    folder = tempfile.mkdtemp(prefix="cereus-")
    device = {k: v for k, v in os.environ.items() if k == "CEREUS_ACTIVATE"}
    done = subprocess.run(**job(folder, text, processes, **device), capture_output=True)
    return os.path.join(folder, "run"), done.returncode, done.stdout + done.stderr


def solve(cells, processes=1, **given):
    text = parfile(cells, **given)
    folder, code, said = start(text, processes)
    if code != 0:
        raise SystemExit(f"{text}\n{said}\ncereus ended with {code}")
    return Found(folder, said)


def conditions(dim, faces):
    """Of each face the condition that `faces` gives it."""
    given = dict(p.split(": ") if ": " in p else p.split(" ", 1) for p in faces.split("; ") if p)
    return [given.get(f, given.get("all")) for f in FACES[:2 * dim]]


def direct(found, cells, faces="", lower=0, upper=1, periodic=False, centring="cells", value=0, **_):
    """φ of ∇·(a ∇φ) − b φ = ρ with the fields of a run, by a dense matrix: to second order, with the harmonic mean of a between points.
    Dirichlet faces have the value, others no slope. A constant that is open is such that the mean is 0."""
    dim, vertex = len(cells), centring == "vertices"
    of = lambda x: [x] * dim if np.ndim(x) == 0 else list(x)
    h = [(u - l) / n for l, u, n in zip(of(lower), of(upper), cells)]
    periodic, at = of(periodic), conditions(dim, faces)
    shape = found.phi.shape[:dim]
    a, b, rho = (found.fields[n].reshape(shape) for n in ("coefficient", "absorption", "source"))
    number = np.arange(a.size).reshape(shape)
    matrix, right, share = np.zeros((a.size, a.size)), rho.astype(float).ravel().copy(), np.ones(a.size)
    known = {}
    for i in itertools.product(*map(range, shape)):
        p = number[i]
        matrix[p, p] -= b[i]
        for d, side in itertools.product(range(dim), (0, 1)):
            q = list(i)
            q[d] += 2 * side - 1
            outside = not 0 <= q[d] < shape[d]
            if outside and periodic[d]:
                q[d] %= shape[d]
            elif outside and at[2 * d + side] == "dirichlet":
                if vertex:
                    known[p] = value
                else:
                    matrix[p, p] -= 2 * a[i] / h[d] ** 2
                    right[p] -= 2 * a[i] / h[d] ** 2 * value
                continue
            elif outside and vertex:  # the mirror image
                q[d] -= 2 * (2 * side - 1)
                share[p] /= 2
            elif outside:
                continue
            q = tuple(q)
            w = (2 * a[i] * a[q] / (a[i] + a[q]) if a[i] + a[q] > 0 else 0) / h[d] ** 2
            matrix[p, number[q]] += w
            matrix[p, p] -= w
    for p, v in known.items():
        matrix[p], right[p] = 0, v
        matrix[p, p] = 1
    free = np.flatnonzero(np.diag(matrix))  # in holes nothing is said
    matrix, right, share = matrix[np.ix_(free, free)], right[free], share[free]
    phi = found.phi.astype(float).ravel().copy()
    if np.max(np.abs(matrix.sum(axis=1))) > 1e-9 * np.max(np.abs(matrix)):
        phi[free] = np.linalg.solve(matrix, right)
    else:  # Σ share φ = 0; the last unknown is the mean of ρ
        bordered = np.block([[matrix, np.ones((len(free), 1))], [share[None, :], np.zeros((1, 1))]])
        phi[free] = np.linalg.solve(bordered, np.append(right, 0))[:-1]
    return phi.reshape(shape)
