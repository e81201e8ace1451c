"""Docs/nothing-happens.md: each program prints, and warns, what stands below it."""

import os
import subprocess
import sys

import pytest
from test_guides import programs


@pytest.mark.parametrize("source, expected", programs("python", "nothing-happens"))
def test_program(source, expected, tmp_path):
    (tmp_path / "program.py").write_text(source, encoding="utf-8")
    # Both outputs in one, in the order in which they are written.
    done = subprocess.run(
        [sys.executable, "-u", "program.py"], cwd=tmp_path, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=120,
    )  # fmt: skip
    assert (done.stdout.replace(f"{tmp_path}{os.sep}", ""), done.returncode) == (expected, 0)


def test_the_page_has_the_five_faults():
    assert len(list(programs("python", "nothing-happens"))) == 5
