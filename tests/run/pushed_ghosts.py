#!/usr/bin/env python3
"""Ghost zones that kernels push have the same bits as those that a sync fills: audit mode, which pushes nothing, is the
reference for all numbers of processes and blocks, equal or not, in one, two and three dimensions (two of three layouts without CEREUS_LONG). On a GPU
also grids so large that threads march.

Mutations, each of which makes it fail: the faces at both sides exchanged in find_through; one layer less,
of all kernels or of those without an update; faces of the first output for all; `pushed` kept when the interior is written (Validity); on a GPU `pushes` of loop/march.hpp without its rows.
"""
import glob
import os
import subprocess
import tempfile

from _physics import check, finish

PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, WaveToy, IOASCII, NaNChecker]
Cereus: {{iterations: 12, audit: {audit}}}
UniGrid: {{cells: {cells}, lower: -1, upper: 1, blocks: {blocks}, uneven: {uneven}}}
Time: {{courant: 0.3}}
MoL: {{method: RK4}}
WaveToy: {{order: 4, initial_data: gaussian, width: 0.25, centre: [0.8, -0.9, 0.7]}}
IOASCII: {{variables: ["WaveToy::u", "WaveToy::rho", "WaveToy::energy"], every: 5, lines: {lines}, lines_every: 6, line_through: [0.9, 0.9, -0.9]}}
"""
HEAT = """thorns: [UniGrid, Time, MoL, Reduce, Diffusion, IOASCII, NaNChecker]
Cereus: {{iterations: 12, audit: {audit}}}
UniGrid: {{cells: {cells}, lower: -1, upper: 1, blocks: {blocks}, uneven: {uneven}}}
MoL: {{method: METHOD}}
Diffusion: {{width: 0.01, centre: [0.999, -0.9991, 0.998]}}
IOASCII: {{variables: ["Diffusion::u"], every: 5, lines: {lines}, lines_every: 6, line_through: [0.999, 0.999, -0.999]}}
"""
STENCIL = """thorns: [UniGrid, Time, Boundary, Reduce, Stencils, IOASCII]
Cereus: {{iterations: 12, audit: {audit}}}
UniGrid: {{cells: {cells}, blocks: {blocks}, uneven: {uneven}, periodic: false}}
Time: {{dt: 1}}
Boundary: {{all: fixed}}
Stencils: {{program: PROGRAM}}
IOASCII: {{variables: [Stencils::u], every: 5, lines: {lines}, lines_every: 6, line_through: [0.9, 0.9, -0.9]}}
"""
LONG = "CEREUS_LONG" in os.environ
rounds = False  # a GPU contracts a·b + c, and an audit runs on the host


def written(cells, processes=1, blocks=1, uneven=False, audit=False, parfile=PARFILE):
    """All numbers that a run writes."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(parfile.format(cells=cells, blocks=blocks, uneven=str(uneven).lower(), audit=str(audit).lower(),
                               lines=["x", "y", "z"][:len(cells)]))
    done = subprocess.run([os.environ["CEREUS"], "run", "run.yaml", "-n", str(processes)], cwd=folder, capture_output=True, text=True)
    check(done.returncode == 0, f"{cells} on {processes} × {blocks}{' audited' * audit}: exit {done.returncode} {done.stderr[-500:] if done.returncode else ''}")
    global rounds
    rounds = rounds or "NVIDIA" in done.stdout
    return {os.path.basename(p): [l for l in open(p) if not l.startswith("#")] for p in glob.glob(os.path.join(folder, "run", "*.asc"))}


def numbers(files):
    return [float(x) for name in sorted(files) for line in files[name] for x in line.split()]


for n, cells in enumerate(([24, 28, 32], [23, 29, 37], [48, 36], [64])):
    alone, reference = written(cells), written(cells, audit=True)
    if rounds:
        reference = alone
    check(len(reference) > 12, f"{len(reference)} files of {cells}")
    check(alone == reference, f"{cells}: the same bits as in audit mode")
    layouts = [{"blocks": 8} if len(cells) == 3 else {"blocks": 3}, {"processes": 2, "blocks": 3, "uneven": True}, {"processes": 4}]
    for layout in layouts if LONG else layouts[n % 2:][:2]:
        check(written(cells, **layout) == reference, f"{cells} {layout}: and the same")

# Kernels without an update push as well.
for program, cells in (("jacobi2d", [48, 36]), ("jacobi3d", [24, 28, 32])):
    parfile = STENCIL.replace("PROGRAM", program)
    reference = written(cells, audit=not rounds, parfile=parfile)
    check(len(reference) > 4, f"{len(reference)} files of {program}")
    for layout in ({}, {"blocks": 3}, {"processes": 2, "blocks": 3, "uneven": True}, {"processes": 4}):
        check(written(cells, parfile=parfile, **layout) == reference, f"{program} {layout}: the same bits")


# Large enough that threads march (in 2D and 1D: few of them push). The host's loops, and those of other boxes, contract other sums.
LARGE = [("Euler", [8192]), ("Euler", [8191]), ("Euler", [1531, 2947]), ("Euler", [1532, 2946]), ("RK4", [1532, 2946]), ("Euler", [128, 186, 132]), ("RK4", [128, 186, 132])]
for method, cells in LARGE if rounds else ():
    parfile = HEAT.replace("METHOD", method)
    reference = numbers(written(cells, parfile=parfile, audit=True))
    for layout in ({}, {"blocks": 2}, {"processes": 2}):
        off = [abs(a - b) for a, b in zip(numbers(written(cells, parfile=parfile, **layout)), reference, strict=True)]
        check(all(d < 1e-13 for d in off), f"{method} {cells} {layout}: as in audit mode, but for {max(off):.1g}")  # a NaN is not less
finish()
