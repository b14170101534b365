#!/usr/bin/env python3
"""Measures what one waits for each day and adds it to docs/measured/everyday.json: so far, the first picture of a slice of a run with 1,000 outputs.

Usage: everyday.py BUILD [OUT]   The run is made anew: 64³ cells in 8 blocks, 2.1 GB on disk.
Each figure is the median of five new processes, with the files in the page cache; "cold" without those of the run and of Python's packages. What a process
waited for a processor, which others had, is given beside the clock: on a machine of its own there is none of it.
"""
import os
import statistics
import subprocess
import sys
import tempfile

from _rates import host, note, write

os.environ.setdefault("MACHINE", host())
build = os.path.abspath(sys.argv[1])
root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
out = sys.argv[2] if len(sys.argv) > 2 else os.path.join(root, "docs", "measured", "everyday.json")

PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, WaveToy, IOASCII, IOHDF5]
Cereus: {iterations: 999}
UniGrid: {cells: [64, 64, 64], blocks: 8}
IOHDF5: {variables: ["WaveToy::u"], every: 1}
"""
SLICE = """
import resource, sys, time
def waited():  # for a processor, in s
    with open("/proc/self/schedstat") as f:
        return int(f.read().split()[1]) * 1e-9
began, spent, idle = time.perf_counter(), time.process_time(), waited()
import cereus
run = cereus.open("run")
if sys.argv[1] == "array":
    assert run.fields["WaveToy::u"].at(iteration=500).slice("xz").values.shape == (64, 64) and len(run.fields["WaveToy::u"]) == 1000
else:
    cereus.plot(run, "WaveToy::u", iteration=500, slice="xz").savefig("slice.png")
print(time.perf_counter() - began, waited() - idle, time.process_time() - spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024e-6)
"""


def row(what, value, unit, bar, met):
    note(what, value, unit, bar, met)
    print(f"{ {True: 'met   ', False: 'MISSED', None: '      '}[met]} {what}: {value:.3g} {unit} (bar: {bar})", flush=True)


def forget(*folders):
    """Takes files out of the page cache."""
    for folder, _, names in (found for top in folders for found in os.walk(top)):
        for name in names:
            try:
                with open(os.path.join(folder, name), "rb") as f:
                    os.posix_fadvise(f.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
            except OSError:
                pass


def measure(kind, folder, cold):
    """Medians: seconds by the clock, of them for a processor, seconds on one, MB."""
    measured = []
    for _ in range(5):
        if cold:
            forget(os.path.join(folder, "run"), *{os.path.realpath(p) for p in sys.path if p.startswith("/usr")})
        done = subprocess.run([sys.executable, "-c", SLICE, kind], cwd=folder, env=environment, capture_output=True, text=True, check=True)
        measured.append([float(word) for word in done.stdout.split()])
    return [statistics.median(values) for values in zip(*measured)]


environment = dict(os.environ, PYTHONPATH=os.path.join(build, "lib", "python3"))
with tempfile.TemporaryDirectory(prefix="cereus-") as folder:
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(PARFILE)
    subprocess.run([os.path.join(build, "bin", "cereus"), "run", "run.yaml", "--quiet"], cwd=folder, check=True)
    os.sync()  # what is not written yet stays in the page cache
    for kind, name in (("array", "as an array"), ("picture", "as a picture, with matplotlib's import")):
        seconds, waiting, processor, megabytes = measure(kind, folder, cold=False)
        row(f"first slice of a run with 1,000 outputs of 64³ in 8 blocks, {name}: from import to the end", seconds, "s", "≤ 1", seconds <= 1)
        row(f"first slice, {name}: of these, waiting for a processor that others had", waiting, "s", None, None)
        row(f"first slice, {name}: processor time of it", processor, "s", None, None)
        row(f"first slice, {name}: largest resident size", megabytes, "MB", "≤ 200", megabytes <= 200)
        seconds, waiting, *_ = measure(kind, folder, cold=True)
        row(f"first slice, {name}, cold", seconds, "s", None, None)
        row(f"first slice, {name}, cold: of these, waiting for a processor that others had", waiting, "s", None, None)
write(out)
