"""The reference of C++: a page for each public header, with signatures and comments as Doxygen reads them, and for each name a place that uses it.

Examples are statements of thorns, of pages or of tests, whichever comes first: what is shown is compiled and tested.
"""
import re
import subprocess
import xml.etree.ElementTree as XML

import pages

# Of use to who writes thorns, kernels or programs; the rest is between the flesh and itself.
HEADERS = """kernel/handle kernel/point kernel/stencil kernel/math kernel/quotient kernel/noise kernel/reduce kernel/launch formula
declaration parameter range group scalar schedule item task kernel_item context services grid box block_index fields validity simulation routine
text_series program error text console process timer traffic view view/map view/field view/neighbours view/expression view/program""".split()
USERS = ("thorns/*/src/*.[hc]pp", "thorns/*/include/*/*.hpp", "tests/thorns/*/src/*.[hc]pp", "tests/view/*.cpp", "docs/**/*.md", "flesh/**/*.cpp", "flesh/src/**/*.hpp",
         "tests/unit/**/*.cpp", "tests/kernels/*.cpp", "thorns/*/tests/*.cpp")
# How statements that use these classes begin, where other classes have functions of the same names.
SPOKEN = {"GroupDeclaration": r"\bd\.(group|scalars|arrays)\b", "Declaration": r"\bd\.", "Schedule": r"\bs\.", "Context": r"\bc\.", "Parameters": r"\b(p|parameters)\b",
          "RoutineItem": r"\bs\.routine", "KernelBuilder": r"\bs\.kernel", "TaskBuilder": r"\bs\.(kernel|routine)", "GroupItem": r"\bs\.group", "ItemBuilder": r"\bs\.(kernel|routine|group)"}
DOXYFILE = """INPUT = {folder}/include
RECURSIVE = YES
OUTPUT_DIRECTORY = {folder}
XML_PROGRAMLISTING = NO
GENERATE_XML = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
EXTRACT_ALL = YES
EXCLUDE_SYMBOLS = *::detail::*
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = CEREUS_KERNEL= CEREUS_RARE= __attribute__(x)=
QUIET = YES
WARNINGS = NO
WARN_LOGFILE = {folder}/doxygen.log
"""


def commented(text):
    """The header with comments as Doxygen wants them: those before a name, behind a member, and behind the opening brace of a class."""
    lines = []
    for line in text.splitlines():
        if opening := re.match(r"( *)((?:template|struct|class|enum)\b.*\{)  // (.*)$", line):
            lines += [f"{opening[1]}/// {opening[3]}", opening[1] + opening[2]]
        else:
            lines.append(re.sub(r"([;,}])  // (?!namespace)", r"\1  ///< ", re.sub(r"^( *)// ", r"\1/// ", line)))
    said = lambda m: m[1] + re.sub(r"([<>@\\#%&])", r"\\\1", m[2])
    return re.sub(r"(///<? )(.*)", said, "\n".join(lines)) + "\n"


def statement(lines, n):
    """The statement that line n is part of, five lines at most."""
    while n and re.search(r"[^;{}:>\s]\s*$", re.sub(r"\s*//.*", "", lines[n - 1])) and not lines[n - 1].startswith("#"):
        n -= 1
    indent = len(lines[n]) - len(lines[n].lstrip())
    text = lines[n].strip()
    for more, line in enumerate(lines[n + 1:], 1):
        if text.count("(") <= text.count(")") and text.count("{") <= text.count("}") and re.search(r"[;{}](\s*//.*)?$", text):
            break
        if more == 5:
            return text + "\n  …"
        text += "\n" + line[indent:]
    return text


def uses(root):
    """name → (place, lines, line) of all that name it; ".name" and "name(" → those that do so behind a dot, or call it."""
    found = {}
    for path in (path for pattern in USERS for path in sorted(root.glob(pattern))):
        place, text = str(path.relative_to(root)), path.read_text()
        if path.suffix == ".md":
            text = "\n".join(code for _, info, code in pages.blocks(text) if info.startswith("cpp"))
        lines = text.splitlines()
        for n, line in enumerate(lines):
            code = re.sub(r"//.*|\"[^\"]*\"|^\s*#.*|^(class|struct) \w+;", "", line)
            for member, name, call in re.findall(r"(\.|->|::)?\b([A-Za-z_]\w*)\b(?!:)([(<{]?)", code):
                keys = [name, name + "("][:1 + bool(call)] if member not in (".", "->") else [f".{name}", f".{name}("][:1 + bool(call)]
                for key in keys:
                    found.setdefault(key, []).append((place if path.suffix == ".md" else f"{place}:{n + 1}", lines, n))
    return found


def plain(element):
    return " ".join("".join(element.itertext()).split()) if element is not None else ""


def comment(element):
    said = " ".join(filter(None, (plain(element.find("briefdescription")), plain(element.find("detaileddescription")))))
    return re.sub(r"([*_<>\[\]`|\\])", r"\\\1", said)


