#!/usr/bin/env python3
"""Puts each mistake of a list into the sources, one at a time, and says whether the unit tests notice.

  tests/mutants.py BUILD [LIST]      LIST: tests/unit/equations/mutants.txt; BUILD: where unit_equations has been built

The list has a file of flesh/src, what stands there once, and what stands there instead, three lines each. Mistakes go into a copy; the rest comes from
BUILD. Ends with the number of mistakes that nobody noticed.
"""
import os
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.path.abspath(sys.argv[1])
LIST = sys.argv[2] if len(sys.argv) > 2 else os.path.join(ROOT, "tests/unit/equations/mutants.txt")
TARGET = "unit_" + os.path.basename(os.path.dirname(os.path.abspath(LIST)))


def commands(target):
    return subprocess.run(["ninja", "-C", BUILD, "-t", "commands", target], capture_output=True, text=True, check=True).stdout.splitlines()


def text_of(name):
    with open(os.path.join(ROOT, "flesh/src", name)) as f:
        return f.read()


ALL = commands(TARGET)
TIMEOUT = 600  # seconds, for all tests on a busy machine


def outcome(folder, name, text):
    """Compiles one changed file in place of the build's object of it, links and runs the tests."""
    original, changed = os.path.join(ROOT, "flesh/src", name), os.path.join(folder, os.path.basename(name))
    with open(changed, "w") as f:
        f.write(text)
    (compile_it,) = [c for c in ALL if f"-c {original}" in c]
    words = shlex.split(compile_it)
    built, ours, tests = words[words.index("-o") + 1], os.path.join(folder, "changed.o"), os.path.join(folder, "tests")
    words[words.index("-c") + 1], words[words.index("-o") + 1] = changed, ours
    words = [w for i, w in enumerate(words) if w not in ("-MD", "-MT", "-MF") and words[i - 1] not in ("-MT", "-MF")]
    if subprocess.run(words + ["-O0", "-w"], cwd=BUILD, capture_output=True).returncode:
        return "does not compile"
    link = ALL[-1].replace(built, ours, 1).replace(f"tests/{TARGET}", tests)  # of the program, and of the file that becomes it
    subprocess.run(link, shell=True, cwd=BUILD, check=True, capture_output=True)
    try:
        done = subprocess.run([tests, "--gtest_brief=1", "--gtest_fail_fast"], capture_output=True, text=True, timeout=TIMEOUT, env=os.environ | {"CEREUS_SOURCE": ROOT})
    except subprocess.TimeoutExpired:
        return "noticed: too slow"
    failed = [line.split()[3] for line in done.stdout.splitlines() if line.startswith("[  FAILED  ]")]
    return "SURVIVES" if done.returncode == 0 else "noticed by " + (failed[0] if failed else "a crash")


survivors = 0
with open(LIST) as f:
    lines = [line.rstrip("\n") for line in f if line.strip() and not line.startswith("#")]
MISTAKES = [(name, text_of(name), old.strip(), new.strip()) for name, old, new in zip(lines[::3], lines[1::3], lines[2::3], strict=True)]
stale = [f"{name} has {text.count(old)} times '{old}'" for name, text, old, _ in MISTAKES if text.count(old) != 1]
with tempfile.TemporaryDirectory(prefix="cereus-") as folder:
    if not stale and (without := outcome(folder, MISTAKES[0][0], MISTAKES[0][1])) != "SURVIVES":
        stale = [f"without any mistake: {without}"]
    if stale:
        sys.exit("\n".join(stale))
    for name, text, old, new in MISTAKES:
        result = outcome(folder, name, text.replace(old, new))
        survivors += not result.startswith("noticed")
        print(f"{name}: {old} → {new}: {result}", flush=True)
sys.exit(survivors)
