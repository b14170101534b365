#!/usr/bin/env python3
"""Dependencies point one way only.

    check_layers.py ROOT     checks a source tree, prints FILE:LINE: what is wrong, exits 1 if anything is
    check_layers.py --test   plants each kind of violation in a small tree and sees that it is found

1. The flesh: a file includes its own room and those before it in LAYERS, so no rooms include each other in a circle; each public
   header belongs to a room, and the table PUBLIC names no other. Above the flesh lie the libraries flesh/view and
   flesh/languages, of which it includes nothing, nor does one of the other.
2. thorn.hpp, which nvcc compiles, leads to no fmt, spdlog, yaml-cpp, Boost, HDF5 or MPI.
3. kernel.hpp, which NVRTC compiles, leads to no header but ours.
4. The flesh knows no chip and no thorn: it holds no code of a device, and of all that thorns have it includes
   accelerator_*.hpp only, which whoever knows the device provides.
5. A thorn includes no other thorn's src; one whose CMakeLists.txt links no MPI, HDF5 or CUDA names none in its C++,
   unless it has headers alone.
6. A thorn's CMakeLists.txt says USES for each thorn whose headers it includes, and for no other.
7. A public header of a thorn opens no namespace but cereus: names of a smaller one would become names of the thorn.
"""
import re
import sys
import tempfile
from pathlib import Path

# Rooms of flesh/src, the lowest first: each is a layer of its own.
LAYERS = ["base", "parameter", "grid", "schedule", "plugin", "exec", "observe", "run", "command", "main", "view", "languages"]
ABOVE = ("view", "languages")
# Public headers lie flat in flesh/include/cereus; each belongs to a layer. A folder (name/) stands for all in it.
PUBLIC = {
    # kernel/ is free-standing (rule 3), so it lies at the bottom, though what it serves is the schedule.
    "base": "kernel kernel/ caught error text file hash memory scalar console process timer traffic text_series growing_file embedded abi",
    "parameter": "parameter range formula",
    "grid": "axes box block_index group fields grid validity copy transform",
    "schedule": "kernel_loops kernel_table make_table item task kernel_item routine schedule declaration context services accelerator simulation beside exchange precompiled image domain_checks",
    "plugin": "thorn program",
}
HEAVY = re.compile(r"^(fmt/|spdlog/|yaml-cpp/|boost/|hdf5|H5|mpi\.h)")
INFRASTRUCTURE = re.compile(r"^(mpi\.h|hdf5\.h|hdf5_hl\.h|H5.*\.h|cuda.*\.h|nccl\.h)$")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
DEVICE_CODE = re.compile(r"__global__|__device__|__shared__|\basm\b")
OPENED = re.compile(r"^\s*using namespace (?!cereus;)")
USES = re.compile(r"add_thorn(?:_headers)?\([^)]*\sUSES\s([^)]*)")
SOURCES = {".hpp", ".cpp", ".cu", ".cuh", ".h"}


def includes(path):
    """(line number, quote, name) of every #include, also those in branches that this compiler would skip."""
    for number, line in enumerate(path.read_text(errors="replace").splitlines(), 1):
        if match := INCLUDE.match(line):
            yield number, match[1], match[2]


def uses(recipe):
    """The thorns that the text of a CMakeLists.txt names after USES."""
    match = USES.search(re.sub("#.*", "", recipe))
    return re.split(r"\s(?:LIBRARIES|SOURCES|VARIANTS|PARTS|COLD|GPL)\b", " " + match[1])[0].split() if match else []


def files(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in SOURCES) if folder.is_dir() else []


