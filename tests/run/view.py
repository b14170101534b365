#!/usr/bin/env python3
"""Programs without a thorn: what thorn Diffusion computes, bit for bit, with output and restarts; every operation against a loop; mistakes.

Mutations, each of which makes it fail:
  flesh/view/values.cpp            what was written not noted, or noted for the other space; a block's box sent as another's; a field that is made from
    its own neighbours without a second buffer; a variable read as far as its first handle says; ghost zones that always do; an assignment on a part as a write
  flesh/view/assembly.cpp          fields not carried over when more is declared; maps in the order of their declaration; what a part does not update
    not kept, or kept though it was written; the schedule of all maps, or of one process
  flesh/view/carry.cpp             fields not handed on where blocks are others; rows at the place that they have in their box; a misfit that only
    processes where the domain ends hear of
  flesh/src/schedule/names.cpp     a wildcard that finds second buffers
  flesh/view/part.cpp              boxes not cut; members set in no kernel; a map on a part that writes, not updates
  flesh/view/program.cpp           assignments carried out again after a restart; steps counted from the restart
  flesh/src/run/run.cpp            all groups cycle, written or not
  flesh/src/exec/kernel.cpp        ghost zones of all outputs taken for filled
  flesh/view/include/cereus        operands exchanged; the first handle of the right operand off by one; where's branches exchanged; no sentence for
    what has no neighbours; on() of a map that was kept
"""
import glob
import os
import shutil
import subprocess
import sys
import tempfile

from _physics import check, finish, run

