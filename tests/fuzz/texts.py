#!/usr/bin/env python3
"""Feeds `cereus equations` with texts that are nearly right: shipped ones with 1 to 6 words dropped, doubled, exchanged or inserted.

    texts.py [SECONDS [SEED]]      900 and 1 by default; CEREUS names the executable (default: cereus)

Every fourth text is printed as kernels, too. Each takes at most 1 GB and 5 s of CPU time, and is told to be wrong (exit code 1) or is right (0);
what ends otherwise is printed. Ends with 0 if there is none.
"""
import glob
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
WORDS = re.compile(r"\w+|[^\w\s]|\n *")


def changed(text, words, choose):
    """The text with one word less, more, or in another place."""
    a, b = sorted((choose.choice(words).span(), choose.choice(words).span()))
    first, second = text[slice(*a)], text[slice(*b)]
    return {"drop": text[:a[0]] + text[a[1]:], "double": text[:a[1]] + " " + first + text[a[1]:],
            "exchange": text[:a[0]] + second + text[a[1]:b[0]] + first + text[b[1]:] if a[1] <= b[0] else text,
            "insert": text[:a[0]] + second + " " + text[a[0]:]}[choose.choice(["drop", "double", "exchange", "insert"])]


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CPU, (5, 5))


texts = [open(path).read() for path in sorted(glob.glob(f"{SOURCE}/thorns/*/equations.edl") + glob.glob(f"{SOURCE}/tests/unit/equations/*.edl"))]
seconds, seed = (float(sys.argv[1]) if len(sys.argv) > 1 else 900), (sys.argv[2] if len(sys.argv) > 2 else "1")
choose, end, tried, right, found = random.Random(int(seed)), time.monotonic() + seconds, 0, 0, 0
with tempfile.TemporaryDirectory(prefix="cereus-") as folder:
    path = os.path.join(folder, "text.edl")
    while time.monotonic() < end:
        text = choose.choice(texts)
        for _ in range(choose.randint(1, 6)):
            text = changed(text, list(WORDS.finditer(text)), choose)
        with open(path, "w") as f:
            f.write(text)
        tried += 1
        for how in [["--check"]] + ([["--stage", "kernels"]] if tried % 4 == 0 else []):
            done = subprocess.run([os.environ.get("CEREUS", "cereus"), "equations", path, *how], preexec_fn=limit, capture_output=True, text=True)
            right += how == ["--check"] and done.returncode == 0
            if done.returncode not in (0, 1) or (done.returncode == 1 and not re.search(r"text\.edl:\d+:\d+: ", done.stderr)):
                found += 1
                print(f"{how}: exit {done.returncode}\n{done.stderr[-500:]}\n{text}\n", flush=True)
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10
print(f"{tried} texts, {right} of them right, at most {most} MB: {found} found")
sys.exit(found > 0)
