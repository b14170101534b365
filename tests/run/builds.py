#!/usr/bin/env python3
"""A run in a build tree builds the thorns that its file names, for its dimension and scalar type, and nothing else.

The build tree is a small one, in which `cmake --build` copies what the tree of the tests has built, and writes down what it was asked for.

Mutations, each of which makes it fail: all variants of a thorn asked for, not the run's; no look at the hash of the sources, or of the headers; a process
that builds without looking again once it has the lock; CEREUS_BUILDS not looked at.
"""
import os
import shutil
import subprocess
import tempfile

from _physics import check, finish

source, build = os.environ["CEREUS_SOURCE"], os.environ["CEREUS_BUILD"]
tree = os.path.realpath(tempfile.mkdtemp(prefix="cereus-"))
thorns, asked = os.path.join(tree, "lib/cereus/thorns"), os.path.join(tree, "asked")
for folder in ("bin", "lib/cereus/thorns", "share"):
    os.makedirs(os.path.join(tree, folder))
shutil.copy(os.environ["CEREUS"], os.path.join(tree, "bin/cereus"))
for name in os.listdir(os.path.join(build, "lib")):
    if name.startswith("lib"):
        shutil.copy(os.path.join(build, "lib", name), os.path.join(tree, "lib"))
os.symlink(os.path.join(build, "share/cereus"), os.path.join(tree, "share/cereus"))
shutil.copy(os.path.join(build, "thorns.txt"), tree)
with open(os.path.join(tree, "make"), "w") as f:
    f.write(f"""#!/bin/sh
while [ "$1" != --target ]; do shift; done
shift
echo "$@" >>{asked}
[ ! -e {tree}/broken ] || {{ echo "WaveToy.cpp:1: error: no semicolon"; exit 1; }}
for target; do  # those in float are not among what tests build first: they may be old
  case $target in *f32) ;; *) [ -e {build}/lib/cereus/thorns/$target.so ] && continue ;; esac
  flock {build}/.lock cmake --build {build} --target $target || exit
done
for target; do cp {build}/lib/cereus/thorns/$target.so {thorns}/$target.new && mv {thorns}/$target.new {thorns}/$target.so || exit; done
""")
os.chmod(os.path.join(tree, "make"), 0o755)
with open(os.path.join(tree, "CMakeCache.txt"), "w") as f:
    f.write(f"CMAKE_COMMAND:INTERNAL={tree}/make\n")


def run(*words, processes=1, file="wave.yaml", **more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CEREUS")} | more
    if os.path.exists(asked):
        os.remove(asked)
    command = [os.path.join(tree, "bin/cereus"), *(words or ("run", "--fresh")), os.path.join(source, "parfiles", file)]
    if processes > 1:
        command += ["-n", str(processes)]
    small = ["--set", "UniGrid.cells=[16, 16, 16]" if file == "wave.yaml" else "UniGrid.cells=[16, 16]", "--set", "Cereus.iterations=1"]
    done = subprocess.run(command + small, capture_output=True, text=True, env=environment, cwd=tree, timeout=600)
    return done, [line.split() for line in open(asked)] if os.path.exists(asked) else []


def gone(*names):
    for name in names or [n for n in os.listdir(thorns)]:
        os.remove(os.path.join(thorns, name))


done, calls = run()
targets = sorted(name for call in calls for name in call)
check(done.returncode == 0, "a first run succeeds" + done.stderr[-600:] * (done.returncode != 0))
loops = [name for name in targets if "." in name]
check(len(calls) == 2 and "WaveToy" in calls[0] and "WaveToy.d3f64" in calls[1], f"it builds twice: thorns, then loops: {calls}")
check(len(targets) - len(loops) <= 14 and "Hydro" not in targets, f"{len(targets) - len(loops)} thorns")
check(loops and all(name.endswith(".d3f64") for name in loops), f"loops for 3D and double alone: {', '.join(loops)}")
done, calls = run()
check(done.returncode == 0 and not calls, f"a second run builds nothing: {calls}")
done, calls = run("run", "--fresh", "--set", "Cereus.real=float")
check(done.returncode == 0 and calls and all(name.endswith(".d3f32") for call in calls for name in call), f"in float, other loops: {calls}")
done, calls = run(file="wave-2d.yaml")
check(done.returncode == 0 and all(".d2f64" in name or "." not in name for call in calls for name in call), f"in 2D, other loops: {calls}")
done, calls = run("check")
check(done.returncode == 0 and not calls, f"check builds nothing more: {calls}")

gone()
done, calls = run(processes=2)
names = [name for call in calls for name in call]
check(done.returncode == 0 and len(names) == len(set(names)), f"of two processes one builds: {len(calls)} calls" + done.stderr[-600:] * (done.returncode != 0))
done, calls = run(CEREUS_BUILDS="one", processes=2)
again = [name for call in calls for name in call]
check(done.returncode == 0 and sorted(again) == sorted(set(names)), "a new state of the sources: all that the run needs is asked for once")
done, calls = run(CEREUS_BUILDS="one")
check(done.returncode == 0 and not calls, f"and not again: {calls}")


def hashes_in(thorn):
    strings = subprocess.run(["strings", "-n", "32", os.path.join(build, f"lib/cereus/thorns/{thorn}.so")], capture_output=True, text=True).stdout.split()
    return {s.encode() for s in strings if len(s) == 32 and all(c in "0123456789abcdef" for c in s)}


headers = hashes_in("WaveToy") & hashes_in("UniGrid")  # what both have is of the headers
for what, hashes in (("sources", hashes_in("WaveToy") - headers), ("headers", headers)):
    with open(os.path.join(thorns, "WaveToy.d3f64.so"), "rb+") as f:
        library = f.read()
        f.seek(0)
        for h in hashes:
            library = library.replace(h, h[::-1])
        f.write(library)
    done, calls = run()
    check(hashes and done.returncode == 0 and calls == [["WaveToy.d3f64"]], f"loops of other {what} are built anew: {calls} {done.stderr[-300:] if done.returncode else ''}")

gone("WaveToy.d3f64.so")
open(os.path.join(tree, "broken"), "w").close()
for processes in (1, 2):
    done, calls = run(processes=processes)
    check(done.returncode != 0 and "WaveToy.d3f64 cannot be built" in done.stderr and "no semicolon" in done.stderr,
          f"what does not compile ends {processes} processes: {done.stderr.strip().splitlines()[:2]}")
os.remove(os.path.join(tree, "CMakeCache.txt"))
done, calls = run()
check(done.returncode == 1 and "WaveToy.d3f64.so is not there" in done.stderr, f"outside a build tree: {done.stderr.strip().splitlines()[-1:]}")
shutil.rmtree(tree)
finish()
