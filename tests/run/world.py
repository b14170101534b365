#!/usr/bin/env python3
"""cereus.World in this process and under mpirun: the script of the documentation against the exact solution and, bit for bit, against
`cereus run` of the file that it saves; views that copy nothing; what is written by hand is seen; mistakes are exceptions with their place.

Mutations, each of which makes it fail:
  flesh/python/cereus/world.py  `land_on` not set; no places; no RTLD_GLOBAL; no `_fail_together`; `_first` raises on process 0 alone;
    no `speed` in the text; a diffusivity as a speed; another speed passed over; neighbours with one sign; an expression with neighbours that stays after a mistake, or goes though it worked before; no steer(); no last update of the bar; what close() keeps of a World (8000 bytes); a field that is declared twice as it comes; evolved fields not looked at after a run
  flesh/python/cereus/neighbours.py  the order left out; the seed of noise as a parameter; numbers, or negative ones, left in the text; no `_MOST`; a fixed name for what the thorn adds;
    `next1` as it is
  flesh/view/assigned.cpp  numbers not set; a failure to compile that is passed on
  flesh/view/session.cpp  code that is kept when all is made anew
  flesh/languages/late/late_assignment.cpp  arguments in reverse; y for z; a target that is not read
  flesh/python/cereus/variables.py  a view that is never old; `near` not carried by arithmetic; no `erf` among the words
  thorns/CaKernel/src/step_program.hpp  pointers to routines of the simulation, to which an assignment adds one
  flesh/view/python/world.cpp  no `Alone`; strides of DLPack in bytes; what was written on a device noted for the host
"""
import contextlib
import glob
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import types
import warnings

import numpy as np

CEREUS = os.environ["CEREUS"]
PREFIX = os.path.dirname(os.path.dirname(os.path.abspath(CEREUS)))
sys.path.insert(0, os.path.join(PREFIX, "lib", "python3"))
sys.dont_write_bytecode = True
from _physics import check, finish  # noqa: E402

if not glob.glob(os.path.join(PREFIX, "lib", "cereus", "python", "_world*")):
    finish("no pybind11 when this was built")
os.environ.pop("CEREUS_ACTIVATE", None)
import cereus as cs  # noqa: E402

N = 24


def script():
    """FLOWS 5.2, on a plane; and what it saw."""
    w = cs.World(cells=(N, 2 * N), lower=0, upper=1, periodic=True, name="heat")
    u = w.field("u", initial="1 + sin(2 pi x) cos(4 pi y)")
    w.evolve("D_t u = 0.1 D_ii u", order=4, method="RK4", dt=2e-4)
    seen = []
    w.run(until=0.01, every=(0.001, lambda: seen.append((w.time, u.max(), u.norm2(), u.sum()))))
    return w, u, seen


def exact(t):
    y, x = np.meshgrid(np.arange(2 * N) / (2 * N), np.arange(N) / N, indexing="ij")
    return 1 + np.sin(2 * np.pi * x) * np.cos(4 * np.pi * y) * np.exp(-0.1 * (4 + 16) * np.pi**2 * t)


if len(sys.argv) > 1:  # one of several processes
    w, u, seen = script()
    v = w.field("v", initial="u + x")
    v += 2 * u
    a, whole = v.local(), v.gather()
    with v.writing() as b:
        b[...] *= 2
    doubled = v.gather()
    caught = []  # what process 0 alone does wrong is said on all
    for wrong in (lambda: v.__setitem__(slice(None), np.zeros((3, 3)) if w.rank == 0 else None), lambda: w.output(v, f"{__file__}/v.hdf"),
                  lambda: w.save(f"{__file__}/v.yaml")):
        try:
            wrong()
        except cs.Error as error:
            caught.append(str(error))
    assert len(caught) == 3 and "the array (3, 3)" in caught[0] and all("Not a directory" in c for c in caught[1:]), caught
    if w.rank == 0:
        np.save("gathered.npy", whole)
        ok = np.array_equal(doubled, 2 * whole)
        with open("seen.json", "w") as f:
            json.dump([seen, u.gather().tolist(), w.processes, ok], f)
    else:
        assert whole is None and doubled is None and u.gather() is None
    if sys.argv[1] == "fails":  # one of them, while the other waits for it
        w.run() if w.rank == 1 else w.run(iterations=10**9)
    sys.exit()


os.chdir(tempfile.mkdtemp(prefix="cereus-"))


def mistake(f):
    try:
        f()
    except cs.Error as error:
        return f"{type(error).__name__}: {error}"
    return "nothing"


def line_here():
    return f"world.py:{sys._getframe(1).f_lineno}"


