#!/usr/bin/env python3
"""A run as a chain of jobs, with a Slurm of a few lines: it ends with the series of an unbroken one; it ends where another job has no use; what is
wrong is said once, and nothing is left behind. slurm_long.py does it with a real one.

Mutations that make it fail: any exit code makes another job; no look at whether a job came further; a folder that stays when sbatch refuses; a
margin that is not taken off; a job of a chain that goes on is no reason to refuse a second; `--fresh` in each job of a chain, or in none.
"""
import glob
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

from _physics import check, finish
from _slurm import Queue, link

sys.path.insert(0, os.path.join(os.environ["CEREUS_SOURCE"], "flesh/python"))
from cereus import slurm  # noqa: E402
from cereus.needs import Mistake  # noqa: E402

PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII, WaveToy, NaNChecker, Checkpoint]
Cereus: {{iterations: {iterations}, output: {output}}}
UniGrid: {{cells: [32, 32, 32]}}
IOASCII: {{variables: ["WaveToy::u"], every: 20}}
{more}"""
queue, folder = Queue(), tempfile.mkdtemp(prefix="cereus-")


def write(name, text):
    with open(os.path.join(folder, name), "w") as f:
        f.write(text)


def submit(file, *words, **environment):
    done = queue.cereus("submit", file, *words, cwd=folder, **environment)
    return done.returncode, (done.stdout + done.stderr).strip()


def series(output):
    return {os.path.basename(p): open(p, "rb").read() for p in glob.glob(os.path.join(folder, output, "*.asc"))}


for text, seconds in {"24h": 86400, "90m": 5400, "1d12h": 129600, "1.5h": 5400, "2 h 30 min": 9000, "90": 5400, "5:30": 330, "1:00:05": 3605, "2-3": 183600,
                      "1-02:03": 93780, "1-00:00:01": 86401, "30s": 30}.items():
    check(slurm.seconds_of(text, "") == seconds, f"{text} is {seconds} s: {slurm.seconds_of(text, '')}")
check(slurm.text_of(93785) == "1-02:03:05", f"as Slurm writes it: {slurm.text_of(93785)}")
for text in ("", "24x", "0", "-5", "1:2:3:4", "h", "UNLIMITED", "1-", "1e3"):
    try:
        check(False, f"{text!r} is {slurm.seconds_of(text, '')} s")
    except Mistake as error:
        check("must be a time" in str(error), f"{text!r} is no time")

# A chain, and the same without one. The jobs get less time than the whole takes.
write("site.yaml", "partition: long\ngpus_per_node: 2\nmodules: []\nenvironment: {GREETING: 'good day'}\nsetup: ['echo $GREETING']\nmargin: 50s\n")
iterations, took = 300, 0.0
while took < 4:
    iterations = int(iterations * min(10, max(2, 5 / took))) if took else 600
    write("whole.yaml", PARFILE.format(iterations=iterations, output="whole", more=""))
    begun = time.monotonic()
    check(queue.cereus("run", "whole.yaml", "--fresh", cwd=folder).returncode == 0, f"an unbroken run of {iterations} steps")
    took = time.monotonic() - begun
write("wave.yaml", PARFILE.format(iterations=iterations, output="wave", more=""))
part = max(2, int(took / 2.5))
code, said = submit("wave.yaml", "-n", "1", "--wall", "1:00:00", "--site", "./site.yaml", "--sbatch=--partition=short")
check(code == 0 and "job 101" in said, f"submitted: {said}")
script = open(os.path.join(folder, "wave.jobs", "job.sh")).read()
options = re.findall(r"^#SBATCH (.*)$", script, re.M)
check({"--time=0-01:00:00", "--ntasks=1", "--gpus-per-node=2"} <= set(options) and options.index("--partition=short") > options.index("--partition=long"),
      "its script asks for what the site and the command line say, which wins")
code, said = submit("wave.yaml", "--wall", "1h")
check(code == 1 and "scancel 101" in said, f"a second chain of the same run is refused: {said}")
watched = queue.cereus("watch", "wave", cwd=folder).stdout
check("job 101, link 1: waits" in watched, f"watch, before it begins: {watched.strip()}")
links = []
while queue.waiting() and len(links) < 30:
    n, code = queue.run(50 + part if links else 51)  # the first has a second, which the whole run takes longer than
    links.append((n, code, link(os.path.join(folder, "wave"), n)["state"]))
log = open(os.path.join(folder, "wave.jobs", "101.out")).read()
check(len(links) >= 2 and all(c == 0 for _, c, _ in links) and [s for *_, s in links] == ["chained"] * (len(links) - 1) + ["done"], f"links: {links} {log[-300:] if len(links) < 2 else ''}")
check(series("wave") == series("whole") and len(series("wave")) > 0, f"{len(series('wave'))} series have the bits of the unbroken run's")
check("good day" in log and "job 102 goes on" in log, "what the site sets up is there, and the log says what follows")
listed = queue.cereus("jobs", cwd="/").stdout
check(re.search(rf"wave +{links[-1][0]} +done +{iterations} \(100 %\) +{len(links)}: .*{links[-1][0]}", listed), f"jobs:\n{listed}")
watched = queue.cereus("watch", "wave", cwd=folder).stdout
check(f"job {links[-1][0]}, link {len(links)}: done" in watched, f"watch, when it is done:\n{watched}")

# No job follows where it has no use.
write("blown.yaml", PARFILE.format(iterations=600, output="blown", more="Time: {dt: 1}\nNaNChecker: {every: 1}\n"))
submit("blown.yaml", "--wall", "1h")
n, code = queue.run("1:00:00")
check(code == 3 and not queue.waiting() and link(os.path.join(folder, "blown"), n)["state"] == "failed", "a run that blows up is the last")
write("endless.yaml", PARFILE.format(iterations=10**7, output="endless", more=""))
submit("endless.yaml", "--wall", "1h", "--site", "./site.yaml")
checkpoints = os.path.join(folder, "endless", "checkpoints")
n, code = queue.run(51)
check(code == 0 and len(queue.waiting()) == 1 and os.listdir(checkpoints), "one that is not done goes on")
os.makedirs(os.path.join(folder, "bin"))
write("bin/cereus", "#!/bin/bash\nexit 2\n")  # a run that stops where it began
os.chmod(os.path.join(folder, "bin/cereus"), 0o755)
asked = os.path.join(folder, "endless.jobs", "job.json")
right = open(asked).read()
write("endless.jobs/job.json", right.replace(os.environ["CEREUS"], os.path.join(folder, "bin/cereus")))
n, code = queue.run(51)
check(code == 3 and not queue.waiting() and link(os.path.join(folder, "endless"), n)["state"] == "stuck", f"no new checkpoint: {link(os.path.join(folder, 'endless'), n)['message']}")
check("no further" in queue.cereus("jobs").stdout, "jobs says so")
code, said = submit("endless.yaml", "--wall", "1h", "--site", "./site.yaml")
check(code == 0, f"submitted again, it goes on: {said}")
n, job = queue.start("1:00:00")
limit = time.monotonic() + 30
while "goes on" not in queue.cereus("watch", "endless", cwd=folder).stdout and time.monotonic() < limit:
    time.sleep(0.1)
job.send_signal(signal.SIGTERM)
code = queue.end(n, job)
check(code == 2 and not queue.waiting() and link(os.path.join(folder, "endless"), n)["state"] == "cancelled", f"scancel ends the chain: {code} {link(os.path.join(folder, 'endless'), n)}")
code, said = submit("endless.yaml", "--wall", "1h", "--site", "./site.yaml")
n, job = queue.start(51)
open(os.path.join(queue.folder, "refuses"), "w").close()
code = queue.end(n, job)
check(code == 3 and "could not be submitted: sbatch did not take the job: sbatch: error: invalid partition" in link(os.path.join(folder, "endless"), n)["message"], "a successor that Slurm refuses")

# Mistakes, each with one message, and nothing left behind.
before = {path: open(path).read() for path in glob.glob(os.path.join(folder, "endless.jobs", "*"))}
code, said = submit("endless.yaml", "--wall", "2h")
check(code == 1 and said.count("\n") == 0 and "invalid partition" in said, f"Slurm refuses: {said}")
check(before == {path: open(path).read() for path in glob.glob(os.path.join(folder, "endless.jobs", "*"))}, "and all is as it was")
write("new.yaml", PARFILE.format(iterations=5, output="new", more=""))
code, said = submit("new.yaml", "--wall", "2h")
check(code == 1 and not glob.glob(os.path.join(folder, "new*.jobs")), "nothing is left of a first one")
os.remove(os.path.join(queue.folder, "refuses"))

# Killed before its first checkpoint, and queued again on another node, where only Slurm knows that it is dead. Then the same run anew.
write("early.yaml", PARFILE.format(iterations=10**7, output="early", more=""))
write("plain-site.yaml", "launcher: env\nmargin: 50s\n")  # the run itself is the job's child, not mpirun
code, said = submit("early.yaml", "--wall", "1h", "--site", "./plain-site.yaml")
n, job = queue.start("1:00:00")
while not os.path.exists(os.path.join(folder, "early", "progress.json")) and job.poll() is None:
    time.sleep(0.05)
with open(f"/proc/{job.pid}/task/{job.pid}/children") as f:
    child = int(f.read().split()[0])
job.kill()
job.wait()
os.kill(child, signal.SIGKILL)
with open(os.path.join(folder, "early", "progress.json")) as f:
    said = json.load(f)
write("early/progress.json", json.dumps(said | {"host": "another"}))
code = queue.run(51)[1]
check(code == 0 and link(os.path.join(folder, "early"), n)["state"] == "chained", f"queued again: {code} {link(os.path.join(folder, 'early'), n)}")
for n in queue.waiting():
    os.remove(os.path.join(queue.folder, f"{n}.sh"))
code, said = submit("wave.yaml", "--wall", "1h", "--site", "./site.yaml", "--fresh")
fresh = [queue.run(left) for left in (51, "1:00:00")]
check([c for _, c in fresh] == [0, 0] and [link(os.path.join(folder, "wave"), n)["state"] for n, _ in fresh] == ["chained", "done"], f"--fresh: {said} {fresh}")
check(sorted(os.path.basename(p) for p in glob.glob(os.path.join(folder, "wave.old*"))) == ["wave.old-1"] and series("wave") == series("whole"),
      "--fresh moves the earlier run aside once")

# What is asked for cannot be.
write("none.yaml", PARFILE.format(iterations=5, output="none", more="").replace(", Checkpoint", ""))
write("never.yaml", PARFILE.format(iterations=5, output="never", more="").replace("iterations: 5", "wall_clock: 5"))
write("wrong.yaml", PARFILE.format(iterations=5, output="wrong", more="").replace("cells", "cels"))
for name, text in (("key", "partitoin: long\n"), ("number", "# a\ngpus_per_node: many\n"), ("list", "modules: gcc\n"), ("option", "sbatch: [exclusive]\n"), ("margin", "# a\nmargin: soon\n"), ("yaml", "a: [\n"), ("text", "- a\n")):
    write(f"{name}-site.yaml", text)
code, said = submit("new.yaml", "--wall", "1h", PATH="/nowhere")
check(code == 1 and "no sbatch in the folders of PATH" in said and "/nowhere" in said, f"no Slurm: {said}")
for what, words, expected in (
        ("a time", ["new.yaml", "--wall", "24x"], "--wall 24x: must be a time"),
        ("no checkpoints", ["none.yaml", "--wall", "1h"], "add Checkpoint to thorns:"),
        ("a run without an end", ["never.yaml", "--wall", "1h"], "nothing says when the run ends"),
        ("a parameter", ["wrong.yaml", "--wall", "1h"], "did you mean 'cells'"),
        ("no processes", ["new.yaml", "--wall", "1h", "-n", "0"], "--processes 0"),
        ("a margin", ["new.yaml", "--wall", "30s", "--site", "./site.yaml"], "leaves no time to run"),
        ("a site", ["new.yaml", "--wall", "1h", "--site", "moon"], "there is no site 'moon'; looked for"),
        ("a key", ["new.yaml", "--wall", "1h", "--site", "key-site.yaml"], "key-site.yaml:1: a site has no key 'partitoin'; did you mean partition?"),
        ("a number", ["new.yaml", "--wall", "1h", "--site", "number-site.yaml"], "number-site.yaml:2: gpus_per_node: must be a whole number"),
        ("the site's margin", ["new.yaml", "--wall", "1h", "--site", "margin-site.yaml"], "margin-site.yaml:2: margin: soon: must be a time"),
        ("a list", ["new.yaml", "--wall", "1h", "--site", "list-site.yaml"], "modules: must be a list"),
        ("an option", ["new.yaml", "--wall", "1h", "--site", "option-site.yaml"], "'exclusive': must be an option of sbatch"),
        ("no YAML", ["new.yaml", "--wall", "1h", "--site", "yaml-site.yaml"], "yaml-site.yaml:2: expected the node content"),
        ("no keys", ["new.yaml", "--wall", "1h", "--site", "text-site.yaml"], "must be keys and their values")):
    code, said = submit(*words)
    check(code == 1 and expected in said and "Traceback" not in said, f"{what}: {code} {said}")
check(not queue.waiting() and not any(os.path.exists(os.path.join(folder, f"{n}.jobs")) for n in ("new", "none", "never", "wrong")), "none of them left anything")
finish()
