"""Thorns of one file, compiled with the flags that the build has for its own; ccache or the like is left out."""
import os
import re
import shlex
import subprocess
import tempfile

BUILD = os.environ.get("CEREUS_BUILD", "")
TEXT = """#include <cereus/kernel.hpp>
#include <cereus/thorn.hpp>
#include <cstdio>
#include <stdexcept>
const cereus::detail::EmbeddedFile cereus::detail::thorn_source[] = {{{{nullptr, nullptr}}}};
namespace {name} {{
using namespace cereus;
{text}}}
CEREUS_THORN({name}, {name}::declare, {name}::schedule)
"""


def small_thorn(name, text):
    """The folder where its library lies, or None, and what the compiler said; text: what is in its namespace."""
    folder = tempfile.mkdtemp(prefix="cereus-")
    with open(os.path.join(folder, name + ".cpp"), "w") as f:
        f.write(TEXT.format(name=name, text=text))
    asked = ["ninja", "-C", BUILD, "-t", "commands", "thorns/WaveToy/CMakeFiles/WaveToy_declaration.dir/src/WaveToy.cpp.o"]
    line = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.splitlines()[-1]
    words = shlex.split(re.sub(r" -include \S+| -DCEREUS_LOOPS_APART", "", line.partition(" -MD ")[0]))  # its loops are in it
    first = next(n for n, word in enumerate(words) if re.search(r"(g|c|clang)\+\+[-\d.]*$", word))
    done = subprocess.run([*words[first:], "-O0", "-shared", "-o", name + ".so", name + ".cpp"], cwd=folder, capture_output=True, text=True,
                          env=os.environ | {"LC_ALL": "C.UTF-8"}, timeout=300)
    return folder if done.returncode == 0 else None, done.stderr
