#!/usr/bin/env python3
"""What one process of two finds alone, both say, and end: at the start, in a World's calls, and where a World goes at another time than on
the other process. Nothing hangs: each run has 60 s.

Mutations, each of which makes it fail:
  flesh/src/base/process.cpp  a process alone with a session's folder; agree() without its reduction; the highest rank speaks; no `place` in the word; an Error as a Failure
  flesh/src/run/assemble.cpp  no same(); no any() in make_kernels
  flesh/src/command/command_run.cpp  begin() without agree()
  flesh/python/cereus/world.py  __del__ that closes on several processes
"""
import glob
import os
import re
import subprocess
import sys
import tempfile
import textwrap

from _physics import check, finish

CEREUS, BUILD = os.environ["CEREUS"], os.environ["CEREUS_BUILD"]
PREFIX = os.path.dirname(os.path.dirname(os.path.abspath(CEREUS)))
LAUNCH = ["mpirun", "--quiet", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", "2"]
HEAT = """equations: |
  thorn Heat "Heat"
  evolve state "temperature"
    T
  operators centred(2)
  initial
    T = cos(2 pi x)
  rhs
    D_t T = D_ii T
"""
RUN = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII]
Cereus: {iterations: 4, output: out}
UniGrid: {cells: [16], lower: 0, upper: 1, periodic: true}
Time: {dt: 1e-4}
IOASCII: {variables: ["Heat::T"], reductions: [norm2], every: 1}
""" + HEAT
WAVE = """thorns: [UniGrid, Time, MoL, WaveToy, Trouble]
Cereus: {{iterations: 3, output: out}}
UniGrid: {{cells: [16]}}
Trouble: {{bin: {bin}, rank: {rank}, kind: {kind}}}
"""


def two(words, files=(), one="", both=""):
    """Two processes; `one` is shell text that process 1 goes through first. (code, what was said, folder); code −1: it hung."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    for name, text in files:
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)
    shell = f'{both}\nif [ "$OMPI_COMM_WORLD_RANK" = 1 ]; then :\n{one}\nfi\nexec "$@"'
    env = {k: v for k, v in os.environ.items() if k not in ("CEREUS_ACTIVATE", "CEREUS_DEVICE")} | {"XDG_CACHE_HOME": os.path.join(folder, "cache"), "PYTHONPATH": os.path.join(PREFIX, "lib", "python3")}
    try:
        done = subprocess.run([*LAUNCH, "bash", "-c", shell, "bash", *words], cwd=folder, env=env, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired as late:
        return -1, ((late.stdout or b"") + (late.stderr or b"")).decode(), folder
    return done.returncode, done.stdout + done.stderr, folder


def series(folder):
    return {os.path.basename(path): open(path).read() for path in glob.glob(os.path.join(folder, "out", "*.asc"))}


def expect(what, result, code, said, times=1):
    right = result[0] == code and len(re.findall(said, result[1])) == times
    check(right, f"{what}: {result[0]}" + ("" if right else ", not " + str(code) + "\n" + result[1][-1500:]))


def runs(what, code, said, text=RUN, one="", options=(), files=(), **more):
    expect(what, two([CEREUS, "run", "run.yaml", *options], [("run.yaml", text), *files], one, **more), code, said)


# At the start: the environment, files and folders of one process are not those of the other.
quick = RUN.replace("output: out", "output: out, compile: false")
runs("process 1 has no cache", 0, "output is in", one="unset HOME XDG_CACHE_HOME")
runs("process 1 cannot write its cache", 0, "compiled code is kept in .*, because of /dev/null/cache", one="export XDG_CACHE_HOME=/dev/null/cache", both="export TMPDIR=$PWD")
runs("process 1 can write nowhere", 0, "is interpreted.*: another process", one="export XDG_CACHE_HOME=/dev/null/cache TMPDIR=/proc")
runs("process 1 has another file", 1, "have read different parameters", quick, "cd other", files=(), both="mkdir -p other; sed s/16/32/ run.yaml > other/run.$$; mv other/run.$$ other/run.yaml")
runs("process 1 has no file", 1, "process 1: .*run.yaml", quick, "mkdir -p none; cd none")
runs("process 1 cannot read its file", 1, r"process 1: run.yaml:\d+", quick, "mkdir -p broken; cd broken; echo 'thorns: [' > run.yaml")
runs("process 1 has another setting", 1, "have read different parameters", quick, 'set -- "$@" --set UniGrid.cells=[32]')
runs("process 1 has a wrong setting", 1, "process 1: .*UniGrid.cels", quick, 'set -- "$@" --set UniGrid.cels=[32]')
runs("process 1 asks for another device", 1, "have read different parameters", quick, "export CEREUS_DEVICE=none")
runs("no folder for output", 1, "cannot create the output folder|cannot be looked at", quick, options=["--set", "Cereus.output=/dev/null/out"])
runs("a folder that holds something else", 1, "but no run", quick, both="mkdir -p out; touch out/mine")

# A compiler that one process lacks: all interpret, with the bits of a run that was told to.
(compiler,) = re.findall(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", open(os.path.join(BUILD, "CMakeCache.txt")).read(), re.M) or [""]
library = os.path.join(BUILD, "tests", "no_compiler.so")
if check(os.path.exists(compiler) and os.path.exists(library), "a compiler can be hidden"):
    lacking = two([CEREUS, "run", "run.yaml"], [("run.yaml", RUN)], f"export LD_PRELOAD={library} NO_FILE={compiler}")
    told = two([CEREUS, "run", "run.yaml"], [("run.yaml", quick)])
    expect("process 1 has no compiler", lacking, 0, "Heat is interpreted.*: another process has no compiler")
    check(told[0] == 0 and series(lacking[2]) == series(told[2]) != {}, "all interpret")
    check("agreed: Heat: interpreted" in open(lacking[2] + "/out/provenance.txt").read(), "and the provenance says so")

# A thorn that fails on one process, in all the ways there are.
thorns = ["--thorns", os.environ["CEREUS_TEST_THORNS"]]
for kind, code, said in (("throw", 3, "has trouble"), ("mistake", 1, "trouble with what"), ("standard", 3, "trouble in a library"), ("memory", 3, "out of memory|bad_alloc")):
    for bin in ("schedule", "service"):
        runs(f"{kind} in {bin}", code, "process 1: .*(" + said + ")", WAVE.format(bin=bin, rank=1, kind=kind), options=thorns)
    runs(f"{kind} in an evolution", {"mistake": 1}.get(kind, 3), said, WAVE.format(bin="evolve", rank=1, kind=kind), options=thorns)
runs("mistake in a declaration", 1, "process 1: .*has trouble", WAVE.format(bin="evolve", rank=1, kind="throw"), "export TROUBLE=mistake", options=thorns)
for bin in ("startup", "initial", "analysis", "terminate"):
    runs(f"trouble in {bin}", 3, "has trouble", WAVE.format(bin=bin, rank=1, kind="throw"), options=thorns)

if not glob.glob(os.path.join(PREFIX, "lib", "cereus", "python", "_world*")):
    finish("no pybind11 when this was built")
BEGIN = """import gc, os, sys
import cereus as cs
rank = int(os.environ["OMPI_COMM_WORLD_RANK"])
def world(**options):
    w = cs.World(cells=16, lower=0, upper=1, periodic=True, **options)
    u = w.field("u", initial="sin(2 pi x)")
    w.evolve("D_t u = D_ii u", order=2, method="RK4", dt=1e-4)
    w.thorn("Cereus", compile=False)
    return w, u
"""


def script(text, **more):
    return two([sys.executable, "script.py"], [("script.py", BEGIN + textwrap.dedent(text))], **more)


both = script("""
    w, u = world(output="out")
    w.thorn("IOASCII", variables=["*::u"], every=1)
    try:
        w.run(iterations=2)
    except cs.Error as error:
        print(f"{rank} sees {error}\\n", end="", flush=True)
    w.close()
    """, both="mkdir -p out; touch out/mine")
expect("a World whose folder is not its own", both, 0, r"(?m)^[01] sees the output folder 'out' holds mine", 2)
# Sets of names have other orders on each process: what goes over all fields does not go by them.
orders = {}
for seed in map(str, range(20)):
    first = subprocess.run([sys.executable, "-c", "print(*{'u', 'v'})"], env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, text=True).stdout
    orders.setdefault(first, seed)
unlike = script("""
    w, u = world()
    v = w.field("v", initial="2")
    w.evolve("D_t v = 0")
    w.run(iterations=10)
    print(f"norms {u.norm2() < 1} {abs(v.norm2() - 2) < 1e-12}\\n", end="", flush=True)
    w.close()
    """, both=f"export PYTHONHASHSEED={max(orders.values())}", one=f"export PYTHONHASHSEED={min(orders.values())}")
expect("sets of names in other orders", unlike, 0, r"norms True True", 2)
other = script("""
    w, u = world()
    v = w.field("v", initial="2")
    v.norm2() if rank == 1 else u.norm2()
    """)
expect("values of different fields", other, 1, r"the processes ask for values of different grid functions", 1)
kept = script("""
    old, u = world()
    old.run(iterations=2)
    if rank == 0: keep = old
    del old, u
    gc.collect()
    new, u = world()
    gc.collect()
    new.run(iterations=3)
    print("sum", round(u.norm2(), 6))
    new.close()
    """)
expect("one process keeps an old World", kept, 0, r"sum", 2)
for what, text, code, said, times in (
        ("a mistake in one process's words", "if rank == 1: w.evolve('D_t v = nonsense u')", 1, "nonsense|'v'", 1),
        ("an exception of one process's script", "if rank == 1: raise RuntimeError('mine')", 1, "RuntimeError: mine", 1),
        ("one process closes, the other runs", "w.close() if rank == 1 else w.run(iterations=2)", 3, "gone different ways", 1)):
    result = script("w, u = world()\nw.run(iterations=1)\n" + text + "\nw.run(iterations=2)\nw.close()\n")
    right = result[0] not in (0, -1) and re.search(said, result[1])
    check(right, f"{what}: {result[0]}" + ("" if right else "\n" + result[1][-1500:]))
# A process alone leaves nothing where others of the machine make and remove folders at the same time.
folder = tempfile.mkdtemp(prefix="cereus-")
with open(os.path.join(folder, "run.yaml"), "w") as f:
    f.write(RUN)
alone = subprocess.run([CEREUS, "run", "run.yaml"], cwd=folder, env=os.environ | {"TMPDIR": "/proc/nowhere"}, capture_output=True, text=True, timeout=60)
check(alone.returncode == 0, f"a run alone without a folder for temporary files: {alone.returncode} {alone.stderr[-400:]}")
finish()
