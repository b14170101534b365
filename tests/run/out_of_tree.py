#!/usr/bin/env python3
"""An author who installed Cereus writes a thorn outside the tree, builds it and runs it.

Mutations, each of which makes it fail: a header, the package or the template of new-thorn not installed; an RPATH into the build tree
only; add_view.cmake not installed, or a program that looks for thorns beside itself; add_thorn() that needs a target of the source tree;
headers of thorns that are not installed, or all in one folder; USES that is not followed from thorn to thorn, or not looked for next door;
in the template of new-thorn no noise, differences that are not centred, a cosine of another length, or no tag `Time::diffusivity`; in that
of its copies a test of the order of a thorn in 3D, or one that takes any difference for none (`$8` for `$9`); a kernel for one dimension
that is compiled for another, too.
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from _physics import check, finish


def do(what, *command, cwd):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CEREUS")} | {"CEREUS_PYTHON": sys.executable}
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True, env=environment)
    check(done.returncode == 0, what + ("" if done.returncode == 0 else "\n" + done.stdout + done.stderr))
    if done.returncode != 0:
        finish()
    return done.stdout


def convergence(thorn, python):
    """Exit code and words of a thorn's test of its order."""
    done = subprocess.run(["bash", os.path.join(thorn, "tests", "convergence.sh"), cereus, os.path.join(thorn, "build")], capture_output=True, text=True,
                          env={**os.environ, "CEREUS_PYTHON": python})
    return done.returncode, done.stdout + done.stderr


folder = tempfile.mkdtemp(prefix="cereus-")
prefix = os.path.join(folder, "prefix")
do("install", "cmake", "--install", os.environ["CEREUS_BUILD_DIR"], "--prefix", prefix, cwd=folder)
cereus = os.path.join(prefix, "bin", "cereus")
# A first run builds the executable, its libraries, and the thorns that its file names: an installation then has these.
needed = []
for path in glob.glob(os.path.join(os.environ["CEREUS_BUILD_DIR"], "**", "cmake_install.cmake"), recursive=True):
    with open(path) as f:
        needed += re.findall(r'file\(INSTALL DESTINATION "[^"]*" TYPE (?:MODULE|SHARED_LIBRARY|EXECUTABLE) FILES\s+"[^"]*/([^"/]*)"', f.read())
check({n.split(".")[0] for n in needed} == {"cereus", "libcereus", "libcereus_view"}, f"what must be there to be installed: {sorted(needed)}")
do("the package for Python", "/usr/bin/env", f"PYTHONPATH={prefix}/lib/python3", sys.executable, "-c",
   f"from cereus.jobs import executable; assert executable() == {cereus!r}, executable()", cwd=folder)
check("Liar" not in do("list", cereus, "list", cwd=folder), "the thorns of tests are not installed")
said = do("new-thorn of a build", os.environ["CEREUS"], "new-thorn", "Baz", cwd=folder)
check("./cereus build" in said and f"cmake --install {os.path.realpath(os.environ['CEREUS_BUILD_DIR'])} --prefix" in said, f"what is not installed says what comes first: {said}")
refused = subprocess.run(["cmake", "-S", "Baz", "-B", "Baz/build", f"-DCMAKE_PREFIX_PATH={os.environ['CEREUS_BUILD_DIR']}"], cwd=folder, capture_output=True, text=True)
check(refused.returncode != 0 and "is the folder of a build; install it first" in refused.stderr and refused.stderr.count("CMake Error") == 1, f"and CMake, too: {refused.stderr[:300]}")
do("cereus new-thorn Foo", cereus, "new-thorn", "Foo", cwd=folder)
foo = os.path.join(folder, "Foo")
do("configure", "cmake", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=foo)
do("build", "cmake", "--build", "build", cwd=foo)
said = do("its tests", "ctest", "--test-dir", "build", "--output-on-failure", cwd=foo)
check("100% tests passed, 0 tests failed out of 2" in said and "Skipped" not in said, "of its result and of its order")
do("its parameter file", cereus, "run", "tests/example.yaml", "--thorns", "build", cwd=foo)
with open(os.path.join(foo, "README.md")) as f:
    readme = f.read()
