"""Demand: how many values a subscriber can take."""

import operator
from typing import Any, Final

UNLIMITED: Final = 9223372036854775807
"""As much as there is. Demand adds up; from this number on it counts as unlimited and stays so."""


class Demand:
    """The names of the two demands that are no plain number.

    >>> publisher.sink(print, demand=Demand.UNLIMITED)
    """

    NONE: Final = 0
    UNLIMITED: Final = UNLIMITED


def as_demand(count: Any, name: str = "demand") -> int:
    """Checks a demand: an integer that is not negative. Everything from UNLIMITED on is the same."""
    return min(as_count(count, name), UNLIMITED)


def as_count(count: Any, name: str) -> int:
    """Checks a number of values: an integer that is not negative."""
    try:
        number = operator.index(count)
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {type(count).__name__}") from None
    if number < 0:
        raise ValueError(f"{name} must not be negative, and is {number}")
    return number
