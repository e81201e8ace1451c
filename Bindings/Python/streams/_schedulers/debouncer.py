"""Debounce and throttle without streams."""

from __future__ import annotations

import weakref
from typing import Any, Callable

from .._native.errors import check, made
from .._native.handle import ACTION, DESTROY
from .._native.library import library
from .._program.escapes import pending, raise_pending
from .schedulers import Scheduler, Seconds, as_duration, as_scheduler
from .waiting import Waiting


class _Limiter(Waiting):
    """The common base of Debouncer and Throttler. With `with`, it is closed at the end of the block."""

    # A weak dictionary, since the library drops most of the functions.
    _new_waiting = weakref.WeakKeyDictionary
    _library_execute: Any = None

    def execute(self, function: Callable[[], Any]) -> None:
        """Has `function` called on the scheduler, unless another one replaces it. Any thread may call this. An exception in
        `function` goes to sys.unraisablehook."""
        context = self._keep(function).context()
        check(type(self)._library_execute(self._handle, ACTION, context, DESTROY))
        if pending:  # an ImmediateScheduler has run it
            raise_pending()


class Debouncer(_Limiter):
    """Runs the last of several functions that come in quick succession, when no other has come for `due_time`.

    When it is closed or released, the function that waits is dropped.

    >>> redraw = Debouncer(0.4, loop)
    >>> redraw.execute(view.draw)
    """

    _library_execute = library.streams_debouncer_execute

    def __new__(cls, due_time: Seconds, scheduler: Scheduler) -> Any:
        time, handle = as_duration(due_time, "due_time"), as_scheduler(scheduler)
        return cls._adopt(made(library.streams_debouncer_create(time, handle)))


class Throttler(_Limiter):
    """Runs the first function immediately, and later ones at most once in each `interval`.

    Of the functions that come within `interval` after one has run, it runs the latest or the first at the end of the
    interval. When it is closed or released, the function that waits is dropped.

    >>> save = Throttler(10, loop)
    >>> save.execute(document.write)
    """

    _library_execute = library.streams_throttler_execute

    def __new__(cls, interval: Seconds, scheduler: Scheduler, latest: bool = True) -> Any:
        time, handle = as_duration(interval, "interval"), as_scheduler(scheduler)
        return cls._adopt(made(library.streams_throttler_create(time, handle, bool(latest))))
