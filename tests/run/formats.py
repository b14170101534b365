#!/usr/bin/env python3
"""Reads back, with the readers that people use, what IOASCII, IOHDF5 and IOImage wrote.

The field is a Gaussian off the centre of a grid with three different extents and spacings, so that any mix-up of axes,
origins or blocks shows. What is written must not depend on processes and blocks. Readers that are not installed are
skipped, and the last lines say which; with CEREUS_READERS=required that is an error. kuibit may also lie in the virtual
environment `readers` of the build folder, where .ci/run puts it. Environment: CEREUS, the executable; CEREUS_BUILD.
Each test names a mutation that it catches.
"""
import filecmp, glob, importlib.util, json, os, re, resource, shutil, signal, subprocess, sys, tempfile

import h5py
import numpy as np
import xxhash

from _physics import DIMENSIONS, picture

CEREUS = os.environ["CEREUS"]
WORK = tempfile.mkdtemp(prefix="formats_")
skipped = []

CELLS, LOWER, UPPER, CENTRE, WIDTH = (6, 9, 13), (-0.5, 0.25, -1.0), (0.7, 2.5, 2.9), (0.2, 1.0, 0.1), 0.4
SPACING = [(u - l) / n for l, u, n in zip(LOWER, UPPER, CELLS)]
LAYOUTS = {"one": (1, 1, False), "blocks": (1, 3, True), "two": (2, 1, False), "two-uneven": (2, 2, True)}


def parameter_file(dim, blocks, uneven, iterations=4):
    take = lambda v: list(v[:dim])
    walls = "" if iterations else "Boundary: {all: neumann}\n"
    return walls + f"""
thorns: [UniGrid, Time, MoL, Reduce, WaveToy, IOASCII, IOHDF5, IOImage{", Boundary" if walls else ""}]
Cereus: {{iterations: {iterations}, output: out}}
UniGrid: {{cells: {take(CELLS)}, lower: {take(LOWER)}, upper: {take(UPPER)}, periodic: [{str(iterations > 0).lower()}],
  blocks: {blocks}, uneven: {str(uneven).lower()}}}
WaveToy: {{order: 2, width: {WIDTH}, centre: {list(CENTRE)}}}
IOASCII: {{variables: ["@evolved", "WaveToy::max_speed", "WaveToy::energy"], every: 2, lines: [x, y, z], line_through: {list(CENTRE)},
  points: [0.1, 1.05, 0.2, 9, 9, 9], print_points: true}}
IOHDF5: {{variables: ["@evolved", "WaveToy::max_speed"], every: 2, format: [native, carpet], slices: [xy, xz, yz],
  slice_through: {list(CENTRE)}, compression: {1 if dim == 2 else 0}}}
IOImage: {{every: 2, slice_through: {list(CENTRE)}}}
"""


def run(name, dim=3, layout="one", iterations=4):
    processes, blocks, uneven = LAYOUTS[layout]
    folder = os.path.join(WORK, name)
    os.makedirs(folder)
    with open(os.path.join(folder, "par.yaml"), "w") as f:
        f.write(parameter_file(dim, blocks, uneven, iterations))
    command = [CEREUS, "run", "par.yaml"] + (["-n", str(processes)] if processes > 1 else [])
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=250)
    return os.path.join(folder, "out"), done


def good_run(*args, **kwargs):
    out, done = run(*args, **kwargs)
    assert done.returncode == 0, f"{args}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return out, done.stdout


def axis(d, periodic):
    """Coordinates of vertices; a domain that is not periodic has one more than cells."""
    return LOWER[d] + SPACING[d] * np.arange(CELLS[d] + (not periodic))


def gaussian(dim, periodic):
    """u at t = 0 as u[z, y, x]."""
    x = [axis(d, periodic) for d in range(dim)]
    r2 = sum((g - CENTRE[d]) ** 2 for d, g in zip(range(dim - 1, -1, -1), np.meshgrid(*x[::-1], indexing="ij")))
    return np.exp(-r2 / (2 * WIDTH**2))


def nearest(d):
    return int(round((CENTRE[d] - LOWER[d]) / SPACING[d]))


def close(a, b, tolerance=1e-14):
    assert np.shape(a) == np.shape(b), f"shapes {np.shape(a)} and {np.shape(b)}"
    assert np.max(np.abs(np.asarray(a) - b)) <= tolerance, f"differ by {np.max(np.abs(np.asarray(a) - b))}"