def same_as_command(w, variable, what, *options):
    """The saved file, by the command, writes the same bits as the World holds."""
    w.save("saved.yaml")
    done = subprocess.run([CEREUS, "run", "saved.yaml", "--fresh", "--activate", "IOHDF5", "--set", "IOHDF5.every=1",
                           "--set", f"IOHDF5.variables=[\"{variable.name}\"]", *options], capture_output=True, text=True)
    check(done.returncode == 0, f"{what}: cereus run saved.yaml{done.stderr}")
    if done.returncode == 0:
        there = cs.open("saved").fields[variable.name].at()
        check(np.array_equal(there.values, variable.gather()) and there.time == w.time, f"{what}: the command has the same bits at t = {w.time}")


def solution():
    w, u, seen = script()
    error = abs(u.gather() - exact(0.01)).max()
    check(error < 2e-4, f"heat against its formula: {error:.2e}")  # (4π h)⁴ / 90 of the rate, over 0.01
    check(len(seen) == 10 and all(abs(t - (n + 1) * 1e-3) < 1e-12 for n, (t, *_) in enumerate(seen)), f"called at {[t for t, *_ in seen]}")
    check(all(abs(s - 2 * N * N) < 1e-9 for *_, s in seen) and abs(seen[-1][1] - exact(0.01).max()) < 2e-4, "max and sum as it goes")
    check(abs(seen[-1][2] - np.sqrt((u.gather()**2).mean())) < 1e-13 and u.min() == u.gather().min(), "norm2, min")
    check(u.shape == (2 * N, N) and u.dtype == np.float64, "the slowest axis first")
    same_as_command(w, u, "heat")
    w.output("u", "u.hdf")
    import h5py
    with h5py.File("u.hdf") as f:
        (mesh,) = f["data"].values()
        check(np.array_equal(mesh["meshes/World__u"][()], u.gather()), "w.output")
    check(sorted(os.listdir(".")) == ["saved", "saved.yaml", "u.hdf"], f"nothing else is written: {os.listdir('.')}")
    folder = os.getcwd()
    environment = {**os.environ, "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    launch = ["mpirun", "--quiet", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n"]
    for processes in ("1", "2"):
        done = subprocess.run([*launch, processes, sys.executable, os.path.abspath(os.path.join(os.environ["CEREUS_SOURCE"], "tests/run/world.py")), "rank"],
                              capture_output=True, text=True, cwd=folder, env=environment, timeout=100)
        check(done.returncode == 0, f"{processes} processes{done.stdout[-500:]}{done.stderr[-2000:]}")
        with open("seen.json") as f:
            there, values, number, doubled = json.load(f)
        check(number == int(processes) and doubled and there == [list(s) for s in seen] and values == u.gather().tolist(), f"{processes} processes: the same bits")
        x = np.arange(N) / N
        check(abs(np.load("gathered.npy") - (3 * u.gather() + x)).max() < 1e-14, f"{processes} processes: element-wise, and a late field")
    done = subprocess.run([*launch, "2", sys.executable, os.path.join(os.environ["CEREUS_SOURCE"], "tests/run/world.py"), "fails"],
                          capture_output=True, text=True, cwd=folder, env=environment, timeout=100)
    check(done.returncode != 0 and "run() ends with until=TIME" in done.stderr, f"one process that fails ends both: {done.returncode}")
    for extra in ("gathered.npy", "seen.json"):
        os.remove(extra)


