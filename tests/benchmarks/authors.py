#!/usr/bin/env python3
"""Measures what authors wait for and stumble over, and adds it to docs/measured/everyday.json: how long a thorn of three kernels takes to compile, how much the
compiler says of a letter that is wrong, which links and blocks of the documentation are broken.

Usage: authors.py BUILD [OUT]
"""
import os
import re
import resource
import subprocess
import sys
import tempfile

from _rates import host, note, write

os.environ.setdefault("MACHINE", host())
build = os.path.abspath(sys.argv[1])
root = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
out = sys.argv[2] if len(sys.argv) > 2 else os.path.join(root, "docs", "measured", "everyday.json")

KERNELS = """#pragma once
#include <cereus/kernel.hpp>
namespace Gray {
using namespace cereus;
template <class F> struct State { F u, v; };
template <class F> struct Rhs { F u_rhs, v_rhs; };
template <class F> struct Rate { F rate; };
template <int dim, class Real> struct SetInitial {
  Write<State, interior, Real> s;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Real v = exp(Real(-200 * (square(p.x()) + square(p.y())))) / 4;
    p(s.v) = v, p(s.u) = 1 - 2 * v;
  }
};
template <int dim, class Real> struct CalcRhs {
  Read<State, star<2>, Real> s;
  Write<Rhs, interior, Real> r;
  Real feed, kill;
  CEREUS_KERNEL void operator()(auto& p) const {
    const Real u = p(s.u), v = p(s.v);
    p(r.u_rhs) = Real(2e-5) * laplacian<4>(p, s.u) - u * v * v + feed * (1 - u);
    p(r.v_rhs) = Real(1e-5) * laplacian<4>(p, s.v) + u * v * v - (feed + kill) * v;
  }
};
template <int dim, class Real> struct CalcRate {
  Read<State, pointwise, Real> s;
  Write<Rate, interior, Real> r;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.rate) = p(s.u) * square(p(s.v)); }
};
}  // namespace Gray
"""
DECLARATION = """#include <cereus/thorn.hpp>
#include "kernels.hpp"
namespace Gray {
void declare(Declaration& d) {
  d.describe("Gray and Scott's reaction");
  d.parameter("feed", 0.037, above(0.0), "Rate at which U comes in");
  d.parameter("kill", 0.06, above(0.0), "Rate at which V is taken out");
  d.group<State>("state", {"u", "v"}, "Concentrations").rhs<Rhs>();
  d.group<Rate>("rate", {"rate"}, "Rate of the reaction").not_checkpointed();
}
void schedule(Schedule& s, const Parameters&) {
  s.kernel<SetInitial@>("initial", "A spot").at(bin::initial);
  s.kernel<CalcRhs@>("rhs", "Right-hand side")
      .set([](auto& k, const Parameters& p) { k.feed = p.real("feed"), k.kill = p.real("kill"); })
      .in(MoL::rhs);
  s.kernel<CalcRate@>("rate", "Rate of the reaction").at(bin::analysis).on_demand();
}
}  // namespace Gray
CEREUS_THORN(Gray, Gray::declare, Gray::schedule)
"""


def seconds_to_build(prefix, variants):
    """CPU seconds of `cmake --build`, of a thorn that `cereus new-thorn` began."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    subprocess.run([f"{prefix}/bin/cereus", "new-thorn", "Gray"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    for name, text in (("kernels.hpp", KERNELS), ("Gray.cpp", DECLARATION.replace("@", variants))):
        with open(f"{folder}/Gray/src/{name}", "w") as f:
            f.write(text)
    subprocess.run(["cmake", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}"], cwd=f"{folder}/Gray", check=True, stdout=subprocess.DEVNULL)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(["cmake", "--build", "build"], cwd=f"{folder}/Gray", check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def said_by(test):
    environment = {"CEREUS": f"{build}/bin/cereus", "CEREUS_SOURCE": root, "CEREUS_BUILD": build}
    return subprocess.run([sys.executable, f"{root}/tests/run/{test}.py"], env=os.environ | environment, capture_output=True, text=True).stdout


def row(what, value, unit, bar, met):
    note(what, value, unit, bar, met)
    print(f"{what}: {value:.3g} {unit} (bar: {bar})", flush=True)


with tempfile.TemporaryDirectory(prefix="cereus-") as scratch:
    tempfile.tempdir = scratch
    subprocess.run(["cmake", "--install", build, "--prefix", f"{scratch}/prefix"], check=True, stdout=subprocess.DEVNULL)
    seconds = seconds_to_build(f"{scratch}/prefix", ", types<double>, dimensions<2>")
    row("building an out-of-tree thorn of three kernels, 2D, double", seconds, "CPU s", "≤ 7", seconds <= 7)
    row("the same for 1D, 2D and 3D, float and double", seconds_to_build(f"{scratch}/prefix", ""), "CPU s", None, None)
worst = re.search(r"one letter: (\d+) lines, the worst of (\d+)", said_by("mistakes"))
row(f"a one-letter mistake in a kernel: lines of compiler output, worst of {worst[2]}", int(worst[1]), "lines", "≤ 30", int(worst[1]) <= 30)
docs = said_by("docs")
links = re.search(r"(\d+) links and pictures", docs)[1]
here, blocks = re.search(r"(\d+) blocks of code, (\d+) of them", docs).groups()[::-1]
broken = docs.count(" leads nowhere")
wrong = docs.count("WRONG ") - broken + docs.count("SKIPPED")
row(f"broken links in the documentation, of {links}", broken, "", "0", broken == 0)
row(f"code blocks that do not run, of {here} that tests/run/docs.py runs (there are {blocks}; the others run in the tests that it names)", wrong, "", "0", wrong == 0)
write(out)
