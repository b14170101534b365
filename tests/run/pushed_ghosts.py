#!/usr/bin/env python3
"""Ghost zones that kernels push have the same bits as those that a sync fills: audit mode, which pushes nothing, is the
reference for all numbers of processes and blocks, equal or not, in one, two and three dimensions. On a GPU also grids so large that threads march.

Mutations, each of which makes it fail: the faces at both sides exchanged in find_faces; one layer less; faces of the first
output for all; `pushed` kept when the interior is written (Validity). On a GPU: `pushes` of device_march.hpp without its rows.
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
HEAT = """thorns: [UniGrid, Time, MoL, Reduce, Diffusion, IOASCII]
Cereus: {{iterations: 12, audit: {audit}}}
UniGrid: {{cells: {cells}, lower: -1, upper: 1, blocks: {blocks}, uneven: {uneven}}}
MoL: {{method: Euler}}
Diffusion: {{width: 0.01, centre: [0.999, -0.9991, 0.998]}}
IOASCII: {{variables: ["Diffusion::u"], every: 5, lines: {lines}, lines_every: 6, line_through: [0.999, 0.999, -0.999]}}
"""
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


for cells in ([24, 28, 32], [23, 29, 37], [48, 36], [64]):
    alone, reference = written(cells), written(cells, audit=True)
    if rounds:
        reference = alone
    check(len(reference) > 12, f"{len(reference)} files of {cells}")
    check(alone == reference, f"{cells}: the same bits as in audit mode")
    for layout in ({"blocks": 8} if len(cells) == 3 else {"blocks": 3}, {"processes": 2, "blocks": 3, "uneven": True}, {"processes": 4}):
        check(written(cells, **layout) == reference, f"{cells} {layout}: and the same")
def numbers(files):
    return {name: [float(x) for line in lines for x in line.split()] for name, lines in files.items()}


for cells in ([8191], [1531, 2947], [1532, 2946], [256, 250, 130]) if rounds else ():
    alone = numbers(written(cells, parfile=HEAT))
    for layout in ({"blocks": 2}, {"processes": 2}):  # other loops contract other sums
        other = numbers(written(cells, parfile=HEAT, **layout))
        off = max(abs(a - b) for name, values in alone.items() for a, b in zip(values, other[name], strict=True))
        check(off < 1e-14, f"{cells} {layout}: as alone, but for {off:.1g}")
finish()
