#!/usr/bin/env python3
"""Refined grids: what blocks and levels cost, and what a grid that follows a wave saves.

    refined.py OUTPUT.json [cuda|none] [CELLS]

CEREUS names the executable (default: cereus). CELLS: along an axis of the largest grid (256 on a device, 64 on a host). Rates are of cells updated a
second, the best of two runs; each is set beside one block of as many cells in the same call.
"""
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile

CEREUS, DEVICE = os.environ.get("CEREUS", "cereus"), sys.argv[2] if len(sys.argv) > 2 else "none"
N = int(sys.argv[3]) if len(sys.argv) > 3 else 256 if DEVICE == "cuda" else 64
ACCELERATOR = ", Accelerator, AcceleratorCUDA" if DEVICE == "cuda" else ""
WAVE = """thorns: [{driver}, Time, MoL, WaveToy{more}{accelerator}]
Cereus: {{{end}, device: {device}, output: out}}
{grid}
Time: {{courant: 0.4}}
WaveToy: {{order: 4{data}}}
{rest}
"""
rows = []


def run(grid, driver, end, more="", rest="", data=""):
    """The rate in Mcell/s, seconds of the evolution, and what is said."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(WAVE.format(driver=driver, more=more, accelerator=ACCELERATOR, end=end, device=DEVICE, grid=grid, rest=rest, data=data))
    done = subprocess.run([CEREUS, "run", "run.yaml"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    said = re.findall(r"([0-9.e+]+) ([kMGT]?)cell/s, in ([0-9.e+-]+) (µs|ms|s)", done.stdout)[-1]
    rate = float(said[0]) * {"": 1e-6, "k": 1e-3, "M": 1, "G": 1e3, "T": 1e6}[said[1]]
    return rate, float(said[2]) * {"µs": 1e-6, "ms": 1e-3, "s": 1}[said[3]], done.stdout, folder


def note(what, value, unit, bar=None, at_least=True):
    met = None if bar is None else value >= bar if at_least else value <= bar
    rows.append({"what": what, "value": round(value, 3), "unit": unit, "bar": bar, "met": met, "peer": None, "machine": os.environ.get("MACHINE", "2 cores, Debian 12"),
                 "date": datetime.date.today().isoformat(), "commit": os.environ.get("COMMIT", "?"), "command": f"tests/benchmarks/refined.py OUTPUT.json {DEVICE} {N}"})
    print(f"{what:110} {value:9.3f} {unit:8} {'' if bar is None else ('≥ ' if at_least else '≤ ') + str(bar)} {'' if met is None else 'met' if met else 'MISSED'}", flush=True)


def best(*args, **more):
    return max(run(*args, **more)[0] for _ in range(2))


steps = 400 if DEVICE == "cuda" else 12
end = f"iterations: {steps}"
cells = [N] * 3
one = best(f"UniGrid: {{cells: {cells}}}", "UniGrid", end) / 1e3
note(f"wave, order 4, RK4, {N}³: one block", one, "Gcell/s")
for block, bar, share in ((64, 15.2, 0.85), (32, 13.4, 0.75), (16, 9.0, 0.5)):
    if N % block or block == N:
        continue
    rate = best(f"Forest: {{cells: {cells}, block: {block}}}", "Forest", end) / 1e3
    if DEVICE == "cuda" and N == 256:
        note(f"the same in Forest's blocks of {block}³", rate, "Gcell/s", bar)
    note(f"the same in Forest's blocks of {block}³, of one block", rate / one, "", 0.85 if DEVICE == "none" and block == 32 else share if DEVICE == "cuda" else None)
for block in (64, 32):
    if N % block or N // block < 3:
        continue
    trees = N // block - (N // block) % 2
    size = [trees * block] * 3
    third, edge = 0.99 / trees, 0.49 / trees  # boxes in the middle, of some blocks of level 0
    levels = f'Forest: {{cells: {size}, lower: -0.5, upper: 0.5, block: {block}, levels: 3, boxes: ["1 {-third} {third} {-third} {third} {-third} {third}", "2 {-edge} {edge} {-edge} {edge} {-edge} {edge}"]}}'
    rate, _, said, _ = max((run(levels, "Forest", end) for _ in range(2)), key=lambda r: r[0])
    blocks = int(re.search(r"levels, (\d+) blocks", said)[1])
    # The rate that is told counts cells of all blocks; as many blocks of one level:
    side = max(1, round(blocks ** (1 / 3)))
    flat = best(f"Forest: {{cells: {[side * block] * 3}, block: {block}}}", "Forest", end)
    note(f"three static levels, {blocks} blocks of {block}³: updates a second, of {side**3} blocks of one level", rate / flat, "", {64: 0.93, 32: 0.9}[block] if DEVICE == "cuda" else 0.85)

# Five levels of as many blocks, each in the middle half of the next coarser one, with steps of their own and with those of the finest.
block = 32 if DEVICE == "cuda" else 8
boxes = ", ".join(f'"{level} ' + " ".join([f"{-0.495 / 2**level} {0.495 / 2**level}"] * 3) + '"' for level in range(1, 5))
grid = f"Forest: {{cells: {[8 * block] * 3}, lower: -0.5, upper: 0.5, block: {block}, levels: 5, points: 6, boxes: [{boxes}]"
coarse_steps = 8 if DEVICE == "cuda" else 1
together = min(run(grid + "}", "Forest", f"iterations: {16 * coarse_steps}")[1] for _ in range(2))
alone = min(run(grid + ", subcycle: true}", "Forest", f"iterations: {coarse_steps}")[1] for _ in range(2))
note(f"five levels of as many blocks of {block}³ (2.3 times fewer updates): with steps of their own, time of one step for all", together / alone, "", 2.0 if DEVICE == "cuda" else None)

# A plane pulse along x, known exactly, in a grid that follows it, and in one that is fine everywhere.
fine, levels, block = (1024, 4, 32) if DEVICE == "cuda" and N == 256 else (4 * N if DEVICE == "cuda" else 2 * N, 3, 16)
coarse = fine >> (levels - 1)
thin = [coarse, max(block * 2, coarse // 8), max(block * 2, coarse // 8)]
width = 10 / fine
pulse = f"exp(-(sin(pi*x)/(pi*{width}))^2)"
moving = f"exp(-(sin(pi*(x-t))/(pi*{width}))^2)"
rest = f'Expressions: {{initial: ["WaveToy::u = {pulse}", "WaveToy::rho = {pulse}*sin(2*pi*x)/(pi*{width}^2)"], analysis: ["off = WaveToy::u - {moving}"]}}\nIOASCII: {{variables: ["Expressions::off"], reductions: [norm_inf], at_end: true, every: 0}}\n'
upper = [1, thin[1] / coarse, thin[2] / coarse]
more = ", Expressions, Reduce, IOASCII"
end = f"final_time: {40 / fine}" if DEVICE == "none" else "final_time: 0.05"


def error(folder):
    with open(os.path.join(folder, "out", "expressions-results.norm_inf.asc")) as f:
        return float(f.read().split()[-1])


box = f"lower: 0, upper: {upper}"
size = [n << (levels - 1) for n in thin]
_, whole, _, everywhere = run(f"UniGrid: {{cells: {size}, {box}}}", "UniGrid", end, more, rest)
for steps, every, what in (("", 8, f"a pulse that {levels} levels of blocks of {block}³ follow, of {'×'.join(map(str, size))} cells everywhere"), (", subcycle: true", 1, "the same with steps of their own")):
    _, took, said, folder = run(f"Forest: {{cells: {thin}, {box}, block: {block}, levels: {levels}, every: {every}{steps}}}", "Forest, Refine", end, more,
                                rest + 'Refine: {variables: ["WaveToy::u"], refine_above: 0.01, coarsen_below: 0.003}')
    note(f"{what}: largest error", error(folder) / error(everywhere), "", 1.2, False)
    if not steps:
        blocks = max(int(n) for n in re.findall(r"levels?, (\d+) blocks", said))
        note("the same: cells", blocks * block**3 / (size[0] * size[1] * size[2]), "", 0.3, False)
    note(f"{'the same' if not steps else what}: time to solution, how many times shorter", whole / took, "", 8 if DEVICE == "cuda" else None)
with open(sys.argv[1], "w") as f:
    json.dump(rows, f, indent=1, ensure_ascii=False)
