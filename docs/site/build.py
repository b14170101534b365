#!/usr/bin/env python3
"""The site: the pages of this tree, the notebooks, and references of parameters and of C++, made by Sphinx into one folder that works from file://.

    build.py CEREUS FOLDER    CEREUS is the executable, whose thorns are described; the site is FOLDER/html/index.html

Nothing is fetched. A link that leads nowhere, or anything else that Sphinx warns of, is an error. Debian: doxygen, furo, python3-myst-parser, libjs-mathjax.
"""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import cpp
import pages

ROOT = Path(__file__).resolve().parents[2]
MATHJAX = Path("/usr/share/javascript/mathjax")
SIDE = (("Start here", ("docs/install", "docs/want", "docs/tutorial", "docs/equations", "docs/view", "docs/python", "docs/follow-the-wave", "docs/gallery", "docs/binary-black-hole", "docs/six-orbits", "docs/clusters")),
        ("Concepts", ("docs/concepts/README", "docs/concepts/*")),
        ("Thorns", ()),
        ("Notebooks of the gallery", ("docs/notebooks/*",)), ("Reference", ("docs/reference/*",)),
        ("Parameters", ("docs/reference/parameters/Cereus", "docs/reference/parameters/*")), ("C++", ("docs/reference/cpp/README", "docs/reference/cpp/*")),
        ("Why", ("docs/decisions/README", "docs/decisions/*", "docs/measured/*", "docs/changelog", "docs/*")))


def groups(text):
    """Of the README's section on thorns: (page, its text) for each heading. The page lists the thorns again, which stand below it on the left of each page."""
    for part in text.split("\n## Thorns\n")[1].split("\n## ")[0].split("\n### ")[1:]:
        title, _, table = part.partition("\n")
        names = re.findall(r"\]\(thorns/(\w+/README)\.md\)", table)
        page = "thorns/" + re.sub(r"\W+", "-", title.lower())
        yield page, f"# {title}\n{table.replace('](thorns/', '](')}\n```{{toctree}}\n:hidden:\n\n" + "\n".join(names) + "\n```\n"