def text_files(out):
    return sorted(os.path.basename(f) for f in glob.glob(out + "/*.asc"))


# --- what is written does not depend on the decomposition ------------------------------------------------------------


def same_on_any_layout(outs):
    """Mutation: in Output::stream consume pieces in the order of ranks; in pieces_of forget the offset."""
    first = outs["one"]
    for layout, out in outs.items():
        assert text_files(out) == text_files(first)
        for name in text_files(first):
            assert filecmp.cmp(f"{first}/{name}", f"{out}/{name}", shallow=False), f"{name} differs on {layout}"
        for name in sorted(f for f in os.listdir(first) if f.endswith(".png")):
            assert picture(f"{first}/{name}") == picture(f"{out}/{name}"), f"{name} differs on {layout}"
        for path in sorted(glob.glob(first + "/*.h5")):
            with h5py.File(path) as a, h5py.File(os.path.join(out, os.path.basename(path))) as b:
                assert list(a) == list(b)
                for key in a:
                    if isinstance(a[key], h5py.Dataset):
                        assert np.array_equal(a[key][()], b[key][()]), f"{path} {key} differs on {layout}"
        for path in sorted(glob.glob(first + "/*.hdf")):
            with h5py.File(path) as a, h5py.File(os.path.join(out, os.path.basename(path))) as b:
                (it,) = a["data"]
                for key in a[f"data/{it}/meshes"]:
                    assert np.array_equal(a[f"data/{it}/meshes/{key}"][()], b[f"data/{it}/meshes/{key}"][()]), f"{path} {key}, {layout}"


# --- text --------------------------------------------------------------------------------------------------------------


def rows(path):
    return np.array([[float(w) for w in line.split()] for line in open(path) if line[0].isdigit()])


def ascii_norms(out, dim):
    """Mutation: give norm2 where norm1 is asked for; write 6 digits instead of 17."""
    u = gaussian(dim, True)
    data = rows(out + "/wavetoy-state.norm2.asc")
    assert data.shape == (3, 4) and list(data[:, 0]) == [0, 2, 4]
    volume = np.prod([SPACING[d] for d in range(dim)])
    candidates = [np.sqrt(np.mean(u**2)), np.sqrt(np.sum(u**2) * volume)]  # Reduce says which: mean or integral
    assert min(abs(data[0, 2] - c) for c in candidates) < 1e-13
    close(rows(out + "/wavetoy-state.maximum.asc")[0, 2], np.max(u))
    close(rows(out + "/wavetoy-state.average.asc")[0, 2], np.mean(u))
    lines = open(out + "/wavetoy-state.norm1.asc").read().split("\n")
    assert lines[1:4] == ["# WAVETOY::state (wavetoy-state)", "# 1:iteration 2:time 3:data", "# data columns: 3:u 4:rho"], lines[:4]
    speeds = rows(out + "/wavetoy-speeds..asc")
    assert speeds.shape == (3, 13) and np.all(speeds[:, 12] == 1.0)
    assert "# data columns: 13:max_speed" in open(out + "/wavetoy-speeds..asc").read()


def ascii_lines(out, dim):
    """Mutation: swap two axes in Output::region; drop the upper end of the box."""
    u = gaussian(dim, True)
    for d in range(dim):
        data = rows(f"{out}/wavetoy-state.{'xyz'[d]}.asc")
        at_zero = data[data[:, 0] == 0]
        index = tuple(slice(None) if e == d else nearest(e) for e in range(dim - 1, -1, -1))
        close(at_zero[:, 9 + d], axis(d, True))
        close(at_zero[:, 12], u[index])
        assert list(at_zero[:, 5 + d]) == list(range(CELLS[d]))
    assert dim == 3 or not os.path.exists(out + "/wavetoy-state.z.asc")


