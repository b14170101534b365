#!/usr/bin/env python3
"""Host routines beside an evolution on a (mirror) device: they see data, clock and scalars as they were, in order, all of
them before the run ends, with the same output as without the lane; a failure ends the run with its message.

Mutations, each of which makes it fail: BackgroundThread::put does not copy scalars, or parameters; the view keeps its clock; kept snapshots are never
stale; no drain at the end; check does not throw.
"""
import glob
import os
import subprocess
import tempfile

import h5py
from _physics import DIMENSIONS, check, finish, job

THORNS = "[UniGrid, Time, MoL, Reduce, WaveToy, Witness, IOASCII, IOHDF5, Accelerator, AcceleratorMirror]"


def run(*more, parameters="", code=0):
    folder = tempfile.mkdtemp(prefix="cereus-")
    parfile = f"""thorns: {THORNS}
Cereus: {{iterations: 6, device: mirror, thorn_path: [{os.environ["CEREUS_TEST_THORNS"]}]}}
UniGrid: {{cells: [12, 12, 12]}}
IOASCII: {{variables: ["WaveToy::u"], lines: [x], every: 2}}
IOHDF5: {{variables: ["WaveToy::u", "WaveToy::rho"], every: 2}}
{parameters}
"""
    done = subprocess.run(**job(folder, parfile, options=more), capture_output=True, timeout=100)
    check(done.returncode == code, f"{more} exit {done.returncode} {done.stderr if done.returncode != code else ''}")
    return os.path.join(folder, "run"), done.stderr


def datasets(path):
    found = {}
    with h5py.File(path) as f:
        f.visititems(lambda name, o: found.update({name: o[()].tobytes()}) if isinstance(o, h5py.Dataset) and o.dtype.kind == "f" else None)
    check(found, f"{os.path.basename(path)} holds something")
    return found


if 3 not in DIMENSIONS:
    finish()
for n in [int(n) for n in os.environ.get("CEREUS_PROCESSES", "1 2").split()]:
    out, _ = run("-n", str(n))
    with open(os.path.join(out, "seen.txt")) as f:
        seen = f.read().split("\n")[:-1]
    check(seen == [f"{i} {n}" for i in range(7)], f"{n} processes: each iteration was seen once, in order: {seen}")
    plain, _ = run("-n", str(n), "--set", "Cereus.lane=false")
    for path in sorted(glob.glob(os.path.join(out, "*.asc"))):
        with open(path) as a, open(os.path.join(plain, os.path.basename(path))) as b:
            check(a.read() == b.read(), f"{n} processes: {os.path.basename(path)} as without the lane")
    for path in sorted(glob.glob(os.path.join(out, "*.h5"))):
        check(datasets(path) == datasets(os.path.join(plain, os.path.basename(path))), f"{n} processes: {os.path.basename(path)} as without the lane")
    out, said = run("-n", str(n), parameters="Witness: {fail_at: 3}", code=3)
    check("Witness fails as it was told" in said, f"{n} processes: a failure ends the run: {said.strip().splitlines()[-1:]}")
    with open(os.path.join(out, "seen.txt")) as f:
        check(len(f.read().split("\n")) == 4, "nothing is written after a failure")
    run("-n", str(n), parameters="Witness: {fail_at: 6}", code=3)  # in the last iteration
finish()
