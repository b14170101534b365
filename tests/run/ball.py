#!/usr/bin/env python3
"""A ball: an off-centre pulse, known exactly, at fourth order through cube and shells; its volume and integrals of harmonics at second; files, pictures and Python's arrays of all patches; values between
points of all patches; the same bits on 1, 2 and 4 processes, after a restart, under an audit, on a mirror, with a refined middle (each of these on each
kind of middle with CEREUS_LONG, on one or two of them without); noise that falls; and what is refused.

Mutations, each of which makes it fail: the sign of 2/r, or of the mixed derivative, in chain_laplacian (order); stencils that a patch does not evolve alone, one
point of Lagrange's less (order); outside_cube() that is 1 (volume); Interpolate's shells inside the cube; drop_interpolated without patches (restart, 2 processes).
"""
import math
import os
import sys
import tempfile

from _physics import DIMENSIONS, bits, check, finish, order_of, outcome, rows

HALF = math.pi / 4
RUN = """thorns: [Forest, Time, MoL, Boundary, WaveToy, Reduce, IOASCII{more}]
Cereus: {{{end}, output: run}}
Forest: {{cells: [{n}, {n}, {n}], lower: -0.7853981633974483, upper: 0.7853981633974483, periodic: false, block: 8, shell_radius: {radius}, shell_cells: {n}{forest}}}
Boundary: {{all: {condition}}}
Time: {{courant: {courant}}}
WaveToy: {{order: 4, width: 0.35, centre: [0.1, -0.05, 0.07]}}
IOASCII: {{variables: ["WaveToy::u", "WaveToy::error"], reductions: [minimum, maximum, sum, norm1, norm2, norm_inf], every: 4, at_end: true}}
{rest}"""


def text(n=16, end="iterations: 8", radius=2.3, more="", forest="", condition="radiation", courant=0.4, rest=""):
    return RUN.format(**locals())


if 3 not in DIMENSIONS:
    finish("a ball has three dimensions")
errors = []
for n in (24, 32):
    code, said, folder = outcome(text(n, "final_time: 0.5", courant=0.2, condition="dirichlet"), CEREUS_DEVICE="none")
    check(code == 0 and "six shells" in said, f"{n} cells: {code} {said[-500:] if code else ''}")
    errors.append(rows(folder, "wavetoy-error.norm_inf.asc")[-1][2] if code == 0 else 1)
order = order_of(*errors) / math.log2(32 / 24)
check(abs(order - 4) < 0.2 and errors[1] < 3e-5, f"a pulse through cube and shells: order {order:.2f}, largest error {errors[1]:.1e}")

# Integrals over the ball, whose radius the run says.
off = []
points = (0.1, 0.2, 0.3), (1.1, -0.5, 0.7), (-0.3, 1.2, 1.3), (0.5, -0.6, -2), (0.78, 0.7, 0.76), (-0.9, 0.9, 0.9)
for n in (32, 64):
    code, said, folder = outcome(text(n, "iterations: 0", more=", Expressions, Interpolate", condition="extrapolate", rest=f"""
Expressions: {{initial: ["WaveToy::u = 1", "WaveToy::rho = x^2 + 2 * y^2 + z^2 / 2 + x"]}}
Interpolate: {{order: 3, points: {[x for point in points for x in point]}, variables: ["WaveToy::rho"]}}
""").replace('"WaveToy::error"', '"WaveToy::rho"'), CEREUS_DEVICE="none")
    check(code == 0, f"integrals: {code} {said[-500:] if code else ''}")
    radius = float(said.split("to r = ")[1].split()[0])
    _, _, volume, integral = rows(folder, "wavetoy-state.sum.asc")[-1]
    off.append([volume / (4 * math.pi / 3 * radius**3) - 1, integral / (3.5 * 4 * math.pi / 15 * radius**5) - 1])
    wrong = max(abs(row[5] - (x * x + 2 * y * y + z * z / 2 + x)) for row, (x, y, z) in zip(rows(folder, "interpolated.asc"), points))
    check(wrong < 2e-5 * (32 / n) ** 4 + 1e-13, f"values between points of all patches: {wrong:.1e}")
    check(abs(rows(folder, "wavetoy-state.norm1.asc")[-1][2] - 1) < 1e-13, "the mean of a constant")
