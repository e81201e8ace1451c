"""Schedulers: when and where operators do what they do later."""

from __future__ import annotations

import datetime
import math
import os
import weakref
from typing import Any, Callable, TypeVar, Union

from .._native import host
from .._native.errors import ClosedError, check, made
from .._native.handle import ACTION, DESTROY, Closing
from .._native.library import library
from .._program.demand import as_count
from .._program.escapes import pending, raise_pending
from .waiting import Call, Waiting

S = TypeVar("S", bound="Scheduler")

Seconds = Union[float, datetime.timedelta]
"""A length of time: a number of seconds, or a timedelta."""

_LIMIT = (1 << 63) - 1


class Scheduled:
    """What a scheduler was given to do later."""

    __slots__ = ("_call", "_number", "_scheduler")

    def __init__(self, scheduler: Scheduler, number: int, call: Call) -> None:
        self._scheduler = scheduler
        self._number = number
        self._call = call

    def cancel(self) -> None:
        """Has the scheduler forget it, unless it has run or is running."""
        if not self._scheduler.closed:
            check(library.streams_scheduler_cancel(self._scheduler._handle, self._number))
            self._scheduler._take(self._call)

    def __repr__(self) -> str:
        return f"<streams.Scheduled number {self._number}>"


class Scheduler(Waiting):
    """Where and when operators do what they do later: EventLoop, AsyncioScheduler, SerialQueue, VirtualTimeScheduler …

    One that a program runs, an EventLoop, a VirtualTimeScheduler or a CustomScheduler, has to be kept for as long as its
    streams run: when it is released, it forgets what waits for it. The others run by themselves, and their streams keep
    them. Each forgets what waits when it is closed; with `with`, that is at the end of the block. A stream that needs it
    after that fails with a StreamError that says so: when it is subscribed to, when a value or its end comes that would
    go by way of the scheduler, or when more is demanded.

    What it runs for a stream sees the context variables (contextvars) of who subscribed: each operator with a scheduler
    takes a copy of them when it is subscribed to, in which changes stay. What an ImmediateScheduler runs sees those of the
    caller.
    """

    def __init__(self) -> None:
        raise TypeError("a Scheduler is made by its kind, such as EventLoop()")

    @classmethod
    def _make(cls, handle: int) -> Any:
        return cls._adopt(made(handle))

    def _kept(self: S) -> S:
        """The same scheduler, which its streams keep from now on: one that runs what is due by itself."""
        if host.has_weak_references:
            weak = weakref.ref(self)
            check(library.streams_host_keep_scheduler(host.number, self._handle, id(weak)))
        return self

    @property
    def now(self) -> float:
        """The present moment of the scheduler's time in seconds; while a virtual one runs something, the moment when
        that was due, unless more time has passed since then."""
        return self.nanoseconds / 1e9

    @property
    def nanoseconds(self) -> int:
        """The present moment in whole nanoseconds, in which the scheduler counts; otherwise as `now`."""
        library.streams_clear_last_error()
        found: int = library.streams_scheduler_now(self._handle)
        if not found:
            check(library.streams_last_status())
        return found

    def schedule(self, function: Callable[[], Any], delay: Seconds = 0) -> Scheduled:
        """Has `function` called once, when `delay` has passed. What it raises is told to sys.unraisablehook.
        Functions that wait do not keep the scheduler.

        It sees the context variables (contextvars) of who calls this, as with asyncio's call_later.

        >>> loop.schedule(lambda: print("half a second later"), 0.5)
        """
        time = self.nanoseconds + as_nanoseconds(delay, "delay")
        call = self._keep(function)
        try:
            context = call.context()
            time = min(time, _LIMIT)
            number = made(library.streams_scheduler_schedule(self._handle, time, ACTION, context, DESTROY))
        except BaseException:
            self._take(call)
            raise
        if pending:  # an ImmediateScheduler has run it
            raise_pending()
        return Scheduled(self, number, call)


class ImmediateScheduler(Scheduler):
    """A scheduler that runs everything at once, also what is to run later. Its time stands still."""

    def __new__(cls) -> Any:
        return cls._make(library.streams_immediate_scheduler_create())

    def __init__(self) -> None:
        pass


class VirtualTimeScheduler(Scheduler):
    """A scheduler whose time passes only when it is told to: for tests, which then take none.

    What is due runs inside `advance`, in the order in which it is due.

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
        """Lets time pass, and runs all that is due on the way; without a time, what is due already.

        Streams that feed each other while no time passes end in a StatusLimitError, after a million rounds.
        """
        check(library.streams_virtual_scheduler_advance(self._handle, as_duration(time, "time")))

    def run(self) -> None:
        """Lets as much time pass as there is something scheduled for, and runs it all.

        What is repeated without end ends in a StatusLimitError, after a million times.
        """
        check(library.streams_virtual_scheduler_run(self._handle))


class EventLoop(Scheduler):
    """A scheduler whose actions run when, and on the thread where, a program says so.

    A program that has nothing else to wait for calls run(). One with a loop of its own watches fileno(), as select and
    its kin do by themselves, and calls run_once() when it can be read from. For asyncio there is AsyncioScheduler.

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
        """A descriptor that can be read from while something is due and nobody runs the loop."""
        found: int = library.streams_loop_descriptor(self._handle)
        if found < 0:
            check(library.streams_last_status())
        return found

    def run_once(self, timeout: Seconds = 0) -> None:
        """Runs what is due; if that is nothing, waits until something is, for `timeout` at most, and runs that."""
        check(library.streams_loop_run_once(self._handle, as_duration(timeout, "timeout")))

    def run(self, timeout: Seconds | None = None) -> None:
        """Runs what becomes due, for `timeout` or without end, until stop(), or until the loop is closed. Ctrl-C ends it
        with a KeyboardInterrupt."""
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
        """Ends the run() that is under way, after what is due just now, or else the next one. Any thread may do that."""
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
    """Threads that serial queues share: as many as processors, if their number is left out. They end when the pool and
    its queues are closed.

    >>> pool = QueuePool(4)
    >>> parsing, writing = pool.queue(), pool.queue()

    A queue runs one action at a time. For jobs that are all alike, each takes the next of as many queues as threads:

    >>> queues = itertools.cycle([pool.queue() for _ in range(4)])
    >>> jobs.flat_map(lambda job: Just(job).receive_on(next(queues)).map(work), max_publishers=4).receive_on(loop)
    """

    def __new__(cls, threads: int | None = None) -> Any:
        count = (os.cpu_count() or 1) if threads is None else as_count(threads, "threads")
        return cls._adopt(made(library.streams_pool_create(count)))

    def queue(self) -> SerialQueue:
        """Makes a queue that the pool's threads run. It does without the pool itself."""
        found: SerialQueue = SerialQueue._make(library.streams_pool_queue(self._handle))._kept()
        return found


def as_nanoseconds(time: Seconds, name: str) -> int:
    """A length of time as the library counts it, which may be negative."""
    if isinstance(time, datetime.timedelta):
        microseconds = time // datetime.timedelta(microseconds=1)
        nanoseconds = microseconds * 1000
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
    """The handle of an argument that has to be a scheduler."""
    if not isinstance(scheduler, Scheduler):
        raise TypeError(f"scheduler must be a Scheduler, not {type(scheduler).__name__}")
    return scheduler._handle
