#!/usr/bin/env python3
"""Scaling over the devices of a host, by `cereus run` with default parameters: prints a table, writes JSON, and beside it, of all cases, a picture of efficiency over devices.

    weak.py OUTPUT.json [CASE…]      all cases, or those whose names begin so; on 1, 2, 4, 8 devices, as many as there are

CEREUS names the executable. Weak: as many points on each device, side by side; strong: as many in all. Efficiency: the rate over that of one device, so many times. Where a sweep is
chosen by trials, a first run makes and keeps the choice; the better of two others counts. A process has a device of its own. DEVICES=1,4 of the environment takes
only these. The last case compares bits of a run that goes on with half of its devices, and then with all again, with those of one that did not stop.
"""
import glob
import hashlib
import os
import re
import subprocess
import sys
import tempfile

from _rates import note, write

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
HEAD = """thorns: [{driver}, Accelerator, AcceleratorCUDA, Time, {thorns}]
Cereus: {{device: cuda, iterations: {steps}, poison: false, output: out}}
{grid}
"""
WAVE = "MoL: {method: RK4}\nTime: {courant: 0.4}\nWaveToy: {order: 4}\n"
EINSTEIN = "MoL: {method: RK4}\nTime: {dt: 1e-4}\nExactMetrics: {data: GaugeWave}\nBSSN: {order: 8, startlapse: given}\n"
POISSON = """Time: {dt: 1}
Boundary: {all: dirichlet}
Elliptic: {source: "-14*pi^2*sin(pi*x)*sin(2*pi*y)*sin(3*pi*z)", tolerance: 1e-10, each_step: true}
TimerReport: {}
"""
SWEEP = "CaKernel: {{{how}: true}}\n"


def box(points, strong=False, periodic="true"):
    """A grid of UniGrid on n devices."""
    def grid(n):
        cells = [points] * 3 if strong else [points, points, points * n]
        return f"UniGrid: {{cells: {cells}, upper: {[c / points for c in cells]}, periodic: {periodic}}}"
    return grid


def levels(points, block):
    """Three static levels of Forest in the middle of a cube for each device, side by side along x."""
    def grid(n):
        third, edge = 0.99 * block / points, 0.49 * block / points
        boxes = [f'"{level} {x - w} {x + w} {-w} {w} {-w} {w}"' for m in range(n) for x in [m + 0.5 - n / 2] for level, w in ((1, third), (2, edge))]
        return (f"Forest: {{cells: {[points * n, points, points]}, lower: [{-n / 2}, -0.5, -0.5], upper: [{n / 2}, 0.5, 0.5], block: {block}, levels: 3, boxes: [{', '.join(boxes)}]}}")
    return grid


# Name: thorns, the rest of the file, the grid, steps on one device (so many times where points are as many in all), bars on 2, 4 and 8 devices
CASES = {
    "wave in one sweep, 256³ each": ("MoL, WaveToy, CaKernel", WAVE, box(256), 1200, {2: 0.96, 4: 0.93, 8: 0.92}),
    "wave in one sweep, 512³ in all": ("MoL, WaveToy, CaKernel", WAVE, box(512, True), 300, {2: 0.96, 4: 0.92, 8: 0.85}),
    "wave in one sweep, 1024³ in all": ("MoL, WaveToy, CaKernel", WAVE, box(1024, True), 60, {8: 0.92}),
    "wave by stages, 256³ each": ("MoL, WaveToy", WAVE, box(256), 600, {8: 0.94}),
    "heat in time tiles, 512³ each": ("Boundary, Stencils, CaKernel", "Time: {dt: 1}\nBoundary: {all: fixed}\nStencils: {program: jacobi3d}\n", box(512, periodic="false"), 960, {4: 0.92, 8: 0.90}),
    "BSSN, order 8, 192³ each": ("MoL, ADMBase, ExactMetrics, BSSN", EINSTEIN, box(192), 60, {2: 0.985, 4: 0.96, 8: 0.95}),
    "Hydro, PLM, 256³ each": ("MoL, EOS, Hydro", 'MoL: {method: SSPRK2}\nTime: {courant: 0.3}\nHydro: {pressure: "1 + 0.1*sin(2*pi*x)*sin(2*pi*y)"}\n', box(256), 200, {8: 0.93}),
    "Poisson, 512³ each": ("Boundary, Elliptic, Multigrid, Reduce, TimerReport", POISSON, box(512, periodic="false"), 5, {8: 0.85}),
    "wave on three levels, blocks of 24³": ("MoL, WaveToy", WAVE, levels(240, 24), 400, {8: 0.90}),
    "BSSN on three levels, blocks of 24³": ("MoL, ADMBase, ExactMetrics, BSSN", EINSTEIN, levels(192, 24), 20, {8: 0.60}),
    "QC-0, medium": (None, None, None, 64, {8: 0.625}),  # 5 × one device
}
STRONG = "in all", "QC-0"
there = len([line for line in subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout.split("\n") if line])
CACHE = tempfile.mkdtemp(prefix="cereus-cache-")
COUNTS = [int(n) for n in os.environ.get("DEVICES", "1,2,4,8").split(",") if int(n) <= there] or sys.exit(f"there are {there} devices")


def cereus(n, folder, file, *options):
    many = ["-n", str(n)] if n > 1 else []
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", *many, file, *options], cwd=folder, capture_output=True, text=True, env=dict(os.environ, XDG_CACHE_HOME=CACHE))
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return done.stdout


