"""Finds the asyncio loop for a stream. This module is imported only when asyncio is used."""

from __future__ import annotations

import asyncio


def loop_of(loop: asyncio.AbstractEventLoop | None) -> asyncio.AbstractEventLoop:
    """The loop that was given, or the one that runs on this thread."""
    if loop is not None:
        return loop
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError("no running event loop on this thread: give one as loop, or begin where one runs") from None