def toctree(source, thorns):
    """What stands on the left of each page: each page once, under the first heading that names it; thorns in the README's groups."""
    seen, text = {"index", *(str(path.relative_to(source).with_suffix("")) for path in source.glob("thorns/*/README.md"))}, ""
    for caption, patterns in SIDE:
        names = list(thorns) if caption == "Thorns" else []
        for pattern in patterns:
            found = sorted(str(path.relative_to(source).with_suffix("")) for path in source.glob(pattern + ".md"))
            names += [name for name in found if name not in seen and not seen.add(name)]
        text += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n" + "\n".join(names) + "\n```\n"
    return text


# The search puts pages first that docs/want.md names for a word of the query; what tells of yesterday comes last.
SCORER = """const wanted = %s;
var Scorer = {
  score: ([page, , , , score]) => {
    const query = (new URLSearchParams(window.location.search).get("q") || "").toLowerCase();
    const asked = query.split(/[^a-z0-9]+/).filter(word => word.length > 1);
    const words = (wanted[page] || "").split(/[^a-z0-9]+/);
    const old = /changelog|decisions|measured|reference\\/parameters|\\/want$/.test(page);
    return (old ? 0.2 : 1) * (score + 60 * asked.filter(word => words.includes(word)).length / Math.max(1, asked.length));
  },
  objNameMatch: 11, objPartialMatch: 6, objPrio: {0: 15, 1: 5, 2: -5}, objPrioDefault: 0, title: 15, partialTitle: 7, term: 5, partialTerm: 2,
};
"""


def wanted(text):
    """Of the table of docs/want.md: page, as a path from the root, and the words for which it is looked."""
    rows = re.findall(r"^\| [^|]+ \| \[[^\]]*\]\(([^)]+)\) \| ([^|]+) \|$", text, re.M)
    found = {}
    for target, words in rows:
        found.setdefault(os.path.normpath(Path("docs") / target), []).append(words.strip())
    return {page: ", ".join(words) for page, words in found.items()}


def placed(source, page, text):
    """The text with formulas and links as Sphinx wants them: a folder is its README, or a list of its files; other files are copied to where the link leads."""
    for _, target in set(pages.links(text)):
        path = Path(os.path.normpath(page.parent / target.partition("#")[0]))
        if re.match(r"[a-z]+:|#", target) or path.suffix == ".md" and str(path) != "README.md":
            continue
        to = path
        if str(path) == "README.md":
            to = Path("index.md")
        elif path.suffix == ".ipynb":
            to = path.with_suffix(".md")
        elif (ROOT / path).is_dir():
            to = path / "README.md"
            if not (ROOT / to).exists():
                names = sorted(p.name for p in (ROOT / path).iterdir())
                write(source / to, f"# {path}\n\n" + "\n".join(f"- `{name}`" for name in names) + "\n", orphan=True)
        elif (ROOT / path).exists() and not (source / path).exists():
            (source / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, source / path)
        text = text.replace(f"]({target})", f"]({os.path.relpath(to, page.parent)}{''.join(target.partition('#')[1:])})")
    return re.sub("^```math$", "```{math}", text, flags=re.M)


def mathematics(to):
    """What sets formulas, in the browser that shows the page: of MathJax what SVG needs, for fonts do not load from file:// everywhere."""
    for part in ("MathJax.js", "config/TeX-AMS_SVG.js", "extensions", "jax/element", "jax/input/TeX", "jax/output/SVG/jax.js", "jax/output/SVG/config.js",
                 "jax/output/SVG/autoload", "jax/output/SVG/fonts/TeX"):
        copy = shutil.copytree if (MATHJAX / part).is_dir() else shutil.copy
        (to / part).parent.mkdir(parents=True, exist_ok=True)
        copy(MATHJAX / part, to / part)


def write(path, text, orphan=False):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(("---\norphan: true\n---\n" if orphan else "") + text)


def parameters(cereus):
    """(thorn, page) for the flesh and each thorn: what `cereus describe` says."""
    listed = subprocess.run([cereus, "list"], capture_output=True, text=True, check=True).stdout.split("thorns\n")[1]
    for name in ["Cereus", *(line.split()[0] for line in listed.splitlines())]:
        said = subprocess.run([cereus, "describe", name], capture_output=True, text=True, check=True).stdout
        what, *rest = said.strip().split("\n\n")
        page = f"# {what.partition(':')[0]}: parameters\n\n{escaped(what.partition(':')[2].strip())}\n"
        for part in rest:
            head, *more = part.strip().splitlines()
            key, _, value = head.partition(": ")
            page += f"\n## {key if key.startswith('group ') else f'{name}.{key}'}\n\n*{escaped(value)}*\n" + "".join(f"\n{escaped(line.strip())}\n" for line in more)
        yield name, page


def escaped(text):
    return re.sub(r"([*_<>\[\]`|\\])", r"\\\1", text)


def main(cereus, folder):
    source = folder / "source"
    shutil.rmtree(folder, ignore_errors=True)
    source.mkdir(parents=True)
    words = wanted((ROOT / "docs/want.md").read_text())
    for page in pages.pages(ROOT):
        to = source / ("index.md" if str(page) == "README.md" else page)
        also = f"\n\n*Found by*: {words[str(page)]}\n" if str(page) in words else ""
        write(to, placed(source, page, (ROOT / page).read_text()) + also)
    (source / "scorer.js").write_text(SCORER % json.dumps({page.removesuffix(".md"): w for page, w in words.items()}))
    for path in (ROOT / "docs/notebooks").glob("*.ipynb"):
        page = path.relative_to(ROOT)
        write(source / page.with_suffix(".md"), placed(source, page, pages.notebook(path)))
    for name, page in parameters(cereus):
        write(source / f"docs/reference/parameters/{name}.md", page)
    for name, page in cpp.reference(ROOT, folder):
        write(source / f"docs/reference/cpp/{name}.md", page)
    thorns = dict(groups((ROOT / "README.md").read_text()))
    for page, text in thorns.items():
        write(source / f"{page}.md", text)
    with open(source / "index.md", "a") as index:
        index.write(toctree(source, thorns))
    mathematics(source / "static/mathjax")
    here = Path(__file__).parent
    done = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-j", "auto", "-D", f"html_search_scorer={source / 'scorer.js'}", "-D", f"html_static_path={source / 'static'}", "-c", here, source, folder / "html"])
    if done.returncode == 0:
        print(folder / "html/index.html")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2]).resolve()))
