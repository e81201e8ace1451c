"""Search as you type, on asyncio: lines from standard input become a search when the typing pauses.

    python search.py < words

A line that is typed while a search runs cancels that search.
"""

import asyncio
import sys
from typing import Optional

from streams import AsyncioScheduler, PassthroughSubject

PAUSE = 0.05


async def search(text: str) -> str:
    """Stands for a request to a server."""
    await asyncio.sleep(0)
    return text.upper()


async def lines() -> asyncio.StreamReader:
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return reader


async def main() -> None:
    typed: PassthroughSubject[str] = PassthroughSubject()
    paused = asyncio.Event()
    running: Optional[asyncio.Task[None]] = None

    async def show(text: str) -> None:
        print(f"{text}: {await search(text)}", flush=True)

    def begin(text: str) -> None:
        nonlocal running
        paused.set()
        if running is not None:
            running.cancel()
        running = asyncio.create_task(show(text))

    with AsyncioScheduler() as scheduler, typed.debounce(PAUSE, scheduler).sink(begin):
        async for line in await lines():
            paused.clear()
            typed.send(line.decode().rstrip("\n"))
        await paused.wait()
        if running is not None:
            await running


if __name__ == "__main__":
    asyncio.run(main())
