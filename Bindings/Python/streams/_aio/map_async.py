"""map_async: a coroutine function applied to each value.

The package imports this module at its first use, so asyncio is not imported before.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
import inspect
from collections import deque
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Any, Callable

from .._native.handle import as_callable
from .._program.demand import as_demand
from .._subscriptions.emitter import Emitter, source_of
from .._subscriptions.ends import announce, belong_to_nobody, belonging_to, current
from .._subscriptions.subscription import Subscription
from .loops import loop_of

if TYPE_CHECKING:
    from .._subscriptions.subscribing import Subscribing

# The loop knows its tasks by weak references only.
_running: set[asyncio.Task[Any]] = set()


def map_async(
    publisher: Subscribing[Any],
    function: Callable[[Any], Any],
    limit: int,
    ordered: bool,
    loop: asyncio.AbstractEventLoop | None,
) -> int:
    """The handle of a new publisher: see Publisher.map_async."""
    most = as_demand(limit, "limit")
    if most == 0:
        raise ValueError("limit must be at least 1")
    as_callable(function, "function")
    return source_of(functools.partial(_Mapping, publisher, function, most, ordered, loop))


class _Call:
    """One value: its task, and later its result."""

    __slots__ = ("done", "result", "task")

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.done = False
        self.result: Any = None


async def _run(function: Callable[[Any], Any], call: _Call, value: Any) -> None:
    """Runs one call. This frame is in the traceback of the call's exception, so it must not keep the stream."""
    belong_to_nobody()
    awaitable = function(value)
    del value
    if not inspect.isawaitable(awaitable):
        kind = type(awaitable).__name__
        raise TypeError(f"map_async needs a coroutine function, and this one returned {kind}: use map")
    call.result = await awaitable
    call.done = True


class _Mapping:
    """One subscription. Events from any thread are left in a queue or a flag, and the loop is woken once; everything else
    happens in the loop."""

    def __init__(
        self,
        publisher: Subscribing[Any],
        function: Callable[[Any], Any],
        limit: int,
        ordered: bool,
        loop: asyncio.AbstractEventLoop | None,
        emitter: Emitter[Any],
    ) -> None:
        self._loop = loop_of(loop)
        self._function = function
        self._ordered = ordered
        self._emitter = emitter
        self._limit = limit
        self._open = 0  # values that were demanded and whose results have not been taken
        self._wanted = False  # whether anything has been demanded of this
        self._woken = False
        self._incoming: deque[Any] = deque()  # values, each with the context variables of its sender
        self._calls: deque[_Call] = deque()  # in the order of their values; unordered, in that of their ends
        self._tasks: set[asyncio.Task[None]] = set()
        self._cancelled: set[asyncio.Task[None]] = set()  # those of them that have not ended yet
        self._ends = current()
        self._last_end: concurrent.futures.Future[None] | None = None  # to resolve when all tasks have ended
        self._upstream_ended = False
        self._error: BaseException | None = None  # upstream's, or a call's
        self._over = False
        self._closed = False
        self._subscription: Subscription | None = None
        self._cancellable = publisher._own_sink(self._receive, self._end, 0, self._begin)
        # A warning of dropped values names map_async and its line, and not what subscribed to it.
        self._cancellable._step = publisher._step or self._cancellable._step

    # ---- from any thread ----

    def produce(self, most: int) -> None:
        self._wanted = True
        if asyncio._get_running_loop() is self._loop:
            self._advance()
        else:
            self._wake()

    def close(self) -> None:
        self._closed = True
        end = announce(self._ends)
        try:
            self._cancellable.close()
        finally:
            try:
                self._loop.call_soon_threadsafe(self._stop, end)
            except RuntimeError:  # the loop is closed
                if end is not None:
                    end.set_result(None)

    def _begin(self, subscription: Subscription) -> None:
        self._subscription = subscription
        if self._wanted:
            self._wake()

    def _receive(self, value: Any) -> None:
        self._incoming.append((copy_context(), value))
        self._wake()

    def _end(self, error: BaseException | None) -> None:
        self._error = error
        self._subscription = None
        self._upstream_ended = True
        self._wake()

    def _wake(self) -> None:
        if self._woken:
            return
        self._woken = True
        try:
            self._loop.call_soon_threadsafe(self._on_wake)
        except RuntimeError as error:
            self._emitter.fail(error)

    # ---- in the loop ----

    def _on_wake(self) -> None:
        self._woken = False  # before it reads the queue: a later event wakes the loop again
        self._advance()

    def _advance(self) -> None:
        """Does everything that is possible now: starts calls, sends results, demands, and ends."""
        belonging_to(self._ends, self._go_on)

    def _go_on(self) -> None:
        if self._closed or self._over:
            return
        ended = self._upstream_ended  # read before the values, which come before the end
        while self._incoming:
            self._call(*self._incoming.popleft())
        self._send()
        if self._closed or self._over:
            return
        if self._subscription is not None and self._wanted and self._open < self._limit:
            missing, self._open = self._limit - self._open, self._limit
            self._subscription.request(missing)
        if ended and not self._tasks and not self._calls and not self._incoming:
            self._finish()

    def _call(self, context: Context, value: Any) -> None:
        call = _Call()
        task = context.run(self._loop.create_task, _run(self._function, call, value))
        call.task = task
        if self._ordered:
            self._calls.append(call)
        self._tasks.add(task)
        _running.add(task)
        task.add_done_callback(functools.partial(self._ended, call))

    def _ended(self, call: _Call, task: asyncio.Task[None]) -> None:
        call.task = None
        self._tasks.discard(task)
        self._cancelled.discard(task)
        _running.discard(task)
        self._tell_end()
        error: BaseException | None
        try:
            error = task.exception()
        except asyncio.CancelledError as cancelled:
            error = cancelled
        if self._closed or self._over:
            return
        if error is None:
            if not self._ordered:
                self._calls.append(call)
            self._advance()
            return
        # Finished results are sent first; the other calls are cancelled.
        try:
            self._cancellable.close()
        finally:
            self._upstream_ended, self._subscription, self._error = True, None, error
            self._incoming.clear()
            while self._calls and not self._calls[-1].done:
                self._calls.pop()
            self._calls = deque(_up_to_the_first_that_runs(self._calls))
            self._cancel_tasks()
            self._advance()

    def _send(self) -> None:
        while self._calls and self._calls[0].done and self._emitter.demand:
            call = self._calls.popleft()
            self._open -= 1
            if not self._emitter.send(call.result):
                self._calls.appendleft(call)
                self._open += 1
                return

    def _finish(self) -> None:
        self._over = True
        error, self._error = self._error, None
        if error is None:
            self._emitter.finish()
            return
        try:
            self._emitter.fail(error)
        except asyncio.CancelledError as unheard:
            # Not reported, since asyncio reports no cancelled tasks, and cancels all tasks at the end of a loop.
            if unheard is not error:
                raise

    def _cancel_tasks(self) -> None:
        tasks, self._tasks = self._tasks, set()
        self._cancelled |= tasks
        for task in tasks:  # once: a second time would cut off what a call does at its end
            task.cancel()

    def _stop(self, end: concurrent.futures.Future[None] | None) -> None:
        self._incoming.clear()
        self._calls.clear()
        self._cancel_tasks()
        self._last_end = end
        self._tell_end()

    def _tell_end(self) -> None:
        if self._last_end is not None and not self._cancelled:
            self._last_end.set_result(None)
            self._last_end = None


def _up_to_the_first_that_runs(calls: deque[_Call]) -> list[_Call]:
    found: list[_Call] = []
    for call in calls:
        if not call.done:
            break
        found.append(call)
    return found
