"""Calls that run a stream and wait for its values: `for`, list(), first_value() and run()."""

from __future__ import annotations

import functools
import threading
import time
import weakref
from _queue import Empty, SimpleQueue  # of CPython, as this package; queue imports more
from collections import deque
from collections.abc import Generator
from itertools import repeat, starmap
from typing import Any, Callable, TypeVar

from .._native.errors import NoValueError, check, made
from .._native.failures import Failure, LostEnd, must_have_begun
from .._native.library import library
from .._program.demand import UNLIMITED
from .._schedulers.schedulers import EventLoop, Seconds, as_duration
from .._subscriptions.sink import Waiting
from .._subscriptions.subscribing import Subscribing
from .._subscriptions.subscription import Cancellable, Subscription

T = TypeVar("T")

_LONG = 3600.0


class _End:
    """The last item that is received. No user's value can equal it."""

    __slots__ = ("failure",)

    def __init__(self, failure: Failure | None) -> None:
        self.failure = failure

    def raise_error(self) -> None:
        if self.failure is not None:
            self.failure.throw()


_LOST = _End(LostEnd())

# How many values `for`, list() and `async for` demand by default. A larger number would hardly be faster, a sender can be
# this far ahead before it loses values, and a generator does little work before its reader needs it. Reactor's toIterable
# has the same default.
BUFFER = 256


def _nothing() -> None:
    pass


class _Mailbox:
    """A queue to which a stream adds its values, on any thread, and from which one thread takes them.

    A SimpleQueue waits without the interpreter's lock, and Ctrl-C ends the wait. If a loop must run during the wait, the
    loop does the waiting.
    """

    def __init__(self, loop: EventLoop | None, timeout: Seconds | None) -> None:
        if loop is not None and not isinstance(loop, EventLoop):
            raise TypeError(f"loop must be an EventLoop, not {type(loop).__name__}")
        seconds = None if timeout is None else as_duration(timeout, "timeout") / 1e9
        self.queue: SimpleQueue[Any] = SimpleQueue()
        self.loop = loop
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.thread = threading.get_ident()
        self.subscription: Subscription | None = None
        self.has_begun = False

    def completion(self) -> Waiting:
        # The second calls no Python function, for which there may be no room. If the end came before, nobody takes its item.
        return Waiting(self.end, functools.partial(self.queue.put, _LOST))

    def receiver(self) -> Callable[[Any], None]:
        return self.queue.put if self.loop is None else self.put

    def put(self, value: Any) -> None:
        self.queue.put(value)
        if self.loop is not None and threading.get_ident() != self.thread:
            self.loop.schedule(_nothing)  # which wakes it

    def begin(self, subscription: Subscription) -> None:
        self.subscription = subscription
        self.has_begun = True

    def end(self, failure: Failure | None) -> None:
        self.subscription = None
        self.put(_End(failure))

    def catch_up(self) -> None:
        """Lets what calls around this one would do later be done now, before a wait for it."""
        if self.queue.empty():
            check(library.streams_catch_up())

    def request(self, count: int) -> None:
        """Demands more values, unless the stream has ended."""
        must_have_begun(self.has_begun)
        subscription = self.subscription
        if subscription is not None:
            subscription.request(count)
            self.catch_up()

    def take(self) -> Any:
        """Returns the next item; waits for it, until the deadline."""
        self.catch_up()
        if self.loop is None and self.deadline is None:
            return self.queue.get()
        while True:
            left = _LONG if self.deadline is None else self.deadline - time.monotonic()
            try:
                if self.loop is None:
                    return self.queue.get(timeout=max(0.0, min(left, _LONG)))
                return self.queue.get_nowait()
            except Empty:
                if left <= 0:
                    raise self._overdue() from None
            if self.loop is not None:
                self.loop.run_once(min(left, _LONG))
                self.catch_up()

    def check_time(self) -> None:
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise self._overdue()

    def _overdue(self) -> TimeoutError:
        hint = "" if self.loop is not None else "; if it waits for an EventLoop, pass that as loop=, so that it runs"
        return TimeoutError(f"the stream has taken longer than its timeout{hint}")


