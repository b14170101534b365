#!/usr/bin/env python3
"""The site of the documentation is made without a network or a warning; nothing in it is fetched from elsewhere, its search finds words, all thorns and public
headers are there, and nearly every name of the C++ interface has a signature and an example. Thorns stand in the README's groups. A browser sets every formula, none
wider than the page. Needs doxygen, furo, python3-myst-parser and libjs-mathjax.

Mutations that make it fail: a link in a notebook or a generated page that leads nowhere; comments of headers not turned into Doxygen's; no page of parameters; a thorn
that the README does not list; a formula with an unknown command, or of twice the width; MathJax without its fonts.
"""
import html
import json
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from _physics import check, finish

ROOT = Path(os.environ["CEREUS_SOURCE"])
python = "/usr/bin/python3"  # which Debian's packages are for
there = subprocess.run([python, "-c", "import sphinx, myst_parser, furo"], capture_output=True).returncode == 0
if not there or not shutil.which("doxygen") or not Path("/usr/share/javascript/mathjax").exists():
    finish("./cereus setup doxygen furo python3-myst-parser libjs-mathjax")
folder = Path(tempfile.mkdtemp(prefix="cereus-")) / "site"
done = subprocess.run([python, "-B", ROOT / "docs/site/build.py", os.environ["CEREUS"], folder], capture_output=True, text=True)
check(done.returncode == 0 and done.stdout.strip() == f"{folder}/html/index.html", f"it is made{done.stdout}{done.stderr}")
pages = {path.relative_to(folder / "html"): path.read_text() for path in (folder / "html").rglob("*.html")}
fetched = {f"{name}: {url}" for name, text in pages.items() for url in re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="((?:https?:)?//[^"]*)"', text)}
check(len(pages) > 150 and not fetched, f"{len(pages)} pages, which fetch nothing {fetched or ''}")
# All formulas of the site in one page, set as they are on theirs.
formulas = {(str(name), text) for name, page in pages.items() for text in re.findall(r'<(?:div|span) class="math[^>]*>(.*?)</(?:div|span)>', page, re.S)}
one = Path("thorns/BSSN/README.html")
if shutil.which("chromium"):
    texts = sorted({text for _, text in formulas})
    (folder / "html" / one).write_text(re.sub(r"<body.*?>", lambda m: m[0] + "".join(f'<div class="math">{text}</div>' for text in texts), pages[one], count=1))
    drawn = subprocess.run(["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=30000", "--dump-dom", f"file://{folder}/html/{one}"],
                           capture_output=True, text=True, timeout=200).stdout
    set_as = dict(zip(texts, re.findall(r'<span class="MathJax_SVG".*?<svg[^>]* width="([0-9.]+)ex"', drawn, re.S)))
    bad = [f"{name}: {html.unescape(text).strip()}" for name, text in sorted(formulas) if float(set_as.get(text, "inf")) > 78]
    wrong = re.findall(r'<g data-mml-node="merror"|class="merror"|class="noError"|fill="red"', drawn)
    check(len(texts) > 30 and not bad and not wrong, f"{len(texts)} formulas are set, and fit the page {bad or ''} {wrong or ''}")
else:
    print("SKIPPED: no chromium here, by which formulas are set")
