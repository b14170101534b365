#!/usr/bin/env python3
"""Equations that stand in the parameter file or beside it: compiled at the start, kept, and told where they are wrong.

Mutations tried, with what fails: the key of the cache without the kernels' text ("the same text with another order"), and without the declaration, too
("operators of one's own"); no lock ("two runs at once"); lines counted from one less ("a mistake has its place"); parameters.yaml without the
equations ("what `reproduce` prints"); the newest folders of the cache go, or none; no time of use.
"""
import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from _physics import bits, check, finish, job, rows

SOURCE = os.environ["CEREUS_SOURCE"]
CACHE = tempfile.mkdtemp(prefix="cereus-")
HEAT = """thorn Heat "Heat"
parameter
  D = 1/2 in (0, inf) "diffusivity"
evolve state "temperature"
  T
operators centred(4)
initial
  T = cos(2 pi x) cos(2 pi y)
rhs
  D_t T = D D_ii T
"""
REST = """Cereus: {{iterations: 20, output: run{more}}}
UniGrid: {{cells: [24, 16], lower: 0, upper: 1, periodic: true}}
Time: {{dt: 1e-4}}
IOASCII: {{variables: ["{thorn}::{variable}"], reductions: [maximum], every: 20}}
IOHDF5: {{variables: ["{thorn}::{variable}"], every: 20}}
"""
THORNS = "UniGrid, Time, MoL, Reduce, IOASCII, IOHDF5"
INTERPRETED = ["--set", "Cereus.compile=false"]  # where the compiled code is not what is looked at: a compilation takes seconds


def start(text, processes=1, files=(), options=()):
    folder = tempfile.mkdtemp(prefix="cereus-")
    for name, content in files:
        with open(os.path.join(folder, name), "w") as f:
            f.write(content)
    done = subprocess.run(**job(folder, text, processes, options, XDG_CACHE_HOME=CACHE), capture_output=True, timeout=250)
    return done.returncode, done.stdout + done.stderr, os.path.join(folder, "run")


def block(text):
    return "equations: |\n" + "".join("  " + line + "\n" for line in text.splitlines())


def in_file(text, thorn="Heat", variable="T", more="", thorns=THORNS, **options):
    return start(f"thorns: [{thorns}]\n{block(text)}{REST.format(more=more, thorn=thorn, variable=variable)}", **options)


code, said, folder = in_file(HEAT)
check(code == 0 and "compiled in" in said, f"a text in the parameter file is compiled and runs: exit {code}")
if code:
    print(said)
first = bits(folder, 20)
value = rows(folder, "heat-state.maximum.asc")[-1][2]
exact = 2.718281828459045 ** (-0.5 * 8 * 3.141592653589793**2 * 20e-4)
check(abs(value - exact) < 2e-4, f"heat decays: {value:.6f}, exactly {exact:.6f}")
code, said, folder = in_file(HEAT)
check(code == 0 and "compil" not in said and bits(folder, 20) == first, "the second time nothing is compiled, and the bits are the same")
code, said, folder = in_file(HEAT, processes=2)
check(code == 0 and bits(folder, 20) == first, "the same bits on 2 processes")
code, said, folder = in_file(HEAT, thorns=THORNS + ", Accelerator, AcceleratorMirror", more=", device: mirror")
check(code == 0 and bits(folder, 20) == first, "the same bits on a mirror")
code, said, folder = start(f"thorns: [{THORNS}, heat.edl]\n" + REST.format(more="", thorn="Heat", variable="T"), files=[("heat.edl", HEAT)])
check(code == 0 and "compil" not in said and bits(folder, 20) == first, "a file beside the parameter file: the same code")
again = subprocess.run([os.environ["CEREUS"], "reproduce", folder], capture_output=True, text=True).stdout
code, said, folder = start(again)
check(code == 0 and bits(folder, 20) == first, "what `reproduce` prints is whole")
compiled = os.path.join(CACHE, "cereus", "thorns")
shutil.rmtree(compiled)
for n in range(300):
    os.makedirs(os.path.join(compiled, f"old{n}"))
    os.utime(os.path.join(compiled, f"old{n}"), (n, n))
code, said, folder = in_file(HEAT.replace("D D_ii", "2 D D_ii"), processes=2)
check(code == 0 and said.count("compiled in") == 1 and bits(folder, 20) != first, "two processes that find nothing compile once; another text is other code")
(new,), old = [f for f in os.listdir(compiled) if not f.startswith("old")], [int(f[3:]) for f in os.listdir(compiled) if f.startswith("old")]
check(min(old) == 45 and len(old) == 255, f"code that nobody has used for longest goes: {len(old)} folders stay, from {min(old)} on")
os.utime(os.path.join(compiled, new), (1, 1))
code, said, folder = in_file(HEAT.replace("D D_ii", "2 D D_ii"))
check(code == 0 and "compil" not in said and os.stat(os.path.join(compiled, new)).st_mtime > 1e9, "code that is used again is new again")
with ThreadPoolExecutor() as pool:
    results = list(pool.map(in_file, [HEAT.replace("D D_ii", "3 D D_ii")] * 2))
check(sum(said.count("compiled in") for _, said, _ in results) == 1 and all(code == 0 for code, _, _ in results), "two runs at once: one compiles, the other waits")
orders = HEAT.replace("centred(4)", "centred(order in {2, 4} = 4)")
results = [in_file(orders, options=["--set", f"Heat.order={n}"]) for n in (4, 2)]
check(all(code == 0 and "compiled in" in said for code, said, _ in results) and bits(results[0][2], 20) != bits(results[1][2], 20),
      "the same text with another order is other code")

