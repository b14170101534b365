#!/usr/bin/env python3
"""The site of the documentation is made without a network or a warning; nothing in it is fetched from elsewhere, its search finds words, all thorns and public
headers are there, and nearly every name of the C++ interface has a signature and an example. Needs doxygen, furo and python3-myst-parser.

Mutations that make it fail: a link in a notebook or a generated page that leads nowhere; comments of headers not turned into Doxygen's; no page of parameters.
"""
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
if not there or not shutil.which("doxygen"):
    finish("./cereus setup doxygen furo python3-myst-parser")
folder = Path(tempfile.mkdtemp(prefix="cereus-")) / "site"
done = subprocess.run([python, "-B", ROOT / "docs/site/build.py", os.environ["CEREUS"], folder], capture_output=True, text=True)
check(done.returncode == 0 and done.stdout.strip() == f"{folder}/html/index.html", f"it is made{done.stdout}{done.stderr}")
pages = {path.relative_to(folder / "html"): path.read_text() for path in (folder / "html").rglob("*.html")}
fetched = {f"{name}: {url}" for name, text in pages.items() for url in re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="((?:https?:)?//[^"]*)"', text)}
check(len(pages) > 150 and not fetched, f"{len(pages)} pages, which fetch nothing {fetched or ''}")
index = (folder / "html/searchindex.js").read_text()
check(all(f'{word}:' in index.replace('"', "") for word in ("laplacian", "courant", "checkpoint")), "the search knows words")
thorns = [path.parent.name for path in ROOT.glob("thorns/*/README.md")]
described = {path.stem for path in (folder / "source/docs/reference/parameters").glob("*.md")}
check("Cereus" in described and len(described & set(thorns)) > 25, f"{len(described)} pages of parameters")
declaration = (folder / "source/docs/reference/cpp/declaration.md").read_text()
check("GroupDeclaration& timelevels(int n);" in declaration and "Changes the group just declared" in declaration, "signatures and comments")
reference = "".join(path.read_text() for path in (folder / "source/docs/reference/cpp").glob("*.md"))
names = [part for part in re.split(r"^#{2,3} ", reference, flags=re.M)[1:] if not part.startswith("operator")]
shown = sum("*Example*" in part for part in names)
check(shown > 0.9 * len(names) > 500, f"{shown} of {len(names)} names have an example")
finish()
