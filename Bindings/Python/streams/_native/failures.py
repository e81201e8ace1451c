"""Failures on their way through a program: they are raised, handled and passed on, and collect no frames by that."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import TracebackType
from typing import Any, NoReturn

from .library import library


class Failure:
    """The failure of a stream, for raising it."""

    __slots__ = ("error", "identity", "is_over")

    def __init__(self, error: BaseException, handle: int) -> None:
        self.error = error
        # A library error may be delivered many times, each time with another handle.
        self.identity: int = library.streams_error_number(handle)
        # Whether the exception has been passed on since: those who have caught it are not part of another failure.
        self.is_over = False

    def throw(self) -> NoReturn:
        """Raises it."""
        error, self.error = self.error, Exception()  # keeps it out of its own traceback
        _throw(error, self)


class LostEnd(Failure):
    """In place of an end of which nothing could be told."""

    __slots__ = ()

    def __init__(self) -> None:
        pass

    def throw(self) -> NoReturn:
        raise RecursionError("the stream has ended where calls were nested too deep to tell how")


def must_have_begun(has_begun: bool) -> None:
    """For a stream that has sent values, and is to send more."""
    if not has_begun:
        raise RecursionError("the stream has begun where calls were nested too deep to ask it for more values")


def _throw(error: BaseException, failure: Failure) -> NoReturn:
    """Raises an exception with the traceback that it had when the stream failed: a failed stream may keep it, and would
    otherwise collect the frames of every call that raised it."""
    before = error.__traceback__
    for thrown, inner in _thrown(error):
        if thrown.is_over or (thrown.identity and thrown.identity == failure.identity):
            before = inner
    try:
        raise error.with_traceback(before)
    finally:
        del error


def _thrown(error: BaseException) -> Iterator[tuple[Failure, TracebackType | None]]:
    """The failures that have raised an exception, each with the traceback that it had before."""
    traceback = error.__traceback__
    while traceback is not None:
        frame, traceback = traceback.tb_frame, traceback.tb_next
        failure = frame.f_locals.get("failure") if frame.f_code is _throw.__code__ else None
        if failure is not None:
            yield failure, traceback


class Handling:
    """Lets a function raise the error that was passed to it, or make a publisher that fails with it: it is the same failure,
    and keeps its traceback, without the frames of that function, which would keep the stream that failed."""

    __slots__ = ("error", "handle", "outer", "traceback")

    def __init__(self, error: Exception, handle: int) -> None:
        self.error, self.handle = error, handle
        self.traceback = error.__traceback__

    def __enter__(self) -> None:
        self.outer, _running.handling = _running.handling, self

    def __exit__(self, _: Any, raised: BaseException | None, __: Any) -> bool:
        _running.handling = self.outer
        if raised is not self.error:
            return False
        self.error.with_traceback(self.traceback)
        return True


class _Running(threading.local):
    handling: Handling | None = None


_running = _Running()


def passed_on(error: BaseException) -> int:
    """Notes that a program passes an exception to a stream. Returns the handle that the running handler has got with it, or
    else 0."""
    handling = _running.handling
    if handling is not None and error is handling.error:
        return handling.handle
    for failure, _ in _thrown(error):
        failure.is_over = True
    return 0
