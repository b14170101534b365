#!/usr/bin/env python3
"""Where the time of a run went: what the evolution stood still for adds up to the wall time; what runs on the lane is busy and hardly exposed, unless the lane
is off or falls behind; what the process waits for on a device belongs to the routines whose work that was, as exact times have it; a binary with all its analysis writes the same bits with the lane and without, and its horizons are looked for on the lane.

Mutations, each of which makes it fail: what is waited for stays with who waits (DeviceTimes::share_out); the lane's time counts as exposed (classify); no Share around the wait in BackgroundThread::put;
fill_boundaries without its Share; regrid without its timer; Horizons::search launches kernels, and so is not the lane's (Horizons.beside: false).
"""
import json
import os
import subprocess
import sys
import tempfile
import time

from _binary import SMALL, binary, contents
from _physics import DIMENSIONS, check, finish, job

sys.path.insert(0, os.path.join(os.path.dirname(os.environ["CEREUS"]), "..", "lib", "python3"))
import cereus  # noqa: E402

WITNESS = """thorns: [UniGrid, Time, MoL, Reduce, WaveToy, Boundary, Witness, IOASCII, TimerReport, Accelerator, AcceleratorMirror]
Cereus: {iterations: 8, exact_times: true, thorn_path: [%s]}
UniGrid: {cells: [24, 24, 24], periodic: false}
Boundary: {all: dirichlet}
Witness: {milliseconds: 100}
TimerReport: {table: classes, every: 4}
"""
REFINED = """thorns: [Forest, Refine, Time, MoL, WaveToy, TimerReport]
Cereus: {iterations: 12}
Forest: {cells: [32, 32], block: 8, levels: 3, every: 1, subcycle: true}
WaveToy: {order: 4, initial_data: gaussian}
Refine: {variables: ["WaveToy::u"], refine_above: 0.01, coarsen_below: 0.003}
TimerReport: {table: classes}
"""


def read(out):
    """The wall time, and the shares by name; checked to add up."""
    with open(os.path.join(out, "timers.json")) as f:
        timers = json.load(f)
    shares = {c["name"]: c for c in timers["classes"]}
    wall, exposed = timers["wall"], sum(c["exposed"] for c in timers["classes"])
    check(abs(exposed - wall) < 1e-6 * wall, f"exposed adds up to {exposed:.6f} s, wall time {wall:.6f} s")
    left = [r["exposed"] for r in shares["the flesh"]["routines"] if r["name"] == "between routines"]
    check(left and left[0] > 0, f"no time is counted twice: {left} s are left between routines")
    return wall, shares


def witness(*more, device="mirror"):
    folder = tempfile.mkdtemp(prefix="cereus-")
    begun = time.monotonic()
    done = subprocess.run(**job(folder, WITNESS % os.environ["CEREUS_TEST_THORNS"], options=["--set", f"Cereus.device={device}", *more]), capture_output=True, timeout=100)
    took = time.monotonic() - begun
    check(done.returncode == 0 and "where the time went" in done.stderr + done.stdout, f"{device} {more}: exit {done.returncode} {done.stderr[-300:]}")
    wall, shares = read(os.path.join(folder, "run"))
    check(0.8 < wall < took, f"wall time {wall:.3f} s of a process that took {took:.3f} s and slept 0.9 s")
    return os.path.join(folder, "run"), shares


if 3 not in DIMENSIONS:
    finish()
out, shares = witness()
look, behind = shares["Witness"], shares["waiting for the lane"]
check(look["busy"] > 0.9 and look["exposed"] < 0.3 * look["busy"], f"on the lane Witness is busy {look['busy']:.3f} s, exposed {look['exposed']:.3f} s")
check(behind["exposed"] > 0.1, f"the lane falls behind, and the evolution waits for it: {behind['exposed']:.3f} s")
check(shares["boundary condition"]["busy"] > 0, "conditions take their time")
check({"WaveToy::rhs"} <= {r["name"] for r in shares["right-hand side"]["routines"]} and "time integrator" in shares and "start" in shares and "output" in shares,
      f"shares: {sorted(shares)}")