def signature(member, owner=""):
    """A declaration as an author would write it, with default values and without the names around it."""
    template = member.find("templateparamlist")
    text = ""
    if template is not None:
        parameters = (" ".join(filter(None, (plain(p.find("type")), plain(p.find("declname"))))) for p in template)
        text = f"template <{', '.join(parameters)}> "
    if member.get("kind") == "enum":
        return text + f"enum class {plain(member.find('name'))} {{ {', '.join(plain(v.find('name')) for v in member.iter('enumvalue'))} }};"
    what = plain(member.find("definition")).replace("= typedef ", "= ")
    if member.get("kind") == "variable":
        what += " " + plain(member.find("initializer")) if member.find("initializer") is not None else ""
    short = re.sub(rf"\b(cereus::)?(view::)?(\b{owner}(<[^<>]*>)?::)?", "", what) if owner else re.sub(r"\bcereus::(view::)?", "", what)
    return text + re.sub(r" (?=[&*>])|(?<=<) ", "", short + plain(member.find("argsstring"))) + ";"


def entry(level, name, members, examples, owner=""):
    """One name: its signatures, what the comments say, and an example if it is called or is a type."""
    code = "\n".join(dict.fromkeys(signature(m, owner) for m in members))
    said = "\n\n".join(filter(None, dict.fromkeys(map(comment, members))))
    text = f"\n{'#' * level} {name}\n\n```cpp\n{code}\n```\n" + (f"\n{said}\n" if said else "")
    return text + example(name, examples, owner if members[0].get("kind") == "function" else None)


def example(name, examples, owner=None):
    """The first statement that calls a function as its class is spoken of, or names a type; owner is that class, or "" for a free function."""
    keys = {None: [name, name + "("], "": [name + "("]}.get(owner, [f".{name}(", name + "("])
    places = [place for key in keys for place in examples.get(key, [])]
    told = re.compile(SPOKEN.get(owner, ""))
    for place, lines, n in [p for p in places if told.search(statement(*p[1:]))][:1] or places[:1]:
        return f"\n*Example*, `{place}`:\n\n```cpp\n{statement(lines, n)}\n```\n"
    return ""


def grouped(members):
    names = {}
    for member in members:
        names.setdefault(plain(member.find("name")), []).append(member)
    return names


def class_text(compound, examples):
    """A class: its data members together, then each function."""
    name = plain(compound.find("compoundname")).removeprefix("cereus::")
    short = name.split("::")[-1]
    said = comment(compound)
    text = f"\n## {name}\n\n" + (f"{said}\n" if said else "") + example(short, examples)
    members = [m for m in compound.iter("memberdef") if m.get("prot") == "public"]
    data = [m for m in members if m.get("kind") != "function"]
    if data:
        notes = ((signature(m, name), plain(m.find("briefdescription"))) for m in data)
        text += "\n```cpp\n" + "\n".join(code + (f"  // {note}" if note else "") for code, note in notes) + "\n```\n"
    functions = [m for m in members if m.get("kind") == "function" and plain(m.find("name")).strip("~") != short and "delete" not in plain(m.find("argsstring"))]
    return text + "".join(entry(3, n, found, examples, name) for n, found in grouped(functions).items())


def reference(root, folder):
    """(name, page) for each public header, and an index."""
    headers = {str(path.relative_to(include)): path for include in (root / "flesh/include/cereus", root / "flesh/view/include/cereus")
               for path in include.rglob("*.hpp")}
    for name, path in headers.items():
        to = folder / "include" / name
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(commented(re.sub(r"\A(//.*\n)+", "", path.read_text())))
    (folder / "Doxyfile").write_text(DOXYFILE.format(folder=folder))
    subprocess.run(["doxygen", folder / "Doxyfile"], check=True, stdout=subprocess.DEVNULL)
    compounds = [c for path in (folder / "xml").glob("*.xml") for c in XML.parse(path).getroot().iter("compounddef")]
    examples = uses(root)
    where = lambda element: element.find("location").get("file").removeprefix(f"{folder}/include/").removesuffix(".hpp")
    index = "# C++, header by header\n\nSignatures, comments and examples; [what there is at a glance](../cpp-api.md).\n\n| header | |\n| --- | --- |\n"
    for header in HEADERS:
        lead = re.match(r"(?:// ?(.*)\n)*", headers[f"{header}.hpp"].read_text())[0]
        lead = " ".join(line.removeprefix("//").strip() for line in lead.splitlines())
        text = f"# cereus/{header}.hpp\n\n{lead}\n"
        for compound in sorted((c for c in compounds if c.get("kind") in ("struct", "class") and where(c) == header), key=lambda c: int(c.find("location").get("line"))):
            if "detail::" not in plain(compound.find("compoundname")) and "<" not in plain(compound.find("compoundname")):
                text += class_text(compound, examples)
        free = [m for c in compounds if c.get("kind") == "namespace" and "detail" not in plain(c.find("compoundname")) for m in c.iter("memberdef") if where(m) == header]
        text += "".join(entry(2, n, found, examples) for n, found in grouped(free).items())
        name = header.replace("/", "-")
        index += f"| [{header}.hpp]({name}.md) | {lead.partition('. ')[0]} |\n"
        yield name, text
    yield "README", index
