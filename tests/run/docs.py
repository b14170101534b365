#!/usr/bin/env python3
"""The documentation: links and anchors within the tree lead somewhere, and each block of code runs. Blocks of text are output, listings and signatures; those of
other tests are named here (notebooks: gallery.py), and after ```sh may stand `not run:` and why; the rest runs here, with what its page takes for granted. No line of
code is wider than a page of the site.

Each word of docs/concepts/words.md occurs in the files that its row names.

Mutations, each of which makes it fail: a letter less in a link or an anchor, or in a word of words.md; a block without a language; in a page `.writes` for `.reads` misspelt, a line of code of 91 columns, a program of
stencils with an unknown name, a field `WaveToy__v` in Python.
"""
import glob
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from _physics import DIMENSIONS, check, finish

ROOT, BUILD = Path(os.environ["CEREUS_SOURCE"]), Path(os.environ["CEREUS_BUILD"])
sys.path.insert(0, str(ROOT / "docs/site"))
sys.dont_write_bytecode = True
import pages  # noqa: E402

ELSEWHERE = {("docs/tutorial.md", "sh"): "tutorial.py", ("docs/python.md", "sh"): "python.py", ("docs/python.md", "python"): "python.py",
             ("docs/view.md", "sh"): "out_of_tree.py", ("docs/view.md", "cmake"): "out_of_tree.py"}
# What a block of C++ takes for granted: the text around it says so.
WAVE = "template <class F> struct State { F u, rho; };\ntemplate <class F> struct Rhs { F u_rhs, rho_rhs; };\n"
KERNEL = "template <int dim, class Real> struct {} {{ {} CEREUS_KERNEL auto operator()(auto& p) const {{ {} }} }};\n"
GRANTED = {
    "docs/concepts/group.md": "template <class F> struct Rhs { F u_rhs, rho_rhs; };",
    "docs/concepts/kernel.md": WAVE,
    "docs/concepts/thorn.md": "namespace WaveToy { void declare(Declaration&); void schedule(Schedule&, const Parameters&); }\ntemplate <class F> struct State { F u; };",
    "docs/concepts/schedule.md": "template <class F> struct Potential { F phi; };\ntemplate <class F> struct Next { F next; };\n"
    + KERNEL.format("Sweep", "Read<Potential, star<1>, Real> s; Write<Next, interior, Real> n;", "p(n.next) = at<1, 0, 0>(p, s.phi); return Max<Real>{p(s.phi)};")
    + KERNEL.format("Copy", "Read<Next, pointwise, Real> n; Write<Potential, interior, Real> s;", "p(s.phi) = p(n.next);"),
    "thorns/TmunuBase/README.md": "using TmunuBase::Energy;\n" + KERNEL.format("AddMatter", "Add<Energy, Real> e;", "p(e.eTtt) += Real(1);"),
}
AFTER = {"CalcRhs": '.variant(choices<2, 4>{}, p.integer("order"))', "Compare": ""}  # kernels of docs/concepts/kernel.md, which says nothing of schedules
FIELDS = 'view::World world(0, nullptr, {.cells = {8}}); auto f = world.field("f"), g = world.field("g");'


def links():
    count = 0
    notebooks = [path.relative_to(ROOT) for path in ROOT.glob("docs/notebooks/*.ipynb")]
    for page in pages.pages(ROOT) + notebooks:
        text = pages.notebook(ROOT / page) if page in notebooks else (ROOT / page).read_text()
        count += len(pages.links(text))
        for line, target in pages.broken(ROOT, page, text):
            check(False, f"{page}:{line}: {target} leads nowhere")
    check(count > 200, f"{count} links and pictures")
    planted = "# A\n[a](#b) [c](README.mb) [d](docs/tutorial.md#5-runn) [e](#a)\n"
    check(len(pages.broken(ROOT, Path("README.md"), planted)) == 3, "links that lead nowhere are found")


def words():
    """Of each row of words.md every word in `…` stands in at least one of the files, and every file has at least one of the words."""
    page = ROOT / "docs/concepts/words.md"
    rows = [line.split("|")[1:4] for line in page.read_text().splitlines() if line.startswith("| `")]
    for column, _, where in rows:
        named = re.findall(r"`([^`]+)`", column)
        texts = {file: (page.parent / file).read_text() for file in re.findall(r"\]\(([^)]+)\)", where) if (page.parent / file).is_file()}
        stands = {(word, file) for word in named for file, text in texts.items() if re.search(rf"\b{word}\b", text)}
        check({word for word, _ in stands} == set(named) and {file for _, file in stands} == set(texts) != set(), f"words.md: {', '.join(named)} in {', '.join(texts)}")
    check(len(rows) > 20, f"{len(rows)} words have a meaning")


