"""The suite of Python's package on each CPython from 3.9 to 3.15 that is installed."""

import os
import pathlib
import shutil
import subprocess
import sys

from .python import SOME, count, options
from .settings import BUILD, ROOT

VERSIONS = [f"3.{minor}" for minor in range(9, 16)]
REQUIREMENTS = ROOT / "Tests" / "Python" / "requirements-versions.txt"
# What needs other packages, or depends on the library and hardly on the interpreter.
LEFT_OUT = ["rxpy*", "readme", "examples", "guides", "fuzz", "escapes", "scheduler_processes", "properties"]


def interpreters():
    """The CPython of each version, of those on the path and pyenv's."""
    pyenv = pathlib.Path(os.environ.get("PYENV_ROOT") or pathlib.Path.home() / ".pyenv")
    found = {}
    for version in VERSIONS:
        name = f"python{version}"
        for path in [shutil.which(name), *sorted(pyenv.glob(f"versions/{version}.*/bin/{name}"))]:
            says = "import platform; print(platform.python_implementation())"
            if path and subprocess.getoutput(f"{path} -c '{says}'") == "CPython":
                found.setdefault(version, path)
    return found


def suite_versions(suite):
    """A bit of Tests/Python on the versions of CPython that are installed, but for that of `make check`, which runs all."""
    check_versions(suite, [f"Tests/Python/test_{name}.py" for name in SOME])


def suite_versions_long(suite):
    """All of it there."""
    check_versions(suite, [*(f"--ignore-glob=*/test_{name}.py" for name in LEFT_OUT), "Tests/Python"])


def check_versions(suite, tests):
    if not suite.needs("Bindings/Python/streams", "build/lib/libstreams.so"):
        return
    found = interpreters()
    own = f"3.{sys.version_info.minor}"
    others = {version: path for version, path in found.items() if version != own}
    suite.check(f"knows {own}, which runs this", own not in VERSIONS or own in found)
    for version in VERSIONS:
        if version not in found:
            suite.say(f"CPython {version} is not installed")
            suite.add(0, 0, 1, [])
    suite.note = "CPython " + ", ".join(others) if others else "no other CPython is installed"
    suite.at_once(lambda part, item: check_version(part, *item, tests), others.items())


def check_version(suite, version, interpreter, tests):
    folder, report = BUILD / "pythons" / version, BUILD / "pythons" / f"{version}.xml"
    python = folder / "bin" / "python"
    if not is_ready(folder):
        shutil.rmtree(folder, ignore_errors=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "5"]
        made = suite.command(f"an environment of CPython {version}", [interpreter, "-m", "venv", folder])[0]
        if not made or not suite.command(f"tools for CPython {version}", [*install, "-r", REQUIREMENTS])[0]:
            return
        (folder / "installed").write_bytes(REQUIREMENTS.read_bytes())
    report.unlink(missing_ok=True)
    command = [python, "-m", "pytest", *options(report), *tests]
    count(suite, report, suite.run(command, timeout=1800)[0], f"CPython {version}: ")


def is_ready(folder):
    """Whether an environment has what is asked for now."""
    installed = folder / "installed"
    return installed.exists() and installed.read_bytes() == REQUIREMENTS.read_bytes()
