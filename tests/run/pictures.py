#!/usr/bin/env python3
"""Pictures of fields that are known: colours, contour lines, outlines of blocks, arrows, films, and what is refused.

Colours are compared with matplotlib's tables, lines with formulas. Mutations: inferno's colours for magma's; a contour at 1.1 times its level; a window of the wrong axis, or that shows level 0;
edges of blocks half a cell off; the components of a vector exchanged; `contours_of` ignored; a film of every second picture; an ffmpeg that
fails taken for one that does not; films by a run whose time is over before its steps are, or by none that has a limit; arrows half as long; a font that does not grow; a range that a logarithm does not have; a range that begins anew at a checkpoint;
solid cells half a cell off, counted for the range, or seen only where a parameter names them; smooth from 16 points on, or always; panels
in the order of their groups, or without their ranges from a checkpoint on; no picture of a change.
"""
import glob
import os
import shutil
import stat
import subprocess
import tempfile

import matplotlib
import matplotlib.image
import numpy as np

from _physics import DIMENSIONS, check, finish, job, picture

DIM = 2 if 2 in DIMENSIONS else 3
N, FRAME, INK, EDGE, SOLID = 32, (120, 120, 120), (0, 0, 0), (213, 94, 0), (180, 180, 180)


def run(drawn, processes=1, blocks=1, iterations=0, **environment):
    """The folder of the output, the exit code, and what was said. u = x + 2y at points x = i/32, y = j/32."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    text = f"""thorns: [UniGrid, Time, MoL, WaveToy, Expressions, IOImage]
Cereus: {{iterations: {iterations}}}
UniGrid: {{cells: {[N, N, 4][:DIM]}, lower: 0, upper: {[1, 1, 0.125][:DIM]}, blocks: {blocks}}}
Expressions:
  initial: ["WaveToy::u = x + 2 * y"]
  analysis: ["disc = (x - 0.5)^2 + (y - 0.4)^2", "one = 1 + 0 * x", "half = 0.5 + 0 * x", "open = disc - 0.04 >= 0 ? 1 : 0"]
