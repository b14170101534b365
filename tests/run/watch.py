#!/usr/bin/env python3
"""`cereus watch` shows from the output folder how a run goes on, that it was stopped, has ended or has died, with its series and checkpoints; on a
terminal until it is over, elsewhere once.

Mutations that make it fail: what is said of a run that died; a series is read from its beginning each time; the file of progress is not written.
"""
import atexit
import fcntl
import glob
import json
import os
import pty
import re
import signal
import struct
import subprocess
import tempfile
import termios
import time

from _physics import check, finish, job

PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII, WaveToy, Checkpoint]
Cereus: {{iterations: {iterations}, output: out}}
UniGrid: {{cells: [12, 12, 12]}}
IOASCII: {{variables: ["WaveToy::u"], every: 10}}
Checkpoint: {{every: 200}}
"""


def watch(folder):
    return subprocess.run([os.environ["CEREUS"], "watch", folder], capture_output=True, text=True, timeout=60)


def start(folder, iterations, processes=1):
    return subprocess.Popen(**job(folder, PARFILE.format(iterations=iterations), processes), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def appear(folder, name):
    limit = time.monotonic() + 40
    while not glob.glob(os.path.join(folder, name)) and time.monotonic() < limit:
        time.sleep(0.02)
    return bool(glob.glob(os.path.join(folder, name)))


folder = tempfile.mkdtemp(prefix="cereus-")
out = os.path.join(folder, "out")
check(watch(folder).returncode == 1 and "holds no run" in watch(folder).stderr, "a folder without a run")
run = start(folder, 10000000)
atexit.register(run.kill)
check(appear(out, "progress.json") and appear(out, "checkpoints/*[0-9]"), "it says how far it is")
seen = watch(out)
check("goes on; 1 process on" in seen.stdout and re.search(r"checkpoints? at iteration [0-9]+00\b", seen.stdout) and re.search(r"wavetoy-state.norm2 u +[0-9.e-]+  [▁▂▃▄▅▆▇█]+", seen.stdout), f"a run that goes on:\n{seen.stdout}")

reader, writer = pty.openpty()
fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 1000, 100, 0, 0))  # as wide as what is not a terminal
watcher = subprocess.Popen([os.environ["CEREUS"], "watch", out], stdout=writer, stdin=subprocess.DEVNULL)
os.close(writer)
text = b""
while text.count(b"\033[H") < 3:
    text += os.read(reader, 65536)
run.send_signal(signal.SIGTERM)
check(run.wait(60) == 2, "it is stopped")
while True:
    try:
        piece = os.read(reader, 65536)
    except OSError:  # so ends a terminal
        break
    text += piece
check(watcher.wait(20) == 0, "who watches on a terminal sees it through")
views = text.decode().split("\033[H")[1:]
steps = [int(re.search(r"iteration (\d+)", v)[1]) for v in views]
check(len(views) >= 3 and steps == sorted(steps) and steps[0] < steps[-1] and "was stopped early" in views[-1] and "goes on" in views[0], f"views at iterations {steps}")
shown = re.sub("\033\\[[KJ]", "", views[-1]).replace("\r", "")
check(shown == watch(out).stdout, f"and in the end the same as who looks once:\n{shown}{watch(out).stdout}")

for processes in (1, 2):
    folder = tempfile.mkdtemp(prefix="cereus-")
    out = os.path.join(folder, "out")
    done = start(folder, 50, processes)
    check(done.wait(60) == 0 and "has ended" in watch(out).stdout and f"; {processes} process" in watch(out).stdout, f"a run that has ended: {watch(out).stdout.splitlines()[0]}")
folder = tempfile.mkdtemp(prefix="cereus-")
out = os.path.join(folder, "out")
run = start(folder, 10000000)
appear(out, "progress.json")
run.kill()
run.wait()
check("has died" in watch(out).stdout, f"a run that died: {watch(out).stdout.splitlines()[0]}")
progress = json.load(open(os.path.join(out, "progress.json")))
with open(os.path.join(out, "progress.json"), "w") as f:
    json.dump(progress | {"host": "elsewhere"}, f)
check(re.search("was heard of [0-9.]+ m?s ago; 1 process on elsewhere", watch(out).stdout), f"one on another machine: {watch(out).stdout.splitlines()[0]}")
with open(os.path.join(out, "progress.json"), "w") as f:
    json.dump(progress | {"name": "\033]0;a\007b\u009fc"}, f)
check("?]0;a?b?c has died" in watch(out).stdout, f"what a stranger wrote does nothing to a terminal: {watch(out).stdout.splitlines()[0]!r}")
with open(os.path.join(out, "progress.json"), "w") as f:
    f.write('{"name": 7, "iteration": 1e300, "time": "x", "done": null, "state": []}')
with open(os.path.join(out, "x.asc"), "wb") as f:
    f.write(b"# 1:iteration 2:time 3:data\n1 2\n\xff\xfe\n3 nan nan\n4 5 inf\n" + b"9" * 100000)
with open(os.path.join(out, "y.asc"), "w") as f:
    f.write("# 1:iteration 2:time 3:data\n0 0 -1e308\n1 1 0\n2 2 1e308\n")
seen = watch(out)
check(seen.returncode == 0 and re.search("^y .*▁▅█$", seen.stdout, re.M), f"a stranger's folder does no harm: {seen.stdout}")
for name in ("progress.json", "x.asc", "parameters.yaml"):
    os.remove(os.path.join(out, name))
    os.mkfifo(os.path.join(out, name))
    check(watch(out).returncode == 0, f"nor does a pipe in place of {name}")
finish()