def views():
    w = cs.World(cells=(6, 5, 4), lower=0, upper=(6, 5, 4), periodic=False)
    w.thorn("Boundary", all="neumann")
    u = w.field("u", initial="x + 10 y + 100 z")
    w.evolve("D_t u = D_ii u", order=2, dt=0.01)
    a, b = u.local(), u.local()
    array = np.asarray(a)
    address = array.__array_interface__["data"][0]
    check(address == np.asarray(b).__array_interface__["data"][0] and not array.flags.owndata and not array.flags.writeable, "local() copies nothing")
    z, y, x = np.meshgrid(np.arange(5), np.arange(6), np.arange(7), indexing="ij")
    check(a.shape == (5, 6, 7) and np.array_equal(array, x + 10 * y + 100 * z) and np.array_equal(u.gather(), array), "local() and gather() are u[z, y, x]")
    check(np.array_equal(a.coordinates("y"), np.arange(6)) and a.offset == (0, 0, 0) and a.spacing == (1, 1, 1), "where it lies")
    check((a + 1).sum() == (array + 1).sum() and np.sqrt(a)[1, 2, 3] == np.sqrt(123) and a.max() == 456, "a view in NumPy's hands")
    other = np.from_dlpack(a)
    check(other.__array_interface__["data"][0] == address and np.array_equal(other, array) and a.__dlpack_device__() == (1, 0), "DLPack copies nothing")
    a.__dlpack__()  # nobody takes it
    with u.writing() as p:
        check(p.__array_interface__["data"][0] == address and p.flags.writeable, "writing() is the same memory")
        p[...] = 0
        p[2, 3, 3] = 1.0
    check(u.max() == 1 and u.sum() == 1 and not p.flags.writeable, "a reduction sees what was written")
    check("older than the last run" in mistake(lambda: a[0, 0, 0]), "a view from before is old")
    w.run(iterations=1)
    c, k = u.local(), 0.01  # one step of RK4: by its polynomial in the discrete Laplacian, at the point and beside it
    def laplace(v):
        p = np.pad(v, 1, mode="reflect")
        return sum(np.roll(p, s, axis) for axis in range(3) for s in (-1, 1))[1:-1, 1:-1, 1:-1] - 6 * v
    e = np.zeros((5, 6, 7))
    e[2, 3, 3] = 1
    want, term = e.copy(), e
    for n in range(1, 5):
        term = laplace(term) * k / n
        want += term
    check(abs(np.asarray(c) - want).max() < 1e-15, f"a derivative sees what was written: {abs(np.asarray(c) - want).max():.1e}")
    w.run(iterations=1)
    for use in (lambda: c[0], lambda: np.asarray(c), lambda: c + 1, lambda: c.max()):
        check("older than the last run" in mistake(use), "an old view raises")
    check("older than the last run" in mistake(c.__dlpack__), "an old view, by DLPack")
    kept, taken = np.asarray(u.local()), np.from_dlpack(u.local())
    before = kept.copy()
    w.close()
    del w, u
    check(np.array_equal(kept, before) and np.array_equal(taken, before), "an array outlives its World")
    w = cs.World(cells=(8, 8))
    w.thorn("UniGrid", blocks=4)
    u = w.field("u", initial="x")
    check("4 blocks" in mistake(u.local) and u.local(block=3).shape == (4, 4) and "no number 4" in mistake(lambda: u.local(block=4)), "several blocks")
    w.close()
    ends = []
    for device in ("none", "mirror"):  # a device's memory, as NumPy sees it where it is the host's
        w = cs.World(cells=(16, 12), name=f"on-{device}")
        w.thorn("AcceleratorMirror"), w.thorn("Cereus", device=device), w.thorn("WaveToy")
        u, there = w["WaveToy::u"], device != "none"
        w.run(iterations=2)
        with u.writing(device=True) as b:
            array = np.asarray(types.SimpleNamespace(__array_interface__=b.__cuda_array_interface__)) if there else b
            array[...] = 2 * array + np.arange(16)
        a = u.local(device=True)
        check(a.on_device == there and (not there or (a.__cuda_array_interface__["data"] == (array.__array_interface__["data"][0], True)
              and a.__cuda_array_interface__["strides"] == array.strides)), f"device: {device}; local(device=True) is the same memory, to read")
        check(np.array_equal(u.gather(), array) and np.array_equal(np.asarray(u.local()), array), f"device: {device}; others see what was written there")
        w.run(iterations=2)
        check("older than the last run" in mistake(lambda b=b: b.__cuda_array_interface__ if there else a[0]), "a device's view from before is old")
        ends.append(u.gather())
        w.close()
    check(np.array_equal(*ends), "steps see what was written on a device, ghost zones, too")


