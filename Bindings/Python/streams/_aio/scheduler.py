"""The scheduler of an asyncio loop."""

from __future__ import annotations

import asyncio
import functools
import weakref
from typing import Any

from .._native.errors import Status, check
from .._native.library import library
from .._schedulers.schedulers import EventLoop
from .loops import loop_of


class AsyncioScheduler(EventLoop):
    """Runs due actions on an asyncio loop: the running one, by default.

    It is an EventLoop that the asyncio loop polls, so many timers or values wake that loop once. It is closed with the
    asyncio loop, if not before; actions that have not run then never will. Any thread may schedule.

    >>> async def main():
    ...     cancellable = typed.debounce(0.3, AsyncioScheduler()).sink(search)
    """

    __module__ = "streams"
    _watcher: asyncio.AbstractEventLoop
    _reader: weakref.ref[_Reader]

    def __new__(cls, loop: asyncio.AbstractEventLoop | None = None) -> Any:
        watcher = loop_of(loop)
        self = cls._make(library.streams_loop_create())
        self._watcher = watcher
        reader = _Reader(self._handle)
        watcher.add_reader(self.fileno(), reader)
        # The loop releases it when it is closed. Streams would otherwise keep a scheduler for ever that no loop runs.
        self._reader = weakref.ref(reader, functools.partial(_close, weakref.ref(self)))
        return self._kept()

    def __init__(self, loop: asyncio.AbstractEventLoop | None = None) -> None:
        pass

    def close(self) -> None:
        """Releases the scheduler. Any thread may call this; the asyncio loop stops polling as soon as it can."""
        if self.closed or self._watcher.is_closed():
            return super().close()
        # The descriptor must stay open until the asyncio loop does not poll it any more.
        other = EventLoop._adopt(self._handle)
        descriptor = self.fileno()
        self._handle = 0
        self.__dict__.pop("_waiting", None)
        if _is_running_elsewhere(self._watcher):
            self._watcher.call_soon_threadsafe(_forget, self._watcher, descriptor, other)
        else:
            _forget(self._watcher, descriptor, other)


class _Reader:
    """The callback of the asyncio loop for due actions."""

    __slots__ = ("__weakref__", "_handle")

    def __init__(self, handle: int) -> None:
        self._handle = handle

    def __call__(self) -> None:
        status = library.streams_loop_run_once(self._handle, 0)
        check(Status.OK if status == Status.STALE_HANDLE else status)


def _close(scheduler: weakref.ref[AsyncioScheduler], _: Any) -> None:
    found = scheduler()
    if found is not None:
        found.close()


def _forget(watcher: asyncio.AbstractEventLoop, descriptor: int, loop: EventLoop) -> None:
    if not watcher.is_closed():
        watcher.remove_reader(descriptor)
    loop.close()


def _is_running_elsewhere(watcher: asyncio.AbstractEventLoop) -> bool:
    return watcher.is_running() and asyncio._get_running_loop() is not watcher
