#!/usr/bin/env python3
"""Each entry of docs/gallery.md has a picture and a notebook, whose code cells run, in order, in one Python (without Jupyter): the parameter file as it stands, a
picture, and the figure that proves the entry, one number beside a formula, an exact solution or a published value. With CEREUS_LONG all but six orbits run as they stand; without it
those of more than some seconds run on fewer cells, for a shorter time, or interpreted; binary_page.py does so for black holes, of which six orbits need a large GPU.

Mutations that make it fail: Hydro's gravity of the other sign (no growth); an entry of the page without a notebook; a notebook with outputs, or without an `assert`
at its end; another velocity between fan and shock in sod.ipynb; a long notebook's run without `set`; 1e-9 added to D_t u in
kuramoto-sivashinsky.yaml; 1e-3 c added to D_t c in cahn-hilliard.yaml; 2 V im for V im in schroedinger.yaml.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from _physics import DIMENSIONS, check, finish

ROOT = Path(os.environ["CEREUS_SOURCE"])
WHOLE = "CEREUS_LONG" in os.environ
INTERPRETED = {"Cereus.compile": False}  # to compile equations takes longer than to run them so shortly
# What long ones are set to. Their figures hold all the same.
SHORT = {
    "cahn-hilliard": INTERPRETED | {"UniGrid.cells": [32, 32], "UniGrid.upper": 32, "Cereus.final_time": 20},
    "kuramoto-sivashinsky": INTERPRETED | {"Cereus.final_time": 2},
    "schroedinger": INTERPRETED,
    "wave-adaptive": {"Cereus.final_time": 0.3},
    "sedov-adaptive": {"Cereus.final_time": 0.5},
    "gray-scott-adaptive": INTERPRETED | {"Cereus.final_time": 40},
    "gray-scott": INTERPRETED | {"UniGrid.cells": [64, 64], "Cereus.final_time": 20},
}


def code_of(name):
    """A notebook's code, as it would be typed; as committed it has no outputs. Of a long one, the code of a shorter run."""
    cells = json.loads((ROOT / f"docs/notebooks/{name}.ipynb").read_text())["cells"]
    code = [cell for cell in cells if cell["cell_type"] == "code"]
    clean = not any(cell["outputs"] or cell["execution_count"] for cell in code)
    text = ["".join(cell["source"]) for cell in code]
    check(clean and f'"../../parfiles/{name}.yaml"' in text[0] and "\nassert " in text[-1], f"{name}: its file is run, the last cell asserts a figure, no outputs")
    if name in SHORT and not WHOLE:
        text = [re.sub(r"(?<=set=)(\{.*?\})\)$", lambda found: f"{found[1]} | {SHORT[name]})", cell, flags=re.M | re.S) for cell in text]
        check(str(SHORT[name]) in text[0], f"{name}: a shorter run")
    return "\n\n".join(text)


page = (ROOT / "docs/gallery.md").read_text()
entries = re.findall(r"\(\.\./parfiles/([a-z0-9-]+)\.yaml\)", page)
notebooks = {path.stem for path in (ROOT / "docs/notebooks").glob("*.ipynb")}
check(set(entries) == notebooks and len(entries) == len(notebooks) >= 10, f"the page has {len(entries)} entries, and each a notebook")
home = Path(tempfile.mkdtemp(prefix="cereus-"))
(home / "docs/notebooks").mkdir(parents=True)
for folder in ("parfiles", "docs/figures"):
    (home / folder).symlink_to(ROOT / folder)
environment = {k: v for k, v in os.environ.items() if k != "CEREUS_ACTIVATE"}
environment |= {"PYTHONPATH": str(Path(os.environ["CEREUS"]).parents[1] / "lib/python3"), "PYTHONDONTWRITEBYTECODE": "1", "MPLCONFIGDIR": tempfile.mkdtemp()}
for name in entries:
    for what in (f"images/gallery/{name}.png", f"notebooks/{name}.ipynb"):
        check((ROOT / "docs" / what).exists() and f"({what})" in page, f"{name}: {what}")
    code = code_of(name)
    if name == "gw150914-40" or name == "binary-black-hole" and not WHOLE or 2 not in DIMENSIONS:
        continue
    done = subprocess.run([sys.executable, "-c", code], cwd=home / "docs/notebooks", capture_output=True, text=True, env=environment)
    said = done.stdout.strip().splitlines()[-1:] if done.returncode == 0 else f"{done.stdout}{done.stderr}"[-2000:]
    check(done.returncode == 0, f"{name}: {said}")
finish()
