#!/usr/bin/env python3
"""Processes of two kinds in one run, some with a device (a mirror) and others on the host beside them: the bits of one process on a host, whatever has
moved to whom after ten steps, on uniform, refined, subcycled and changing blocks; blocks go by what kernels take; what is lacking is said.

CEREUS_LONG: 100 random mixes of kinds, blocks and changes of blocks.

Mutations seen to fail: boundaries as deep as the last piece of a checkpoint says, not as all say (a checkpoint of both kinds); each process says how ghost
zones travel by itself (mixes 34 and 67 of the first hundred); speeds turned round (shares); messages that part one by one (mix 70 from seed 3).
"""
# Runs alone: other tests would take cores from one process and not from the other.
import os
import random
import re
import tempfile

from _physics import DIMENSIONS, bits, check, finish, outcome

ON = "Accelerator, AcceleratorMirror"
RUN = """thorns: [{driver}, Time, MoL, Boundary, WaveToy, Reduce, IOHDF5, IOASCII, Interpolate, NaNChecker, {more}]
Cereus: {{iterations: {steps}, output: run, device: {device}, device_processes: {devices}}}
{grid}
Boundary: {{all: {condition}}}
Time: {{courant: 0.3}}
WaveToy: {{order: 4, initial_data: gaussian, width: 0.2}}
IOHDF5: {{variables: ["WaveToy::u", "WaveToy::rho"], every: {steps}}}
IOASCII: {{variables: ["WaveToy::u", "WaveToy::energy"], every: {every}}}
Interpolate: {{order: 3, variables: ["WaveToy::u"], points: {points}, every: 5, on_device: {there}}}
"""


def case(processes, grid, driver="UniGrid", devices=0, steps=14, more="", condition="dirichlet", dim=3, extra="", there="false", every=4, points=None, folder=None, **environment):
    points = points or [0.11, 0.05, 0.21, -0.3, 0.2, 0.1] if dim == 3 else [0.11, 0.05, 0, -0.3, 0.2, 0]
    text = RUN.format(driver=driver, grid=grid, devices=devices, steps=steps, condition=condition, points=points, there=there, every=every,
                      device="mirror" if devices else "none", more=", ".join(m for m in (more, ON if devices else "") if m)) + extra
    text = text.replace(", ]", "]")
    return outcome(text, processes, ["--thorns", os.environ["CEREUS_TEST_THORNS"]], folder=folder, timeout=100, **environment)


def same(what, processes, grid, devices=1, **more):
    code, said, out = case(1, grid, **more)
    check(code == 0, f"{what}: one process ends well {said[-500:] if code else ''}")
    want = bits(out, more.get("steps", 14))
    code, said, out = case(processes, grid, devices=devices, **more)
    got = bits(out, more.get("steps", 14))
    check(code == 0 and len(want) > 4 and got == want, f"{what}: {devices} of {processes} processes with a device have the bits of one process"
          + ("" if code == 0 and got == want else f": exit {code} {said[-800:]} {[k for k in want if want[k] != got.get(k)]}"))
    return said


def uniform(n, more="periodic: false", dim=3):
    return f"UniGrid: {{cells: {[n] * dim}, lower: -1, upper: 1, {more}}}"


def forest(n, more="", dim=3):
    return f"Forest: {{cells: {[n] * dim}, lower: -1, upper: 1, periodic: false, block: 8, {more}}}"


def shares():
    """The second process is four times as slow: after ten steps it has a fifth of the points."""
    for driver, grid in (("UniGrid", uniform(40)), ("Forest", forest(48))):
        code, said, _ = case(2, grid, driver=driver, devices=1, more="Busy", extra="Busy: {rounds: [60, 240]}\n", OMP_NUM_THREADS="1")
        found = re.search(r"devices compute ([\d.]+) % .* have ([\d.]+) % of all points", said)
        if check(code == 0 and found, f"{driver}: blocks move after ten steps {said[-400:] if not found else ''}"):
            speed, part = (float(x) / 100 for x in found.groups())
            check(abs(part - speed) < 0.05 and 0.6 < speed < 0.93, f"{driver}: devices compute {speed:.3f} of the points, and have {part:.3f} (0.8)")


def turned():
    """Speeds that change by a factor of 16 in mid-run: blocks move again after a hundred steps."""
    code, said, _ = case(2, uniform(24), devices=1, more="Busy", steps=102, extra="Busy: {rounds: [100, 400], turn_at: 30}\n", OMP_NUM_THREADS="1")
    parts = [float(x) / 100 for x in re.findall(r"have ([\d.]+) % of all points", said)]
    check(code == 0 and len(parts) > 1 and parts[0] > 0.6 and parts[-1] < 0.4, f"speeds that change in mid-run: devices have {parts} of the points")


