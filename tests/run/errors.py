#!/usr/bin/env python3
"""What is wrong with a parameter file: all of it at once, each with its place and its mend, exit 1, and nothing written.

Mutations, each of which makes it fail: throw_if_any() after the first problem found; a message without did_you_mean; open_folder()
before assemble(); fs::rename dropped from --fresh; a walk over YAML aliases without a limit; check_first_pass() never called;
chosen_by() that returns nothing.
"""
import os
import re
import subprocess
import tempfile

from _physics import check, finish


def cereus(text, *arguments, folder=None, command="run", **environment):
    """Runs a file called wave.yaml; returns exit code, standard error and the names in the folder afterwards."""
    folder = folder or tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "wave.yaml"), "wb") as f:
        f.write(text if isinstance(text, bytes) else text.encode())
    done = subprocess.run([os.environ["CEREUS"], command, "wave.yaml", *arguments], cwd=folder, capture_output=True, text=True,
                          errors="replace", timeout=60, env=os.environ | environment)
    return done.returncode, done.stderr, sorted(os.listdir(folder))


GOOD = """thorns: [UniGrid, Time, MoL, WaveToy]
Cereus: {iterations: 1}
UniGrid: {cells: [8, 8, 8]}
"""
check(cereus(GOOD)[0] == 0, "the file that the others are made from runs")

# Twelve mistakes: line, what is said, the mend.
mistakes = """thorns: [UniGrid, Time, MoL, WaveToy]
Cereus:
  iterations: many
  final_tim: 1
UniGrid:
  cells: [8, 8, 8, 8]
  periodic: 3
Time:
  dt: -1
  courant: [0.1, 0.2]
MoL:
  method: RK5
WaveToy:
  ampitude: 2
  order: 5
  speed: 0
  width: fast
Reduce:
  reproducible: true
"""
expected = [(3, "iterations", "integer"), (4, "final_tim", "did you mean 'final_time'"), (6, "cells", "list"), (7, "periodic", "booleans"),
            (9, "dt", ">= 0"), (10, "courant", "number"), (12, "RK5", "RK4"), (14, "ampitude", "did you mean 'amplitude'"),
            (15, "order", "2, 4, 6, 8"), (16, "speed", "> 0"), (17, "width", "number"), (18, "Reduce", "thorns")]
code, said, left = cereus(mistakes)
lines = said.splitlines()
check(code == 1 and left == ["wave.yaml"], f"twelve mistakes: exit {code}, {left}")
for line, word, mend in expected:
    found = [s for s in lines if re.match(rf"wave\.yaml:{line}:\d+: ", s)]
    check(len(found) == 1 and word in found[0] and mend in found[0], f"line {line}: " + (" | ".join(found) or "nothing was said"))
check(len(lines) == 12, f"{len(lines)} lines were said" + ("" if len(lines) == 12 else ":\n" + said))
check(cereus(mistakes, command="check")[:2] == (code, said), "check says the same as run")

bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12)) + GOOD
for what, text, word in (("a key given twice", GOOD + "UniGrid: {cells: [4]}\n", "UniGrid"),
                         ("a key given twice in a block", GOOD + "Time:\n  dt: 1\n  dt: 2\n", "dt"),
                         ("a second document", GOOD + "---\n" + GOOD, "document"),
                         ("an alias bomb", bomb, ""),
                         ("an empty file", "", ""),
                         ("comments alone", "# nothing\n", ""),
                         ("noise", bytes(range(256)) * 20, ""),
                         ("broken YAML", GOOD + "Time: {dt: [1\n", ""),
                         ("a list in place of a map", "- 1\n- 2\n", ""),
                         ("an unknown thorn", GOOD.replace("WaveToy", "WaveTyo"), "did you mean 'WaveToy'"),
                         ("an unknown arrangement", "arrangements: [standrad]\n" + GOOD, "did you mean 'standard'"),
                         ("no driver", GOOD.replace("UniGrid, ", "").replace("UniGrid: {cells: [8, 8, 8]}\n", ""), "Driver"),
                         ("no time step", GOOD.replace("Time, ", ""), "TimeStep")):
    code, said, left = cereus(text)
    placed = said.startswith("wave.yaml") or what.startswith("no ")
    check(code == 1 and word in said and placed and left == ["wave.yaml"] and "terminate" not in said and said.count("\n") <= 3,
          f"{what}: exit {code}: {said.strip()[:200]!r}" + ("" if left == ["wave.yaml"] else f" {left}"))
