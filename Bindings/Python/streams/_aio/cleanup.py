"""The tasks that a cancellation ends later, in asyncio, so that the code that cancels can wait for them."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Generator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import concurrent.futures


class _Cancelling(threading.local):
    ends: list[concurrent.futures.Future[None]] | None = None


_cancelling = _Cancelling()


@contextlib.contextmanager
def gathered() -> Generator[list[concurrent.futures.Future[None]], None, None]:
    """Collects the ends that are announced on this thread during the block."""
    outer, _cancelling.ends = _cancelling.ends, []
    try:
        yield _cancelling.ends
    finally:
        _cancelling.ends = outer


def announce() -> concurrent.futures.Future[None] | None:
    """A future to resolve when a source has ended, if there is code that will wait for it."""
    if _cancelling.ends is None:
        return None
    import concurrent.futures

    end: concurrent.futures.Future[None] = concurrent.futures.Future()
    _cancelling.ends.append(end)
    return end
