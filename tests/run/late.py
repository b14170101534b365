#!/usr/bin/env python3
"""Without a device, sweeps of stencil programs (with --long of all) and of diffusion compile for one, up to the cubin, where there is an NVRTC;
and a second run finds them in its cache. On a device (CEREUS_DEVICE=cuda) a run goes on while its sweeps are compiled, takes them when they
are ready, and ends where one without them does; another one takes what that chose.

Mutations that make it fail: a mode that does not exist in the text of a program; a cache by time instead of content; the compiler is
started wherever it lies.
"""
import glob
import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

import h5py
import numpy as np
from _physics import DIMENSIONS, check, finish, job

PARFILE = """thorns: [UniGrid, Time, {integrator}Boundary, {thorn}, CaKernel]
Cereus: {{iterations: 1, device: none}}
UniGrid: {{cells: {cells}, periodic: {periodic}}}
{set}
CaKernel: {{steps: {steps}, trials: false, architecture: sm_90}}
"""
FIXED = "Time: {{dt: 1}}\nBoundary: {{all: fixed}}\nStencils: {{program: {}}}"
CASES = [("Stencils", [4000], FIXED.format(p), n) for p, n in (("jacobi1d3", 16), ("jacobi1d5", 8), ("jacobi1d7", 8))]
CASES += [("Stencils", [100, 90], FIXED.format(p), n) for p, n in (("jacobi2d", 6), ("poisson2d", 4), ("fdtd2d", 3), ("rician2d", 2), ("gradient2d", 3), ("tv2d", 2))]
CASES += [("Stencils", [40, 36, 32], FIXED.format("jacobi3d"), 3), ("Jacobi", [40, 36, 32], "Time: {dt: 1}", 2), ("Diffusion", [40, 36, 32], "MoL: {method: Euler}", 2)]
if "CEREUS_LONG" not in os.environ:  # they take minutes
    CASES = [c for c in CASES if c[0] == "Diffusion" or any(name in c[2] for name in ("jacobi1d5", "jacobi2d", "poisson2d"))]
cache = tempfile.mkdtemp(prefix="cereus-")


def run(case, *options, cache=cache):
    thorn, cells, text, steps = case
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(PARFILE.format(thorn=thorn, integrator="MoL, " if thorn == "Diffusion" else "", cells=cells, set=text, steps=steps,
                               periodic=str(thorn != "Stencils").lower()))
    env = {k: v for k, v in os.environ.items() if not k.startswith("CEREUS_A") and k != "CEREUS_DEVICE"} | {"XDG_CACHE_HOME": cache}
    done = subprocess.run([os.environ["CEREUS"], "run", "run.yaml", *options], cwd=folder, capture_output=True, text=True, timeout=300, env=env)
    return done.stdout + done.stderr



def beside(processes, iterations):
    """On a device: a run beside which sweeps are compiled, and one that finds what it chose, against one step at a time."""
    ends = []
    kept = tempfile.mkdtemp(prefix="cereus-")
    for more in ("", "CaKernel: {report: true}\n", "CaKernel: {report: true}\n"):
        folder = tempfile.mkdtemp(prefix="cereus-")
        parfile = ("thorns: [UniGrid, Time, Boundary, IOHDF5, Stencils, Accelerator, AcceleratorCUDA" + (", CaKernel" if more else "") + "]\n"
                   f"Cereus: {{iterations: {iterations}, device: cuda}}\nUniGrid: {{cells: [256, 256, 256], periodic: false}}\n" + FIXED.format("jacobi3d") + "\n"
                   f"IOHDF5: {{variables: [\"Stencils::u\"], every: {iterations}}}\n" + more)
        done = subprocess.run(**job(folder, parfile, processes, XDG_CACHE_HOME=kept), capture_output=True, timeout=300)
        if not check(done.returncode == 0, f"exit {done.returncode} {done.stderr[-300:] if done.returncode else ''}"):
            return
        (path,) = glob.glob(os.path.join(folder, "run", f"*{iterations:08d}.hdf"))
        with h5py.File(path) as f:
            ends.append((f[f"data/{iterations}/meshes/Stencils__u"][()], done.stdout))
    want = ends[0][0]
    for (got, said), how in zip(ends[1:], (", beside the run", "")):
        off = np.linalg.norm((got - want).ravel()) / np.linalg.norm(want.ravel())
        found = re.search(r"ready in ([0-9.e+-]+) s(.*)", said)
        check(off < 1e-10 and found and found[2] == how, f"on {processes}: {found[0] if found else said[-500:]}: differs by {off:.1g}")
    check(found and float(found[1]) < 0.5, "what was kept is there at once")


if os.environ.get("CEREUS_DEVICE") == "cuda":
    beside(1, 40000)  # so many that they take longer than the compiler does
    beside(2, 12000)
    finish()
cases = [c for c in CASES if len(c[1]) in DIMENSIONS]
with ThreadPoolExecutor(2) as pool:
    first = list(pool.map(run, cases))
if "there is no NVRTC" in first[0]:
    finish("there is no NVRTC here")
for (thorn, cells, text, steps), said in zip(cases, first):
    found = re.search(r"(\d+) sweeps were compiled for sm_90 in ([0-9.]+) s", said)
    check(found and int(found[1]) > 0, f"{thorn} {text.split('program: ')[-1].strip('}')}, {steps} steps: {found[0] if found else said[-600:]}")
kept = {f: os.stat(f).st_mtime_ns for f in glob.glob(os.path.join(cache, "cereus", "*.cubin"))}
check(len(kept) >= len(cases), f"{len(kept)} files are kept")
said = run(cases[-1])
found = re.search(r"compiled for sm_90 in ([0-9.]+) s", said)
check(found and float(found[1]) < 0.5 and kept == {f: os.stat(f).st_mtime_ns for f in glob.glob(os.path.join(cache, "cereus", "*.cubin"))}, "the second time they come from the cache")

# Their compiler is started only from where the thorn may be loaded.
place = tempfile.mkdtemp(prefix="cereus-")
for name in ("CaKernel.so", "cereus-nvrtc"):
    shutil.copy(os.path.join(os.environ["CEREUS_BUILD"], "lib", "cereus", "thorns", name), place)
for mode in (0o755, 0o775):
    os.chmod(os.path.join(place, "cereus-nvrtc"), mode)
    said = run(cases[0], "--thorns", place, cache=tempfile.mkdtemp(prefix="cereus-"))
    warned = f"CaKernel compiles within the run: {place}/cereus-nvrtc" in said and "run chmod go-w" in said
    check("sweeps were compiled for sm_90" in said and warned == (mode == 0o775), f"its mode is {mode:o}: {'a warning' if warned else 'no warning'}")
finish()