def without_hosts():
    """A host that is far too slow loses its blocks, and solvers go on."""
    slow = "Busy: {rounds: [0, 4000]}\n"
    elliptic = 'Elliptic: {source: "exp(-9*(x^2 + y^2)) * (1 + t)", each_step: true}\n'
    for solver in ("Multigrid", "Fourier"):
        more = {"more": f"Elliptic, {solver}, Busy", "extra": slow + elliptic, "there": "true"}
        said = same(f"{solver}, 3D", 2, uniform(32), **more)
        check("have 100.0 % of all points" in said, f"{solver}: the host has no blocks after ten steps")


def boundaries():
    """Blocks move in the step after an analysis that has filled the boundary: each kind has it in another space, and as deep as it needs it."""
    settings = {"extra": "Busy: {rounds: [100, 100]}\n", "more": "Busy", "steps": 13, "every": 5, "condition": "dirichlet", "points": "[]"}
    same("energy where blocks move", 2, uniform(24), **settings)


def restarted():
    """A run of both kinds writes a checkpoint, from which one process without a device goes on."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    keep = {"more": "Checkpoint, Busy", "extra": "Busy: {rounds: [100, 300]}\nCheckpoint: {at_end: true}\n"}
    code, said, _ = case(2, uniform(24), devices=1, steps=12, folder=folder, **keep)
    again, more, out = case(1, uniform(24), steps=20, folder=folder, **keep)
    _, _, whole = case(1, uniform(24), steps=20, **keep)
    got, want = ({k: v for k, v in bits(f, 20).items() if not k.endswith(".asc")} for f in (out, whole))
    check(code == 0 and again == 0 and len(want) > 1 and got == want, "a checkpoint of both kinds goes on in one process without a device"
          + ("" if got == want else f": {code} {again} {said[-300:]} {more[-300:]}"))


def mixes(count):
    dice = random.Random(int(os.environ.get("CEREUS_FIRST_SCHEDULE", 1)))
    for n in range(count):
        dim, processes = dice.choice([d for d in DIMENSIONS if d > 1]), dice.choice([2, 3, 4])
        devices = dice.randrange(1, processes)
        condition = dice.choice(["dirichlet", "neumann", "extrapolate"])
        cells = {2: 64, 3: 32}[dim]
        box = " ".join(["-0.4 0.4"] * dim)
        kind = dice.choice(["uniform", "static", "subcycled", "adaptive"])
        more, driver, extra = "", "Forest", ""
        if kind == "uniform":
            driver, grid = "UniGrid", uniform(cells, f"periodic: {dice.choice(['true', 'false'])}, blocks: {dice.choice([1, 2, 3])}", dim)
        elif kind == "adaptive":
            grid = forest(cells, f"levels: 2, every: {dice.choice([2, 3, 4])}, subcycle: {dice.choice(['true', 'false'])}", dim)
            more, extra = "Refine", 'Refine: {variables: ["WaveToy::u"], refine_above: 0.2, coarsen_below: 0.05}\n'
        else:
            grid = forest(cells, f"levels: 2, boxes: ['1 {box}'], subcycle: {'true' if kind == 'subcycled' else 'false'}", dim)
        rounds = [dice.choice([0, 30, 300]) for _ in range(processes)]
        extra += f"Busy: {{rounds: {rounds}}}\n"
        more = "Busy" + (", " + more if more else "")
        same(f"mix {n}, {dim}D, {kind}, {rounds}", processes, grid, devices, driver=driver, more=more, extra=extra, dim=dim, condition=condition,
             there=dice.choice(["true", "false"]), steps=dice.choice([14, 32]))


if 3 in DIMENSIONS:
    said = same("uniform", 2, uniform(24))
    check("1 of 2 processes have a device" in said and "ask for other" not in said, "it is said who has a device")
    same("refined", 3, forest(32, f"levels: 2, boxes: ['1 -0.4 0.4 -0.4 0.4 -0.4 0.4']"), 2, driver="Forest")
    shares()
    code, said, _ = case(2, uniform(24), devices=1, more="CaKernel")
    check(code == 0 and "steps are taken one by one" in said, "time tiles are left out, and that is said")
    turned()
    without_hosts()
    boundaries()
    restarted()
if max(DIMENSIONS) > 1:
    mixes(100 if "CEREUS_LONG" in os.environ else 6)
finish("" if max(DIMENSIONS) > 1 else "processes of two kinds: kernels are compiled for one dimension alone")
