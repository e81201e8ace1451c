"""Functions that raise an exception, and keep it. Files that use them import the fixture `cut`."""

import pytest

RAISED = []


@pytest.fixture(autouse=True)
def cut():
    """Cuts the circles of exceptions that a stream's function raises and keeps; see the fixture `error`."""
    yield
    for error in RAISED:
        error.__traceback__ = None
    RAISED.clear()


def raiser(error):
    """A function that raises an exception."""
    RAISED.append(error)

    def raise_it(*_):
        raise error

    return raise_it
