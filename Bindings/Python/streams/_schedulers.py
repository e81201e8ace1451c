"""Schedulers: when and where operators do what they do later."""

import datetime
import math
from typing import Union

from ._errors import check, made
from ._handle import Handle
from ._library import library

Seconds = Union[float, datetime.timedelta]
"""A length of time: a number of seconds, or a timedelta."""

_LIMIT = (1 << 63) - 1


class Scheduler(Handle):
    """Where and when operators do what they do later. There is one kind so far: VirtualTimeScheduler."""

    def __init__(self) -> None:
        raise TypeError("a Scheduler is made by its kind: VirtualTimeScheduler()")

    @property
    def now(self) -> float:
        """How many seconds of the scheduler's time have passed; while something runs, the moment when it was due, unless
        more time has passed since then."""
        return self.nanoseconds / 1e9

    @property
    def nanoseconds(self) -> int:
        """The same in whole nanoseconds, in which the scheduler counts."""
        library.streams_clear_last_error()
        found: int = library.streams_scheduler_now(self._handle)
        if not found:
            check(library.streams_last_status())
        return found


class VirtualTimeScheduler(Scheduler):
    """A scheduler whose time passes only when it is told to: for tests, which then take none.

    What is due runs inside `advance`, in the order in which it is due. Keep the scheduler: when it is closed or let go of,
    its time stands still for ever, and what waits for it never comes.

    >>> scheduler = VirtualTimeScheduler()
    >>> ticket = typed.debounce(0.3, scheduler).sink(print)
    >>> typed.send("a")
    >>> scheduler.advance(0.3)
    a
    """

    def __init__(self) -> None:
        self._handle = made(library.streams_virtual_scheduler_create())
        self._owned = True

    def advance(self, time: Seconds = 0) -> None:
        """Lets time pass, and runs all that is due on the way; without a time, what is due already.

        Streams that feed each other while no time passes end in a StatusLimitError, after a million rounds.
        """
        check(library.streams_virtual_scheduler_advance(self._handle, as_nanoseconds(time, "time")))


def as_nanoseconds(time: Seconds, name: str) -> int:
    """A length of time as the library counts it. Whether it may be negative, the library judges."""
    if isinstance(time, datetime.timedelta):
        microseconds = time // datetime.timedelta(microseconds=1)
        nanoseconds = microseconds * 1000
    elif isinstance(time, bool) or not isinstance(time, (int, float)):
        raise TypeError(f"{name} must be a number of seconds or a timedelta, not {type(time).__name__}")
    elif isinstance(time, int):
        nanoseconds = time * 1_000_000_000
    elif math.isfinite(time):
        nanoseconds = round(max(-1e19, min(time * 1e9, 1e19)))
    else:
        raise ValueError(f"{name} is {time}, and must be a number of seconds")
    return max(-_LIMIT, min(nanoseconds, _LIMIT))


def as_scheduler(scheduler: object) -> int:
    """The handle of an argument that has to be a scheduler."""
    if not isinstance(scheduler, Scheduler):
        raise TypeError(f"scheduler must be a Scheduler, not {type(scheduler).__name__}")
    return scheduler._handle