IOImage: {{variables: ["WaveToy::u"], every: 1, at_end: false, series: [], {drawn}}}
"""
    done = subprocess.run(**job(folder, text, processes, **environment), capture_output=True)
    return os.path.join(folder, "run"), done.returncode, done.stdout + done.stderr


def pixels(folder, iteration=0):
    (path,) = glob.glob(os.path.join(folder, f"wavetoy-u.xy.it{iteration:08}.png"))
    return (matplotlib.image.imread(path)[:, :, :3] * 255).round().astype(int)


class Frame:
    """The pixels inside the axes; (column, row) of a place."""

    def __init__(self, image):
        grey = (image == FRAME).all(axis=2)
        columns, rows = (np.flatnonzero(grey.sum(axis=a) > 0.6 * grey.sum(axis=a).max()) for a in (0, 1))
        self.left, self.right, self.top, self.bottom = columns[0] + 1, columns[1], rows[0] + 1, rows[-1]
        self.inside = image[self.top:self.bottom, self.left:self.right]

    def at(self, x, y):
        height, width = self.inside.shape[:2]
        return (x + 0.5 / N) * width, height - (y + 0.5 / N) * height

    def near(self, colour, tolerance=30):
        """Rows and columns, as places, of all pixels of that colour."""
        rows, columns = np.nonzero((np.abs(self.inside - colour) <= tolerance).all(axis=2))
        height, width = self.inside.shape[:2]
        return (columns + 0.5) / width - 0.5 / N, 1 - (rows + 0.5) / height - 0.5 / N


def drawn(what, **how):
    folder, code, said = run(what, **how)
    check(code == 0, f"{what}: {said.strip() if code else 'drawn'}")
    return Frame(pixels(folder))


def colours():
    for name in ("viridis", "magma", "inferno", "plasma", "cividis", "coolwarm"):
        frame = drawn(f"colours: {name}, range: [0, 3]")
        worst = 0
        for i in range(0, N, 3):
            for j in range(0, N, 3):
                column, row = frame.at(i / N, j / N)
                want = np.array(matplotlib.colormaps[name]((i + 2 * j) / N / 3)[:3]) * 255
                worst = max(worst, np.abs(frame.inside[int(row), int(column)] - want).max())
        check(worst < (14 if name == "coolwarm" else 9), f"{name}: within {worst:.1f} of 255 of the published colours")


def contours():
    frame = drawn("contour_levels: [1]")
    x, y = frame.near(INK)
    check(len(x) > 200 and np.abs(x + 2 * y - 1).max() < 0.015, f"the contour of 1 is x + 2y = 1, to {np.abs(x + 2 * y - 1).max():.4f}")
    check(x.min() < 0.03 and x.max() > 0.95, "from side to side")
    x, y = drawn("contours: 2").near(INK)  # of values from 0 to 93/32
    check({round(3 * 32 * v / 93) for v in x + 2 * y} == {1, 2}, "two contours divide the range into three")
    x, y = drawn("contours_of: ['Expressions::disc'], contour_levels: [0.09]").near(INK)
    radius, angle = np.hypot(x - 0.5, y - 0.4), np.degrees(np.arctan2(y - 0.4, x - 0.5))
    check(len(x) > 300 and np.abs(radius - 0.3).max() < 0.006, f"another variable's contour is a circle of radius 0.3, to {np.abs(radius - 0.3).max():.4f}")
    check(len({int(a // 10) for a in angle}) == 36, "all around")


def outlines():
    frame = drawn("outlines: true", blocks=4)
    x, y = frame.near(EDGE, 40)
    inner = [(a, b) for a, b in zip(x, y) if min(abs(a), abs(b), abs(a - 1), abs(b - 1)) > 0.01]
    off = max(min(abs(a - 0.5), abs(b - 0.5)) for a, b in inner)
    check(off < 0.004 and len(inner) > 1.5 * len(frame.inside), f"four blocks meet at x = 0.5 and y = 0.5, to {off:.4f}")
    x, _ = drawn("outlines: true").near(EDGE, 40)
    check(not [a for a in x if 0.1 < a < 0.9] or len(x) < 2.5 * len(frame.inside), "one block has no edges inside")


def arrows():
    frame = drawn("vectors: ['Expressions::one', 'Expressions::half'], arrows: 8")  # at points 1, 5, 9, …
    x, y = frame.near(INK)
    i, j = 4 * np.round((x * N - 1) / 4) + 1, 4 * np.round((y * N - 1) / 4) + 1
    along, across = (x * N - i, y * N - j)
    length = np.hypot(along, across).max()
    check({(int(a), int(b)) for a, b in zip(i, j)} == {(a, b) for a in range(1, N, 4) for b in range(1, N, 4)}, "8 × 8 arrows")
    check(abs(length - 2) < 0.15, f"each 4 points long, as far as they are apart: {2 * length:.2f}")
    tail = along < -0.5
    check(np.abs(across[tail] - along[tail] / 2).max() < 0.15, "along (1, 1/2)")
    check(np.abs(across - along / 2)[along > 0.3].max() > 0.4, "with a head in front")


def solid():
    frame = drawn("fluid: ['Expressions::open']")
    x, y = frame.near(SOLID, 0)
    points = [(i / N, j / N) for i in range(N) for j in range(N) if (i / N - 0.5)**2 + (j / N - 0.4)**2 < 0.04]
    within = [max(abs(a - p), abs(b - q)) * N <= 0.51 for a, b in zip(x, y) for p, q in [min(points, key=lambda c: max(abs(c[0] - a), abs(c[1] - b)))]]
    check(all(within) and abs(len(x) / frame.inside[:, :, 0].size - len(points) / N**2) < 2e-3, f"{len(points)} solid cells are grey, and no other")
    check(not len(drawn("fluid: []").near(SOLID, 0)[0]), "and none without them")
    folder = tempfile.mkdtemp(prefix="cereus-")
    for obstacle in ("", 'obstacle: "0.3 - x", '):
        text = f"""thorns: [UniGrid, Time, MoL, Boundary, Multigrid, Incompressible, IOImage, Expressions]
