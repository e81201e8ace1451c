"""Suites of Python tests."""

import os
import shlex
import xml.etree.ElementTree

from .settings import PYTHON


def options(report):
    """What pytest is told: nothing that goes wrong aside is overlooked."""
    told = ["-q", "-ra", "--strict-markers", "--timeout=300", "-p", "no:cacheprovider", f"--junitxml={report}"]
    told += ["-o", "asyncio_mode=auto", "-o", "asyncio_default_fixture_loop_scope=function"]
    told += ["-W", "error::pytest.PytestUnraisableExceptionWarning"]
    return [*told, "-W", "error::pytest.PytestUnhandledThreadExceptionWarning"]


# What is run without docstrings too, and on other versions: a bit of everything, in a few seconds.
SOME = ["subjects", "operators", "observable", "binding", "property", "iterate", "errors"]

# What builds with SwiftPM, and is run among what does: the suite of the examples.
IN_SWIFT = ["Tests/Python/test_readme.py::test_swift"]
# What `make check-long` runs with what else it runs under valgrind.
UNDER_VALGRIND = ["Tests/Python/test_guides.py::test_program_under_valgrind"]


def run_tests(suite, *paths, mode=("-X", "dev"), where="", at_once=1, environment=None):
    """Runs Python tests in Python's development mode, if in no other, and counts them. Some may run at once."""
    report = suite.path.with_suffix(".xml")
    report.unlink(missing_ok=True)
    python = [PYTHON, *mode]
    # What is in the same group of pytest-xdist's runs one after another.
    workers = ["--dist=loadgroup", f"--tx={at_once}*popen//python={shlex.join(python)}"] if at_once > 1 else []
    command = [*python, "-m", "pytest", *options(report), *workers, "--durations=30", *paths]
    status, _ = suite.run(command, timeout=1800, env=environment or {})
    count(suite, report, status, where)


def count(suite, report, status, where=""):
    """Counts the tests in pytest's report."""
    if not report.exists():
        suite.check(f"{where}pytest", False, f"exit status {status}")
        return
    failed, skipped, total = [], 0, 0
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        total += 1
        if case.find("failure") is not None or case.find("error") is not None:
            failed.append(f"{where}{case.get('classname')}::{case.get('name')}")
        elif case.find("skipped") is not None:
            skipped += 1
    suite.add(total - len(failed) - skipped, len(failed), skipped, failed, status, f"{where}pytest")


def suite_python(suite):
    """Tests/Python with pytest."""
    if suite.needs("Bindings/Python/streams", "Tests/Python"):
        elsewhere = [f"--deselect={each}" for each in IN_SWIFT + UNDER_VALGRIND]
        elsewhere.append("--ignore=Tests/Python/nats")  # of the suite nats
        run_tests(suite, "Tests/Python", *elsewhere, at_once=os.cpu_count())
        some = [f"Tests/Python/test_{name}.py" for name in SOME]
        run_tests(suite, *some, mode=["-OO"], where="python -OO: ")


def suite_bindings(suite):
    """Python's declarations are those of the header."""
    if suite.needs("Tools/python_declarations.py"):
        suite.command("declarations are fresh", [PYTHON, "Tools/python_declarations.py", "--check"])
