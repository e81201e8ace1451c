"""Schedulers made of what a program has already."""

import concurrent.futures
import ctypes
from typing import Any, Callable, Protocol

from . import _ffi, _host
from ._errors import Status, check
from ._library import library
from ._schedulers import Scheduler, SerialQueue


class Clock(Protocol):
    """What a CustomScheduler is made of. Any thread may call the methods, also several at once."""

    def now(self) -> float:
        """The present moment, in seconds."""

    def schedule(self, time: float, action: "Callable[[], None]") -> Any:
        """Has `action` called once at `time`, or as soon as can be if that has passed, but not from within this call;
        actions of one time in the order in which they came. To call it a second time, or when it was cancelled, does
        nothing."""


class CustomScheduler(Scheduler):
    """A scheduler of one's own, for a program that has a loop with timers already.

    When it is closed or let go of, what has not run never will.

    >>> class Frames:
    ...     def now(self): return game.time
    ...     def schedule(self, time, action): game.call_at(time, action)
    >>> ticket = moves.debounce(0.2, CustomScheduler(Frames())).sink(check)
    """

    def __new__(cls, clock: Clock) -> Any:
        scheduler = _ffi.streams_custom_scheduler()
        functions = (_Now(clock), _Schedule(clock), _ignore)
        check(library.streams_host_scheduler(_host.number, *map(id, functions), ctypes.byref(scheduler)))
        return cls._make(library.streams_custom_scheduler_create(ctypes.byref(scheduler)))

    def __init__(self, clock: Clock) -> None:
        pass


class _Now:
    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def __call__(self, _: None) -> int:
        return round(self.clock.now() * 1e9)


class _Schedule:
    def __init__(self, clock: Clock) -> None:
        self.clock = clock

    def __call__(self, time: int, handle: int) -> None:
        self.clock.schedule(time / 1e9, _Action(handle))


class _Action:
    """What the clock is to call. Its handle is stale once it has run or was cancelled."""

    __slots__ = ("_handle",)

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __call__(self) -> None:
        status = library.streams_action_run(self._handle)
        check(Status.OK if status == Status.STALE_HANDLE else status)


def _ignore(_: int) -> None:
    """The clock need not know of a cancellation: the action does nothing then."""


class ExecutorScheduler(CustomScheduler):
    """Runs what is due on an executor of concurrent.futures; a thread of its own waits for the time.

    With several threads the executor runs actions at the same time. A stream's signals still come one after another.

    >>> with ThreadPoolExecutor() as executor:
    ...     ticket = urls.receive_on(ExecutorScheduler(executor)).map(fetch).sink(print)
    """

    def __new__(cls, executor: concurrent.futures.Executor) -> Any:
        if not callable(getattr(executor, "submit", None)):
            raise TypeError(f"executor must be an Executor, not {type(executor).__name__}")
        return super().__new__(cls, _ExecutorClock(executor))

    def __init__(self, executor: concurrent.futures.Executor) -> None:
        pass


class _ExecutorClock:
    def __init__(self, executor: concurrent.futures.Executor) -> None:
        self.executor = executor
        self.timers = SerialQueue()

    def now(self) -> float:
        return self.timers.now

    def schedule(self, time: float, action: "Callable[[], None]") -> Any:
        delay = time - self.timers.now
        if delay <= 0:
            return self.executor.submit(action)
        return self.timers.schedule(lambda: self.executor.submit(action), delay)
