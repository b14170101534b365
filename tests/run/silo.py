#!/usr/bin/env python3
"""Silo files, read back with python3-silo: meshes, values, cycle, time, multimeshes and multivars; put together, the values of blocks are, bit
for bit, those that IOHDF5 wrote in the same run, on 1, 2 and 4 processes and in several blocks, of points in vertices, cells and on faces.

Mutations, each of which makes it fail: the coordinates of a block shifted by a cell; nodes without the layer that blocks share; zones of
vertices that begin at the vertex; the extents of x and y exchanged; the iteration before for the cycle; a block left out of a multivar, or of
the file; level 1 for level 0; the imaginary part for the real one.
"""
import glob
import os
import shutil
import subprocess
import tempfile

import h5py
import numpy as np
from _physics import DIMENSIONS, check, fails, finish, job, known, run

if subprocess.run([os.environ["CEREUS"], "describe", "IOSilo"], capture_output=True).returncode:
    finish("the thorn IOSilo, which was not built: libsilo-dev is missing")
try:
    import Silo  # of Debian's python3-silo
except ImportError:
    finish("Silo files: python3-silo is missing")

LOWER, UPPER, CELLS = (-0.5, 0.25, -1.0), (0.7, 2.5, 2.9), (6, 9, 13)
LAYOUTS = {"one block": (1, 1), "3 uneven blocks": (1, 3), "2 processes": (2, 2), "4 processes": (4, 1)}


class File:
    """What is in a Silo file, as arrays."""

    def __init__(self, path):
        self.file = Silo.Open(path)

    def close(self):
        self.file.Close()

    def names(self, kind):
        """Of one kind of objects in the root, such as multimesh."""
        self.file.SetDir("/")
        return list(getattr(self.file.GetToc(), kind + "_names"))

    def object(self, path):
        folder, _, name = path.rpartition("/")
        self.file.SetDir(folder or "/")
        return self.file.GetVarInfo(name)

    def array(self, name):
        value = self.file.GetVar(name)
        return value if isinstance(value, (str, tuple)) else (value,)

    def parts(self, multi):
        info = self.object("/" + multi)
        texts = self.array(info["meshnames" if "meshnames" in info else "varnames"])
        return [t for t in (texts.split(";") if isinstance(texts, str) else texts) if t]

    def block(self, path, dim):
        """Nodes along each axis, values as [z, y, x], and whether they are on nodes."""
        v = self.object(path)
        values = np.array(self.array(v["value0"]))
        n = [v[f"dims{d + 1}"] for d in range(dim)]
        m = self.object(path.rpartition("/")[0] + "/" + v["meshid"])
        nodes = [np.array(self.array(m[f"coord{d}"])) for d in range(dim)]
        assert [len(x) for x in nodes] == [m[f"dims{d + 1}"] for d in range(dim)], path
        return nodes, values.reshape(n[::-1]), v["centering"] == Silo.DB_NODECENT


def axis(d, periodic, centre, cells, lower, upper):
    h = (upper[d] - lower[d]) / cells[d]
    return lower[d] + h * (np.arange(cells[d]) + 0.5 if centre == "c" else np.arange(cells[d] + (not periodic))), h


