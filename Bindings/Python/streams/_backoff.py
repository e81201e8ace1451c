"""How a stream that has failed is tried again."""

import ctypes
from typing import NamedTuple, Optional

from . import _ffi
from ._demand import as_int64
from ._schedulers import Seconds, as_nanoseconds


class Backoff(NamedTuple):
    """How often a stream that fails is tried again, and how long it waits before each time.

    >>> Backoff(retries=5)                  # after 1, 2, 4, 8 and 16 seconds
    >>> Backoff(delay=0.5, factor=1)        # for ever, after half a second each
    """

    delay: Seconds = 1.0
    """How long to wait before the first retry."""
    retries: Optional[int] = None
    """How often to try again at most; None for as often as it takes."""
    factor: float = 2.0
    """How many times as long to wait before each other retry."""
    longest_delay: Seconds = 3600.0
    """How long to wait at most."""
    jitter: float = 0.0
    """How much of each wait is left to chance, from 0 to 1, so that many that have failed together do not try again
    together."""


def as_backoff(backoff: object) -> _ffi.streams_backoff:
    """A plan as the library takes it. Whether the numbers make sense, the library judges."""
    if not isinstance(backoff, Backoff):
        raise TypeError(f"backoff must be a Backoff, not {type(backoff).__name__}")
    plan = _ffi.streams_backoff()
    plan.size = ctypes.sizeof(plan)
    plan.retries = (1 << 63) - 1 if backoff.retries is None else as_int64(backoff.retries, "retries")
    plan.delay = as_nanoseconds(backoff.delay, "delay")
    plan.longest_delay = as_nanoseconds(backoff.longest_delay, "longest_delay")
    plan.factor, plan.jitter = backoff.factor, backoff.jitter
    return plan
