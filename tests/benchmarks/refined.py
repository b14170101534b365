#!/usr/bin/env python3
"""Refined grids: what blocks and levels cost, and what a grid that follows a wave saves.

    refined.py OUTPUT.json [cuda|none] [CELLS]

CEREUS names the executable (default: cereus), CEREUS_TEST_THORNS the folder of Walker and Syncs. CELLS: along an axis of the largest grid (256 on a device, 64 on a host). Rates are of cells updated a
second, the best of two runs; each is set beside one block of as many cells in the same call.
"""
import datetime
import json
import math
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
    done = subprocess.run([CEREUS, "run", "run.yaml", *(["--thorns", os.environ["CEREUS_TEST_THORNS"]] if "CEREUS_TEST_THORNS" in os.environ else [])], cwd=folder, capture_output=True, text=True)
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


def follow(what, coarse, levels, block, box, data, exact, end, criterion, bar):
    """A wave that is known exactly, in a grid that follows it, with one step for all levels and with steps of their own, and in one that is fine everywhere."""
    rest = f'Expressions: {{initial: {data}, analysis: ["r = sqrt(x^2 + y^2 + z^2 + 1e-12)", "off = WaveToy::u - {exact}"]}}\n' + \
        'IOASCII: {variables: ["Expressions::off"], reductions: [norm_inf], at_end: true, every: 0}\n'
    refine = f'Refine: {{variables: ["WaveToy::u"], {criterion}}}'
    more = ", Expressions, Reduce, IOASCII"

    def error(folder):
        with open(os.path.join(folder, "out", "expressions-results.norm_inf.asc")) as f:
            return float(f.read().split()[-1])
    fine = [n << (levels - 1) for n in coarse]
    what += f" that {levels} levels of blocks of {block}³ follow, of {'×'.join(map(str, fine))} cells everywhere"
    _, whole, _, everywhere = run(f"UniGrid: {{cells: {fine}, {box}}}", "UniGrid", end, more, rest)
    for steps, every, ways in (("", 8, ""), (", subcycle: true", 1, ", with steps of their own")):
        _, took, said, folder = run(f"Forest: {{cells: {coarse}, {box}, block: {block}, levels: {levels}, every: {every}{steps}}}", "Forest, Refine", end, more + ", TimerReport",
                                    rest + refine)
        note(f"{what}{ways}: largest error", error(folder) / error(everywhere), "", 1.2, False)
        note(f"{what}{ways}: time to solution, how many times shorter", whole / took, "", bar)
        if steps:
            continue
        blocks = [int(n) for n in re.findall(r"levels?, (\d+) blocks", said)]
        note(f"{what}: cells, at most", max(blocks) * block**3 / math.prod(fine), "", 0.3 if DEVICE == "cuda" else None, False)
        with open(os.path.join(folder, "out", "timers.json")) as f:
            report = json.load(f)
        times = {row["name"]: row["exposed"] for row in report["classes"] if row["name"] != "start"}
        changed, looked = times.pop("changes of blocks", 0), times.pop("Refine")
        times_changed = sum(int(n) > 0 for n in re.findall(r"from iteration (\d+) on", said))
        step = sum(times.values()) / report["iteration"]
        note(f"{what}: a change of blocks, the mean of {times_changed}, with all that were not needed, in steps", changed / max(1, times_changed) / step, "", None)
        note(f"{what}: looks where to refine, of the time", looked / took, "", None)


# A plane pulse along x, and a spherical one that grows.
fine, levels, block = (1024, 4, 32) if DEVICE == "cuda" else (2 * N, 3, 16)
thin = [fine >> (levels - 1)] + 2 * [max(block * 2, fine >> (levels + 2))]
pulse, moving = (f"exp(-(sin(pi*{x})/(pi*{10 / fine}))^2)" for x in ("x", "(x-t)"))
follow("a plane pulse", thin, levels, block, f"lower: 0, upper: {[1, thin[1] / thin[0], thin[2] / thin[0]]}",
       f'["WaveToy::u = {pulse}", "WaveToy::rho = {pulse}*sin(2*pi*x)/(pi*{10 / fine}^2)"]', moving, f"final_time: {0.05 if DEVICE == 'cuda' else 40 / fine}",
       "refine_above: 0.01, coarsen_below: 0.003", None)
fine, levels, block = (768, 5, 24) if DEVICE == "cuda" else (2 * N, 3, 8)
w = 10 / fine
follow("an expanding wave", 3 * [fine >> (levels - 1)], levels, block, "lower: -0.5, upper: 0.5", f'["WaveToy::u = exp(-(x^2 + y^2 + z^2)/{w}^2)"]',
       f"((r-t)*exp(-((r-t)/{w})^2) + (r+t)*exp(-((r+t)/{w})^2))/(2*r)", f"final_time: {(96 if DEVICE == 'cuda' else 24) / fine}", "refine_above: 0.0003, coarsen_below: 0.0001",
       8 if DEVICE == "cuda" else None)


def changes():
    """What a change of blocks costs: a ball of fine blocks moves by a coarse one every eight steps, or it rests (tests/thorns/Walker)."""
    block, n = 32, 8
    width = 1 / n  # of a coarse block
    speed = width / (8 * 0.4 * width / (2 * block))
    rest = f'Walker: {{speed: {speed}}}\nRefine: {{spheres: ["1 0.41 around Walker 1"]}}'
    took, blocks = {}, []
    for every in (1000, 8):
        grid = f"Forest: {{cells: {[2 * n * block, n * block, n * block]}, lower: 0, upper: [2, 1, 1], block: {block}, levels: 2, every: {every}}}"
        runs = [run(grid, "Forest, Refine", f"iterations: {8 * n + 1}", ", Walker", rest) for _ in range(2)]
        took[every] = min(seconds for _, seconds, _, _ in runs)
        blocks = [int(b) for b in re.findall(r"levels?, (\d+) blocks .* from iteration [1-9]", runs[0][2])]
    note(f"a change of {max(blocks)} blocks of {block}³ on two levels, about one in seven new, the mean of {len(blocks)}: with the plans after it, in steps",
         (took[8] - took[1000]) / len(blocks) / (took[1000] / (8 * n + 1)), "", 1.5, False)


if DEVICE == "cuda":  # with Walker and Syncs of tests/thorns
    changes()
    boxes = '["1 -0.24 0.24 -0.24 0.24 -0.24 0.24", "2 -0.09 0.09 -0.09 0.09 -0.09 0.09"]'
    said = run(f"Forest: {{cells: [80, 80, 80], lower: -0.5, upper: 0.5, block: 8, levels: 3, boxes: {boxes}}}", "Forest", "iterations: 1", ", Syncs")[2]
    blocks, host = re.search(r"in (\d+) blocks: the host works ([0-9.]+) micro", said).groups()
    note(f"a synchronisation of 25 variables in {blocks} blocks of three levels: work of the host", float(host), "µs", 20, False)
with open(sys.argv[1], "w") as f:
    json.dump(rows, f, indent=1, ensure_ascii=False)
