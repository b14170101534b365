#!/usr/bin/env python3
"""A disk that is full, and a limit on the size of files, while a run writes checkpoints and series: the run goes on, or ends with a message
that says what is missing; what was written before stays whole, and with room again the run ends with the bits of one that never stopped.

A mutation that makes it fail: SIGXFSZ kills.
"""
import glob
import os
import resource
import shutil
import subprocess
import tempfile

from _physics import check, finish, job

PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII, WaveToy, Checkpoint]
Cereus: {{iterations: {iterations}, output: out}}
UniGrid: {{cells: [80, 80, 80]}}
IOASCII: {{variables: ["WaveToy::u", "WaveToy::rho"], every: 1}}
Checkpoint: {{every: 2, keep: 2}}
"""


def run(folder, iterations, largest=None):
    limit = None if largest is None else lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (largest, resource.RLIM_INFINITY))
    return subprocess.run(**job(folder, PARFILE.format(iterations=iterations)), capture_output=True, timeout=120, preexec_fn=limit)


def series(folder):
    return {os.path.basename(p): open(p, "rb").read() for p in glob.glob(os.path.join(folder, "out", "*.asc"))}


def kept(folder):
    return sorted(n for n in os.listdir(os.path.join(folder, "out", "checkpoints")) if n.isdigit())


whole = tempfile.mkdtemp(prefix="cereus-")
check(run(whole, 12).returncode == 0, "a run that never stops")
want = series(whole)
start = tempfile.mkdtemp(prefix="cereus-")
check(run(start, 6).returncode == 0, "a run of 6 steps")


def copy(to):
    shutil.copytree(start, to, dirs_exist_ok=True)
    return to


def goes_on(folder, what):
    done = run(folder, 12)
    check(done.returncode == 0 and series(folder) == want, f"{what}: the same afterwards {done.stderr[-300:] if done.returncode else ''}")


# No file larger than 5 MiB, which MPI needs: a checkpoint takes 8.
folder = copy(tempfile.mkdtemp(prefix="cereus-"))
done = run(folder, 10, 5 << 20)
check(done.returncode == 0 and "no checkpoint was written at iteration 8" in done.stderr and "at most 5.0 MiB (ulimit -f)" in done.stderr,
      f"checkpoints are too large for a file: said, and the run goes on: {done.returncode} {done.stderr[-200:].strip()}")
check(kept(folder) == ["00000004", "00000006"], f"the older ones are kept: {kept(folder)}")
goes_on(folder, "checkpoints too large")

# A file system of 22 MiB, of which two checkpoints take 16.
disk = tempfile.mkdtemp(prefix="cereus-")
if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=22m", "none", disk], capture_output=True).returncode:
    print("SKIPPED: a full disk, because nothing may be mounted here")
else:
    try:
        copy(disk)
        with open(os.path.join(disk, "rest"), "wb") as f:
            f.write(bytes(os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize - 4_000_000))
        done = run(disk, 10)
        check(done.returncode == 0 and "no checkpoint was written at iteration 8: it needs 7.8 MiB, and 3." in done.stderr and "MiB are free" in done.stderr,
              f"a full disk: said, and the run goes on: {done.returncode} {done.stderr[-200:].strip()}")
        check(kept(disk) == ["00000004", "00000006"], f"the older ones are kept: {kept(disk)}")
        with open(os.path.join(disk, "more"), "wb") as f:
            f.write(bytes(os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize))
        done = run(disk, 300)
        check(done.returncode == 3 and "No space left" in done.stderr, f"no room for series: {done.returncode} {done.stderr[-300:].strip()}")
        os.remove(os.path.join(disk, "rest")), os.remove(os.path.join(disk, "more"))
        goes_on(disk, "a full disk")
    finally:
        subprocess.run(["umount", disk])
finish()