Cereus: {{iterations: 0}}
UniGrid: {{cells: {[16, 16, 16][:DIM]}, lower: 0, upper: 1, periodic: false}}
Time: {{dt: 0.01}}
Boundary: {{all: neumann}}
Incompressible: {{{obstacle}viscosity: 0.1, scalars: ["dye = x < 0.3 ? 7 : x"]}}
IOImage: {{variables: ["Incompressible::dye"], every: 1, series: [], colours: viridis, slice_through: [0, 0, 0.5]}}
"""
        done = subprocess.run(**job(folder, text), capture_output=True)
        check(done.returncode == 0, f"a flow with '{obstacle}' {done.stderr.strip()[-300:]}")
        if done.returncode:
            return
        (path,) = glob.glob(os.path.join(folder, "run", "incompressible-dye.xy.it00000000.png"))
        inside = Frame((matplotlib.image.imread(path)[:, :, :3] * 255).round().astype(int)).inside
        row = inside[len(inside) // 2]
        grey = (row == SOLID).all(axis=1).mean()
        want = np.array(matplotlib.colormaps["viridis"](1.0)[:3]) * 255
        check(abs(grey - (5 / 16 if obstacle else 0)) < 2e-3, f"without a parameter, {grey:.4f} of the width is grey")
        check((np.abs(row[-9] - want).max() < 9) == bool(obstacle), f"the range is that of the fluid: {row[-9]}")
        shutil.rmtree(os.path.join(folder, "run"))


def smooth():
    """Colours change from pixel to pixel where they are interpolated, else from cell to cell."""
    def changes(what):
        row = drawn(what).inside[100].astype(int)
        return (np.abs(np.diff(row, axis=0)).sum(axis=1) > 0).sum()
    tiles, few = changes("smooth: false"), changes("range: [0, 3]")
    check(tiles < N < 2 * N < few == changes("smooth: true, range: [0, 3]"), f"{N} points are interpolated: {few} changes along a row, {tiles} of cells")
    folder = tempfile.mkdtemp(prefix="cereus-")
    text = f"""thorns: [UniGrid, Time, MoL, WaveToy, Expressions, IOImage]
Cereus: {{iterations: 0}}
UniGrid: {{cells: {[128, 130, 4][:DIM]}, lower: 0, upper: 1}}
Expressions: {{initial: ["WaveToy::u = x < 0.5 ? 0 : 1"]}}
IOImage: {{variables: ["WaveToy::u"], every: 1, at_end: false, series: [], colours: viridis}}
"""
    done = subprocess.run(**job(folder, text), capture_output=True)
    inside = Frame(pixels(os.path.join(folder, "run"))).inside if done.returncode == 0 else np.zeros((200, 9, 3))
    check(len(np.unique(inside[100], axis=0)) == 2, f"128 points along both axes are cells: {done.stderr.strip()[-300:]}")


def panels():
    """Three in one picture, in the order of the list, each with its own range; on a line, below each other."""
    names = "['Expressions::disc', 'WaveToy::u', 'Expressions::one']"
    kept = []
    for ranks, blocks in ((1, 1), (2, 1), (4, 1)):
        folder, code, said = run(f"panels: {names}, colours: viridis", processes=ranks, blocks=blocks)
        paths = glob.glob(folder + "/panels.xy.it00000000.png")
        check(code == 0 and len(paths) == 1, f"panels on {ranks} processes {said.strip() if code else ''}")
        kept.append(picture(paths[0]) if paths else None)
    check(kept[0] == kept[1] == kept[2] is not None, "the same bytes on 1, 2 and 4 processes")
    image = (matplotlib.image.imread(paths[0])[:, :, :3] * 255).round().astype(int)
    grey = (image == FRAME).all(axis=2)
    columns = np.flatnonzero(grey.sum(axis=0) > 0.25 * len(image))
    rows = np.flatnonzero(grey.sum(axis=1) > 0.15 * image.shape[1])
    frames = [image[top + 1:bottom, left + 1:right] for top, bottom in zip(rows[::2], rows[1::2]) for left, right in zip(columns[::4], columns[1::4])]
    sizes = {f.shape for f in frames}
    check(len(sizes) == 1, f"frames of one size: {sizes}")
    low, high = (np.array(matplotlib.colormaps["viridis"](v)[:3]) * 255 for v in (0.0, 1.0))
    disc, u = frames[:2]
    middle = disc[int(len(disc) * (1 - 0.4 - 0.5 / N)), int(disc.shape[1] * (0.5 + 0.5 / N))]
    check(np.abs(middle - low).max() < 9 and np.abs(u[3, -3] - high).max() < 9 and np.abs(u[-3, 3] - low).max() < 9, f"first the disc, then u, each with all colours: {middle} {u[3, -3]}")
    folder, code, said = run(f"panels: {names}, slice: x")
    check(code == 0 and len(glob.glob(folder + "/panels.x.it00000000.png")) == 1, f"and of lines {said.strip() if code else ''}")
    folder, code, said = run("panels: ['WaveToy::*', 'Expressions::*', 'WaveToy::max_speed']")
    check(code == 1 and "WaveToy::max_speed is a grid scalar or array" in said, f"no scalars: {said.strip()[:200]}")


def series():
    """A file of IOASCII over time, and its change, which is the same curve."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    text = f"""thorns: [UniGrid, Time, MoL, Reduce, WaveToy, IOASCII, IOImage]
