#!/usr/bin/env python3
"""Runs the checks of what a newcomer stumbled over, S1 to S16, against two trees: one of commit 40f5dae, where each must fail because of the stumble,
and one of now, where each must pass. Prints a table and adds a row to a file of measured rows.

    stumbles.py OLD NEW [OUTPUT.json]      default: docs/measured/everyday.json

OLD and NEW are trees, each with a build in its folder `build`: of the executable and of the thorns Accelerator, Boundary, Checkpoint, IOASCII, IOHDF5,
IOImage, MoL, NaNChecker, Reduce, Time, TimerReport, UniGrid and WaveToy. The checks are those of tests/run beside this file, for both; all that a
tree is asked for is its executable, its headers and flags, its pages and its build.
"""
import os
import re
import subprocess
import sys

from _rates import host, note, write

os.environ.setdefault("MACHINE", host())
ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
OLD, NEW = (os.path.abspath(tree) for tree in sys.argv[1:3])
OUTPUT = sys.argv[3] if len(sys.argv) > 3 else os.path.join(ROOT, "docs", "measured", "everyday.json")


def thorns(tree):
    return {name[:-3] for name in os.listdir(os.path.join(tree, "build", "lib", "cereus", "thorns")) if name.endswith(".so")}


# What it is; the scripts that look at it, with their arguments; what must have been wrong at 40f5dae, of which the table shows what `said` is.
BUILT = sorted(thorns(OLD) & thorns(NEW))
STUMBLES = {
    "S1": ("every command builds thorns anew, and breaks starts beside it", {"second_build": BUILT}, r"a second build has nothing to do: (?P<said>\[\d+/\d+\] Linking)"),
    "S2": ("a kernel that forgets an output is silent", {"stumbles": ["S2"], "mistakes": ["a Write handle is read"]}, r"an output that a kernel forgets: (?P<said>exit 0) *$"),
    "S3": ("a kernel cannot know a vertex on a face", {"stumbles": ["S3"]}, r"leaves out vertices on faces.*error: .*(?P<said>has no member named ‘at_face’)"),
    "S4": ("a wrong letter is hundreds of lines", {"mistakes": ["a variable's name", "a read too far away"]}, r"a variable's name: exit 1, (?P<said>\d{3,} lines)"),
    "S5": ("graph --svg: nodes in the wrong cluster, no syncs", {"stumbles": ["S5"]}, r"edges lie outside of clusters: \['(?P<said>[^']*->[^']*)'"),
    "S6": ("openPMD-api refuses .hdf", {"stumbles": ["S6"]}, r"openPMD-api wants .h5.*(?P<said>IOHDF5 has no parameter 'suffix')"),
    "S7": ("kuibit takes data.0 of checkpoints for ADIOS", {"stumbles": ["S7"]}, r"no data.0, which kuibit takes for ADIOS: (?P<said>\[.*'data\.0'.*\])"),
    "S8": ("WaveToy::* is an error", {"stumbles": ["S8"]}, r"a wildcard leaves out right-hand sides: 1 .*?(?P<said>names WaveToy::u_rhs, which nothing writes before the first step)"),
    "S9": ("a run that blew up is done, exit code 0", {"stumbles": ["S9"]}, r"the standard arrangement sees it: (?P<said>exit 0) *$"),
    "S10": ("no page says how a thorn compiles faster", {"stumbles": ["S10"]}, r"(?P<said>tutorial.md says how .*: None)"),
    "S11": ("the page shows the first variable, and noise as a curve", {"stumbles": ["S11"]}, r"the page's curves of \S*: (?P<said>\[\[\"wavetoy-state.norm2\",5,5\]\])"),
    "S12": ("pictures of a series cannot be compared", {"stumbles": ["S12"]}, r"the scales of two pictures are one: .*?(?P<said>IOImage has no parameter 'range')"),
    "S13": ("a group cannot be scheduled into", {"stumbles": ["S13"]}, r"scheduled into a group.*error: (?P<said>cannot convert .*GroupItem’ to .*ScheduleGroup’)"),
    "S14": ("mistakes that are accepted in silence", {"stumbles": ["S14"]}, r"(?P<said>two variables of one name: exit 0) *$"),
    "S15": ("the terminal: lines too long, glued, processes killed unnamed", {"stumbles": ["S15"]}, r"the first lines fit 80 columns: \['(?P<said>[^']{81,})'"),
    "S16": ("a run killed early refuses the same command", {"stumbles": ["S16"]}, r"1: killed before its first checkpoint: 1 .*(?P<said>already holds a run, but no checkpoint to go on from)"),
}


def outcome(tree, scripts):
    """What was right and what was wrong, whether all scripts came to their end, and what they said."""
    build = os.path.join(tree, "build")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CEREUS")} | {
        "CEREUS": os.path.join(build, "bin", "cereus"), "CEREUS_SOURCE": tree, "CEREUS_BUILD": build, "OMPI_MCA_mpi_yield_when_idle": "1"}
    right, wrong, ended, everything = [], [], True, ""
    for script, arguments in scripts.items():
        done = subprocess.run([sys.executable, os.path.join(ROOT, "tests", "run", script + ".py"), *arguments], env=environment, capture_output=True, text=True)
        said = re.split(r"^(?=ok    |WRONG |SKIPPED)", done.stdout, flags=re.M)
        now_right, now_wrong = ([s[6:].strip() for s in said if s.startswith(word)] for word in ("ok    ", "WRONG "))
        ended = ended and "Traceback" not in done.stderr and "SKIPPED" not in done.stdout and done.returncode == (1 if now_wrong else 0)
        right, wrong, everything = right + now_right, wrong + now_wrong, everything + done.stdout + done.stderr
    return right, wrong, ended, everything


def shows(name):
    """Whether the checks of a stumble fail at OLD because of it, and pass at NEW; prints its line."""
    what, scripts, reason = STUMBLES[name]
    right, wrong, ended, everything = outcome(OLD, scripts)
    found = next((m["said"] for m in (re.search(reason, w, re.S | re.M) for w in wrong) if m and ended), None)
    now_right, now_wrong, now_ended, now_everything = outcome(NEW, scripts)
    mended = now_ended and now_right and not now_wrong
    print(f"| {name} | {what} | {len(wrong)} of {len(right) + len(wrong)} wrong: {found or 'NOT BY THE STUMBLE'} | {len(now_wrong)} of {len(now_right) + len(now_wrong)} wrong |", flush=True)
    print(*([] if found else [f"{name} at {OLD}:\n{everything}"]), *([] if mended else [f"{name} at {NEW}:\n{now_everything}"]), sep="\n", end="", file=sys.stderr)
    return bool(found and mended)


print("| | what it is | at 40f5dae, and what was said there | now |\n| --- | --- | --- | --- |")
shown = sum([shows(name) for name in STUMBLES])
note("each stumble S1–S16: a check that fails at 40f5dae and passes now", shown, "of 16", "16 of 16", shown == 16)
write(OUTPUT)
print(f"{shown} of {len(STUMBLES)}")
