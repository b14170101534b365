#!/usr/bin/env python3
"""Blocks that follow what they are for: a pulse that crosses the grid obliquely, known exactly, in 2D and 3D. The error is that of a grid which is fine
everywhere, with fewer cells; 1, 2 and 4 processes, a mirror device, an audit and a restart on other processes across changes have the same bits; what cannot be
is refused with its place. Noise that new blocks are made of does not grow.

A blast in cells, whose shock blocks follow, is that of fine cells everywhere.

Mutations seen to fail: the forest of a checkpoint, or that of the lane, is not read; new blocks from interpolations that stop where their parent does (noise of
1e176 in place of 1.3). Leaves and plans have theirs in thorns/Forest/tests.
"""
import os
import re
import resource
import subprocess
import tempfile

from _physics import DIMENSIONS, bits, check, finish, job

WIDTH = 0.03
RUN = """thorns: [{driver}, Time, MoL, WaveToy, Expressions, Reduce, IOASCII{more}]
Cereus: {{{end}, output: out}}
{grid}
Time: {{courant: 0.3}}
WaveToy: {{order: 4}}
Expressions:
  initial: ["WaveToy::u = {u}", "WaveToy::rho = {rho}"]
  analysis: ["off = WaveToy::u - {exact}"]
IOASCII: {{variables: ["WaveToy::u", "Expressions::off"], reductions: [norm_inf], every: {every}}}
"""
LOOK = 'Refine: {variables: ["WaveToy::u"], refine_above: 0.02, coarsen_below: 0.005}'


ALONG = {2: "x+y", 3: "x"}


def pulse(dim, s="0"):
    """P(x + y − √2 t) in 2D, P(x − t) in 3D; P is periodic."""
    return f"exp(-(sin(pi*({ALONG[dim]}-{s}))/(pi*{WIDTH}))^2)"


def text(dim, grid, driver="Forest, Refine", more="", end="final_time: 0.25", every=20):
    speed = "sqrt(2)" if dim == 2 else "1"
    rho = f"{speed}*{pulse(dim)}*sin(2*pi*({ALONG[dim]}))/(pi*{WIDTH}^2)"
    return RUN.format(driver=driver, more=more, end=end, grid=grid, u=pulse(dim), rho=rho, exact=pulse(dim, f"{speed}*t"), every=every)


def forest(dim, n, block, levels, more="every: 4"):
    return f"Forest: {{cells: {[n] * dim}, lower: 0, upper: 1, block: {block}, levels: {levels}, {more}}}\n" + LOOK


def run(parfile, processes=1, options=(), folder=None):
    folder = folder or tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, parfile, processes, options), capture_output=True, timeout=250)
    return done.returncode, done.stdout + done.stderr, os.path.join(folder, "out")


def error(folder):
    with open(os.path.join(folder, "expressions-results.norm_inf.asc")) as f:
        return max(float(line.split()[-1]) for line in f if line[0] != "#")


for dim, n, block, levels, less, end in ((2, 64, 16, 3, 0.65, "final_time: 0.12"), (3, 48, 12, 2, 0.8, "iterations: 12")):
    if dim not in DIMENSIONS:
        continue
    code, said, out = run(text(dim, forest(dim, n, block, levels), end=end, every=6))
    check(code == 0, f"{dim}D: exit {code} {said[-400:] if code else ''}")
    fine = n << (levels - 1)
    code, _, uniform = run(text(dim, f"UniGrid: {{cells: {[fine] * dim}, lower: 0, upper: 1}}", "UniGrid", end=end, every=6))
    blocks = [int(m) for m in re.findall(r"levels?, (\d+) blocks", said)]
    share = max(blocks) * block ** dim / fine ** dim
    check(error(out) < 1.2 * error(uniform) and share < less,
          f"{dim}D: error {error(out):.2e}, {error(uniform):.2e} where all is fine; {len(blocks)} changes, {100 * share:.0f} % of the cells")
    check(len(set(blocks)) > 2 or dim == 3, f"{dim}D: blocks come and go {blocks}")

dim = 2 if 2 in DIMENSIONS else 3
GRID = forest(dim, 64 if dim == 2 else 24, 16 if dim == 2 else 12, 3 if dim == 2 else 2)
WHOLE = text(dim, GRID, more=", IOHDF5, Checkpoint", end="iterations: 40") + 'IOHDF5: {variables: ["WaveToy::u", "WaveToy::rho"], every: 40}\n'
code, said, out = run(WHOLE)
check(code == 0 and len(re.findall("from iteration", said)) > 3, f"a run of 40 steps changes blocks often {said[-400:] if code else ''}")
want = bits(out, 40)
check(len(want) > 5, "there are fields")
for processes in (2, 4):
    code, said, folder = run(WHOLE, processes)
    check(code == 0 and bits(folder, 40) == want, f"{processes} processes: the same bits {said[-400:] if code else ''}")