def ascii_points(out, dim, stdout):
    """Mutation: floor instead of round in nearest_index; print 16 digits."""
    data = rows(out + "/wavetoy-state.points.asc")
    assert data.shape == (6, 7)
    i = [int(round((x - LOWER[d]) / SPACING[d])) for d, x in zip(range(dim), (0.1, 1.05, 0.2))]
    with h5py.File(out + "/par_00000004.hdf") as f:  # the text reads back to the same bits
        assert data[-2, 5] == f["data/4/meshes/WaveToy__u"][tuple(i[::-1])]
        assert data[-2, 6] == f["data/4/meshes/WaveToy__rho"][tuple(i[::-1])]
        x = rows(out + "/wavetoy-state.x.asc")
        line = f["data/4/meshes/WaveToy__u"][tuple([nearest(d) for d in range(dim - 1, 0, -1)] + [slice(None)])]
        assert np.array_equal(x[x[:, 0] == 4][:, 12], line)
    close(data[0, 5], gaussian(dim, True)[tuple(i[::-1])])
    close(data[0, 2 : 2 + dim], [LOWER[d] + i[d] * SPACING[d] for d in range(dim)])
    found = re.findall(r"^WaveToy::(\w+) at \((.*)\), t = (.*): (.*)$", stdout, re.M)
    last = data[data[:, 0] == 4]
    assert [f[0] for f in found[:4]] == ["u", "rho", "u", "rho"], stdout
    for (_, where, time, value), want in zip(found, last[:, 5:].flatten()):
        assert float(value) == want and float(time) == last[0, 1]


# --- HDF5 --------------------------------------------------------------------------------------------------------------


def native_file(out, dim, periodic=True):
    """Mutation: exchange lo and hi in AMRBox; axisLabels x first; forget the half spacing in Origin; do not reverse offsets."""
    u = gaussian(dim, periodic)
    spacing, lower = SPACING[:dim], LOWER[:dim]
    with h5py.File(out + "/par_00000000.hdf") as f:
        # openPMD
        for name in ("openPMD", "basePath", "meshesPath", "iterationEncoding", "iterationFormat", "software", "softwareVersion", "date"):
            assert isinstance(f.attrs[name], np.bytes_), f"/{name} must be a fixed-length string"
        assert f.attrs["openPMD"] == b"1.1.0" and f.attrs["openPMDextension"].dtype == np.uint32 and f.attrs["basePath"] == b"/data/%T/"
        assert f.attrs["iterationFormat"] == b"par_%T.hdf"
        for name in ("time", "dt", "timeUnitSI"):
            assert f["data/0"].attrs[name].dtype == np.float64
        mesh = f["data/0/meshes/WaveToy__u"]
        close(mesh[()], u)
        a = mesh.attrs
        assert a["geometry"] == b"cartesian" and a["dataOrder"] == b"C"
        assert list(a["axisLabels"]) == [b"z", b"y", b"x"][3 - dim :]
        close(a["gridSpacing"], spacing[::-1])
        close(a["gridGlobalOffset"], lower[::-1])
        assert a["gridUnitSI"] == 1 and a["unitSI"] == 1 and a["timeOffset"] == 0 and len(a["unitDimension"]) == 7
        close(a["position"], np.zeros(dim))
        # VTKHDF: rebuild the field from boxes and cell data as VTK does, a cell around each point
        v = f["VTKHDF"]
        assert list(v.attrs["Version"]) == [1, 0] and v.attrs["Type"] == b"OverlappingAMR" and v.attrs["GridDescription"] == b"XYZ"
        level = v["Level0"]
        assert {"CellData", "PointData", "FieldData", "AMRBox"} <= set(level) and len(level.attrs["Spacing"]) == 3
        data, at, seen = level["CellData/WaveToy__u"][()], 0, 0
        for box in level["AMRBox"][()]:
            lo, hi = box[0::2], box[1::2] + 1
            n = hi - lo
            values = data[at : at + np.prod(n)].reshape(n[::-1])
            at += np.prod(n)
            centre = [v.attrs["Origin"][d] + (np.arange(lo[d], hi[d]) + 0.5) * level.attrs["Spacing"][d] for d in range(3)]
            r2 = sum((g - CENTRE[d]) ** 2 for d, g in zip((2, 1, 0), np.meshgrid(*centre[::-1], indexing="ij")) if d < dim)
            close(values, np.exp(-r2 / (2 * WIDTH**2)), 1e-13)
            seen += values.size
        assert seen == u.size == data.size
        # native, and where it came from
        assert f["native"].attrs["version"] == 1 and f["native/values/WaveToy__max_speed"][0] == 1
        assert b"WaveToy:" in f["provenance/parameters"][()] and all(word in f["provenance/build"][()] for word in (b"cereus:", b"compiler:", b"mpi:", b"processes:", b"device:", b"thorn: WaveToy "))
        source = f["native/lev0/WaveToy__u"]
        assert source == level["CellData/WaveToy__u"]
        if dim == 2:
            assert source.fletcher32 and source.shuffle and source.compression == "gzip" and "checksums" not in f["native/lev0"]
        else:
            assert source.chunks is None
            blocks = np.split(source[()], np.cumsum([np.prod(b[3:] - b[:3]) for b in f["native/lev0/boxes"][()]])[:-1])
            assert list(f["native/lev0/checksums/WaveToy__u"]) == [xxhash.xxh3_64_intdigest(b.tobytes()) for b in blocks]
    series = json.load(open(out + "/par.hdf.series"))
    assert [e["name"] for e in series["files"]][0] == "par_00000000.hdf" and series["file-series-version"] == "1.0"
    for e in series["files"]:
        with h5py.File(os.path.join(out, e["name"])) as f:
            assert f["native"].attrs["time"] == e["time"]
    assert not glob.glob(out + "/*.tmp")


