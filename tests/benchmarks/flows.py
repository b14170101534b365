#!/usr/bin/env python3
"""Rates of flows and crystals through `cereus run`, and figures that take a device: prints a table and writes JSON.

    flows.py OUTPUT.json [--device] [--cells N] [NAME…]

--device: on a GPU, else on the host, where the bars do not hold. --cells: along each axis, instead of what a bar is for. Best of three
runs; what has figures of physics runs once. CEREUS names the executable.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile

from _rates import host, note, write

PARFILE = """thorns: [UniGrid, Time, {thorns}{device}]
Cereus: {{iterations: {steps}, device: {kind}, real: {real}, poison: false}}
UniGrid: {{cells: {cells}, lower: 0, upper: 1, periodic: {periodic}}}
{parameters}
"""
GAS = """Time: {courant: 0.3}
MoL: {method: SSPRK2}
EOS: {gamma: 5/3}
Hydro: {scheme: plm, density: 1 + 0.2*sin(2*pi*(x + y)), velocity: ["0.1*cos(2*pi*y)", "0.1*sin(2*pi*z)", "0.05"], pressure: "1"}"""
VORTEX = """Time: {courant: 0.6}
MoL: {method: SSPRK3}
Incompressible: {velocity: ["sin(2*pi*x)*cos(2*pi*y)*cos(2*pi*z)", "-cos(2*pi*x)*sin(2*pi*y)*cos(2*pi*z)"], viscosity: 1/1600/(2*pi), tolerance: 1e-8}
IOASCII: {variables: ["Incompressible::divergence"], every: 20}"""
CRYSTAL = """Time: {dt: 0.025}
Dendrite: {diffusivity: 1, undercooling: 0.65}"""
# What, thorns, type, axes, cells along each, periodic, steps, bar in Gcell-steps/s, parameters; h is 1 over the cells.
CASES = {
    "sola": ("Sola, 4 sweeps, float", "Boundary, Sola", "float", 3, 256, False, 2000, 20, "Time: {dt: 0.0127 * h}\nSola: {iterations: 4}"),
    "hydro": ("Hydro, PLM (van Leer), HLLC, SSPRK2", "EOS, MoL, Hydro", "double", 3, 256, True, 100, 4.0, GAS),
    "hydro-float": ("Hydro, PLM (van Leer), HLLC, SSPRK2, float", "EOS, MoL, Hydro", "float", 3, 256, True, 200, 6, GAS),
    "hydro-weno5": ("Hydro, WENO5, SSPRK3", "EOS, MoL, Hydro", "double", 3, 256, True, 40, 0.8, GAS.replace("SSPRK2", "SSPRK3").replace("plm", "weno5")),
    "vortex": ("Incompressible, Taylor and Green's vortex, SSPRK3, Fourier", "MoL, Boundary, Incompressible, Fourier, Reduce, IOASCII", "double", 3, 256, True, 20, 0.8, VORTEX),
    "vortex-multigrid": ("Incompressible, Taylor and Green's vortex, SSPRK3, Multigrid", "MoL, Boundary, Incompressible, Multigrid, Reduce, IOASCII", "double", 3, 256, True, 20, 0.8, VORTEX),
    "dendrite": ("Dendrite", "Boundary, Dendrite", "double", 2, 4096, False, 400, 70, CRYSTAL),
}
SOURCE = "-14*pi^2*cos(pi*x)*cos(2*pi*y)*cos(3*pi*z) + 50*(sin(37*x*y + 11*z) > 0 ? 1 : -1)*cos(pi*x)*cos(pi*y)*cos(pi*z)"
POISSON = """Time: {{dt: 1}}
Boundary: {{all: {condition}}}
Elliptic: {{source: "{source}", tolerance: 1e-10, each_step: true}}
IOASCII: {{variables: ["Elliptic::cycles"], every: 10}}"""
# Taylor–Green at Re = 1600: when energy falls fastest, and how fast; spectral: 0.012858 at t = 8.97 (case C3.5 of the high-order workshop).
DECAY = """Time: {courant: 1}
MoL: {method: SSPRK3}
Incompressible: {velocity: ["sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)"], viscosity: 1/1600}
IOASCII: {variables: ["Incompressible::energy"], every: 4, reductions: [average]}"""
ENERGIES = {0: 0.12500, 1: 0.12452, 2: 0.12392, 9: 0.08640, 10: 0.07448}
MORE = {"dendrite": ("--set", "UniGrid.upper=1638.4")}  # cells of 0.4
parser = argparse.ArgumentParser()
parser.add_argument("output")
parser.add_argument("--device", action="store_true")
parser.add_argument("--cells", type=int)
parser.add_argument("names", nargs="*", default=[*CASES, "poisson", "decay"])  # and sola-scaling, on two devices
options = parser.parse_intermixed_args()
if not options.device:
    os.environ.setdefault("MACHINE", host())


def run(thorns, real, dim, n, periodic, steps, parameters, *more):
    """The folder of the run, and what it said."""
    text = PARFILE.format(thorns=thorns, device=", Accelerator, AcceleratorCUDA" if options.device else "", kind="cuda" if options.device else "none", real=real, steps=steps,
                          cells=[n] * dim, periodic=str(periodic).lower(), parameters=parameters.replace("h}", f"{1 / n}}}"))
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "bench.yaml"), "w") as f:
        f.write(text)
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "bench.yaml", *more], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(text + done.stdout + done.stderr)
    for line in re.findall(r".*the fastest of.*", done.stdout):
        print(" ", line)
    return os.path.join(folder, "bench"), done.stdout


def series(folder, name):
    (path,) = glob.glob(os.path.join(folder, name))
    with open(path) as f:
        return [[float(x) for x in line.split()] for line in f if line.strip() and not line.startswith("#")]


def rate(name):
    what, thorns, real, dim, cells, periodic, steps, bar, parameters = CASES[name]
    n, found = options.cells or cells, 0
    for _ in range(3):
        folder, said = run(thorns, real, dim, n, periodic, steps if options.device else max(2, steps // 100), parameters, *MORE.get(name, ()))
        found = max(found, 1e-3 * float(re.findall(r"([0-9.e+]+) Mcell/s", said)[-1]))
    comparable = options.device and n == cells
    print(f"{what}, {n}^{dim}: {found:.3f} Gcell-steps/s (bar {bar})", flush=True)
    note(f"{what}, {n}^{dim}", found, "Gcell-steps/s", bar if comparable else None, found >= bar if comparable else None)
    if name.startswith("vortex"):
        left = max(row[-1] for row in series(folder, "*residual..asc")[1:])
        print(f"  largest |div u| h / |u|: {left:.1e} (bar 1e-8)")
        note(f"{what}, {n}^{dim}: largest |∇·u| h / |u|, times 1e8", 1e8 * left, "", 1, left <= 1e-8)


def poisson():
    sizes = [options.cells] if options.cells else [64, 128, 256, 512]
    for n, condition in [(n, "neumann") for n in sizes] + [(n, "dirichlet") for n in sizes[2:]]:
        best = 1e9
        for _ in range(3):
            folder, said = run("Boundary, Elliptic, Multigrid, Reduce, IOASCII, TimerReport", "double", 3, n, False, 10, POISSON.format(source=SOURCE, condition=condition))
            calls, time, unit = re.search(r"Elliptic::solve +(\d+) +([0-9.]+) (\S+)", said).groups()
            best = min(best, float(time) * {"s": 1e3, "ms": 1, "µs": 1e-3}[unit] / int(calls))
        cycles = series(folder, "*solve..asc")[-1][-1]
        bar = {256: 10, 512: 75}.get(n) if options.device else None
        what = f"Poisson, {n}^3, {condition.capitalize()}, to 1e-10"
        print(f"{what}: {best:.2f} ms, {cycles:.0f} cycles" + (f" (bar {bar})" if bar else ""), flush=True)
        note(what, best, "ms", bar, best <= bar if bar else None)
        note(f"{what}: cycles", cycles, "", 10, cycles <= 10)


def sola_scaling():
    _, thorns, real, _, _, _, steps, _, parameters = CASES["sola"]
    rates = {}
    for cells, processes in (([256] * 3, 1), ([512, 256, 256], 2), ([656] * 3, 1), ([656] * 3, 2)):
        more = ("--set", f"UniGrid.cells={cells}", "--set", f"UniGrid.upper={[c / cells[-1] for c in cells]}", "-n", str(processes))
        text = parameters.replace("h}", f"{1 / cells[-1]}}}")
        rates[cells[0], processes] = max(1e-3 * float(re.findall(r"([0-9.e+]+) Mcell/s", run(thorns, real, 3, 8, False, steps if cells[-1] == 256 else 300, text, *more)[1])[-1])
                                         for _ in range(3))
    for what, share, bar in (("weak, 256³ a device, 1 to 2", rates[512, 2] / rates[256, 1] / 2, 0.95), ("strong, 656³, 1 to 2", rates[656, 2] / rates[656, 1] / 2, None)):
        print(f"Sola, {what} devices: {share:.3f} (bar {bar}); {rates}", flush=True)
        note(f"Sola, float, {what} devices: rate over that of as many alone", share, "", bar, None if bar is None else share >= bar)


def decay():
    for n, most, late in ((256, 0.10, 0.3), (512, 0.02, 0.1)) if not options.cells else ((options.cells, 1, 1),):
        folder, said = run("MoL, Boundary, Incompressible, Fourier, Reduce, IOASCII", "double", 3, n, True, -1, DECAY, "--set", "Cereus.final_time=10",
                           "--set", "UniGrid.upper=6.283185307179586")
        rows = series(folder, "*densities.average.asc")
        time, energy = [r[1] for r in rows], [r[2] for r in rows]
        falls = [((energy[i - 1] - energy[i + 1]) / (time[i + 1] - time[i - 1]), time[i]) for i in range(1, len(rows) - 1)]
        fall, when = max(falls)
        at = lambda t: min(zip(time, energy), key=lambda p: abs(p[0] - t))[1]
        off = max(abs(at(t) / e - 1) for t, e in ENERGIES.items() if t <= 8)
        print(f"Taylor–Green, Re = 1600, {n}^3: -dE/dt largest, {fall:.6f}, at t = {when:.2f} (spectral 0.012858 at 8.97); E off by {off:.2%} until t = 8;", said.split("Mcell/s")[0].split()[-1], "Mcell/s", flush=True)
        note(f"Taylor–Green, Re = 1600, {n}^3: largest -dE/dt over the spectral one", fall / 0.012858, "", f"within {most:.0%}", abs(fall / 0.012858 - 1) <= most)
        note(f"Taylor–Green, Re = 1600, {n}^3: when, minus 8.97", when - 8.97, "", f"within {late}", abs(when - 8.97) <= late)
        note(f"Taylor–Green, Re = 1600, {n}^3: energy until t = 8, off by", 100 * off, "%", 1, off <= 0.01)


for name in options.names:
    {"poisson": poisson, "decay": decay, "sola-scaling": sola_scaling}.get(name, lambda: rate(name))()
    write(options.output)