for what, (coarse, fine) in zip(("volume", "integral of x² + 2y² + z²/2"), zip(*off)):
    check(abs(order_of(abs(coarse), abs(fine)) - 2) < 0.4, f"{what} of the ball: order {order_of(abs(coarse), abs(fine)):.2f}, {fine:.1e}")

# The same bits, with finer blocks in the middle, which take the step of all or steps of their own, or come and go.
code, said, _ = outcome(text(end="iterations: 2"), 1, ("--set", "Cereus.audit=true"), CEREUS_DEVICE="none")
check(code == 0, f"an audit finds nothing: {code} {said[-400:] if code else ''}")
mirror = {"CEREUS_DEVICE": "mirror", "CEREUS_ACTIVATE": "Accelerator,AcceleratorMirror"}
deep = ', levels: 3, boxes: ["1 -0.35 0.35 -0.35 0.35 -0.35 0.35", "2 -0.1 0.1 -0.1 0.1 -0.1 0.1"]'
moving = 'Refine: {variables: ["WaveToy::u"], measure: value, refine_above: 0.6, coarsen_below: 0.5}\n'
off = {}
alike = {"2 processes": (2, {}, ()), "4 processes": (4, {}, ()), "a mirror": (1, mirror, ()), "a mirror, 2 processes": (2, mirror, ()), "updates apart from kernels": (1, {}, ("--set", "Cereus.fuse=false"))}
LONG = "CEREUS_LONG" in os.environ  # else each of these on one or two of the grids
for name, cells, forest, rest, words, some in (("one step for all", 32, deep, "", "3 levels", ("2 processes",)),
                                               ("steps of their own", 32, deep + ", subcycle: true", "", "3 levels", ("4 processes", "a mirror, 2 processes", "updates apart from kernels")),
                                               ("blocks that change", 24, ", levels: 2, subcycle: true, every: 2", moving, "than shells bear", ("2 processes", "a mirror"))):
    same = text(n=cells, end="final_time: 0.25", condition="dirichlet", forest=forest, more=", Checkpoint" + (", Refine" if rest else ""), rest="Checkpoint: {at_end: true}\n" + rest)
    code, said, whole = outcome(same, CEREUS_DEVICE="none")
    if not check(code == 0 and words in said and (not rest or "from iteration" in said), f"{name}: {code} {said[-500:]}"):
        continue
    wanted = bits(whole, 0)
    off[name] = rows(whole, "wavetoy-error.norm_inf.asc")[-1][2]
    for what in alike if LONG else some:
        processes, environment, options = alike[what]
        code, said, folder = outcome(same, processes, options, **({"CEREUS_DEVICE": "none"} | environment))
        check(code == 0 and bits(folder, 0) == wanted, f"{name}, {what}: the same bits {said[-400:] if code else ''}")
    if name == "one step for all" and not LONG:
        continue
    folder = tempfile.mkdtemp(prefix="cereus-")
    outcome(same, 2, ("--set", "Cereus.iterations=8"), folder, CEREUS_DEVICE="none")
    code, said, parts = outcome(same, 1, (), folder, CEREUS_DEVICE="none")
    check(code == 0 and "going on" in said and bits(parts, 0) == wanted, f"{name}, after a restart: the same bits {said[-400:] if code else ''}")
check(len(off) == 3 and abs(off["steps of their own"] / off["one step for all"] - 1) < 0.1 and off["steps of their own"] < 1e-4, f"largest errors: {off}")