def assemble(f, variable, points, spacing, centres):
    """All blocks of a multivar in one array, and what is wrong: points without a value, or with two; nodes beside points; gaps and overlaps
    between what blocks show."""
    dim, wrong = len(points), []
    all_nodes = centres == "v" * dim
    whole = np.full([len(x) for x in points[::-1]], np.nan)
    shown = np.zeros([len(x) - all_nodes for x in points[::-1]], int)  # zones: between nodes, or around points
    for path in f.parts(variable):
        nodes, values, on_nodes = f.block(path, dim)
        if on_nodes != all_nodes:
            wrong.append(f"{path} is{'' if on_nodes else ' not'} on nodes")
        at = []
        for d in range(dim):
            middle = nodes[d] if all_nodes else (nodes[d][1:] + nodes[d][:-1]) / 2
            first = int(round((middle[0] - points[d][0]) / spacing[d]))
            here = points[d][first:first + len(middle)]
            if len(here) != len(middle) or len(middle) != values.shape[dim - 1 - d] or np.max(np.abs(here - middle)) > 1e-13:
                wrong.append(f"{path}: nodes along {'xyz'[d]}: {nodes[d]}")
                return whole, wrong
            if not all_nodes and np.max(np.abs(np.diff(nodes[d]) - spacing[d])) > 1e-13:
                wrong.append(f"{path}: zones along {'xyz'[d]} of other sizes")
            at.insert(0, slice(first, first + len(middle)))
        old = whole[tuple(at)]
        if not np.all(np.isnan(old) | (old == values)):
            wrong.append(f"{path} has other values than its neighbour")
        whole[tuple(at)] = values
        shown[tuple(slice(a.start, a.stop - all_nodes) for a in at)] += 1
    if np.any(np.isnan(whole)) or np.any(shown != 1):
        wrong.append(f"{np.sum(np.isnan(whole))} points without a value, {np.sum(shown != 1)} zones not shown once")
    return whole, wrong


def hdf(folder, iteration):
    """Of IOHDF5: {name of a mesh: values}."""
    found = {}
    for path in glob.glob(os.path.join(folder, f"*{iteration:08d}.hdf")):
        with h5py.File(path) as f:
            found |= {name: x[()] for name, x in f[f"data/{iteration}/meshes"].items()}
    return found


def compare(what, folder, iteration, time, centres, periodic, cells, lower, upper):
    """All multivars of an output against IOHDF5's. `centres`: of each variable, such as "vc"."""
    dim, want = len(cells), hdf(folder, iteration)
    f = File(glob.glob(os.path.join(folder, f"*{iteration:08d}.silo"))[0])
    check(sorted(f.names("multivar")) == sorted(want) == sorted(centres), f"{what}: multivars {f.names('multivar')}")
    check(sorted(f.names("multimesh")) == sorted({"mesh_" + c for c in centres.values()}), f"{what}: multimeshes {f.names('multimesh')}")
    for name in sorted(want):
        axes = [axis(d, periodic, centres[name][d], cells, lower, upper) for d in range(dim)]
        whole, wrong = assemble(f, name, [a[0] for a in axes], [a[1] for a in axes], centres[name])
        same = whole.shape == want[name].shape and np.array_equal(whole, want[name])
        check(same and not wrong, f"{what}: {name} has IOHDF5's bits, {whole.size} points in {len(f.parts(name))} blocks" + "".join(f"; {w}" for w in wrong))
        mesh = f.object("/" + name)["mmesh_name"]
        check(mesh == "mesh_" + centres[name] and [p.rpartition("/")[0] for p in f.parts(mesh)] == [p.rpartition("/")[0] for p in f.parts(name)],
              f"{what}: {name} is on {mesh}, block for block")
        moments = [f.object(p) for p in ["/" + name, "/" + mesh] + f.parts(name) + f.parts(mesh)]
        at = [(m.get("cycle", 0), m.get("dtime", 0.0), m.get("time", 0.0)) for m in moments]  # Silo leaves out zeros
        check(all(n == iteration and abs(exact - time) < 1e-14 and abs(single - time) < 1e-6 for n, exact, single in at),
              f"{what}: cycle {iteration} and time {time:g} in {len(moments)} objects")
    f.close()
    return want


