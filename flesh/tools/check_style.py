#!/usr/bin/env python3
"""All C++ is formatted, no line is over 120 columns, no function of the flesh or a thorn is over 60 lines, and processes wait for all
others only where that is known: in no destructor, and in the files that AGREEING lists.

    check_style.py ROOT      checks a source tree, prints FILE:LINE: what is wrong, exits 1 if anything is; without clang-format it
                             checks the rest, says so and exits 77
    check_style.py --test    plants each kind of violation in a small tree and sees that it is found

A function's lines are counted from its name to its closing brace, in formatted code: comments, texts and preprocessor lines are
blanked, and a block whose head has a parenthesis, outside of any other function, is a function.
"""
import bisect
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

COLUMNS, LINES = 120, 60
# Functions that were longer when this check came, and may not grow. The list shrinks: whoever mends one takes it out.
LONGER = {
    "thorns/AcceleratorCUDA/include/AcceleratorCUDA/loop/march.hpp: device_march": 78,
    "thorns/CaKernel/src/sweep/plan.hpp: make_plan": 70,
    "thorns/CaKernel/src/sweep/nodes.hpp: apply": 72,
}
# Files in which all processes wait for each other. Failures need no more of them: Process::agree() is around what may fail.
AGREEING = {
    "flesh/src/base/process.cpp", "flesh/src/command/command_run.cpp", "flesh/src/run/steering.cpp", "flesh/view/python/world.cpp",
    "flesh/src/run/assemble.cpp", "flesh/src/run/beside.cpp", "flesh/src/run/carry.cpp", "flesh/src/run/devices.cpp", "flesh/src/run/regrid.cpp", "flesh/src/run/shares.cpp", "flesh/src/run/run.cpp", "flesh/view/assigned.cpp", "flesh/view/boxes.cpp",
    "flesh/src/exec/valid.cpp",
    "flesh/view/session.cpp", "thorns/AcceleratorCUDA/src/late_kernels.cpp", "thorns/AcceleratorCUDA/src/late_shapes.cpp",
    "thorns/Analysis/include/Analysis/communicator.hpp", "thorns/CaKernel/src/check.cpp", "thorns/CaKernel/src/choice.cpp",
    "thorns/CaKernel/src/device_sweeper.cpp", "thorns/CaKernel/src/engine.cpp", "thorns/Checkpoint/src/checkpoint.cpp",
    "thorns/Histogram/src/Histogram.cpp", "thorns/Horizons/src/sampler.cpp", "thorns/IOHDF5/src/fill.cpp", "thorns/IOHDF5/src/shared_file.cpp",
    "thorns/IOHDF5/src/write_packed.cpp", "thorns/Interpolate/src/exchange.cpp", "thorns/Output/include/Output/gather.hpp",
    "thorns/Spectrum/src/power.cpp", "thorns/Spectrum/src/slab.cpp", "thorns/TwoPunctures/src/TwoPunctures.cpp",
    "thorns/Exchange/src/collective.cpp", "thorns/Exchange/src/messages.cpp", "thorns/UniGrid/src/ghosts.cpp",
}
COLLECTIVE = re.compile(r"\b(?:process|process_|process\(\)|beside_|alike)(?:\.|->)(?:any|same|agree|among|broadcast|on_host_with)\("
                        r"|\bMPI_(?:Barrier|Bcast|I?[Aa]ll(?:reduce|gather|gatherv|toall|toallv)|Reduce|Gatherv?|Scatterv?|Waitall|Comm_dup|Comm_split\w*)\(")
SOURCES = {".hpp", ".cpp", ".cu", ".cuh"}
TEMPLATES = "flesh/tools/new-thorn"  # @NAME@ is no C++ yet
NOISE = re.compile(r"""
    //(?:\\\n|[^\n])* | /\*.*?\*/                             # comments
  | R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"                      # raw texts
  | (?<![0-9a-fA-FxX])'(?:\\.|[^'\\\n])+' | "(?:\\.|[^"\\\n])*"  # letters (1'000 has none) and texts
  | ^[ \t]*\#(?:\\\n|[^\n])*                                  # preprocessor
  """, re.X | re.S | re.M)