def carpet_files(out, dim, periodic=True):
    """Mutation: do not reverse the extents; write variable-length strings."""
    u = gaussian(dim, periodic)
    whole = out + "/wavetoy-state." + "xyz"[:dim] + ".h5"
    with h5py.File(whole) as f:
        d = f["WAVETOY::u it=0 tl=0 rl=0 c=0"]
        close(d[()], u)
        close(d.attrs["origin"], LOWER[:dim])
        close(d.attrs["delta"], SPACING[:dim])
        assert d.attrs["time"] == 0 and d.attrs["timestep"] == 0 and list(d.attrs["cctk_nghostzones"]) == [0] * dim
        g = f["Parameters and Global Attributes"]
        assert g.attrs["nioprocs"] == 1 and b"output_ghost_points = no" in g["All Parameters"][()]
    if dim < 3:
        return
    for plane in ("xy", "xz", "yz"):
        axes = ["xyz".index(c) for c in plane]
        with h5py.File(f"{out}/wavetoy-state.{plane}.h5") as f:
            index = tuple(slice(None) if d in axes else nearest(d) for d in (2, 1, 0))
            close(f["WAVETOY::u it=0 tl=0 rl=0 c=0"][()], u[index])
            close(f["WAVETOY::u it=0 tl=0 rl=0 c=0"].attrs["delta"], [SPACING[a] for a in axes])


def full_disk():
    """Mutation: forget fate_.error in File::done and close; PlacedFile::fail returns. (That HDF5 survives is thorns/IOHDF5/tests/types_test.cpp:
    a write_file that returns -1 crashes it at its end.)"""
    def small_files():  # but not so small that MPI cannot start: it has files of its own
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (8 << 20, 8 << 20))

    for compression in (0, 1):
        folder = os.path.join(WORK, f"full{compression}")
        os.makedirs(folder)
        with open(os.path.join(folder, "par.yaml"), "w") as f:
            f.write("thorns: [UniGrid, Time, MoL, WaveToy, IOHDF5]\nCereus: {iterations: 0, output: out}\n"
                    f"UniGrid: {{cells: [160, 160, 160]}}\nIOHDF5: {{every: 1, compression: {compression}}}\n")
        for processes in (1, 2):
            done = subprocess.run([CEREUS, "run", "par.yaml", "--fresh", "-n", str(processes)], cwd=folder, capture_output=True, text=True, timeout=200,
                                  preexec_fn=small_files)
            errors = [line for line in done.stderr.split("\n") if "cannot write" in line and not line.startswith("[rank ")]
            assert done.returncode == 3 and len(errors) == 1, f"exit {done.returncode}\n{done.stdout}{done.stderr}"
            assert "par_00000000.hdf: File too large (in IOHDF5::fields, iteration 0" in errors[0], errors
            assert not glob.glob(folder + "/out/*.tmp") and not glob.glob(folder + "/out/*.hdf"), os.listdir(folder + "/out")


