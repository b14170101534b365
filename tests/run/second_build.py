#!/usr/bin/env python3
"""A second build has nothing to do, and thorns that are linked anew harm no start beside it.

With names of targets, `second_build.py Time IOASCII`, it looks at these alone.

Mutations, each of which makes it fail: embed.cmake without itself among the prerequisites; no links.cmake.
"""
import glob
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

from _physics import check, finish

# Runs alone: it links all thorns anew.
build, targets = os.environ["CEREUS_BUILD"], sys.argv[1:]
make = ["cmake", "--build", build, *(["--target", *targets] if targets else [])]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, env={k: v for k, v in os.environ.items() if not k.startswith("CEREUS")})


made = run(*make)
check(made.returncode == 0, "the build succeeds" + ("" if made.returncode == 0 else made.stdout[-2000:]))
said = run(*make).stdout
check("no work to do" in said, f"a second build has nothing to do: {said.strip().splitlines()[-1]}")

right = run(os.environ["CEREUS"], "list")
objects = [path for name in targets or ["*"] for path in glob.glob(os.path.join(build, f"thorns/{name}/CMakeFiles/*_objects.dir/*_source.cpp.o"))]
for path in objects:
    os.utime(path)
check(len(objects) > (0 if targets else 20) and right.returncode == 0 and "WaveToy" in right.stdout, f"{len(objects)} thorns to link")
linking = subprocess.Popen(make, stdout=subprocess.PIPE, text=True)
with ThreadPoolExecutor(2) as pool:
    beside = list(pool.map(lambda _: (linking.poll() is None, run(os.environ["CEREUS"], "list")), range(40)))
said = linking.communicate()[0]
check(linking.returncode == 0 and "Linking" in said, f"they are linked, beside {sum(b for b, _ in beside)} of 40 starts")
wrong = [d.stderr or d.stdout for _, d in beside if d.returncode != 0 or d.stdout != right.stdout]
check(not wrong, f"{40 - len(wrong)} of 40 starts are right" + (f", not: {wrong[0][:600]}" if wrong else ""))
finish()