CONTAINER = re.compile(r"(?:inline|static|constexpr|typedef|export|extern)?\s*(?:namespace|class|struct|union|enum|extern)\b")


def without_templates(head):
    """The head of a block without template <…> in front."""
    while match := re.match(r"\s*template\s*<", head):
        depth, end = 1, match.end()
        while depth and end < len(head):
            depth += {"<": 1, ">": -1}.get(head[end], 0)
            end += 1
        head = head[end:]
    return head.strip()


def functions(text):
    """(name, first line, lines) of each function; throws ValueError if braces do not match."""
    text = NOISE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    newlines = [m.start() for m in re.finditer("\n", text)]
    line = lambda at: bisect.bisect_left(newlines, at) + 1
    begin, depth, opened, found = 0, 0, None, []  # opened: depth, name and place of the function that we are in
    for match in re.finditer(r"[{};]", text):
        sign, at = match[0], match.start()
        if sign == "{":
            head = text[begin:at]
            bare = without_templates(head)
            if opened is None and not CONTAINER.match(bare) and bare:
                name = re.search(r"(?!__)\b([\w:~]+|operator\s*\S+?)\s*\(", bare)  # no __attribute__(…)
                place = begin + head.rindex(bare) + (name.start() if name else 0)
                opened = depth, name[1] if name else None, place
            depth += 1
        elif sign == "}":
            depth -= 1
            if opened and opened[0] == depth:
                if opened[1]:
                    found.append((opened[1], line(opened[2]), line(at) - line(opened[2]) + 1))
                opened = None
        if opened is None:
            begin = at + 1
    if depth:
        raise ValueError(f"{depth:+d} braces are open at the end: this check cannot read it")
    return found


def long_functions(name, text, longer):
    """Complaints about a file, and the entries of `longer` that still hold."""
    complaints, used = [], set()
    try:
        for function, first, lines in functions(text):
            key = f"{name}: {function}"
            used |= {key} if lines > LINES else set()
            if lines > longer.get(key, LINES):
                complaints.append(f"{name}:{first}: {function} has {lines} lines, {longer.get(key, LINES)} are allowed: cut it up")
    except ValueError as error:
        complaints.append(f"{name}:1: {error}")
    return complaints, used


def agreements(name, text):
    """Complaints about calls that wait for all processes; and whether there are any."""
    bare = NOISE.sub(lambda m: re.sub(r"[^\n]", " ", m[0]), text)
    lines = [n for n, l in enumerate(bare.splitlines(), 1) if COLLECTIVE.search(l)]
    try:
        ends = [range(first, first + count) for function, first, count in functions(text) if function.split("::")[-1].startswith("~")]
    except ValueError:  # of which long_functions() complains
        ends = []
    inside = [n for n in lines if any(n in r for r in ends)]
    complaints = [f"{name}:{n}: a destructor does not wait for other processes, which may come there at another time: make it a call" for n in inside]
    if name not in AGREEING:
        complaints += [f"{name}:{n}: processes wait for each other here: let Process::agree() do it, or add the file to AGREEING in check_style.py"
                       for n in lines if n not in inside]
    return complaints, bool(lines)


def unformatted(root, files):
    """Complaints of clang-format; None if there is none."""
    if not shutil.which("clang-format"):
        return None
    def ask(some):
        done = subprocess.run(["clang-format", "--dry-run", "-Werror", *some], cwd=root, capture_output=True, text=True)
        lines = [l for l in done.stderr.splitlines() if ": error:" in l]
        return [l.split(": error:")[0] + ": not formatted: clang-format -i" for l in lines] or ([done.stderr] if done.returncode else [])
    with ThreadPoolExecutor(4) as pool:
        return [l for part in pool.map(ask, [files[i:i + 40] for i in range(0, len(files), 40)]) for l in part]


