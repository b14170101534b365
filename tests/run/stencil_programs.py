#!/usr/bin/env python3
"""The ten programs of thorn Stencils, as files, have the bits of the kernels that were written by hand, one step at a time and with time
tiles. CEREUS_LONG: all ten, and single precision, too.

Mutations that make it fail: a field that is updated where it stands, of which `old` keeps nothing; no copy before a field is updated again;
bounds that are not tested.
"""
import glob
import os
import sys

import numpy as np
from _physics import DIMENSIONS, check, finish
from _stencil import TILED, fields, run, same, start

PROGRAMS = os.path.join(os.environ["CEREUS_SOURCE"], "thorns/Stencils/programs")
LONG = os.environ.get("CEREUS_LONG") == "1"
SHORT = ["fdtd2d", "jacobi1d5", "jacobi2d"]
AHEAD = """thorns: [UniGrid, Time, Boundary, IOHDF5, AheadStencil{more}]
Cereus: {{iterations: {steps}, thorn_path: ["%s"]}}
UniGrid: {{cells: {cells}, periodic: false}}
Time: {{dt: 1}}
Boundary: {{all: fixed}}
AheadStencil: {{{parameters}}}
IOHDF5: {{variables: ["AheadStencil::A"], every: {steps}}}
""" % os.environ["CEREUS_TEST_THORNS"]


def by_hand(name, cells, steps, real):
    """What thorn Stencils makes of the program of this name."""
    variable = "hz" if name == "fdtd2d" else "u"
    code, said, folder = start(f"""thorns: [UniGrid, Time, Boundary, IOHDF5, Stencils]
Cereus: {{iterations: {steps}, real: {real}}}
UniGrid: {{cells: {cells}, periodic: false}}
Time: {{dt: 1}}
Boundary: {{all: fixed}}
Stencils: {{program: {name}}}
IOHDF5: {{variables: ["Stencils::{variable}"], every: {steps}}}
""")
    return fields(folder, "Stencils", variable, steps) if code == 0 else sys.exit(said)


# The ten programs. `cells` are those that change; a program counts the shell, too.
for name in sorted(os.path.basename(p)[:-8] for p in glob.glob(os.path.join(PROGRAMS, "*.stencil"))):
    dim = 1 if "1d" in name else 3 if "3d" in name else 2
    if dim not in DIMENSIONS or not (LONG or name in (sys.argv[1:] or SHORT)):
        continue
    with open(os.path.join(PROGRAMS, name + ".stencil")) as f:
        text = f.read()
    cells = {1: [57], 2: [131, 97], 3: [67, 31, 41]}[dim]  # x, y, z
    shell = 0 if name == "fdtd2d" else 2 * {"jacobi1d5": 2, "jacobi1d7": 3}.get(name, 1)
    sizes = dict(zip(["L", "N", "M"] if dim == 3 else ["N", "M"], [c + shell for c in reversed(cells)]))
    parameters = ", ".join(f"{k}: {v}" for k, v in sizes.items())
    steps = {"poisson2d": 8, "gradient2d": 10}.get(name, 26)
    for real in ("double", "float") if LONG else ("double",):
        want = by_hand(name, cells, steps, real)
        for tile in (0, 4):
            (got,), said = run(text, parameters, ["Hz" if name == "fdtd2d" else "A"], steps, tile, real)
            if name == "fdtd2d":  # a program has one grid for all fields: the last vertices, too
                got = got[..., :-1, :-1]
            same(got, want, f"{name} {real}, tiles of {tile}")
            if name == "jacobi2d" and real == "double":
                code, said, folder = start(AHEAD.format(more=", CaKernel" if tile else "", cells=cells, steps=steps, parameters=parameters) + (TILED.format(tile) if tile else ""))
                check(code == 0 and "compil" not in said, f"compiled ahead of time: exit {code} {said if code else ''}")
                same(fields(folder, "AheadStencil", "A", steps), want, f"{name} ahead of time, tiles of {tile}")
            if tile:
                check("time tiles: none" not in said, f"{name} {real}: time tiles are taken\n{said[-300:] if 'tiles: none' in said else ''}")
# Tiles take programs of eight functions.
for functions in (8, 9) if 2 in DIMENSIONS else ():
    chain = "G = [0..N-1] x [0..M-1], 9\n" + "".join(f"A{n}_G : real = noise({n + 1})\n" for n in range(functions)) + "".join(
        f"f{n}(A{n}_G, A{(n + 1) % functions}_G)[1..N-2, 1..M-2] = 0.6 * A{(n + 1) % functions} + 0.1 * (A{n}[-1, 0] + A{n}[1, 0] + A{n}[0, -1] + A{n}[0, 1])\n"
        for n in range(functions))
    outputs = [f"A{n}" for n in range(functions)]
    one, said = run(chain, "N: 60, M: 43", outputs, 9)
    several, said = run(chain, "N: 60, M: 43", outputs, 9, 3)
    same(several, np.stack(one), f"{functions} functions")
    why = "time tiles: none, because it has more than 8 kernels" in said
    check(why if functions > 8 else "time tiles: none" not in said, f"{functions} functions: {'no' if why else 'with'} time tiles")
finish()
