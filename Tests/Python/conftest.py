"""What every test is held to: it leaves nothing behind."""

import gc
import sys

import pytest
from hypothesis import settings
from streams._native.library import library
from turns import settle

# The same examples in each run, so that what fails, fails again; others with --hypothesis-profile=fuzz.
settings.register_profile("check", deadline=None, max_examples=150, derandomize=True)
settings.register_profile("fuzz", deadline=None, max_examples=5000, print_blob=True)
settings.load_profile("check")


def pytest_collection_finish():
    """The collections of the tests go through what the tests have made, and not through all of pytest each time."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def no_leaks():
    """Every handle that a test makes is gone after it, and nothing was reported that no one asked for."""
    before = library.streams_live_handles()
    yield
    for _ in range(3):
        if library.streams_live_handles() != before:
            gc.collect()
    # Threads let go of what they have run after it has run, when a test may be over.
    assert settle(library.streams_live_handles, before) == before


@pytest.fixture
def unraisable(monkeypatch):
    """Collects what goes to sys.unraisablehook."""
    found = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: found.append(report.exc_value))
    yield found
    found.clear()


class Oops(Exception):
    """What fails in tests."""


@pytest.fixture
def error():
    """An exception to be raised by a function that a stream keeps.

    Its traceback keeps the frames of the test, and they the publisher, and that the function, and that the exception:
    a circle through the library, which Python's collector cannot see. So it is cut here.
    """
    oops = Oops("why")
    yield oops
    oops.__traceback__ = None