def waves(dim, layout, periodic, real="double"):
    processes, blocks = LAYOUTS[layout]
    cells, lower, upper = CELLS[:dim], LOWER[:dim], UPPER[:dim]
    folder = run(f"""thorns: [UniGrid, Time, MoL, Boundary, Reduce, WaveToy, IOHDF5, IOSilo]
Cereus: {{iterations: 4, real: {real}}}
UniGrid: {{cells: {list(cells)}, lower: {list(lower)}, upper: {list(upper)}, periodic: {str(periodic).lower()}, blocks: {blocks}, uneven: {str(blocks > 1).lower()}}}
{"" if periodic else "Boundary: {all: neumann}"}
Time: {{dt: 0.015625}}
WaveToy: {{order: 2, width: 0.4, centre: [0.2, 1.0, 0.1]}}
IOHDF5: {{variables: ["WaveToy::state"], every: 2}}
IOSilo: {{variables: ["WaveToy::state"], every: 2}}
""", processes)
    what = f"{dim}D, {layout}, {'periodic' if periodic else 'walls'}, {real}"
    names = {"WaveToy__u": "v" * dim, "WaveToy__rho": "v" * dim}
    for iteration in (0, 2, 4):
        found = compare(what, folder, iteration, iteration / 64, names, periodic, cells, lower, upper)
        if iteration == 0 and real == "double":  # not only the same as IOHDF5's
            x = np.meshgrid(*[axis(d, periodic, "v", cells, lower, upper)[0] for d in reversed(range(dim))], indexing="ij")[::-1]
            u = np.exp(-sum((x[d] - (0.2, 1.0, 0.1)[d]) ** 2 for d in range(dim)) / (2 * 0.4**2))
            check(np.max(np.abs(found["WaveToy__u"] - u)) < 1e-14, f"{what}: a Gaussian")
    check(len(glob.glob(os.path.join(folder, "*.silo*"))) == 3, f"{what}: three files")


for dim, layout, periodic in known([(2, "one block", True), (2, "2 processes", False), (3, "one block", False), (3, "3 uneven blocks", True),
                                    (3, "2 processes", False), (3, "4 processes", True)]):
    waves(dim, layout, periodic)
for dim, layout, periodic in known([(3, "3 uneven blocks", False)]):
    waves(dim, layout, periodic, "float")

# Points on faces and in cells.
for dim, processes, blocks in known([(2, 2, 3), (3, 1, 2)]):
    cells = (7, 6, 5)[:dim]
    folder = run(f"""thorns: [UniGrid, Time, Boundary, Reduce, Sola, IOHDF5, IOSilo]
Cereus: {{iterations: 3}}
UniGrid: {{cells: {list(cells)}, lower: 0, upper: 1, periodic: false, blocks: {blocks}, uneven: true}}
Time: {{dt: 0.015625}}
IOHDF5: {{variables: ["Sola::u", "Sola::v", "Sola::w", "Sola::p"], every: 3}}
IOSilo: {{variables: ["Sola::p", "Sola::v", "Sola::u", "Sola::w"], every: 3}}
""", processes)
    centres = {f"Sola__{name}": "".join("v" if "xyz"[d] == face else "c" for d in range(dim)) for name, face in zip("uvwp", "xyz ")}
    compare(f"{dim}D, on faces", folder, 3, 3 / 64, centres, False, cells, [0] * dim, [1] * dim)

# Two levels, of which the finer covers a box that moves along x.
for (dim,) in known([(2,)]):
    folder = run(f"""thorns: [Moving, Time, MoL, Reduce, WaveToy, IOSilo]
Cereus: {{thorn_path: ["{os.environ['CEREUS_TEST_THORNS']}"], iterations: 2}}
Moving: {{cells: [32, 24], blocks: 4, box: 2, every: 1}}
Time: {{dt: 0.015625}}
WaveToy: {{order: 4, width: 0.2}}
IOSilo: {{every: 2}}
""")
    names = ["WaveToy__u", "WaveToy__rho"]
    for iteration, box in ((0, -1), (2, 0)):
        f = File(os.path.join(folder, f"run_{iteration:08d}.silo"))
        check(sorted(f.names("multivar")) == sorted(names + [n + "_lvl1" for n in names]), f"two levels: {f.names('multivar')}")
        for level, suffix, lower, upper in ((0, "", (-1, -1), (1, 1)), (1, "_lvl1", (box, -0.5), (box + 1, 0.5))):
            spacing = [2 / (n << level) for n in (32, 24)]
            points = [lower[d] + spacing[d] * np.arange(round((upper[d] - lower[d]) / spacing[d])) for d in range(2)]
            got = {}
            for name in names:
                got[name], wrong = assemble(f, name + suffix, points, spacing, "vv")
                parts = f.parts(name + suffix)
                check(not wrong and parts == [f"/lev{level}/block{n}/{name}" for n in range(16)], f"level {level}: {name} in {len(parts)} blocks {wrong}")
            u = np.exp(-(points[0] ** 2 + points[1][:, None] ** 2) / (2 * 0.2**2))
            check(iteration or np.max(np.abs(got["WaveToy__u"] - u)) < 1e-14, f"level {level}: a Gaussian")
        f.close()

