"""Schedulers: when and on which thread operators run their later actions."""

from __future__ import annotations

import math
import os
import sys
import weakref
from typing import TYPE_CHECKING, Any, Callable, TypeVar, Union

from .._native import host
from .._native.errors import ClosedError, check, made
from .._native.handle import ACTION, DESTROY, Closing
from .._native.library import library
from .._program.demand import as_count
from .._program.escapes import pending, raise_pending
from .waiting import Call, Waiting

if TYPE_CHECKING:
    import datetime

S = TypeVar("S", bound="Scheduler")

Seconds = Union[float, "datetime.timedelta"]
"""A length of time: a number of seconds, or a timedelta."""

_now, _schedule, _cancel = (
    library.streams_scheduler_now,
    library.streams_scheduler_schedule,
    library.streams_scheduler_cancel,
)

_LIMIT = (1 << 63) - 1
_SOON = 1e9  # a number of seconds that is far from the limit


class Scheduled:
    """A function that a scheduler will call later."""

    __slots__ = ("_call", "_number", "_scheduler")

    # Set by schedule, in less time than by an __init__.
    _scheduler: Scheduler
    _number: int
    _call: Call

    def cancel(self) -> None:
        """Cancels it, unless it has run or is running."""
        scheduler = self._scheduler
        handle = scheduler._handle
        if handle:
            status = _cancel(handle, self._number)
            if status or pending:
                check(status)
            waiting = scheduler._waiting
            if waiting is not None:
                waiting.pop(self._call, None)

    def __repr__(self) -> str:
        return f"<streams.Scheduled number {self._number & ((1 << 64) - 1)}>"


class Scheduler(Waiting):
    """Where and when operators run their later actions: EventLoop, AsyncioScheduler, SerialQueue, VirtualTimeScheduler …

    Keep a scheduler that the program runs (an EventLoop, a VirtualTimeScheduler or a CustomScheduler) for as long as its
    streams run: when it is released, it drops the actions that wait. The others run by themselves, and their streams keep
    them. Closing a scheduler drops the actions that wait; `with` closes it at the end of the block. A stream that needs a
    closed scheduler fails with a StreamError that says so: at a subscription, at a value or end that the scheduler would
    deliver, or at a request.

    Functions that it runs for a stream see the context variables (contextvars) of the subscription: each operator with a
    scheduler copies the context when it is subscribed to, and changes stay in that copy. Functions that an
    ImmediateScheduler runs see those of the caller.
    """

    def __init__(self) -> None:
        raise TypeError("a Scheduler is made by its kind, such as EventLoop()")

    @classmethod
    def _make(cls, handle: int) -> Any:
        return cls._adopt(made(handle))

    def _kept(self: S) -> S:
        """Returns this scheduler, which its streams keep from now on: for schedulers that run by themselves."""
        if host.has_weak_references:
            weak = weakref.ref(self)
            check(library.streams_host_keep_scheduler(host.number, self._handle, id(weak)))
        return self

    @property
    def now(self) -> float:
        """The scheduler's current time in seconds. While a virtual scheduler runs an action, this is the action's due time,
        unless more time has passed since then."""
        return self.nanoseconds / 1e9

    @property
    def nanoseconds(self) -> int:
        """The current time in whole nanoseconds, the scheduler's unit; otherwise as `now`."""
        found: int = _now(self._handle)
        return found or self._beginning()

    def _beginning(self) -> int:
        """The time 0, unless it is the result of a call that has failed."""
        library.streams_clear_last_error()
        found: int = library.streams_scheduler_now(self._handle)
        if not found:
            check(library.streams_last_status())
        return found

    def schedule(self, function: Callable[[], Any], delay: Seconds = 0) -> Scheduled:
        """Has `function` called once, when `delay` has passed. An exception in it goes to sys.unraisablehook. Functions
        that wait do not keep the scheduler.

        It sees the context variables (contextvars) of the caller, as with asyncio's call_later.

        >>> loop.schedule(lambda: print("half a second later"), 0.5)
        """
        handle = self._handle
        time = self.nanoseconds + as_nanoseconds(delay, "delay")
        call = self._keep(function)
        try:
            number = _schedule(handle, time if time < _LIMIT else _LIMIT, ACTION, call.context(), DESTROY) or made(0)
        except BaseException:
            self._take(call)
            raise
        if pending:  # an ImmediateScheduler has run it
            raise_pending()
        scheduled = Scheduled()
        scheduled._scheduler, scheduled._number, scheduled._call = self, number, call
        return scheduled


class ImmediateScheduler(Scheduler):
    """A scheduler that runs every action immediately, whatever its delay. Its time stands still."""

    def __new__(cls) -> Any:
        return cls._make(library.streams_immediate_scheduler_create())

    def __init__(self) -> None:
        pass


class VirtualTimeScheduler(Scheduler):
    """A scheduler whose time passes only when the program advances it: for tests, which then need not wait.

    Due actions run inside `advance`, in the order in which they are due.

    >>> scheduler = VirtualTimeScheduler()
    >>> cancellable = typed.debounce(0.3, scheduler).sink(print)
    >>> typed.send("a")
    >>> scheduler.advance(0.3)
    a
    """

    def __new__(cls) -> Any:
        return cls._make(library.streams_virtual_scheduler_create())

    def __init__(self) -> None:
        pass

    def advance(self, time: Seconds = 0) -> None:
        """Advances time, and runs all actions that become due; without a time, those that are due already.

        Streams that feed each other while no time passes end in a StatusLimitError, after a million rounds.
        """
        check(library.streams_virtual_scheduler_advance(self._handle, as_duration(time, "time")))

    def run(self) -> None:
        """Advances time until no action is scheduled any more, and runs all actions.

        An endless repetition ends in a StatusLimitError, after a million actions.
        """
        check(library.streams_virtual_scheduler_run(self._handle))


