"""Future: a publisher of one value that comes later."""

from __future__ import annotations

from typing import Any, Callable, Generic

from .._native.errors import check_sent, create_error, made
from .._native.handle import Handle, as_plain
from .._native.library import library
from .._native.values import Value
from .._operators.publisher import Publisher
from .._program.types import T, T_co


class Promise(Handle, Generic[T]):
    """Resolves or rejects a Future, at any time and from any thread. Only the first call counts.

    If it is released without a call, its future never ends.
    """

    def __init__(self) -> None:
        self._handle = made(library.streams_promise_create())

    def resolve(self, value: T) -> None:
        """Resolves the future with a value."""
        with Value(value) as native:
            check_sent(library.streams_promise_resolve(self._handle, native))

    def reject(self, error: BaseException) -> None:
        """Fails the future, and all its subscribers, with an exception."""
        handle = create_error(error)
        try:
            check_sent(library.streams_promise_reject(self._handle, handle))
        finally:
            library.streams_release(handle)


class Future(Publisher[T_co]):
    """Publishes one value, or fails, when its promise is resolved or rejected. The function is called with the promise
    immediately.

    A value waits until it is demanded, a failure does not. Later subscribers get the same outcome; it is kept for them
    until close(), also an exception with the variables of the functions it went through. Combine's Future.

    >>> answer = Future(lambda promise: ask(promise.resolve))
    """

    def __init__(self, attempt: Callable[[Promise[T_co]], Any]) -> None:
        as_plain(attempt, "attempt")
        promise: Promise[T_co] = Promise()
        self._own(made(library.streams_promise_publisher(promise._handle)))
        attempt(promise)