def rate(name, n, folder, more=""):
    """Gcell-steps/s, or Gcells solved for a second, and what was said."""
    thorns, rest, grid, steps, _ = CASES[name]
    steps *= n if name.endswith(STRONG) or name.startswith(STRONG) else 1
    if thorns is None:
        said = cereus(n, folder, os.path.abspath(os.path.join(ROOT, "parfiles/qc0-medium.yaml")), "--fresh", "--set", f"Cereus.iterations={steps}", "--set", "IOImage.every_time=0",
                      "--activate", "Accelerator", "--activate", "AcceleratorCUDA")
    else:
        head = grid(n)
        with open(os.path.join(folder, "run.yaml"), "w") as f:
            f.write(HEAD.format(driver=head.partition(":")[0], thorns=thorns, steps=steps, grid=head) + rest + more)
        said = cereus(n, folder, "run.yaml", "--fresh")
    if "Elliptic" in (thorns or ""):
        calls, time, unit = re.search(r"Elliptic::solve +(\d+) +([0-9.]+) (\S+)", said).groups()
        return 1e-9 * 512**3 * n * int(calls) / (float(time) * {"s": 1, "ms": 1e-3, "µs": 1e-6}[unit]), said
    number, unit = re.findall(r"([0-9.e+]+) ([kMG]?)cell/s", said)[-1]
    return float(number) * {"": 1e-9, "k": 1e-6, "M": 1e-3, "G": 1}[unit], said


def best(name, n):
    """The rate on n devices, and what was said of tiles."""
    tiles = "CaKernel" in (CASES[name][0] or "")
    with tempfile.TemporaryDirectory(prefix="cereus-") as folder:
        if tiles:
            rate(name, n, folder, SWEEP.format(how="wait"))
        found = [rate(name, n, folder, SWEEP.format(how="report") if tiles else "") for _ in range(2)]
    return max(r for r, _ in found), "; ".join(line.strip() for line in found[-1][1].splitlines() if re.match(r" +\d.*(registers|step)", line))[:150]


def bits(folder):
    """A hash of the last field of a run."""
    import h5py
    (path,) = glob.glob(os.path.join(folder, "out", "*00000060*.hdf"))
    with h5py.File(path) as f:
        return hashlib.sha256(f["data/60/meshes/WaveToy__u"][()].tobytes()).hexdigest()


def goes_on(n):
    """Whether a run on n, n/2 and n devices ends with the bits of one on n that did not stop; the strict build's promise."""
    text = HEAD.format(driver="UniGrid", thorns="MoL, WaveToy, CaKernel, Checkpoint, IOHDF5", steps=60, grid=box(256)(1)) + WAVE + \
        'Checkpoint: {at_end: true}\nIOHDF5: {variables: ["WaveToy::u"], every: 60}\n'
    folders = []
    for parts in ([(n, 60)], [(n, 20), (max(n // 2, 1), 40), (n, 60)]):
        folders.append(tempfile.mkdtemp(prefix="cereus-"))
        with open(os.path.join(folders[-1], "run.yaml"), "w") as f:
            f.write(text)
        for devices, end in parts:
            cereus(devices, folders[-1], "run.yaml", "--set", f"Cereus.iterations={end}")
    return bits(folders[0]) == bits(folders[1])


def picture(path, efficiency):
    try:
        import matplotlib
    except ImportError:
        return print("no picture: matplotlib is not there")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(8, 5))
    for name, shares in efficiency.items():
        axes.plot(list(shares), list(shares.values()), "o-", label=name)
    axes.set(xscale="log", xlabel="devices", ylabel="rate over that of one, so many times", ylim=(0, 1.05), xticks=COUNTS, xticklabels=COUNTS)
    axes.legend(fontsize=7, loc="lower left")
    figure.savefig(path, dpi=150, bbox_inches="tight")


def main():
    efficiency = {}
    wanted = lambda name: not sys.argv[2:] or any(name.startswith(case) for case in sys.argv[2:])
    print(f"{'case':36} {'devices':>7} {'Gcell/s':>9} {'of all':>7}  tile")
    for name in filter(wanted, CASES):
        one = best(name, 1)[0]
        for n in COUNTS:
            found, said = (one, "") if n == 1 else best(name, n)
            share, bar = found / (n * one), CASES[name][4].get(n)
            efficiency.setdefault(name, {})[n] = share
            print(f"{name:36} {n:7} {found:9.3f} {share:7.3f}  {said}", flush=True)
            if n == 1:
                note(f"{name}: one device", found, "Gcells solved a second" if name.startswith("Poisson") else "Gcell-steps/s", None, None)
            else:
                note(f"{name}, {n} devices, of {n} × one", share, "×", bar, None if bar is None else share >= bar)
        write(sys.argv[1])
    if wanted("restart") and COUNTS[-1] > 1:
        same = goes_on(COUNTS[-1])
        print(f"restart, {COUNTS[-1]} → {COUNTS[-1] // 2} → {COUNTS[-1]} devices: {'the same bits' if same else 'OTHER BITS'}", flush=True)
        note(f"restart of a wave in one sweep, {COUNTS[-1]} → {COUNTS[-1] // 2} → {COUNTS[-1]} devices: runs whose bits differ", int(not same), "", 0, same)
        write(sys.argv[1])
    if COUNTS[-1] > 1 and not sys.argv[2:]:
        picture(os.path.splitext(sys.argv[1])[0] + ".png", efficiency)


main()