def pieces(block):
    """A block of declarations as (kind, text): what begins at the left edge, with what is indented below it."""
    for text in re.findall(r"^[^\s}].*\n(?:(?:[\s}].*)?\n)*", block, re.M):
        if text.startswith("#include"):
            yield "include", text
        elif re.match(r"template|void|namespace|CEREUS_THORN", text):
            yield "file", text
        elif text.startswith("d."):
            yield "declare", text
        elif not text.startswith(("//", "…")):
            yield "schedule", text


def translation_unit(blocks):
    """All blocks of C++, each in a namespace of its own."""
    text, includes = "", set()
    for n, (page, code) in enumerate(blocks):
        kinds = {"include": "", "file": "", "declare": "", "schedule": ""}
        for kind, piece in pieces(code):
            kinds[kind] += piece
        scheduled = "".join(f's.kernel<{name}>("kernel", ""){choice};' for name, choice in AFTER.items() if f"struct {name} " in code)
        includes.update(kinds["include"].splitlines())
        text += f"namespace block{n} {{\nusing namespace cereus;\n{GRANTED.get(page, '')}\n"
        if page == "docs/view.md":
            text += f"void program() {{\n{FIELDS}\n{code}}}\n}}\n"
            continue
        text += kinds["file"] + f"void declare(Declaration& d) {{\n{kinds['declare']}}}\n"
        text += f"void schedule(Schedule& s, const Parameters& p) {{\n{kinds['schedule']}{scheduled}\n}}\n}}\n"
    fixed = "#include <TmunuBase/tmunu_base.hpp>\n#include <cereus/thorn.hpp>\n#include <cereus/view.hpp>\n#include <cmath>\n"
    return "\n".join(sorted(includes)) + "\n" + fixed + text


def compiles(what, files):
    """Main file first."""
    folder = Path(tempfile.mkdtemp(prefix="cereus-"))
    for name, text in files.items():
        (folder / name).write_text(text)
    command = ["g++", "-std=c++20", "-fopenmp", "-fsyntax-only", "-fmax-errors=3", f"-I{folder}", f"-I{BUILD}/flesh/include", f"-I{ROOT}/flesh/view/include",
               *(f"-I{path}" for path in glob.glob(f"{ROOT}/thorns/*/include")), folder / next(iter(files))]
    done = subprocess.run(command, capture_output=True, text=True)
    errors = "\n".join(line for line in done.stderr.splitlines() if "error" in line)
    check(done.returncode == 0, f"{what} compile" + (f"\n{errors}" if errors else ""))


def cpp(found):
    """The README's thorn is two files in one block; those of docs/view.md are built and run by out_of_tree.py, the one of docs/concepts/thorn.md is tests/thorns/Centre."""
    for page, line, code in found:
        if page == "README.md":
            kernels, declaration = code.split("// src/Wave.cpp")
            compiles(f"{page}:{line}: the files", {"Wave.cpp": "//" + declaration, "kernels.hpp": "#pragma once\n" + kernels})
    rest = [(page, code) for page, _, code in found if page != "README.md" and not code.startswith(("#pragma once\n", "#include <cereus/view.hpp>", "#include <cereus/thorn.hpp>\nusing"))]
    compiles(f"{len(rest)} blocks of {len({page for page, _ in rest})} pages", {"blocks.cpp": translation_unit(rest)})


