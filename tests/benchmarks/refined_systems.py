#!/usr/bin/env python3
"""What blocks and levels cost large systems on a device, through `cereus run`: prints a table and writes JSON.

    refined_systems.py OUTPUT.json [hydro] [bssn] [weak] [balls]

CEREUS names the executable (default: cereus). Hydro: PLM, SSPRK2, 256³ cells; BSSN: order 8, RK4, a gauge wave. One block of UniGrid beside Forest's
blocks, of one level and of three; the better of two runs. weak: a wave on three levels, on two devices of a host twice as many blocks as on one. balls: a cube
and six shells, beside as many cells of UniGrid.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from _rates import note, write

HYDRO = """thorns: [{driver}, Accelerator, AcceleratorCUDA, Time, MoL, EOS, Hydro]
Cereus: {{device: cuda, iterations: {iterations}, output: out}}
{grid}
MoL: {{method: SSPRK2}}
Time: {{courant: 0.3}}
Hydro: {{pressure: "1 + 0.1*sin(6.283185307179586*x)*sin(6.283185307179586*y)"}}
"""
BSSN = """thorns: [{driver}, Accelerator, AcceleratorCUDA, Time, MoL, ADMBase, ExactMetrics, BSSN]
Cereus: {{device: cuda, iterations: {iterations}, poison: false, output: out}}
{grid}
MoL: {{method: RK4}}
Time: {{dt: 1e-4}}
ExactMetrics: {{data: GaugeWave}}
BSSN: {{order: 8, startlapse: given}}
"""
WAVE = """thorns: [{driver}, Accelerator, AcceleratorCUDA, Time, MoL, WaveToy]
Cereus: {{device: cuda, iterations: {iterations}, output: out}}
{grid}
MoL: {{method: RK4}}
Time: {{courant: 0.4}}
WaveToy: {{order: 4}}
"""
HALF = "lower: -0.5, upper: 0.5"


def rate(text, driver, grid, iterations, devices=1):
    """G cell-steps/s, and what was said."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(text.format(driver=driver, grid=grid, iterations=iterations))
    best = 0.0
    for _ in range(2):
        many = ["-n", str(devices)] if devices > 1 else []
        done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "--fresh", *many, "run.yaml"], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stdout + done.stderr)
        number, unit = re.findall(r"([0-9.e+]+) ([kMG]?)cell/s", done.stdout)[-1]
        best = max(best, float(number) * {"": 1e-9, "k": 1e-6, "M": 1e-3, "G": 1}[unit])
    return best, done.stdout


def levels(cells, block):
    """Three static levels in the middle."""
    third, edge = 0.99 * block / cells, 0.49 * block / cells
    boxes = ", ".join(f'"{level} ' + " ".join([f"{-half} {half}"] * 3) + '"' for level, half in ((1, third), (2, edge)))
    return f"Forest: {{cells: [{cells}, {cells}, {cells}], {HALF}, block: {block}, levels: 3, points: 10, boxes: [{boxes}]}}"


def one_level(cells, block):
    return f"Forest: {{cells: [{cells}, {cells}, {cells}], {HALF}, block: {block}, points: 2}}"


def show(what, value, unit, bar):
    note(what, value, unit, None if bar is None else f"≥ {bar}", None if bar is None else value >= bar)
    print(f"{what:100} {value:8.3f} {unit:16} {'' if bar is None else f'≥ {bar} ' + ('met' if value >= bar else 'MISSED')}", flush=True)


def hydro():
    one, _ = rate(HYDRO, "UniGrid", f"UniGrid: {{cells: [256, 256, 256], {HALF}}}", 100)
    show("Hydro, PLM, SSPRK2, one block of 256³, 100 steps", one, "Gcell-steps/s", None)
    for block in (64, 32, 16):
        flat, _ = rate(HYDRO, "Forest", one_level(256, block), 100)
        show(f"Hydro, PLM, SSPRK2, {(256 // block)**3} blocks of {block}³ of one level", flat, "Gcell-steps/s", None)
    several, said = rate(HYDRO, "Forest", levels(256, 32).replace("points: 10", "points: 6"), 100)
    blocks = re.search(r"levels, (\d+) blocks", said)[1]
    show(f"Hydro, PLM, SSPRK2, three static levels, {blocks} blocks of 32³, with reflux", several, "Gcell-steps/s", 2.6)