Cereus: {{iterations: 20}}
UniGrid: {{cells: {[16, 16, 4][:DIM]}}}
IOASCII: {{variables: ["WaveToy::u"], every: 1, reductions: [norm2]}}
IOImage: {{variables: [], series: ["*.norm2.asc"], changes: ["*.norm2.asc"]}}
"""
    done = subprocess.run(**job(folder, text), capture_output=True)
    found = sorted(os.path.basename(p) for p in glob.glob(os.path.join(folder, "run", "*.png")))
    check(done.returncode == 0 and found == ["wavetoy-state.norm2.change.png", "wavetoy-state.norm2.png"], f"a series and its change: {found} {done.stderr.strip()[-300:]}")
    norms = np.loadtxt(os.path.join(folder, "run", "wavetoy-state.norm2.asc"))[:, -1]
    image = (matplotlib.image.imread(os.path.join(folder, "run", found[0]))[:, :, :3] * 255).round().astype(int)
    inside = Frame(image).inside
    blue = (np.abs(inside - (0, 114, 178)) < 40).all(axis=2)
    height = np.array([np.flatnonzero(column).mean() for column in blue[:, 3:-3].T])
    want = np.interp(np.linspace(0, 20, len(height)), np.arange(21), norms)
    agree = np.corrcoef(-height, want)[0, 1]
    check(agree > 0.995, f"the curve is that of the norm: {agree:.5f}")


def processes():
    lines = "contours: 3, vectors: ['Expressions::one', 'Expressions::disc'], colours: coolwarm"
    for what, layouts in ((lines, ((1, 1), (2, 1), (4, 1))), (lines + ", outlines: true", ((1, 4), (2, 2)))):
        kept = []
        for ranks, blocks in layouts:
            folder, code, said = run(what, processes=ranks, blocks=blocks, iterations=4)
            kept.append([picture(p) for p in sorted(glob.glob(os.path.join(folder, "*.png")))])
            check(code == 0 and len(kept[-1]) == len(set(kept[-1])) == 5, f"{ranks} processes draw five pictures: {said.strip() if code else ''}")
        check(all(k == kept[0] for k in kept), f"the same bytes on {', '.join(str(n) for n, _ in layouts)} processes")


def talk():
    plain, code, said = run("colours: viridis")
    big, code, said = run("colours: viridis, title: Height, label: u, unit: cm, length_unit: km, time_unit: s, font_size: 26, size: [1280, 720]")
    check(code == 0 and pixels(big).shape[0] == 720 and pixels(big).shape[1] <= 1280, f"a size in pixels: {pixels(big).shape}")
    check(Frame(pixels(big)).top > 1.8 * Frame(pixels(plain)).top, "margins grow with the font")


def films():
    """Whether there was an ffmpeg to try."""
    with tempfile.TemporaryDirectory() as others:  # MPI starts programs of its own
        for program in glob.glob("/usr/bin/*"):
            if os.path.basename(program) != "ffmpeg":
                os.symlink(program, os.path.join(others, os.path.basename(program)))
        folder, code, said = run("film: true", iterations=1, PATH=others)
    check(code == 0 and "ffmpeg is not installed (apt-get install ffmpeg)" in said and not glob.glob(folder + "/*.mp4"), "without ffmpeg: pictures, and a line that says so")
    with tempfile.TemporaryDirectory() as broken:
        with open(os.path.join(broken, "ffmpeg"), "w") as f:
            f.write("#!/bin/sh\nexit 9\n")
        os.chmod(f.name, stat.S_IRWXU)
        folder, code, said = run("film: true", iterations=1, PATH=broken + ":/usr/bin:/bin")
        check(code == 3 and "wavetoy-u.xy.mp4': ffmpeg ended with 9" in said and not glob.glob(folder + "/*.mp4*"), f"an ffmpeg that fails: exit {code}")
        # A job of a chain leaves films to the last of them: its time (1.8 s) is over before its steps are.
        folder, code, said = run("film: true", iterations="1000000, wall_clock: 0.03", PATH=broken + ":/usr/bin:/bin")
        check(code == 2 and len(glob.glob(folder + "/*.png")) > 1, f"no film by a job that another follows: exit {code} {said.strip()[-200:]}")
        folder, code, said = run("film: true", iterations="1, wall_clock: 10", PATH=broken + ":/usr/bin:/bin")
        check(code == 3 and "ffmpeg ended with 9" in said, f"a film by the last: exit {code}")
    if not shutil.which("ffmpeg"):
        return False
    folder, code, said = run("film: true", iterations=6)
    read = subprocess.run(["ffmpeg", "-nostdin", "-i", os.path.join(folder, "wavetoy-u.xy.mp4"), "-f", "null", "-"], capture_output=True, text=True).stderr
    check(code == 0 and "frame=    7" in read and len(glob.glob(folder + "/*.png")) == 7, f"a film has as many frames as there are pictures: {said.strip() if code else ''}")
    return True


def kept_range():
    """A pulse that sinks: the second half of a run has the colours of one that never stopped."""
    folders = []
    for stops in ((4,), (2, 4)):
        folder = tempfile.mkdtemp(prefix="cereus-")
        for end in stops:
            text = f"""thorns: [UniGrid, Time, MoL, WaveToy, IOImage, Checkpoint, Expressions]