for processes in (1, 2):
    code, said, folder = run(WHOLE.replace("Checkpoint]", "Checkpoint, Accelerator, AcceleratorMirror]").replace("Cereus: {", "Cereus: {device: mirror, "), processes)
    check(code == 0 and bits(folder, 40) == want, f"a mirror, {processes} processes: the same bits {said[-400:] if code else ''}")
SHORT = ["--set", "Cereus.iterations=9", "--set", "IOHDF5.every=9"]
few = bits(run(WHOLE, options=SHORT)[2], 9)
code, said, folder = run(WHOLE, options=[*SHORT, "--set", "Cereus.audit=true"])
check(code == 0 and len(few) > 5 and bits(folder, 9) == few, f"under an audit: the same bits {said[-400:] if code else ''}")
folder = tempfile.mkdtemp(prefix="cereus-")
for processes, steps in ((2, 13), (4, 26), (1, 40)):
    code, said, parts = run(WHOLE, processes, ["--set", f"Cereus.iterations={steps}"], folder)
    check(code == 0, f"{steps} steps on {processes} {said[-400:] if code else ''}")
got = bits(parts, 40)
check(got == want, f"on 2, 4 and 1 processes, with restarts: the same bits {[k for k in want if got.get(k) != want[k]][:5]}")

# Cells: Sedov's blast (parfiles/sedov.yaml), whose shock blocks follow.
BLAST = """thorns: [{driver}, Time, Boundary, MoL, Reduce, IOASCII, IOHDF5, EOS, Hydro{more}]
Cereus: {{final_time: 0.4, output: out{device}}}
{grid}
Boundary: {{all: extrapolate, extrapolation_order: 0, x_lower: reflect, y_lower: reflect}}
MoL: {{method: SSPRK2}}
Time: {{courant: 0.3}}
Hydro: {{limiter: mc, quadrature: 3, pressure: "1e-5 + 0.4*0.311357/(pi*0.03^2)*exp(-(x^2 + y^2)/0.03^2)"}}
IOASCII: {{variables: ["Hydro::density"], reductions: [sum, norm1], every: 10, lines: [x], lines_every: 1}}
IOHDF5: {{variables: ["Hydro::density"], every: 0, at_end: true}}
"""
SQUARE = "lower: 0, upper: 0.96, periodic: false"
FOLLOWS = (f"Forest: {{cells: [48, 48], {SQUARE}, block: 16, levels: 2, every: 4}}\n"
           'Refine: {variables: ["Hydro::density"], measure: curvature, refine_above: 0.4, coarsen_below: 0.2}')


def last(folder, ending):
    (name,) = (n for n in os.listdir(folder) if n.endswith(ending))
    with open(os.path.join(folder, name)) as f:
        return [[float(x) for x in line.split()] for line in f if line.strip() and line[0] != "#"]


if 2 in DIMENSIONS:
    text_of = lambda driver, grid, more="", device="": BLAST.format(driver=driver, grid=grid, more=more, device=device)
    code, said, blast = run(text_of("Forest, Refine", FOLLOWS))
    check(code == 0 and "sums change" not in said, f"a blast in cells runs, and keeps its sums {said[-400:] if code else ''}")
    blocks = [int(m) for m in re.findall(r"levels?, (\d+) blocks", said)]
    check(len(set(blocks)) > 2 and max(blocks) < 0.7 * 36, f"blocks follow the shock: {blocks}")
    mass = [row[-1] for row in last(blast, ".sum.asc")]
    check(abs(mass[-1] / mass[0] - 1) < 1e-12, f"mass changes by {mass[-1] / mass[0] - 1:.1e}")
    _, _, uniform = run(text_of("UniGrid", f"UniGrid: {{cells: [96, 96], {SQUARE}}}"))
    along = {name: {round(row[9], 6): row[12] for row in last(folder, ".x.asc") if row[8] > 0.399} for name, folder in (("follows", blast), ("uniform", uniform))}
    off = [abs(v - along["uniform"][x]) for x, v in along["follows"].items() if x in along["uniform"]]
    check(len(off) > 20 and sum(off) / len(off) < 0.03, f"density along x is that of 96² cells: {len(off)} points, off by {sum(off) / max(1, len(off)):.1e} in the mean")
    end = max(int(n[4:12]) for n in os.listdir(blast) if n.endswith(".hdf"))
    for what, how in (("2 processes", dict(processes=2)), ("a mirror", dict(parfile=text_of("Forest, Refine", FOLLOWS, ", Accelerator, AcceleratorMirror", ", device: mirror")))):
        code, said, folder = run(**{"parfile": text_of("Forest, Refine", FOLLOWS)} | how)
        check(code == 0 and bits(folder, end) == bits(blast, end), f"a blast, {what}: the same bits {said[-400:] if code else ''}")

