#!/usr/bin/env python3
"""Progress is one line that is rewritten if somebody watches, and plain lines in a log; mpirun, which gives each process a
terminal of its own, makes no difference.
Of a launcher of one's own we know nothing: plain lines.

Mutations, each of which makes it fail: isatty() alone in note_terminal(); note_terminal() after MPI has started.
"""
# Runs alone: lines come by the clock.
import os
import pty
import subprocess
import tempfile

from _physics import check, finish

PARFILE = """thorns: [UniGrid, Time, MoL, WaveToy]
Cereus: {wall_clock: 0.03}
UniGrid: {cells: [8, 8, 8]}
"""
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "CEREUS_TERMINAL"}


def said(before, after, watched):
    """What a run of 2 s writes to its standard output: a terminal or a pipe."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(PARFILE)
    reader, writer = pty.openpty() if watched else os.pipe()
    child = subprocess.Popen([*before, os.environ["CEREUS"], "run", "run.yaml", *after], cwd=folder, env=ENVIRONMENT, stdin=subprocess.DEVNULL, stdout=writer)
    os.close(writer)
    text = b""
    while True:
        try:
            piece = os.read(reader, 65536)
        except OSError:  # so ends a terminal
            break
        if not piece:
            break
        text += piece
    os.close(reader)
    check(child.wait() == 2, f"exit {child.returncode} at the end of the wall clock")
    return text.decode()


MPIRUN = ["mpirun", "--quiet", "--oversubscribe", "--allow-run-as-root", "-n", "2"]
for what, before, after in (("one process", [], []), ("-n 2", [], ["-n", "2"]), ("under mpirun", MPIRUN, [])):
    log = said(before, after, False)
    check("iteration" in log and not set("\r\033") & set(log), f"{what}, to a log: {log[-200:]!r}")
    if not before:
        rewritten = said(before, after, True).count("\r\033[K")
        check(rewritten > 1, f"{what}, to a terminal: rewritten {rewritten} times")
finish()
