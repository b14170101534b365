#!/usr/bin/env python3
"""Horizons of exact data on grids: areas, spins and circumferences converge; a search follows from the last surface; what is not found is said and the run goes
on; kuibit reads the files; the same bytes on any number of processes.

Known: area 8π M (M + √(M² - a²)), J = aM, equatorial circumference 4πM of Kerr's horizon, whatever the slice. What no grid is needed for is in
thorns/Horizons/tests/flow_test.cpp and files_test.cpp, with their mutations.
"""
import math
import os
import sys

from _physics import DIMENSIONS, check, fails, finish, order_of, read_by_kuibit, rows, run

PARFILE = """
thorns: [UniGrid, Time, Boundary, ADMBase, ExactMetrics, Interpolate, Horizons]
Cereus: {{iterations: {steps}}}
UniGrid: {{cells: [{n}, {n}, {n}], lower: -{half}, upper: {half}, periodic: false}}
Boundary: {{all: fixed}}
Time: {{dt: 0.5}}
ExactMetrics: {{{data}}}
Interpolate: {{order: {order}}}
Horizons: {{{horizons}}}
"""
KERR = "data: KerrSchild, spin: 0.6"
TWO = "data: BrillLindquist, mass: 0.5, mass2: 0.5, place: [0, 0, 0.25], place2: [0, 0, -0.25]"


def parfile(n=24, half=3, data=KERR, order=5, horizons="centres: [0.002, 0.003, -0.001], radii: [2.2]", steps=0):
    return PARFILE.format(n=n, half=half, data=data, order=order, horizons=horizons, steps=steps)


def columns(folder, number=1):
    """Rows of diagnostics by the names of columns."""
    path = os.path.join(folder, f"BH_diagnostics.ah{number}.gp")
    with open(path) as f:
        names = [line.split(" = ")[1].strip() for line in f if line.startswith("# column ")]
    return [dict(zip(names, row)) for row in rows(folder, os.path.basename(path))]


def kuibit_reads(out):
    from kuibit.simdir import SimDir

    horizon = SimDir(out).horizons.get_apparent_horizon(1)
    first, second = columns(out)[:2]
    assert horizon.ah.m_irreducible.y[0] == first["m_irreducible"] and horizon.ah.area.t[1] == 0.5
    x, y, z = horizon.shape_at_iteration(1)
    assert x[0].shape == y[0].shape == z[0].shape == (12, 25), x[0].shape
    assert abs(z[0].max() - second["max z"]) < 1e-12, (z[0].max(), second["max z"])


if sys.argv[1:2] == ["kuibit"]:
    kuibit_reads(sys.argv[2])
    sys.exit(0)
if 3 not in DIMENSIONS:
    finish("horizons are of three dimensions")

area = 8 * math.pi * (1 + math.sqrt(1 - 0.36))
found = {n: columns(run(parfile(n)))[0] for n in (24, 48)}
for what, exact in (("area", area), ("spin_z", 0.6), ("xy-plane circumference", 4 * math.pi)):
    coarse, fine = (abs(found[n][what] / exact - 1) for n in (24, 48))
    check(order_of(coarse, fine) > 3.5 and fine < 1e-4, f"{what}: order {order_of(coarse, fine):.2f} ({coarse:.2g}, {fine:.2g})")
ratio = found[48]["ratio of xz/xy-plane circumferences"]
check(abs(ratio - 0.924502) < 2e-5, f"polar over equatorial circumference: {ratio:.6f}, known 0.924502")

# An eighth of space: the surface goes on in mirror images. Mutation: a gradient keeps its sign there (not found).
eighth = parfile(24, 3, "data: KerrSchild", horizons="centres: [0, 0, 0], radii: [2.2]").replace("lower: -3", "lower: 0")
eighth = eighth.replace("all: fixed", "all: extrapolate, x_lower: reflect, y_lower: reflect, z_lower: reflect")
folder = run(eighth)
hole = columns(folder)[0]
errors = [abs(hole["area"] / (16 * math.pi) - 1)] + [abs(hole[f"{plane}-plane circumference"] / (4 * math.pi) - 1) for plane in ("xy", "xz", "yz")]
check(max(errors) < 1e-4 and abs(hole["spin_z"]) < 1e-12, f"an eighth of space: area and circumferences wrong by {max(errors):.1e}, spin {hole['spin_z']:.1e}")

