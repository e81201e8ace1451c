"""The suite of Python's wheel: what `make wheel` and pip make of the package works in an environment of its own."""

import pathlib
import shutil
import sys
import tempfile
import zipfile

from .readme import example
from .settings import BUILD, LIBRARY, PYTHON, ROOT

PACKAGE = ROOT / "Bindings" / "Python"
PIP = ["-m", "pip", "--disable-pip-version-check", "--no-input"]
# Nothing of this tree, and no Swift.
PATH = "/usr/bin:/bin"
BARE = {"PATH": PATH, "PYTHONPATH": "", "STREAMS_LIBRARY": "", "LD_LIBRARY_PATH": ""}


def suite_wheel(suite):
    """The wheel and an installation from the sources run README.md's example, and leave nothing in the sources."""
    if not suite.needs("Bindings/Python/hatch_build.py", "build/lib/libstreams.so"):
        return
    before = sources()
    status, text = suite.command("make wheel", ["make", "wheel"])
    wheels = list((BUILD / "wheel").glob("*.whl"))
    if not suite.check("one wheel", status and len(wheels) == 1, f"{wheels}"):
        return
    modules = {path.relative_to(PACKAGE).as_posix() for path in (PACKAGE / "streams").rglob("*.py")}
    missing = sorted(modules - set(zipfile.ZipFile(wheels[0]).namelist()))
    suite.check("it has every module", not missing, " ".join(missing))
    tag = wheels[0].stem.rpartition("-")[2]
    suite.check(f"auditwheel says {tag}", f'platform tag: "{tag}"' in " ".join(text.split()), text[-200:])
    with tempfile.TemporaryDirectory() as folder:
        check_wheel(suite, pathlib.Path(folder), wheels[0])
        check_installation(suite, pathlib.Path(folder))
    added = sorted(map(str, sources() - before))
    suite.check("nothing is left in the sources", not added, " ".join(added))


def sources():
    return {path for path in PACKAGE.rglob("*") if "__pycache__" not in path.parts}


def check_wheel(suite, folder, wheel):
    """Installs the wheel into an empty environment and runs the example there."""
    suite.check("there is no Swift on the path", not shutil.which("swift", path=PATH))
    suite.command("an empty environment", [sys.executable, "-m", "venv", folder / "empty"])
    python = folder / "empty" / "bin" / "python"
    suite.command("installs the wheel", [python, *PIP, "install", "--no-index", wheel], env=BARE)
    run_example(suite, "from the wheel", [python, "-I"], folder)
    _, text = suite.run([python, "-I", "-c", "from streams._native.library import library; print(library._name)"], env=BARE)
    suite.check("it brings the library", str(folder / "empty") in text, text)


def check_installation(suite, folder):
    """pip finds the library that was built here, or the one that is named, or says what to do."""
    build = [PYTHON, *PIP, "install", "--no-deps", "--no-index", "--no-build-isolation", PACKAGE, "--target"]
    for name, library in {"built": "", "named": str(LIBRARY)}.items():
        env = {**BARE, "STREAMS_LIBRARY": library}
        suite.command(f"pip finds the library that was {name}", [*build, folder / name], env=env)
        start = f"import sys; sys.path.insert(0, {str(folder / name)!r}); exec(open(sys.argv[1]).read())"
        run_example(suite, f"with the library that was {name}", [sys.executable, "-I", "-c", start], folder)
    nowhere = {**BARE, "STREAMS_LIBRARY": "/nowhere/libstreams.so"}
    status, text = suite.run([*build, folder / "none"], env=nowhere)
    suite.check("without a library it says so", status and "name it in STREAMS_LIBRARY" in text, text)


def run_example(suite, name, command, folder):
    """Runs the Python program of README.md in another folder, and compares what it prints."""
    source, expected = example("python")
    program = folder / "example.py"
    program.write_text(source, encoding="utf-8")
    _, printed = suite.run([*command, program], env=BARE)
    suite.check(f"README.md's example runs {name}", printed == expected, printed)
