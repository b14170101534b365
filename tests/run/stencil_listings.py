#!/usr/bin/env python3
"""Stencil programs: the listings of the OSU report run as they stand and are compared with loops; so are structs, vectors, sub-grids, `then`,
periodic axes, integers and `until` (of a sum with --long alone).

Mutations that make it fail: the step before a check of `until` taken with others; a limit turned round; `then` that separates nothing; whole
numbers that are reals where an integer is wanted; a run that is done where `until` was not met.
"""
import glob
import json
import os
import subprocess

import numpy as np
from _noise import noise
from _physics import DIMENSIONS, check, finish
from _stencil import TILED, fields, run, same, start

LONG = "CEREUS_LONG" in os.environ
UNTIL = """thorns: [UniGrid, Time, Boundary, IOHDF5, test.stencil{more}]
test: {{N: 23}}
IOHDF5: {{variables: ["test::A"], every: 10}}
"""
# The report's listings, with lines for grid and fields where it has none.
LINE = "G = [0..N-1], 5\nA_G : real = noise(1)\nB_G : real = noise(2)\n"
N, M = 23, 17


def line(seed, n=N, low=-1):
    return noise([1, 1, n], [0, 0, low], seed)[0, 0]


def plane(seed, n=N, m=M, low=-1):
    return noise([1, n, m], [0, low, low], seed)[0]


