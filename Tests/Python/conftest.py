"""What every test is held to: it leaves nothing behind."""

import gc
import sys

import pytest
from hypothesis import HealthCheck, settings
from streams._native.library import library
from turns import settle

# The same examples in each run, so that what fails, fails again; others with --hypothesis-profile=fuzz.
# How long one takes says nothing.
slowly = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("check", slowly, max_examples=150, derandomize=True)
settings.register_profile("fuzz", slowly, max_examples=5000, print_blob=True)
settings.load_profile("check")


def pytest_collection_finish():
    """The collections of the tests go through what the tests have made, and not through all of pytest each time."""
    gc.collect()
    gc.freeze()


class Handles:
    """The live handles."""

    left = 0  # by the tests before

    @staticmethod
    def once_collected(expected):
        """How many there are, without those that the collector frees, which need not be asked if there are as many as
        expected."""
        for _ in range(3):
            if library.streams_live_handles() != expected:
                gc.collect()
        return library.streams_live_handles()


@pytest.fixture(autouse=True)
def no_leaks():
    """Every handle that a test makes is gone after it, and nothing was reported that no one asked for."""
    # A test that has failed, or is not held to this, may have left some, which are freed at any time unless it is now.
    before = Handles.once_collected(Handles.left)
    yield
    Handles.once_collected(before)
    # Threads let go of what they have run after it has run, when a test may be over.
    Handles.left = settle(library.streams_live_handles, before)
    assert Handles.left == before


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
