#!/usr/bin/env python3
"""What docs/measured says was measured can be measured again: the files, parameter files, subcommands and tests that its commands name are there.

Mutations that make it fail: a script of tests/benchmarks renamed; a row whose command is `cereus reproducee FILE`.
"""
import glob
import json
import os
import re
import subprocess

from _physics import check, finish

SOURCE = os.environ["CEREUS_SOURCE"]
FILES = re.compile(r"(?<![\w/.-])((?:tests|parfiles|thorns|flesh|docs|arrangements)/[\w./-]+\.(?:py|sh|cpp|cu|yaml|stencil|edl))\b")
BENCHMARK = re.compile(r"\bbenchmark_(\w+)")
SUBCOMMAND = re.compile(r"(?<![\w./-])cereus ([a-z][\w-]*)(?= |$)")
TEST = re.compile(r"ctest -R (\w+)")


def stems(pattern):
    return {os.path.splitext(os.path.basename(p))[0] for p in glob.glob(os.path.join(SOURCE, pattern))}


said = subprocess.run([os.environ["CEREUS"], "--help"], capture_output=True, text=True, timeout=60).stdout
known = set(re.findall(r"^ +([a-z][\w-]*)", said, re.M))
benchmarks = stems("tests/benchmarks/*.c*") | {"view_" + s for s in stems("tests/benchmarks/view/*.cpp")}
tests = {"run_" + s for s in stems("tests/run/*")}
units = {"unit_" + os.path.basename(p) for p in glob.glob(os.path.join(SOURCE, "tests/unit/*"))} | {"thorn_" + os.path.basename(p) for p in glob.glob(os.path.join(SOURCE, "thorns/*"))}


def mistakes(command):
    found = [f"there is no {f}" for f in FILES.findall(command) if not os.path.exists(os.path.join(SOURCE, f))]
    found += [f"there is no benchmark_{b}" for b in BENCHMARK.findall(command) if b not in benchmarks and b != "programs"]
    found += [f"there is no `cereus {c}`" for c in SUBCOMMAND.findall(command) if c not in known]
    found += [f"there is no test {t}" for t in TEST.findall(command) if not any(t in name for name in tests | units)]
    return found


check("run" in known and len(known) > 10, f"cereus --help names its subcommands: {sorted(known)}")
check(mistakes("python3 tests/benchmarks/none.py") and mistakes("cereus reproducee x"), "a command that is not there is found")
for path in sorted(glob.glob(os.path.join(SOURCE, "docs", "measured", "*.json"))):
    rows = json.load(open(path))
    bad = [f"{row['what']}: {m}" for row in rows for m in mistakes(row.get("command") or "")]
    check(not bad, f"{os.path.basename(path)}: {len(rows)} rows" + "".join("\n  " + b for b in bad))
finish()
