#!/usr/bin/env python3
"""Equations that stand in the parameter file or beside it: compiled at the start, kept, and told where they are wrong.

Mutations that should make it fail, not tried yet: the key of the cache without the kernels' text (compile_thorn.cpp: the second thorn runs the first one's code);
without the lock (two processes write one file); the first line of the text not counted; parameters.yaml without the equations.
"""
import os
import shutil
import subprocess
import tempfile

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
shutil.rmtree(os.path.join(CACHE, "cereus", "thorns"))
code, said, folder = in_file(HEAT.replace("D D_ii", "2 D D_ii"), processes=2)
check(code == 0 and said.count("compiled in") == 1 and bits(folder, 20) != first, "two processes that find nothing compile once; another text is other code")

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