# Files and pictures: values where Python says they are, in all patches; cells of shells with corners at their radius; a picture, refused beside the middle.
code, said, folder = outcome(text(24, "iterations: 0", more=", Expressions, IOHDF5, IOImage", condition="extrapolate", rest="""
Expressions: {initial: ["WaveToy::u = x + 2 * y - z / 3 + x * y", "WaveToy::rho = 0"]}
IOHDF5: {variables: ["WaveToy::u"], every: 1}
IOImage: {variables: ["WaveToy::u"], slice: xz, outlines: true}
"""), 2, CEREUS_DEVICE="none")
check(code == 0, f"files: {code} {said[-500:] if code else ''}")
if code == 0:
    sys.path.insert(0, os.path.join(os.path.dirname(os.environ["CEREUS"]), "..", "lib", "python3"))
    import cereus
    import h5py
    import numpy as np
    snapshot = cereus.open(folder).fields["WaveToy::u"].at()
    wrong, outer = 0, 0
    for patch in snapshot.levels + snapshot.shells:
        x, y, z = patch.positions
        wrong, outer = max(wrong, np.abs(patch.values - (x + 2 * y - z / 3 + x * y)).max()), max(outer, np.sqrt(x**2 + y**2 + z**2).max())
    check(len(snapshot.levels) == 1 and [p.shell for p in snapshot.shells] == [1, 2, 3, 4, 5, 6] and wrong < 1e-13, f"values of shells where they are: {wrong:.1e}")
    with h5py.File(os.path.join(folder, "run_00000000.hdf")) as f:
        ends = [np.sqrt((f[f"native/lev{n}/corners"][()].reshape(-1, 3) ** 2).sum(axis=1)).max() for n in range(1, 7)]
        cells = sum(len(f[f"native/lev{n}/boxes"]) for n in range(1, 7))
    check(np.abs(np.array(ends) - outer).max() < 1e-12, f"corners of cells: to r = {ends}, points to {outer}")
    meshes = open(os.path.join(folder, "run_00000000.xmf")).read().count("3DSMesh")
    check(meshes == cells, f"{meshes} curvilinear grids of {cells} blocks of shells")
    try:
        from vtkmodules.util.numpy_support import vtk_to_numpy
        from vtkmodules.vtkFiltersCore import vtkCellCenters
        from vtkmodules.vtkIOXdmf3 import vtkXdmf3Reader
    except ImportError:
        print("SKIPPED what VTK reads: it is not there")
    else:
        reader = vtkXdmf3Reader()
        reader.SetFileName(os.path.abspath(os.path.join(folder, "run_00000000.xmf")))
        reader.Update()
        blocks, wrong = reader.GetOutputDataObject(0).NewIterator(), []
        while not blocks.IsDoneWithTraversal():
            grid, centres = blocks.GetCurrentDataObject(), vtkCellCenters()
            centres.SetInputData(grid)
            centres.Update()
            x, y, z = vtk_to_numpy(centres.GetOutput().GetPoints().GetData()).T
            wrong.append(np.median(np.abs(vtk_to_numpy(grid.GetCellData().GetArray("WaveToy__u")) - (x + 2 * y - z / 3 + x * y))))
            blocks.GoToNextItem()
        check(len(wrong) == cells + 27 and max(wrong) < 0.05, f"VTK reads {len(wrong)} blocks, values off those at centres of cells by {max(wrong):.3f}")
    check("wavetoy-u.xz.it00000000.png" in os.listdir(folder), f"a picture: {os.listdir(folder)}")

# A text of equations, beside WaveToy.
code, said, folder = outcome(text(24, "iterations: 16", condition="dirichlet", more=", Expressions", rest="""
Expressions: {analysis: ["off = Drum::u - WaveToy::u"]}
equations: |
  thorn Drum "A wave"
  evolve state "u"
    u, rho
  operators centred(4), dissipation(5)
  initial
    s   = (x - 0.1)^2 + (y + 0.05)^2 + (z - 0.07)^2
    u   = exp(-s / 0.245)
    rho = 0
  rhs
    D_t u   = rho
    D_t rho = D_ii u
""").replace('"WaveToy::error"', '"Expressions::off"'), CEREUS_DEVICE="none")
off = rows(folder, "expressions-results.norm_inf.asc")[-1][2] if code == 0 else 1
check(code == 0 and 0 < off < 1e-11, f"a text of equations on shells: {off:.1e} from WaveToy {said[-500:] if code else ''}")
code, said, _ = outcome(text(16).replace("Cereus: {", "Cereus: {compile: false, ") + """equations: |
  thorn Drum "A wave"
  evolve state "u"
    u
  operators centred(4)
  initial
    u = x
  rhs
    D_t u = D_ii u
""", CEREUS_DEVICE="none")
check(code == 1 and "Drum is interpreted (as Cereus.compile says)" in said and "shells need compiled code" in said, f"an interpreted text: {code} {said[-300:]}")

