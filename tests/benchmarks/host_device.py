#!/usr/bin/env python3
"""Norms of runs on the host and on a device, and the bytes of their files on one process and on several: waves, gases and BSSN, on blocks and levels,
in balls, with walls, mirrors and odd numbers of cells. Prints a table; exit code 1 where something differs.

    host_device.py [cuda|mirror] [WORD …]     only cases whose names have one of the words

CEREUS names the executable (default: cereus). A GPU contracts a·b + c, so norms may differ by 1e-10 of their largest value over the run; values below
1e-3 count as 1e-3.
"""
import glob
import os
import subprocess
import sys
import tempfile

DEVICE = sys.argv[1] if len(sys.argv) > 1 else "cuda"
ACCELERATOR = {"cuda": ", Accelerator, AcceleratorCUDA", "mirror": ", Accelerator, AcceleratorMirror"}[DEVICE]
WAVE = """thorns: [{driver}, Time, MoL, WaveToy, Expressions, Reduce, IOASCII, Boundary{acc}]
Cereus: {{iterations: 12, output: out, device: {dev}}}
{grid}
Boundary: {{all: neumann, {faces}}}
Time: {{courant: 0.3}}
WaveToy: {{order: 4}}
Expressions: {{initial: ["WaveToy::u = exp(-30*(x^2+(y-0.1)^2+z^2))"]}}
IOASCII: {{variables: ["WaveToy::*"], every: 4}}
{rest}"""
BALL = WAVE.replace("MoL, ", "MoL, Dissipation, ").replace("{{all: neumann, {faces}}}", "{{all: radiation}}\nDissipation: {{order: {order}}}").replace("{{order: 4}}", "{{order: {order}}}")
HYDRO = """thorns: [{driver}, Time, MoL, EOS, Hydro, Reduce, IOASCII, Boundary{acc}]
Cereus: {{iterations: 10, output: out, device: {dev}}}
{grid}
MoL: {{method: SSPRK2}}
Boundary: {{all: extrapolate, extrapolation_order: 0, {faces}}}
Time: {{dt: 0.0003}}
Hydro: {{limiter: mc, {hydro}, pressure: "1 + 10*exp(-30*(x^2+(y-0.1)^2+z^2))"}}
IOASCII: {{variables: ["Hydro::state"], every: 5}}
{rest}"""
BSSN = """thorns: [{driver}, Time, MoL, ADMBase, ExactMetrics, BSSN, Reduce, IOASCII{acc}]
Cereus: {{iterations: 4, output: out, device: {dev}}}
{grid}
MoL: {{method: RK4}}
Time: {{dt: 1e-3}}
ExactMetrics: {{data: GaugeWave}}
BSSN: {{order: {order}, startlapse: given}}
IOASCII: {{variables: ["@evolved"], every: 2}}
{rest}"""
DOMAIN = "lower: -0.5, upper: 0.5"
BOXES = {1: "", 2: ', boxes: ["1 -0.2 0.2 -0.2 0.2 -0.2 0.2"]', 3: ', boxes: ["1 -0.3 0.3 -0.3 0.3 -0.3 0.3", "2 -0.1 0.1 -0.1 0.1 -0.1 0.1"]'}


def forest(cells, block, levels):
    return f"Forest: {{cells: [{cells}, {cells}, {cells}], {DOMAIN}, block: {block}, levels: {levels}{BOXES[levels]}}}"


def ball(cells, block, angles):
    return f"Forest: {{cells: [{cells}, {cells}, {cells}], {DOMAIN}, periodic: false, block: {block}, shell_radius: 1.5, shell_cells: {angles}}}"