check(look["to_host"] > 0 and look["to_device"] == 0, f"bytes by reader: {look['to_host']}")
check({c["name"] for c in cereus.open(out).time_classes} == set(shares), "cereus.open reads them")
for more in (["--set", "Cereus.lane=false"], []):
    _, shares = witness(*more, device="mirror" if more else "none")
    look, waited = shares["Witness"], shares.get("waiting for the lane", {"exposed": 0})
    check(look["exposed"] > 0.9 and waited["exposed"] < 0.01, f"in its turn Witness is exposed {look['exposed']:.3f} s")
_, shares = witness("-n", "2")
check(shares["synchronisation"]["exposed"] > 0 and "waiting for other processes" in shares, f"2 processes exchange: {shares['synchronisation']['exposed']:.4f} s")

# What changes of blocks and restrictions take is theirs, not the flesh's.
folder = tempfile.mkdtemp(prefix="cereus-")
done = subprocess.run(**job(folder, REFINED), capture_output=True, timeout=100)
check(done.returncode == 0 and done.stderr.count("from iteration") + done.stdout.count("from iteration") > 2, f"blocks change: exit {done.returncode} {done.stderr[-300:]}")
_, shares = read(os.path.join(folder, "run"))
changes = shares.get("changes of blocks", {"exposed": 0})["exposed"]
check(changes > 0.2 * shares["the flesh"]["exposed"], f"changes of blocks take {changes:.4f} s, the flesh {shares['the flesh']['exposed']:.4f} s")
check("restriction" in {r["name"] for r in shares["synchronisation"]["routines"]}, "restriction is synchronisation")

os.environ.update(CEREUS_DEVICE="mirror", CEREUS_ACTIVATE="Accelerator,AcceleratorMirror")
settings = SMALL | {"Cereus.exact_times": "true"}
out = binary(settings)
_, shares = read(out)
for thorn in ("Horizons", "Multipole", "ADMIntegrals", "PunctureTracker", "Constraints", "WeylScalars", "output", "checkpoints"):
    check(thorn in shares, f"{thorn}: {shares.get(thorn, {}).get('busy', 0):.4f} s, exposed {shares.get(thorn, {}).get('exposed', 0):.4f} s")
horizons = shares["Horizons"]
check(horizons["exposed"] < 0.2 * horizons["busy"], f"horizons on the lane: busy {horizons['busy']:.3f} s, exposed {horizons['exposed']:.3f} s")
with_lane, without = contents(out), contents(binary(settings | {"Cereus.lane": "false"}))
differ = sorted(name for name in with_lane.keys() | without.keys() if with_lane.get(name) != without.get(name))
check(len(with_lane) > 60 and differ == [], f"{len(with_lane)} files and fields have the same bits with the lane and without {differ[:5]}")


def parts(more):
    """Shares of the evolution, on a mirror that works in order and tells the time of its work."""
    _, shares = read(binary(SMALL | {"AcceleratorMirror.seed": 0, "Cereus.lane": "false"} | more))
    evolution = {name: c["exposed"] for name, c in shares.items() if name != "start"}
    return {name: time / sum(evolution.values()) for name, time in evolution.items()}


def apart():
    """How far the shares of a run are from those with exact times; and those that are not small, of both."""
    exact, told = parts({"Cereus.exact_times": "true"}), parts({})
    shown = [(name, round(share, 3), round(told.get(name, 0), 3)) for name, share in exact.items() if share > 0.01]
    return max(abs(told.get(name, 0) - share) for name, share in exact.items()), told["right-hand side"], shown


for _ in range(3):  # two runs on a machine with other work get different shares of it
    off, rhs, shown = apart()
    if off < 0.08:
        break
check(off < 0.08 and rhs > 0.05, f"shares with and without exact times: {shown}")
finish()