def element_wise():
    w = cs.World(cells=(12, 10), lower=(0.5, 1), upper=(1.5, 3))
    u, v = w.field("u", initial="x y"), w.field("v", initial="x - y")
    x, y = np.meshgrid(0.5 + np.arange(12) / 12, 1 + np.arange(10) / 5)
    u[:] = 2 * v + u  # before anything was asked for: initial data
    nu, nv = x * y + 2 * (x - y), x - y
    check(abs(u.gather() - nu).max() < 1e-14, "2*v + u, as initial data")
    for text in ("u - 2 * v", "3 - u / (v - 5)", "np.where(u > v, u, -v)", "np.minimum(u, np.sqrt(v * v + 1))", "np.exp(-u**2) + np.arctan2(v, 2.5)",
                 "abs(v) ** 1.5 - np.square(u)", "1 / (1 + u * u)"):
        v[:] = eval(text, {"u": u, "v": v, "np": np})
        nv = eval(text, {"u": nu, "v": nv, "np": np})
        check(abs(v.gather() - nv).max() < 1e-13, f"v = {text}: {abs(v.gather() - nv).max():.1e}")
    u *= w.x + w.t
    check(abs(u.gather() - nu * x).max() < 1e-14, "u *= x")
    same_as_command(w, u, "element-wise, all at iteration 0")
    w.evolve("D_t u = v", dt=0.5)  # what is said later
    w.run(iterations=2)
    check(abs(u.gather() - (nu * x + nv)).max() < 1e-12 and abs(v.gather() - nv).max() < 1e-13, "an equation that comes later; what fields hold stays")
    v[:] = 7
    late = w.field("late", initial="u - x")
    check(abs(late.gather() - (nu * x + nv - x)).max() < 1e-12 and v.min() == v.max() == 7, "a field that comes later")
    u[:] = np.arange(120.0).reshape(10, 12)
    check(np.array_equal(np.asarray(u.local()).ravel(), np.arange(120)), "an array")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        w.save("by-hand.yaml")
    with open("by-hand.yaml") as f:
        text = f.read()
    check(len(said) == 3 and text.startswith("# not in this file: World::v = 7.0, at iteration 2"), f"what was done by hand is said: {[str(s.message) for s in said]}")
    for use, says in ((lambda: u.__setitem__(slice(None), np.zeros((3, 3))), "has (10, 12) points"), (lambda: u.__setitem__(0, 1), "as a whole"),
                      (lambda: u + np.zeros((10, 12)), "not ndarray"), (lambda: np.hypot(u, v), "no hypot"), (lambda: u + float("nan"), "not finite"),
                      (lambda: u.__setitem__(slice(None), w["World::q"] + 1), "World::q")):
        check(says in mistake(use), f"{says}: {mistake(use)}")


def assigned():
    """What is assigned for seconds becomes code of its own; a changed number needs no other, and all bits are those of its steps."""
    cache, before = tempfile.mkdtemp(prefix="cereus-"), os.environ.get("XDG_CACHE_HOME")

    numbers = np.random.default_rng(3).uniform(0.1, 0.9, (2, 40, 50, 60))

    def codes():
        return glob.glob(f"{cache}/cereus/thorns/*/Assign*.so")

    def world(compiled, real):
        w = cs.World(cells=(60, 50, 40), lower=0.1, upper=0.9, name="assigned", real=real)
        w.thorn("Cereus", compile=compiled)
        f, g = w.field("f"), w.field("g")
        f[:], g[:] = numbers
        return w, f, g

    def set_to(w, f, g, c):
        several = [np.sin(f), np.cos(g), np.tan(f), np.arcsin(f), np.arccos(g), np.arctan(c * f), np.sinh(f), np.cosh(g), np.tanh(f / c), np.exp(-f), np.log(f), np.log10(c + g),
                   np.sqrt(abs(f - g)), np.arctan2(f, g), np.minimum(f, c), np.maximum(w.y - w.z, f), np.floor(9 * f), np.ceil(c * g), f**1.7, f**2, c**g, np.where(f > g, f, -g),
                   np.where(w.x < c, w.t - f, 3), np.where(f >= c, 1, w.noise(5)), np.where(g <= f, w.noise(6), g), f.__array_ufunc__(types.SimpleNamespace(__name__="erf"), "__call__", g)]
        half = several[::2] if g.dtype == np.float64 else several[1::2]
        g[:] = 0.5 + 0.4 * np.tanh(sum((one if n % 3 else one / (n + c) for n, one in enumerate(half)), -g))
    for real in ("double", "float"):
        os.environ["XDG_CACHE_HOME"] = cache
        fast, slow = world(True, real), world(False, real)
        known, said = len(codes()), 0
        while len(codes()) == known and said < 1000:
            set_to(*fast, 0.1 + 0.0001 * said)
            said += 1
        slow[2][:] = fast[2].gather()
        for c in (0.3, 0.7):
            set_to(*fast, c), set_to(*slow, c)
            check(1 < said < 1000 and len(codes()) == known + 1 and np.array_equal(fast[2].gather(), slow[2].gather()),
                  f"{real}: code of its own, the {said}th time; other numbers, the same code; the same bits")
            fast[0].field("more").max()  # all is made anew
        copied, (w, f, g) = fast[2].gather(), fast
        f[:] = g
        check(np.array_equal(f.gather(), copied), f"{real}: another assignment")
        fast[0].close(), slow[0].close()
    os.environ["XDG_CACHE_HOME"] = "/dev/null/nowhere"
    with cs.World(cells=(60, 50, 40), name="nowhere") as w:
        w.thorn("WaveToy")
        u = w["WaveToy::u"]
        u[:] = 0.5 * w.x
        first, start, wrong = u.gather(), time.monotonic(), 0
        while time.monotonic() < start + 3:
            u[:] = 0.5 * w.x * np.sqrt(1 + 0 * u)
            wrong += not np.array_equal(u.gather(), first)
        check(wrong == 0, "no folder for code: it goes on step by step")
    loop = os.path.join(tempfile.mkdtemp(prefix="cereus-"), "loop")
    os.symlink(loop, loop)
    os.environ["XDG_CACHE_HOME"] = loop
    with cs.World(cells=(8, 8), name="loop") as w:
        w.thorn("WaveToy")
        u = w["WaveToy::u"]
        for _ in range(3):
            u[:] = 0.5 + 0 * w.x
        check(u.max() == 0.5, "a folder that cannot be looked at: it goes on step by step")
    os.environ.pop("XDG_CACHE_HOME") if before is None else os.environ.update(XDG_CACHE_HOME=before)


