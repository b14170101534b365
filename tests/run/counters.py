#!/usr/bin/env python3
"""`AcceleratorCUDA: {counters: true}`: on a GPU the table says what the kernel of a step must move, time tiles are in it, and no bit
changes. Where the device may not be asked it says why, once; where there is none the run goes on on the host, or on a mirror, as without.

Mutations that made it fail without a GPU: the routine is scheduled without counters; it says nothing where there is no device.
"""
import os
import re
import subprocess
import tempfile

from _physics import check, finish, job

CUDA = os.environ.get("CEREUS_DEVICE") == "cuda"
CELLS = 384 if CUDA else 24  # much larger than the caches, where what is written may stay
PARFILE = """thorns: [UniGrid, Time, Boundary, Reduce, IOASCII, Stencils, Accelerator, {device}{more}]
Cereus: {{iterations: {steps}, device: {kind}}}
UniGrid: {{cells: [{cells}, {cells}, {cells}], periodic: false}}
Time: {{dt: 1}}
Boundary: {{all: fixed}}
Stencils: {{program: jacobi3d}}
IOASCII: {{variables: [Stencils::u], every: {steps}, lines: [x, y, z], lines_every: {steps}}}
"""
TILED = "CaKernel: {steps: 3, trials: false, cache: false, wait: true}\n"
ROW = re.compile(r"^(\S.*), (\d+) blocks +(\d+) +([\d.]+) +([\d.]+) +([\d.]+) +(\d+) +([\d.]+) % +([\d.]+) %.* (\d+) +(\d+)$", re.M)


def run(counters, kind, device="AcceleratorCUDA", tiled=False, steps=24):
    """What a run says, and what it writes."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    text = PARFILE.format(device=device, more=", CaKernel" if tiled else "", kind=kind, cells=CELLS, steps=steps) + (TILED if tiled else "")
    if counters:
        text += "AcceleratorCUDA: {counters: true}\n"
    task = job(folder, text)
    task["env"].pop("CEREUS_DEVICE", None)  # the file says it
    done = subprocess.run(**task, capture_output=True, timeout=280)
    check(done.returncode == 0, f"counters: {counters}, {kind}: exit {done.returncode} {done.stderr[-500:] if done.returncode else ''}")
    written = {}
    for name in sorted(os.listdir(os.path.join(folder, "run"))):
        if name.endswith(".asc"):
            with open(os.path.join(folder, "run", name)) as f:
                written[name] = [line for line in f if not line.startswith("#")]
    return done.stdout, written


def rows(said, name):
    """Of the table, those of a kernel, as numbers: launches, µs, MB read, MB written, GB/s, % of memory, % of multiprocessors, registers, spilled."""
    return [[float(x) for x in m.groups()[2:]] for m in ROW.finditer(said) if m[1] == name]


if subprocess.run([os.environ["CEREUS"], "describe", "AcceleratorCUDA"], capture_output=True).returncode != 0:
    finish("this build has no CUDA")
for tiled in (False, True) if CUDA else (False,):
    kind = "cuda" if CUDA else "auto"
    plain, expected = run(False, kind, tiled=tiled)
    said, written = run(True, kind, tiled=tiled)
    check("counters" not in plain and "counted" not in plain, "nothing is said of counters without them")
    check(len(written) > 3 and written == expected, "the same bits with counters")
    if not CUDA:
        check(said.count("no counters of kernels: no NVIDIA device runs them") == 1, "without a device: said once")
        continue
    if "no counters of kernels" in said:
        check(said.count("counters of kernels") == 1, "not permitted here: said once")
        print(said)
        continue
    print(said[said.index("counted by the device"):])
    check("no more counters" not in said, "no reading failed")
    name = "time tiles of Stencils::step" if tiled else "Stencils::step"
    found = rows(said, name)
    if not check(found != [], f"{name} is in the table"):
        continue
    launches, us, read, wrote, rate, memory, busy, registers, spilled = max(found, key=lambda r: r[0] * r[1])
    moves = 8e-6 * CELLS**3
    check(0.85 * moves < wrote < 1.15 * moves, f"{name}: wrote {wrote} MB, of {moves:.1f}")
    check(0.95 * moves < read < 1.4 * moves, f"{name}: read {read} MB, of {moves:.1f}")
    check(abs(rate - 1e3 * (read + wrote) / us) < 0.02 * rate and 0 < memory <= 100 and 0 < busy <= 100 and registers > 0, f"{name}: {rate} GB/s, {memory} % of memory, {busy} % of multiprocessors")
    check(launches >= (4 if tiled else 20), f"{name}: {launches:.0f} launches")

mirror = [run(counters, "mirror", "AcceleratorCUDA, AcceleratorMirror", steps=6) for counters in (False, True)] if not CUDA else []
if mirror:
    check(mirror[0][1] == mirror[1][1] and "no counters of kernels" in mirror[1][0], "on a mirror: nothing but a word")
finish()
