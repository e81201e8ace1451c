"""Schedulers made of what a program has already."""

from __future__ import annotations

import math
import threading
import weakref
from time import monotonic
from typing import TYPE_CHECKING, Any, Callable, Protocol

from .._native import ffi_generated as ffi
from .._native import host
from .._native.errors import ClosedError, Status, check, create_error
from .._native.library import library
from .schedulers import Scheduler, SerialQueue

if TYPE_CHECKING:
    import concurrent.futures


class Clock(Protocol):
    """What a CustomScheduler is made of. Any thread may call the methods, also several at once."""

    def now(self) -> float:
        """The present moment, in seconds."""
        ...

    def schedule(self, time: float, action: Callable[[], None]) -> Any:
        """Has `action` called once at `time`, or as soon as can be if that has passed, but not from within this call;
        actions of one time in the order in which they came. To call it a second time, or when it was cancelled, does
        nothing. When this raises, or `action` is released without having been called, it never runs: the stream that
        waits for it fails. Where no stream does, what was raised is told to sys.unraisablehook."""


class CustomScheduler(Scheduler):
    """A scheduler of one's own, for a program that has a loop with timers already.

    When it is closed or released, what has not run never will.

    >>> class Frames:
    ...     def now(self): return game.time
    ...     def schedule(self, time, action): game.call_at(time, action)
    >>> frames = CustomScheduler(Frames())
    >>> cancellable = moves.debounce(0.2, frames).sink(check)
    """

    # Not kept by the library, so that Python's collector sees a clock that knows its scheduler.
    _reader: _Reader | None = None

    def __new__(cls, clock: Clock) -> Any:
        scheduler = ffi.streams_custom_scheduler()
        reader = _Reader(clock)
        functions = (_Now(reader), _Schedule(reader), _ignore)
        check(library.streams_host_scheduler(host.number, *map(id, functions), scheduler))
        self = cls._make(library.streams_custom_scheduler_create(scheduler))
        self._reader = reader
        return self

    def __init__(self, clock: Clock) -> None:
        pass

    @property
    def nanoseconds(self) -> int:
        """The present moment of the clock in whole nanoseconds. What the clock raises comes out as itself."""
        reader = self._reader
        return super().nanoseconds if reader is None else reader.now()

    def close(self) -> None:
        """Releases the scheduler and of the clock."""
        super().close()
        self._reader = None


class _Reader:
    """Reads a clock as the library counts."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def now(self) -> int:
        return round(self.clock.now() * 1e9)


class _Now:
    """What the library asks for the time. Once the scheduler has gone, that stands still."""

    def __init__(self, reader: _Reader) -> None:
        self.reader = weakref.ref(reader)
        self.last = 0

    def __call__(self, _: None) -> int:
        reader = self.reader()
        if reader is not None:
            self.last = reader.now()
        return self.last


class _Schedule:
    def __init__(self, reader: _Reader) -> None:
        self.reader = weakref.ref(reader)

    def __call__(self, time: int, handle: int) -> None:
        reader = self.reader()
        if reader is not None:
            action = _Action(handle)  # outlives what is raised, which says why
            reader.clock.schedule(_seconds(time), action)


def _seconds(time: int) -> float:
    """A time as a clock tells it: not before it, however large the numbers are."""
    seconds = time / 1e9
    while round(seconds * 1e9) < time:
        seconds = math.nextafter(seconds, math.inf)
    return seconds


class _Action:
    """What the clock is to call. Its handle is stale once it has run, was rejected or was cancelled."""

    __slots__ = ("_handle",)

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __call__(self) -> None:
        status = library.streams_action_run(self._handle)
        check(Status.OK if status == Status.STALE_HANDLE else status)

    def reject(self, error: BaseException) -> bool:
        """Says that it will never be called. Returns whether anybody heard of that."""
        reason = create_error(error)
        status = library.streams_action_reject(self._handle, reason)
        library.streams_release(reason)
        return bool(status != Status.TERMINATED)

    def __del__(self) -> None:
        library.streams_action_reject(self._handle, None)


def _ignore(_: int) -> None:
    """The clock need not know of a cancellation: the action does nothing then."""


class ExecutorScheduler(CustomScheduler):
    """Runs what is due on an executor of concurrent.futures; a thread of its own waits for the time.

    With several threads the executor runs actions at the same time. A stream's signals still come one after another.
    Once the executor is shut down, streams that have something to do on it fail.

    >>> with ThreadPoolExecutor() as executor, ExecutorScheduler(executor) as pool:
    ...     urls.receive_on(pool).map(fetch).run()
    """

    _timers: SerialQueue | None = None

    def __new__(cls, executor: concurrent.futures.Executor) -> Any:
        if not callable(getattr(executor, "submit", None)):
            raise TypeError(f"executor must be an Executor, not {type(executor).__name__}")
        clock = _ExecutorClock(executor)
        self = super().__new__(cls, clock)
        self._timers = clock.timers
        return self._kept()

    def __init__(self, executor: concurrent.futures.Executor) -> None:
        pass

    def close(self) -> None:
        """Releases the scheduler, and ends the thread that waits for the time. The executor is not shut down."""
        super().close()
        if self._timers is not None:
            self._timers.close()  # which keeps the clock, for as long as something waits


_abandoned: list[_Action] = []


def _run(action: _Action) -> None:
    """Runs an action where nobody asks what became of it: what is no Exception has ended the stream, and comes out here."""
    try:
        action()
    except BaseException as error:
        if isinstance(error, Exception):
            raise
        _Unraisable(error)


class _Unraisable:
    """Tells sys.unraisablehook of an exception, as what a destructor raises is told."""

    __slots__ = ("error",)

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __del__(self) -> None:
        raise self.error


class _ExecutorClock:
    def __init__(self, executor: concurrent.futures.Executor) -> None:
        self.executor = executor
        self.timers = SerialQueue()

    def now(self) -> float:
        return monotonic()  # which does not end with the timers

    def schedule(self, time: float, action: Any) -> Any:
        delay = time - self.now()
        if delay <= 0:
            return self._begin(action)
        try:
            return self.timers.schedule(lambda: self.submit(action), delay)
        except ClosedError:
            if not self.timers.closed:
                raise
            return None  # the scheduler is being closed, which forgets the action

    def _begin(self, action: _Action) -> Any:
        try:
            return self.executor.submit(_run, action)
        except RuntimeError:
            # At the end of the program executors take nothing any more: no failure that anybody wants to hear of.
            if not getattr(threading, "_SHUTTING_DOWN", False):
                raise
            _abandoned.append(action)

    def submit(self, action: _Action) -> None:
        try:
            self._begin(action)
        except Exception as error:
            if not action.reject(error):
                raise
