"""Streams and asyncio: `async for` over a publisher, and async generators as publishers."""

import asyncio
import threading
from collections import deque
from typing import TYPE_CHECKING, Any, AsyncIterator, Deque, Generic, Optional, TypeVar

from ._demand import as_count
from ._subscription import Subscription

if TYPE_CHECKING:
    from ._publisher import Publisher

T = TypeVar("T")


class _Inbox:
    """What a subscriber has received and nobody has taken yet.

    It does not know its ticket: so the stream is cancelled when the iterator is let go of.
    """

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.thread = threading.get_ident()
        self.subscription: Optional[Subscription] = None
        self.held: Deque[Any] = deque()
        self.received = 0
        self.ended = False
        self.error: Optional[BaseException] = None
        self.waiter: "Optional[asyncio.Future[None]]" = None

    def begin(self, subscription: Subscription) -> None:
        self.subscription = subscription

    def receive(self, value: Any) -> None:
        self.held.append(value)
        self.received += 1
        self.wake()

    def end(self, error: Optional[BaseException]) -> None:
        self.error = error
        self.ended = True
        self.subscription = None
        self.wake()

    def wake(self) -> None:
        if threading.get_ident() == self.thread:
            self._wake()
            return
        try:
            self.loop.call_soon_threadsafe(self._wake)
        except RuntimeError:
            pass  # the loop is closed, and so nobody waits

    def _wake(self) -> None:
        if self.waiter is not None and not self.waiter.done():
            self.waiter.set_result(None)


class Values(AsyncIterator[T], Generic[T]):
    """The values of a publisher, for `async for`. See Publisher.values."""

    def __init__(self, publisher: "Publisher[T]", buffer: int) -> None:
        self._room = as_count(buffer, "buffer")
        if self._room == 0:
            raise ValueError("buffer must be at least 1")
        self._inbox = inbox = _Inbox()
        self._requested = 0
        self._ticket = publisher.sink(inbox.receive, inbox.end, demand=0, subscription=inbox.begin)

    def __aiter__(self) -> "Values[T]":
        return self

    async def __anext__(self) -> T:
        inbox = self._inbox
        if inbox.waiter is not None:
            raise RuntimeError("another task is waiting for the next value already")
        self._fill()
        while not inbox.held:
            if inbox.ended:
                self._ticket.close()
                error, inbox.error = inbox.error, None
                if error is None:
                    raise StopAsyncIteration
                try:
                    raise error
                finally:
                    del error
            inbox.waiter = inbox.loop.create_future()
            try:
                await inbox.waiter
            finally:
                inbox.waiter = None
        value: T = inbox.held.popleft()
        return value

    def _fill(self) -> None:
        """Demands as many values as there is room for."""
        inbox = self._inbox
        subscription = inbox.subscription
        missing = self._room - len(inbox.held) - (self._requested - inbox.received)
        if subscription is not None and missing > 0:
            self._requested += missing
            subscription.request(missing)

    async def aclose(self) -> None:
        """Cancels the stream. What is held is dropped."""
        self._ticket.close()
        self._inbox.held.clear()
        self._inbox.end(None)