PROGRAMS = os.path.join(os.environ["CEREUS_BUILD"], "tests", "view")
PREFIX = os.path.dirname(os.path.dirname(os.path.abspath(os.environ["CEREUS"])))
LAUNCH = ["mpirun", "--quiet", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n"]
if len(sys.argv) > 1:  # one of four processes in a row: values outside the domain lie at the first and the last alone
    sys.path.insert(0, os.path.join(PREFIX, "lib", "python3"))
    import cereus as cs
    w = cs.World(cells=64, periodic=False, name="walls")
    w.thorn("Cereus", compile=False)
    w.evolve('thorn Kept "A field that keeps what it has outside"\nevolve kept "The field"\n  u\ninitial on everywhere\n  u = x\nrhs\n  D_t u = 0 u', dt=1)
    w.thorn("Boundary", overrides=["Kept::u all fixed"])
    u, v = w["Kept::u"], w.field("v")
    v[:] = u.at(1)
    try:
        v[:] = u.at(6)
    except cs.Error as error:
        print(f"{error}\n", end="", flush=True)
    again = cs.World(cells=64, name="again")
    again.field("u", initial="1").sum()
    sys.exit()
MIRROR = ["--activate", "AcceleratorMirror", "--set", "Cereus.device=mirror"]


def program(name, *options, processes=1, folder=None):
    launcher = [*LAUNCH, str(processes)] if processes > 1 else []
    environment = {k: v for k, v in os.environ.items() if k != "CEREUS_ACTIVATE"}
    return subprocess.run([*launcher, os.path.join(PROGRAMS, name), *map(str, options)], cwd=folder or tempfile.mkdtemp(prefix="cereus-"),
                          capture_output=True, text=True, env=environment, timeout=250)


def numbers(folder, name):
    with open(os.path.join(folder, name)) as f:
        return [line for line in f if not line.startswith("#")]


# The thorn and the program: the same update, so the same bits, whatever the number of steps at once.
dt = 0.1 * (1.0 / 48 / 48)
thorn = run(f"""
thorns: [UniGrid, MoL, Time, Diffusion, Reduce, IOASCII]
Cereus: {{iterations: 50}}
UniGrid: {{cells: [48, 48, 48], lower: [0], upper: [1]}}
MoL: {{method: Euler}}
Time: {{dt: {dt!r}}}
Diffusion: {{width: 0.1, centre: [0.5, 0.5, 0.5]}}
IOASCII: {{variables: ["Diffusion::u"], every: 10, lines: [x], line_through: [0.5, 0.5, 0.5]}}
""")
want = numbers(thorn, "diffusion-state.x.asc")
OUTPUT = ["--activate", "IOASCII,Checkpoint", "--set", "IOASCII.variables=[heat::t]", "--set", "IOASCII.every=10", "--set", "IOASCII.lines=[x]",
          "--set", "IOASCII.line_through=[0.5, 0.5, 0.5]", "--set", f"Time.dt={dt!r}"]


def line_of(folder):
    return numbers(os.path.join(folder, "heat-output"), "heat-heat.x.asc")


said = set()
for what, options, processes in (("one process", [], 1), ("two", [], 2), ("four", [], 4), ("a mirror", MIRROR, 1), ("mirrors of two", MIRROR, 2),
                                 ("no tiles", ["--set", "CaKernel.steps=1"], 1)):
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = program("heat", 50, *OUTPUT, *options, processes=processes, folder=folder)
    said.add(done.stdout)
    check(done.returncode == 0 and line_of(folder) == want, f"heat on {what}: as thorn Diffusion" + done.stderr)
check(len(said) == 1, f"all say the same: {said}")

# From a checkpoint, on another number of processes.
folder = tempfile.mkdtemp(prefix="cereus-")
check(program("heat", 20, *OUTPUT, folder=folder).returncode == 0, "20 steps")
done = program("heat", 50, *OUTPUT, processes=2, folder=folder)
check(done.returncode == 0 and {done.stdout} == said and line_of(folder) == want, "and on from there" + done.stderr)
done = program("heat", 100000000, "--set", "Cereus.wall_clock=0.01", folder=folder)
check(done.returncode == 2 and "heat stopped early" in done.stderr, f"out of time: {done.returncode}, {done.stderr.strip()}")
folder = tempfile.mkdtemp(prefix="cereus-")
check(program("heat", 1, folder=folder).returncode == 0 and not os.listdir(folder), "without output there is no folder")

CASES = (("one process", [], 1), ("two", [], 2), ("four", [], 4), ("a mirror", MIRROR, 1), ("mirrors of two", MIRROR, 2),
         ("several blocks", ["--set", "UniGrid.blocks=2"], 2), ("an audit", ["--set", "Cereus.audit=true"], 1))
for name in ("surface", "neighbours"):
    digests = set()
    for what, options, processes in CASES:
        done = program(name, *options, processes=processes)
        lines = done.stdout.split("\n")
        digests.update(line for line in lines if line.startswith("digest"))
        check(done.returncode == 0 and lines.count("fine") == processes, f"{name} on {what}" + done.stderr + (done.stdout if done.returncode else ""))
    check(len(digests) == 1, f"{name}, with the same bits: {digests}")

# Values outside the domain do not fit wider ghost zones: all processes say so, those inside the domain, too, and go on together.
if glob.glob(os.path.join(PREFIX, "lib", "cereus", "python", "_world*")):
    try:
        done = subprocess.run([*LAUNCH, "4", sys.executable, os.path.abspath(__file__), "walls"], cwd=tempfile.mkdtemp(prefix="cereus-"),
                              capture_output=True, text=True, timeout=60)
        said = done.stdout.count("what holds outside the domain does not fit the new blocks")
        check(done.returncode == 0 and said == 4, f"all four processes say what does not fit: {said}, {done.returncode}, {done.stderr[-300:]}")
    except subprocess.TimeoutExpired:
        check(False, "one process says what does not fit, and the others wait for it")

# A wildcard leaves out the second buffer, which nobody has written after a restart.
folder = tempfile.mkdtemp(prefix="cereus-")
for steps in (2, 4):
    done = program("neighbours", "wildcard", steps, "--activate", "IOASCII,Checkpoint", "--set", "IOASCII.variables=[neighbours::*]", "--set", "IOASCII.every=1",
                   folder=folder)
    files = os.listdir(os.path.join(folder, "neighbours-output"))
    check(done.returncode == 0 and any("other" in f for f in files) and not any("second_buffer" in f for f in files),
          f"all fields of a program, after {steps} steps: {done.returncode}, {files} {done.stderr[-300:]}")

# The schedule, of which nothing runs.
folder = tempfile.mkdtemp(prefix="cereus-")
done = program("heat", "--graph", *OUTPUT, folder=folder)
for text in ("\n  heat::step: A map of the program\n      reads  heat::t star<1>\n      writes heat::t\n", "of heat::t", "bytes are those of one process; ghost zones are 1 wide"):
    check(text in done.stdout, f"--graph says {text!r}: {done.stdout}")
check(done.returncode == 0 and not done.stderr and not os.listdir(folder), f"--graph writes no file: {done.stderr}")
check("all 2 processes together" in program("heat", "--graph", processes=2).stdout, "--graph of two processes")
said = program("mistakes", "order", "--graph").stdout
check(0 < said.find("mistakes::twice: ") < said.find("mistakes::far: "), f"maps in the order of the run: {said}")
done = program("neighbours", "--dot")
check(done.returncode == 0 and done.stdout.startswith("digraph schedule {") and "neighbours::look" in done.stdout, f"--dot: {done.stdout[:80]}")
with open(os.path.join(os.environ["CEREUS_SOURCE"], "tests", "view", "mistakes.cpp")) as f:
    LINES = f.read().split("\n")
for word, place, message in (
        ("cells", True, "UniGrid.cells = 0: each element must be >= 1"),
        ("boundary", True, "mistakes::w is read next to the outer boundary, but it has no condition"),
        ("inactive", True, "'IOASCII' is not active; say world.activate(\"IOASCII\")"),
        ("thorn", True, "no thorn is called 'IOHDF6'; did you mean 'IOHDF5'?"),
        ("setting", True, "IOASCII has no parameter 'evry'; did you mean 'every'?"),
        ("value", True, 'Time.dt = "soon": must be a number >= 0'),
        ("names", True, "the struct of group 'state' has 2 grid functions, but 1 name is given"),
        ("twins", False, "mistakes::far touches Other, which is the struct of 2 groups"),
        ("map", True, "there is a map 'far' already"),
        ("unwritten", False, "mistakes::s holds nothing; assign to it first, or run a map that writes it"),
        ("index", True, "mistakes::w has no point (3, 8, 0): indices are from (0, 0, 0) to (7, 7, 0)"),
        ("face", True, "mistakes::s is read next to the outer boundary, but it has no condition"),
        ("box", True, "a part of the domain is a box of its points, from (0, 0, 0) to before (8, 8, 1), not from (0, 3, 0) to before (8, 9, 1)"),
        ("empty", True, "a part of the domain is a box of its points, from (0, 0, 0) to before (8, 8, 1), not from (3, 3, 0) to before (5, 3, 1)"),
        ("kept", False, "mistakes::s holds nothing; assign to it first"),
        ("part", True, "a part of the domain is a box of its points, from (0, 0, 0) to before (8, 8, 1), not from (-1, 0, 0) to before (8, 8, 1)"),
        ("parts", True, "map 'twice' is on a part of the domain already"),
        ("returns", True, "map 'largest' returns a value, and that is one of all points"),
        ("centre", False, "mistakes::w and mistakes::s have different points, and cannot stand in one expression"),
        ("struct", False, "mistakes::shift touches a group that no active thorn declares"),
        ("steps", True, "run() needs a number of steps that is not negative")):
    line = next(n for n, text in enumerate(LINES, 1) if f'is("{word}")' in text)
    for processes in (1, 2) if word in ("setting", "unwritten") else (1,):
        done = program("mistakes", word, processes=processes)
        text = (f"mistakes.cpp:{line}: " if place else "") + message
        check(done.returncode == 1 and done.stderr.startswith(text) and not done.stdout, f"{word}, {processes}: {done.returncode}, {done.stderr.strip()[:200]}")
done = program("mistakes", "past")
check(done.returncode == 3 and done.stderr.startswith("mistakes::shift reads the interior of mistakes::u"), f"past: {done.stderr.strip()}")
check(program("mistakes").returncode == 0, "and none")

# What the compiler tells in one sentence.
WRONG = {"view::shift<1>(f * f)": "shift<…> takes a field: assign the expression to a field first", "laplacian<2>(-f)": "laplacian<…> takes a field",
         "view::shift<0, 0, 1>(f)": "shift<i, j, k>(f) goes along the axes that the World has", "laplacian<3>(f)": "differences are of the orders 2, 4, 6 and 8",
         "derivative<2, 2>(f)": "derivative<order, axis>(f) is along an axis that the World has"}
if shutil.which("g++"):
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "wrong.cpp"), "w") as f:
        f.write("#include <cereus/view.hpp>\nusing namespace cereus;\nvoid wrong(view::Field<2, double>& f) {\n")
        f.write("".join(f"  f = {text};\n" for text in WRONG) + "  view::everywhere(f) = view::shift<1>(f);\n}\n")
        f.write("void kept(view::Map<2, double>& map) { map.on({{0, 0}, {4, 4}}); }\n")
    done = subprocess.run(["g++", "-std=c++20", "-fopenmp", "-fsyntax-only", "-I",
                           os.path.join(os.environ["CEREUS_SOURCE"], "flesh/view/include"), "-I", os.path.join(os.environ["CEREUS_BUILD"], "flesh/include"), os.path.join(folder, "wrong.cpp")],
                          capture_output=True, text=True, env=os.environ | {"LC_ALL": "C.UTF-8"}, timeout=100)
    for text, sentence in (*WRONG.items(), ("everywhere(f) = …", "everywhere(f) = … has no neighbours")):
        check(done.stderr.count(f"static assertion failed: {sentence}") == 1, f"{text}: {sentence}")
    check(f"wrong.cpp:{len(WRONG) + 6}:" in done.stderr, "a map that was kept becomes none on a part")
    if done.returncode == 0:
        check(False, "wrong expressions compile")
finish()
