"""Traces: trackers of everything that is made while a trace is on; and what else watches streams."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable

from .._program.chains import Step
from . import host
from .errors import check, made
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


# ---- The list, the trace file and the warnings -------------------------------------------------------------------


# What the environment switches on, as the library reads it: it stays on.
_warns_from_the_start = os.environ.get("STREAMS_WARN") == "drops"
_lists_from_the_start = os.environ.get("STREAMS_WATCH", "") not in ("", "0")


class Labels:
    """Tells the library what publishers are called and where they were made, while something shows it."""

    are_shown = _warns_from_the_start or _lists_from_the_start or os.environ.get("STREAMS_TRACE", "").endswith(".json")

    @staticmethod
    def give(handle: int, step: Step | None) -> None:
        """Names the publisher of a step."""
        if step is not None and step.name:
            place = str(step.place).encode("utf-8", "backslashreplace") if step.place else None
            library.streams_label(handle, step.labeled().encode("utf-8", "backslashreplace"), place)


class Watching:
    """Something that watches streams until stop(), or the end of a `with` block."""

    _running: dict[Any, list[Watching]] = {}

    def __init__(self, start: Callable[[], Any], end: Any) -> None:
        self._start, self._end = start, end
        start()
        self._running.setdefault(end, []).append(self)
        Labels.are_shown = True

    def stop(self) -> None:
        """Ends it, unless another of its kind is running, or the environment has switched it on. A trace file that began
        earlier and has not been stopped is not continued."""
        running = self._running.get(self._end, [])
        if self in running:
            was_last = self is running[-1]
            running.remove(self)
            if not running or was_last and self._end is _end_file:
                self._end()

    def __enter__(self) -> Watching:
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()


def _end_file() -> None:
    check(library.streams_trace_to_file(None))


def _end_list() -> None:
    library.streams_watch_streams(_lists_from_the_start)


def _end_warnings() -> None:
    library.streams_warn_about_drops(_warns_from_the_start)


def trace_file(path: str | os.PathLike[str]) -> Watching:
    """Writes what happens in the streams of everything that is made from now on to a file that Perfetto
    (ui.perfetto.dev), chrome://tracing and `python -m streams view` show.

    Each publisher is a track, named as repr() names it; calls are slices, which nest as the calls did; demand and what
    waits in buffers are counters; drops, cancellations and failures are marked, and arrows lead over receive_on and delay.
    A value takes about ten microseconds for each publisher on its way. STREAMS_TRACE=run.json does it without a change to
    the program. A file that exists is replaced.

    >>> with streams.debug.trace_file("run.json"):
    ...     cancellable = Just(1).map(str).sink(print)
    """
    name = os.fsencode(path)

    def start() -> None:
        if b"\0" in name:
            raise ValueError("embedded null byte in the path of a trace")
        if library.streams_trace_to_file(name):
            open(path, "a").close()  # raises what is wrong with the path
            raise OSError(f"the trace {library.streams_last_message().decode(errors='replace')}: {path!r}")

    return Watching(start, _end_file)


def watch() -> Watching:
    """Lists the streams of everything that is made from now on in streams.debug.streams(). Values then pass one at a time.
    STREAMS_WATCH=1 does it without a change to the program.

    >>> streams.debug.watch()
    """
    return Watching(lambda: library.streams_watch_streams(True), _end_list)


def warn_about_drops() -> Watching:
    """Says on the standard error output where values are dropped for lack of demand or room: a line the first time that
    a place drops, for everything that is made from now on. It costs nothing for each value. STREAMS_WARN=drops does it
    without a change to the program.

    >>> streams.debug.warn_about_drops()
    """
    return Watching(lambda: library.streams_warn_about_drops(True), _end_warnings)