def compressed():
    """Chunks in one block, in several, of several processes; compressed bytes and stored ones. Mutation: in Chunks::parts `at` 0; in write_own places
    from the beginning; in fletcher32 no second fold; in packed() `stored` without the complement of the length; bytes of one significance in another order."""
    values, sizes = [], []
    for processes, blocks, compression in ((1, 1, 0), (1, 1, 1), (2, 4, 1), (2, 4, 9)):
        folder = os.path.join(WORK, f"compressed{len(values)}")
        os.makedirs(folder)
        with open(os.path.join(folder, "par.yaml"), "w") as f:
            f.write("thorns: [UniGrid, Time, MoL, WaveToy, Expressions, IOHDF5]\nCereus: {iterations: 0, output: out}\n"
                    f"UniGrid: {{cells: [61, 47, 97], blocks: {blocks}, uneven: {str(blocks > 1).lower()}}}\n"
                    f"Expressions: {{initial: ['WaveToy::u = sin(pi * x) + 1e-3 * noise(1)']}}\n"
                    f"IOHDF5: {{variables: ['WaveToy::u'], every: 1, compression: {compression}}}\n")
        done = subprocess.run([CEREUS, "run", "par.yaml", "-n", str(processes)], cwd=folder, capture_output=True, text=True, timeout=200)
        assert done.returncode == 0, done.stdout + done.stderr
        path = os.path.join(folder, "out", "par_00000000.hdf")
        sizes.append(os.path.getsize(path))
        with h5py.File(path) as f:
            values.append(f["data/0/meshes/WaveToy__u"][()])
            assert compression == 0 or f["native/lev0/WaveToy__u"].compression_opts == compression
    assert all(np.array_equal(v, values[0]) for v in values), "compressed values differ"
    assert max(sizes[1:]) < 0.85 * sizes[0], sizes


# --- pictures ----------------------------------------------------------------------------------------------------------


def pictures(out, dim):
    """Mutation: write no picture at the end; name all after iteration 0."""
    slices = ["wavetoy-%s.%s.it%08d.png" % (v, "xy" if dim > 1 else "x", it) for v in ("u", "rho") for it in (0, 2, 4)]
    for name in slices + ["wavetoy-state.norm2.png", "wavetoy-energy.average.png"]:
        with open(f"{out}/{name}", "rb") as f:
            assert f.read(8) == b"\x89PNG\r\n\x1a\n", name


# --- other people's readers ----------------------------------------------------------------------------------------------


def kuibit_reads(out):
    """Mutation: variable-length All Parameters; no `# data columns`; a column number one off; no `# column format` in lines; origin
    reversed; no delta; no tl= in the names of datasets. (Without output_ghost_points kuibit goes on.)"""
    from kuibit.simdir import SimDir

    s = SimDir(out)
    u = gaussian(3, True)
    close(s.ts.maximum["u"].y[0], np.max(u))
    assert list(s.ts.norm2["rho"].t) == list(rows(out + "/wavetoy-state.norm2.asc")[:, 1])
    assert list(s.ts.scalar["max_speed"].y) == [1, 1, 1]
    line = s.gf.x
    line.num_ghost = [0]
    close(line["u"][0].get_level(0).data_xyz if hasattr(line["u"][0].get_level(0), "data_xyz") else line["u"][0][0][0].data,
          u[nearest(2), nearest(1), :])
    for names, want in (("xyz", u.transpose()), ("xy", u[nearest(2)].transpose())):
        piece = getattr(s.gf, names)["u"][0][0][0]
        close(piece.data, want)
        close(piece.grid.x0, LOWER[: len(names)])
        close(piece.grid.dx, SPACING[: len(names)])


