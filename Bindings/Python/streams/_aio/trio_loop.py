"""The loop functions that `async for` and `await` need, for trio. Imported only when trio runs."""

from __future__ import annotations

import functools
from collections.abc import Generator
from typing import TYPE_CHECKING, Any, Callable

import trio

if TYPE_CHECKING:
    import concurrent.futures


class Loop:
    """The trio run of this thread, with the needed methods of an asyncio loop."""

    def __init__(self) -> None:
        self._token = trio.lowlevel.current_trio_token()

    def create_future(self) -> Ending:
        return Ending()

    def call_soon_threadsafe(self, function: Callable[..., Any], *arguments: Any) -> None:
        self._token.run_sync_soon(functools.partial(function, *arguments))

    async def wait(self, ends: list[concurrent.futures.Future[None]]) -> None:
        """Waits for all ends, even when the task is cancelled."""
        left = len(ends)
        all_ended = trio.Event()

        def ended() -> None:
            nonlocal left
            left -= 1
            if not left:
                all_ended.set()

        for end in ends:
            end.add_done_callback(lambda _: self.call_soon_threadsafe(ended))
        with trio.CancelScope(shield=True):
            await all_ended.wait()


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