index = (folder / "html/searchindex.js").read_text()
check(all(f'{word}:' in index.replace('"', "") for word in ("laplacian", "courant", "checkpoint")), "the search knows words")
# What Sphinx's search would list first (searchtools.js), for words of users.
WORDS = {"poisson": "Elliptic", "helmholtz": "Elliptic", "navier-stokes": "Incompressible", "obstacle": "Incompressible", "shock tube": "Hydro", "riemann": "Hydro",
         "restart": "Checkpoint", "restart killed": "Checkpoint", "resume": "Checkpoint", "gauge wave": "ExactMetrics", "schwarzschild": "ExactMetrics", "threads": "command-line",
         "mpirun": "command-line", "slurm": "clusters", "walltime": "clusters", "dirichlet": "Boundary", "neumann": "Boundary", "absorbing": "Boundary", "runge-kutta": "MoL",
         "cfl": "MoL", "paraview": "IOHDF5", "hdf5": "IOHDF5", "movie": "IOImage", "colormap": "IOImage", "time series": "IOASCII", "integral": "IOASCII", "nan": "NaNChecker",
         "profile": "TimerReport", "power spectrum": "Spectrum", "phase field": "Dendrite", "amr": "UniGrid", "resolution": "UniGrid", "halo": "validity", "cuda": "devices",
         "jupyter": "python", "numpy": "python", "laplacian": "equations", "apparent horizon": "Horizons", "exit code": "errors", "bitwise": "reproducibility",
         "diagnostic": "concepts/thorn", "quickstart": "install", "glossary": "words", "random noise": "Expressions", "electromagnetism": "Maxwell"}


def hits(found, query):
    import snowballstemmer
    stem, scores = snowballstemmer.stemmer("porter"), {}
    asked = [stem.stemWord(word) for word in re.split(r"\W+", query.lower()) if word]
    for word in asked:
        for kind, whole, part in (("terms", 5, 2), ("titleterms", 15, 7)):
            for term, there in found[kind].items():
                score = whole if term == word else part if len(word) > 2 and word in term and word not in found[kind] else 0
                for page in ([there] if isinstance(there, int) else there) if score else ():
                    scores.setdefault(page, {})[word] = max(score, scores.get(page, {}).get(word, 0))
    return [[found["docnames"][page], "", "", None, max(of.values()), ""] for page, of in scores.items() if len(of) == len(asked)]


if shutil.which("node"):
    found = json.loads(index[index.index("{"):index.rindex("}") + 1])
    asked = {query: hits(found, query) for query in WORDS}
    script = (folder / "source/scorer.js").read_text() + "const asked = " + json.dumps(asked) + """;
for (const query in asked) {
  globalThis.window = {location: {search: "?q=" + encodeURIComponent(query)}};
  asked[query].forEach(r => r[4] = Scorer.score(r));
  asked[query] = asked[query].sort((a, b) => b[4] - a[4] || (a[0] < b[0] ? -1 : 1)).slice(0, 3).map(r => r[0]);
}
console.log(JSON.stringify(asked));"""
    first = json.loads(subprocess.run(["node", "-"], input=script, capture_output=True, text=True, check=True).stdout)
    missed = {query: pages for query, pages in first.items() if not any(WORDS[query] in page for page in pages)}
    check(len(first) - len(missed) >= 0.95 * len(first), f"{len(first) - len(missed)} of {len(first)} words of users have their page among the first three; missed: {missed}")
else:
    print("SKIPPED: no node, by which the search is tried")
thorns = [path.parent.name for path in ROOT.glob("thorns/*/README.md")]
listed = re.findall(r'class="toctree-l2[^"]*"><a [^>]*href="thorns/(\w+)/README.html"', pages[Path("index.html")])
check(sorted(listed) == sorted(thorns), f"{len(listed)} thorns in groups {set(listed) ^ set(thorns) or ''}")
described = {path.stem for path in (folder / "source/docs/reference/parameters").glob("*.md")}
check("Cereus" in described and len(described & set(thorns)) > 25, f"{len(described)} pages of parameters")
declaration = (folder / "source/docs/reference/cpp/declaration.md").read_text()
check("GroupDeclaration& timelevels(int n);" in declaration and "Changes the group just declared" in declaration, "signatures and comments")
reference = "".join(path.read_text() for path in (folder / "source/docs/reference/cpp").glob("*.md"))
names = [part for part in re.split(r"^#{2,3} ", reference, flags=re.M)[1:] if not part.startswith("operator")]
shown = sum("*Example*" in part for part in names)
check(shown > 0.9 * len(names) > 500, f"{shown} of {len(names)} names have an example")
finish()
