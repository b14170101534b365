#!/usr/bin/env python3
"""Strangers' files do no harm: thorns that were built otherwise, were cut, or lie where others can write; parameter files that name folders
which are not theirs. Each is refused with the reason and exit code 1; nothing of a thorn runs, nothing is written.

A seeded few by default; all with --long (CEREUS_LONG=1). Mutations that make it fail: differences() leaves out a field; load_thorn() does not
call check_place(); check_folder() looks for its mark only; load_thorn() opens the library first.
"""
import os
import random
import shutil
import socket
import struct
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor

from _physics import check, finish

LONG = os.environ.get("CEREUS_LONG") == "1"
random.seed(5)
MODULE = os.path.join(os.environ["CEREUS_BUILD"], "lib", "cereus", "thorns", "Time.so")
whole = open(MODULE, "rb").read()
PARFILE = "thorns: [UniGrid, Time, MoL, WaveToy]\nCereus: {iterations: 1}\nUniGrid: {cells: [8, 8, 8]}\n"


def cereus(folder, parfile=PARFILE, thorns="thorns", **environment):
    with open(os.path.join(folder, "wave.yaml"), "w") as f:
        f.write(parfile)
    done = subprocess.run([os.environ["CEREUS"], "run", "wave.yaml", *(["--thorns", thorns] if thorns else [])], cwd=folder, capture_output=True, text=True,
                          errors="replace", timeout=60, env={k: v for k, v in os.environ.items() if k != "CEREUS_ACTIVATE"} | environment)
    return done.returncode, done.stderr


def new_folder():
    folder = tempfile.mkdtemp(prefix="cereus-")
    os.mkdir(os.path.join(folder, "thorns"))
    return folder


def with_thorn(content):
    folder = new_folder()
    with open(os.path.join(folder, "thorns", "Time.so"), "wb") as f:
        f.write(content)
    return folder


def refused(what, words, folder, **more):
    code, said = cereus(folder, **more)
    good = code == 1 and any(w in said for w in words) and "wave" not in os.listdir(folder)
    return good, f"{what}: exit {code}" + ("" if good else f", {said[-300:]}, {os.listdir(folder)}")


# Fields of the descriptor (flesh/include/cereus/abi.hpp): where they begin, how they are packed, what a refusal says.
at = whole.index(b"CEREUS\0\1")
FACTS = 16 + 64 + 32 + 32
FIELDS = {"size": (8, "I", "descriptor"), "number": (12, "I", "ABI"), "C++": (FACTS, "I", "C++ level"), "compiler": (FACTS + 4, "64s", "compiler"), "C++11 ABI": (FACTS + 68, "I", "C++11 ABI"),
          "debug": (FACTS + 72, "I", "debug containers"), "sanitisers": (FACTS + 76, "I", "sanitisers"), "strict": (FACTS + 80, "I", "strict build"), "CUDA": (FACTS + 84, "I", "CUDA runtime"),
          "MPI": (FACTS + 88, "64s", "MPI"), "headers": (FACTS + 152, "I", "headers of Cereus"), "name": (16, "64s", "name")}


def wrong_build(field, n):
    offset, kind, word = FIELDS[field]
    place = at + offset
    before = struct.unpack_from("<" + kind, whole, place)[0]
    value = (b"gcj 1%d.9.%d" % (n, n) if field != "name" else b"Thyme%d" % n) if kind == "64s" else (before ^ (1 << (3 * n))) & 0xffffffff
    content = bytearray(whole)
    struct.pack_into("<" + kind, content, place, value)
    return refused(f"{field} {value!r}", [word, "not a thorn", "descriptor"], with_thorn(bytes(content)))


def cut(length):
    return refused(f"cut to {length} of {len(whole)} bytes", [".so: "], with_thorn(whole[:length]))