# Two holes in a common horizon; beside it one that is not there, and one that is looked for later.
three = "centres: [0, 0, 0.002, 0, 0, 0.8, 0, 0, 0], radii: [0.6, 0.3, 0.5], start_times: [0, 0, 0.9]"
text = parfile(48, 1.2, TWO, 5, three, steps=2)
two = folder = run(text)
common = columns(folder)
mass = common[0]["m_irreducible"]
check(abs(mass - 0.9982484180) < 2e-5, f"two holes, M_irr {mass:.7f}, known 0.9982484")
steps = [row["steps"] for row in common]
check(len(steps) == 3 and steps[0] > 8 and max(steps[1:]) < 3, f"later searches start from the last surface: {steps} steps")
with open(os.path.join(folder, "searches.ah2.asc")) as f:
    lines = f.read().splitlines()[1:]
check(len(lines) == 3 and all(line.split()[2] == "0" and "#" in line for line in lines), "no horizon is said: " + lines[0])
check(not os.path.exists(os.path.join(folder, "BH_diagnostics.ah2.gp")), "what was not found has no diagnostics")
check([row["cctk_iteration"] for row in columns(folder, 3)] == [2], "the third is looked for from t = 0.9 on")


def files(out):
    return {name: open(os.path.join(out, name)).read() for name in os.listdir(out) if ".ah" in name}


for processes in (2, 4):
    check(files(run(text, processes)) == files(folder), f"the same bytes on {processes} processes")

# Of an evolution, which computes ADMBase when it is looked at, in ghost zones, too.
evolving = parfile(32, 4, KERR + ", place: [0.03, 0.03, 0.03]", horizons="centres: [0.03, 0.03, 0.03], radii: [2.2], every: 2", steps=2)
evolving = evolving.replace("dt: 0.5", "dt: 0.01").replace("all: fixed", "all: radiation").replace("ADMBase, ExactMetrics", "MoL, ADMBase, ExactMetrics, BSSN") + "BSSN: {order: 4, startlapse: given, startshift: given}\n"
folder = run(evolving)
found = columns(folder)
check(len(found) == 2 and all(abs(row["area"] / area - 1) < 1e-3 for row in found), f"evolved by BSSN: areas {[row['area'] / area for row in found]}")
check(files(run(evolving, 2)) == files(folder), "evolved: the same bytes on 2 processes")

# One hole of QC-0 at the start (J. Baker et al., Phys. Rev. D 65 (2002) 124012), where TwoPunctures is built.
if os.path.exists(os.path.join(os.environ.get("CEREUS_BUILD", ""), "lib/cereus/thorns/TwoPunctures.so")):
    qc0 = parfile(40, 0.4, "", 7, "centres: [1.168642873, 0, 0], radii: [0.25], lmax: 6")
    qc0 = qc0.replace("ExactMetrics, Interp", "TwoPunctures, Interp").replace("ExactMetrics: {}\n", "").replace("fixed", "extrapolate")
    qc0 = qc0.replace("lower: -0.4, upper: 0.4", "lower: [0.771, -0.4, -0.4], upper: [1.571, 0.4, 0.4]")
    hole = columns(run(qc0))[0]
    check(abs(hole["m_irreducible"] - 0.516817) < 2e-6 and abs(hole["mean radius"] - 0.199052) < 3e-6 and hole["steps"] <= 12,
          f"QC-0: M_irr {hole['m_irreducible']:.6f}, mean radius {hole['mean radius']:.6f}, {hole['steps']:.0f} steps; known 0.516817, 0.199052, without acceleration 23")
for what, text, code, said in (("a sphere outside", parfile(horizons="centres: [0, 0, 0], radii: [4]"), 3, "must lie inside the grid"),
                               ("too few centres", parfile(horizons="centres: [0, 0], radii: [1]"), 1, "Horizons.centres has 2 numbers")):
    done, text = fails(text)
    check(done == code and said in text, f"{what}: exit {done}, {text.strip()[-300:]}")
read_by_kuibit(__file__, two, "diagnostics and shapes")
finish()
