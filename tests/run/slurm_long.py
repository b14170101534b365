#!/usr/bin/env python3
"""A run as a chain of jobs of a real Slurm, on this machine alone: three jobs or more end with the bits of an unbroken run, on one process and two; scancel ends a chain, at a
checkpoint if only the script is told.

Needs root and Debian's slurm-wlm; munged, slurmctld and slurmd run in a folder that goes with the test. A job has a minute, the least that Slurm knows; the
site's margin makes it as short as the run needs for three. Mutation that makes it fail: an exit code that is looked at before whether the
job was told to end.
"""
import atexit
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from _physics import bits, check, finish
from _slurm import link

TOOLS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "sinfo")
PARFILE = """thorns: [UniGrid, Time, MoL, Reduce, IOASCII, IOHDF5, WaveToy, Checkpoint]
Cereus: {{iterations: {iterations}, output: {output}}}
UniGrid: {{cells: [64, 64, 64]}}
IOASCII: {{variables: ["WaveToy::u"], every: 20}}
IOHDF5: {{variables: ["WaveToy::u", "WaveToy::rho"], every: {iterations}}}
"""
path = os.environ["PATH"] + ":/usr/sbin:/sbin"
missing = [tool for tool in TOOLS if not shutil.which(tool, path=path)]
if missing or os.geteuid() != 0:
    finish(f"it needs root, and slurm-wlm of Debian ({', '.join(missing) or 'which is there'})")

folder = tempfile.mkdtemp(prefix="cereus-")
os.chmod(folder, 0o755)
host = socket.gethostname().split(".")[0]
environment = {k: v for k, v in os.environ.items() if k not in ("CEREUS_ACTIVATE", "CEREUS_SITE")} | {
    "CEREUS_PYTHON": sys.executable, "PATH": path, "SLURM_CONF": f"{folder}/slurm.conf", "HOME": f"{folder}/home"}


def write(name, text):
    with open(os.path.join(folder, name), "w") as f:
        f.write(text)


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def daemon(*words):
    started = subprocess.Popen(words, env=environment, stdout=open(f"{folder}/daemons.log", "a"), stderr=subprocess.STDOUT)
    atexit.register(lambda: (started.terminate(), started.wait(20)))


def ask(*words, **more):
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, **more)


def wait_for(condition, seconds):
    limit = time.monotonic() + seconds
    while not condition() and time.monotonic() < limit:
        time.sleep(0.5)
    return condition()


for name in ("state", "spool", "home"):
    os.makedirs(os.path.join(folder, name))
with open(f"{folder}/munge.key", "wb") as f:
    f.write(os.urandom(1024))
os.chmod(f"{folder}/munge.key", 0o600)
write("slurm.conf", f"""ClusterName=test
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName={host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")
daemon("munged", "--foreground", "--force", f"--socket={folder}/munge.socket", f"--key-file={folder}/munge.key", f"--log-file={folder}/munged.log",
       f"--pid-file={folder}/munged.pid", f"--seed-file={folder}/munged.seed")
wait_for(lambda: os.path.exists(f"{folder}/munge.socket"), 20)
daemon("slurmctld", "-D")
daemon("slurmd", "-D", "-N", host)
if not wait_for(lambda: "idle" in ask("sinfo", "-h", "-o", "%T").stdout, 60):
    print(open(f"{folder}/daemons.log").read()[-3000:])
    finish("Slurm's daemons do not come up here")

for processes in (1, 2):
    whole, chain = f"whole{processes}", f"chain{processes}"
    begun, iterations = time.monotonic(), 500
    write("trial.yaml", PARFILE.format(iterations=iterations, output="trial"))
    ask(os.environ["CEREUS"], "run", "trial.yaml", "--fresh", "-n", str(processes))
    iterations = 100 * round(25 / (time.monotonic() - begun) * iterations / 100)  # some 25 s
    write("whole.yaml", PARFILE.format(iterations=iterations, output=whole))
    write("chain.yaml", PARFILE.format(iterations=iterations, output=chain))
    begun = time.monotonic()
    check(ask(os.environ["CEREUS"], "run", "whole.yaml", "-n", str(processes)).returncode == 0, f"{processes}: an unbroken run")
    took = time.monotonic() - begun
    write("site.yaml", f"margin: {60 - max(3, round(took / 2.6))}s\n")
    done = ask(os.environ["CEREUS"], "submit", "chain.yaml", "-n", str(processes), "--wall", "1m", "--site", "./site.yaml")
    check(done.returncode == 0, f"{processes}: {done.stdout.strip()} {done.stderr.strip()}")
    seen = set()

    def over():
        seen.update(line.split()[0] for line in ask("squeue", "-h", "-o", "%i %T").stdout.splitlines())
        return not ask("squeue", "-h").stdout
    wait_for(over, 240)
    listed = ask(os.environ["CEREUS"], "jobs").stdout
    print(listed)
    links = sorted(int(name[:-5]) for name in os.listdir(f"{folder}/{chain}.jobs") if name[:-5].isdigit() and name.endswith(".json"))
    states = [link(f"{folder}/{chain}", n)["state"] for n in links]
    logs = "".join(open(f"{folder}/{chain}.jobs/{n}.out").read()[-800:] for n in links) if "done" not in states else ""
    check(len(links) >= 3 and states == ["chained"] * (len(links) - 1) + ["done"], f"{processes}: jobs {links}: {states} {logs}")
    a, b = bits(f"{folder}/{whole}", iterations), bits(f"{folder}/{chain}", iterations)
    check(a == b and len(a) > 3, f"{processes}: after {iterations} iterations in {len(links)} jobs the same bits in {len(a)} fields and series (unbroken: {took:.0f} s)")

write("endless.yaml", PARFILE.format(iterations=10**7, output="endless"))
for how, leaves in ((["--batch", "--signal=TERM"], "a checkpoint of its last step"), ([], "whatever there was")):
    done = ask(os.environ["CEREUS"], "submit", "endless.yaml", "-n", "2", "--wall", "1h")
    check(done.returncode == 0, f"submitted: {done.stdout.strip()}{done.stderr.strip()}")
    job = done.stdout.split()[1].rstrip(":")
    check(wait_for(lambda: "goes on" in ask(os.environ["CEREUS"], "watch", "endless").stdout, 60), "an endless run goes on")
    ask("scancel", *how, job)
    check(wait_for(lambda: not ask("squeue", "-h").stdout, 90), f"scancel {' '.join(how)} ends it")
    last = link(f"{folder}/endless", job)
    check(last["state"] == "cancelled" and os.listdir(f"{folder}/endless/checkpoints"), f"with {leaves}, and no job follows: {last}")
finish()