class Room:
    """The size of an iterator's buffer, which can change until it begins."""

    __slots__ = ("__weakref__", "count", "publisher")

    def __init__(self, publisher: Subscribing[Any], count: int) -> None:
        self.publisher = publisher
        self.count = count


class _Latest(threading.local):
    room: Callable[[], Room | None] = _nothing


_latest = _Latest()


def begin(publisher: Subscribing[T]) -> Generator[T, None, None]:
    """See Publisher.__iter__."""
    room = Room(publisher, BUFFER)
    _latest.room = weakref.ref(room)
    return iterate(room, None)


def all_are_wanted(publisher: Subscribing[Any]) -> None:
    """Makes the iterator that this thread has just made of a publisher demand everything from the start."""
    room = _latest.room()
    if room is not None and room.publisher is publisher:
        room.count = UNLIMITED


def _end(cancellable: Cancellable, item: Any) -> None:
    """Cancels, and raises the failure of the stream, also if a filter makes an exception of the warning of dropped
    values."""
    try:
        cancellable.close()
    finally:
        if type(item) is _End:
            item.raise_error()


# The traceback of an exception raised below must not refer to the publisher by a frame's variables: a publisher may keep
# its failure, and Python's collector would not see the cycle.


def iterate(room: Room, loop: EventLoop | None) -> Generator[Any, None, None]:
    """See Publisher.iterate. The stream is cancelled when the generator is closed, since only the generator has the
    cancellable."""
    box = _Mailbox(loop, None)
    publisher, count = room.publisher, room.count
    del room
    cancellable = publisher.sink(box.receiver(), box.completion(), demand=count, subscription=box.begin)
    del publisher
    portion = left = max(1, count // 2)
    take, have_come = box.take if loop is not None else box.queue.get, box.queue.qsize
    try:
        box.catch_up()
        while True:
            ready = min(have_come(), left) or 1
            for item in starmap(take, repeat((), ready)):  # in less time than a call for each
                if type(item) is _End:
                    break
                yield item
                del item
            else:
                left -= ready
                if left == 0:
                    left = portion
                    box.request(portion)
                continue
            break
    except BaseException:
        cancellable.close()
        raise
    _end(cancellable, item)


def _taken(cancellable: Cancellable, box: _Mailbox) -> Any:
    try:
        return box.take()
    except BaseException:
        cancellable.close()
        raise


def first_value(publisher: Subscribing[T], timeout: Seconds | None, loop: EventLoop | None) -> Callable[[], T]:
    """See Publisher.first_value. The result returns the value, or raises."""
    box = _Mailbox(loop, timeout)
    kind: type[Subscribing[T]] = Subscribing
    first = kind._adopt(made(library.streams_prefix(publisher._take(), 1)))
    first._step = publisher._step
    cancellable = first.sink(box.receiver(), box.completion(), demand=1)
    del first, publisher
    item = _taken(cancellable, box)

    def found() -> T:
        cancellable._leave()  # nobody wants the values that were dropped
        if type(item) is _End:
            item.raise_error()
            raise NoValueError("the stream finished without a value")
        value: T = item
        return value

    return found


def run(publisher: Subscribing[T], timeout: Seconds | None, loop: EventLoop | None) -> Callable[[], T | None]:
    """See Publisher.run. The result returns the value, or raises."""
    box = _Mailbox(loop, timeout)
    last: deque[T] = deque(maxlen=1)
    keep = last.append

    def receive(value: T) -> None:
        keep(value)
        box.check_time()

    cancellable = publisher.sink(keep if timeout is None else receive, box.completion(), demand=UNLIMITED)
    del publisher
    item = _taken(cancellable, box)

    def found() -> T | None:
        _end(cancellable, item)
        return last[0] if last else None

    return found