code, said, folder = run(WHOLE.replace("Checkpoint]", "Checkpoint, CaKernel]"), options=SHORT)
check(code == 0 and bits(folder, 9) == few and "time tiles: none, because there may be several levels" in said, f"time tiles leave such a grid alone {said[-400:] if code else ''}")

folder = tempfile.mkdtemp(prefix="cereus-")
example = os.path.join(os.environ["CEREUS_SOURCE"], "parfiles", "wave-adaptive.yaml")
if 2 in DIMENSIONS:
    done = subprocess.run([os.environ["CEREUS"], "run", example, "--set", "Cereus.iterations=12"], cwd=folder, capture_output=True, text=True)
    check(done.returncode == 0 and "4 levels" in done.stdout, f"parfiles/wave-adaptive.yaml runs {done.stdout[-300:] if done.returncode else ''}{done.stderr[-300:]}")

# What was there before the grid changed is there after it: blocks that become fine and coarse again.
AGAIN = text(dim, GRID.replace("every: 4", "every: 1"), end="iterations: 3").replace("courant: 0.3", "dt: 1e-12")
code, said, folder = run(AGAIN)
check(code == 0 and error(folder) < 1e-9, f"nothing moves: off by {error(folder) if code == 0 else said[-300:]}")

for what, change, words, code in (
        ("nobody says where", ("Forest, Refine", "Forest"), ["run.yaml:3", "Forest.every", "add Refine"], 1),
        ("limits the wrong way", ("coarsen_below: 0.005", "coarsen_below: 0.5"), ["run.yaml:4", "coarsen_below: 0.5", "less than"], 1),
        ("two measures for one variable", ("refine_above: 0.02", "measure: [value, gradient, value], refine_above: 0.02"), ["run.yaml:4", "measure has 3 entries"], 1),
        ("blocks that stay", ("every: 4", "every: 0, boxes: [" + ", ".join(f'"{l} 0.4 0.6 0.4 0.6{" 0.4 0.6" * (dim - 2)}"' for l in (1, 2)[:4 - dim]) + "]"), ["Refine says where", "those of Forest stay"], 1),
        ("one level", ("levels: 3" if dim == 2 else "levels: 2", "levels: 1"), ["run.yaml:3", "Forest.levels: 1 has no finer ones"], 1),
        ("a curvature that cannot be", ("refine_above: 0.02", "measure: curvature, refine_above: 1.5"), ["run.yaml:4", "never passed by measure: curvature"], 1),
        ("a wide buffer", ("coarsen_below: 0.005", "coarsen_below: 0.005, buffer: 30"), ["run.yaml:4", "buffer: 30", "beyond the next block"], 1),
        ("no variable", ('variables: ["WaveToy::u"], refine', "refine"), ["Refine.variables"], 1),
        ("an unknown variable", ('Refine: {variables: ["WaveToy::u"]', 'Refine: {variables: ["WaveToy::v"]'), ["run.yaml:4", "WaveToy::v"], 1),
        ("too many blocks", ("levels: ", "most_blocks: 20, levels: "), ["most_blocks: 20"], 3),
        ("no number", ('"WaveToy::u = ', '"WaveToy::u = 0/0*x + '), ["Refine: WaveToy::u is not finite in block", "NaNChecker"], 3)):
    wrong = WHOLE.replace(*change, 1)
    if what == "nobody says where":
        wrong = wrong.replace(LOOK + "\n", "")
    got, said, _ = run(wrong, 2)
    check(wrong != WHOLE and got == code and all(w in said for w in words), f"{what}: {words} {got} {said[-500:] if not all(w in said for w in words) else ''}")
