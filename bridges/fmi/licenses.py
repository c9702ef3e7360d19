#!/usr/bin/env python3
"""Writes `cli/src/fmu/licenses.txt`, the licences of the crates in the library that `costate fmu` copies into units.

With `--check` it compares the file instead, and fails where it is not current.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "cli/src/fmu/licenses.txt"
# The licence that is taken where there is a choice: the first of these that a crate offers.
CHOICE = ["MIT", "Apache-2.0", "Zlib", "Unlicense"]


def cargo(*arguments):
    """Returns what cargo prints."""
    return subprocess.run(["cargo", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout


def crates():
    """Returns the packages that are linked into the library, by name and version."""
    options = ["--edges", "normal,no-proc-macro", "--target", "all", "--prefix", "none", "--format", "{p}"]
    lines = cargo("tree", "--locked", "-p", "costate-fmi", *options).splitlines()
    linked = {tuple(line.split()[:2]) for line in lines}
    packages = json.loads(cargo("metadata", "--locked", "--format-version", "1"))["packages"]
    found = [package for package in packages if (package["name"], "v" + package["version"]) in linked]
    return sorted((own for own in found if own["source"]), key=lambda own: (own["name"], own["version"]))


def texts(package):
    """Returns the texts of the chosen licence, and of those that apply as well."""
    expression = (package["license"] or "").replace("/", " OR ")
    chosen = next((own for own in CHOICE if own in expression), expression)
    folder = Path(package["manifest_path"]).parent
    files = sorted(own for own in folder.iterdir() if re.match(r"(?i)(licen[cs]e|copying|unlicense|notice)", own.name))
    files = [own for own in files if own.is_file()]
    if " AND " in expression or len(files) == 1:
        return expression, files
    word = {"MIT": "mit", "Apache-2.0": "apache", "Zlib": "zlib", "Unlicense": "unlicense"}.get(chosen, chosen.lower())
    own = [file for file in files if word in file.name.lower()]
    return expression, own or [file for file in files if re.fullmatch(r"(?i)licen[cs]e(\.\w+)?", file.name)]


def written():
    """Returns the file."""
    groups = {}
    without = []
    for package in crates():
        expression, files = texts(package)
        name = f"{package['name']} {package['version']} ({expression})"
        if not files:
            without.append(f"{name}, {package['repository'] or ''}")
        for file in files:
            lines = [line.strip() for line in file.read_text(encoding="utf-8", errors="replace").splitlines()]
            text = "\n".join(lines).strip()
            groups.setdefault(re.sub(r"\s+", " ", text), (text, []))[1].append(name)
    parts = ["Licences of the crates in the library of `binaries`, which is itself licensed under MIT or Apache-2.0."]
    parts += ["\n".join(names) + "\n\n" + text for text, names in groups.values()]
    if without:
        parts.append("\n".join(without) + "\n\nThe packages have the name of their licence alone.")
    return ("\n\n" + 80 * "-" + "\n\n").join(parts) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--check"]:
        if not FILE.exists() or FILE.read_text(encoding="utf-8") != written():
            sys.exit(f"`{FILE.relative_to(ROOT)}` is not current: run `bridges/fmi/licenses.py`")
    else:
        FILE.write_text(written(), encoding="utf-8")
