#!/usr/bin/env python3
"""Makes the files of a release from a commit of a clean clone: cereus-VERSION.tar.gz, SHA256SUMS of it and of given packages, and NOTES.md, the
changelog's section. The same commit gives the same tarball.

Usage: release.py VERSION FOLDER [--package FILE.deb]… [--dry-run]   FOLDER must not be there yet. --dry-run only says what is wrong, if anything.
"""
from __future__ import annotations

import argparse
import gzip
import hashlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def git(*words: str) -> bytes:
    return subprocess.run(["git", "-C", str(ROOT), *words], check=True, capture_output=True).stdout


def notes_of(version: str, changelog: str) -> str | None:
    """The section of a version, without its heading."""
    found = re.search(rf"^## {re.escape(version)}\b.*?\n(.*?)(?=^## |\Z)", changelog, re.M | re.S)
    return found[1].strip() + "\n" if found else None


def mistakes(version: str, folder: Path, packages: list[Path]) -> list[str]:
    said = []
    for name, pattern in (("CMakeLists.txt", r"project\(Cereus VERSION ([\d.]+)"), ("CITATION.cff", r"^version: (\S+)")):
        is_there = re.search(pattern, (ROOT / name).read_text(), re.M)
        if not is_there or is_there[1] != version:
            said.append(f"{name}: says version {is_there[1] if is_there else 'none'}; a release of {version} needs {version}")
    changelog = (ROOT / "docs/changelog.md").read_text()
    if not notes_of(version, changelog):
        said.append(f"docs/changelog.md: has no section '## {version}'")
    elif re.search(rf"^## {re.escape(version)} \(unreleased\)", changelog, re.M):
        said.append(f"docs/changelog.md: {version} is '(unreleased)'; give its date")
    if changed := git("status", "--porcelain").decode().splitlines():
        said.append(f"{len(changed)} files are not committed, such as {changed[0][3:]}")
    if folder.exists():
        said.append(f"{folder}: is there already")
    return said + [f"{package}: no such file" for package in packages if not package.is_file()]


def make(version: str, folder: Path, packages: list[Path]) -> None:
    """In full or not at all: the files are made beside the folder, which is then renamed."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=".release-", dir=folder.parent))
    try:
        archive = git("archive", "--format=tar", f"--prefix=cereus-{version}/", "HEAD")
        (scratch / f"cereus-{version}.tar.gz").write_bytes(gzip.compress(archive, mtime=0))
        for package in packages:
            shutil.copy(package, scratch)
        files = sorted(scratch.iterdir())
        (scratch / "SHA256SUMS").write_text("".join(f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}\n" for f in files))
        (scratch / "NOTES.md").write_text(notes_of(version, (ROOT / "docs/changelog.md").read_text()) or "")
        scratch.chmod(0o755)
        scratch.rename(folder)
    except BaseException:
        shutil.rmtree(scratch, ignore_errors=True)
        raise


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("version")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--package", type=Path, action="append", default=[])
    parser.add_argument("--dry-run", action="store_true")
    asked = parser.parse_args()
    wrong = mistakes(asked.version, asked.folder, asked.package)
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 1
    if asked.dry_run:
        print(f"{asked.version} could be released from {git('rev-parse', '--short', 'HEAD').decode().strip()}")
    else:
        make(asked.version, asked.folder, asked.package)
        print(f"{asked.folder}: {', '.join(sorted(f.name for f in asked.folder.iterdir()))}; tag the commit: git tag v{asked.version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