Cereus: {{iterations: {end}}}
Expressions: {{analysis: ["twice = 2 * WaveToy::u"]}}
UniGrid: {{cells: {[N, N, 4][:DIM]}}}
Time: {{courant: 0.4}}
IOImage: {{variables: ["WaveToy::u"], panels: ["WaveToy::rho", "Expressions::twice"], every: 1, at_end: false, series: [], keep_range: true}}
"""
            done = subprocess.run(**job(folder, text), capture_output=True)
            check(done.returncode == 0, f"to iteration {end} {done.stderr.strip()[-300:]}")
        folders.append(os.path.join(folder, "run"))
    same = [np.array_equal(pixels(folders[0], n), pixels(folders[1], n)) for n in range(5)]
    check(all(same), f"keep_range: the same pictures from a checkpoint on: {same}")
    panels = [[matplotlib.image.imread(os.path.join(folder, f"panels.xy.it{n:08}.png")) for n in range(5)] for folder in folders]
    check(all(map(np.array_equal, *panels)), "and the same panels")


def windows():
    """Points of a window alone, at their places; of several levels those of a finer one; the same on two processes."""
    image = pixels(run("window: [0.25, 0.5, 0.5, 0.875], colours: viridis, range: [0, 3]")[0])
    frame, worst = Frame(image), 0
    height, width = frame.inside.shape[:2]
    for i in range(8, 17):  # points 8 to 16 along x, 16 to 28 along y, each in the middle of its cell
        for j in range(16, 29):
            at = frame.inside[int(height - (j - 15.5) / 13 * height), int((i - 7.5) / 9 * width)]
            worst = max(worst, np.abs(at - np.array(matplotlib.colormaps["viridis"]((i + 2 * j) / N / 3)[:3]) * 255).max())
    check(worst < 9, f"a window shows its points: within {worst:.1f} of 255")
    frame, worst = Frame(pixels(run("window: [0.35, 0.36, 0, 1e6], colours: viridis, range: [0, 3]")[0])), 0
    for j in range(0, N, 5):
        at = frame.inside[int(frame.inside.shape[0] - (j + 0.5) / N * frame.inside.shape[0]), frame.inside.shape[1] // 2]
        worst = max(worst, np.abs(at - np.array(matplotlib.colormaps["viridis"]((11 + 2 * j) / N / 3)[:3]) * 255).max())
    check(worst < 9, f"between two points it shows the nearest, point 11, and no more than there is: within {worst:.1f} of 255")
    text = f"""thorns: [Forest, Time, MoL, WaveToy, Expressions, IOImage]
