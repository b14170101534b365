#!/usr/bin/env python3
"""The library of languages is opened by who asks for one, and is needed by nobody else; without it there is one message that says what to build.

Mutation that makes it fail: `asks_for_languages` that is always true.
"""
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from _physics import check, finish

CEREUS = Path(os.environ["CEREUS"]).resolve()
LIBRARY = "libcereus_languages.so"
WAVE = "thorns: [UniGrid, Time, MoL, Boundary, WaveToy]\nCereus: {iterations: 1}\nUniGrid: {cells: [16]}\n"
HEAT = """thorns: [UniGrid, Time, MoL, Boundary]
Cereus: {iterations: 1, compile: false}
UniGrid: {cells: [16]}
equations: |
  thorn Heat "Heat"
  evolve heat "Temperature"
    u
  operators centred(2)
  initial
    u = 1
  rhs
    D_t u = D_ii u
"""
folder = Path(tempfile.mkdtemp(prefix="cereus-"))
(folder / "wave.yaml").write_text(WAVE)
(folder / "heat.yaml").write_text(HEAT)
(folder / "heat.edl").write_text("\n".join(line[2:] for line in HEAT.partition("equations: |\n")[2].splitlines()) + "\n")


def cereus(executable, *words, **env):
    return subprocess.run([executable, *words], cwd=folder, capture_output=True, text=True, timeout=100, env=os.environ | env)


for words, opens in ((["run", "wave.yaml"], False), (["list"], False), (["describe", "WaveToy"], False), (["check", "heat.yaml"], True),
                     (["equations", "heat.edl"], True), (["describe", "Wave"], True)):
    done = cereus(CEREUS, *words, LD_DEBUG="files", LD_DEBUG_OUTPUT=str(folder / "opened"))
    opened = any(LIBRARY in path.read_text(errors="replace") for path in folder.glob("opened*"))
    check(done.returncode == 0 and opened == opens, f"{' '.join(words)} opens the library: {opened} (exit {done.returncode}) {done.stderr[-300:]}")
    for path in folder.glob("opened*"):
        path.unlink()

# An installation without it.
bare = folder / "bare"
(bare / "bin").mkdir(parents=True)
(bare / "lib").mkdir()
shutil.copy(CEREUS, bare / "bin")
for path in (CEREUS.parent.parent / "lib").iterdir():
    if path.name.startswith("libcereus.so"):
        shutil.copy(path, bare / "lib")
    elif path.name != LIBRARY:
        (bare / "lib" / path.name).symlink_to(path)
(bare / "share").symlink_to(CEREUS.parent.parent / "share")
done = cereus(bare / "bin/cereus", "run", "wave.yaml", "--fresh")
check(done.returncode == 0, f"without the library a run goes on: exit {done.returncode} {done.stderr[-300:]}")
for words in (["check", "heat.yaml"], ["equations", "heat.edl"], ["describe", "Wave"]):
    done = cereus(bare / "bin/cereus", *words)
    told = [line for line in done.stderr.splitlines() if LIBRARY in line]
    check(done.returncode == 1 and len(told) == 1 and "./cereus build languages" in told[0], f"{' '.join(words)} says what is missing: {done.stderr[-300:]}")
(bare / "lib" / LIBRARY).write_text("no library")
done = cereus(bare / "bin/cereus", "equations", "heat.edl")
check(done.returncode == 1 and "cannot be opened" in done.stderr, f"a broken library: {done.stderr[-300:]}")
finish()
