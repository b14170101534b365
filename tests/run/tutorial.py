#!/usr/bin/env python3
"""What the tutorial tells a newcomer to type works: its ```sh blocks, in one shell; the first in a clone, the others in an empty folder.

Mutations, each of which makes it fail: in the tutorial a missing `;`, a speed of the front below 1, or a test that asks for order 4; other words in
`graph`.
"""
import os
import re
import subprocess
import sys
import tempfile

from _physics import check, finish

with open(os.path.join(os.environ["CEREUS_SOURCE"], "docs", "tutorial.md")) as f:
    text = f.read()
install, *blocks = re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)
check(len(blocks) == text.count("```") // 2 - 1 - text.count("```math\n") and len(blocks) > 5, f"{len(blocks)} blocks, and no other kind")

home = tempfile.mkdtemp(prefix="cereus-")
os.makedirs(os.path.join(home, "clone"))
os.makedirs(os.path.join(home, "empty"))
os.symlink(os.environ["CEREUS_BUILD"], os.path.join(home, "clone", "build"))
script = f"cd ~/clone\n{install}\ncd ~/empty\n" + "\n".join(f"echo '== block {n}'\n{b}" for n, b in enumerate(blocks, 1))
environment = {k: v for k, v in os.environ.items() if not k.startswith(("CEREUS", "CMAKE_PREFIX"))}
environment |= {"HOME": home, "CEREUS_PYTHON": sys.executable}
done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], env=environment, capture_output=True, text=True)
check(done.returncode == 0, f"exit {done.returncode}" + ("" if done.returncode == 0 else f"\n{done.stdout[-6000:]}{done.stderr[-6000:]}"))
for promised in ("↔ sync Fisher::u", "update of Fisher::state is fused in", "speed: 1.", "front.yaml: no mistakes found"):
    check(promised in done.stdout, f"it prints {promised!r}")
check(done.stdout.count("100% tests passed, 0 tests failed out of 2") == 2 and "Skipped" not in done.stdout, "both tests pass, before the changes and after them")

# The mistake that the text invites the reader to make, and the one that must not compile.
empty = os.path.join(home, "empty")
environment["PATH"] = f"{home}/cereus/bin:" + environment["PATH"]
environment["CMAKE_PREFIX_PATH"] = f"{home}/cereus"
typed = lambda command: subprocess.run(command, shell=True, cwd=empty, env=environment, capture_output=True, text=True)
done = typed("cereus check front.yaml --thorns . --set Fisher.rat=2")
check(done.returncode == 1 and "did you mean 'rate'" in done.stderr, f"a mistake is named: {done.stderr.strip()}")
done = typed("sed -i 's/star<1>/pointwise/' Fisher/src/kernels.hpp && cmake --build Fisher/build")
said = next((line for line in (done.stdout + done.stderr).splitlines() if "error: " in line), "")
check(done.returncode != 0 and "reach" in said, f"a neighbour that was not declared does not compile: {said[-200:]}")
finish()