class Check:
    def __init__(self, root, table=None):
        self.table = {layer: names.split() for layer, names in (table or PUBLIC).items()}
        self.root = Path(root).resolve()
        self.public = self.root / "flesh/include"
        self.src = self.root / "flesh/src"
        self.thorns = self.root / "thorns"
        self.errors = []

    def error(self, path, line, text):
        self.errors.append(f"{path.relative_to(self.root)}:{line}: {text}")

    def layer(self, path):
        """The layer of a file of the flesh; None if it has none."""
        for room in ABOVE:
            if path.is_relative_to(self.root / "flesh" / room):
                return room
        if path.is_relative_to(self.src):
            first = path.relative_to(self.src).parts[0]
            return {"main.cpp": "main"}.get(first, first if first in LAYERS else None)
        parts = path.relative_to(self.public / "cereus").parts
        name = path.stem if len(parts) == 1 else parts[0] + "/"
        return next((layer for layer, names in self.table.items() if name in names), None)

    def resolve(self, path, quote, name):
        """The file of ours that an #include means; None for what is not ours."""
        above = [self.root / "flesh", self.root / "flesh/view/include", self.root / "flesh/languages"]
        folders = [self.public, self.src, *above] + sorted(self.thorns.glob("*/include"))
        if quote == '"':
            folders.insert(0, path.parent)
        if path.is_relative_to(self.thorns):
            folders.append(self.thorns / path.relative_to(self.thorns).parts[0] / "src")
        return next(((f / name).resolve() for f in folders if (f / name).is_file()), None)

    def flesh(self):
        for name in sum(self.table.values(), []):
            if not (self.public / "cereus" / (name if name.endswith("/") else name + ".hpp")).exists():
                self.error(self.root / "flesh/tools/check_layers.py", 1, f"the table PUBLIC names {name}, and there is no such header")
        for path in [path for folder in ("include/cereus", "src", *ABOVE) for path in files(self.root / "flesh" / folder)]:
            mine = self.layer(path)
            if mine is None:
                self.error(path, 1, "belongs to no layer: add it to the table at the top of check_layers.py")
                continue
            for line, quote, name in includes(path):
                target = self.resolve(path, quote, name)
                if target and target.is_relative_to(self.thorns) and not name.startswith("accelerator_"):
                    self.error(path, line, f"includes {name} of a thorn, and the flesh knows none")
                if target is None or not target.is_relative_to(self.root / "flesh"):
                    continue
                theirs = self.layer(target)
                if theirs and theirs != mine and (LAYERS.index(theirs) > LAYERS.index(mine) or theirs in ABOVE):
                    self.error(path, line, f"{mine} includes {name} of the later layer {theirs}")
            for line, text in enumerate(path.read_text(errors="replace").splitlines(), 1):
                if DEVICE_CODE.search(text) and not text.startswith(("#define CEREUS_KERNEL ", "#define CEREUS_RARE ")):
                    self.error(path, line, "code of a device: it belongs into the thorn of that device")

    def closure(self, start, forbidden, why):
        """Follows the includes from a public header; `forbidden(name, target)` says which may not be met."""
        todo, seen = [self.public / "cereus" / start], set()
        while todo:
            path = todo.pop()
            if path in seen or not path.is_file():
                continue
            seen.add(path)
            for line, quote, name in includes(path):
                target = self.resolve(path, quote, name)
                if forbidden(name, target):
                    self.error(path, line, f"includes {name}, but {start} leads here: {why}")
                elif target:
                    todo.append(target)

    def application_thorns(self):
        for thorn in sorted(p for p in self.thorns.glob("*") if p.is_dir()):
            recipe = thorn / "CMakeLists.txt"
            text = recipe.read_text() if recipe.is_file() else ""
            infrastructure = re.search(r"MPI::|HDF5::|hdf5::|CUDA::|add_thorn_headers", text)
            kind = "add_thorn_headers" if "add_thorn_headers" in text else "add_thorn"
            declared, used = uses(text), set()
            for path in files(thorn):
                for line, quote, name in includes(path):
                    target = self.resolve(path, quote, name) or (path.parent / name).resolve()
                    if target.is_relative_to(self.thorns):
                        other, *rest = target.relative_to(self.thorns).parts
                        if other != thorn.name and rest[:1] == ["src"]:
                            self.error(path, line, f"includes {name}: the src of {other} is its own")
                        if other != thorn.name and rest[:1] == ["include"]:
                            used.add(other)
                            if other not in declared:
                                self.error(path, line, f"includes {name}, a header of {other}: say {kind}({thorn.name} USES "
                                           f"{' '.join(declared + [other])} …) in thorns/{thorn.name}/CMakeLists.txt")
                    in_tests = path.is_relative_to(thorn / "tests")
                    if not infrastructure and not in_tests and path.suffix != ".cu" and INFRASTRUCTURE.match(name):
                        self.error(path, line, f"an application thorn names no {name}: ask for a service")
            for path in files(thorn / "include"):
                for line, text in enumerate(path.read_text(errors="replace").splitlines(), 1):
                    if OPENED.match(text):
                        self.error(path, line, f"{text.strip()} in a public header: name what is used, or say whose it is")
            for other in declared:
                if other not in used:
                    self.error(recipe, 1, f"says USES {other}, but {thorn.name} includes no header of it: leave it out")

    def run(self):
        self.flesh()
        self.closure("thorn.hpp", lambda name, target: HEAVY.match(name), "nvcc cannot or should not compile it")
        self.closure("kernel.hpp", lambda name, target: target is None, "NVRTC has no such header")
        self.application_thorns()
        return self.errors