told = do("describe", cereus, "describe", "Foo", "--thorns", "build", cwd=foo)
known, files = (re.findall(rf"^\| `({form})` \|", readme, re.M) for form in (r"\w+", r"\w+/[\w.]+"))
check(len(known) == 3 and all(re.search(rf"\b{name}\b", told) for name in known), f"its README has its parameters: {known}")
check(len(files) == 5 and all(os.path.exists(os.path.join(foo, name)) for name in files) and "@NAME@" not in readme, f"and its files: {files}")
code, out = convergence(foo, "/nowhere/python3")
check(code == 77 and "SKIPPED: " in out and "apt-get install python3" in out, f"without Python the test of the order is skipped: {code} {out.strip()}")

# What editors need: how it is compiled, and what parameter files may say.
with open(os.path.join(foo, "build", "compile_commands.json")) as f:
    command, *others = (entry["command"] for entry in json.load(f) if entry["file"] == os.path.join(foo, "src", "Foo.cpp"))
check(len(others) == 6, "compiled for its declaration, and for each dimension and scalar type")
do("compile_commands.json leads to the headers", "bash", "-c", command.partition(" -o ")[0] + " -fsyntax-only " + os.path.join(foo, "src", "Foo.cpp"), cwd=foo)
with open(os.path.join(foo, ".clangd")) as f:
    check("CompilationDatabase: build\n" in f.read(), ".clangd says where that is")
with open(os.path.join(foo, ".vscode", "settings.json")) as f:
    settings = json.load(f)
check(os.path.exists(settings["C_Cpp.default.compileCommands"].replace("${workspaceFolder}", foo)), "so does .vscode/settings.json")
(schema,) = settings["yaml.schemas"]
with open(os.path.join(foo, schema)) as f:
    check("diffusivity" in json.load(f)["properties"]["Foo"]["properties"], "the schema of parameter files knows the thorn")
if shutil.which("clangd"):
    done = subprocess.run(["clangd", "--check=src/kernels.hpp"], cwd=foo, capture_output=True, text=True)
    check("not found" not in done.stderr and "Failed to find" not in done.stderr, "clangd finds the headers")
else:
    print("SKIPPED: not installed: clangd; nobody has looked for headers as an editor does")

# A thorn for one dimension and scalar type is compiled for these alone.
def compiled():
    objects = [os.path.join(place, name) for place, _, names in os.walk(os.path.join(foo, "build")) for name in names if name.endswith(".cpp.o")]
    symbols = do("nm", "nm", "-C", *objects, cwd=foo)
    return {kernel: set(re.findall(rf"{kernel}<(\d), (float|double)>", symbols)) for kernel in ("SetInitial", "CalcRhs")}


found = compiled()
check(all(len(kinds) == 6 for kinds in found.values()), f"kernels for each dimension and scalar type: {found}")
source = os.path.join(foo, "src", "Foo.cpp")
with open(source) as f:
    text = f.read()
with open(source, "w") as f:
    f.write(re.sub(r"s\.(kernel|rhs)<(\w+)>", r"s.\1<\2, types<double>, dimensions<2>>", text))
do("build it for 2D and double", "cmake", "--build", "build", cwd=foo)
found = compiled()
check(all(kinds == {("2", "double")} for kinds in found.values()), f"kernels for 2D and double alone: {found}")
do("the test of its result", "ctest", "--test-dir", "build", "--output-on-failure", "-R", "run", cwd=foo)

# A copy of a thorn of Cereus.
do("cereus new-thorn Heat --like Diffusion", cereus, "new-thorn", "Heat", "--like", "Diffusion", cwd=folder)
heat = os.path.join(folder, "Heat")
do("configure", "cmake", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=heat)
do("build", "cmake", "--build", "build", cwd=heat)
said = do("its tests", "ctest", "--test-dir", "build", "--output-on-failure", cwd=heat)
check("100% tests passed, 0 tests failed out of 2" in said and "Skipped" not in said, "on two processes, and at three resolutions")
with open(os.path.join(heat, "tests", "example.yaml"), "a") as f:
    f.write("Time: {diffusive_courant: 30}\n")
