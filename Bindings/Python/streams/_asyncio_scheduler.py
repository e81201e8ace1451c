"""The scheduler of an asyncio loop."""

import asyncio
import weakref
from typing import Any, Optional

from ._errors import Status, check
from ._library import library
from ._loops import loop_of
from ._schedulers import EventLoop


class AsyncioScheduler(EventLoop):
    """Runs what is due on an asyncio loop: the running one, if none is given.

    It is an EventLoop that the asyncio loop watches, so a great many timers or values wake that loop once. When it is
    closed, or the asyncio loop is, what has not run never will. Any thread may schedule.

    >>> async def main():
    ...     ticket = typed.debounce(0.3, AsyncioScheduler()).sink(search)
    """

    __module__ = "streams"
    _watcher: asyncio.AbstractEventLoop

    def __new__(cls, loop: Optional[asyncio.AbstractEventLoop] = None) -> Any:
        watcher = loop_of(loop)
        self = cls._make(library.streams_loop_create())
        self._watcher = watcher
        watcher.add_reader(self.fileno(), _run, self._handle)
        _close_those_of_closed_loops()
        _all.setdefault(watcher, weakref.WeakSet()).add(self)
        return self._kept()

    def __init__(self, loop: Optional[asyncio.AbstractEventLoop] = None) -> None:
        pass

    def close(self) -> None:
        """Lets go of the scheduler. Any thread may do that; the asyncio loop's forgets it as soon as it can."""
        if self.closed or self._watcher.is_closed():
            return super().close()
        # The descriptor has to stay open until the asyncio loop does not watch it any more.
        other = EventLoop._adopt(self._handle)
        descriptor = self.fileno()
        self.__dict__.pop("_owned", False)
        self._handle = 0
        self.__dict__.pop("_waiting", None)
        if _is_running_elsewhere(self._watcher):
            self._watcher.call_soon_threadsafe(_forget, self._watcher, descriptor, other)
        else:
            _forget(self._watcher, descriptor, other)


_all: "weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, weakref.WeakSet[AsyncioScheduler]]"
_all = weakref.WeakKeyDictionary()


def _close_those_of_closed_loops() -> None:
    """What waits for a loop that does not run any more would keep its stream, and that the scheduler with its descriptor."""
    for loop in list(_all):
        if loop.is_closed():
            for scheduler in list(_all.pop(loop, ())):
                scheduler.close()


def _run(handle: int) -> None:
    status = library.streams_loop_run_once(handle, 0)
    check(Status.OK if status == Status.STALE_HANDLE else status)


def _forget(watcher: asyncio.AbstractEventLoop, descriptor: int, loop: EventLoop) -> None:
    if not watcher.is_closed():
        watcher.remove_reader(descriptor)
    loop.close()


def _is_running_elsewhere(watcher: asyncio.AbstractEventLoop) -> bool:
    return watcher.is_running() and asyncio._get_running_loop() is not watcher