def kuibit_reads_elsewhere(out):
    """kuibit_reads under the Python that has kuibit."""
    python = sys.executable
    if not importlib.util.find_spec("kuibit"):
        python = os.path.join(os.environ.get("CEREUS_BUILD", ""), "readers", "bin", "python")
        if not os.path.exists(python):
            return skipped.append("kuibit (pip install kuibit)")
    done = subprocess.run([python, __file__, "kuibit", out], capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stdout + done.stderr


def paraview_reads(out):
    """Mutation: the same as native_file's; Spacing reversed; no Version; and a wrong time in the .series."""
    if not shutil.which("pvpython"):
        return skipped.append("ParaView (apt install python3-paraview)")
    script = f"""
import sys, numpy as np
from paraview.simple import OpenDataFile
from vtkmodules.util.numpy_support import vtk_to_numpy as n
r = OpenDataFile({out + "/par.hdf.series"!r}); r.UpdatePipelineInformation()
times = list(r.TimestepValues); worst = cells = 0
r.UpdatePipeline(times[0]); o = r.GetClientSideObject().GetOutputDataObject(0)
for b in range(o.GetNumberOfDataSets(0)):
    d = o.GetDataSet(0, b); v = n(d.GetCellData().GetArray("WaveToy__u"))
    for i in range(len(v)):
        x = d.GetCell(i).GetBounds()
        r2 = sum(((x[2*k] + x[2*k+1]) / 2 - c) ** 2 for k, c in enumerate({CENTRE}))
        worst = max(worst, abs(v[i] - np.exp(-r2 / {2 * WIDTH**2}))); cells += 1
print("RESULT", len(times), cells, worst, times[-1])
"""
    path = os.path.join(WORK, "check.py")
    open(path, "w").write(script)
    done = subprocess.run(["pvpython", "--force-offscreen-rendering", path], capture_output=True, text=True, timeout=200)
    found = re.search(r"RESULT (\S+) (\S+) (\S+) (\S+)", done.stdout)
    assert found, done.stdout[-2000:] + done.stderr[-2000:]
    assert int(found[1]) == 3 and int(found[2]) == np.prod(CELLS) and float(found[3]) < 1e-9, found[0]
    assert abs(float(found[4]) - rows(out + "/wavetoy-state.norm2.asc")[-1, 1]) < 1e-12


def yt_reads(out):
    """Mutation: forget an openPMD attribute; gridSpacing x first. (By itself yt 4.1 takes the first axis for x whatever the
    labels say; so the README shows how to hand it the array.)"""
    if not importlib.util.find_spec("yt"):
        return skipped.append("yt (apt install python3-yt)")
    import yt

    yt.set_log_level(50)
    u = gaussian(3, True)
    copy = os.path.join(WORK, "par_0.h5")  # yt knows the ending .h5, and shows _ as -
    shutil.copy(out + "/par_00000000.hdf", copy)
    values = yt.load(copy).all_data()["openPMD", "WaveToy--u"]
    close(np.sort(np.asarray(values).ravel()), np.sort(u.ravel()))
    sys.path.insert(0, os.path.join(os.path.dirname(os.environ["CEREUS"]), "..", "lib", "python3"))
    import cereus
    ds = cereus.open(out).fields["WaveToy::u"].at(iteration=0).yt()
    where = [axis(d, True)[k] for d, k in enumerate((1, 4, 9))]
    close(float(ds.point(where)["u"][0]), u[9, 4, 1])


def main():
    outs, said = {}, {}
    for layout in LAYOUTS:
        outs[layout], said[layout] = good_run("3d-" + layout, 3, layout)
    out, stdout = outs["one"], said["one"]
    same_on_any_layout(outs)
    runs = [(3, out, stdout)]
    if 2 in DIMENSIONS:
        runs.append((2, *good_run("2d-one", 2)))
        same_on_any_layout({"one": runs[-1][1], "two-uneven": good_run("2d-two", 2, "two-uneven")[0]})
    if 1 in DIMENSIONS:
        runs.append((1, *good_run("1d", 1, "blocks")))
    for dim, folder, text in runs:
        ascii_norms(folder, dim)
        ascii_lines(folder, dim)
        ascii_points(folder, dim, text)
        native_file(folder, dim)
        carpet_files(folder, dim)
        pictures(folder, dim)
    native_file(outs["two-uneven"], 3)
    walls, _ = good_run("walls", 3, "two-uneven", iterations=0)  # not periodic: one more vertex at the upper faces
    native_file(walls, 3, periodic=False)
    carpet_files(walls, 3, periodic=False)
    full_disk()
    compressed()
    kuibit_reads_elsewhere(out)
    paraview_reads(outs["two-uneven"])
    yt_reads(out)
    for reader in skipped:
        print("SKIPPED: not installed:", reader)
    assert not skipped or os.environ.get("CEREUS_READERS") != "required", "all readers are required"
    print("formats: all good")


if __name__ == "__main__":
    try:
        kuibit_reads(sys.argv[2]) if sys.argv[1:2] == ["kuibit"] else main()
    finally:
        if "KEEP" in os.environ:
            print("kept in", WORK)
        else:
            shutil.rmtree(WORK)
