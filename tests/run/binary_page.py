#!/usr/bin/env python3
"""docs/binary-black-hole.md and docs/six-orbits.md: notebooks and scripts of their figures, on runs of seconds. Lines of the figures are the numbers of the run's files, read here as
text; kuibit reads the same folder. The first notebook as it stands, a quarter of an hour, is run by gallery.py with CEREUS_LONG.

Mutations tried in docs/figures/binary_black_hole.py: the wave without its radius; y of one puncture for that of the other; M_irr from the column of the areal radius; in
flesh/python/cereus/horizons.py θ and φ of a surface exchanged.
"""
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from _physics import DIMENSIONS, check, finish, read_by_kuibit


def kuibit_reads(folder):
    from kuibit.simdir import SimDir

    sim = SimDir(folder)
    mode, rows = sim.multipoles["Psi4"][3.0][2, 2], np.loadtxt(os.path.join(folder, "mp_Psi4_l2_m2_r3.00.asc"))
    assert np.array_equal(mode.t, rows[:, 0]) and np.array_equal(mode.y, rows[:, 1] + 1j * rows[:, 2])
    horizon = sim.horizons.get_apparent_horizon(3)
    assert len(horizon.ah.area.t) == len(np.loadtxt(os.path.join(folder, "BH_diagnostics.ah3.gp"), ndmin=2))
    assert horizon.shape_at_iteration(horizon.shape_iterations[-1])[0][0].shape == (8, 17)
    assert sim.timers[0]


if sys.argv[1:2] == ["kuibit"]:
    kuibit_reads(sys.argv[2])
    sys.exit(0)
if 3 not in DIMENSIONS:
    finish("black holes are of three dimensions")
from _binary import SIX_ORBITS, SMALL  # noqa: E402

ROOT = Path(os.environ["CEREUS_SOURCE"])
os.environ |= {"PYTHONPATH": str(Path(os.environ["CEREUS"]).parents[1] / "lib/python3"), "PYTHONDONTWRITEBYTECODE": "1", "MPLCONFIGDIR": tempfile.mkdtemp()}
home = Path(tempfile.mkdtemp(prefix="cereus-"))
(home / "docs/notebooks").mkdir(parents=True)
for name in ("parfiles", "docs/figures"):
    (home / name).symlink_to(ROOT / name)
environment = {k: v for k, v in os.environ.items() if k != "CEREUS_ACTIVATE"}
run = lambda *words: subprocess.run([sys.executable, *words], cwd=home / "docs/notebooks", capture_output=True, text=True, env=environment)


def run_notebook(name, settings, cells=None):
    """Of a shorter run; `cells`: how many."""
    found = json.loads((ROOT / f"docs/notebooks/{name}.ipynb").read_text())["cells"]
    code = "\n\n".join(["".join(cell["source"]) for cell in found if cell["cell_type"] == "code"][:cells])
    check(f'"../../parfiles/{name}.yaml", fresh=True)' in code, f"{name}: the notebook runs the file as it stands")
    done = run("-c", code.replace("fresh=True)", f"fresh=True, set={settings!r})"))
    check(done.returncode == 0, f"{name}: {(done.stdout + done.stderr)[-800:] if done.returncode else done.stdout.splitlines()[-1]}")


run_notebook("binary-black-hole", SMALL)
run_notebook("gw150914-40", SIX_ORBITS, -1)  # all but the hole that is left

folder = home / "docs/notebooks/binary-black-hole"
done = run("../figures/binary_black_hole.py", str(folder), "pictures")
pictures = {path.name: path.stat().st_size for path in (home / "docs/notebooks/pictures").glob("*.png")}
names = {"fields.png", "tracks.png", "masses.png", "waveform.png", "constraints.png"}
check(done.returncode == 0 and pictures.keys() == names and min(pictures.values()) > 8000, f"the script's pictures: {pictures} {done.stderr[-500:]}")
check("right-hand side" in done.stdout and done.stdout.rstrip().endswith("100.0"), "the script's table: " + done.stdout[:120].replace("\n", " "))
page = (ROOT / "docs/binary-black-hole.md").read_text()
for name in sorted(names):
    check(f"images/binary-black-hole/{name}" in page and (ROOT / "docs/images/binary-black-hole" / name).exists(), f"the page shows {name}")

sys.path[:1] = [os.environ["PYTHONPATH"], str(ROOT / "docs/figures")]  # without this folder, whose packaging.py is not matplotlib's
import binary_black_hole as figures  # noqa: E402
import cereus  # noqa: E402

run = cereus.open(folder)
line = lambda figure, axes, n: np.array(figure.axes[axes].lines[n].get_xydata())
text = lambda name: np.loadtxt(folder / name, ndmin=2)
track, wave, horizon, squares = text("punctures.asc"), text("mp_Psi4_l2_m2_r4.00.asc"), text("BH_diagnostics.ah3.gp"), text("constraints-squares.average.asc")
picture = figures.tracks(run)
check(np.array_equal(line(picture, 0, 0), track[:, 2:4]) and np.array_equal(line(picture, 0, 1), track[:, 5:7]), "tracks are the numbers of punctures.asc")
circle = line(picture, 0, 2)
check(np.abs(circle[0] - circle[-1]).max() == 0 and 0.5 < np.hypot(*circle.T).max() < 2, "the horizon's circle is closed")
picture = figures.waveform(run)
check(np.allclose(line(picture, 0, 1), np.stack([wave[:, 0] - 4, 4 * wave[:, 1]], 1), rtol=0, atol=0), "the wave at r = 4 is r times the numbers of its file")
check(np.array_equal(line(figures.masses(run), 0, 0), horizon[:, [1, 26]]), "M_irr is that of BH_diagnostics.ah3.gp")
check(np.allclose(line(figures.constraints(run), 0, 0)[:, 1], np.sqrt(squares[:, 2] / squares[:, 4]), rtol=1e-15), "‖H‖ is the root of its average over the volume's")
check(run.horizons[3].surface().shape == (8, 17, 3) and len(run.horizons[3].surfaces) == len(horizon), "surfaces at each time at which the horizon was found")
said = str(run)
check("horizons:    3: found at" in said and "mp_Psi4_lL_mM_r4.00" in said and "x:" not in said.split("fields:")[1].split("slices:")[0], "print(run) says what there is")
read_by_kuibit(__file__, str(folder), "waves, horizons and timers")
finish()
