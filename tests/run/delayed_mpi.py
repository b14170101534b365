#!/usr/bin/env python3
"""On 4 processes, with an MPI that receives and sends as late as it may, everything that is written has the same bits.

Mutations, each of which makes it fail, in thorns/UniGrid/src/UniGrid.cpp, of which standing_wave.py sees
the first by luck and the second not at all:
  Messages::wait  MPI_Waitall for the second half of requests_ only, which are the sends: ghost zones are NaN
  Messages::send  before MPI_Isend `std::ranges::fill(m.send, 0)`: neighbours receive zeros
"""
import filecmp
import os
import re
import subprocess
import tempfile

from _physics import check, finish

PARFILE = os.path.join(os.environ["CEREUS_SOURCE"], "parfiles", "standing-wave.yaml")
LIBRARY = os.path.join(os.environ["CEREUS_BUILD"], "tests", "delayed_mpi.so")


def written(*more, late):
    """The folder of output, and how many requests each process delayed."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    command = ["mpirun", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none", "-n", "4"]
    command += ["-x", f"LD_PRELOAD={LIBRARY}"] if late else []
    command += [os.environ["CEREUS"], "run", PARFILE, "--set", "IOASCII.lines=[x, y, z]", *more]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        print(done.stdout + done.stderr)
    check(done.returncode == 0, f"{' '.join(more)} {'late' if late else ''}: exit {done.returncode}")
    return os.path.join(folder, "standing-wave"), re.findall(r"delayed_mpi: (\d+) receives, (\d+) sends, (\d+) never", done.stderr)


for more in ((), ("--set", "Cereus.overlap=false"), ("--set", "UniGrid.blocks=2", "--set", "UniGrid.uneven=true")):
    (soon, none), (late, counts) = written(*more, late=False), written(*more, late=True)
    check(none == [] and len(counts) == 4, f"delayed on {len(counts)} processes")
    for receives, sends, lost in counts:
        check(int(receives) > 30 and int(sends) > 30 and lost == "0", f"{receives} receives, {sends} sends, {lost} never waited for")
    files = sorted(f for f in os.listdir(soon) if f.endswith(".asc"))
    check(len(files) > 5 and files == sorted(f for f in os.listdir(late) if f.endswith(".asc")), f"{len(files)} files of text")
    _, wrong, missing = filecmp.cmpfiles(soon, late, files, shallow=False)
    check(not wrong and not missing, f"the same bits, but in {wrong + missing}")
finish()
