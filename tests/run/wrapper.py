#!/usr/bin/env python3
"""The wrapper ./cereus builds what changed, and starts at once where nothing did.

Mutations, each of which makes it fail: in the wrapper no stamp, or one of: listed() without times, without names, made_from taken after
the build, no `made`, no CEREUS_CMAKE_ARGS in made_from, a stamp that a failed build leaves.
"""
import os
import subprocess
import tempfile
import time

from _physics import check, finish

# Runs alone: it builds all of Cereus, and looks at the clock.
source, build = os.environ["CEREUS_SOURCE"], os.environ["CEREUS_BUILD"]


def run(*command, **more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CEREUS")} | more
    return subprocess.run(command, capture_output=True, text=True, env=environment)


# A small tree, whose program prints what it was made from.
root = tempfile.mkdtemp(prefix="cereus-")
MAIN = """#include <cstdio>
#include <set>
#include <string>
std::set<std::string>& words() { static std::set<std::string> all; return all; }
int main() { for (auto& w : words()) std::printf("%s ", w.c_str()); }
"""
WORD = """#include <set>
#include <string>
std::set<std::string>& words();
static bool added = words().insert("{}").second;
"""
RECIPE = """cmake_minimum_required(VERSION 3.25)
project(Small LANGUAGES CXX)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
file(GLOB words CONFIGURE_DEPENDS flesh/*.cpp)
add_executable(cereus main.cpp ${words})
target_compile_definitions(cereus PRIVATE ${MORE})
"""


def write(name, text, mode=0o644):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, mode)


def starts(what, words, built=True, **environment):
    """What the program prints is right, and it was built anew, or not."""
    log = os.path.join(root, "build/build.log")
    before = os.stat(log).st_mtime_ns if os.path.exists(log) else 0
    done = run(os.path.join(root, "cereus"), PATH=os.path.join(root, "tools") + ":" + os.environ["PATH"], **environment)
    said = done.stdout.split() if done.returncode == 0 else f"exit {done.returncode}"
    check(said == words and (os.stat(log).st_mtime_ns != before) == built,
          f"{what}: {said}, {'built' if os.stat(log).st_mtime_ns != before else 'not built'}" + (done.stderr if said != words else ""))


with open(os.path.join(source, "cereus")) as wrapper:
    write("cereus", wrapper.read(), 0o755)
write("tools/dpkg-query", "#!/bin/sh\necho installed\n", 0o755)  # nothing is installed by a test
write("tools/launch", f"""#!/bin/sh
"$@" || exit
[ ! -e {root}/late ] || mv {root}/late {root}/flesh/one.cpp
""", 0o755)
launch = f"-DCMAKE_CXX_COMPILER_LAUNCHER={root}/tools/launch"
write("CMakeLists.txt", RECIPE)
write("main.cpp", MAIN)
write("flesh/one.cpp", WORD.format("one"))
more = {"CEREUS_CMAKE_ARGS": launch}
starts("first start", ["one"], **more)
starts("second start", ["one"], False, **more)
write("flesh/one.cpp", WORD.format("uno"))
starts("a file of the same length", ["uno"], **more)
write("flesh/two.cpp", WORD.format("two"))
starts("a new file", ["two", "uno"], **more)
os.rename(os.path.join(root, "flesh/two.cpp"), os.path.join(root, "flesh/three.cpp"))
starts("a renamed file", ["two", "uno"], **more)
check("three.cpp.o" in open(os.path.join(root, "build/build.ninja")).read(), "it is known by its new name")
os.remove(os.path.join(root, "flesh/three.cpp"))
starts("a deleted file", ["uno"], **more)
write("CMakeLists.txt", RECIPE.replace("add_executable", "file(WRITE ${CMAKE_BINARY_DIR}/here)\nadd_executable"))
starts("a CMake file", ["uno"], **more)
check(os.path.exists(os.path.join(root, "build/here")), "it was read")
write("flesh/three.cpp", "#ifdef THREE\n" + WORD.format("three") + "#endif\n")
starts("a file that gives nothing", ["uno"], **more)
starts("CEREUS_CMAKE_ARGS", ["three", "uno"], CEREUS_CMAKE_ARGS=launch + " -DMORE=THREE")
more["CEREUS_CMAKE_ARGS"] += " -DMORE=THREE"
starts("the same again", ["three", "uno"], False, **more)
os.remove(os.path.join(root, "build/bin/cereus"))
starts("the executable is gone", ["three", "uno"], **more)
write("late", WORD.format("late"))
write("flesh/two.cpp", WORD.format("two"))
starts("a file that changes while it is built", ["three", "two", "uno"], **more)
starts("is built the next time", ["late", "three", "two"], **more)
write("flesh/two.cpp", "no C++")
starts("a mistake", "exit 1", **more)
starts("is no less one the next time", "exit 1", **more)
write("flesh/two.cpp", WORD.format("zwei"))
starts("mended", ["late", "three", "zwei"], **more)

# Cereus itself.
made = run("cmake", "--build", build)
check(made.returncode == 0, "the build succeeds" + ("" if made.returncode == 0 else made.stdout[-2000:]))
arguments = os.path.join(build, ".cmake_args")
arguments = open(arguments).read() if os.path.exists(arguments) else ""
command = [os.path.join(source, "cereus"), "list"]
environment = {"CEREUS_BUILD": build, "CEREUS_CMAKE_ARGS": arguments}
right = run(*command, **environment)  # leaves the stamp
check(right.returncode == 0 and "WaveToy" in right.stdout, "./cereus list")
took = []
for _ in range(5):
    start = time.time()
    again = run(*command, **environment)
    took.append(time.time() - start)
    check(again.stdout == right.stdout, f"{took[-1]:.3f} s: the same")
check(min(took) < 1, f"./cereus list takes {min(took):.3f} s")
finish()
