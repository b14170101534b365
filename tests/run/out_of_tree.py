#!/usr/bin/env python3
"""An author who installed Cereus writes a thorn outside the tree, builds it and runs it.

Mutations, each of which makes it fail: a header, the package or the template of new-thorn not installed; an RPATH into the build tree
only; add_thorn() that needs a target of the source tree.
"""
import os
import subprocess
import tempfile
import time

from _physics import check, finish


def do(what, *command, cwd):
    start = time.time()
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CEREUS")}
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True, env=environment)
    check(done.returncode == 0, f"{what}: {time.time() - start:.1f} s" + ("" if done.returncode == 0 else "\n" + done.stdout + done.stderr))
    if done.returncode != 0:
        finish()
    return done.stdout


folder = tempfile.mkdtemp(prefix="cereus-")
prefix = os.path.join(folder, "prefix")
do("install", "cmake", "--install", os.environ["CEREUS_BUILD_DIR"], "--prefix", prefix, cwd=folder)
cereus = os.path.join(prefix, "bin", "cereus")
check("Liar" not in do("list", cereus, "list", cwd=folder), "the thorns of tests are not installed")
do("cereus new-thorn Foo", cereus, "new-thorn", "Foo", cwd=folder)
foo = os.path.join(folder, "Foo")
do("configure", "cmake", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=foo)
do("build", "cmake", "--build", "build", cwd=foo)
do("its test", "ctest", "--test-dir", "build", "--output-on-failure", cwd=foo)
do("its parameter file", cereus, "run", "tests/decay.yaml", "--thorns", "build", cwd=foo)
finish()
