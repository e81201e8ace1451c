"""The plan by which a failed stream is retried."""

import ctypes
from typing import NamedTuple, Optional

from .._native import ffi_generated as ffi
from .._program.demand import as_int64
from .schedulers import Seconds, as_duration


# Annotations are evaluated here, for libraries that ask a named tuple for the types of its fields.
class Backoff(NamedTuple):
    """How often a stream that fails is retried, and how long it waits before each retry.

    >>> Backoff(retries=5)                  # after 1, 2, 4, 8 and 16 seconds
    >>> Backoff(delay=0.5, factor=1)        # for ever, after half a second each

    The numbers are checked when it is used: `retry_backoff` raises ValueError for a delay or retries below 0, a factor that
    is not above 0, and a jitter that is not from 0 to 1.
    """

    delay: Seconds = 1.0
    """How long to wait before the first retry: 0 or more."""
    retries: Optional[int] = None
    """How often to retry at most: 0 or more, or None for no limit."""
    factor: float = 2.0
    """The factor by which each wait is longer than the one before: more than 0."""
    longest_delay: Seconds = 3600.0
    """The longest wait: 0 or more."""
    jitter: float = 0.0
    """The random part of each wait, from 0 to 1, so that streams that fail together do not retry together."""


def as_backoff(backoff: object) -> ffi.streams_backoff:
    """Converts a plan for the library, which checks the numbers."""
    if not isinstance(backoff, Backoff):
        raise TypeError(f"backoff must be a Backoff, not {type(backoff).__name__}")
    plan = ffi.streams_backoff()
    plan.size = ctypes.sizeof(plan)
    plan.retries = (1 << 63) - 1 if backoff.retries is None else as_int64(backoff.retries, "retries")
    plan.delay = as_duration(backoff.delay, "backoff.delay")
    plan.longest_delay = as_duration(backoff.longest_delay, "backoff.longest_delay")
    plan.factor, plan.jitter = backoff.factor, backoff.jitter
    return plan