Cereus: {{iterations: 0, output: OUT}}
Forest: {{cells: {[512, 512, 16][:DIM]}, lower: 0, upper: {[1, 1, 1 / 32][:DIM]}, block: 16, levels: 3, boxes: ["1 0.25 0.5 0.25 0.5{' 0 1' if DIM == 3 else ''}", "2 0.3 0.4 0.3 0.4{' 0 1' if DIM == 3 else ''}"]}}
Expressions: {{initial: ["WaveToy::u = x < 0.351 ? 0 : 1"]}}
IOImage: {{variables: ["WaveToy::u"], series: [], smooth: false, size: [1400, 1200], WINDOW}}
"""
    steps = {}
    for name, window in (("all", ""), ("part", "window: [0.3, 0.4, 0.3, 0.4]")):
        for processes in (1, 2):
            folder = tempfile.mkdtemp(prefix="cereus-")
            done = subprocess.run(**job(folder, text.replace("WINDOW", window).replace("OUT", "run"), processes), capture_output=True)
            check(done.returncode == 0, f"{name}, {processes} processes: {(done.stdout + done.stderr)[-300:] if done.returncode else 'drawn'}")
            steps.setdefault(name, []).append(pixels(os.path.join(folder, "run")))
        check(np.array_equal(*steps[name]), f"{name}: the same picture by one and two processes")
    inside = Frame(steps["part"][0]).inside
    row = np.abs(np.diff(inside[len(inside) // 2].sum(axis=1)))
    edge, level_2, level_1 = (np.argmax(row) + 1) / inside.shape[1], 104 / 205, 52 / 102  # points 615 to 819, or 308 to 409; the step is before the 105th, or the 53rd
    check(abs(edge - level_2) < abs(level_1 - level_2) / 2, f"a step at 0.351 is where points of level 2 have it: {edge:.4f}")


def refused():
    for what, message in (("colours: jet", "viridis"), ("vectors: ['WaveToy::u']", "IOImage.vectors: needs two grid functions"),
                          ("vectors: ['WaveToy::u', 'WaveToy::max_speed']", "WaveToy::max_speed is a grid scalar or array, no grid function"),
                          ("contours_of: ['WaveToy::u', 'WaveToy::rho']", "IOImage.contours_of: needs one grid function; there are 2"),
                          ("contours_of: ['WaveToy::v']", "WaveToy::v"), ("log: true, range: [0, 1]", "above 0 for a logarithm"),
                          ("window: [0, 1]", "IOImage.window: wants a lower and an upper end along each of xy; it has 2 numbers"),
                          ("window: [0.5, 0.2, 0, 1]", "its lower end along x is not below"), ("window: [0, .inf, 0, 1]", "each element must be finite"), ("window: [0, 1, 2, 3]", "2 to 3 along y is beyond the grid, which goes from 0 to 1"),
                          ("log: true, contour_levels: [-1]", "IOImage.contour_levels are above 0 for a logarithm"), ("size: [10, 10]", "between 100 and 10000")):
        folder, code, said = run(what)
        check(code == 1 and "run.yaml:" in said and message in said and not glob.glob(folder + "/*.png"), f"{what}: {said.strip()[:200]}")


colours()
contours()
windows()
outlines()
arrows()
solid()
smooth()
panels()
series()
processes()
talk()
kept_range()
refused()
if not films():
    print("SKIPPED: a film, without ffmpeg")
finish()