def forgotten():
    """Formulas that never come again leave nothing behind, and their successors compute what they say."""
    with cs.World(cells=(12, 10), name="forgotten") as w:
        w.thorn("Cereus", compile=False)
        f, sizes = w.field("f"), []
        f[:] = w.x
        x = f.gather()
        for n in range(4000):
            f[:] = (1 + n) * w.x
            if n % 97 == 0:
                check(np.array_equal(f.gather(), (1 + n) * x), f"the {n}th formula")
            if n in (1999, 3999):
                with open("/proc/self/statm") as memory:
                    sizes.append(int(memory.read().split()[1]) * os.sysconf("SC_PAGESIZE"))
        check(sizes[1] - sizes[0] < 4e6, f"2000 formulas take {(sizes[1] - sizes[0]) / 1e6:.1f} MB")


def between_runs():
    """Time tiles go on after assignments, each of which adds a routine."""
    states = []
    for name, options in (("tiles", {}), ("one", {"steps": 1})):
        with cs.World(cells=(40, 40, 40), lower=0, upper=1, name=name) as w:
            w.thorn("WaveToy")
            w.thorn("CaKernel", **options)
            u, rho = w["WaveToy::u"], w["WaveToy::rho"]
            w.run(iterations=4)
            for n in range(12):
                u[:] = (1 + 0.01 * n) * u + rho
            w.run(iterations=4)
            states.append(u.gather())
    check(np.array_equal(*states), "time tiles after assignments between runs")


def neighbours():
    w = cs.World(cells=(12, 10), lower=0, upper=(1.2, 1), name="near")
    w.thorn("Cereus", compile=False)
    u, v = w.field("u"), w.field("v", initial="2")
    ripples = w.field("ripples", initial="erf(x) + noise(3)")
    # As scipy.special.erf, a function of NumPy's kind, asks.
    u[:] = w.x.__array_ufunc__(types.SimpleNamespace(__name__="erf"), "__call__", w.x) + w.noise(3)
    check(np.array_equal(u.gather(), ripples.gather()) and len(np.unique(u.gather())) == 120, "noise and erf of a formula and of equations")
    check("a derivative of 'noise'" in mistake(lambda: u.__setitem__(slice(None), w.noise(3).D("x"))), "no derivative of noise")
    a = np.random.default_rng(1).random((10, 12))
    u[:] = a

    def at(i, j):
        return np.roll(a, (-j, -i), (0, 1))
    v[:] = np.where(w.x > 0.5, u.at(1, -2) * 3, v - u.at(-1)) - 0.5 * u
    want = np.where(np.arange(12) / 10 > 0.5, 3 * at(1, -2), 2 - at(-1, 0)) - 0.5 * a
    check(abs(v.gather() - want).max() < 1e-14, f"values of neighbours: {abs(v.gather() - want).max():.1e}")
    v[:] = (u * w.x).at(0, 1) + u.D("x") + u.D("ii")
    third = [(at(-2 * i, -2 * j) - 8 * at(-i, -j) + 8 * at(i, j) - at(2 * i, 2 * j)) / 1.2 for i, j in ((1, 0), (0, 1))]
    second = [(-at(-2 * i, -2 * j) + 16 * at(-i, -j) - 30 * a + 16 * at(i, j) - at(2 * i, 2 * j)) / 0.12 for i, j in ((1, 0), (0, 1))]
    want = at(0, 1) * np.arange(12) / 10 + third[0] + sum(second)
    check(abs(v.gather() - want).max() < 1e-11, f"an expression's neighbours, and derivatives: {abs(v.gather() - want).max():.1e}")
    for _ in range(2):  # Jacobi's method: all from what was before
        u[:] = 0.25 * (u.at(1) + u.at(-1) + u.at(0, 1) + u.at(0, -1))
        a = 0.25 * (at(1, 0) + at(-1, 0) + at(0, 1) + at(0, -1))
    check(abs(u.gather() - a).max() < 1e-15, "a field from its own neighbours")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        w.save("near.yaml")
    check(len(said) == 4, f"what was done by hand is said: {[str(s.message) for s in said]}")
    u[:] = w.noise(4)
    a = u.gather()
    v[:] = u.at(1) + w.noise(4)
    check(abs(v.gather() - a - np.roll(a, -1, 1)).max() < 1e-14, "noise beside a neighbour")
    w.close()
    w = cs.World(cells=8, periodic=False)
    u = w.field("u", initial="x")
    check("has no condition at x_lower" in mistake(lambda: u.__setitem__(slice(None), u.at(1) + 1)), "no condition at a face")
    u[:] = u + 1
    check(u.max() == 2, "and the World goes on")
    w.close()


