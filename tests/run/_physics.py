"""Runs small parameter files and reads what they write; for the tests of physics beside it."""
import glob
import math
import os
import subprocess
import sys
import tempfile

scratch = tempfile.TemporaryDirectory(prefix="cereus-")  # goes when the test ends, with all folders that it makes
tempfile.tempdir = scratch.name
failures = []
DIMENSIONS = [int(d) for d in os.environ.get("CEREUS_DIMENSIONS", "1 2 3").split()]  # for which kernels were compiled


def known(cases):
    """Of cases, which begin with a dimension, those that can run."""
    return [c for c in cases if c[0] in DIMENSIONS]


def check(ok, what):
    print(("ok    " if ok else "WRONG ") + what, flush=True)
    if not ok:
        failures.append(what)
    return ok


def finish(unseen=""):
    """Ends the test; where it could not look at what it is for, ctest shows it as skipped."""
    if unseen and not failures:
        print("SKIPPED:", unseen)
        sys.exit(77)
    sys.exit(f"{len(failures)} checks failed" if failures else 0)


def read_by_kuibit(script, folder, what):
    """Runs `script kuibit FOLDER` by the Python of the build's folder `readers`, which has kuibit."""
    python = os.path.join(os.environ.get("CEREUS_BUILD", ""), "readers", "bin", "python")
    if not os.path.exists(python):
        return print("SKIPPED: kuibit is not installed in the folder `readers` of the build")
    done = subprocess.run([python, script, "kuibit", folder], capture_output=True, text=True)
    return check(done.returncode == 0, f"kuibit reads {what}" + done.stderr[-600:])


def job(folder, parfile, processes=1, options=(), **environment):
    """What subprocess.run and Popen take, to run a parameter file in a folder; without a device that the environment asks for."""
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(parfile)
    on = ["-n", str(processes)] if processes > 1 else []
    return {"args": [os.environ["CEREUS"], "run", "run.yaml", *on, *options], "cwd": folder, "text": True,
            "env": {k: v for k, v in os.environ.items() if k != "CEREUS_ACTIVATE"} | environment}


def outcome(parfile, processes=1, options=(), folder=None, timeout=300, **environment):
    """Runs a parameter file whose output is `run`; returns the exit code, what was said, and the folder of the output."""
    folder = folder or tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, parfile, processes, options, **environment), capture_output=True, timeout=timeout)
    return done.returncode, done.stdout + done.stderr, os.path.join(folder, "run")


def ranks(folder):
    """Numbers of the processes of a run in a folder, without those that launch them."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/cmdline") as f:
                words = f.read().split("\0")
            if "run" in words and "mpirun" not in words[0] and "-n" not in words and os.readlink(f"/proc/{pid}/cwd") == folder:
                found.append(int(pid))
        except OSError:  # it has ended meanwhile
            pass
    return found


def picture(path):
    """A PNG file without its notes, which say on how many processes it was made."""
    with open(path, "rb") as f:
        data, kept, at = f.read(), b"", 8
    while at < len(data):
        end = at + 12 + int.from_bytes(data[at:at + 4], "big")
        kept += b"" if data[at + 4:at + 8] == b"iTXt" else data[at:end]
        at = end
    return kept


def run(parfile, processes=1):
    """Runs a parameter file in a folder of its own; returns the folder of the output."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(parfile)
    command = [os.environ["CEREUS"], "run", "run.yaml"] + (["-n", str(processes)] if processes > 1 else [])
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        print(parfile, done.stdout, done.stderr, sep="\n")
        sys.exit(f"cereus ended with {done.returncode}")
    return os.path.join(folder, "run")


def fails(parfile):
    """Runs a parameter file that must not end well; returns the exit code and what was said."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(parfile)
    done = subprocess.run([os.environ["CEREUS"], "run", "run.yaml"], cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def rows(folder, name):
    """The numbers of a text file, a list a row."""
    (path,) = glob.glob(os.path.join(folder, "**", name), recursive=True)
    with open(path) as f:
        return [[float(x) for x in line.split()] for line in f if line.strip() and not line.startswith("#")]


def bits(folder, iteration):
    """All fields that were written at an iteration, and all text series."""
    import h5py  # which not every test needs
    content = {}
    for path in glob.glob(os.path.join(folder, f"*{iteration:08d}.hdf")):
        with h5py.File(path) as f:
            f[f"data/{iteration}/meshes"].visititems(lambda name, x: content.__setitem__(name, x[()].tobytes()) if isinstance(x, h5py.Dataset) else None)
    for path in glob.glob(os.path.join(folder, "*.asc")):
        with open(path, "rb") as f:
            content[os.path.basename(path)] = f.read()
    return content


def line(folder, name):
    """Of a file of lines the last one written, as {coordinate x: value}."""
    all_rows = rows(folder, name)
    last = all_rows[-1][0]
    return {row[9]: row[12] for row in all_rows if row[0] == last}


def order_of(coarse, fine):
    return math.log2(coarse / fine)