check(cereus(GOOD, "--set", "WaveToy.ordr=4")[0] == 1, "a mistake in --set")

# Variables that an output or analysis thorn cannot have: what only steps write, and what is misspelt.
for thorns, name, word in (("IOASCII, Reduce", "WaveToy::u_rhs", "names WaveToy::u_rhs, which nothing writes before the first step"),
                           ("IOHDF5", "@rhs", "through @rhs, names WaveToy::rho_rhs, which nothing writes before the first step"),
                           ("IOImage", "WaveToy::*_rhs", "through WaveToy::*_rhs, names WaveToy::u_rhs, which nothing writes before"),
                           ("NaNChecker", "WaveToy::w", "did you mean 'WaveToy::u'?"),
                           ("Interpolate", "@evolvd", "did you mean '@evolved'?")):
    thorn = thorns.split(",")[0]
    more = f"{thorn}:\n  every: 1\n  variables: [WaveToy::rho, '{name}']\n" + "  points: [0, 0, 0]\n" * (thorn == "Interpolate")
    code, said, left = cereus(GOOD.replace("WaveToy]", f"WaveToy, {thorns}]") + more)
    check(code == 1 and left == ["wave.yaml"] and word in said and
          all(s.startswith(f"wave.yaml:6:14: {thorn}.variables") for s in said.splitlines()), f"{thorn} {name}: exit {code}: {said.strip()}")
for name in ("WaveToy::energy", "@evolved", "WaveToy::state", "WaveToy::*"):
    code, said, left = cereus(GOOD.replace("WaveToy]", "WaveToy, IOHDF5]") + f"IOHDF5: {{every: 1, variables: ['{name}']}}\n")
    check(code == 0, f"{name} can be had: exit {code}: {said.strip()}")

# The environment may say where kernels run, where nothing else does. What parameters there are does not depend on it.
code, said, left = cereus(GOOD, CEREUS_DEVICE="mirror")
check(code == 1 and said.startswith("CEREUS_DEVICE=mirror: ") and "add AcceleratorMirror" in said, f"a device that is not there: {said.strip()}")
code, said, left = cereus(GOOD, CEREUS_DEVICE="miror")
check(code == 1 and "CEREUS_DEVICE=miror: Cereus.device" in said and "'mirror'" in said, f"a device that nobody knows: {said.strip()}")
check(cereus(GOOD.replace("iterations: 1", "iterations: 1, device: none"), CEREUS_DEVICE="mirror")[0] == 0, "the file decides, if it says anything")
check(cereus(GOOD, "--set", "Cereus.device=none", CEREUS_DEVICE="mirror")[0] == 0, "and so does --set")
described = [subprocess.run([os.environ["CEREUS"], "describe", "Cereus.device"], capture_output=True, text=True, env=os.environ | {"CEREUS_DEVICE": kind}).stdout
             for kind in ("none", "mirror", "miror")]
check(described[0] == described[1] == described[2] and "auto" in described[0], f"described alike everywhere: {described}")

# A folder that holds a run is left alone, unless asked to move it aside.
folder = tempfile.mkdtemp(prefix="cereus-")
check(cereus(GOOD, folder=folder)[0] == 0, "a first run")
with open(os.path.join(folder, "wave", "mine"), "w") as f:
    f.write("kept")
code, said, left = cereus(GOOD, folder=folder)
check(code == 1 and "--fresh" in said and left == ["wave", "wave.yaml"], f"a second run: exit {code}: {said.strip()}")
for k in (1, 2):
    code, said, left = cereus(GOOD, "--fresh", folder=folder)
    check(code == 0 and f"wave.old-{k}" in left, f"--fresh, for the {k}. time: exit {code}, {left}")
check(os.path.exists(os.path.join(folder, "wave.old-1", "mine")), "what was there is in wave.old-1")
check(not os.path.exists(os.path.join(folder, "wave", "mine")), "and not in the new folder")
finish()
