"""Async iterables as cold publishers."""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
from collections.abc import AsyncIterable
from typing import Any, Callable, TypeVar

from .._aio.loops import loop_of
from .._operators.publisher import Publisher
from .._subscriptions.emitter import Emitter
from .._subscriptions.ends import announce, belong_to_nobody, belonging_to, current
from .sources import create

T = TypeVar("T")

# The loop knows its tasks by weak references only.
_tasks: set[asyncio.Task[None]] = set()


def from_async_iterable(
    iterable: AsyncIterable[T] | Callable[[], AsyncIterable[T]],
    *,
    loop: asyncio.AbstractEventLoop | None = None,
) -> Publisher[T]:
    """A cold publisher of an async iterable: awaits one item for each value that is demanded, and never more.

    Each subscriber begins a new iterator. An async generator can be iterated only once; pass the function itself to begin a
    new one for each subscriber. The items are awaited, and delivered, in `loop`; without it, in the loop that runs on the
    subscribing thread. At the end, or when the stream is cancelled, an async generator is closed. An exception that it
    raises fails the stream.

    >>> from_async_iterable(read_sensor).prefix(10)

    The lines of a StreamReader, and the items of an asyncio.Queue, from which it takes one for each value demanded:

    >>> lines = from_async_iterable(reader).map(bytes.decode)
    >>> async def items():
    ...     while True: yield await queue.get()
    >>> jobs = from_async_iterable(items)
    """
    if not hasattr(iterable, "__aiter__") and not callable(iterable):
        kind = type(iterable).__name__
        raise TypeError(f"an async iterable is needed, or a function that makes one, not {kind}")
    return create(functools.partial(_Pull, iterable, loop))


class _Pull:
    """One subscription: while there is demand, a task in the loop awaits one item after another."""

    def __init__(self, iterable: Any, loop: asyncio.AbstractEventLoop | None, emitter: Emitter[Any]) -> None:
        self._loop = loop_of(loop)
        self._iterator = (iterable if hasattr(iterable, "__aiter__") else iterable()).__aiter__()
        self._emitter = emitter
        self._ends = current()
        self._task: asyncio.Task[None] | None = None

    def produce(self, most: int) -> None:
        self._loop.call_soon_threadsafe(self._start)

    def close(self) -> None:
        end = announce(self._ends)
        try:
            self._loop.call_soon_threadsafe(self._stop, end)
        except RuntimeError:  # the loop is closed, and has closed its generators
            if end is not None:
                end.set_result(None)

    def _start(self) -> None:
        if self._task is None or self._task.done():
            self._task = self._loop.create_task(self._run())

    async def _run(self) -> None:
        belong_to_nobody()
        try:
            while self._emitter.demand:
                try:
                    value = await self._iterator.__anext__()
                except StopAsyncIteration:
                    belonging_to(self._ends, self._emitter.finish)
                    return
                belonging_to(self._ends, self._emitter.send, value)
        except BaseException as error:
            belonging_to(self._ends, self._emitter.fail, error)
            if isinstance(error, (asyncio.CancelledError, KeyboardInterrupt, SystemExit)):
                raise

    def _stop(self, end: concurrent.futures.Future[None] | None) -> None:
        task = self._loop.create_task(self._end())
        _tasks.add(task)
        task.add_done_callback(_tasks.discard)
        if end is not None:
            task.add_done_callback(lambda _: end.set_result(None))

    async def _end(self) -> None:
        belong_to_nobody()
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait({self._task})
        if hasattr(self._iterator, "aclose"):
            await self._iterator.aclose()


from_async_iterable.__module__ = "streams"
