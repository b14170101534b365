#!/usr/bin/env python3
"""The package `cereus`: what runs of 1D to 3D, on one process and two, in one block and eight, wrote is read back as it is; folders of runs that go on, were
cut, have failed or hold other programs' files; `run`, `sweep`, `convergence` and `plot` from Python and from the shell; the code in docs/python.md runs.

References are formulas: the first pulse is a Gaussian at each point. Mutations that make it fail, in flesh/python/cereus: in Patch.slice `lo[a]` one off; in
Patch.blocks no shift by the corner of the patch; no not-a-number in Patch.values; in native_levels `spacing` in another order, or no `_lvl`; in read_table the
last line kept though it has no end; in Run.state the lock not looked at; in Run._native names from the last file, whole or not; in `sweep` no Mistake caught; in
`_difference` the first points of the finer run for every second one; in Run.unfinished no `.tmp`; in Run._carpet no look for changes, or none for `unknown`; in `_MIDDLE` 24 for 25; in `convergence` steps of diffusion halved; no `extent` in `_image`; in Run._native groups taken for fields, or `.h5` left out; in `film` no
`_around_zero`; no `_writing`; in __main__ no look at repeated parameters, and Ctrl-C not caught; in `_first_step` no `Cereus.progress`. In cereus/__main__.py the words left out, or no CEREUS_PYTHON; in Convergence.plot colours within the format; a public name without a docstring; py.typed
not there; in plots.py `_in_solid` of one side, no `_continued`, all columns on one axis, the legend within it, or changes of the last value.
"""
import ast
import dataclasses
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest.mock

import numpy as np

from _physics import DIMENSIONS, check, finish

CEREUS, SOURCE = os.environ["CEREUS"], os.environ["CEREUS_SOURCE"]
LIBRARY = os.path.join(os.path.dirname(CEREUS), "..", "lib", "python3")
sys.path.insert(0, os.path.abspath(LIBRARY))
sys.dont_write_bytecode = True
os.environ |= {"CEREUS_PYTHON": sys.executable, "PYTHONDONTWRITEBYTECODE": "1", "MPLCONFIGDIR": tempfile.mkdtemp()}
os.environ.pop("CEREUS_ACTIVATE", None)
import cereus  # noqa: E402
from cereus import needs  # noqa: E402

CELLS, LOWER, UPPER, CENTRE, WIDTH = (6, 9, 14), (-0.5, 0.25, -1.0), (0.7, 2.5, 2.9), (0.2, 1.0, 0.1), 0.4
SPACING = [(u - l) / n for l, u, n in zip(LOWER, UPPER, CELLS)]
os.chdir(tempfile.mkdtemp(prefix="cereus-"))


def wave(dim, blocks=1, uneven=False, **more):
    """Parameters of a pulse off the centre of a grid with three different extents and spacings."""
    return {"thorns": ["UniGrid", "Time", "MoL", "Reduce", "WaveToy", "IOASCII", "IOHDF5", "TimerReport"], "Cereus": {"iterations": 4},
            "UniGrid": {"cells": CELLS[:dim], "lower": LOWER[:dim], "upper": UPPER[:dim], "periodic": True, "blocks": blocks, "uneven": uneven},
            "WaveToy": {"order": 2, "width": WIDTH, "centre": CENTRE},
            "IOASCII": {"variables": ["@evolved", "WaveToy::max_speed"], "every": 2, "lines": ["x", "y", "z"], "line_through": CENTRE,
                        "points": [0.1, 1.05, 0.2, 9, 9, 9]},
            "IOHDF5": {"every": 2, "format": ["native", "carpet"], "slices": ["xy", "xz", "yz"], "slice_through": CENTRE}, **more}


def error(f, *args, **kinds):
    try:
        f(*args, **kinds)
    except cereus.Error as wrong:
        return f"{type(wrong).__name__}: {wrong}"
    return "nothing"