def check(root, longer, formatted=True):
    root = Path(root).resolve()
    files = sorted(str(p.relative_to(root)) for folder in ("flesh", "thorns", "tests") for p in (root / folder).rglob("*")
                   if p.suffix in SOURCES and TEMPLATES not in str(p))
    complaints, used, agreeing = [], set(), set()
    for name in files:
        text = (root / name).read_text(encoding="utf-8")
        complaints += [f"{name}:{n}: {len(l)} columns, {COLUMNS} are allowed" for n, l in enumerate(text.splitlines(), 1) if len(l) > COLUMNS]
        if not name.startswith("tests/"):
            long, there = long_functions(name, text, longer)
            complaints, used = complaints + long, used | there
            if "/tests/" not in name:
                waits, any_there = agreements(name, text)
                complaints, agreeing = complaints + waits, agreeing | ({name} if any_there else set())
    complaints += [f"{key} is no longer over {LINES} lines: take it out of LONGER in check_style.py" for key in longer if key not in used]
    complaints += [f"{name} waits for no other process: take it out of AGREEING in check_style.py" for name in sorted(AGREEING - agreeing) if longer]
    rough = unformatted(root, files) if formatted else []
    return complaints + (rough or []), rough is None


def self_test():
    body = "  f();\n"
    of = lambda lines, head="void g() {": head + "\n" + body * (lines - 2) + "}\n"
    right = {  # nothing is wrong with these
        "just short enough": of(60), "a long class": of(100, "struct G : H<(1 > 0)> {").replace("f();", "int f();"),
        "a long namespace": "namespace a {\n" + of(60) * 3 + "}  // }\n", "a long table": "const int table[] = {\n" + "  1,\n" * 100 + "};\n",
        "braces in texts": 'const char* a = "{", b = \'{\', *c = R"x(" {)x";\n#define A {\n' + of(60), "marks in numbers": "int a = 1'0; int f() { return 1'0; }\n" + of(60), "others asked": "bool f(P& p) { return p.any(1) || std::any(2); }  // process.any(\n", "wide signs": "// " + "ä" * 117 + "\n"}
    wrong = {  # the line of the complaint
        "a function": (of(61), 1), "a template": (of(61, "template <class T = A<1>>\nvoid g() {"), 2),
        "of a class": ("template <class T> struct A {\n" + of(61) + "};\n", 2), "after braces": ("struct A {\n" + of(60, "A() : a{1}, b{2} {") + of(61) + "};\n", 62),
        "with a lambda": (of(61).replace("f();", "h([] { f(); });"), 1), "a test": (of(61, "TEST(a, b) {"), 1),
        "agreed in a new file": ("int a;\nbool f() { return s.process.any(true); }\n", 2), "a barrier at the end": ("struct A {\n  ~A() {\n    MPI_Barrier(c);\n  }\n};\n", 3),
        "in a destructor": ("A::~A() {\n  beside_->any(1);\n}\n", 2), "unreadable": ("void g() {{\n}\n", 1), "too wide": ("// " + "ä" * 118 + "\n", 1)}
    failures = []
    for what, text, line in [(w, t, None) for w, t in right.items()] + [(w, *t) for w, t in wrong.items()]:
        with tempfile.TemporaryDirectory() as root:
            (Path(root) / "flesh").mkdir()
            (Path(root) / "flesh/a.cpp").write_text(text)
            said = check(root, {}, False)[0]
            if [s.split(":")[1] for s in said] != ([str(line)] if line else []):
                failures.append(f"{what}: {said}")
    long = {"a.cpp: g": 70}
    for lines, expected in ((70, (0, 1)), (71, (1, 1)), (60, (0, 0))):
        said, used = long_functions("a.cpp", of(lines), long)
        if (len(said), len(used)) != expected:
            failures.append(f"an exception of 70 lines with {lines}: {said} {used}")
    if shutil.which("clang-format"):
        with tempfile.TemporaryDirectory() as root:
            (Path(root) / "flesh").mkdir()
            (Path(root) / "flesh/a.cpp").write_text("int  a;\n")
            if "flesh/a.cpp:1:4: not formatted" not in str(check(root, {})[0]):
                failures.append(f"not formatted: {check(root, {})}")
    return failures


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    complaints, unseen = (self_test(), False) if sys.argv[1] == "--test" else check(sys.argv[1], LONGER)
    print("\n".join(complaints) or "style: fine")
    if unseen:
        print("SKIPPED: there is no clang-format, so nobody saw whether all is formatted")
    sys.exit(1 if complaints else 77 if unseen else 0)


if __name__ == "__main__":
    main()
