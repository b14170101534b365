#!/usr/bin/env python3
"""Processes on two hosts: network namespaces of this machine with a link between them and names of their own, so that MPI has TCP alone. The same bits as one process
has, on one level and on several, with a device that is a mirror, and from a checkpoint; a process of the other host that fails, or is killed, ends the run.

Where this user may make no namespaces it says SKIPPED.
"""
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time

from _physics import bits, check, finish, outcome

NAMES = [f"cereus-{os.getpid()}-{n}" for n in (1, 2)]
HOSTS = ["first", "second"]
NET = f"10.77.{os.getpid() % 250}"
FOLDER = tempfile.mkdtemp(prefix="cereus-")
AGENT = f"""#!/bin/sh
# What mpirun calls in place of ssh: AGENT HOST COMMAND.
host=$1; shift
case $host in first) name={NAMES[0]};; *) name={NAMES[1]};; esac
exec ip netns exec $name unshare --uts sh -c "hostname $host; $*"
"""
RUNS = {
    "one level": """thorns: [UniGrid, Time, MoL, WaveToy, Reduce, IOASCII, Checkpoint{on}]
Cereus: {iterations: 16, output: run{device}}
UniGrid: {cells: [32, 24, 20]}
IOASCII: {variables: ["WaveToy::u", "WaveToy::energy"], reductions: [norm2, maximum], every: 2}
Checkpoint: {every: 8}
""",
    "two levels": """thorns: [Forest, Refine, Time, MoL, WaveToy, Reduce, IOASCII, Checkpoint{on}]
Cereus: {iterations: 16, output: run{device}}
Forest: {cells: [24, 24, 24], block: 8, levels: 2, every: 2, subcycle: true}
Refine: {variables: ["WaveToy::u"], refine_above: 0.05, coarsen_below: 0.01}
WaveToy: {width: 0.1}
IOASCII: {variables: ["WaveToy::u", "WaveToy::energy"], reductions: [maximum], every: 2}
Checkpoint: {every: 8}
""",
}
MIRROR = (", Accelerator, AcceleratorMirror", ", device: mirror")


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


def connect():
    """Two namespaces, whose names for each other stand in files that `ip netns exec` shows as /etc/hosts."""
    for n, name in enumerate(NAMES, 1):
        ip("netns", "add", name)
        os.makedirs(f"/etc/netns/{name}", exist_ok=True)
        with open(f"/etc/netns/{name}/hosts", "w") as f:
            f.write("127.0.0.1 localhost\n" + "".join(f"{NET}.{m} {host}\n" for m, host in enumerate(HOSTS, 1)))
    ip("link", "add", "c1", "netns", NAMES[0], "type", "veth", "peer", "name", "c2", "netns", NAMES[1])
    for n, name in enumerate(NAMES, 1):
        ip("-n", name, "addr", "add", f"{NET}.{n}/24", "dev", f"c{n}")
        ip("-n", name, "link", "set", f"c{n}", "up")
        ip("-n", name, "link", "set", "lo", "up")


def command(folder, *options):
    """mpirun on the first host, with two processes on each."""
    mpirun = ["mpirun", "--allow-run-as-root", "-np", "4", "--host", "first:2,second:2", "--mca", "plm_rsh_agent", os.path.join(FOLDER, "agent"),
              "--mca", "btl_tcp_if_include", f"{NET}.0/24", "--mca", "oob_tcp_if_include", f"{NET}.0/24", os.environ["CEREUS"], "run", "run.yaml", *options]
    return {"args": [os.path.join(FOLDER, "agent"), "first", f"cd {folder}; exec " + " ".join(mpirun)],
            "env": {k: v for k, v in os.environ.items() if k != "CEREUS_ACTIVATE"} | {"CEREUS_DEVICE": "none" if "mirror" not in folder else "mirror"}}


