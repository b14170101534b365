"""Runs thorn Elliptic for its tests: an equation made from a solution that is known, on a grid, with conditions; and what was found."""
import glob
import os
import subprocess
import tempfile

import h5py
import numpy as np
from _physics import job

PARFILE = """thorns: [UniGrid, Time, Boundary, IOHDF5, Elliptic, Multigrid{device}]
Cereus: {{iterations: 0, real: {real}}}
Time: {{dt: 1}}
UniGrid: {{cells: {cells}, lower: {lower}, upper: {upper}, periodic: {periodic}, blocks: {blocks}, uneven: {uneven}}}
Boundary:
  value: {value}
{faces}
Elliptic: {{centring: {centring}, tolerance: {tolerance}, most_cycles: {most}{more}}}
IOHDF5: {{variables: ["Elliptic::solution{end}", "Elliptic::given{end}", "Elliptic::cycles", "Elliptic::residual"], every: 1, compression: 0}}
"""


class Found:
    def __init__(self, folder, said):
        (path,) = glob.glob(os.path.join(folder, "*.hdf"))
        with h5py.File(path) as f:
            self.fields = {n.split("__")[1].split("_")[0]: x[()].T for n, x in f["data/0/meshes"].items()}  # [x, y, z]
            self.cycles, self.residual = (np.ravel(f[f"native/values/Elliptic__{n}"][()])[0] for n in ("cycles", "residual"))
        self.phi, self.said = self.fields["phi"], said


def parfile(cells, faces="all: neumann", lower=0, upper=1, periodic="false", blocks=1, uneven="false", real="double", centring="cells",
            tolerance=1e-10, most=100, value=0, device="", **formulas):
    end = "_vertex" if centring == "vertices" else ""
    overrides = [f'"Elliptic::phi{end} {f}"' for f in faces.split("; ") if " formula " in f]
    lines = [f"  {f}" for f in faces.split("; ") if " formula " not in f] + [f"  overrides: [{', '.join(overrides)}]"]
    more = "".join(f', {k}: "{v}"' for k, v in formulas.items())
    return PARFILE.format(cells=list(cells), faces="\n".join(lines).replace("PHI", "phi" + end), **{k: v for k, v in locals().items() if k not in ("cells", "faces")})


def start(text, processes=1):
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, text, processes), capture_output=True)
    return folder, done.returncode, done.stdout + done.stderr


def solve(cells, processes=1, **given):
    text = parfile(cells, **given)
    folder, code, said = start(text, processes)
    if code != 0:
        raise SystemExit(f"{text}\n{said}\ncereus ended with {code}")
    return Found(os.path.join(folder, "run"), said)
