#!/usr/bin/env python3
"""One mistake in a kernel gives few lines of the compiler's output, with the author's line among the first ten, though a kernel is compiled for each
dimension and scalar type, and for several kinds of points. What its arguments name is looked at alone: `mistakes.py "a pointer" letters`. With --long
all of them, else each third, and of letters each fifth.

Mutations, each of which makes it fail with --long: without -fmax-errors, or -ftemplate-backtrace-limit, in add_thorn.cmake; kernel.hpp not first in thorn.hpp; a Write
handle gives a reference; has_array() or is_pointer that is always false; no overloads of Schedule::kernel for what is no kernel.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

from _physics import check, finish

SOURCE, BUILD = os.environ["CEREUS_SOURCE"], os.environ["CEREUS_BUILD"]
FLAGS = " ".join(re.findall(r"COMPILE_LANG_AND_ID:CXX,GNU>:([^>]*)>", open(os.path.join(SOURCE, "flesh/cmake/add_thorn.cmake")).read())).split()
U, RHO = "p(r.u_rhs) = p(s.rho);", "p(r.rho_rhs) = c2 * laplacian<order>(p, s.u);"
KERNEL = "a kernel is `template <int dim, class Real> struct`, in this order"
MISTAKES = {
    "a Write handle is read": (RHO, f"Real v = p(r.u_rhs); {RHO} p(r.u_rhs) = v;", "a Write handle is only assigned to"),
    "a Write handle is added to": (U, U.replace("=", "+="), "a Write handle is only assigned to: for +="),
    "a Write handle in a sum": (RHO, RHO.replace("c2 *", "p(r.u_rhs) + c2 *"), "WriteOnly<float>"),
    "a Read handle is assigned to": (RHO, RHO.replace("r.rho_rhs", "s.u"), "lvalue required as left operand of assignment"),
    "a variable's name": (U, U.replace("s.rho", "s.rh"), "has no member named ‘rh’"),
    "a read too far away": (RHO, "p(r.rho_rhs) = at<9, 0, 0>(p, s.u);", "read outside the declared reach"),
    "a stencil that reaches too far": ("star<order / 2>", "star<1>", "/kernels.hpp:"),
    "a kernel that changes itself": ("const {\n    " + U, "{\n    " + U, "operator() is const"),
    "a C array": ("  Real c2;", "  Real c2, more[2];", "wrap a C array in a struct"),
    "a pointer": ("  Real c2;", "  Real c2; const double* table;", "a kernel has no pointer"),
    "a kernel without a dimension": ("template <int dim, class Real> struct SetInitial", "inline constexpr int dim = 3;\ntemplate <class Real> struct SetInitial", KERNEL),
    "a kernel without a scalar type": ("template <int dim, class Real> struct SetInitial", "using Real = float;\ntemplate <int dim> struct SetInitial", KERNEL),
    "a kernel with its parameters exchanged": ("template <int dim, class Real> struct SetInitial", "template <class Real, int dim> struct SetInitial", KERNEL),
    "a kernel that is no template": ("template <int dim, class Real> struct SetInitial", "inline constexpr int dim = 3;\nusing Real = float;\nstruct SetInitial", KERNEL),
    "a choice in place of the dimension": ("template <int order, int dim, class Real> struct CalcRhs", "template <int order, class Real> struct CalcRhs", KERNEL),
    "an order that is not there": (RHO, RHO.replace("<order>", "<order + 2>"), "orders 2, 4, 6, 8"),
}
# A letter less, or another, in the kernel of the right-hand side.
TYPOS = (("laplacian<order>", "laplacan<order>"), (U, U.replace("s.rho", "q.rho")), (U, U.replace("s.rho", "s.rh")), (U, U.replace(";", "")),
         (U, U.replace("p(r", "(r")), (U, U.replace("rho)", "rho")), (RHO, RHO.replace("c2", "c3")), (RHO, RHO.replace("order", "oder")), (RHO, RHO.replace("s.u", "r.u")),
         ("star<order / 2>", "star<order / 3>"), ("Write<Rhs, interior", "Wrte<Rhs, interior"), ("Write<Rhs, interior", "Write<Rhs, interio"))


def compile_with(old, new):
    folder = tempfile.mkdtemp(prefix="cereus-")
    shutil.copytree(os.path.join(SOURCE, "thorns/WaveToy/src"), folder, dirs_exist_ok=True)
    path = os.path.join(folder, "kernels.hpp")
    text = open(path).read()
    assert old in text, old
    with open(path, "w") as f:
        f.write(text.replace(old, new))
    command = ["g++", "-std=c++20", "-fopenmp", "-fsyntax-only", *FLAGS, "-I", folder, "-I", os.path.join(BUILD, "flesh/include"), os.path.join(folder, "WaveToy.cpp")]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"LC_ALL": "C.UTF-8"}, timeout=100)
    return done.returncode, done.stderr.splitlines()


if not shutil.which("g++"):
    finish("there is no g++")
LONG = "CEREUS_LONG" in os.environ
asked = sys.argv[1:] or [*list(MISTAKES)[::1 if LONG else 3], "letters"]
code, said = compile_with(U, U)
check(code == 0, f"without a mistake: {said[:3]}")
for name, (old, new, sentence) in MISTAKES.items():
    if name not in asked:
        continue
    code, said = compile_with(old, new)
    author = next((n for n, line in enumerate(said, 1) if "/kernels.hpp:" in line or "/WaveToy.cpp:" in line), 99)
    check(code != 0 and len(said) <= 30 and author <= 10 and any(sentence in line for line in said),
          f"{name}: exit {code}, {len(said)} lines, the author's is number {author}: {[line for line in said if 'error' in line][:1]}")
if "letters" in asked:
    worst = 0
    for old, new in TYPOS[::1 if LONG else 5]:
        code, said = compile_with(old, new)
        worst = max(worst, len(said))
        check(code != 0 and any("/kernels.hpp:" in line or "/WaveToy.cpp:" in line for line in said[:10]), f"{new}: {len(said)} lines")
    check(worst <= 30, f"one letter: {worst} lines, the worst of {len(TYPOS)}")
finish()
