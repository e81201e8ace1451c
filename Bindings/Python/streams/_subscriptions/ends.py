"""What a stream has begun in asyncio and may end later than the stream: code that waits for the stream waits for it too."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING, Any, Callable, TypeVar

if TYPE_CHECKING:
    import concurrent.futures

T = TypeVar("T")


class Ends:
    """The ends to come of what one stream has begun, and told to end."""

    __slots__ = ("open",)

    def __init__(self) -> None:
        self.open: set[concurrent.futures.Future[None]] = set()


# Those of the stream on whose behalf this code runs. Schedulers keep context variables for the streams that they serve.
_current: ContextVar[Ends | None] = ContextVar("streams.ends", default=None)
current = _current.get


def belonging_to(ends: Ends | None, function: Callable[..., T], *arguments: Any, **named: Any) -> T:
    """Calls a function. What it begins in asyncio belongs to a stream; with None, nobody waits for it."""
    token = _current.set(ends)
    try:
        return function(*arguments, **named)
    finally:
        _current.reset(token)


def belong_to_nobody() -> None:
    """Separates a new task, which runs the user's code, and all that it begins, from the stream: nobody waits for them."""
    _current.set(None)


def announce(begun_for: Ends | None) -> concurrent.futures.Future[None] | None:
    """A future to resolve when a source has ended, if there is code that may wait for it: for the stream that the source
    was begun for, or for the one that is being cancelled."""
    waiting = [each for each in {begun_for, current()} if each is not None]
    if not waiting:
        return None
    import concurrent.futures

    end: concurrent.futures.Future[None] = concurrent.futures.Future()
    for each in waiting:
        each.open.add(end)
        end.add_done_callback(each.open.discard)
    return end