def shell(*words, **environment):
    done = subprocess.run([CEREUS, *words], capture_output=True, text=True, timeout=250, env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def reads_back(run, dim):
    axes = "xyz"[:dim]
    x = [LOWER[d] + SPACING[d] * np.arange(CELLS[d]) for d in range(dim)]
    gaussian = np.exp(-sum((g - CENTRE[d]) ** 2 for d, g in zip(reversed(range(dim)), np.meshgrid(*x[::-1], indexing="ij"))) / (2 * WIDTH**2))
    field = run.fields["WaveToy::u"]
    check(list(run.fields) == ["WaveToy::rho", "WaveToy::u"] and not run.unread, f"the fields are {', '.join(run.fields)}")
    first = field.at(time=0)
    check(list(field.iterations) == [0, 2, 4] and first.iteration == 0 and np.abs(first.values - gaussian).max() < 1e-14, f"{dim}D: a field")
    check(all(np.abs(first.coordinates(a) - x[d]).max() < 1e-14 for d, a in enumerate(axes)), "its coordinates")
    blocks = [np.array_equal(b.values, first.values[tuple(slice(b.lo[d], b.hi[d]) for d in reversed(range(dim)))]) and
              np.allclose(b.coordinates("x"), x[0][b.lo[0]:b.hi[0]]) for b in first.blocks]
    check(all(blocks) and sum(b.values.size for b in first.blocks) == gaussian.size, f"its {len(blocks)} blocks")
    near = [int(round((CENTRE[d] - LOWER[d]) / SPACING[d])) for d in range(3)]
    for cut in ("x", "y", "z", "xy", "xz", "yz"):
        if set(cut) <= set(axes) and cut != axes:
            want = gaussian[tuple(slice(None) if a in cut else near["xyz".index(a)] for a in reversed(axes))]
            check(np.abs(first.slice(cut, CENTRE).values - want).max() < 1e-14, f"its slice {cut}")
            if len(cut) == 2:
                check(np.abs(run.slices[cut]["WaveToy::u"].at(time=0).values - want).max() < 1e-14, f"and the slice {cut} that the run wrote")
    last = run.lines["wavetoy-state.x"].at()
    check(np.array_equal(last["u"], field.at().slice("x", CENTRE).values) and np.allclose(last["x"], x[0]), "a line of text has the bits of the field")
    norm = run.series["wavetoy-state.maximum"]
    check(list(norm.iteration) == [0, 2, 4] and list(norm.time) == list(field.times) and [s.values.max() for s in field] == list(norm["u"]), "norms over time")
    check(list(run.series["wavetoy-speeds"]["max_speed"]) == [1] * 3 and len(run.lines["wavetoy-state.points"].at()) == 2, "scalars and points")
    check(run.state == "done" and run.progress["iteration"] == 4 and run.parameters["WaveToy"]["width"] == WIDTH and run.parameters["Time"]["courant"] == 0.4
          and "WaveToy" in run.provenance["thorn"] and any(t["name"] == "WaveToy::rhs" for t in run.timers), "state, parameters, provenance, timers")


def levels_and_centrings():
    lines = {"thorns": ["TwoLevels", "Time", "MoL", "WaveToy", "IOHDF5"], "TwoLevels": {"cells": [16, 12]}, "WaveToy": {"width": WIDTH},
             "Cereus": {"iterations": 0, "thorn_path": [os.environ["CEREUS_TEST_THORNS"]]}, "IOHDF5": {"every": 1, "format": ["native", "carpet"]}}
    run = cereus.run(lines, output="levels")
    for where, field in ((".hdf", run.fields["WaveToy::u"]), (".xy.h5", run.slices["xy"]["WaveToy::u"])):
        levels = field.at().levels
        gaussians = [np.exp(-(patch.coordinates("y")[:, None] ** 2 + patch.coordinates("x") ** 2) / (2 * WIDTH**2)) for patch in levels]
        check([patch.shape for patch in levels] == [(12, 16), (24, 32)] and all(np.abs(p.values - g).max() < 1e-14 for p, g in zip(levels, gaussians)), f"two levels in {where}")
    finer = field.at().levels[1]
    part = dataclasses.replace(run.fields["WaveToy::u"].at().levels[1], boxes=np.array([[[4, 4], [12, 20]], [[12, 4], [20, 8]]]), lo=(4, 4), hi=(20, 20))
    want = finer.values[4:20, 4:20].copy()
    want[4:, 8:] = np.nan
    check(np.array_equal(part.values, want, equal_nan=True) and [(b.lo, b.shape) for b in part.blocks] == [((4, 4), (16, 8)), ((12, 4), (4, 8))], "a level of which blocks cover a part")
    check([b.shape for b in part.slice("x", (0, part.coordinates("y")[9], 0)).blocks] == [(8,)] and not part.meets("x", (0, 0.99, 0)), "and slices through it")
    run = cereus.run({"thorns": ["UniGrid", "Time", "Boundary", "Sola", "IOHDF5"], "UniGrid": {"cells": [8, 4], "lower": 0, "upper": 1, "periodic": False},
                      "Cereus": {"iterations": 2}, "IOHDF5": {"every": 1, "variables": ["Sola::u", "Sola::v", "Sola::p"]}}, output="staggered")
    first = {name: [float(run.fields[f"Sola::{name}"].at().coordinates(a)[0]) for a in "xy"] for name in "uvp"}
    check(first == {"u": [0, 1 / 8], "v": [1 / 16, 0], "p": [1 / 16, 1 / 8]} and list(run.fields["Sola::v"].iterations) == [0, 1, 2], f"variables of three centrings: {first}")


def folders(dim):
    good = cereus.open("run3d1") if dim == 3 else cereus.open(f"run{dim}d1")
    for missing, said in (("nowhere", "is not there"), (tempfile.mkdtemp(), "it is empty"), (SOURCE, "no parameters.yaml; it holds .")):
        check(said in error(cereus.open, missing), f"a folder that is no run's: {error(cereus.open, missing)[:90]}")
    check("did you mean 'WaveToy::rho'" in error(good.fields.__getitem__, "WaveToy::roh") and "has no column 'v'" in error(good.series["wavetoy-state.norm2"].__getitem__, "v"), "names that are not there")
    shutil.copytree(good.folder, "cut")  # as a run leaves it that was killed, and strangers' files in between
    with open("cut/wavetoy-state.norm2.asc", "a") as f:
        f.write("6 0.5 1 2\nnonsense\n8 0.6 1\n9 0.7 1 2")
    with open("cut/progress.json") as f:
        said = json.load(f)
    with open("cut/progress.json", "w") as f:
        json.dump(said | {"state": "running"}, f)
    names = sorted(n for n in os.listdir("cut") if n.endswith(".hdf"))
    os.truncate(f"cut/{names[-1]}", 3000)
    for name, text in (("x.hdf", "stranger"), ("alien.xy.h5", "stranger"), ("notes.asc", "1 2 3\n"), ("timers.json", "{"), ("run_00000009.hdf.tmp", "")):
        with open(f"cut/{name}", "w") as f:
            f.write(text)
    for name in ("pipe.x.h5", "pipe_00000002.hdf", "pipe.asc"):
        os.mkfifo(f"cut/{name}")
    cut = cereus.open("cut")
    check(cut.state == "died" and list(cut.series["wavetoy-state.norm2"].iteration) == [0, 2, 4, 6], "a run that was killed, and its half lines")
    check(list(cut.fields["WaveToy::u"].iterations) == [0, 2] and names[-1] in cut.unread and cut.timers == [], f"its half files: {cut.unread}")
    os.truncate(f"cut/{names[1]}", os.path.getsize(f"cut/{names[1]}") - 100)
    check(list(cut.fields["WaveToy::u"].iterations) == [0] and "truncated" in cut.unread[names[1]], f"a file whose end is missing: {cut.unread}")
    check("names its columns" in error(cut.series.__getitem__, "notes"), f"what is no series: {error(cut.series.__getitem__, 'notes')}")
    check(all(word in str(cut) for word in ("died", "alien.xy.h5", names[-1], "checkpoints: none", "unfinished:  run_00000009.hdf.tmp")), f"is said:\n{cut}")
    with open("cut/wavetoy-state.xy.h5.changes", "w"):
        check(not cut.slices.get("xy") and "mends it when it goes on" in cut.unread["wavetoy-state.xy.h5"], f"a file that was being changed: {cut.unread}")
    os.remove("cut/wavetoy-state.xy.h5.changes")
    check("died; unfinished: run_00000009.hdf.tmp" in repr(cut), f"and in short: {cut!r}")
    with open("cut/progress.json", "w") as f:
        json.dump(said | {"state": "running", "host": "elsewhere"}, f)
    check(cut.state == "unknown", "one on another machine")
    with open("cut/wavetoy-state.xy.h5.changes", "w"):
        check(not cut.slices.get("xy") and cut.unread["wavetoy-state.xy.h5"] == "a run may be changing this file", f"which may go on: {cut.unread}")
    os.remove("cut/wavetoy-state.xy.h5.changes")
    os.remove("cut/progress.json")
    check("unknown" in str(cut), "one that said nothing")

    child = subprocess.Popen([CEREUS, "run", "endless.yaml", "--quiet"], stdout=subprocess.DEVNULL)
    limit = time.monotonic() + 60
    while not (os.path.exists("endless/progress.json") and len(os.listdir("endless")) > 5) and time.monotonic() < limit:
        time.sleep(0.02)
    live = cereus.open("endless")
    check(live.state == "goes on" and len(live.series["wavetoy-state.norm2"]) > 0, f"a run that goes on: {str(live).splitlines()[0]}")
    child.send_signal(signal.SIGTERM)
    check(child.wait(60) == 2 and live.state == "stopped", "and that was stopped")


def runs(dim):
    mistake = error(cereus.run, wave(dim, WaveToy={"oder": 2}), output="bad")
    check(re.match(r"Mistake: .*run.yaml:\d+:\d+: WaveToy has no parameter 'oder'; did you mean 'order'", mistake) and not os.path.exists("bad"), mistake)
    check("already holds a run" in error(cereus.run, wave(dim), output=f"run{dim}d1"), "a folder that holds a run")
    failed = error(cereus.run, "bad.yaml", set={"Cereus.iterations": 50, "Time.dt": 1e200, "NaNChecker.every": 1}, options=["--activate", "NaNChecker"], output="blown")
    check(failed.startswith("Failure: ") and "WaveToy" in failed and cereus.open("blown").state != "done", f"a run that fails: {failed.splitlines()[0]}")
    code, out, wrong = shell("sweep", "bad.yaml", "--over", "Time.courant=0.1,0.2,-1,0.3", "--over", "UniGrid.periodic=[true]")
    said = out.splitlines()
    check(code == 1 and len(said) == 4 and ["done, in" in s for s in said] == [True, True, False, True] and "1 of 4 runs failed: Time.courant=-1, UniGrid.periodic=[true]" in wrong,
          f"a sweep whose third run fails goes on, and says so: exit {code}\n{out}{wrong}")
    points = cereus.sweep("bad.yaml", {"WaveToy.order": [2, 4]}, output="orders")
    check([p.run.parameters["WaveToy"]["order"] for p in points] == [2, 4] and points[0].run.folder.name == "WaveToy.order=2", "a sweep from Python")
    written = [os.stat(f"orders/WaveToy.order={n}/parameters.yaml").st_mtime_ns for n in (2, 4)]
    shutil.rmtree("orders/WaveToy.order=4")
    code, out, wrong = shell("sweep", "bad.yaml", "--over", "WaveToy.order=2,4", "--output", "orders")
    again = [os.stat(f"orders/WaveToy.order={n}/parameters.yaml").st_mtime_ns for n in (2, 4)]
    check(code == 0 and again[0] == written[0] and again[1] != written[1], f"a sweep goes on where a run is missing: {code} {out}{wrong}")
    found = cereus.open_sweep("orders")
    check([p.values for p in found] == [{"WaveToy.order": 2}, {"WaveToy.order": 4}] and "open_sweep" in error(cereus.open, "orders"), f"a sweep is opened again: {found}")
    check(shell("plot", "orders", "wavetoy-state.norm2")[0] == 0 and os.path.exists("orders-wavetoy-state-norm2.png"), "its curves over each other")
    code, _, wrong = shell("sweep", "bad.yaml", "--over", "Time.courant=0.1", "--over", "Time.courant=0.2", "--output", "twice")
    check(code == 1 and "named twice" in wrong and not os.path.exists("twice"), f"a parameter named twice: {wrong.strip()}")
    for words, says in ((["sweep", "bad.yaml", "--over", "WaveToy.order"], "must be Thorn.key=a,b,c"),
                        (["sweep", "bad.yaml", "--over", "WaveToy.order=2,4", "--output", "orders", "--set", "WaveToy.amplitude=3"], "--output NAME"),
                        (["sweep", "bad.yaml", "--over", "WaveToy.order=2", "--set", "Cereus.output=x"], "--output"),
                        (["convergence", "bad.yaml", "--set", "Cereus.output=x"], "--output")):
        code, out, wrong = shell(*words)
        check(code == 1 and says in out + wrong and "--set Cereus.output" not in out + wrong, f"{words[0]}, where its runs go: {code} {out}{wrong}")
    child = subprocess.Popen([CEREUS, "sweep", "endless.yaml", "--over", "Time.courant=0.1,0.2"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                             start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
    limit = time.monotonic() + 60
    while not os.path.exists("endless-sweep/Time.courant=0.1/progress.json") and time.monotonic() < limit:
        time.sleep(0.02)
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does
    wrong = child.communicate(timeout=60)[1]
    check(child.returncode == 2 and wrong == "cereus sweep was stopped\n", f"a sweep that was stopped: exit {child.returncode}, {wrong.strip()}")
    check(shell("sweep", "bad.yaml", "--over", "order=1")[0] == 1 and shell("plot", "run", "--help")[0] == 0 and shell("plot")[0] == 1, "exit codes of the command line")


def converges(dim):
    with open("order.yaml", "w") as f:
        json.dump(wave(1, Cereus={"final_time": 0.5}, UniGrid={"cells": [80], "lower": [-1], "upper": [1], "periodic": True},
                       MoL={"method": "RK4"}, WaveToy={"width": 0.12}), f)
    for order, more in ((2, {"IOHDF5.suffix": "h5"}), (4, {"Cereus.progress": 0})):
        found = cereus.convergence("order.yaml", ["WaveToy::u"], set={"WaveToy.order": order, **more}, output=f"order{order}")
        check(len(found.times) == 9 and abs(found.order("WaveToy::u")[-1] - order) < 0.15, f"{found}")
    with open("heat.yaml", "w") as f:
        json.dump({"thorns": ["UniGrid", "Time", "MoL", "Diffusion"], "Cereus": {"final_time": 0.02}, "MoL": {"method": "Euler"}, "Diffusion": {"width": 0.15},
                   "UniGrid": {"cells": [40], "lower": -1, "upper": 1, "periodic": True}}, f)
    found = cereus.convergence("heat.yaml")
    dt = [run.progress["dt"] for run in found.runs]
    check(abs(found.order("Diffusion::u")[-1] - 2) < 0.1 and np.allclose(np.divide(dt[:2], dt[1:]), 4), f"diffusion, with steps as h²: {found}")
    wrong = error(cereus.convergence, "bad.yaml", output="no")
    check("Cereus.final_time" in wrong, wrong)
    code, out, wrong = shell("convergence", "order.yaml", "--variable", "WaveToy::rho", "--set", "WaveToy.order=2")
    check(code == 0 and re.search(r"WaveToy::rho: order (1\.9|2\.0)", out) and os.path.getsize("order-convergence/convergence.png") > 5000, f"from the shell: {out}{wrong}")
    many = cereus.Convergence([], np.arange(3), {f"u{n}": np.full((2, 3), 2.0 ** n) for n in range(12)})
    check(len(many.plot().axes[0].lines) == 24 and str(many).count("\n") == 11, "a picture of twelve variables")
    cells = np.array([24, 48, 96])  # cell centres meet nowhere: sixth order interpolation keeps a difference of fourth order
    from cereus.orders import _difference
    class Line:
        axes = "x"
        def __init__(self, n):
            self.x = (np.arange(n) + 0.5) / n
            self.values = np.sin(2 * np.pi * self.x) + n**-4.0 * np.cos(2 * np.pi * self.x)
        def coordinates(self, _):
            return self.x
    a, b, c = (Line(n) for n in cells)
    check(abs(np.log2(_difference(a, b) / _difference(b, c)) - 4) < 0.1, "cell-centred values")


def draws(dim):
    folder = f"run{dim}d1"
    for words in ([], ["u", "--time", "0", "--log"], ["wavetoy-state.norm2"], ["WaveToy::u", "--slice", "x", "--iteration", "2"], ["wavetoy-state.x"],
                  ["rho", "--range", "-1", "1", "--palette", "magma"], ["wavetoy-state.points"], ["u", "rho", "wavetoy-state.norm2", "--no-smooth"],
                  ["wavetoy-state.norm2", "--change"]):
        code, out, wrong = shell("plot", folder, *words, "--out", "picture.png")
        check(code == 0 and os.path.getsize("picture.png") > 5000, f"plot {' '.join(words)}: {out.strip()}{wrong}")
        os.path.exists("picture.png") and os.remove("picture.png")
    image = cereus.plot(folder, "u", time=0).axes[0].images[0]
    want = cereus.open(folder).fields["WaveToy::u"].at(time=0).slice("xy").values
    check(np.array_equal(image.get_array(), want) and image.get_extent()[0] == LOWER[0] - SPACING[0] / 2, "a picture shows the slice, in its place")
    check([cereus.plot(folder, "u", smooth=s).axes[0].images[0].get_interpolation() for s in (None, True, False)] == ["bilinear", "bilinear", "nearest"], "few points are interpolated")
    several = cereus.plot(folder, ["rho", "u"])
    check([axes.get_title().split(" ")[0] for axes in several.axes if axes.images] == ["WaveToy::rho", "WaveToy::u"], "fields side by side, in this order")
    table = cereus.open(folder).series["wavetoy-state.norm2"]
    for change in (False, True):
        figure = cereus.plot(folder, "wavetoy-state.norm2", change=change)
        curves = {line.get_label(): line.get_ydata() for axes in figure.axes for line in axes.lines}
        want = {("Δ " if change else "") + c: table[c] - (table[c][0] if change else 0) for c in table.data}
        check(curves.keys() == want.keys() and all(np.array_equal(curves[c], want[c]) for c in want), f"curves, change: {change}")
    grades = cereus.text.Table("a", ("time", "mass", "energy", "speed"), np.array([[0, 1.25, 15.6, 2], [1, 1.25, 15.7, np.nan]]))
    check(cereus.plots._alike(grades) == [["mass"], ["energy", "speed"]], "columns of one magnitude in a panel")
    figure = cereus.plots.package("matplotlib.figure", "").Figure(layout="constrained")
    cereus.plots._curves(figure, figure.add_gridspec(1, 1)[0], grades, False, None, False)
    figure.canvas.draw()
    alone, two = figure.axes
    check(two.get_legend().get_window_extent().x0 >= two.get_window_extent().x1 and alone.get_ylabel() == "mass", "the legend stands beside the curves")
    code, out, wrong = shell("plot", folder, "u", "--film")
    check(code == 0 and open(f"{folder}-u.gif", "rb").read(6) == b"GIF89a", f"a film: {out}{wrong}")
    with unittest.mock.patch("cereus.plots._image", wraps=cereus.plots._image) as image:
        cereus.film(folder, "rho.gif", "rho")
    ranges = [call.args[3] for call in image.call_args_list]
    check(len(ranges) == 3 and len(set(ranges)) == 1 and ranges[0][0] == -ranges[0][1] < 0, f"a film of both signs has 0 in the middle of its range: {ranges[0]}")
    for words, said in ((["v"], "holds no 'v'"), (["u", "--palette", "no"], "no palette 'no'"), (["u", "--slice", "xy", "--time", "x"], "invalid float"),
                        (["u", "--change"], "a change is of text files; WaveToy::u is a field"), (["u", "--fluid", "no"], "holds no 'no'"), (["u", "rho", "--film"], "a film shows one field"), (["--out", "/nowhere/a.png"], "/nowhere/a.png cannot be written: No such"), (["--out", "a.xyz"], "'xyz' is not supported"),
                        (["--film", "--out", "/nowhere/a.gif"], "/nowhere/a.gif cannot be written: No such")):
        code, out, wrong = shell("plot", folder, *words)
        check(code == 1 and said in wrong and "Traceback" not in wrong, f"plot {' '.join(words)}: {wrong.strip().splitlines()[-1]}")


def solids():
    """Values in solid cells do not count, at their centres or at faces between two of them; a value beside them is continued into them."""
    class Level:
        axes = "xy"
        def __init__(self, values, first):
            self.values, self.shape, self.first = values, values.shape, first
        def coordinates(self, axis):
            return self.first["xy".index(axis)] + np.arange(self.shape[::-1]["xy".index(axis)])
        def edges(self, axis):
            x = self.coordinates(axis)
            return np.append(x, x[-1] + 1) - 0.5
    closed = np.zeros((4, 6), bool)
    closed[1:3, 2:4] = True
    solid = Level(np.where(closed, 0.0, 1.0), (0.5, 0.5))
    cells, faces = Level(np.arange(24.0).reshape(4, 6), (0.5, 0.5)), Level(np.ones((4, 7)), (0, 0.5))
    between = np.zeros((4, 7), bool)
    between[1:3, 3] = True
    check(np.array_equal(np.isnan(cereus.plots._open_values(cells, solid)), closed), "cells are solid or not")
    check(np.array_equal(np.isnan(cereus.plots._open_values(faces, solid)), between), "a face is where both of its cells are")
    full = cereus.plots._continued(cereus.plots._open_values(cells, solid), closed)
    check(np.isfinite(full).all() and full[1, 2] == np.mean([1, 2, 3, 7, 13]), f"continued by the mean of neighbours: {full[1, 2]}")


def as_module():
    """python3 -m cereus is the command, by this Python."""
    def module(*words):
        done = subprocess.run([sys.executable, "-m", "cereus", *words], capture_output=True, text=True, timeout=250,
                              env={k: v for k, v in os.environ.items() if k != "CEREUS_PYTHON"} | {"PYTHONPATH": os.path.abspath(LIBRARY)})
        return done.returncode, done.stdout, done.stderr
    code, out, wrong = module("run", "bad.yaml", "-n", "2", "--set", "Cereus.output=module")
    check(code == 0 and "output is in" in out and cereus.open("module").progress["processes"] == 2, f"python3 -m cereus run{wrong}")
    code, _, wrong = module("run", "bad.yaml", "--set", "WaveToy.oder=2", "--set", "Cereus.output=no")
    check(code == 1 and "did you mean 'order'" in wrong and not os.path.exists("no"), f"with a mistake: exit {code}, {wrong.strip()}")
    with tempfile.TemporaryDirectory() as empty:  # no other Python is there
        with unittest.mock.patch.dict(os.environ, PATH=empty):
            code, out, wrong = module("plot", "module", "wavetoy-state.norm2", "--out", "module.png")
    check(code == 0 and os.path.getsize("module.png") > 5000, f"python3 -m cereus plot: {out}{wrong}")


def described():
    """Everything public says what it is, and type checkers may read the package."""
    silent = []
    def look(node, place):
        for inner in node.body:
            if isinstance(inner, (ast.FunctionDef, ast.ClassDef)) and not inner.name.startswith("_"):
                silent.extend([] if ast.get_docstring(inner) else [f"{place}.{inner.name}"])
                if isinstance(inner, ast.ClassDef):
                    look(inner, f"{place}.{inner.name}")
    files = glob.glob(os.path.join(LIBRARY, "cereus", "*.py"))
    for file in files:
        with open(file) as f:
            tree = ast.parse(f.read())
        silent.extend([] if ast.get_docstring(tree) else [file])
        look(tree, os.path.basename(file))
    check(len(files) > 10 and not silent, f"docstrings; none: {silent}")
    check(os.path.isfile(os.path.join(LIBRARY, "cereus", "py.typed")), "py.typed")


def without_packages():
    code, _, wrong = shell("plot", "x", CEREUS_PYTHON="/nowhere/python3")
    check(code == 1 and "apt-get install python3 python3-h5py" in wrong, f"no Python: {wrong.strip()}")
    for package, words in (("numpy", ["plot", "run2d1"]), ("h5py", ["plot", "run2d1"]), ("matplotlib", ["plot", "run2d1", "wavetoy-state.norm2"])):
        with tempfile.TemporaryDirectory() as blind:  # a package that is not there, as far as Python can tell
            with open(os.path.join(blind, f"{package}.py"), "w") as f:
                f.write(f"raise ModuleNotFoundError(\"No module named '{package}'\", name='{package}')\n")
            code, _, wrong = shell(*words, PYTHONPATH=blind)
        check(code == 1 and f"apt-get install python3-{package}" in wrong and "Traceback" not in wrong, f"no {package}: {wrong.strip()}")


def documented():
    """All code blocks of docs/python.md, in their order, in one folder: those of Python in one program, those of the shell one by one."""
    with open(os.path.join(SOURCE, "docs", "python.md")) as f:
        blocks = re.findall(r"^```(\w+)\n(.*?)^```$", f.read().split("## A run of one's own")[0], re.M | re.S)  # that is world.py's
    os.makedirs("documented")
    os.chdir("documented")
    shutil.copy(os.path.join(SOURCE, "parfiles", "wave-2d.yaml"), "wave.yaml")
    names = {}
    for language, block in blocks:
        if language == "python":
            try:
                exec(block, names)
                check(True, block.splitlines()[0])
            except Exception as wrong:
                check(False, f"{block}\n{type(wrong).__name__}: {wrong}")
        else:
            done = subprocess.run(["bash", "-euc", block], capture_output=True, text=True, env=dict(os.environ, PATH=":".join([os.path.dirname(CEREUS), os.path.dirname(sys.executable), os.environ["PATH"]])))
            check(done.returncode == 0, f"{block.splitlines()[0]}{done.stderr[-2000:] if done.returncode else ''}")
    check(len(blocks) > 5, f"{len(blocks)} blocks")


for dim in DIMENSIONS:
    for layout, kinds in {"1": {}, "8": {"blocks": 8, "uneven": True} if dim == 3 else {"blocks": 2}, "2": {"processes": 2}}.items():
        processes = kinds.pop("processes", 0)
        run = cereus.run(wave(dim, **kinds), processes, output=f"run{dim}d{layout}")
        reads_back(run, dim)
dim = max(DIMENSIONS)
with open("bad.yaml", "w") as f:
    json.dump(wave(dim, Cereus={"iterations": 2}), f)
with open("endless.yaml", "w") as f:
    json.dump(wave(dim, Cereus={"iterations": 10**9, "progress": 0.1}), f)
if 2 in DIMENSIONS:
    levels_and_centrings()
folders(dim)
runs(dim)
converges(dim)
draws(dim)
solids()
as_module()
described()
without_packages()
if not needs.importlib.util.find_spec("xarray"):
    print("SKIPPED: not installed: xarray (python3-xarray)")
else:
    array = cereus.open(f"run{dim}d1").fields["WaveToy::u"].xarray()
    check(array.dims == ("time", *"zyx"[3 - dim:]) and float(array.sel(time=0).max()) == cereus.open(f"run{dim}d1").fields["WaveToy::u"].at(time=0).values.max(), "as xarray")
    check(float(cereus.open(f"run{dim}d1").series["wavetoy-state.norm2"].xarray()["u"][0]) > 0, "a series as xarray")
documented()
finish()
