"""Rates of the stencil programs on a device, through `cereus run`, and the notes that the benchmarks beside it keep."""
import datetime
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile

PARFILE = """thorns: [UniGrid, Time, Boundary, Stencils, Accelerator, AcceleratorCUDA]
Cereus: {{iterations: {iterations}, device: cuda, real: {real}, poison: false}}
UniGrid: {{cells: {cells}, periodic: false}}
Time: {{dt: 1}}
Boundary: {{all: fixed}}
Stencils: {{program: {program}}}
"""
TILES = PARFILE.replace("Stencils,", "Stencils, CaKernel,") + "CaKernel: {{report: true, {more}}}\n"
notes = []


def run(cache, program, cells, real, iterations, more, *options):
    """Gpoint/s; seconds until sweeps were ready; lines about tiles, best first. `cache`: a folder; `more`: parameters of CaKernel, or None:
    one step at a time, without it."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "bench.yaml"), "w") as f:
        f.write((PARFILE if more is None else TILES).format(program=program, cells=cells, real=real, iterations=iterations, more=more))
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "bench.yaml", *options], cwd=folder, capture_output=True, text=True, env=dict(os.environ, XDG_CACHE_HOME=cache))
    found = re.findall(r"([0-9.e+]+) Mcell/s", done.stdout)
    if done.returncode != 0 or not found:
        sys.exit(done.stdout + done.stderr)
    said = done.stdout[done.stdout.rfind("time tiles"):].splitlines()
    ready = re.search(r"ready in ([0-9.e+-]+) s", said[0])
    return 1e-3 * float(found[-1]), float(ready[1]) if ready else 0.0, [line.strip() for line in said[2:] if re.match(r" *\d", line)]


def host():
    """The processor: what MACHINE is where nothing runs on a device."""
    with open("/proc/cpuinfo") as f:
        model = next((line.split(":")[1].strip() for line in f if line.startswith("model name")), platform.machine())
    return f"{model}, {os.cpu_count()} cores"


def commit():
    if "COMMIT" in os.environ or not shutil.which("git"):
        return os.environ.get("COMMIT", "")
    return subprocess.run(["git", "-C", os.path.dirname(os.path.abspath(__file__)), "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout.strip()


def note(what, value, unit, bar, met):
    """A row to write: a count as it is, a measured value with three significant digits. MACHINE of the environment names what it was measured on."""
    notes.append({"what": what, "value": value if isinstance(value, int) else float(f"{value:.3g}"), "unit": unit, "bar": bar, "met": met, "peer": None,
                  "machine": os.environ.get("MACHINE", "NVIDIA H200"), "date": str(datetime.date.today()), "commit": commit(),
                  "command": f"tests/benchmarks/{os.path.basename(sys.argv[0])}"})


def write(path):
    """Adds the rows to those of the file; they replace rows of the same `what`."""
    kept = []
    if os.path.exists(path):
        with open(path) as f:
            kept = [row for row in json.load(f) if row["what"] not in {n["what"] for n in notes}]
    with open(path, "w") as f:
        json.dump(kept + notes, f, indent=1, ensure_ascii=False)
        f.write("\n")


def points(cells):
    n = 1
    for c in cells:
        n *= c
    return n


def size(cells):
    return "×".join(map(str, cells))
