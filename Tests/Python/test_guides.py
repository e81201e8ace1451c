"""The programs of Docs/*.md print what stands below them, and the names of RxPY are the catalogue's."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
from programs import timeless
from test_readme import compile_c, compile_cpp

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tools"))
import catalogue  # noqa: E402  Tools/catalogue.py
import memory  # noqa: E402  Tools/memory.py

LINES = 45  # the most that a program in C or C++ has


def programs(language, *guides):
    """Each fenced block of a language with the block of text that follows it, by where it stands."""
    block = rf"^```{language}\n(.*?)^```$(\s*^```text\n(.*?)^```$)?"
    for guide in guides:
        text = (ROOT / "Docs" / f"{guide}.md").read_text(encoding="utf-8")
        for found in re.finditer(block, text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, found.start()) + 1
            yield pytest.param(found[1], found[3], id=f"{guide}:{line}")


def prints(expected, folder, *command, **environment):
    """Asserts that a program prints this, says nothing else, and ends well."""
    assert expected, "there is no block of text below the program"
    environment = {**os.environ, **environment}
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, encoding="utf-8", timeout=120)
    assert (done.stdout, done.stderr, done.returncode) == (expected, "", 0)


def companions():
    """The blocks of C in the guide of Python, by the name of the library that the text before says they are made into."""
    text = (ROOT / "Docs" / "python.md").read_text(encoding="utf-8")
    return dict(re.findall(r"-o (\w+\.so) [^\n]*\n\n```c\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("source, expected", programs("python", "python", "python-from-rxpy"))
def test_program(source, expected, tmp_path):
    program = tmp_path / "program.py"
    for name in re.findall(r'CDLL\("\./([\w.]+)"\)', source):
        compile_c(companions()[name], tmp_path, "-shared", "-fPIC").rename(tmp_path / name)
    program.write_text(timeless(source), encoding="utf-8")
    prints(expected, tmp_path, sys.executable, "-X", "dev", program, PYTHONIOENCODING="utf-8")


@pytest.mark.parametrize("source, expected", programs("c", "c"))
def test_program_in_c(source, expected, tmp_path):
    lines = [line for line in source.splitlines() if line.strip()]
    assert len(lines) <= LINES
    assert "streams_live_handles()" in lines[-2], "the program does not end by looking for leaks"
    prints(expected, tmp_path, compile_c(source, tmp_path))


@pytest.mark.parametrize("source, expected", programs("cpp", "cpp"))
def test_program_in_cpp(source, expected, tmp_path):
    assert len([line for line in source.splitlines() if line.strip()]) <= LINES
    prints(expected, tmp_path, compile_cpp(source, tmp_path))


@pytest.mark.parametrize("source, expected", programs("c", "c"))
def test_program_under_valgrind(source, expected, tmp_path):
    program = compile_c(source, tmp_path)
    # In the library with symbols, which valgrind's suppressions name.
    prints(expected, tmp_path, *memory.COMMAND, program, LD_LIBRARY_PATH=str(ROOT / "build" / "debug"))


@pytest.mark.parametrize("guide", ["c", "cpp", "python"])
def test_there_are_ten_recipes(guide):
    text = (ROOT / "Docs" / f"{guide}.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\d+)\. ", text, re.MULTILINE) == [str(number) for number in range(1, 11)]


def test_the_names_of_rxpy_are_the_catalogues():
    expected = {}
    for entry in catalogue.entries(catalogue.read()):
        for name in entry.words("rxpy", ""):
            expected.setdefault(name, []).extend(each.partition("(")[0] for each in entry.python)
    text = (ROOT / "Docs" / "python-from-rxpy.md").read_text(encoding="utf-8").partition("## What it is called")[2]
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE)
    found = {name: re.findall(r"`(\w+)`", cell) for name, cell in rows}
    assert found == {name: list(dict.fromkeys(names)) for name, names in expected.items() if names}
