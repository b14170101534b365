#!/usr/bin/env python3
"""What analysis of a black hole takes on a device that holds the fields, through `cereus run`: prints a table and writes JSON.

    analysis.py OUTPUT.json [CELLS]

CEREUS names the executable (default: cereus), DEVICE the device (cuda). A hole in Kerr and Schild's coordinates on CELLS³ (200: 8 M points). Times of
routines are those of TimerReport: differences of runs that do more and less, so that nothing that happens once counts; that of Ψ4 is the device's own.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from _rates import note, write

PARFILE = """
arrangements: [standard]
thorns: [ADMBase, ExactMetrics, WeylScalars, Interpolate, Multipole, Horizons]
Cereus: {{iterations: {iterations}, device: {device}, poison: false}}
UniGrid: {{cells: [{n}, {n}, {n}], lower: -4.01, upper: 4.01, periodic: false}}
Boundary: {{all: fixed}}
Time: {{dt: 0.01}}
ExactMetrics: {{data: KerrSchild, spin: 0.6}}
Interpolate: {{order: 5}}
Horizons: {{centres: {centres}, radii: {radii}, shapes: false, beside: false, every: 1000}}
{spheres}
AcceleratorCUDA: {{counters: {counters}}}
IOASCII: {{variables: []}}
IOHDF5: {{variables: []}}
IOImage: {{variables: [], series: []}}
"""
device = os.environ.get("DEVICE", "cuda")
n = int(sys.argv[2]) if len(sys.argv) > 2 else 200


def run(iterations=0, holes=0, fields="", counters="false"):
    """What it said, seconds of routines, and bytes to the host by routine."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    text = PARFILE.format(iterations=iterations, device=device, n=n, centres=[0.002, 0.003, -0.001] * holes, radii=[3.0] * holes, spheres=f"Multipole: {{variables: [{fields}], radii: [3], lmax: 4}}" if fields else "", counters=counters)
    with open(os.path.join(folder, "bench.yaml"), "w") as f:
        f.write(text if device == "cuda" else re.sub("AcceleratorCUDA.*", "", text).replace("Horizons]", "Horizons, AcceleratorMirror]"))
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "bench.yaml"], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    with open(os.path.join(folder, "bench", "timers.json")) as f:
        found = json.load(f)
    seconds, to_host = {}, {}
    for t in found["timers"]:
        seconds[t["name"]] = seconds.get(t["name"], 0) + t["seconds"]["average"]
    for t in found["traffic"]:
        to_host[t["routine"]] = to_host.get(t["routine"], 0) + t["to_host"]
    steps = 0
    if holes:
        with open(os.path.join(folder, "bench", "searches.ah1.asc")) as f:
            steps = int(f.read().splitlines()[1].split()[3])
    return done.stdout, seconds, to_host, steps


def row(what, value, unit, most=None):
    note(what, value, unit, most, None if most is None else value <= most)
    print(f"{what:75} {value:10.4g} {unit:6}" + ("" if most is None else f" bar {most:g} {'met' if value <= most else 'MISSED'}"), flush=True)


_, one, _, steps = run(holes=1)
_, three, sent, _ = run(holes=3)
row(f"a search for a horizon (L = 8, 288 points, {steps} steps), {n}³ points on the device", 500 * (three["Horizons::search"] - one["Horizons::search"]), "ms", 50)
row("bytes to the host in three searches, of one field's", sent.get("Horizons::search", 0) / (8 * n**3), "")
gxx = '"ADMBase::gxx"'
few, many = (run(k, fields=gxx)[1]["Multipole::multipoles"] for k in (5, 45))
row("a sphere of 1152 points, l ≤ 4, and its 25 files", 25 * (many - few), "ms", 2)
if device == "cuda":
    text = run(fields='"WeylScalars::Psi4r"', counters="true")[0]
    times = [float(t) for t in re.findall(r"^WeylScalars::analysis, \d+ blocks(?: \(\d+\))? +\d+ +([0-9.]+)", text, re.M)]
    print(*(line for line in text.splitlines() if re.match("WeylScalars|Interpolate|kernel|counters", line)), sep="\n", flush=True)
    if times:
        row(f"Ψ4 at {n}³ points", 1e-3 * min(times), "ms", 10)
write(sys.argv[1])