SMOOTH = """equations: |
  thorn Smooth "Reads neighbours by their number"
  evolve state "u"
    u
  operator bump(u) = u(+1) - 2 u(0) + u(-1)
  operators centred(4)
  let
    n_1 = 1, n_2 = 1, n_3 = 1
  initial
    u = x
  rhs
    D_t u = n_i bump_i u
"""
noise = text(n=12, end="final_time: 20", radius=2.5, condition="radiation", more=", Dissipation, Expressions", forest="", rest="""
Expressions: {initial: ["WaveToy::u = 2 * noise(1) - 1", "WaveToy::rho = 2 * noise(2) - 1"]}
""").replace("block: 8", "block: 12")
code, said, folder = outcome(noise, CEREUS_DEVICE="none")
last = rows(folder, "wavetoy-state.norm_inf.asc")[-1][2] if code == 0 else math.inf
check(last < 0.6, f"noise of height 1 after {20 / 7.3:.1f} crossings: {last:.2f} {said[-400:] if code else ''}")

for what, change, words in (
        ("shells too near", {"radius": 1.5}, ["run.yaml:3", "shell_radius: 1.5 is too near", "take that, or more"]),
        ("no multiple of a block", {"forest": ", shell_spacing: 0.1"}, ["run.yaml:3", "20 are no multiple of blocks of 8"]),
        ("no cube", {"forest": ""}, ["run.yaml:3", "shells lie around a cube whose middle is the origin"]),
        ("finer blocks at the faces", {"forest": ', levels: 2, boxes: ["1 -0.7 0.7 -0.2 0.2 -0.2 0.2"]'}, ["run.yaml:3", "reach the faces of the cube"]),
        ("a mirror at the round end", {"condition": "reflect"}, ["`reflect` at the round end of a ball is no mirror; take neumann"]),
        ("dissipation of a state", {"more": ", Dissipation", "rest": "Dissipation: {variables: [\"WaveToy::u\"]}\n"}, ["run.yaml:8", "WaveToy::u is no right-hand side", "take WaveToy::u_rhs"]),
        ("neighbours without axes", {"rest": SMOOTH}, ["an operator of one's own has no value on the shells of this run", "first and second derivatives"]),
        ("a kernel for straight grids", {"more": ", Diffusion"}, ["Diffusion::", "computes with neighbours on a straight grid", "maps = true"]),
        ("a thorn of one patch", {"more": ", Histogram"}, ["run.yaml:3", "Histogram knows no shells yet"]),
        ("Carpet's files", {"more": ", IOHDF5", "rest": "IOHDF5: {format: [carpet], every: 1}\n"}, ["run.yaml:8", "Carpet's files have no shells"]),
        ("a picture beside the middle", {"more": ", IOImage", "rest": "IOImage: {slice_through: [0, 0, 1]}\n"}, ["run.yaml:8", "pictures of a ball pass through its middle"])):
    parfile = text(**change)
    if what == "no multiple of a block":
        parfile = parfile.replace("shell_cells: 16", "shell_cells: 20")
    if what == "dissipation of a state":  # whose ghost zones are wider
        parfile = text(24, radius=2.5, **change).replace("block: 8", "block: 12")
    if what == "no cube":
        parfile = parfile.replace("upper: 0.7853981633974483", "upper: 0.8")
    code, said, _ = outcome(parfile, 2, CEREUS_DEVICE="none")
    check(code in (1, 3) and all(word in said for word in words), f"{what}: {code} {words} {said[-500:] if not all(word in said for word in words) else ''}")
finish()