def shell(found):
    """With the built executable for ./cereus; what would build and test, or make the site, is only looked up."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    os.symlink(ROOT / "parfiles", os.path.join(folder, "parfiles"))
    environment = {k: v for k, v in os.environ.items() if k != "CEREUS_ACTIVATE"}
    environment |= {"PATH": f"{BUILD}/bin:{os.environ['PATH']}", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
    for page, line, code in found:
        for command in re.findall(r"^\./cereus (build|test|docs)\b.*\n", code, re.M):
            check(f"\n  {command})\n" in (ROOT / "cereus").read_text(), f"{page}: ./cereus {command} is a command")
        code = re.sub(r"^\./cereus (build|test|docs)\b.*\n", "", code, flags=re.M).replace("./cereus", "cereus")
        done = subprocess.run(["bash", "-euc", code], cwd=folder, capture_output=True, text=True, env=environment)
        check(done.returncode == 0, f"{page}:{line}: {code.splitlines()[0]}" + (done.stdout + done.stderr)[-2000:] * (done.returncode != 0))


def python(found):
    """In the folder of a run that has written what they read."""
    os.chdir(tempfile.mkdtemp(prefix="cereus-"))
    Path("wave.yaml").write_text("arrangements: [standard]\nthorns: [WaveToy, IOSilo]\nCereus: {iterations: 40}\nUniGrid: {cells: [12, 12, 12]}\n"
                                 "IOHDF5: {variables: ['WaveToy::u'], every: 10}\nIOSilo: {variables: ['WaveToy::u'], every: 40}\nIOImage: {variables: []}\n")
    done = subprocess.run([os.environ["CEREUS"], "run", "wave.yaml"], capture_output=True, text=True)
    check(done.returncode == 0, "a run to read" + done.stderr)
    for page, line, code in found:
        missing = [name for name in re.split(r"[, ]+", re.search(r"^import (.*)$", code, re.M)[1].replace(" as np", "")) if not importlib.util.find_spec(name)]
        if missing:
            print(f"SKIPPED: {page}:{line}: not installed: {', '.join(missing)}")
            continue
        done = subprocess.run([sys.executable, "-c", code], cwd="wave" if "wave/" not in code else ".", capture_output=True, text=True)
        check(done.returncode == 0, f"{page}:{line}{done.stderr[-500:]}")


def cmake(found):
    """The recipe of a thorn of equations, as far as the sources that the equations become."""
    prefix = tempfile.mkdtemp(prefix="cereus-")
    subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    for page, line, code in found:
        folder = Path(tempfile.mkdtemp(prefix="cereus-"))
        (folder / "CMakeLists.txt").write_text(code)
        (folder / "heat.edl").write_text('thorn Heat "Heat"\nevolve state "Temperature"\n  u\noperators centred(2)\ninitial\n  u = x\nrhs\n  D_t u = D_ii u\n')
        for command in (["-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}"], ["--build", "build", "--target", "Heat_sources"]):
            done = subprocess.run(["cmake", *command], cwd=folder, capture_output=True, text=True)
            check(done.returncode == 0, f"{page}:{line}: cmake {command[0]}" + (done.stdout + done.stderr)[-2000:] * (done.returncode != 0))
        check((folder / "build/src/kernels.hpp").exists(), f"{page}:{line}: equations become sources")


def stencil(found):
    for page, line, code in found:
        path = Path(tempfile.mkdtemp(prefix="cereus-")) / "program.stencil"
        path.write_text(code)
        done = subprocess.run([os.environ["CEREUS"], "equations", path, "--stage", "kernels"], capture_output=True, text=True)
        check(done.returncode == 0 and "CEREUS_KERNEL" in done.stdout, f"{page}:{line}: a stencil program{done.stderr}")


RUN = {"cpp": cpp, "sh": shell, "python": python, "cmake": cmake, "stencil": stencil}
links()
words()
here, count, wide = {language: [] for language in RUN}, 0, []
for page in map(str, pages.pages(ROOT)):
    for line, info, code in pages.blocks((ROOT / page).read_text()):
        language, _, reason = info.partition(" not run: ")
        if reason:
            print(f"      {page}:{line}: not run: {reason}")
            continue
        if language in ("text", "math"):
            continue
        count += 1
        wide += [f"{page}:{line + n}" for n, text in enumerate(code.splitlines(), 1) if len(text) > 90]
        if language in here and (page, language) not in ELSEWHERE:
            here[language].append((page, line, code))
        elif language not in ("yaml", *RUN):
            check(False, f"{page}:{line}: no test runs blocks of '{language}'; what is not code says ```text")
check(not wide, f"lines of code are at most 90 columns wide {', '.join(wide)}")
for (page, _), test in {**ELSEWHERE, ("docs", "yaml"): "readmes.py"}.items():
    check(os.path.basename(page) in (ROOT / "tests/run" / test).read_text(), f"{page}: {test}")
check(count > 80, f"{count} blocks of code, {sum(map(len, here.values()))} of them run here")
if 3 in DIMENSIONS and 2 in DIMENSIONS:
    for language, run in RUN.items():
        run(here[language])
finish()
