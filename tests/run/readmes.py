#!/usr/bin/env python3
"""Every YAML example in a README of a thorn or in docs is a parameter file that `cereus check` accepts, and that runs.

An example that leaves something out shows it by not being a whole file: it names no thorns. Then it is checked as an
addition to a small wave. It is run only as far as the first step. Mutation: a norm or parameter in a README that does
not exist.
"""
import glob
import os
import re
import subprocess
import tempfile

from _physics import check, finish

SOURCE = os.environ["CEREUS_SOURCE"]
WAVE = "thorns: [UniGrid, MoL, Time, Boundary, WaveToy]\nCereus: {iterations: 1}\nBoundary: {all: neumann}\n"


def cereus(command, text, *more):
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "example.yaml"), "w") as f:
        f.write(text)
    done = subprocess.run([os.environ["CEREUS"], command, *more, "example.yaml"], cwd=folder, capture_output=True,
                          text=True, timeout=100)
    return done.returncode, (done.stdout if done.returncode == 0 else done.stderr).strip()[-400:]


examples = 0
files = [os.path.join(SOURCE, "README.md")]
for pattern in ("thorns/*/README.md", "docs/**/*.md"):
    files += sorted(glob.glob(os.path.join(SOURCE, pattern), recursive=True))
for path in files:
    with open(path) as f:
        text = f.read()
    for found in re.finditer(r"^```yaml\n(.*?)^```", text, re.M | re.S):
        examples += 1
        name = f"{os.path.relpath(path, SOURCE)}:{text[:found.start()].count(chr(10)) + 1}"
        example = found[1] if re.search("^thorns:", found[1], re.M) else WAVE + found[1]
        code, said = cereus("check", example)
        check(code == 0, f"{name}: check" + (f": exit {code}: {said}" if code else ""))
        if code == 0:
            cells = [12] * (3 if "ADMBase" in example else 2)  # spacetimes have three dimensions
            whole = "stencils:" in example or "Forest:" in example  # these say how many cells there are, or need so many
            small = [] if whole else ["--set", f"UniGrid.cells={cells}"]
            small += ["--set", f"Cereus.iterations={'iterations: 0' not in example:d}"]
            code, said = cereus("run", example, *small)
            check(code == 0, f"{name}: one step" + (f": exit {code}: {said}" if code else ""))
check(examples > 10, f"{examples} examples were found")
finish()
