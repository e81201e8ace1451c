"""What every test is held to: it leaves nothing behind."""

import gc
import sys

import pytest
from streams._library import library


@pytest.fixture(autouse=True)
def no_leaks():
    """Every handle that a test makes is gone after it, and nothing was reported that no one asked for."""
    before = library.streams_live_handles()
    yield
    for _ in range(3):
        gc.collect()
    assert library.streams_live_handles() == before


@pytest.fixture
def unraisable(monkeypatch):
    """Collects what goes to sys.unraisablehook."""
    found = []
    monkeypatch.setattr(sys, "unraisablehook", lambda report: found.append(report.exc_value))
    return found