def many_expressions():
    w = cs.World(cells=(12, 10), lower=0, upper=(1.2, 1), name="many")
    w.thorn("Cereus", compile=False)
    u, v, a = w.field("u"), w.field("v"), np.random.default_rng(2).random((10, 12))
    u[:] = a

    def at(i, j=0):
        return np.roll(a, (-j, -i), (0, 1))

    def set_to(n):
        v[:] = u.at(n)
        return v.gather()
    set_to(1), set_to(-1)
    w.thorn("MoL", method="RK9")  # a mistake takes nothing away that worked
    for n in (1, 2):
        check("RK9" in mistake(lambda n=n: set_to(n)) and len(w._near.texts()) == 2, f"a mistake elsewhere, at({n})")
    w.thorn("MoL", method="RK4")
    for n in (-1, 1, 3, 2):
        check(np.array_equal(set_to(n), at(n)), f"once it is mended, at({n})")
    for order, over, weights in ((4, 12, (8, -1)), (8, 840, (672, -168, 32, -3))):
        w.evolve("D_t w = 0", order=order)
        w.field("w")
        v[:] = u.D("x")
        error = abs(v.gather() - sum(c * (at(n) - at(-n)) for n, c in enumerate(weights, 1)) / over / 0.1).max()
        check(error < 1e-13, f"a derivative of the order that evolve() has, {order}: {error:.1e}")
    thorns = len(w._near.texts())
    for c in (0.5, -3, 1e-7, 1e20):
        v[:] = c * u.at(1)**2 - (u / (c + 1)).at(0, -1)
        error = abs(v.gather() / (c * at(1)**2 - at(0, -1) / (c + 1)) - 1).max()
        check(error < 1e-12, f"numbers in an expression, {c}: {error:.1e}")
    check(len(w._near.texts()) == thorns + 1, f"other numbers make no other thorn: {w._near.texts()[thorns:]}")
    v[:] = sum((n + 0.5) * u.at(1) for n in range(70))
    check(abs(v.gather() / (2450 * at(1)) - 1).max() < 1e-13 and w._near.texts()[-1][0].count("steerable") == 24, "more numbers than a kernel takes")
    for name in ("value", "near", "next1"):
        f = w.field(name)
        f[:] = a
        v[:] = 2 * f.at(1)
        check(np.array_equal(v.gather(), 2 * at(1)), f"a field that is called {name}")
    w.close()