code, out = convergence(heat, sys.executable)
check(code == 1 and "do not come closer" in out, f"which fails with steps that are too long: {code} {out[-200:]}")
do("cereus new-thorn Ripple --like WaveToy", cereus, "new-thorn", "Ripple", "--like", "WaveToy", cwd=folder)
check(sorted(os.listdir(os.path.join(folder, "Ripple", "tests"))) == ["example.yaml", "run.sh"], "a copy whose example is in 3D has no test of its order")
check("Diffusion" not in open(os.path.join(heat, "src", "Heat.cpp")).read(), "names are replaced")
for like, said in (("Difusion", "did you mean 'Diffusion'"), ("CaKernel", "cannot be copied")):
    done = subprocess.run([cereus, "new-thorn", "Other", "--like", like], cwd=folder, capture_output=True, text=True)
    check(done.returncode == 1 and said in done.stderr and not os.path.exists(os.path.join(folder, "Other")), f"--like {like}: {done.stderr.strip()}")

# The program of docs/view.md.
view = os.path.join(folder, "view")
os.makedirs(view)
with open(os.path.join(os.environ["CEREUS_SOURCE"], "docs", "view.md")) as f:
    page = f.read()
for name, language in (("heat.hpp", "cpp"), ("main.cpp", "cpp"), ("CMakeLists.txt", "cmake")):
    with open(os.path.join(view, name), "w") as f:
        f.write(page.split(f"`{name}`")[1].split(f"```{language}\n")[1].split("```")[0])
os.environ |= {"OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
(commands,) = re.findall(r"^```sh\n(.*?)^```$", page, re.M | re.S)
said = do("the commands of the page", "bash", "-euc", commands.replace("=PREFIX", f"={prefix}"), cwd=view)
check(said.count("1459.7 1459.7\n") == 3, f"each time it says {said.splitlines()[-1]}, as the page does")
check(any(name.endswith(".hdf") for name in os.listdir(os.path.join(view, "heat-output"))), "and writes output where it is asked to")

# A thorn that uses one next door, which uses one that is installed.
RECIPE = """cmake_minimum_required(VERSION 3.25)
project(Bar LANGUAGES CXX)
find_package(Cereus REQUIRED)
add_thorn(Bar {})
"""
FILES = {
    "Near/CMakeLists.txt": "add_thorn_headers(Near\n  USES Output  # which is installed\n)\n",
    "Near/include/Near/near.hpp": "#include <Output/vocabulary.hpp>\n",
    "Bar/src/Bar.cpp": """#include <Near/near.hpp>
#include <cereus/thorn.hpp>
void declare(cereus::Declaration& d) { d.describe("Every " + std::to_string(sizeof(Output::Chosen) > 0)); }
void schedule(cereus::Schedule&, const cereus::Parameters&) {}
CEREUS_THORN(Bar, declare, schedule)
""",
    "Bar/CMakeLists.txt": RECIPE.format("USES Near"),
}


def write(files):
    for name, text in files.items():
        os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
        with open(os.path.join(folder, name), "w") as f:
            f.write(text)


def refused(what, expected):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CEREUS")}
    done = subprocess.run(["cmake", "--build", "build"], cwd=bar, capture_output=True, text=True, env=environment)
    said = [line for line in (done.stdout + done.stderr).splitlines() if expected in line]
    check(done.returncode != 0 and said, f"{what}: {said[:1]}")


bar = os.path.join(folder, "Bar")
write(FILES)
do("configure Bar", "cmake", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}", cwd=bar)
do("headers next door and installed", "cmake", "--build", "build", cwd=bar)
check("Every 1" in do("list", cereus, "list", "--thorns", "build", cwd=bar), "they are in the thorn")
write({"Near/CMakeLists.txt": "add_thorn_headers(Near)\n"})
refused("what is used next door is not declared there", "Output/vocabulary.hpp: No such file")
write({"Near/CMakeLists.txt": FILES["Near/CMakeLists.txt"], "Bar/CMakeLists.txt": RECIPE.format("")})
refused("what is next door is not declared", "Near/near.hpp: No such file")
write({"Bar/CMakeLists.txt": RECIPE.format("USES Nowhere")})
refused("what is not there is declared", "USES Nowhere: neither")
finish()