def places():
    """Where a thorn may not lie."""
    def at_mode(what, mode):
        folder = with_thorn(whole)
        os.chmod(os.path.join(folder, what), mode)
        return folder
    file = os.path.join("thorns", "Time.so")
    for what, mode in (("thorns", 0o777), ("thorns", 0o775), (file, 0o666), (file, 0o664), (file, 0o1646)):
        yield f"{what} with mode {mode:o}", ["may be written", "chmod go-w"], at_mode(what, mode), {}
    if os.getuid() == 0:
        for what in ("thorns", file):
            folder = with_thorn(whole)
            os.chown(os.path.join(folder, what), 12345, 12345)
            yield f"{what} of another user", ["belongs to user 12345"], folder, {}
    for what, target in (("outside", "../elsewhere/Time.so"), ("nowhere", "nowhere"), ("itself", "Time.so"), ("a device", "/dev/null")):
        folder = new_folder()
        os.mkdir(os.path.join(folder, "elsewhere"))
        shutil.copy(MODULE, os.path.join(folder, "elsewhere"))
        os.symlink(target, os.path.join(folder, file))
        yield f"a link to {what}", ["Time.so"], folder, {}
    for what, make in (("a pipe", os.mkfifo), ("a socket", lambda p: socket.socket(socket.AF_UNIX).bind(p)), ("nothing", lambda p: open(p, "w").close()),
                       ("a text", lambda p: open(p, "w").write("thorn"))):
        folder = new_folder()
        path = os.path.join(folder, file)
        os.chdir(os.path.dirname(path))  # the name of a socket is short
        make("Time.so")
        os.chdir("/")
        yield f"{what} called Time.so", ["Time.so", "Time"], folder, {}
    for path, word in ((".", "relative"), ("/nowhere/at/all", "no such folder"), (":" + tempfile.gettempdir(), "empty"), ("../thorns", "relative")):
        yield f"CEREUS_THORN_PATH={path}", [word], new_folder(), {"thorns": None, "CEREUS_THORN_PATH": path}


FULL = tempfile.mkdtemp(prefix="cereus-")  # somebody's folder
open(os.path.join(FULL, "letter.txt"), "w").write("dear reader")
PATHS = ["..", "../run", "a/../../run", "./../run", "a/b/../../../run", "/../run", "run/..", "run/../../run", "../../../../../../etc/cereus", "..//run", "/etc", "/etc/passwd", "/etc/passwd/run", "/dev",
         "/dev/null", "/dev/null/run", "/dev/full", "/proc", "/proc/self", "/proc/self/fd", "/proc/1/root", "/proc/self/cwd/../..", "/proc/none", "/sys", "/sys/kernel", "/", "/tmp/../etc", "/usr/bin",
         FULL, FULL + "/letter.txt", FULL + "/letter.txt/run", "x" * 300, "x/" * 2100, "thorns/Time.so", "wave.yaml", "wave.yaml/run", "link", "link/../run", "thorns", "~/../run", "bad\\0name"]


def path(name):
    folder = with_thorn(whole)
    os.symlink(FULL, os.path.join(folder, "link"))
    before = sorted(os.listdir(folder)), sorted(os.listdir("/etc")), sorted(os.listdir("/")), os.listdir(FULL), sorted(os.listdir(os.path.dirname(folder)))
    code, said = cereus(folder, PARFILE.replace("iterations: 1", f'iterations: 1, output: "{name}"'), None)
    after = sorted(set(os.listdir(folder)) - {"wave.yaml"}), sorted(os.listdir("/etc")), sorted(os.listdir("/")), os.listdir(FULL), sorted(os.listdir(os.path.dirname(folder)))
    good = code == 1 and before == after and ("output" in said or "folder" in said)
    shutil.rmtree(folder)
    return good, f"output: {name[:40]!r}: exit {code}" + ("" if good else f", {said[-300:]} {after[0]}")


check(cereus(with_thorn(whole))[0] == 0, "the thorn that the others are made from runs")
every = range(10) if LONG else (0, 9)
lengths = sorted(random.sample(range(len(whole)), 57 if LONG else 6)) + [0, 1, len(whole) - 1]
with ThreadPoolExecutor(2) as pool:
    results = list(pool.map(lambda c: wrong_build(*c), [(f, n) for f in FIELDS for n in every])) + list(pool.map(cut, lengths))
    results += list(pool.map(lambda p: refused(p[0], p[1], p[2], **p[3]), places()))
results += [path(p) for p in PATHS]

# Code that would run as soon as it is loaded.
eager = new_folder()
with open(os.path.join(eager, "eager.c"), "w") as f:
    f.write('#include <stdio.h>\n__attribute__((constructor)) static void begin(void) { fclose(fopen("ran", "w")); }\n')
if shutil.which("cc") and subprocess.run(["cc", "-shared", "-fPIC", "eager.c", "-o", "thorns/Time.so"], cwd=eager).returncode == 0:
    results.append(refused("a library that is no thorn", ["Time.so"], eager))
    results.append((not os.path.exists(os.path.join(eager, "ran")), "none of its code has run"))
else:
    print("SKIPPED: no C compiler; no library that is no thorn was made")
for good, text in results:
    check(good, text)

folder = with_thorn(whole[:1000])
done = subprocess.run([os.environ["CEREUS"], "list", "--thorns", "thorns"], cwd=folder, capture_output=True, text=True)
rows = [line.split() for line in done.stdout.splitlines()]
check(done.returncode == 0 and any(r[:2] == ["Time", "refused:"] for r in rows) and any(r[:1] == ["WaveToy"] for r in rows),
      f"a broken thorn hides no other from list: {done.returncode} {done.stderr}")
finish()
