"""The programs of README.md do what README.md says they do.

README.md has fenced blocks of c, cpp, python and swift, the second of swift with StreamsUI, and after each of them one
of text: what the program prints.
"""

import os
import pathlib
import re
import shlex
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tools"))
from checks import settings  # noqa: E402  Tools/checks/settings.py

LIBRARIES = pathlib.Path(os.environ.get("STREAMS_LIBRARY", ROOT / "build" / "lib" / "libstreams.so")).parent
LINES = {"c": [15], "cpp": [10], "python": [10], "swift": [10, 15]}
PRODUCTS = ["Streams", "StreamsUI"]

PACKAGE = """// swift-tools-version:6.1
import PackageDescription

let package = Package(
  name: "Readme",
  dependencies: [.package(name: "Streams", path: "{root}")],
  targets: [.executableTarget(name: "readme", dependencies: [.product(name: "{product}", package: "Streams")])],
  swiftLanguageModes: [.v6]
)
"""


def blocks():
    """The fenced blocks of README.md: pairs of language and text."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.findall(r"^```(\w*)[^\n]*\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def program(language, number=0):
    """A program of a language, and what it prints."""
    found = blocks()
    places = [index for index, (name, _) in enumerate(found) if name == language]
    assert len(places) == len(LINES[language]), f"README.md has {len(places)} blocks of {language}"
    place = places[number]
    assert place + 1 < len(found) and found[place + 1][0] == "text", f"no block of text after that of {language}"
    return found[place][1], found[place + 1][1]


def run(*command, **options):
    result = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, **options)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "warning:" not in result.stdout + result.stderr
    return result.stdout


def compile_c(source, folder, *options):
    """A program of the text, compiled in strict C11 with the library."""
    (folder / "program.c").write_text(source)
    compiler = shlex.split(os.environ.get("CC", "cc"))
    strict = ["-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread", f"-I{ROOT / 'Include'}"]
    link = [f"-L{LIBRARIES}", "-lstreams", f"-Wl,-rpath,{LIBRARIES}"]
    run(*compiler, *strict, *options, folder / "program.c", "-o", folder / "program", *link)
    return folder / "program"


def compile_cpp(source, folder):
    """A program of the text, compiled in strict C++17 with the library."""
    (folder / "program.cpp").write_text(source)
    compiler = shlex.split(os.environ.get("CXX", "g++"))
    strict = ["-std=c++17", *settings.STRICT, "-Wconversion", "-pthread", f"-I{ROOT / 'Include'}"]
    link = [f"-L{LIBRARIES}", "-lstreams", f"-Wl,-rpath,{LIBRARIES}"]
    run(*compiler, *strict, folder / "program.cpp", "-o", folder / "program", *link)
    return folder / "program"


@pytest.mark.parametrize("language", LINES)
def test_programs_are_short(language):
    for number, most in enumerate(LINES[language]):
        source, output = program(language, number)
        assert len([line for line in source.splitlines() if line.strip()]) <= most
        assert output.strip()


def test_c(tmp_path):
    source, output = program("c")
    assert run(compile_c(source, tmp_path)) == output


def test_cpp(tmp_path):
    source, output = program("cpp")
    assert run(compile_cpp(source, tmp_path)) == output


def test_python(tmp_path):
    source, output = program("python")
    (tmp_path / "readme.py").write_text(source)
    assert run(sys.executable, "-X", "dev", tmp_path / "readme.py") == output


@pytest.mark.timeout(900)
@pytest.mark.parametrize("product", PRODUCTS)
def test_swift(tmp_path, product):
    source, output = program("swift", PRODUCTS.index(product))
    (tmp_path / "Package.swift").write_text(PACKAGE.format(root=ROOT, product=product))
    (tmp_path / "Sources" / "readme").mkdir(parents=True)
    (tmp_path / "Sources" / "readme" / "main.swift").write_text(source)
    # Where the modules have been compiled for the tests, with the same options.
    run(settings.SWIFT, "build", "--package-path", tmp_path, *settings.DEBUG, "--product", "readme")
    assert run(settings.BUILT["debug"] / "readme") == output
