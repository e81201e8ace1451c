"""The suite of `make soak`: the tests in which threads race, over and over."""

import os

from . import c, python, swift

RACING_PYTHON = ["test_asyncio.py", "test_errors.py", "test_shutdown.py", "test_threads.py"]


def suite_soak(suite):
    """All of Swift's and C's tests and the racing ones of Python's, ROUNDS times: what seldom happens gets a chance."""
    rounds = int(os.environ.get("ROUNDS") or 20)
    flags = swift.build_tests(suite, ".build-test")
    programs = list(c.programs(suite))
    for number in range(1, rounds + 1):
        suite.say(f"\n==== round {number} of {rounds}")
        if flags:
            swift.run_tests(suite, flags)
        for name, program in programs:
            c.run_program(suite, name, program)
        python.run_tests(suite, *(f"Tests/Python/{name}" for name in RACING_PYTHON))