folder = tempfile.mkdtemp(prefix="cereus-")
run(WHOLE, options=["--set", "Cereus.iterations=9"], folder=folder)
code, said, _ = run(WHOLE.replace("cells: [64, 64]", "cells: [128, 64]").replace("cells: [24, 24, 24]", "cells: [48, 24, 24]"), folder=folder)
check(code == 1, f"a checkpoint of another domain: {code} {said[-200:]}")
# Memory that runs out while blocks change: one message, and the checkpoint before it is good.
if 3 in DIMENSIONS:
    LARGE = """thorns: [Forest, Refine, Time, MoL, WaveToy, Checkpoint]
Cereus: {iterations: 3, output: run}
Forest: {cells: [96, 96, 96], block: 16, levels: 4, every: 2}
Refine: {variables: ["WaveToy::u"], refine_above: LEAST, coarsen_below: 1e-31}
WaveToy: {initial_data: gaussian, width: 0.2}
Checkpoint: {every: 1}
"""
    home = tempfile.mkdtemp(prefix="cereus-")
    code, said, _ = run(LARGE.replace("LEAST", "10"), 2, folder=home)
    check(code == 0, f"blocks that stay coarse: {code} {said[-300:] if code else ''}")
    most = 3500 << 20
    how = job(home, LARGE.replace("LEAST", "1e-30").replace("iterations: 3", "iterations: 8"), 2, CEREUS_DEVICE="none", OMP_NUM_THREADS="1")  # threads reserve addresses, too
    done = subprocess.run(**how, capture_output=True, timeout=200, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
    said = done.stdout + done.stderr
    check(done.returncode == 3 and said.count("out of memory") == 1 and "ask for fewer, or take more processes" in said, f"no memory for more blocks: {done.returncode} {said[-400:]}")
    code, said, _ = run(LARGE.replace("LEAST", "10").replace("iterations: 3", "iterations: 7"), 2, folder=home)
    check(code == 0 and "going on" in said, f"and on from the checkpoint before: {code} {said[-300:]}")
# Noise on coarse blocks, where finer ones come: their last points lie between a block's last one and the ghost zones beyond it.
NOISE = """thorns: [Forest, Refine, Time, MoL, WaveToy, Expressions, Reduce, IOASCII]
Cereus: {iterations: 10, output: out}
Forest: {cells: [64, 64], lower: 0, upper: 1, block: 16, levels: 3, points: 6, every: 1}
Time: {dt: 0.00000000001}
WaveToy: {order: 4}
Expressions: {initial: ["WaveToy::u = 2 * noise(1) - 1", "WaveToy::rho = 0"]}
Refine: {variables: ["Mover::m"], measure: value, refine_above: 0.5, coarsen_below: 0.4}
IOASCII: {variables: ["WaveToy::u"], reductions: [norm_inf], every: 1}
equations: |
  thorn Mover "A bump that moves"
  parameter
    v = 10000000000 "Its speed"
  evolve state "m"
    m
  let
    s = (x - 3/10 - 2 v t)^2 + (y - 4/10 - v t)^2
  initial
    m = exp(-200 s)
  rhs
    D_t m = 400 (2 v (x - 3/10 - 2 v t) + v (y - 4/10 - v t)) exp(-200 s)
"""
# Nobody but Refine reads neighbours.
ALONE = NOISE.replace("WaveToy, Expressions, Reduce, IOASCII", "Boundary").replace('WaveToy: {order: 4}\nExpressions: {initial: ["WaveToy::u = 2 * noise(1) - 1", "WaveToy::rho = 0"]}\n', "Boundary: {all: extrapolate}\n")
ALONE = ALONE.replace('IOASCII: {variables: ["WaveToy::u"], reductions: [norm_inf], every: 1}\n', "").replace("measure: value, refine_above: 0.5, coarsen_below: 0.4", "refine_above: 0.05, coarsen_below: 0.01")
check("WaveToy" not in ALONE and "refine_above: 0.05" in ALONE, "a run without WaveToy")
if 2 in DIMENSIONS:
    code, said, out = run(ALONE)
    check(code == 0 and said.count("from iteration") > 4, f"nobody else reads neighbours: {code} {said[-400:] if code else ''}")
    code, said, out = run(NOISE)
    check(code == 0 and said.count("from iteration") > 4, f"noise: {code} {said[-400:] if code else ''}")
    with open(os.path.join(out, "wavetoy-state.norm_inf.asc")) as f:
        largest = max(float(line.split()[-1]) for line in f if line[0] != "#")
    check(largest < 1.8, f"noise of height 1 on new blocks: {largest:.2f}")
finish()