class EventLoop(Scheduler):
    """A scheduler whose actions run on the thread that runs it.

    A program that has nothing else to wait for calls run(). A program with a loop of its own polls fileno() with it, as
    select does when it is passed this object, and calls run_once() when it is readable. For asyncio there is
    AsyncioScheduler.

    >>> loop = EventLoop()
    >>> cancellable = typed.debounce(0.3, loop).sink(search)
    >>> loop.run(timeout=5)
    """

    _stopping = False

    def __new__(cls) -> Any:
        return cls._make(library.streams_loop_create())

    def __init__(self) -> None:
        pass

    def fileno(self) -> int:
        """A descriptor that is readable while an action is due and no thread runs the loop."""
        found: int = library.streams_loop_descriptor(self._handle)
        if found < 0:
            check(library.streams_last_status())
        return found

    def run_once(self, timeout: Seconds = 0) -> None:
        """Runs the due actions; if there are none, waits for one, for `timeout` at most, and runs it."""
        check(library.streams_loop_run_once(self._handle, as_duration(timeout, "timeout")))

    def run(self, timeout: Seconds | None = None) -> None:
        """Runs actions as they become due, for `timeout` or without end, until stop(), or until the loop is closed. Ctrl-C
        ends it with a KeyboardInterrupt."""
        most = _LIMIT if timeout is None else as_duration(timeout, "timeout")
        end = min(_LIMIT, self.nanoseconds + most)
        try:
            while not self._stopping:
                left = end - self.nanoseconds
                check(library.streams_loop_run_once(self._handle, max(0, left)))
                if left <= 0:
                    break
        except ClosedError:
            if not self.closed:
                raise
        self._stopping = False

    def stop(self) -> None:
        """Ends the current run() after the actions that are due, or else the next run(). Any thread may call this."""
        self._stopping = True
        check(library.streams_loop_stop(self._handle))


class SerialQueue(Scheduler):
    """A scheduler that runs its actions one after another, on a thread of its own.

    >>> background = SerialQueue()
    >>> cancellable = lines.receive_on(background).map(parse).receive_on(loop).sink(show)
    """

    def __new__(cls) -> Any:
        return cls._make(library.streams_queue_create())._kept()

    def __init__(self) -> None:
        pass


class QueuePool(Closing):
    """Threads that serial queues share; by default as many as there are processors. They end when the pool and its queues
    are closed.

    >>> pool = QueuePool(4)
    >>> parsing, writing = pool.queue(), pool.queue()

    A queue runs one action at a time. For many similar jobs, make as many queues as threads, and use them in turn:

    >>> queues = itertools.cycle([pool.queue() for _ in range(4)])
    >>> jobs.flat_map(lambda job: Just(job).receive_on(next(queues)).map(work), max_publishers=4).receive_on(loop)
    """

    def __new__(cls, threads: int | None = None) -> Any:
        count = (os.cpu_count() or 1) if threads is None else as_count(threads, "threads")
        return cls._adopt(made(library.streams_pool_create(count)))

    def queue(self) -> SerialQueue:
        """Makes a queue that the pool's threads run. It works after the pool is closed, too."""
        found: SerialQueue = SerialQueue._make(library.streams_pool_queue(self._handle))._kept()
        return found


def as_nanoseconds(time: Seconds, name: str) -> int:
    """A length of time in the library's unit, which may be negative."""
    if type(time) is float and -_SOON < time < _SOON:
        return round(time * 1e9)
    # Whoever has one has imported the module, which takes a while; a signal handler may get here amid that.
    timedelta: Any = getattr(sys.modules.get("datetime"), "timedelta", ())
    given: Any = time
    if isinstance(given, timedelta):
        nanoseconds: int = (given // timedelta(microseconds=1)) * 1000
    elif isinstance(time, bool) or not isinstance(time, (int, float)):
        raise TypeError(f"{name} must be a number of seconds or a timedelta, not {type(time).__name__}")
    elif isinstance(time, int):
        nanoseconds = time * 1_000_000_000
    elif math.isfinite(time):
        nanoseconds = round(max(-1e19, min(time * 1e9, 1e19)))
    else:
        raise ValueError(f"{name} is {time}, and must be a number of seconds")
    return max(-_LIMIT, min(nanoseconds, _LIMIT))


def as_duration(time: Seconds, name: str) -> int:
    """A length of time that may not be negative."""
    nanoseconds = as_nanoseconds(time, name)
    if nanoseconds < 0:
        raise ValueError(f"{name} must not be negative, and is {time}")
    return nanoseconds


def as_scheduler(scheduler: object) -> int:
    """The handle of an argument that must be a scheduler."""
    if not isinstance(scheduler, Scheduler):
        raise TypeError(f"scheduler must be a Scheduler, not {type(scheduler).__name__}")
    return scheduler._handle
