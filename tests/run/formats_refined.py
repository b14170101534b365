#!/usr/bin/env python3
"""Files of a refined grid, read by h5py and by other people's programs: each block once, where it lies, with its values, on 1 and 2 processes.

Mutations, each of which makes it fail: carpet_levels of Python with the first dataset of each level; thorns/IOHDF5/src/carpet.cpp with one component a level, whose gaps are zeros; a component's origin that is
the level's; thorns/IOHDF5/src/native.cpp with boxes of blocks in the order of processes, or a view of a level without its gaps.
"""
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile

import h5py
import numpy as np

from _physics import DIMENSIONS, check, finish, job, read_by_kuibit

RUN = """thorns: [Forest, Time, MoL, WaveToy, Expressions, Reduce, IOHDF5]
Cereus: {iterations: 2, output: out, compile: false}
Forest: {cells: [24, 24, 24], lower: -1, upper: 1, block: 12, levels: 2, boxes: ["1 -0.9 -0.3 -0.9 -0.3 -0.9 -0.3"], periodic: false}
Boundary: {all: extrapolate}
Time: {courant: 0.25}
WaveToy: {order: 4}
Expressions: {initial: ["WaveToy::u = exp(-(x-0.1)^2-2*(y+0.2)^2-3*z^2)"]}
IOHDF5: {variables: ["WaveToy::u", "Cells::q"], every: 2, format: [native, carpet], slices: [xy, x], slice_through: [-0.5, -0.5, -0.5]}
equations: |
  thorn Cells "in cells" in cells
  evolve state
    q
  initial
    q = exp(-(x - 0.1)^2 - 2 (y + 0.2)^2 - 3 z^2)
  rhs
    D_t q = 0
"""
LOWER, H, LEAVES = -1, 2 / 24, {0: 7, 1: 8}


def u(x, y, z):
    return np.exp(-(x - 0.1) ** 2 - 2 * (y + 0.2) ** 2 - 3 * z**2)


def at_corners(origin, delta, shape):
    """u on a component, whose data have x last."""
    z, y, x = (o + d * np.arange(n) for o, d, n in zip(reversed(origin), reversed(delta), shape))
    return u(x[None, None, :], y[None, :, None], z[:, None, None])


def points_of(level):
    """Vertices: a block has one more where the domain ends."""
    ends = [(12 + (n == 1)) for n in (0, 1)]
    if level == 1:
        return 24**3
    return sum(a * b * c for a in ends for b in ends for c in ends) - 12**3


def lacks(reader):
    print("SKIPPED: not installed:", reader)
    check(os.environ.get("CEREUS_READERS") != "required", f"{reader} is not required")


def carpet(out):
    with h5py.File(out + "/wavetoy-state.xyz.h5") as f:
        for level, leaves in LEAVES.items():
            sets = {k: f[k] for k in f if k.startswith(f"WAVETOY::u it=0 tl=0 rl={level} ")}
            worst = max(np.max(np.abs(d[()] - at_corners(d.attrs["origin"], d.attrs["delta"], d.shape))) for d in sets.values())
            points, origins = sum(d.size for d in sets.values()), {tuple(d.attrs["origin"]) for d in sets.values()}
            check(len(sets) == len(origins) == leaves and points == points_of(level) and worst < 1e-14, f"carpet, level {level}: {len(sets)} components, {points} points, off by {worst:.1e}")
    with h5py.File(out + "/wavetoy-state.xy.h5") as f:
        shapes = [f[k].shape for k in f if k.startswith("WAVETOY::u it=0 tl=0 rl=")]
        check(len(shapes) == 3 + 4, f"a slice has {len(shapes)} components")
    sys.path.insert(0, os.path.join(os.path.dirname(os.environ["CEREUS"]), "..", "lib", "python3"))
    import cereus
    for level, blocks in zip(cereus.open(out).slices["xy"]["WaveToy::u"].at(time=0).levels, (3, 4), strict=True):
        (y, x), there = (level.coordinates(axis) for axis in "yx"), np.isfinite(level.values)
        off = np.abs(level.values - u(x[None, :], y[:, None], -0.5))[there].max()
        check(len(level.blocks) == blocks and there.sum() == sum(b.values.size for b in level.blocks) and off < 1e-14,
              f"in Python, h = {level.spacing[0]:.3g}: {len(level.blocks)} blocks, {there.sum()} points, off by {off:.1e}")


def native(out):
    with h5py.File(out + "/run_00000000.hdf") as f:
        for level, leaves in LEAVES.items():
            mesh = f["data/0/meshes/WaveToy__u" + ("_lvl1" if level else "")]
            values, h = mesh[()], H / 2**level
            there = ~np.isnan(values)
            x = LOWER + h * np.arange(values.shape[0])
            off = np.max(np.abs(values - u(x[None, None, :], x[None, :, None], x[:, None, None]))[there])
            check(len(f[f"native/lev{level}/boxes"]) == leaves and there.sum() == points_of(level) and off < 1e-14, f"native, level {level}: {there.sum()} points, NaN elsewhere, off by {off:.1e}")


def same(one, other):
    for path in sorted(glob.glob(one + "/*.h5")):
        with h5py.File(path) as a, h5py.File(os.path.join(other, os.path.basename(path))) as b:
            keys = [k for k in a if isinstance(a[k], h5py.Dataset)]
            check(list(a) == list(b) and len(keys) > 4 and all(np.array_equal(a[k][()], b[k][()]) for k in keys), f"{os.path.basename(path)} is the same on 2 processes")


