"""The binary of parfiles/binary-black-hole.yaml in seconds: two punctures that are close, on some thousand points."""
import glob
import os
import subprocess
import tempfile

import h5py
from _physics import picture

FILE = os.path.join(os.environ["CEREUS_SOURCE"], "parfiles", "binary-black-hole.yaml")
SMALL = {"UniGrid.cells": [24, 25, 12], "UniGrid.lower": [-6, -6, 0], "UniGrid.upper": 6, "UniGrid.stretch_from": 1.5, "UniGrid.stretch_width": 0.8,
         "UniGrid.stretch_factor": 4, "TwoPunctures.half_distance": 0.5, "TwoPunctures.mass_plus": 0.8, "TwoPunctures.mass_minus": 0.8,
         "TwoPunctures.momentum_plus": [0, 0.1, 0], "TwoPunctures.momentum_minus": [0, -0.1, 0], "TwoPunctures.points": [10, 10, 6],
         "Multipole.radii": [3, 4, 5], "Multipole.points": 8, "Multipole.every": 2, "ADMIntegrals.radii": [3, 4, 5], "ADMIntegrals.points": [8, 16],
         "ADMIntegrals.every": 2, "Horizons.start_times": [0, 0, 0], "Horizons.every": 2, "Horizons.lmax": 4, "Horizons.most_steps": 60, "IOHDF5.every": 8,
         "IOImage.every": 8, "IOASCII.every": 2, "Checkpoint.every": 8, "Cereus.final_time": 0.8}

_CLOSE = {name: value for name, value in SMALL.items() if name.split(".")[0] in ("TwoPunctures", "Multipole", "ADMIntegrals", "Horizons")}
# The same holes on blocks that follow them, as parfiles/gw150914-40.yaml has them.
SIX_ORBITS = _CLOSE | {"Forest.cells": [32, 32, 16], "Forest.lower": [-16, -15.9375, 0], "Forest.upper": [16, 16.0625, 16], "Forest.block": 16, "Forest.levels": 4, "Forest.same_steps": 1,
                       "Refine.spheres": ["1 5 at 0 0 0", "2 2 at 0 0 0", "3 0.4 around PunctureTracker 1"], "TwoPunctures.centre": [0, 0, 0], "BSSN.order": 4, "Interpolate.order": 3,
                       "TwoPunctures.spin_plus": [0, 0, 0.1], "TwoPunctures.spin_minus": [0, 0, 0], "Horizons.centres": [0.5, 0, 0, -0.5, 0, 0, 0, 0, 0],
                       "Horizons.radii": [0.3, 0.3, 1.2], "Constraints.inner": 2, "Constraints.outer": 5, "Time.dt": 0.1, "IOHDF5.every": 1, "Cereus.final_time": 0.4}


def options(settings):
    """As the command takes them."""
    text = lambda value: str(value).replace(" ", "").replace("'", '"')
    return [word for name, value in settings.items() for word in ("--set", f"{name}={text(value)}")]


def start(folder, settings, processes=1, path=FILE):
    """What subprocess.run takes, to run the file in a folder."""
    on = ["-n", str(processes)] if processes > 1 else []
    return {"args": [os.environ["CEREUS"], "run", path, *on, *options(settings)], "cwd": folder, "capture_output": True, "text": True}


def binary(settings, processes=1):
    """Runs it; returns the folder of the output."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**start(folder, settings, processes))
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return os.path.join(folder, "binary-black-hole")


def contents(folder):
    """All that a run says of physics, by file: numbers of fields, pixels of pictures, bytes of text."""
    found = {}
    for path in glob.glob(os.path.join(folder, "*")):
        name = os.path.basename(path)
        if name.endswith(".hdf"):
            with h5py.File(path) as f:
                f["data"].visititems(lambda at, x, name=name: found.__setitem__(name + at, x[()].tobytes()) if isinstance(x, h5py.Dataset) else None)
        elif name.endswith(".png"):
            found[name] = picture(path)
        elif name.endswith((".asc", ".gp")):
            with open(path, "rb") as f:
                found[name] = f.read()
    return found
