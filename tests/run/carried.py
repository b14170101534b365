#!/usr/bin/env python3
"""What a World holds goes over where it is assembled anew, because more was said of it: two levels whose blocks have moved, two processes whose
blocks get deeper ghost zones, what holds outside the domain, grid scalars. And Worlds of some of the processes.

Mutations, each of which makes it fail: put_back() (flesh/view/carry.cpp) without change_grid(), or without the levels' clocks; a piece of a box one
point off; Kept::checkpointed in save(); a process that asks for no corners of others (`wants`); Process::within() that keeps the size of all.
"""
import glob
import os
import subprocess
import sys
import tempfile
import textwrap

from _physics import check, finish, rows

CEREUS = os.environ["CEREUS"]
PREFIX = os.path.dirname(os.path.dirname(os.path.abspath(CEREUS)))
LAUNCH = ["mpirun", "--quiet", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n"]


def script(text, processes=1):
    """Runs a script in a folder of its own; its folder, and what it said."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "script.py"), "w") as f:
        f.write("import hashlib\nimport numpy as np\nimport cereus as cs\n" + textwrap.dedent(text))
    env = {k: v for k, v in os.environ.items() if k not in ("CEREUS_ACTIVATE", "CEREUS_DEVICE")} | {"PYTHONPATH": os.path.join(PREFIX, "lib", "python3")}
    launch = [*LAUNCH, str(processes)] if processes > 1 else []
    done = subprocess.run([*launch, sys.executable, "script.py"], cwd=folder, env=env, capture_output=True, text=True, timeout=120)
    check(done.returncode == 0, f"{processes} processes: {text.strip().splitlines()[0].strip()}" + (done.stdout[-500:] + done.stderr[-2500:] if done.returncode else ""))
    return folder, done.stdout


if not glob.glob(os.path.join(PREFIX, "lib", "cereus", "python", "_world*")):
    finish("no pybind11 when this was built")

# Two levels; the finer one has moved when something else is said, and moves again afterwards.
series = []
for interrupted in (False, True):
    folder, _ = script(f"""
        # two levels, {interrupted=}
        w = cs.World(output="run")
        w.thorn("Cereus", thorn_path=["{os.environ['CEREUS_TEST_THORNS']}"], services=["Driver=Moving"])
        w.thorn("Moving", cells=[32, 24], blocks=4, box=2, every=3)
        w.thorn("Time", dt=0.01)
        w.thorn("WaveToy", order=4, initial_data="standing")
        w.thorn("MoL", method="RK4")
        w.thorn("IOASCII", variables=["WaveToy::u", "WaveToy::rho"], reductions=["norm2"], every=1)
        w.run(iterations=7)
        if {interrupted}:
            w.field("extra", initial="1")
        w.run(iterations=4)
        w.close()
        """)
    series.append(rows(folder, "wavetoy-state.norm2.asc"))
check(len(series[0]) == 12 and series[0] == series[1], f"a World of two levels that is assembled anew goes on with the same bits: {series[0][-1]} and {series[1][-1]}")

# One level on two processes: later words read further neighbours. What was there before has the same values.
for boundary in ("True", "False"):
    _, said = script(f"""
        # deeper ghost zones, periodic={boundary}
        w = cs.World(cells=[24, 20], lower=0, upper=1, periodic={boundary})
        w.thorn("Boundary", all="neumann")
        u = w.field("u", initial="sin(2 pi x) cos(3 y)")
        w.evolve("D_t u = D_ii u", order=2, method="RK4", dt=1e-5)
        w.run(iterations=3)
        before = u.gather()
        v = w.field("v", initial="x*y")
        w.evolve("D_t v = D_ii v + D_ii u", order=6)
        after = u.gather()
        if w.rank == 0: print("same", np.array_equal(before, after), w.iteration, float(abs(before).max()) > 0.5)
        w.close()
        """, 2)
    check("same True 3 True" in said, f"the values of a World of two processes, periodic={boundary}: {said.strip()}")

# What holds outside the domain, beside ghost zones too, at unchanged depth: a mixed derivative reads there. Set once, and never again.
text = """thorn Held "Values outside that stay"
evolve state "State"
  u
operators centred(2)
initial on everywhere
  u = x^2 y + sin(3 x) y^2
rhs
  D_t u = D_xy u + D_ii u
"""
sums = []
for interrupted in (False, True):
    _, said = script(f"""
        # fixed boundaries on two processes, {interrupted=}
        w = cs.World(cells=[16, 12], lower=0, upper=1, periodic=False)
        w.evolve({text!r}, method="RK4", dt=1e-4)
        w.thorn("Boundary", all="neumann", overrides=["Held::u all fixed"])
        w.run(iterations=2)
        if {interrupted}:
            w.field("extra", initial="1")
        w.run(iterations=3)
        values = w["Held::u"].gather()
        if w.rank == 0: print("bits", hashlib.md5(values.tobytes()).hexdigest())
        w.close()
        """, 2)
    sums.append(said.split("bits")[-1].split())
check(len(sums[0]) == 1 and sums[0] == sums[1], f"fixed boundaries: {sums}")

# Worlds of some of the processes, at the same time.
try:
    import mpi4py  # noqa: F401
except ImportError:
    print("SKIPPED: Worlds of some of the processes: no mpi4py")
    finish()
_, said = script("""
    # two Worlds of two processes each
    from mpi4py import MPI
    mine = MPI.COMM_WORLD.rank // 2
    if mine: cs.World(cells=8, comm=MPI.COMM_SELF).close()
    w = cs.World(cells=[16, 12], lower=0, upper=1, name=f"w{mine}", comm=MPI.COMM_WORLD.Split(mine, MPI.COMM_WORLD.rank))
    u = w.field("u", initial=f"{mine + 1} sin(2 pi x)")
    w.evolve("D_t u = D_ii u", order=2, method="RK4", dt=1e-4)
    w.run(iterations=2 + mine)
    values = u.gather()
    if w.rank == 0: print(f"World {mine}: {w.processes} processes, {w.iteration} steps, {np.abs(values).max():.1f}\\n", end="", flush=True)
    w.close()
    """, 4)
for mine in range(2):
    check(f"World {mine}: 2 processes, {2 + mine} steps, {mine + 1}.0" in said, f"World {mine} of two beside each other: {said.strip()}")
finish()