def thorns_and_texts():
    w = cs.World(cells=(16, 16), name="wavy")
    w.thorn("WaveToy", order=8)
    w.thorn("Expressions", analysis=["twice = 2 * WaveToy::u"])
    u, twice = w["WaveToy::u"], w["Expressions::twice"]
    first = u.gather()
    steps = []
    w.run(iterations=7, every=(3, lambda: steps.append(w.iteration)))
    check(steps == [3, 6] and not np.array_equal(first, u.gather()) and np.array_equal(twice.gather(), 2 * u.gather()), f"a thorn, and an analysis on demand: {steps}")
    same_as_command(w, u, "WaveToy")
    w.close()
    with open(os.path.join(os.environ["CEREUS_SOURCE"], "thorns", "Stencils", "programs", "jacobi2d.stencil")) as f:
        program = f.read()
    w = cs.World(name="boxes")
    w.stencil(program, "Boxes", N=20, M=24)
    a = w["Boxes::A"]
    first = a.gather()
    w.run(iterations=1)
    check(first.shape == a.shape and sorted(first.shape) == [18, 22], f"a stencil program says what the grid is: {a.shape}")
    inner = 0.2 * (first[1:-1, 1:-1] + first[:-2, 1:-1] + first[2:, 1:-1] + first[1:-1, :-2] + first[1:-1, 2:])
    check(abs(a.gather()[1:-1, 1:-1] - inner).max() < 1e-15, "a stencil program, one step")
    with cs.World(cells=(16, 16), lower=0, upper=1, name="swift") as w:
        w.field("u", speed=2), w.field("v")
        w.evolve("D_t u = v\nD_t v = 4 D_ii u")
        w.run(iterations=1)
        check(abs(w.time - 0.4 / 16 / 2) < 1e-15, f"a speed of 2 allows a step of 0.4 h / 2: {w.time}")
    for compiled in (True, False):
        with cs.World(cells=(16, 16), lower=0, upper=1, name="slow") as w:
            w.thorn("Cereus", compile=compiled)
            w.field("u", diffusivity="1/8"), w.field("v", diffusivity=0.25)
            w.evolve("D_t u = 1/8 D_ii u\nD_t v = 1/4 D_ii v")
            w.run(iterations=1)
            check(abs(w.time - 0.5 / 256 / 4 / 0.25) < 1e-15, f"a diffusivity of 1/4 allows a step of h² / (8 D), compiled {compiled}: {w.time}")
    for _ in range(2):  # a notebook's cell, run twice: the folder is free again
        with cs.World(cells=(8, 8), name="again", fresh=True) as again:
            f = again.field("f", initial="x")
            again.evolve("D_t f = f", dt=0.1)
            again.thorn("IOASCII", every=1, variables=["World::f"])
            again.run(iterations=1)
    there = cs.open("again-output")
    check(there.state == "done" and len(there.series["world-state.norm2"].time) == 2, "output into a folder")


def mistakes():
    w = cs.World(cells=(8, 8))
    u = w.field("u", initial="x")
    w.evolve("D_t u = 0.1 W D_ii u", dt=1e-3); here = line_here()  # noqa: E702
    said = mistake(lambda: w.run(iterations=1))
    check(said.startswith(f"Mistake: {here}: world.yaml:") and "'W' is not declared" in said and "^" in said, f"a mistake has its place: {said}")
    w.evolve("D_t u = 0.1 D_ii u")
    check(mistake(lambda: w.run(iterations=1)) == "nothing" and w.iteration == 1, "what is mended goes on")
    w.save("mended.yaml")
    w.thorn("WaveToy", oder=2); here = line_here()  # noqa: E702
    said = mistake(u.max)
    with open("mended.yaml") as f, open("wrong.yaml", "w") as g:
        g.write(f.read().replace('"Expressions"]', '"Expressions", WaveToy]') + "WaveToy: {oder: 2}\n")
    done = subprocess.run([CEREUS, "run", "wrong.yaml"], capture_output=True, text=True)
    tail = done.stderr.strip().split(": ", 1)[1]
    check(said.startswith(f"Mistake: {here}: world.yaml:") and said.endswith(tail) and "did you mean" in tail, f"the text of the command: {said} | {tail}")
    for make, says in ((lambda: cs.World(cells=(0, 4)).run(iterations=1), "UniGrid.cells"), (lambda: cs.World(cells="many").field("u").max(), "cells"),
                       (lambda: cs.World(cells=(8, 8)).thorn("WaveToy", order=object()), "no value"), (lambda: cs.World().run(), "until=TIME"),
                       (lambda: cs.World(cells=(8, 8)).evolve("u = 1"), "is no equation"), (lambda: cs.World(cells=(8, 8))["WaveToy::u"].max(), 'needs the thorn WaveToy; say w.thorn("WaveToy")'),
                       (lambda: cs.World(cells=(8, 8)).field("a b").max(), "world.yaml"), (lambda: w.close() or w.time, "closed")):
        said = mistake(make)
        check(says in said and said != "nothing", f"{says}: {said.splitlines()[0]}")
    w = cs.World(cells=(8, 8))
    u = w.field("u", initial="x")
    check(w.field("u", initial="x").max() == u.max(), "a field that is said twice, as cells of a notebook are")
    w.field("fast", speed=2), w.field("fast"), w.field("fast", speed=2)
    for make, says in ((lambda: w.field("fast", speed=3), "'fast' already, with speed=2"), (lambda: w.field("u", initial="x", speed=1), "with speed=None"),
                       (lambda: u.at(17), "from -16 to 16"), (lambda: u.D("ij"), "not 'ij'"),
                       (lambda: w.field("u"), "there is a field 'u' already, with initial='x'"), (lambda: u.local().__setitem__((0, 0), 1), "u.writing()"),
                       (lambda: w.run(until=1, every=0.1), "every=(INTERVAL, f)"), (lambda: w.run(until=1, every=(0.1, 2)), "every=(INTERVAL, f)")):
        said = mistake(make)
        check(says in said, f"{says}: {said.splitlines()[0]}")
    w.close()
    for dt, steps, told in ((0.1, 40, True), (0.1, 5, False), (1e-3, 40, False)):
        w = cs.World(cells=(16, 16))
        w.field("u", initial="1 + x^2")
        w.evolve("D_t u = u^2", dt=dt)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            w.run(iterations=steps)
        check([str(x.message)[:38] for x in seen] == [f"World::u is not finite at iteration {steps}"] * told, f"{steps} steps of {dt}: {[str(x.message) for x in seen]}")
        w.close()
    w = cs.World(cells=(16, 16))
    u = w.field("u", initial="1 + x^2")
    w.evolve("D_t u = u^2", dt=0.1)
    w.thorn("NaNChecker", every=1)
    said = mistake(lambda: w.run(iterations=1000))
    check(said.startswith("Failure") and "World::u" in said, f"a failure: {said.splitlines()[0]}")
    check("has failed" in mistake(u.max), "and then it says so")
    w.close()