# Complex numbers.
for (dim,) in known([(3,)]):
    cells, lower, upper = (6, 5, 4), [-1] * 3, [1] * 3
    folder = run(f"""thorns: [UniGrid, Time, MoL, ODEComplex, IOHDF5, IOSilo]
Cereus: {{thorn_path: ["{os.environ['CEREUS_TEST_THORNS']}"], iterations: 2}}
UniGrid: {{cells: {list(cells)}, lower: {lower}, upper: {upper}}}
Time: {{dt: 0.25}}
IOHDF5: {{every: 2}}
IOSilo: {{every: 2}}
""", 2)
    got = compare("complex", folder, 2, 0.5, {"ODEComplex__z_re": "vvv", "ODEComplex__z_im": "vvv"}, True, cells, lower, upper)
    z = got["ODEComplex__z_re"] + 1j * got["ODEComplex__z_im"]
    check(np.max(np.abs(z - np.exp(0.5j))) < 1e-4, "complex: exp(it)")

# What made a file; and files of which a part is missing.
for (dim,) in known([(2,)]):
    folder = run("""thorns: [UniGrid, Time, MoL, Reduce, IOHDF5, IOImage, WaveToy, IOSilo]
Cereus: {iterations: 1}
UniGrid: {cells: [12, 10]}
IOSilo: {every: 1}  # ünïcode
""")
    moved = os.path.join(tempfile.mkdtemp(prefix="cereus-"), "x.silo")
    shutil.copy(os.path.join(folder, "run_00000001.silo"), moved)
    reproduce = lambda: subprocess.run([os.environ["CEREUS"], "reproduce", moved], capture_output=True, text=True, errors="replace", timeout=60)
    got = reproduce()
    with open(os.path.join(folder, "parameters.yaml")) as whole:
        check("".join(line + "\n" for line in got.stdout.splitlines() if not line.startswith("#")) == whole.read() and "#   thorn: IOSilo" in got.stdout,
              f"reproduce: {got.returncode} {got.stderr.strip()}")
    with open(moved, "rb") as data:
        content = data.read()
    codes = set()
    for n in range(64):  # cut off, and damaged
        with open(moved, "wb") as data:
            data.write(content[:len(content) * n // 64] + (b"" if n % 2 else bytes(64) + content[len(content) * n // 64 + 64:]))
        codes.add(reproduce().returncode)
    check(codes <= {0, 1}, f"reproduce of damaged files: exit codes {codes}")

# Mistakes.
good = "thorns: [UniGrid, Time, MoL, Reduce, WaveToy, IOSilo]\nCereus: {iterations: 1}\nUniGrid: {cells: [12, 10]}\nIOSilo: {every: 1}\n"
for old, new, says in (("[12, 10]", "[12]", "IOSilo writes in two and three dimensions, but the grid has one"),
                       ("{every: 1}", "{every: 1, variables: ['WaveToy::v']}", "WaveToy::v"), ("{every: 1}", "{every: -1}", "every")):
    code, said = fails(good.replace(old, new))
    check(code == 1 and says in said and "run.yaml" in said, f"{new}: exit {code}: {said.strip()[-150:]}")

disk = tempfile.mkdtemp(prefix="cereus-")
if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=3m", "none", disk], capture_output=True).returncode:
    print("SKIPPED: a full disk, because nothing may be mounted here")
else:
    try:
        done = subprocess.run(**job(disk, good.replace("[12, 10]", "[400, 300]"), CEREUS_DEVICE="none"), capture_output=True, timeout=60)
        left = [os.path.basename(p) for p in glob.glob(os.path.join(disk, "run", "*.silo*"))]
        check(done.returncode == 3 and "run_00000001.silo: No space left" in done.stderr and left == ["run_00000000.silo"],
              f"a full disk: exit {done.returncode}, {left} {done.stderr.strip()[-150:]}")
    finally:
        subprocess.run(["umount", disk])
finish()
