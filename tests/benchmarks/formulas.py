#!/usr/bin/env python3
"""Formulas of a parameter file on a device, against kernels by hand: prints a table and writes JSON.

    formulas.py OUTPUT.json PROGRAM TRACE

PROGRAM: formulas.cu, compiled; TRACE: trace/trace.cpp, compiled. CEREUS names the executable. Times are those of the kernels, by CUPTI.
"""
import os
import re
import subprocess
import sys
import tempfile

from _rates import note, write

SINES = "sin(2*pi*x)*sin(2*pi*y)*sin(2*pi*z)"
SOURCE = "-14*pi^2*cos(pi*x)*cos(2*pi*y)*cos(3*pi*z) + 50*(sin(37*x*y + 11*z) > 0 ? 1 : -1)*cos(pi*x)*cos(pi*y)*cos(pi*z)"
PARFILE = """thorns: [UniGrid, Time, Boundary, Reduce, IOASCII, Expressions, Elliptic, Multigrid, Accelerator, AcceleratorCUDA]
Cereus: {{iterations: 20, device: cuda, poison: false}}
UniGrid: {{cells: [{n}, {n}, {n}], lower: 0, upper: 1, periodic: false}}
Time: {{dt: 1}}
Boundary: {{all: neumann}}
Expressions: {{analysis: [{analysis}]}}
Elliptic: {{source: "{source}", tolerance: 1e-2, each_step: {each_step}}}
IOASCII: {{variables: [{variables}], every: 1, reductions: [maximum]}}
"""


def milliseconds(n, **words):
    """The best launch of the only kernel that is compiled for its formulas when the run begins."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "bench.yaml"), "w") as f:
        f.write(PARFILE.format(n=n, **words))
    environment = dict(os.environ, CUDA_INJECTION64_PATH=os.path.abspath(sys.argv[3]), CEREUS_TRACE=os.path.join(folder, "trace"))
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "bench.yaml"], cwd=folder, capture_output=True, text=True, env=environment)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    with open(os.path.join(folder, "trace")) as f:
        kernels = [line.split(" ", 4) for line in f]
    return 1e-6 * min(int(end) - int(start) for start, end, _, _, name in kernels if name.strip() == "late")


for n in 256, 512:
    by_hand = subprocess.run([sys.argv[2], str(n)], capture_output=True, text=True, check=True).stdout.split()
    for what, hand, words in (("the product of three sines", by_hand[0], {"analysis": f'"product = {SINES}"', "source": "0", "each_step": "false", "variables": '"Expressions::product"'}),
                              ("the fields of an elliptic equation", by_hand[1], {"analysis": "", "source": SOURCE, "each_step": "true", "variables": '"Elliptic::cycles"'})):
        ours = milliseconds(n, **words)
        share = float(hand) / ours
        print(f"{what}, {n}³: {ours:.3f} ms, by hand {float(hand):.3f} ms: {share:.2f} of its rate (bar 0.8)", flush=True)
        note(f"a formula on a device, {what}, {n}³: of the rate of a kernel by hand", share, "", 0.8, share >= 0.8)
        note(f"a formula on a device, {what}, {n}³: a launch", ours, "ms", None, None)
write(sys.argv[1])