def threads_and_bars():
    w = cs.World(cells=(400, 400))
    u = w.field("u", initial="sin(pi x)")
    w.evolve("D_t u = 0.01 D_ii u", dt=1e-5)
    u.max()
    counted, done = [0], threading.Event()
    def count():
        while not done.is_set():
            counted[0] += 1
            done.wait(0.001)
    thread = threading.Thread(target=count, daemon=True)
    thread.start()
    with contextlib.redirect_stderr(io.StringIO()) as bar:
        try:
            w.run(iterations=40, progress=True)
        except cs.Error as error:
            check("apt-get install python3-tqdm" in str(error), f"no tqdm: {error}")
            print("SKIPPED: not installed: tqdm (python3-tqdm)")
            w.run(iterations=40)
        else:
            shown = re.findall(r"(\d+)%\|.*?\| (\d+)/40 \[", bar.getvalue())
            check(shown and shown[0] == ("0", "0") and shown[-1] == ("100", "40"), f"a bar from 0 to 40 of 40: {shown}")
    done.set()
    thread.join()
    check(counted[0] > 3 and w.iteration == 40, f"other threads go on meanwhile: {counted[0]}")
    said = []
    def ask():
        while not said and not done.is_set():
            said.append(mistake(u.max)) if w.iteration > 40 else done.wait(0.001)
    done.clear()
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    w.run(iterations=400)
    done.set()
    thread.join()
    check(said and "from one thread at a time" in said[0] and w.iteration == 440 and mistake(u.max) == "nothing", f"a call from another thread: {said}")


def leaks():
    """Many Worlds, one after another (a thousand with --long), leave no threads, no open files and no memory."""
    def held():
        with open("/proc/self/status") as f:
            said = dict(line.split(":", 1) for line in f)
        return int(said["Threads"]), len(os.listdir("/proc/self/fd")), int(said["VmRSS"].split()[0])
    worlds, first = 1000 if "CEREUS_LONG" in os.environ else 200, 50
    for n in range(first + worlds):
        if n == first:
            before = held()
        with cs.World(cells=(64, 64)) as small:
            small.field("u", initial="x").max()
    after = held()
    each = (after[2] - before[2]) / worlds
    check(after[:2] == before[:2], f"Worlds that ended left no threads and no open files: {before[:2]}, then {after[:2]}")
    check(each < 6, f"and no memory: {each:.2f} KiB each, of 32 that its field alone has")


def documented():
    """The code of docs/python.md that is about World, in one program."""
    with open(os.path.join(os.environ["CEREUS_SOURCE"], "docs", "python.md")) as f:
        blocks = re.findall(r"^```python\n(.*?)^```$", f.read().split("## A run of one's own")[1], re.M | re.S)
    names = {}
    for block in blocks:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(block, names)
            check(True, block.splitlines()[0])
        except Exception as wrong:
            check(False, f"{block}\n{type(wrong).__name__}: {wrong}")
    check(len(blocks) == 4 and abs(names["full"].sum() / names["v"].gather().sum() - 1) < 1e-12, f"{len(blocks)} blocks")
    # A run of the command, from a process that MPI knows.
    done = cs.run({"thorns": ["UniGrid", "Time", "MoL", "Reduce", "WaveToy", "IOASCII"], "Cereus": {"iterations": 2}, "UniGrid": {"cells": [16, 16]}}, processes=2, output="beside")
    check(done.state == "done", "cereus.run on two processes, beside a World")


for part in (solution, views, element_wise, assigned, forgotten, between_runs, neighbours, many_expressions, thorns_and_texts, mistakes, threads_and_bars, leaks, documented):
    print(f"-- {part.__name__}", flush=True)
    part()
finish()