def by_kuibit(out):
    from kuibit.simdir import SimDir
    field = SimDir(out).gf.xyz["u"][0]
    worst = points = 0
    for level in field.refinement_levels:
        for component in field[level]:
            x, y, z = np.meshgrid(*(o + d * np.arange(n) for o, d, n in zip(component.grid.x0, component.grid.dx, component.data.shape)), indexing="ij")
            worst = max(worst, np.max(np.abs(component.data - u(x, y, z))))
            points += component.data.size
    assert worst < 1e-14 and points == points_of(0) + points_of(1), (worst, points)
    at = (-0.45, -0.61, -0.52)
    assert abs(field(at) - u(*at)) < 1e-2, field(at)


def paraview(out, file, name, points):
    if not shutil.which("pvpython"):
        return lacks("ParaView (apt install python3-paraview)")
    script = f"""
import numpy as np
from paraview.simple import OpenDataFile
from vtkmodules.util.numpy_support import vtk_to_numpy as n
r = OpenDataFile({out + "/" + file!r}); r.UpdatePipelineInformation()
r.UpdatePipeline(*list(r.TimestepValues)[:1]); o = r.GetClientSideObject().GetOutputDataObject(0)
worst = 0; cells = [0, 0]; blocks = [0, 0]
def leaves(o):
    if o.IsA("vtkMultiBlockDataSet"):
        return [x for b in range(o.GetNumberOfBlocks()) for x in leaves(o.GetBlock(b))]
    if o.IsA("vtkMultiPieceDataSet"):
        return [x for b in range(o.GetNumberOfPieces()) for x in leaves(o.GetPiece(b))]
    if o.IsA("vtkUniformGridAMR"):
        return [o.GetDataSet(l, b) for l in range(o.GetNumberOfLevels()) for b in range(o.GetNumberOfDataSets(l))]
    return [o]
for d in leaves(o):
    v = n(d.GetCellData().GetArray({name!r})); h = d.GetSpacing()[0]; l = int(round({H} / h)) - 1; cells[l] += len(v); blocks[l] += 1
    for i in range(len(v)):
        x = d.GetCell(i).GetBounds(); x, y, z = [(x[2*k] + x[2*k+1]) / 2 for k in range(3)]
        worst = max(worst, abs(v[i] - np.exp(-(x-0.1)**2 - 2*(y+0.2)**2 - 3*z**2)))
print("RESULT", *blocks, *cells, worst)
"""
    path = os.path.join(os.path.dirname(out), "check.py")
    with open(path, "w") as f:
        f.write(script)
    done = subprocess.run(["pvpython", "--force-offscreen-rendering", path], capture_output=True, text=True, timeout=200)
    found = re.search(r"RESULT (.*)", done.stdout)
    numbers = [float(w) for w in found[1].split()] if found else []
    check(found and numbers[:4] == [7, 8, *points] and numbers[4] < 1e-9, f"ParaView reads blocks and cells of both levels from {file}: {numbers}" + ("" if found else done.stdout[-600:] + done.stderr[-600:]))


def by_yt(out):
    if not importlib.util.find_spec("yt"):
        return lacks("yt (apt install python3-yt)")
    sys.path.insert(0, os.path.join(os.path.dirname(os.environ["CEREUS"]), "..", "lib", "python3"))
    import cereus
    import yt
    yt.set_log_level(50)
    run = cereus.open(out)
    ds = run.fields["Cells::q"].at(iteration=0).yt()
    for h, p in ((H / 2, (-0.75, -0.5, -0.625)), (H, (0.5, 0.25, -0.25))):
        centre = [LOWER + h * (int((x - LOWER) / h + 1e-9) + 0.5) for x in p]
        value = float(ds.point(p)["q"][0])
        check(abs(value - u(*centre)) < 1e-13, f"yt has {value} at {p}, {u(*centre)} right")
    shot = run.fields["WaveToy::u"].at(iteration=0)
    try:
        shot.yt()
        said = "no error"
    except cereus.Error as error:
        said = str(error)
    check("vertices of several levels" in said and "level=0" in said, f"vertices of several levels: {said}")
    ds = shot.yt(level=0)
    value = float(ds.point((0.5, 0.25, -0.25))["u"][0])
    check(abs(value - u(0.5, 0.25, -0.25)) < 1e-13, f"but one level is read: {value}")


if len(sys.argv) > 2:
    by_kuibit(sys.argv[2])
    sys.exit()
if 3 not in DIMENSIONS:
    finish("needs kernels in 3D")
outs = []
for processes in (1, 2):
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, RUN.replace("Reduce,", "Reduce, Boundary,"), processes), capture_output=True, timeout=100)
    check(done.returncode == 0, f"a run on {processes}: {done.returncode} {(done.stdout + done.stderr)[-500:] if done.returncode else ''}")
    outs.append(os.path.join(folder, "out"))
carpet(outs[0])
native(outs[0])
same(*outs)
read_by_kuibit(__file__, outs[0], "all blocks of both levels")
paraview(outs[0], "run_00000000.xmf", "WaveToy__u", (points_of(0), points_of(1)))
paraview(outs[0], "run-ccc.hdf.series", "Cells__q", (7 * 12**3, 8 * 12**3))
by_yt(outs[0])
finish()
