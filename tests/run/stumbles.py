#!/usr/bin/env python3
"""What newcomers stumbled over, each mended and looked at.

Mutations, each of which makes it fail: died_early() that is false, or that wants a word of progress; failed runs that skip the bin terminate; NaNChecker without its
limit; WaveToy's limit of the step for second order at all orders; edges of the graph in clusters; IOHDF5's suffix ignored; a checkpoint's
data called data.P; a list of outputs for ParaView with another name than .hdf.series; any number of processes on a machine; a line for each variable that is
read and not written; wildcards that take right-hand sides; a range of colours that is not kept; a status line that messages do not clear; an exception without its
routine; a process that was killed unnamed; curves of noise, or of the first column alone; no look at the memory of the machine; options without their dashes;
a run on another machine that is moved aside; a range that is widened; check_step in basegrid; check without
routines of paramcheck; writes of new-thorn that are not looked at; outputs that a kernel forgets, or variables of one name, not looked at; at_face that is always
false; no ItemBuilder::in of a GroupItem; lists of UniGrid that are too long; `types<double>, dimensions<2>` taken out of the tutorial; the standard arrangement
without NaNChecker.

    stumbles.py [NAME…]      those of the stumbles S2, S3, S5 to S16 that are named, and `others`; all by default
"""
import glob
import json
import os
import pty
import re
import resource
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

from _physics import DIMENSIONS, check, finish, job
from _small_thorn import small_thorn

CEREUS = os.environ["CEREUS"]
DIM = max(DIMENSIONS)
WAVE = f"""thorns: [UniGrid, Time, MoL, WaveToy{{thorns}}]
Cereus: {{{{iterations: {{iterations}}, output: out}}}}
UniGrid: {{{{cells: {[16] * DIM}}}}}
"""

STATE = """template <class F> struct State { F u, rho; };
template <class F> struct Rhs { F u_rhs, rho_rhs; };
template <int dim, class Real> struct Begin {
  Write<State, interior, Real> s;
  CEREUS_KERNEL void operator()(auto& p) const { p(s.u) = p.x() * p.x(), p(s.rho) = Real(1); }
};
"""
FORGETS = STATE + """template <int dim, class Real> struct CalcRhs {
  Read<State, pointwise, Real> s;
  Write<Rhs, interior, Real> r;
  CEREUS_KERNEL void operator()(auto& p) const { p(r.u_rhs) = p(s.rho); }
};
void declare(Declaration& d) { d.group<State>("state", {"u", "rho"}, "What evolves").rhs<Rhs>(); }
void schedule(Schedule& s, const Parameters&) {
  s.kernel<Begin, types<double>, dimensions<DIM>>("initial", "Initial data").at(bin::initial);
  s.kernel<CalcRhs, types<double>, dimensions<DIM>>("rhs", "Right-hand side").in(MoL::rhs);
}
"""
FACES = STATE + """template <int dim, class Real> struct Inside {
  Read<State, pointwise, Real> s;
  CEREUS_KERNEL Max<Real> operator()(auto& p) const {
    bool face = false;
    for (int d = 0; d < dim; ++d) face = face || p.at_face(d, 0) || p.at_face(d, 1);
    return {face ? Real(0) : p(s.u)};
  }
};
void declare(Declaration& d) {
  d.group<State>("state", {"u", "rho"}, "At vertices");
  d.scalars("control", {"inside"}, "The largest u that does not lie on a face");
}
void schedule(Schedule& s, const Parameters&) {
  s.kernel<Begin, types<double>, dimensions<DIM>>("initial", "x²").at(bin::initial);
  s.kernel<Inside, types<double>, dimensions<DIM>>("inside", "Largest u").into("inside").at(bin::poststep);
  s.routine("tell", "Says it", [](Context& c) { std::printf("inside: %g\\n", c.read_values<double>("inside")[0]); })
      .reads({"inside"}).at(bin::poststep);
}
"""
LOOP = """void declare(Declaration& d) { d.scalars("control", {"going"}, "Whether it goes on").type(ScalarType::int32); }
void schedule(Schedule& s, const Parameters&) {
  s.routine("begin", "At least one sweep", [](Context& c) { c.values<std::int32_t>("going")[0] = 1; }).writes({"going"}).at(bin::evolve);
  const auto solve = s.group("solve", "Three sweeps").at(bin::evolve).after("begin").while_("going");
  s.routine("sweep", "A sweep", [](Context& c) {
     std::int32_t& going = c.values<std::int32_t>("going")[0];
     std::printf("sweep %d\\n", going), going = (going + 1) % 4;
   }).updates({"going"}).in(solve);
}
"""
TWINS = """template <class F> struct State { F u, rho; };
void declare(Declaration& d) { d.group<State>("state", {"u", "u"}, "Twins"); }
void schedule(Schedule&, const Parameters&) {}
"""
TROUBLE = """void declare(Declaration&) {}
void schedule(Schedule& s, const Parameters&) {
  s.routine("trouble", "Throws", [](Context& c) { if (c.clock().iteration == 3) throw std::runtime_error("in deep water"); }).at(bin::evolve);
}
"""


