#!/usr/bin/env python3
"""Measures the bars of the wave issue and writes docs/measured/wave.json. Prints a table.

Usage: measure.py BUILD [OUT]   BUILD: a folder configured with -DCEREUS_TESTS=ON -DCEREUS_BENCHMARKS=ON
Ratios are of one run; best of its steps, the rivals interleaved with the shipped path (tests/benchmarks/Rival).
"""
import datetime
import json
import os
import platform
import re
import subprocess
import sys
import tempfile

build = os.path.abspath(sys.argv[1])
root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
out = sys.argv[2] if len(sys.argv) > 2 else os.path.join(root, "docs", "measured", "wave.json")
cereus = os.path.join(build, "bin", "cereus")
environment = dict(os.environ, CEREUS=cereus, CEREUS_SOURCE=root, CEREUS_BUILD=build,
                   CEREUS_TEST_THORNS=os.path.join(build, "tests", "thorns"))
rows = []
commit = subprocess.run(["git", "-C", root, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()
machine = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), platform.machine())


def row(what, value, unit, bar, met, command, peer=""):
    rows.append({"what": what, "value": value, "unit": unit, "bar": bar, "met": bool(met), "peer": peer,
                 "machine": f"{machine}, {os.cpu_count()} cores", "date": datetime.date.today().isoformat(),
                 "commit": commit, "command": command})
    print(f"{'met   ' if met else 'MISSED'} {what}: {value} {unit} (bar: {bar})", flush=True)


def run(parfile, *more):
    """A run in a folder of its own: its output folder, what it printed, its largest resident size in kB."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(parfile)
    p = subprocess.Popen([cereus, "run", "run.yaml", *more], cwd=folder, stdout=subprocess.PIPE, text=True)
    text = p.stdout.read()
    _, status, usage = os.wait4(p.pid, 0)
    if status != 0:
        sys.exit(text)
    return os.path.join(folder, "run"), text, usage.ru_maxrss


BENCH = """thorns: [UniGrid, Time, MoL, WaveToy, Rival]
Cereus: {iterations: 30, thorn_path: ["%s/tests/thorns"]}
UniGrid: {cells: [256, 256, 256]}
Time: {dt: 0.001}
""" % build


def best(fuse):
    folder, _, _ = run(BENCH, "--set", f"Cereus.fuse={fuse}")
    with open(os.path.join(folder, "rival.json")) as f:
        return json.load(f)


def speed():
    command = "cereus run bench.yaml --set Cereus.fuse=%s (WaveToy, order 4, 256³, with tests/benchmarks/Rival)"
    b = best("false")
    tilings = {k: v for k, v in b.items() if k.startswith("rhs,")}
    name = min(tilings, key=tilings.get)
    ratio = tilings[name] / b["WaveToy::rhs"]
    row("WaveToy's right-hand side, order 4, 256³, against the best of four tilings by hand", round(ratio, 3), "ratio",
        ">= 0.95", ratio >= 0.95, command % "false", f"{name}: {256**3 * 32e-9 / tilings[name]:.1f} GB/s of 32 B a point")
    copy = b["copy, 2 reads and 2 writes"] / b["WaveToy::rhs"]
    row("the same against a copy loop with the same streams", round(copy, 3), "ratio", "aim 0.90", copy >= 0.90, command % "false")
    b = best("true")
    steps = {k: v for k, v in b.items() if k.startswith("RK4,")}
    name = min(steps, key=steps.get)
    ratio = steps[name] / b["evolve"]
    row("one RK4 step, 256³, against fused loops by hand", round(ratio, 3), "ratio", ">= 0.95", ratio >= 0.95, command % "true",
        f"{name}: {256**3 * 208e-9 / steps[name]:.1f} GB/s of 208 B a point")


def overhead():
    text = subprocess.run([os.path.join(build, "tests", "benchmark_overhead")], capture_output=True, text=True).stdout
    for thorns, median, most in re.findall(r"(\d+) thorns: median ([\d.]+) us, 99 % below ([\d.]+)", text):
        row(f"flesh overhead a routine, {thorns} thorns: median", float(median), "us", "< 2", float(median) < 2, "benchmark_overhead")
        row(f"flesh overhead a routine, {thorns} thorns: 99 %", float(most), "us", "< 10", float(most) < 10, "benchmark_overhead")


MEMORY = """arrangements: [standard]
thorns: [WaveToy]
Cereus: {iterations: 2}
Time: {dt: 0.001}
IOASCII: {variables: ["WaveToy::u"], every: 1}
IOHDF5: {variables: ["WaveToy::u"], every: 2}
IOImage: {variables: ["WaveToy::u"], every: 2}
"""


def memory():
    resident = {n: run(MEMORY, "--set", f"UniGrid.cells=[{n},{n},{n}]")[2] for n in (8, 256)}
    increase = (resident[256] - resident[8]) * 1024
    row_length, plane = 272, 272 * 261  # 256 cells, 2 ghost zones a side, 1 vertex; rows rounded up to 16 doubles
    before = (2 + 2 * row_length + 2 * plane + 15) // 16 * 16
    copy = 2 * 8 * ((before - 2 * row_length - 2 * plane + 261 * plane + 15) // 16 * 16)
    row("memory: 256³ above 8³, RK4, peak with output", round(increase / copy, 3), "copies of the state with ghosts and padding",
        "<= 4", increase <= 4 * copy, "cereus run memory.yaml, peak resident size")
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(MEMORY)
    text = subprocess.run([cereus, "check", "run.yaml", "--set", "UniGrid.cells=[256,256,256]"], cwd=folder, capture_output=True, text=True).stdout
    told = float(re.search(r"\((\d+) bytes\)", text).group(1))
    row("memory that check tells, against the resident increase", round(told / increase, 3), "ratio", "within 5 %",
        abs(told / increase - 1) < 0.05, "cereus check memory.yaml")


def tests():
    for name, what in (("standing_wave", "standing wave at the origin, to 1e-13; same bits on 1, 2, 4 processes, 1 and 8 uneven blocks"),
                       ("ode", "errors of Euler, RK2, RK3, SSPRK3, RK4 on the power law, to 4e-15"),
                       ("convergence", "orders of WaveToy 2, 4, 6, 8 in 2D and 3D, within 0.1"),
                       ("diffusion", "orders of Diffusion, within 0.1"),
                       ("errors", "12 mistakes, 12 messages with line, column and mend, exit 1")):
        done = subprocess.run([sys.executable, os.path.join(root, "tests", "run", name + ".py")], env=environment, capture_output=True, text=True)
        row(what, "passed" if done.returncode == 0 else done.stdout[-300:] + done.stderr[-300:], "", "all", done.returncode == 0, f"tests/run/{name}.py")


tests()
overhead()
memory()
speed()
os.makedirs(os.path.dirname(out), exist_ok=True)
with open(out, "w") as f:
    json.dump(rows, f, indent=1, ensure_ascii=False)
    f.write("\n")