HALF = "Forest: {cells: [24, 48, 48], lower: [0, -0.5, -0.5], upper: 0.5, periodic: false, block: 12, levels: 2, %s}"
CASES = [
    ("wave, three levels", WAVE, dict(driver="Forest", grid=forest(48, 12, 3), faces="x_lower: neumann", rest="")),
    ("wave, one level of blocks", WAVE, dict(driver="Forest", grid=forest(64, 16, 1), faces="x_lower: neumann", rest="")),
    ("wave, half, follows", WAVE, dict(driver="Forest, Refine", grid=HALF % "every: 2", faces="x_lower: reflect", rest='Refine: {variables: ["WaveToy::u"], refine_above: 0.05, coarsen_below: 0.01}')),
    ("wave, ball", BALL, dict(driver="Forest", grid=ball(32, 16, 32), order=4, rest="")),
    ("wave, ball of small blocks", BALL, dict(driver="Forest", grid=ball(48, 16, 32), order=6, rest="")),
    ("gas, odd numbers", HYDRO, dict(driver="UniGrid", grid=f"UniGrid: {{cells: [37, 29, 41], {DOMAIN}}}", faces="x_lower: neumann", hydro="scheme: plm", rest="")),
    ("gas, wide, walls", HYDRO, dict(driver="UniGrid", grid=f"UniGrid: {{cells: [260, 33, 20], {DOMAIN}, periodic: false}}", faces="x_lower: reflect", hydro="scheme: plm", rest="")),
    ("gas, 64 blocks", HYDRO, dict(driver="UniGrid", grid=f"UniGrid: {{cells: [64, 64, 64], {DOMAIN}, blocks: 64}}", faces="x_lower: neumann", hydro="scheme: plm", rest="")),
    ("gas, three levels", HYDRO, dict(driver="Forest", grid=forest(48, 12, 3), faces="x_lower: neumann", hydro="scheme: plm", rest="")),
    ("gas, half, follows", HYDRO, dict(driver="Forest, Refine", grid=HALF % "every: 2", faces="x_lower: reflect", hydro="scheme: plm", rest='Refine: {variables: ["Hydro::energy"], refine_above: 1, coarsen_below: 0.2}')),
    ("gas, weno5, blocks of 20", HYDRO, dict(driver="Forest", grid=forest(40, 20, 1), faces="x_lower: neumann", hydro="scheme: weno5", rest="")),
    ("BSSN, odd numbers, order 8", BSSN, dict(driver="UniGrid", grid=f"UniGrid: {{cells: [37, 27, 41], {DOMAIN}}}", order=8, rest="")),
    ("BSSN, blocks of 24, order 8", BSSN, dict(driver="Forest", grid=forest(48, 24, 1), order=8, rest="")),
    ("BSSN, ball, order 4", BSSN.replace("IOASCII{acc}", "IOASCII, Boundary{acc}").replace("IOASCII: ", "Boundary: {{all: radiation}}\nIOASCII: "), dict(driver="Forest", grid=ball(48, 24, 24), order=4, rest="")),
    ("BSSN, two levels of 24, order 8", BSSN, dict(driver="Forest", grid=forest(72, 24, 2), order=8, rest="")),
]


def run(text, processes=1):
    """The text files of a run."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(text)
    many = ["-n", str(processes)] if processes > 1 else []
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "run.yaml", *many], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(text + done.stdout[-800:] + done.stderr[-1500:])
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "out", "*.asc"))):
        with open(path) as f:
            found[os.path.basename(path)] = [line.split() for line in f if line.strip() and line[0] != "#"]
    return found


def furthest(host, device):
    worst = 0.0
    for name, rows in host.items():
        for column in range(2, len(rows[0])):
            scale = max(1e-3, *(abs(float(row[column])) for row in rows))
            worst = max([worst, *(abs(float(a[column]) - float(b[column])) / scale for a, b in zip(rows, device[name], strict=True))])
    return worst


bad = 0
for name, text, how in CASES:
    if len(sys.argv) > 2 and not any(word in name for word in sys.argv[2:]):
        continue
    host = run(text.format(acc="", dev="none", **how))
    on_device = text.format(acc=ACCELERATOR, dev=DEVICE, **how)
    one = run(on_device)
    same = all(run(on_device, n) == one for n in (2, 3))
    off = furthest(host, one)
    bad += off > 1e-10 or not same
    print(f"{name:40} off by {off:.1e}; on 1, 2 and 3 processes {'the same bytes' if same else 'OTHER BYTES'}", flush=True)
sys.exit(bad > 0)
