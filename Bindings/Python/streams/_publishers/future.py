"""Future: a publisher of one value that is not there yet."""

from __future__ import annotations

from typing import Any, Callable, Generic

from .._native.errors import check_sent, create_error, made
from .._native.handle import Handle, as_plain
from .._native.library import library
from .._native.values import Value
from .._operators.publisher import Publisher
from .._program.types import T, T_co


class Promise(Handle, Generic[T]):
    """What a Future publishes once it is kept, at any time and from any thread. The first of all calls counts.

    When nobody holds it any more and it has not been kept, its future never ends.
    """

    def __init__(self) -> None:
        self._handle = made(library.streams_promise_create())

    def resolve(self, value: T) -> None:
        """Keeps the promise with a value."""
        with Value(value) as native:
            check_sent(library.streams_promise_resolve(self._handle, native))

    def reject(self, error: BaseException) -> None:
        """Keeps the promise with an exception, with which all subscribers fail."""
        handle = create_error(error)
        try:
            check_sent(library.streams_promise_reject(self._handle, handle))
        finally:
            library.streams_release(handle)


class Future(Publisher[T_co]):
    """Publishes one value, or fails, when a promise is kept. The function is called with the promise, at once.

    A value waits until it is demanded, a failure does not. Who subscribes later gets the same; what is kept for them, as
    an exception with the variables of the functions it went through, goes with close(). Combine's Future.

    >>> answer = Future(lambda promise: ask(promise.resolve))
    """

    def __init__(self, attempt: Callable[[Promise[T_co]], Any]) -> None:
        as_plain(attempt, "attempt")
        promise: Promise[T_co] = Promise()
        self._own(made(library.streams_promise_publisher(promise._handle)))
        attempt(promise)
