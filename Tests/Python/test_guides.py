"""The programs of Docs/*.md in Python print what stands below them, and the names of RxPY are the catalogue's."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
import catalogue  # noqa: E402  Tests/tools/catalogue.py

ROOT = pathlib.Path(__file__).resolve().parents[2]
GUIDES = ["python", "python-from-rxpy"]


def programs():
    """Each fenced block of Python with the block of text that follows it, by where it stands."""
    for guide in GUIDES:
        text = (ROOT / "Docs" / f"{guide}.md").read_text(encoding="utf-8")
        for found in re.finditer(r"^```python\n(.*?)^```$(\s*^```text\n(.*?)^```$)?", text, re.MULTILINE | re.DOTALL):
            line = text.count("\n", 0, found.start()) + 1
            yield pytest.param(found[1], found[3], id=f"{guide}:{line}")


@pytest.mark.parametrize("source, expected", programs())
def test_program(source, expected, tmp_path):
    assert expected, "there is no block of text below the program"
    program = tmp_path / "program.py"
    program.write_text(source, encoding="utf-8")
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-X", "dev", program]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == (expected, "", 0)


def test_there_are_ten_recipes():
    text = (ROOT / "Docs" / "python.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\d+)\. ", text, re.MULTILINE) == [str(number) for number in range(1, 11)]


def test_the_names_of_rxpy_are_the_catalogues():
    expected = {}
    for entry in catalogue.entries(catalogue.read()):
        for name in entry.words("rxpy", ""):
            expected.setdefault(name, []).extend(each.partition("(")[0] for each in entry.python)
    text = (ROOT / "Docs" / "python-from-rxpy.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE)
    found = {name: re.findall(r"`(\w+)`", cell) for name, cell in rows}
    assert found == {name: list(dict.fromkeys(names)) for name, names in expected.items() if names}
