"""Suites that read sources: formatting, what is written from templates, and the header on its own."""

import itertools
import os
import pathlib
import re
import tempfile

import arities  # Tools/arities.py
import format as formatted  # Tools/format.py
import header_text  # Tools/header_text.py
import layers  # Tools/layers.py

from .settings import CC, CXX, LINE_LENGTH, PYTHON, ROOT, STRICT, SWIFT, clang

# The path and the finding, as swift-format and clang-format print them, and as ruff does.
FINDING = r"^(?:\x1b\[[0-9;]*m)*(/?[^\s:][^:\n]*):\d+:\d+: (?:error|warning): (.*)"
RUFF_FINDING = r"^(?: *--> )?([^\s:][^:\n]*\.py):\d+:\d+:? ?(.*)"


def suite_format(suite):
    """Swift, C and Python sources are formatted as .swift-format, .clang-format and ruff.toml say, and those from templates
    are theirs. No modules go round in circles."""
    suite.needs("Include", "Sources", "Tests", "Examples", "Benchmarks")
    swift, c, python = formatted.swift_files(), formatted.c_files(), formatted.python_files()
    findings = {}

    def collect(status, text, names, pattern=FINDING):
        hits = re.findall(pattern, text, re.MULTILINE)
        for path, finding in hits:
            findings.setdefault(str((ROOT / path).resolve()), finding or f"is not as {names} has it")
        if status and not hits:
            suite.check(names, False, f"exit status {status}")

    for language, look in layers.LANGUAGES.items():
        circles = look()[1]
        suite.check(f"{language}: no circle of modules", not circles, "; ".join(circles))
    for path, text in arities.files().items():
        same = path.read_text(encoding="utf-8") == text
        suite.check(f"{path.name} is what arities.py writes", same, "it is not: change that, then `make format`")
    if swift:
        collect(*suite.run([SWIFT, "format", "lint", "--strict", "--parallel", *swift]), "swift format")
    if c:
        collect(*suite.run([formatted.CLANG_FORMAT, "--dry-run", "-Werror", *c]), "clang-format")
    for command in (["check", "--output-format", "concise"], ["format", "--check"]) if python else ():
        found = suite.run([formatted.RUFF, *command, "--no-cache", "--force-exclude", *python])
        collect(*found, f"ruff {command[0]}", RUFF_FINDING)
    for path in c:
        for number, line in enumerate(pathlib.Path(path).read_text(encoding="utf-8").splitlines(), 1):
            if len(line) > LINE_LENGTH:
                findings.setdefault(path, f"line {number} is longer than {LINE_LENGTH} columns")
    for path in swift + c:
        # Who reads a doc comment by itself, in an editor or a reference, does not see the one before it.
        text = pathlib.Path(path).read_text(encoding="utf-8")
        for each in re.finditer(r"^\s*(?:///|/\*\*) The same\b", text, re.MULTILINE):
            line = each.string.count("\n", 0, each.end()) + 1
            findings.setdefault(path, f"line {line}: a doc comment that leans on another")
    for path in swift + c + python:
        finding = findings.get(str(pathlib.Path(path).resolve()))
        suite.check(os.path.relpath(path, ROOT), finding is None, finding or "")


def suite_header(suite):
    """Each header stands alone, and so does each of its parts, twice included, in gnu99, strict C11 and C++17, and warns of
    nothing that programs may ask for."""
    if not suite.needs("Include/streams.h"):
        return
    all_headers = (header_text.HEADER, header_text.HOST_HEADER, header_text.NATS_HEADER)
    for header in all_headers:
        check_contents(suite, header)
    repeated = list(header_text.repetitions())
    suite.check("no comment says what holds anyway", not repeated, "; ".join(repeated))
    suite.command("what is consumed is marked", [PYTHON, "Tools/marks.py"])
    check_abi(suite)
    names = [path.relative_to(header_text.FOLDER) for path in header_text.files(*all_headers)]
    parts = {path.relative_to(header_text.FOLDER) for path in header_text.FOLDER.rglob("*.h")}
    suite.check(f"{len(parts)} headers", parts == set(names), " ".join(map(str, parts ^ set(names))))
    compilers = [
        (CC, "gnu99"),
        (CC, "c11"),
        (CC, "c17"),
        (clang(), "gnu99"),
        (clang(), "c11"),
        (CXX, "c++17"),
        (CXX, "c++20"),
        (clang(), "c++17"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        for number, name in enumerate(names):
            pathlib.Path(folder, f"alone{number}.c").write_text(2 * f"#include <{name}>\n")

        def stands_alone(part, each):
            (number, name), (compiler, standard) = each
            language = "c++" if "++" in standard else "c"
            asked = ["-Wshadow", "-Wconversion", "-Wsign-conversion", *["-Wold-style-cast"][: language == "c++"]]
            options = [f"-std={standard}", *STRICT, *asked, "-x", language, "-fsyntax-only", "-IInclude"]
            source = pathlib.Path(folder, f"alone{number}.c")
            part.command(f"{name}: {os.path.basename(compiler)} -std={standard}", [compiler, *options, source])

        suite.at_once(stands_alone, list(itertools.product(enumerate(names), compilers)))


def check_abi(suite):
    """A program that was compiled against an earlier version of the headers runs on."""
    with tempfile.TemporaryDirectory() as folder:
        now = pathlib.Path(folder, "now.abi")
        if not suite.command("the headers' ABI", [PYTHON, "Tools/abi.py", now])[0]:
            return
        # New functions are no harm. A struct may grow at its end, since it says its size: look, and write the file anew.
        suite.command("the ABI is that of 1.0", ["abidiff", "--no-added-syms", "Tests/ABI/streams.abi", now])


def check_contents(suite, header):
    """The table of contents at a header's top names the parts that it includes and their sections, in their order."""
    text = header.read_text(encoding="utf-8")
    found = []
    for folder, part in re.findall(r'^#include "(.+)/(.+)"$', text, re.MULTILINE):
        found.append(part)
        sections = (header.parent / folder / part).read_text(encoding="utf-8")
        found += re.findall(r"^/\* =+\n \* ([^:\n]+)", sections, re.MULTILINE)
    table = re.search(r"^ \* CONTENTS\..*?\n \*\n((?: \* .*\n)+)", text, re.MULTILINE | re.DOTALL)
    rows = re.findall(r"^ \* {5}(?: {4})?(\S.*?)(?:  .*)?$", table[1], re.MULTILINE) if table else []
    suite.check(f"contents of {header.name}: {len(found)} rows", found and rows == found, f"{rows} and not {found}")
