"""Streams in asyncio, and in trio: `async for` over a publisher, and `await`.

The package imports this module at its first use, so asyncio is not imported before.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import sys
import threading
import weakref
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator
from typing import TYPE_CHECKING, Any, Callable, Generic, TypeVar

from .._native.errors import NoValueError, check
from .._native.failures import Failure, LostEnd, must_have_begun
from .._native.library import library
from .._program.demand import UNLIMITED, as_demand
from .._subscriptions.ends import Ends, belonging_to
from .._subscriptions.sink import Waiting
from .._subscriptions.subscription import Cancellable, Subscription

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from .._subscriptions.subscribing import Subscribing

T = TypeVar("T")


class _Inbox:
    """The received values that the loop has not taken yet.

    It does not refer to its cancellable, so the stream is cancelled when the iterator is released.
    """

    def __init__(self, room: int) -> None:
        self.loop = _running_loop()
        self.thread = threading.get_ident()
        self.ends = Ends()
        self.subscription: Subscription | None = None
        self.has_begun = False
        self.held: deque[Any] = deque()
        self.room = room
        self.portion = max(1, room // 2)
        self.open = room  # values demanded and not yet taken: the whole room at the start
        self.ended = False
        self.failure: Failure | None = None
        self.is_abandoned = False  # whether the loop was closed while a task waited
        # The future that a task awaits. The thread that removes it resolves it, so many values wake the loop once.
        self.waiters: list[asyncio.Future[None]] = []
        # The stream calls this with a value: only held.append while no task waits.
        self.receive: Any = functools.partial(self.held.append)

    def completion(self) -> Waiting:
        return Waiting(self.end, self.lose)

    def begin(self, subscription: Subscription) -> None:
        self.subscription = subscription
        self.has_begun = True
        self.wake()

    def wait(self) -> asyncio.Future[None]:
        """A future to await, unless there is something to do already. It is done when there is."""
        check(library.streams_catch_up())
        waiter: asyncio.Future[None] = self.loop.create_future()
        self.waiters.append(waiter)
        self.receive.__setstate__((self._hold_and_wake, (), {}, None))
        if self.held or self.ended or (self.subscription is not None and self.open == 0):
            _resolve(waiter)
        return waiter

    def waited(self) -> None:
        self.receive.__setstate__((self.held.append, (), {}, None))
        self.waiters.clear()

    def _hold_and_wake(self, value: Any) -> None:
        self.held.append(value)
        self.wake()

    def end(self, failure: Failure | None) -> None:
        self.failure = failure
        self.ended = True
        self.subscription = None
        try:
            self.wake()
        except RuntimeError as closed:
            raise closed from (None if failure is None else failure.error)
        if self.is_abandoned:
            self.raise_failure()  # to the library, which reports it

    def lose(self, _: Any) -> None:
        if not self.ended:
            self.end(LostEnd())

    def raise_failure(self) -> None:
        failure, self.failure = self.failure, None
        if failure is not None:
            failure.throw()

    def wake(self) -> None:
        try:
            waiter = self.waiters.pop()
        except IndexError:
            return  # no task waits, or another thread was faster
        try:
            if threading.get_ident() == self.thread:
                _resolve(waiter)
            else:
                self.loop.call_soon_threadsafe(_resolve, waiter)
        except RuntimeError:  # the loop is closed
            if not waiter.cancelled():
                self.is_abandoned = True
                raise

    def refill(self) -> None:
        """Demands as many values as there is room for, if that is at least a portion."""
        subscription = self.subscription
        missing = self.room - self.open
        if missing < self.portion:
            return
        must_have_begun(self.has_begun)
        if subscription is not None:
            self.open = self.room
            belonging_to(self.ends, subscription.request, missing)

    def portion_of_held(self) -> int:
        """How many of the held values may be taken before the next demand."""
        count = len(self.held)
        if self.subscription is not None:
            count = min(count, max(1, self.portion - (self.room - self.open)))
        self.open -= count
        return count


def _running_loop() -> Any:
    trio = sys.modules.get("trio")
    if trio is None or not trio.lowlevel.in_trio_task():
        return asyncio.get_running_loop()
    from .trio_loop import Loop

    return Loop()


def _resolve(waiter: asyncio.Future[None]) -> None:
    if not waiter.done():
        waiter.set_result(None)


class Values(AsyncIterator[T], Generic[T]):
    """The values of a publisher, for `async for`. See Publisher.values.

    >>> async with prices.values(buffer=256) as values:
    ...     async for price in values:
    ...         await store(price)
    """

    # Each iterator uses the __anext__ of an async generator: a CPython function, which takes a fraction of the time of a
    # coroutine.
    if TYPE_CHECKING:

        def __anext__(self) -> Awaitable[T]: ...
    else:
        __slots__ = ("__anext__", "__weakref__", "_inbox", "_cancellable")

    __module__ = "streams"

    def __init__(self, publisher: Subscribing[T], buffer: int) -> None:
        room = as_demand(buffer, "buffer")
        if room == 0:
            raise ValueError("buffer must be at least 1")
        self._inbox = inbox = _Inbox(room)
        self._cancellable = belonging_to(
            inbox.ends, publisher._own_sink, inbox.receive, inbox.completion(), room, inbox.begin
        )
        _set_next(self, _next_of(inbox, self._cancellable, weakref.ref(self)))

    def __aiter__(self) -> Values[T]:
        return self

    async def __aenter__(self) -> Values[T]:
        return self

    async def __aexit__(self, *_: Any) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Cancels the stream, and waits until its async generators and its calls of map_async have ended. Held values are
        dropped.

        This includes those that the stream had cancelled before, as prefix does. It does not wait for what is cancelled
        later: by a thread that is delivering at that moment, by the scheduler of subscribe_on, or when the last subscriber
        leaves something shared. Nor does it if other code began a generator or a call by sending to a subject of the
        stream, and the stream cancelled that before.
        """
        inbox = self._inbox
        inbox.held.clear()
        inbox.end(None)
        try:
            await close(self._cancellable, inbox.ends)
        finally:
            inbox.held.clear()