def self_test():
    good = {
        "flesh/include/cereus/error.hpp": "#include <string>\n",
        "flesh/include/cereus/kernel.hpp": '#include "kernel/point.hpp"\n',
        "flesh/include/cereus/kernel/point.hpp": "#pragma once\n#define CEREUS_KERNEL __device__\n#include <accelerator_x.hpp>\n",
        "thorns/A/include/accelerator_x.hpp": "__device__ void f();\n",
        "flesh/include/cereus/thorn.hpp": "#include <cereus/kernel.hpp>\n#include <cereus/error.hpp>\n",
        "flesh/src/base/error.cpp": "#include <cereus/error.hpp>\n#include <fmt/format.h>\n",
        "flesh/src/grid/box.hpp": '#include "base/console.hpp"\n',
        "flesh/src/base/console.hpp": "",
        "flesh/src/main.cpp": '#include "grid/box.hpp"\n',
        "flesh/src/exec/bin.hpp": "#include <cereus/error.hpp>\n",
        "flesh/src/observe/watchdog.hpp": '#include "exec/bin.hpp"\n',
        "flesh/src/run/run.hpp": '#include "observe/watchdog.hpp"\n#include "exec/bin.hpp"\n',
        "flesh/languages/edl/tree.hpp": "#include <cereus/thorn.hpp>\n",
        "flesh/languages/edl/parse.cpp": '#include "edl/tree.hpp"\n#include "grid/box.hpp"\n',
        "flesh/view/include/cereus/view.hpp": "#include <cereus/kernel.hpp>\n",
        "flesh/view/world.cpp": '#include <cereus/view.hpp>\n#include "grid/box.hpp"\n',
        "thorns/A/CMakeLists.txt": "add_thorn(A LIBRARIES MPI::MPI_C)\n",
        "thorns/A/src/A.cpp": "#include <mpi.h>\n",
        "thorns/A/src/secret.hpp": "",
        "thorns/A/include/A/open.hpp": "namespace A {\nusing namespace cereus;\n}\n",
        "thorns/B/CMakeLists.txt": "add_thorn(B LIBRARIES fft\n  USES A  # for open.hpp\n  SOURCES src/B.cpp)\n",
        "thorns/B/src/B.cpp": "#include <A/open.hpp>\n#include <cereus/thorn.hpp>\n",
        "thorns/B/src/fft.cu": "#include <cuda_runtime.h>\n",
        "thorns/C/CMakeLists.txt": "add_thorn_headers(C)\n",
        "thorns/C/include/C/message.hpp": "#include <mpi.h>\n",
    }
    bad = {  # one more file, and a word of the complaint
        "later layer grid": {"flesh/src/base/console.hpp": '#include "grid/box.hpp"\n'},
        "later layer plugin": {"flesh/include/cereus/error.hpp": "#include <cereus/thorn.hpp>\n"},
        "exec includes observe/watchdog.hpp of the later layer observe": {"flesh/src/exec/bin.cpp": '#include "observe/watchdog.hpp"\n'},
        "observe includes run/run.hpp of the later layer run": {"flesh/src/observe/lane.cpp": '#include "run/run.hpp"\n'},
        "names error, and there is no such header": {"flesh/include/cereus/error.hpp": None},
        "later layer languages": {"flesh/src/main.cpp": '#include "edl/tree.hpp"\n'},
        "main includes cereus/view.hpp": {"flesh/src/main.cpp": "#include <cereus/view.hpp>\n"},
        "view includes edl/tree.hpp": {"flesh/view/world.cpp": '#include "edl/tree.hpp"\n'},
        "languages includes cereus/view.hpp": {"flesh/languages/edl/parse.cpp": "#include <cereus/view.hpp>\n"},
        "belongs to no layer": {"flesh/include/cereus/novelty.hpp": ""},
        "thorn.hpp leads here": {"flesh/include/cereus/error.hpp": "#include <fmt/format.h>\n"},
        "kernel.hpp leads here": {"flesh/include/cereus/kernel/point.hpp": "#  include <cmath>\n"},
        "knows none": {"flesh/src/grid/box.hpp": "#include <A/open.hpp>\n"},
        "code of a device": {"flesh/src/grid/box.hpp": "inline int f() { asm(\"\"); }\n"},
        "code of a device: it": {"flesh/src/grid/box.hpp": "__global__ void f();\n"},
        "is its own": {"thorns/B/src/B.cpp": '#include "../../A/src/secret.hpp"\n'},
        "say add_thorn(B USES A C …) in thorns/B/CMakeLists.txt": {"thorns/B/src/more.hpp": "#include <C/message.hpp>\n"},
        "say add_thorn_headers(C USES A …)": {"thorns/C/include/C/message.hpp": "#include <A/open.hpp>\n"},
        "B/CMakeLists.txt:1: says USES A": {"thorns/B/src/B.cpp": ""},
        "open.hpp:2: using namespace cereus::small": {"thorns/A/include/A/open.hpp": "namespace A {\nusing namespace cereus::small;\n}\n"},
        "names no mpi.h": {"thorns/B/src/B.cpp": "#include <mpi.h>\n"},
        "names no cuda_runtime.h": {"thorns/B/src/B.cpp": "#include <cuda_runtime.h>\n"},
    }
    table = {"base": "error kernel kernel/", "plugin": "thorn"}
    wrong = []
    for expected, change in [(None, {})] + list(bad.items()):
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**good, **change}.items():
                if text is None:
                    continue
                path = Path(root) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            errors = Check(root, table).run()
            if expected is None and errors or expected and not any(expected in e for e in errors):
                wrong.append(f"expected {expected or 'no complaint'}, got {errors}")
    return wrong


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    errors = self_test() if sys.argv[1] == "--test" else Check(sys.argv[1]).run()
    print("\n".join(errors) or "layers: fine")
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()
