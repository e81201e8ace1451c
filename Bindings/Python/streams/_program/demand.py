"""Demand: how many values a subscriber can take."""

from __future__ import annotations

import operator
from collections.abc import Awaitable
from types import CoroutineType
from typing import Any, Final

from .texts import text_of


class _Unlimited(int):
    """A number whose repr is its name."""

    __module__ = "streams"  # where unpickling finds it

    def __repr__(self) -> str:
        return "UNLIMITED"

    def __reduce__(self) -> str:
        return "UNLIMITED"


UNLIMITED: Final[int] = _Unlimited(9223372036854775807)
"""Demand without limit. Demand adds up; from this number on it counts as unlimited and stays so."""


class Demand:
    """The named demands.

    >>> publisher.sink(print, demand=Demand.UNLIMITED)
    """

    NONE: Final = 0
    UNLIMITED: Final[int] = UNLIMITED


def returned_demand(result: Any) -> int:
    """The demand in a result of a sink's function that the library cannot read; mostly raises an exception."""
    if isinstance(result, Awaitable):
        if isinstance(result, CoroutineType):
            result.close()
        raise TypeError(
            "a sink's function returned a coroutine, which a sink does not await: give the sink a plain function, which may "
            "call asyncio.create_task, use map_async, or receive the values with `async for`"
        )
    try:
        number = operator.index(result)
    except TypeError:
        shown = text_of(result)
        shown = shown if len(shown) <= 40 else shown[:37] + "..."
        raise TypeError(
            f"a sink's function returned {shown}, of type {type(result).__name__}: it must return None, or an integer, "
            "how many more values to demand"
        ) from None
    if number < 0:
        raise ValueError(
            f"a sink's function returned the demand {number}: it must return None, or how many more values to demand; "
            "demand that was made cannot be taken back"
        )
    return min(number, UNLIMITED)


def as_demand(count: Any, name: str = "demand") -> int:
    """Checks a demand: an integer that is not negative. Every number from UNLIMITED on is UNLIMITED."""
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


def as_int64(count: Any, name: str) -> int:
    """A count of 64 bits, whose range the library checks."""
    return min(as_count(count, name), UNLIMITED)