def wave(more="", thorns="", iterations=4):
    return WAVE.format(thorns="".join(f", {t}" for t in thorns.split()), iterations=iterations) + more


def run(text, *options, processes=1, folder=None, **environment):
    """Exit code, what was said to standard output and error, and the folder."""
    folder = folder or tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run(**job(folder, text, processes, options, **environment), capture_output=True, timeout=120)
    return done.returncode, done.stdout, done.stderr, folder


def thorn_runs(name, text):
    """run() with a small thorn, whose text is compiled first; if it does not compile, what the compiler said."""
    built, said = small_thorn(name, text.replace("DIM", str(DIM)))
    if not built:
        return -1, "", next((line for line in said.splitlines() if "error:" in line), said), None
    return run(f"thorns: [UniGrid, Time, MoL, {name}]\nCereus: {{iterations: 4, output: out}}\nUniGrid: {{cells: {[8] * DIM}, lower: -1, upper: 1, periodic: false}}\nTime: {{dt: 0.1}}\n", "--thorns", built)


def cereus(*words, cwd=None):
    done = subprocess.run([CEREUS, *words], cwd=cwd, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout, done.stderr


def names(folder, pattern):
    return sorted(os.path.basename(p) for p in glob.glob(os.path.join(folder, "out", pattern)))


def state(folder):
    with open(os.path.join(folder, "out", "progress.json")) as f:
        return json.load(f)["state"]


def forgotten():
    code, said, wrong, _ = thorn_runs("Forgets", FORGETS)
    check(code == 1 and "Forgets::rhs does not write Forgets::rho_rhs at each point" in wrong, f"an output that a kernel forgets: exit {code} {wrong.strip()}")
    code, said, wrong, _ = thorn_runs("Forgets", FORGETS.replace("= p(s.rho);", "= p(s.rho); p(r.rho_rhs) = Real(0);"))
    check(code == 0, f"one that forgets none: exit {code} {wrong.strip()}")


def faces():
    code, said, wrong, _ = thorn_runs("Faces", FACES)
    check(code == 0 and said.count("inside: 0.5625\n") == 5, f"a kernel leaves out vertices on faces, so that the largest x² is 0.75²: {re.findall('inside: .*', said)[:1]} {wrong.strip()}")


def loop():
    code, said, wrong, _ = thorn_runs("Loop", LOOP)
    check(code == 0 and said.count("sweep 1\nsweep 2\nsweep 3\n") == 4, f"routines are scheduled into a group, which loops: exit {code} {wrong.strip()}")


def few_variants():
    """What the page says of a kernel that makes sense in one dimension and scalar type."""
    with open(os.path.join(os.environ["CEREUS_SOURCE"], "docs/concepts/kernel.md")) as f:
        told = re.search(r"s\.kernel<\w+(, types<double>, dimensions<(\d)>)>", f.read())
    if check(told is not None, f"the page says how to compile a kernel for one dimension and type: {told and told[0]}"):
        kinds = re.sub(", types<double>, dimensions<DIM>", told[1], FORGETS)
        built, said = small_thorn("Forgets", kinds)
        symbols = subprocess.run(["nm", "-C", os.path.join(built, "Forgets.so")], capture_output=True, text=True).stdout if built else ""
        found = set(re.findall(r"CalcRhs<(\d), (\w+)>", symbols))
        check(found == {(told[2], "double")}, f"and so it is: {found} {said[:300]}")


def killed_early():
    text = wave(thorns="Checkpoint", iterations=1000000)
    for processes, stepped in ((1, True), (1, False), (2, True)):
        folder = tempfile.mkdtemp(prefix="cereus-")
        running = subprocess.Popen(**job(folder, text, processes), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        limit = time.monotonic() + 30
        while not os.path.exists(os.path.join(folder, "out", "progress.json")) and time.monotonic() < limit:
            time.sleep(0.01)
        running.kill()
        running.wait()
        if not stepped:  # as if it had died before its first step
            os.remove(os.path.join(folder, "out", "progress.json"))
        code, said, wrong, _ = run(wave(thorns="Checkpoint"), folder=folder, processes=processes)
        if processes > 1:  # mpirun hears of it, and the run stops with a checkpoint
            check(code == 0 and "going on from iteration" in said, f"{processes}: its launching process killed: {code} {wrong}{said[:200]}")
            continue
        check(code == 0 and "the run in 'out' died before its first checkpoint; it is now 'out.old-1'" in said and state(folder) == "done" and
              os.path.exists(os.path.join(folder, "out.old-1", "parameters.yaml")), f"{processes}: killed before its first checkpoint: {code} {wrong}{said[:200]}")
    code, said, wrong, _ = run(wave("Checkpoint: {at_end: false}\n", "Checkpoint"), folder=(folder := tempfile.mkdtemp(prefix="cereus-")))
    code, said, wrong, _ = run(wave("Checkpoint: {at_end: false}\n", "Checkpoint"), folder=folder)
    check(code == 1 and "--fresh" in wrong, f"a run that ended well, without a checkpoint, is left alone: {code} {wrong.strip()}")
    silently = wave("Checkpoint: {at_end: false}\n", "Checkpoint").replace("Cereus: {", "Cereus: {progress: 0, ")
    run(silently, folder=(folder := tempfile.mkdtemp(prefix="cereus-")))
    code, said, wrong, _ = run(silently, folder=folder)
    check(code == 1 and "--fresh" in wrong and not os.path.exists(os.path.join(folder, "out.old-1")), f"and so is one that said nothing of its progress: {code} {wrong.strip()}")


def on_another_machine():
    text = wave("Checkpoint: {at_end: false}\n", "Checkpoint")
    run(text, folder=(folder := tempfile.mkdtemp(prefix="cereus-")))
    path = os.path.join(folder, "out", "progress.json")
    with open(path) as f:
        last = json.load(f)
    with open(path, "w") as f:
        json.dump(last | {"state": "running", "host": "elsewhere"}, f)
    code, said, wrong, _ = run(text, folder=folder)
    check(code == 1 and "the run in 'out' may still go on, on elsewhere" in wrong and "--fresh" in wrong and not os.path.exists(os.path.join(folder, "out.old-1")),
          f"a run that another machine began is left alone: {code} {wrong.strip()}")
    code, said, wrong, _ = run(text, "--fresh", folder=folder)
    check(code == 0 and os.path.exists(os.path.join(folder, "out.old-1")), f"but for --fresh: {code} {wrong.strip()}")


def blown_up():
    code, said, wrong, folder = run(wave("Time: {courant: 2}\n", iterations=3000).replace("thorns: [UniGrid, Time, MoL, ", "arrangements: [standard]\nthorns: ["))
    check(code == 3 and "NaNChecker: WaveToy::" in wrong, f"the standard arrangement sees it: exit {code} {wrong.strip()[-300:]}")
    more = "Time: {courant: 2}\nNaNChecker: {every: 10}\n"
    for processes in (1, 2):
        code, said, wrong, folder = run(wave(more, "NaNChecker IOImage TimerReport Checkpoint", 3000), processes=processes)
        found = re.search(r"NaNChecker: WaveToy::\w+ has .* in iteration (\d+), t = (\S+), dt = (\S+), the first at \(\d+(, \d+)*\), x = \S+", wrong)
        check(code == 3 and found is not None, f"{processes}: it says which, when and where: {code} {wrong.strip()[:300]}")
        iteration = int(found[1]) if found else 0
        check(iteration % 10 == 0 and bool(names(folder, f"*.it{iteration:08}.png")) and bool(names(folder, "timers.txt")),
              f"{processes}: the last pictures and timers are there: {names(folder, '*')}")
        check(state(folder) == "failed" and "has failed" in cereus("watch", os.path.join(folder, "out"))[1], f"{processes}: its state is {state(folder)}")
        check(not names(folder, "checkpoints/0*"), f"{processes}: no checkpoint of it")
        check(re.search(r"with steps of dt = \S+ the wave blows up; MoL.method bears at most \S+: lower Time.courant", wrong) is not None,
              f"{processes}: the limit of the step is named beforehand")
    code, said, wrong, _ = run(wave("NaNChecker: {limit: 0.5}\n", "NaNChecker"))
    check(code == 3 and "too large (limit: 0.5)" in wrong, f"a limit that is passed: {code} {wrong.strip()}")
    # RK4 bears ω dt < 2.83, and ω h = √(dim 16/3) at order 4: courant 2.83 / that.
    bears = 2.8284 / (DIM * 16 / 3) ** 0.5
    for order, factor, warns in ((4, 0.98, False), (4, 1.02, True), (2, 0.98 * (4 / 3) ** 0.5, False), (8, 0.98, True)):
        code, said, wrong, _ = run(wave(f"Time: {{courant: {bears * factor}}}\nWaveToy: {{order: {order}}}\n"))
        check(code == 0 and ("blows up" in wrong) == warns, f"order {order}, courant {bears * factor:.3f}: {'a' if warns else 'no'} warning: {wrong.strip()}")


def short_steps():
    if DIM > 1:
        more = "Time: {courant: 2}\nIncompressible: {velocity: ['100', '0']}\n"
        code, said, wrong, _ = run(wave(more, "Incompressible Multigrid", iterations=1))
        check(code == 0 and "blows up" not in wrong, f"no warning where a flow keeps steps short: {code} {wrong.strip()}")


def graph():
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(wave(thorns="Reduce IOASCII"))
    source = cereus("graph", "run.yaml", "--dot", cwd=folder)[1]
    depth, inside = 0, []
    for line in source.splitlines()[1:]:
        inside += [line] if "->" in line and depth else []
        depth += line.startswith("subgraph") - (line == "}")
    check(not inside, f"edges lie outside of clusters: {inside[:3]}")
    check("↔ sync WaveToy::u" in source, "the picture has syncs")
    check(re.search(r'"MoL::\w+" -> "MoL::\w+" \[label="while MoL::\w+"', source) is not None, "and the loop")
    check(re.search(r'"WaveToy::energy" \[.*dashed', source) is not None, "what runs on demand is dashed")
    check("says after" not in cereus("graph", "run.yaml", cwd=folder)[1] and "· " in cereus("graph", "run.yaml", "--why", cwd=folder)[1], "reasons are shown when asked for")


def suffix():
    code, said, wrong, folder = run(wave("IOHDF5: {every: 4, suffix: h5}\n", "IOHDF5"))
    check(code == 0 and names(folder, "run_*") == ["run_00000000.h5", "run_00000004.h5"] and names(folder, "*.series") == ["run.hdf.series"],
          f"openPMD-api wants .h5, ParaView .hdf.series: {names(folder, '*')} {wrong.strip()}")
    if code != 0:
        return
    with open(os.path.join(folder, "out", "run_00000004.h5"), "rb") as f:
        check(b"run_%T.h5" in f.read(), "and that files name themselves so")


def pieces():
    code, said, wrong, folder = run(wave(thorns="Checkpoint"))
    found = names(folder, "checkpoints/00000004/*")
    check(code == 0 and found == ["manifest.json", "pieces.0.json", "state.0"], f"no data.0, which kuibit takes for ADIOS: {found}")


def crowds():
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(wave().replace(str([16] * DIM), str([100000] + [16] * (DIM - 1))))
    with open(os.path.join(folder, "mpirun"), "w") as f:
        f.write("#!/bin/sh\nexit 5\n")  # in place of the launcher: nothing is started
    os.chmod(f.name, 0o755)
    here = {k: v for k, v in os.environ.items() if k not in ("SLURM_JOB_ID", "PBS_NODEFILE", "LSB_JOBID", "PE_HOSTFILE")} | {"PATH": f"{folder}:{os.environ['PATH']}"}
    for processes, queue, said in ((33000, {}, "-n 33000: this machine has"), (33000, {"SLURM_JOB_ID": "7"}, "ended with exit code 5"), (2, {}, "ended with exit code 5")):
        done = subprocess.run([CEREUS, "run", "run.yaml", "-n", str(processes)], cwd=folder, capture_output=True, text=True, timeout=60, env=here | queue)
        check(done.returncode == (5 if "5" in said else 1) and said in done.stderr and len(os.listdir(folder)) == 2,
              f"-n {processes} {queue or ''}: {done.returncode} {done.stderr.strip()}")


def initial_data():
    holes = f"thorns: [UniGrid, Time, MoL, Boundary, BSSN, ADMBase{{}}]\nCereus: {{{{iterations: 1}}}}\nUniGrid: {{{{cells: {[16] * DIM}}}}}\n"
    for thorns, says in (("", "BSSN::from_ADMBase reads ADMBase::gxx, ADMBase::gxy"), (", ExactMetrics, TwoPunctures", "take one of the two thorns alone, or say .before")):
        with open(os.path.join(folder := tempfile.mkdtemp(prefix="cereus-"), "run.yaml"), "w") as f:
            f.write(holes.format(thorns))
        code, said, wrong = cereus("check", "run.yaml", cwd=folder)
        check(code == 1 and says in wrong and len(wrong.splitlines()) == 1, f"{thorns or 'nothing'} for initial data: {code} {wrong.strip()}")
    if DIMENSIONS == [1, 2, 3]:
        with open(os.path.join(folder, "run.yaml"), "w") as f:
            f.write("thorns: [UniGrid, Time, Stencils]\nCereus: {iterations: 1}\nUniGrid: {cells: 16}\n")
        code, said, wrong = cereus("check", "run.yaml", cwd=folder)
        check(code == 1 and "is not compiled for 1D double, which this run takes, but for 3D double, 3D float" in wrong, f"a dimension that a kernel lacks: {wrong.strip()}")


def wildcards():
    code, said, wrong, folder = run(wave("IOASCII: {every: 2, variables: ['WaveToy::*']}\n", "Reduce IOASCII"))
    check(code == 0 and bool(names(folder, "wavetoy-state.norm2.asc")) and not names(folder, "*rhs*"), f"a wildcard leaves out right-hand sides: {code} {wrong.strip()}")
    code, said, wrong, folder = run(wave("IOASCII: {every: 2, variables: ['WaveToy::*_rhs']}\n", "Reduce IOASCII"))
    check(code == 1 and "names WaveToy::u_rhs, which nothing writes before" in wrong, f"unless it means them: {code} {wrong.strip()}")


def pixels(path):
    """Width, height, and rows of RGB bytes."""
    data, at, body = open(path, "rb").read(), 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
        body += data[at + 8:at + 8 + size] if kind == b"IDAT" else b""
        at += size + 12
    step = {2: 3, 6: 4}[colour]
    raw, rows, before = zlib.decompress(body), [], bytearray(step * width)
    for y in range(height):
        line = raw[y * (step * width + 1):(y + 1) * (step * width + 1)]
        how, row = line[0], bytearray(line[1:])
        for x in range(len(row)):
            a, b, c = row[x - step] if x >= step else 0, before[x], before[x - step] if x >= step else 0
            paeth = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            row[x] = (row[x] + (0, a, b, (a + b) // 2, paeth)[how]) & 255
        rows.append(bytes(row))
        before = row
    return width, height, rows, step


def colour_bar(folder, iteration):
    """What stands right of the frame: the bar and its numbers."""
    (path,) = glob.glob(os.path.join(folder, "out", f"*-u.xy.it{iteration:08}.png"))
    width, height, rows, step = pixels(path)
    return [row[-100 * step:] for row in rows[50:]]


def pictures():
    if DIM < 2:
        return
    text = wave("IOImage: {{every: 4, variables: ['WaveToy::u'], {}}}\nWaveToy: {{width: 0.2}}\n", "IOImage", 8)
    for how, same in (("range: [-1, 1]", True), ("keep_range: true, colours: diverging", True), ("log: false", False)):
        code, said, wrong, folder = run(text.replace("{}", how).replace("{{", "{").replace("}}", "}"))
        bars = [code == 0 and colour_bar(folder, i) for i in (4, 8)]
        check(code == 0 and (bars[0] == bars[1]) == same, f"{how}: the scales of two pictures are {'one' if same else 'two'}: {wrong.strip()}")
    bars = []
    for how in ("range: [-1, 3]", "range: [-1, 3], colours: sequential", "range: [-1, 3], colours: diverging", "range: [-3, 3]"):
        code, said, wrong, folder = run(text.replace("{}", how).replace("{{", "{").replace("}}", "}"))
        bars.append(code == 0 and colour_bar(folder, 4))
    check(bars[0] == bars[1] and bars[2] not in (bars[1], bars[3]), "a range that is given is not widened")
    code, said, wrong, folder = run(text.replace("{}", "log: true, range: [0, 1]").replace("{{", "{").replace("}}", "}"))
    check(code == 1 and "IOImage.range is [lowest, highest], above 0 for a logarithm" in wrong, f"a range that no logarithm has: {wrong.strip()}")


def curves():
    folder = tempfile.mkdtemp(prefix="cereus-")
    run(wave("IOASCII: {every: 1}\n", "Reduce IOASCII"), folder=folder)
    with open(os.path.join(folder, "out", "noise.asc"), "w") as f:
        f.write("# 1:iteration 2:time 3:data\n# data columns: 3:u\n" + "".join(f"{n}\t{n}\t{0.0019687 * (1 - n * n * 1e-15)}\n" for n in range(20)))
    line = next(l for l in cereus("watch", os.path.join(folder, "out"))[1].splitlines() if l.startswith("noise"))
    check(set(line.split()[-1]) == {"▄"}, f"rounding noise is flat: {line}")
    if not shutil.which("node"):
        return print("SKIPPED: not installed: node; nobody has drawn the page's curves")
    page = open(os.path.join(os.environ["CEREUS_SOURCE"], "thorns/HTTPD/server/page.html")).read()
    script = page[page.index('"use strict"'):page.index("fetch(address(\"file/schedule.txt\"))")]
    with open(os.path.join(folder, "page.js"), "w") as f:
        f.write("""const fs = require("fs"), made = [], location = { search: "" };
const document = { createElementNS: (space, tag) => ({ tag, set: {}, setAttribute(k, v) { this.set[k] = v; }, append(e) { this.child = e; } }) };
const fetch = async () => ({ ok: true, arrayBuffer: async () => fs.readFileSync(process.argv[2]) });
""" + script + """
figure = (section, key, name, value, content) => {
  const heights = [...content.child.set.d.matchAll(/ (-?[\\d.]+)/g)].map(m => m[1]);
  made.push([name, heights.length, new Set(heights).size]);
};
draw([{ name: process.argv[2].slice(4), size: fs.statSync(process.argv[2]).size, changed: 1 }]).then(() => console.log(JSON.stringify(made)));
""")
    for name, expected in (("wavetoy-state.norm2.asc", [["wavetoy-state.norm2 u", 5, 5], ["wavetoy-state.norm2 rho", 5, 5]]), ("noise.asc", [["noise u", 20, 1]])):
        done = subprocess.run(["node", "page.js", os.path.join("out", name)], cwd=folder, capture_output=True, text=True)
        check(done.returncode == 0 and json.loads(done.stdout) == expected, f"the page's curves of {name}: {done.stdout.strip()} {done.stderr[:300]}")


def silent():
    code, said, wrong = cereus("new-thorn", "WaveToy", cwd=(folder := tempfile.mkdtemp(prefix="cereus-")))
    check(code == 1 and "there is a thorn 'WaveToy' already" in wrong and not os.listdir(folder), f"new-thorn WaveToy: exit {code} {wrong.strip()}")
    with open(os.path.join(folder, "run.yaml"), "w") as f:
        f.write(wave("Time: {courant: 0.5}\n", iterations=7))
    code, said, wrong = cereus("check", "run.yaml", cwd=folder)
    check("steps: dt = 0.0625, 7 of them" in said and "ghost zones: 2 wide" in said and not wrong, f"check: {said} {wrong}")
    code, said, wrong = cereus("check", "run.yaml", "--set", f"UniGrid.cells={[10 ** (12 // DIM)] * DIM}", cwd=folder)
    check(code == 0 and "is more than the" in wrong, f"a grid that no machine has: {code} {said}{wrong.strip()}")
    for n, key, value in ((3, "lower", "[-1, -1]"), (2, "lower", "[-1, -1, -1]"), (2, "periodic", "[true, true, false]"), (1, "upper", "[1, 1]")):
        if n in DIMENSIONS:
            code, said, wrong, folder = run(wave().replace(f"cells: {[16] * DIM}", f"cells: {[16] * n}, {key}: {value}"))
            check(code == 1 and wrong.startswith("run.yaml:3") and f"UniGrid.{key} needs one value, or one for each axis" in wrong and os.listdir(folder) == ["run.yaml"],
                  f"{n} axes, {key}: {value}: exit {code} {wrong.strip()}")
    code, said, wrong, _ = thorn_runs("Twins", TWINS)
    check(code == 1 and "Twins declares the variable 'u' twice, in the group 'state'" in wrong, f"two variables of one name: exit {code} {wrong.strip()}")


def full_disk():
    folder = tempfile.mkdtemp(prefix="cereus-")
    done = subprocess.run([CEREUS, "new-thorn", "Full"], cwd=folder, capture_output=True, text=True, restore_signals=False,  # SIGXFSZ stays ignored
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300)))
    check(done.returncode == 3 and "cannot write Full/" in done.stderr and not os.listdir(folder), f"new-thorn on a disk that is full: {done.returncode} {done.stderr.strip()}")


def obstacle():
    if DIM > 1:
        with open(os.path.join(folder := tempfile.mkdtemp(prefix="cereus-"), "run.yaml"), "w") as f:
            f.write(f"""thorns: [UniGrid, Boundary, Time, MoL, Multigrid, Incompressible]
Cereus: {{iterations: 1, output: out}}
UniGrid: {{cells: {[8] * DIM}, periodic: false}}
Incompressible: {{x_lower: inflow, x_lower_velocity: ["1", "0"], x_upper: outflow, obstacle: "0.3 - x - y"}}
""")
        code, said, wrong = cereus("check", "run.yaml", cwd=folder)
        check(code == 1 and "flows in at x_lower" in wrong and not said, f"check finds an obstacle where fluid flows in: {code} {said}{wrong.strip()}")


def first_lines():
    code, said, wrong, _ = run(wave("IOASCII: {every: 1}\n", "Reduce IOASCII TimerReport Checkpoint"), processes=2)
    check(code == 0 and all(len(line) <= 80 for line in said.splitlines()[:2]), f"the first lines fit 80 columns: {said.splitlines()[:2]}")


def status_line():
    folder = tempfile.mkdtemp(prefix="cereus-")
    text = wave(iterations=10000000).replace("Cereus: {", "Cereus: {progress: 0.1, ")
    reader, writer = pty.openpty()
    asked = {k: v for k, v in job(folder, text, CEREUS_TERMINAL="1").items() if k != "text"}
    running = subprocess.Popen(**asked, stdin=subprocess.DEVNULL, stdout=writer, stderr=writer)
    os.close(writer)
    shown, steered, asked_to_stop, limit = b"", False, False, time.monotonic() + 60
    while True:
        try:
            shown += os.read(reader, 65536)
        except OSError:
            break
        if not steered and b"Mcell/s" in shown:  # a message beside the line of progress
            steered = True
            with open(os.path.join(folder, "out", "steer.yaml.new"), "w") as f:
                f.write("WaveToy: {speed: -1}\n")
            os.rename(os.path.join(folder, "out", "steer.yaml.new"), os.path.join(folder, "out", "steer.yaml"))
        if (b"steer.yaml" in shown or time.monotonic() > limit) and running.poll() is None and not asked_to_stop:
            asked_to_stop = True  # a second one would end it at once
            running.send_signal(signal.SIGINT)
    os.close(reader)
    running.wait()
    shown = shown.decode()
    at = shown.find("steer.yaml")
    line = shown[shown.rfind("\n", 0, at) + 1:at]
    check(at > 0 and "Mcell/s" not in line.split("\033[K")[-1], f"a message does not stick to the line of progress: {line[-200:]!r}")
    last = [l for l in shown.splitlines() if "Mcell/s" in l][-1].split("\033[K")[-1]
    check(running.returncode == 2 and "left" not in last and ", in " in last, f"after Ctrl-C nothing is left: {last!r}")


def killed():
    folder = tempfile.mkdtemp(prefix="cereus-")
    running = subprocess.Popen(**job(folder, wave(iterations=10000000), 2), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    limit = time.monotonic() + 30
    while not os.path.exists(os.path.join(folder, "out", "progress.json")) and time.monotonic() < limit:
        time.sleep(0.01)
    ranks = [int(p) for p in os.listdir("/proc") if p.isdigit() and runs_in(p, folder) and b"OMPI_COMM_WORLD_RANK=" in of_process(p, "environ")]
    os.kill(ranks[-1], signal.SIGKILL)
    wrong = running.communicate(timeout=60)[1]
    check(running.returncode == 137 and "a process of the run was killed (signal 9, Killed)" in wrong, f"a process that was killed: {running.returncode} {wrong.strip()[-200:]}")
    code, said, wrong, folder = thorn_runs("Trouble", TROUBLE)
    check(code == 3 and re.search(r"in deep water \(in Trouble::trouble, iteration 3, t = 0\.\d+\)", wrong) is not None and state(folder) == "failed",
          f"an exception: where and when: {code} {wrong.strip()}")


def describe():
    code, said, wrong = cereus("describe")
    check(code == 0 and "WaveToy" in said, f"describe alone lists thorns: {wrong.strip()}")


def describe_equations():
    code, said, wrong = cereus("describe", "heat.edl")
    check(code == 1 and "`cereus equations heat.edl`" in wrong, f"describe of a text of equations: {wrong.strip()}")


def shells():
    """Completion, by the shells that are here."""
    commands = re.findall(r"^  ([a-z][a-z-]+) +[A-Z]", cereus("--help")[1], re.M)
    asked = {"bash": "COMP_WORDS=(cereus {0}); COMP_CWORD={1}; _cereus; echo ${{COMPREPLY[@]}}", "fish": "complete -C 'cereus {0}' | cut -f 1"}
    known = {shell: shutil.which(shell) for shell in ("bash", "zsh", "fish")}
    if missing := [shell for shell in known if not known[shell]]:
        print(f"SKIPPED: not installed: {', '.join(missing)}; no such shell has read its completion")
    for shell, ask in asked.items():
        code, script, wrong = cereus("completion", shell)
        check(code == 0 and all(c in script for c in commands), f"{shell}: its script knows {len(commands)} commands: {wrong}")
        for words, at, expected in (("s", 1, {"supervise", "schema", "submit", "sweep"}), ("graph --d", 2, {"--dot"})):
            if known[shell]:
                done = subprocess.run([shell, "-c", script + "\n" + ask.format(words, at)], capture_output=True, text=True)
                check(set(done.stdout.split()) == expected and not done.stderr, f"{shell}: {words}: {done.stdout.split()} {done.stderr}")
    code, script, wrong = cereus("completion", "zsh")
    check(code == 0 and script.startswith("#compdef cereus") and all(c in script for c in commands), "zsh: its script")
    if known["zsh"]:
        done = subprocess.run(["zsh", "-n"], input=script, capture_output=True, text=True)
        check(done.returncode == 0, f"zsh reads it: {done.stderr}")
    check(cereus("completion", "tcsh")[0] == 1, "another shell is a mistake")


def of_process(process, what):
    try:
        return open(f"/proc/{process}/{what}", "rb").read()
    except OSError:
        return b""


def runs_in(process, folder):
    try:
        return os.path.realpath(f"/proc/{process}/cwd") == os.path.realpath(folder)
    except OSError:
        return False


# By their numbers in the trial at commit 40f5dae; S1 is in second_build.py, S4 in mistakes.py. The last are younger.
STUMBLES = {
    "S2": (forgotten,), "S3": (faces,), "S5": (graph,), "S6": (suffix,), "S7": (pieces,), "S8": (wildcards,), "S9": (blown_up,), "S10": (few_variants,),
    "S11": (curves,), "S12": (pictures,), "S13": (loop,), "S14": (silent,), "S15": (first_lines, status_line, killed, describe), "S16": (killed_early,),
    "others": (on_another_machine, short_steps, full_disk, describe_equations, obstacle, crowds, initial_data, shells),
}
asked = sys.argv[1:]
for name, parts in STUMBLES.items():
    if not asked or name in asked:
        for part in parts:
            part()
finish()
