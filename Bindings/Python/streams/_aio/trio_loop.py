"""The loop functions that `async for` and `await` need, for trio. Imported only when trio runs."""

from __future__ import annotations

import functools
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, Callable

import trio

if TYPE_CHECKING:
    from .._subscriptions.ends import Ends


class Loop:
    """The trio run of this thread, with the needed methods of an asyncio loop."""

    def __init__(self) -> None:
        self._token = trio.lowlevel.current_trio_token()

    def create_future(self) -> Ending:
        return Ending()

    def call_soon_threadsafe(self, function: Callable[..., Any], *arguments: Any) -> None:
        self._token.run_sync_soon(functools.partial(function, *arguments))

    async def wait(self, ends: Ends) -> None:
        """Waits for all ends, even when the task is cancelled."""
        with trio.CancelScope(shield=True):
            while left := ends.open.copy():
                ended = trio.Event()
                left.pop().add_done_callback(functools.partial(self._set, ended))
                await ended.wait()

    def _set(self, event: trio.Event, _: Any) -> None:
        self.call_soon_threadsafe(event.set)


class Ending:
    """A future without a result."""

    def __init__(self) -> None:
        self._event = trio.Event()

    def done(self) -> bool:
        return self._event.is_set()

    def cancelled(self) -> bool:
        """Asked when the run is over, and with it all tasks."""
        return True

    def set_result(self, _: None) -> None:
        self._event.set()

    def __await__(self) -> Generator[Any, Any, None]:
        return self._event.wait().__await__()
