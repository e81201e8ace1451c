"""Schedulers made from a program's own loop or executor."""

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
    """The clock that a CustomScheduler needs. Any thread may call the methods, also several at the same time."""

    def now(self) -> float:
        """The present moment, in seconds."""
        ...

    def schedule(self, time: float, action: Callable[[], None]) -> Any:
        """Must call `action` once at `time`, or as soon as possible if that has passed, but not from within this call;
        actions of the same time in the order in which they came. Calling it again, or after it was cancelled, does nothing.
        If this raises, or if `action` is released without a call, the stream that waits for it fails. If no stream waits,
        the exception goes to sys.unraisablehook."""


class CustomScheduler(Scheduler):
    """A custom scheduler, for a program that already has a loop with timers.

    When it is closed or released, actions that have not run never will.

    >>> class Frames:
    ...     def now(self): return game.time
    ...     def schedule(self, time, action): game.call_at(time, action)
    >>> frames = CustomScheduler(Frames())
    >>> cancellable = moves.debounce(0.2, frames).sink(check)
    """

    # Not kept by the library, so that Python's collector can see a cycle of a clock and its scheduler.
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
        """The clock's current time in whole nanoseconds. An exception of the clock is raised unchanged."""
        reader = self._reader
        return super().nanoseconds if reader is None else reader.now()

    def close(self) -> None:
        """Releases the scheduler and the clock."""
        super().close()
        self._reader = None


class _Reader:
    """Reads a clock in the library's unit."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def now(self) -> int:
        return round(self.clock.now() * 1e9)


class _Now:
    """The function that tells the library the time. Once the scheduler is gone, the time stands still."""

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
            action = _Action(handle)  # outlives an exception, which becomes the reason
            reader.clock.schedule(_seconds(time), action)


def _seconds(time: int) -> float:
    """A time in seconds: never earlier than it, however large the numbers are."""
    seconds = time / 1e9
    while round(seconds * 1e9) < time:
        seconds = math.nextafter(seconds, math.inf)
    return seconds


class _Action:
    """The action that the clock must call. Its handle is stale once it has run, was rejected or was cancelled."""

    __slots__ = ("_handle",)

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __call__(self) -> None:
        status = library.streams_action_run(self._handle)
        check(Status.OK if status == Status.STALE_HANDLE else status)

    def reject(self, error: BaseException) -> bool:
        """Reports that it will never be called. Returns whether a stream waited for it."""
        reason = create_error(error)
        status = library.streams_action_reject(self._handle, reason)
        library.streams_release(reason)
        return bool(status != Status.TERMINATED)

    def __del__(self) -> None:
        library.streams_action_reject(self._handle, None)


def _ignore(_: int) -> None:
    """A clock need not handle a cancellation: the action then does nothing."""


class ExecutorScheduler(CustomScheduler):
    """Runs due actions on an executor of concurrent.futures; a thread of its own waits for their time.

    An executor with several threads runs actions at the same time. A stream's signals still come one after another. Once
    the executor is shut down, streams that need it fail.

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
            self._timers.close()  # it keeps the clock while an action waits


_abandoned: list[_Action] = []


def _run(action: _Action) -> None:
    """Runs an action whose result is not read. A BaseException that is not an Exception has ended the stream and is reported
    here."""
    try:
        action()
    except BaseException as error:
        if isinstance(error, Exception):
            raise
        _Unraisable(error)


class _Unraisable:
    """Reports an exception to sys.unraisablehook, by raising it in a destructor."""

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
        return monotonic()  # works after the timers are closed, too

    def schedule(self, time: float, action: Any) -> Any:
        delay = time - self.now()
        if delay <= 0:
            return self._begin(action)
        try:
            return self.timers.schedule(lambda: self.submit(action), delay)
        except ClosedError:
            if not self.timers.closed:
                raise
            return None  # the scheduler is being closed and drops the action

    def _begin(self, action: _Action) -> Any:
        try:
            return self.executor.submit(_run, action)
        except RuntimeError:
            # At the end of the program executors accept no more work, which is not a failure worth reporting.
            if not getattr(threading, "_SHUTTING_DOWN", False):
                raise
            _abandoned.append(action)

    def submit(self, action: _Action) -> None:
        try:
            self._begin(action)
        except Exception as error:
            if not action.reject(error):
                raise