# Operators of one's own against the built-in ones of the same weights, in a kernel and in a large one, which says itself how far it reads.
OWN = """operator ahead(u) = (u(+1) - u(0)) / h
operator behind(u) = (u(0) - u(-1)) / h
operator middle(u) = 1/2 (u(+1) - u(-1)) / h
"""
more = " + ".join(f"cos({k}/100 s)" for k in range(1, 251))
for what, right in (("a kernel", "D D_ii T + D_xy T"), ("a large kernel", f"D D_ii T + D_xy T + 1e-3 ({more})")):
    if what == "a large kernel" and "CEREUS_LONG" not in os.environ:
        continue
    text = HEAT.replace("centred(4)", "centred(2)\nlet\n  s = D_i T D_i T").replace("D D_ii T", right)
    own = text.replace("operators centred(2)\n", OWN).replace("D_ii T", "ahead_i behind_i T").replace("D_xy", "middle_xy").replace("D_i T", "middle_i T")
    results = [in_file(text, options=INTERPRETED), in_file(own)]
    check(results[0][0] == results[1][0] == 0 and "compiled in" in results[1][1], f"operators of one's own in {what}: {results[1][1][-300:] if results[1][0] else 'it runs'}")
    ours, theirs = (rows(folder, "heat-state.maximum.asc")[-1][2] for _, _, folder in results)
    check(abs(ours - theirs) < 1e-13 and bits(results[1][2], 20) != first, f"{what} with them: {ours}, and with centred(2) {theirs}")

# A text whose first line stands further in; the hash of the text is what provenance knows of it.
code, said, folder = start(f"thorns: [{THORNS}, heat.edl]\n" + REST.format(more="", thorn="Heat", variable="T"), files=[("heat.edl", "   # heat\n" + HEAT)])
again = subprocess.run([os.environ["CEREUS"], "reproduce", folder], capture_output=True, text=True).stdout
code, said, folder = start(again)
check(code == 0 and bits(folder, 20) == first, f"a first line that stands further in: {said[-300:] if code else 'reproduced'}")
hashes = []
for text in (HEAT, HEAT, HEAT.replace("diffusivity", "Diffusivity")):
    code, said, folder = in_file(text, options=INTERPRETED)
    hashes += re.findall(r"^thorn: Heat ([0-9a-f]{32}) ", open(os.path.join(folder, "provenance.txt")).read(), re.M)
check(len(hashes) == 3 and hashes[0] == hashes[1] != hashes[2], f"provenance has the hash of a text: {hashes}")

# Sources that somebody wrote stay.
folder = tempfile.mkdtemp(prefix="cereus-")
edl, kernels = os.path.join(folder, "heat.edl"), os.path.join(folder, "src", "kernels.hpp")
for text, keeps in ((HEAT, False), (HEAT.replace("1/2", "1/3"), False), ("// mine", True)):
    with open(edl if text != "// mine" else kernels, "w") as f:
        f.write(text)
    done = subprocess.run([os.environ["CEREUS"], "equations", edl, "--write", os.path.dirname(kernels)], capture_output=True, text=True)
    check((done.returncode == 1 and "not made by" in done.stderr and open(kernels).read() == text) if keeps else done.returncode == 0, f"--write: {done.returncode} {done.stderr.strip()}")

# An order is searched for, and it is the same one in each process; a check alone does not search.
bssn = os.path.join(SOURCE, "thorns/BSSN/equations.edl")
kernels = [subprocess.run([os.environ["CEREUS"], "equations", bssn, "--stage", "kernels"], capture_output=True).stdout for _ in range(2)]
check(kernels[0] == kernels[1] and len(kernels[0]) > 100000, f"the same text gives the same kernels: {len(kernels[0])} bytes")
for text, expected in ((HEAT, 0), (HEAT.replace("D D_ii T", "D D_ij T"), 1)):
    with open(edl, "w") as f:
        f.write(text)
    done = subprocess.run([os.environ["CEREUS"], "equations", "--check", edl], capture_output=True, text=True)
    check(done.returncode == expected and ("heat.edl:10:15: free indices differ" in done.stderr) == expected, f"equations --check: exit {done.returncode}")
both = subprocess.run([os.environ["CEREUS"], "equations", "--check", edl, "--stage", "graph"], capture_output=True, text=True)
check(both.returncode == 1 and "excludes" in both.stderr, "--check with --stage is told")

wave = open(os.path.join(SOURCE, "thorns/Wave/equations.edl")).read().replace("thorn Wave", "thorn Late")
code, said, late = in_file(wave, "Late", "u")
code, said, ahead = start(f"thorns: [{THORNS}, Wave]\n" + REST.format(more="", thorn="Wave", variable="u"))
check(list(bits(late, 20).values())[0] == list(bits(ahead, 20).values())[0], "the bits of a thorn that was built ahead of time")

code, said, _ = in_file(HEAT.replace("D D_ii T", "D D_ij T"))
check(code == 1 and "run.yaml:12:17: free indices differ" in said, "a mistake has its place in the parameter file")
code, said, _ = start(f"thorns: [{THORNS}, cold.edl]\n" + REST.format(more="", thorn="Heat", variable="T"))
check(code == 1 and "cold.edl cannot be read" in said, "a file that is not there")
code, said, _ = in_file(HEAT.replace("thorn Heat", "thorn Time"))
check(code == 1 and "there is a thorn Time already" in said, "a name that is taken")
code, said, _ = start(f"thorns: [{THORNS}]\nequations: [Heat]\n" + REST.format(more="", thorn="Heat", variable="T"))
check(code == 1 and "'equations' is a block of text" in said, "a name under equations:")
finish()
