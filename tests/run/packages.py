#!/usr/bin/env python3
"""What makes packages can be read, and the release script says what is wrong, or writes all of it: tarball, checksums, section of the changelog.

Mutations that make it fail: a tarball with the time of day; a section that ends at the next heading of any depth; a release of a tree with changes.
"""
import ast
import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

from _physics import check, finish

source, build = os.environ["CEREUS_SOURCE"], os.environ["CEREUS_BUILD"]
folder = tempfile.mkdtemp(prefix="cereus-")


def run(*words, cwd=folder):
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).strip()


script = os.path.join(folder, "read.cmake")
with open(script, "w") as f:
    f.write(f'include("{build}/CPackConfig.cmake")\nmessage("${{CPACK_GENERATOR}} ${{CPACK_PACKAGING_INSTALL_PREFIX}} ${{CPACK_PACKAGE_VERSION}}")\n'
            'if(NOT EXISTS "${CPACK_PRE_BUILD_SCRIPTS}")\n  message(FATAL_ERROR "no ${CPACK_PRE_BUILD_SCRIPTS}")\nendif()\n')
code, said = run("cmake", "-P", script)
check(code == 0 and said.startswith("DEB /opt/cereus "), f"CPack's configuration: {said}")

with open(os.path.join(source, "flesh/packaging/package.py")) as f:
    recipe = ast.parse(f.read())
(cereus,) = [node for node in recipe.body if isinstance(node, ast.ClassDef)]
calls = [node.value for node in ast.walk(cereus) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
needed = {c.args[0].value.split("@")[0] for c in calls if getattr(c.func, "id", "") == "depends_on" and isinstance(c.args[0], ast.Constant)}
check(cereus.name == "Cereus" and {"openmpi", "hdf5", "yaml-cpp", "boost", "fmt", "spdlog", "nlohmann-json", "cli11", "xxhash", "pango"} <= needed,
      f"Spack's recipe needs {len(needed)} packages")

if not shutil.which("git"):
    finish("there is no git, so no release was made")
tree = os.path.join(folder, "tree")
for name, text in {"CMakeLists.txt": "project(Cereus VERSION 1.2.3 LANGUAGES CXX)\n", "CITATION.cff": "version: 1.2.3\n", "docs/changelog.md":
                   "# Changelog\n\n## 2.0.0 (unreleased)\nnew\n\n## 1.2.3 (2026-12-01)\n\n### Added\n- more\n\n### Fixed\n- less\n\n## 1.2.2\nold\n"}.items():
    os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
    with open(os.path.join(tree, name), "w") as f:
        f.write(text)
os.makedirs(os.path.join(tree, "flesh/packaging"))
release = shutil.copy(os.path.join(source, "flesh/packaging/release.py"), os.path.join(tree, "flesh/packaging"))
git = ["git", "-c", "user.name=A", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"]
for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "A release"]):
    run(*git, *words, cwd=tree)
for version, expected in (("1.2.3", "1.2.3 could be released from"), ("2.0.0", "is '(unreleased)'; give its date"), ("1.2.4", "has no section '## 1.2.4'")):
    code, said = run(sys.executable, release, version, "out", "--dry-run")
    check((code == 0) == (version == "1.2.3") and expected in said and not os.path.exists(os.path.join(folder, "out")), f"dry run of {version}: {said.splitlines()[-1]}")
check("CITATION.cff: says version 1.2.3" in said, "the version is that of the tree")
open(os.path.join(tree, "stray"), "w").close()
check("not committed, such as stray" in run(sys.executable, release, "1.2.3", "out")[1], "a tree with changes is refused")
os.remove(os.path.join(tree, "stray"))
with open(os.path.join(folder, "a.deb"), "w") as f:
    f.write("package")
for out in ("one", "two"):
    code, said = run(sys.executable, release, "1.2.3", out, "--package", "a.deb")
    check(code == 0, f"released: {said}")
    one = {name: open(os.path.join(folder, out, name), "rb").read() for name in sorted(os.listdir(os.path.join(folder, out)))}
    check(list(one) == ["NOTES.md", "SHA256SUMS", "a.deb", "cereus-1.2.3.tar.gz"], f"files: {list(one)}")
    if out == "two":
        check(one == before, "the same commit gives the same files")
    before = one
check(one["NOTES.md"].decode() == "### Added\n- more\n\n### Fixed\n- less\n", "the section of the changelog, and no other")
check(all(hashlib.sha256(one[name]).hexdigest() == digest for digest, name in (line.split() for line in one["SHA256SUMS"].decode().splitlines())), "checksums")
with tarfile.open(os.path.join(folder, "one/cereus-1.2.3.tar.gz")) as tar:
    check("cereus-1.2.3/docs/changelog.md" in tar.getnames(), "the tarball has the tree")
check("is there already" in run(sys.executable, release, "1.2.3", "one")[1], "a folder that is there is left alone")
finish()