def _set_next(values: Values[Any], function: Callable[[], Any]) -> None:
    setattr(values, "__anext__", function)  # type checkers take it for a method


def _next_of(inbox: _Inbox, cancellable: Cancellable, owner: weakref.ref[Values[Any]]) -> Callable[[], Any]:
    """The __anext__ of a started generator that asyncio does not track, so its release needs no task."""
    generator = _taken(inbox, cancellable, owner)
    hooks = sys.get_asyncgen_hooks()
    sys.set_asyncgen_hooks(None, None)
    try:
        generator.asend(None).send(None)
    except StopIteration:
        pass
    finally:
        sys.set_asyncgen_hooks(*hooks)
    return generator.__anext__


async def _taken(inbox: _Inbox, cancellable: Cancellable, owner: weakref.ref[Values[Any]]) -> AsyncGenerator[Any, None]:
    """The values. It keeps the cancellable, since `await values.__anext__()` may keep nothing but this generator."""
    yield None  # has begun
    held = inbox.held
    take = held.popleft
    while True:
        inbox.refill()
        if held:
            try:
                for _ in itertools.repeat(None, inbox.portion_of_held()):
                    yield take()
            except IndexError:
                pass  # the values were dropped in the meantime
        elif not inbox.ended:
            waiter = inbox.wait()
            values = owner()
            usual: Any = None
            if values is not None:
                usual = values.__anext__
                _set_next(values, _refuse)
            del values
            try:
                await waiter
            except BaseException:
                # This generator and the task that waited end here. The stream goes on, if it has another owner.
                inbox.waited()
                values = owner()
                if values is not None:
                    _set_next(values, _next_of(inbox, cancellable, owner))
                del cancellable, values
                raise
            inbox.waited()
            values = owner()
            if values is not None and usual is not None:
                _set_next(values, usual)
            del usual, values
        elif not held:  # checked again: another thread may have sent values and ended since then
            break
    try:
        cancellable.close()
    finally:
        inbox.raise_failure()


def _refuse() -> Any:
    raise RuntimeError("another task is waiting for the next value already")


async def close(cancellable: Cancellable, ends: Ends) -> None:
    """Cancels a stream, and waits until its tasks and generators in asyncio have ended, even when the task is cancelled."""
    try:
        belonging_to(ends, cancellable.close)
    finally:
        if ends.open:
            loop = _running_loop()
            await (_wait(ends) if isinstance(loop, asyncio.AbstractEventLoop) else loop.wait(ends))


async def _wait(ends: Ends) -> None:
    cancelled: asyncio.CancelledError | None = None
    while left := [asyncio.wrap_future(end) for end in ends.open.copy()]:
        try:
            await asyncio.wait(left)
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        try:
            raise cancelled
        finally:
            del cancelled  # keeps it out of its own traceback


async def last_value(publisher: Subscribing[T]) -> T:
    """See Publisher.__await__."""
    last: deque[T] = deque(maxlen=1)
    inbox = _Inbox(UNLIMITED)
    cancellable = belonging_to(inbox.ends, publisher._own_sink, last.append, inbox.completion(), UNLIMITED)
    del publisher  # keeps it out of the traceback of the exception, which the publisher may keep
    try:
        if not inbox.ended:
            await inbox.wait()
    except BaseException:
        await close(cancellable, inbox.ends)
        raise
    try:
        await close(cancellable, inbox.ends)
    finally:
        inbox.raise_failure()
    if not last:
        raise NoValueError("the stream finished without a value to await")
    return last[0]
