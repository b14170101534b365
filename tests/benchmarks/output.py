#!/usr/bin/env python3
"""What output and analysis cost: prints a table and writes JSON.

    output.py OUTPUT.json [--device] [hdf5] [compressed] [spectrum] [mixed]

hdf5: a field of 256³ doubles by 1 and 4 processes, against dd with fsync, in turns, in the working directory; medians of 7.
compressed: the same by 1 and 2 processes with `compression: 1`, of a smooth wave with noise of 1e-6, and the time of a core that this takes; medians of 5.
spectrum: of a field of 256³ doubles, once the first is made. mixed: a wave of 256³ points for 1,000 steps, on a device with norms every 50, a
picture every 100, HDF5 every 250 and spectra every 100, over one without, in turns; medians of 3; on a host 10 steps. CEREUS names the executable.
"""
import argparse
import glob
import os
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

from _rates import host, note, write

parser = argparse.ArgumentParser()
parser.add_argument("output")
parser.add_argument("--device", action="store_true")
parser.add_argument("names", nargs="*", default=["hdf5", "compressed", "spectrum", "mixed"])
options = parser.parse_intermixed_args()
if not options.device:
    os.environ.setdefault("MACHINE", host())
SECONDS = {"s": 1, "ms": 1e-3, "µs": 1e-6}


def run(folder, thorns, text, *more):
    device = options.device
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(f"thorns: [UniGrid, Time, MoL, WaveToy{thorns}{', Accelerator, AcceleratorCUDA' if device else ''}]\n"
                f"UniGrid: {{cells: [256, 256, 256]}}\n" + text.replace("{iterations", f"{{device: {'cuda' if device else 'none'}, poison: false, iterations"))
    done = subprocess.run([os.environ.get("CEREUS", "cereus"), "run", "run.yaml", "--fresh", *more], cwd=folder, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout + done.stderr)
    return done.stdout


def timer(said, routine):
    """Seconds a call."""
    calls, value, unit = re.search(routine + r" +(\d+) +([0-9.]+) (\S+)", said).groups()
    return float(value) * SECONDS[unit] / int(calls)


def dd(folder):
    begin = time.perf_counter()
    subprocess.run(["dd", "if=/dev/zero", f"of={folder}/dd", "bs=1M", "count=128", "conv=fsync"], check=True, capture_output=True)
    return time.perf_counter() - begin


def hdf5(folder):
    for processes in (1, 4):
        shares = []
        for _ in range(7):
            against = dd(folder)
            said = run(folder, ", IOHDF5, TimerReport", 'Cereus: {iterations: 0}\nIOHDF5: {variables: ["WaveToy::u"], every: 1}\n', "-n", str(processes))
            shares.append(against / timer(said, "IOHDF5::fields"))
        share = statistics.median(shares)
        print(f"HDF5, 256³ doubles, {processes} processes: {share:.2f} of dd with fsync ({min(shares):.2f} to {max(shares):.2f}; bar 0.8)", flush=True)
        note(f"HDF5, uncompressed, one field of 256³ doubles, {processes} processes: bytes a second over those of dd with fsync", share, "", 0.8, share >= 0.8)


def compressed(folder):
    """Of what others do on the machine the rate tells, too; the processor's seconds do not."""
    def field(compression, processes):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = timer(run(folder, ", Expressions, IOHDF5, TimerReport", f"""Cereus: {{iterations: 0}}
Expressions: {{initial: ["WaveToy::u = sin(2 * pi * x) * cos(2 * pi * y) * sin(2 * pi * (x + z)) + 1e-6 * (2 * noise(1) - 1)"]}}
IOHDF5: {{variables: ["WaveToy::u"], every: 1, compression: {compression}}}
""", "-n", str(processes)), "IOHDF5::fields")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return seconds, after.ru_utime - before.ru_utime

    what, size = "HDF5, compression 1, one field of 256³ doubles (a smooth wave with noise of 1e-6)", 256**3 * 8
    for processes in (1, 2):
        seconds = [field(1, processes)[0] for _ in range(5)]
        (path,) = glob.glob(os.path.join(folder, "run", "*.hdf"))
        rate, share = 1e-6 * size / statistics.median(seconds), os.path.getsize(path) / size
        print(f"HDF5, compressed, {processes} processes: {rate:.0f} MB/s ({1e-6 * size / max(seconds):.0f} to {1e-6 * size / min(seconds):.0f}), {share:.3f} of the size", flush=True)
        note(f"{what}, {processes} process{'es' if processes > 1 else ''}: uncompressed bytes a second", rate, "MB/s", None, None)
    note(f"{what}: size over uncompressed", share, "", None, None)
    pairs = [(field(1, 1)[1], field(0, 1)[1]) for _ in range(5)]
    more = statistics.median(a - b for a, b in pairs)
    print(f"HDF5, compressed: {more:.2f} s of a core more than uncompressed", flush=True)
    note(f"{what}: time of a core, more than without compression", more, "s", None, None)


def spectrum(folder):
    total = lambda n: n * timer(run(folder, ", Spectrum, TimerReport", f'Cereus: {{iterations: {n - 1}}}\nSpectrum: {{variables: ["WaveToy::u"], every: 1}}\n'), "Spectrum::spectra")
    best = min((total(25) - total(5)) / 20 for _ in range(3))  # without the first, which makes things ready
    bar = 0.02 if options.device else 0.25
    print(f"Spectrum of 256³ doubles: {1e3 * best:.1f} ms (bar {1e3 * bar:.0f}) on {'a device' if options.device else f'{os.cpu_count()} cores'}", flush=True)
    known = options.device or os.cpu_count() == 16
    note(f"Spectrum, 256³, {'device' if options.device else f'{os.cpu_count()} cores'}", 1e3 * best, "ms", 1e3 * bar if known else None, best <= bar if known else None)


ANALYSIS = """Reduce: {}
IOASCII: {variables: ["WaveToy::u"], every: 50}
IOImage: {variables: ["WaveToy::u"], every: 100}
IOHDF5: {variables: ["WaveToy::u"], every: 250}
Spectrum: {variables: ["WaveToy::u"], every: 100}
"""


def mixed(folder):
    steps = 1000 if options.device else 10
    rate = lambda thorns, text: float(re.findall(r"([0-9.e+]+) Mcell/s", run(folder, thorns, f"Cereus: {{iterations: {steps}}}\n" + text))[-1])
    pairs = [(rate(", Reduce, IOASCII, IOImage, IOHDF5, Spectrum", ANALYSIS), rate("", "")) for _ in range(3)]
    share = statistics.median(a / b for a, b in pairs)
    alone = steps * 256**3 / (1e6 * statistics.median(b for _, b in pairs))
    most = alone / (alone + statistics.median(dd(folder) for _ in range(5)))  # the field of the last step is waited for
    print(f"a mixed run, {steps} steps: {share:.3f} of the rate without analysis and output (bar 0.95; {most:.3f} if dd wrote the last field); {pairs[-1][1]:.0f} Mcell/s without", flush=True)
    note(f"a mixed run, 256³ wave, {steps:,} steps: norms every 50, picture every 100, HDF5 every 250, spectrum every 100: rate over the rate without",
         share, "", 0.95 if options.device else None, share >= 0.95 if options.device else None)
    note("a mixed run, if nothing but the last field took time, and that as long as dd with fsync: rate over the rate without", most, "", None, None)


for name in options.names:
    with tempfile.TemporaryDirectory(prefix="cereus-", dir=".") as folder:
        {"hdf5": hdf5, "compressed": compressed, "spectrum": spectrum, "mixed": mixed}[name](folder)
    write(options.output)