if 2 in DIMENSIONS:
    (got,), _ = run("G = [0..N-1] × [0..M-1], 5\nA_G : real = noise(1)\n"
                    "f(A_G)[1..N-2, 1..M-2] = A[-1, 0] + A[0, -1] + A[0, 0] + A[+1, 0] + A[0, +1]\n", f"N: {N}, M: {M}")
    a = plane(1)
    for _ in range(5):
        a[1:-1, 1:-1] = a[:-2, 1:-1] + a[1:-1, :-2] + a[1:-1, 1:-1] + a[2:, 1:-1] + a[1:-1, 2:]
    same(got, a[1:-1, 1:-1], "listing 1")
    (got,), _ = run("G = [0..N] x [0..M], 5\nA_G : real = noise(1)\n"
                    "f(A_G)[1..N-1, 1..M-1] = 0.2 * (A[-1, 0] + A[0, 0] + A[1, 0] + A[0, -1] + A[0, 1])\n", f"N: {N - 1}, M: {M - 1}", processes=2)
    a = plane(1)
    for _ in range(5):
        a[1:-1, 1:-1] = 0.2 * (a[:-2, 1:-1] + a[1:-1, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
    same(got, a[1:-1, 1:-1], "listing 4, on 2 processes")
if 1 in DIMENSIONS:
    listing = ("G = [0, M-1], 64\nA_G : real{}\nf_1(A_G)[0] = A[0]\nf_2(A_G)[1..M-2] = 0.333 * (A[-1] + A[0] + A[1])\nf_3(A_G)[M-1] = A[0]\n")
    (got,), _ = run(listing.format(""), f"M: {M}", steps=64)
    same(got, np.zeros(M), "listing 2, as it stands: from 0")
    for tile in (0, 3):
        (got,), _ = run(listing.format(" = noise(1)"), f"M: {M}", steps=64, tile=tile)
        a = line(1, M, 0)
        for _ in range(64):
            a[1:-1] = 0.333 * (a[:-2] + a[1:-1] + a[2:])
        same(got, a, f"listing 2, from noise, tiles of {tile}")
    a, b = line(1), line(2)
    for _ in range(5):
        a[1:-1] = b[:-2] + b[1:-1]
        b[1:-1] = a[1:-1] + a[2:]
    for tile in (0, 3):
        got, _ = run(LINE + "f_A(B_G)[1..N-2] = B[-1] + B[0]\nf_B(A_G)[1..N-2] = A[0] + A[1]\n", f"N: {N}", ["A", "B"], tile=tile)
        same(got[0], a[1:-1], f"listing 3, A, tiles of {tile}"), same(got[1], b[1:-1], f"listing 3, B, tiles of {tile}")

    # What the report does not have.
    (got,), _ = run(LINE + "f_l(A_G)[1..4] = A[-1] + A[1]\nthen\nf_h(A_G)[5..N-2] = A[-1] - A[1]\n", f"N: {N}")
    a = line(1)
    for _ in range(5):
        a[1:5] = a[:4] + a[2:6]
        a[5:-1] = a[4:-2] - a[6:]
    same(got, a[1:-1], "`then`: the second function sees what the first one wrote")
    got, _ = run("param k = 0.25\nG = [0..N-1], 5\nS = G[3..9]\nP_G : {x: real, v: vector 2 of real} = {x: noise(1), v: {noise(2), noise(3)}}\n"
                 "f(P_G)[1..N-2] = let m = k * (P[-1] + P[1]) in {x: m.x, v: {P.v.1, m.v.0}}\n", f"N: {N}", ["P_x", "P_v_0", "P_v_1"])
    x, v, w = line(1), line(2), line(3)
    for _ in range(5):
        x[1:-1], v[1:-1], w[1:-1] = 0.25 * (x[:-2] + x[2:]), w[1:-1].copy(), 0.25 * (v[:-2] + v[2:])
    for g, a, c in zip(got, (x, v, w), ("x", "v.0", "v.1")):
        same(g, a[1:-1], f"a record, {c}")
    (got,), _ = run(LINE + "S = G[3..9]\nC_S : real = noise(4)\nf_C(A_G, C_S)[4..8] = C[-1] + C[1] + A\nf_A(C_S, A_G)[4..8] = A > 0.5 ? C : max(A, 0.25)\n",
                    f"N: {N}")
    a, c = line(1, 5, 0), line(4, 7)
    for _ in range(5):
        c[1:-1] = c[:-2] + c[2:] + a
        a = np.where(a > 0.5, c[1:-1], np.maximum(a, 0.25))
    same(got, a, "a field on part of the grid, and a choice")

    # A periodic axis. Whole numbers: rule 110 (Wolfram, Rev. Mod. Phys. 55 (1983) 601), a sum of them that is real, and what is cut off.
    got, _ = run("G = [0..N-1], 12\nperiodic x\nC_G : integer = integer(10 * noise(1)) > 4 ? 1 : 0\nM_G : integer = integer(-3 * noise(2)) in\nA_G : real\nS_G : integer\nP_G : real = noise(1)\n"
                 "f_P(P_G)[0..N-1] = 0.5 * (P[-1] + P[2])\n"
                 "f_S(C_G, M_G, S_G)[0..N-1] = max(S + 2 * C, 3) - M * square(C) - integer(C / 2)\n"
                 "f_A(C_G, M_G, A_G)[0..N-1] = A + 0.5 * C[-1] + M / 2\n"
                 "f_C(C_G)[0..N-1] = let k = 4 * C[-1] + 2 * C + C[1] in k == 0 ? 0 : k == 4 ? 0 : k == 7 ? 0 : 1\n", f"N: {N}", ["C", "A", "S", "P"], 12)
    c, m = (10 * line(1, N, 0)).astype(np.int32) > 4, np.trunc(-3 * line(2, N, 0)).astype(np.int32)
    c, a, s, p = c.astype(np.int32), np.zeros(N), np.zeros(N, np.int32), line(1, N, 0)
    for _ in range(12):
        p = 0.5 * (np.roll(p, 1) + np.roll(p, -2))
        s = np.maximum(s + 2 * c, 3) - m * c * c
        a = a + 0.5 * np.roll(c, 1) + m / 2
        c = np.array([110 >> k & 1 for k in 4 * np.roll(c, 1) + 2 * c + np.roll(c, -1)], np.int32)
    for g, want, name in zip(got, (c, a, s, p), "CASP"):
        check(g.dtype == want.dtype, f"{name} is of type {want.dtype}")
        same(g, want, f"a periodic axis: {name}")

    # Until hardly anything changes: looked at after each 10 steps, between which time tiles go on.
    until = ("param eps = 1e-3\nG = [0..N-1], 10 until {} < 2 * eps,\n  at most {}\nA_G : real = noise(1)\nB_G : real\n"
             "f_B(A_G, B_G)[1..N-2] = B + A\nf_A(A_G)[1..N-2] = 0.5 * (A[-1] + A[1])\n")
    for what, of in (("max(abs(A - old A))", lambda a, o, b, p: abs(a - o).max()), ("sum(square(A - old A))", lambda a, o, b, p: sum((a - o) ** 2)),
                     ("min(B - old B)", lambda a, o, b, p: (b - p).min())):
        if "sum" in what and not LONG:
            continue
        a, b, steps, small = line(1), np.zeros(N), 0, False
        while not small:
            o, p = a.copy(), b.copy()
            b[1:-1] = b[1:-1] + a[1:-1]
            a[1:-1] = 0.5 * (a[:-2] + a[2:])
            steps += 1
            small = steps % 10 == 0 and of(a[1:-1], o[1:-1], b[1:-1], p[1:-1]) < 2e-3
            if steps == 2000:
                break
        for tile, processes in ((0, 1), (5, 1), (5, 2)) if LONG else ((5, 2),):
            code, said, folder = start(UNTIL.format(more=", CaKernel" if tile else "") + (TILED.format(tile) if tile else ""),
                                       [("test.stencil", until.format(what, 2000))], processes)
            ended = sorted(glob.glob(os.path.join(folder, "*.hdf")))[-1]
            check(code == 0 and f"{steps:08d}" in ended and ("ends the run" in said) == small, f"{what} on {processes}, tiles of {tile}: the run ends after {steps} steps\n{said if code else ''}")
            same(fields(folder, "test", "A", steps), a[1:-1], f"{what}: the last A")
            check(not tile or "time tiles: none" not in said, f"{what}: time tiles are taken between checks")
    code, said, folder = start(UNTIL.format(more=""), [("test.stencil", until.format("max(abs(A - old A))", 35))])
    check(code == 0 and "ends the run" not in said and "iteration 35" in said and "`until` was not met in 30 steps" in said, f"at most 35 steps, and it is said that they were too few: {said}")
    with open(os.path.join(folder, "progress.json")) as f:
        check(json.load(f)["state"] == "stopped", "whoever looks at its state sees that, too")

    # In a parameter file, and again from its output.
    inside = "thorns: [UniGrid, Time, Boundary, IOHDF5]\nstencils:\n  Heat: |\n    param N = 40\n    G = [0..N-1], 6\n    A_G : real = noise(1)\n    f(A_G)[1..N-2] = 0.5 * (A[-1] + A[1])\nIOHDF5: {variables: [Heat::A], every: 6}\n"
    code, said, folder = start(inside)
    check(code == 0, f"a program in the parameter file, which says how many cells and steps there are: exit {code} {said if code else ''}")
    first = fields(folder, "Heat", "A", 6)
    check(first.size == 38, "the shell is not updated")
    again = subprocess.run([os.environ["CEREUS"], "reproduce", folder], capture_output=True, text=True).stdout
    code, said, folder = start(again)
    check(code == 0 and fields(folder, "Heat", "A", 6).tobytes() == first.tobytes() and "compil" not in said, f"what `reproduce` prints is whole: exit {code}")
    code, said, _ = start(inside.replace("A[-1]", "A[-2]"))
    check(code == 1 and "run.yaml:7:29: A[-2] at index 1 of f's bounds 1..N-2 is outside grid G (with N = 40)" in said, f"a mistake has its place in the parameter file\n{said if 'outside' not in said else ''}")
    code, said, _ = start(inside + "UniGrid: {cells: [40]}\n")
    check(code == 1 and "Heat updates other points than the grid has: UniGrid: {cells: [38], periodic: [false]}" in said, "a grid that does not fit")
    code, said, _ = start(inside.replace("param N = 40\n    ", ""))
    check(code == 1 and "Heat.N" in said, "a parameter without a value")
finish()
