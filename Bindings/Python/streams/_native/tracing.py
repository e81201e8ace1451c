"""Traces: trackers of everything that is made while a trace is on."""

from __future__ import annotations

import sys
from typing import Any, Callable

from . import host
from .errors import made
from .handle import DESTROY, WRITE
from .library import library


def writer(to: Any, otherwise: Any) -> Any:
    """The write function of an open text file, or the default if there is none."""
    if to is None:
        return otherwise
    if not callable(getattr(to, "write", None)):
        raise TypeError(f"to must be an open text file, or have a method write, unlike {type(to).__name__}")
    return to.write


def as_text(text: Any, name: str) -> bytes:
    """Converts an argument that must be text for the library."""
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a str, not {type(text).__name__}")
    if "\0" in text:
        raise ValueError(f"{name} must not contain NUL, where a text ends for C")
    return text.encode("utf-8", "backslashreplace")


def as_label(text: Any) -> bytes:
    """Converts the label that begins each line of a tracker."""
    if isinstance(text, str) and len(text.splitlines()) > 1 or text in ("\n", "\r"):
        raise ValueError("label must be one line")
    return as_text(text, "label")


def writing(function: Any, handle: Callable[[], int], text: bytes, write: Any) -> int:
    """The handle that a library function makes of a handle, a text and a function that writes lines."""
    taken = handle()
    context = library.streams_callable_create(host.number, write)
    return made(function(taken, text, WRITE, context, DESTROY))


def write_to_stderr(text: str) -> None:
    sys.stderr.write(text)


_running: list[Tracing] = []  # only the last one writes


class Tracing:
    """A trace: publishers are made with trackers until it stops, at the end of a `with` block or by stop()."""

    def __init__(self, write: Any) -> None:
        self._write = write
        _running.append(self)
        self._start()

    def _start(self) -> None:
        function = library.streams_callable_create(host.number, self._write)
        library.streams_trace_start(WRITE, function, DESTROY)

    def stop(self) -> None:
        """From now on, new publishers have no trackers, or those of the trace that was running when this one started.
        Existing publishers keep theirs."""
        if self not in _running:
            return
        was_last = self is _running[-1]
        _running.remove(self)
        if was_last and _running:
            _running[-1]._start()
        elif was_last:
            library.streams_trace_stop()

    def __enter__(self) -> Tracing:
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()


def trace(to: Any = None) -> Tracing:
    """From now on, each publisher and each subject that is made writes a line for each call between it and its subscribers,
    as with track().

    The lines go to sys.stderr, or to an open text file. Each begins with the library's name for the publisher. One trace
    writes at a time, the latest; when it stops the one before continues. An environment variable can switch it on too:
    STREAMS_TRACE=1 for the standard error output, or the name of a file, until the first trace() here. Without a trace
    there is no cost.

    >>> with streams.debug.trace():
    ...     cancellable = Just(1).map(str).sink(print)
    """
    return Tracing(writer(to, write_to_stderr))
