#!/usr/bin/env python3
"""A run that is killed, or whose disk fills up, while it writes HDF5: at the n-th of all system calls that bring files to the disk, for n = 1, 2, ….
What was complete is read as it is, by h5py, also in files that are added to; the same command again goes on, and ends with what a run that never stopped has.

A seeded few by default; all with --long (CEREUS_LONG=1). Mutations that make it fail: in safe_file.cpp `old` is 0, so that what is settled
changes at once; in hdf5_file.cpp no `mend`; in changes.cpp `save` not called, or `folder_to_disk` not.
"""
import glob
import os
import random
import shutil
import subprocess
import tempfile

import h5py
import numpy as np

from _physics import check, finish, job

LONG = os.environ.get("CEREUS_LONG") == "1"
FAULTS = os.path.join(os.environ["CEREUS_BUILD"], "tests", "failing_disk.so")
PARFILE = """thorns: [UniGrid, Time, MoL, WaveToy, IOHDF5, Checkpoint]
Cereus: {{iterations: {end}, output: out}}
UniGrid: {{cells: [12, 10, 8]}}
IOHDF5: {{variables: ["WaveToy::u"], every: 1, {what}}}
Checkpoint: {{every: 1}}
"""
random.seed(23)


def run(folder, what, end=2, **more):
    """A run called wavetoy: so begin the names of all its output, native files and Carpet's, and of nothing else that it writes."""
    how = job(folder, PARFILE.format(what=what, end=end), **{"FAIL_BELOW": "out/wavetoy"} | more)
    os.replace(os.path.join(folder, "run.yaml"), os.path.join(folder, "wavetoy.yaml"))
    return subprocess.run(**how | {"args": ["wavetoy.yaml" if arg == "run.yaml" else arg for arg in how["args"]]}, capture_output=True, timeout=120)


def held(folder):
    """Of each output its values: (the file's kind, iteration) → array. What has changes to be made is left out: it waits for the run to go on."""
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "out", "*.h*"))):
        name = os.path.basename(path)
        if not name.endswith((".h5", ".hdf")) or os.path.exists(path + ".changes"):
            continue
        with h5py.File(path) as f:
            if name.endswith(".hdf"):
                (iteration,) = f["data"]
                found["native", int(iteration)] = f[f"data/{iteration}/meshes/WaveToy__u"][()]
            for key in f:
                if key.startswith("WAVETOY::u it="):
                    found[name, int(key.split("it=")[1].split()[0])] = f[key][()]
    return found


def same(some, want):
    return some.keys() <= want.keys() and all(np.array_equal(some[key], want[key]) for key in some)


log = os.path.join(tempfile.mkdtemp(prefix="cereus-"), "calls")
open(log, "w").close()
logged = run(os.path.dirname(log), "format: [], slices: [xy]", LD_PRELOAD=FAULTS, FAIL_BELOW="out/", SLOW_LOG=log, SLOW_BY="0")
with open(log) as f:
    calls = [(call, path) for _, call, path in map(str.split, f) if "wavetoy-" in path or path.endswith("/out/")]
after = [later for (call, path), later in zip(calls, calls[1:]) if call == "rename" and path.endswith(".changes.tmp")]
check(logged.returncode == 0 and [(call, path[-5:]) for call, path in after] == [("fsync", "/out/")] * 2, f"before older parts change, the folder has the list of changes: {after}")

changes = 0
for what, step in (("format: [], slices: [xy]", 3), ("format: [native, carpet], slices: []", 9), ("compression: 1", 7)):
    whole = tempfile.mkdtemp(prefix="cereus-")
    start = tempfile.mkdtemp(prefix="cereus-")  # where the others begin: outputs 0 and 1, and checkpoints of them
    check(run(whole, what).returncode == 0 and run(start, what, 1).returncode == 0, f"{what}: runs that never stop")
    want = held(whole)
    kinds = {kind for kind, _ in want}
    check(sorted(want) == [(kind, n) for kind in sorted(kinds) for n in range(3)], f"{what}: {len(want)} outputs")
    n, left = 0, True
    while left and n < 1000:
        n += 1 if LONG else random.randint(1, 2 * step - 1)
        how = random.choice(("kill", "kill", "28"))
        folder = os.path.join(tempfile.mkdtemp(prefix="cereus-"), "copy")
        shutil.copytree(start, folder)
        count = os.path.join(folder, "count")
        done = run(folder, what, LD_PRELOAD=FAULTS, FAIL_AT=str(n), FAIL_WITH=how, FAIL_COUNT=count)
        left = os.path.exists(count + ".failed")
        if not left:
            break
        said = f"{what}: call {n}, {how}"
        check(done.returncode == (-9 if how == "kill" else 3) and (how == "kill" or "cannot write" in done.stderr), f"{said}: exit {done.returncode} {done.stderr[-160:].strip()}")
        waits = glob.glob(os.path.join(folder, "out", "*.changes"))
        changes += len(waits)
        try:
            found = held(folder)
        except (OSError, KeyError, RuntimeError, ValueError) as error:
            check(False, f"{said}: what was complete is not readable: {error}")
            continue
        early = [(kind, m) for kind in kinds for m in range(2) if (kind, m) not in found and not any(kind in w for w in waits)]
        check(same(found, want) and not early, f"{said}: {len(found)} outputs are there and right; missing: {early}")
        done = run(folder, what)
        check(done.returncode == 0 and held(folder).keys() == want.keys() and same(held(folder), want), f"{said}: the same afterwards {done.stderr[-300:] if done.returncode else ''}")
        check(not glob.glob(os.path.join(folder, "out", "*.changes")) and not glob.glob(os.path.join(folder, "out", "*.h*.tmp")), f"{said}: nothing is left over")
    check(n > 10, f"{what}: at most {n} calls bring it to the disk")
check(changes > 0, f"{changes} runs died between changes of an older part")
finish()