def bssn():
    """Point right-hand sides: four a step."""
    one, _ = rate(BSSN, "UniGrid", f"UniGrid: {{cells: [192, 192, 192], {HALF}}}", 20)
    show("BSSN, order 8, one block of 192³", 4 * one, "G point-rhs/s", None)
    many, _ = rate(BSSN, "UniGrid", f"UniGrid: {{cells: [256, 256, 256], {HALF}, blocks: 64}}", 10)
    show("BSSN, order 8, UniGrid in 64 blocks of 64³: a step", many, "G cell-steps/s", 0.26)
    for block, bar in ((64, 1.05), (32, 0.92), (24, 0.75)):
        flat, _ = rate(BSSN, "Forest", one_level(192, block), 20)
        show(f"BSSN, order 8, {(192 // block)**3} blocks of {block}³ of one level", 4 * flat, "G point-rhs/s", bar)
    several, said = rate(BSSN, "Forest", levels(192, 24), 20)
    blocks = re.search(r"levels, (\d+) blocks", said)[1]
    show(f"BSSN, order 8, three static levels, {blocks} blocks of 24³", 4 * several, "G point-rhs/s", None)


def weak():
    """Two domains side by side, each with its levels in the middle."""
    def grid(copies):
        size, half = 256, 0.5
        third, edge = 0.99 * 32 / size, 0.49 * 32 / size
        boxes = [f'"{level} {x - w} {x + w} {-w} {w} {-w} {w}"' for n in range(copies) for x in [n + half - copies / 2] for level, w in ((1, third), (2, edge))]
        return (f"Forest: {{cells: [{size * copies}, {size}, {size}], lower: [{-copies / 2}, -0.5, -0.5], upper: [{copies / 2}, 0.5, 0.5], block: 32, levels: 3, boxes: [{', '.join(boxes)}]}}")
    one, said = rate(WAVE, "Forest", grid(1), 400)
    two, more = rate(WAVE, "Forest", grid(2), 400, 2)
    blocks = [re.search(r"levels, (\d+) blocks", text)[1] for text in (said, more)]
    show(f"wave, three static levels, {blocks[1]} blocks of 32³ on two devices, over twice {blocks[0]} on one", two / one / 2, "", 0.9)


def synchronised(text, grid, iterations):
    """The share of the time for which a run stood still for ghost zones, without its start."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(text.replace("MoL,", "MoL, TimerReport,", 1).format(driver="Forest", grid=grid, iterations=iterations))
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "run.yaml"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    with open(os.path.join(folder, "out", "timers.json")) as f:
        classes = {row["name"]: row["exposed"] for row in json.load(f)["classes"]}
    return classes["synchronisation"] / sum(seconds for name, seconds in classes.items() if name != "start")


def steady(text, driver, grid, iterations):
    """G cell-steps/s of later steps: the first ones wait for kernels that are compiled beside them."""
    few, many = (rate(text, driver, grid, n * iterations)[0] for n in (1, 3))
    return 2 / (3 / many - 1 / few)


def balls():
    """Seven patches of as many cells each, and a box of seven times as many."""
    for name, text, n, blocks, iterations, bar in (("wave, order 4, RK4", WAVE, 128, (128, 64), 400, 0.5), ("BSSN, order 8", BSSN, 120, (120,), 20, 0.7)):
        one = steady(text, "UniGrid", f"UniGrid: {{cells: {[2 * n, 2 * n, 7 * n // 4]}}}", iterations)
        show(f"{name}: one block of as many cells as seven patches of {n}³", one, "Gcell-steps/s", None)
        with_ends = text.replace("MoL,", "MoL, Boundary,", 1) + "Boundary: {{all: radiation}}\n"
        for block in blocks:
            ball = f"Forest: {{cells: [{n}, {n}, {n}], {HALF}, periodic: false, block: {block}, shell_radius: 1.4, shell_cells: {n}, shell_spacing: {1 / n}}}"
            several = steady(with_ends, "Forest", ball, iterations)
            show(f"{name}: a ball of seven patches in blocks of {block}³, of that", several / one, "", bar)
            share = synchronised(with_ends, ball, iterations)
            note(f"{name}: the ball in blocks of {block}³: share of ghost zones in the time", share, "", "≤ 0.15", share <= 0.15)
            print(f"{'its share of ghost zones in the time':100} {share:8.3f}", flush=True)


for case in sys.argv[2:] or ["hydro", "bssn"]:
    {"hydro": hydro, "bssn": bssn, "weak": weak, "balls": balls}[case]()
write(sys.argv[1])
