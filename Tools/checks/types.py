"""The suite of Python's types."""

import os

from .settings import BUILD, PYTHON

CHECKED = ["Bindings/Python/streams", "Tests/Types/inferred.py", "Tests/Types/inferred_state.py"]
OPTIONS = ["--config-file", "Bindings/Python/pyproject.toml", "--cache-dir", BUILD / "mypy"]


def suite_types(suite):
    """mypy and pyright, both strict, agree with the package's types, and infer what Tests/Types says."""
    if not suite.needs(*CHECKED):
        return
    pyright = os.path.join(os.path.dirname(PYTHON), "basedpyright")
    suite.command("mypy", [PYTHON, "-m", "mypy", *OPTIONS, *CHECKED])
    suite.command("pyright", [pyright, "--project", "Tests/Types", "--pythonpath", PYTHON])
