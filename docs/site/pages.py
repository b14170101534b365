"""The pages of the documentation, and their links, anchors and blocks of code: for the site, and for tests/run/docs.py."""
import json
import re
from pathlib import Path

FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.M | re.S)


def pages(root):
    """All pages of Markdown, as paths relative to the root."""
    found = [root / "README.md", *root.glob("docs/**/*.md"), *root.glob("thorns/*/README.md")]
    return sorted(path.relative_to(root) for path in found)


def notebook(path):
    """A notebook as a page."""
    cells = json.loads(path.read_text())["cells"]
    text = lambda cell: "".join(cell["source"]).strip()
    return "\n\n".join(text(c) if c["cell_type"] == "markdown" else f"```python\n{text(c)}\n```" for c in cells) + "\n"


def blocks(text):
    """(line, info string, code) of each fenced block."""
    return [(text[:m.start()].count("\n") + 1, m[1].strip(), m[2]) for m in FENCE.finditer(text)]


def prose(text):
    """The text with code blanked; lines stay where they are."""
    blank = lambda m: re.sub(r"[^\n]", " ", m[0])
    indented = re.compile(r"(?<=\n\n)(?: {4}.*\n)+")
    return re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)", blank, indented.sub(blank, FENCE.sub(blank, text)))


def links(text):
    """(line, target) of each link and picture."""
    text = prose(text)
    return [(text[:m.start()].count("\n") + 1, m[1]) for m in re.finditer(r"\]\(<?([^)\s>]+)>?(?: \"[^\"]*\")?\)", text)]


def anchors(text):
    """What may stand after # in a link to this page, as GitHub and MyST name headings."""
    found = set()
    for heading in re.findall(r"^#{1,6} +(.*)$", FENCE.sub("", text), re.M):
        words = re.sub(r"\]\([^)]*\)", "", heading).replace("`", "").strip().lower()
        name = anchor = re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", words))
        n = 0
        while anchor in found:
            n += 1
            anchor = f"{name}-{n}"
        found.add(anchor)
    return found


def broken(root, page, text):
    """(line, target) of each link within the tree that leads nowhere."""
    found = []
    for line, target in links(text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        path = Path((root / page).parent / name) if name else root / page
        if not path.exists() or root.resolve() not in [path.resolve(), *path.resolve().parents]:
            found.append((line, target))
        elif anchor and path.suffix == ".md" and anchor not in anchors(path.read_text() if name else text):
            found.append((line, target))
    return found
