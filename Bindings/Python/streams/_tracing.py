"""Trackers of all that is made while they are wanted."""

import sys
from typing import Any, Callable

from . import _host
from ._errors import made
from ._handle import DESTROY, WRITE
from ._library import library


def writer(to: Any, otherwise: Any) -> Any:
    """What writes to an open text file, or to what is meant if there is none."""
    if to is None:
        return otherwise
    if not callable(getattr(to, "write", None)):
        raise TypeError(f"to must be an open text file, or have a method write, and is a {type(to).__name__}")
    return to.write


def as_text(text: Any, name: str) -> bytes:
    """An argument that has to be text, as the library takes it."""
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str, not {type(text).__name__}")
    return text.encode("utf-8", "backslashreplace")


def writing(function: Any, handle: Callable[[], int], text: bytes, write: Any) -> int:
    """What a function of the library makes of a handle, of a text, and of what writes lines."""
    taken = handle()
    context = library.streams_callable_create(_host.number, write)
    return made(function(taken, text, WRITE, context, DESTROY))


def write_to_stderr(text: str) -> None:
    sys.stderr.write(text)


class Tracing:
    """Publishers are made with trackers until it stops: with the block of a `with` statement, or by stop()."""

    def stop(self) -> None:
        """Publishers that are made from now on have no trackers. Those of before keep theirs."""
        library.streams_trace_stop()

    def __enter__(self) -> "Tracing":
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()


def trace(to: Any = None) -> Tracing:
    """From now on each publisher and each subject that is made tells what happens between it and its subscribers, as
    those do that track() has made.

    The lines go to sys.stderr, or to an open text file. Each begins with what has been made, in the names of the library.
    There is one trace at a time: a second call takes the place of the first for what is made later. The environment can
    switch it on too: STREAMS_TRACE=1 for the standard error output, or the name of a file. Off, it costs nothing.

    >>> with streams.debug.trace():
    ...     ticket = Just(1).map(str).sink(print)
    """
    function = library.streams_callable_create(_host.number, writer(to, write_to_stderr))
    library.streams_trace_start(WRITE, function, DESTROY)
    return Tracing()