def on_two_hosts(text, *options, folder=None, kind="host"):
    folder = folder or tempfile.mkdtemp(prefix=f"cereus-{kind}-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(text)
    done = subprocess.run(**command(folder, *options), capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr, os.path.join(folder, "run")


def same_bits():
    for name, text in RUNS.items():
        plain = text.replace("{on}", "").replace("{device}", "")
        code, said, one = outcome(plain, CEREUS_DEVICE="none")
        check(code == 0, f"{name}, one process {said[-300:] if code else ''}")
        for kind, (on, device) in (("host", ("", "")), ("mirror", MIRROR)):
            code, said, both = on_two_hosts(text.replace("{on}", on).replace("{device}", device), kind=kind)
            check(code == 0 and "4 processes, 2 of them on this host," in said, f"{name}, two hosts, {kind}: {said[-500:]}")
            check(code == 0 and bits(both, 0) == bits(one, 0), f"{name}, two hosts, {kind}: the bits of one process")
        home = tempfile.mkdtemp(prefix="cereus-host-")
        on_two_hosts(plain, "--set", "Cereus.iterations=8", folder=home)
        code, said, on = on_two_hosts(plain, folder=home)
        check(code == 0 and "going on" in said and bits(on, 0) == bits(one, 0), f"{name}: on from a checkpoint {said[-300:] if code else ''}")


def pids_of(name):
    return [int(pid) for pid in subprocess.run(["ip", "netns", "pids", name], capture_output=True, text=True).stdout.split()]


def program(pid):
    try:
        with open(f"/proc/{pid}/cmdline") as f:
            return f.read().split("\0")[0]
    except OSError:  # it has ended meanwhile
        return ""


def ends():
    """One process of the other host fails or is killed."""
    trouble = RUNS["one level"].replace("{on}", ", Trouble").replace("{device}", f', thorn_path: ["{os.environ["CEREUS_TEST_THORNS"]}"]')
    code, said, _ = on_two_hosts(trouble + "Trouble: {kind: throw, rank: 3, iteration: 4}\n")
    check(code != 0 and "has trouble" in said, f"a process of the other host throws: {code} {said[-300:]}")
    folder = tempfile.mkdtemp(prefix="cereus-host-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(RUNS["one level"].replace("{on}", "").replace("{device}", "").replace("iterations: 16", "iterations: 1000000"))
    going = subprocess.Popen(**command(folder), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    there = []
    for _ in range(200):
        time.sleep(0.1)
        there = [pid for pid in pids_of(NAMES[1]) if "cereus" in program(pid)]
        if len(there) == 2 and os.path.exists(os.path.join(folder, "run", "progress.json")):
            break
    check(len(there) == 2, f"two processes on the other host: {there}")
    for pid in there[:1]:
        os.kill(pid, signal.SIGKILL)
    try:
        said = going.communicate(timeout=60)[0]
    finally:
        going.kill()
    check(going.returncode != 0, f"a process of the other host is killed: {going.returncode} {said[-200:]}")


if os.geteuid() != 0 or not all(map(shutil.which, ("ip", "unshare", "mpirun"))):
    print("SKIPPED: it takes root, ip and unshare")
    sys.exit(77)
try:
    connect()
except (subprocess.CalledProcessError, OSError) as e:
    print(f"SKIPPED: no network namespaces here ({getattr(e, 'stderr', e)})")
    skipped = True
else:
    skipped = False
    with open(os.path.join(FOLDER, "agent"), "w") as f:
        f.write(AGENT)
    os.chmod(f.name, os.stat(f.name).st_mode | stat.S_IXUSR)
try:
    if not skipped:
        same_bits()
        ends()
finally:
    for name in NAMES:
        for pid in pids_of(name):  # of a run that did not end
            os.kill(pid, signal.SIGKILL)
        subprocess.run(["ip", "netns", "del", name], capture_output=True)
        shutil.rmtree(f"/etc/netns/{name}", ignore_errors=True)
if skipped:
    sys.exit(77)
finish()
