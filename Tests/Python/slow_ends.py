"""Generators and calls that need a while to end, and the ways to wait for their streams."""

import asyncio
import itertools

from streams import from_async_iterable


class Source:
    """Begins generators and calls that need a while to end."""

    def __init__(self):
        self.begun = self.ended = 0
        self.may_end = asyncio.Event()
        asyncio.get_running_loop().call_later(0.005, self.may_end.set)

    def __call__(self):
        return from_async_iterable(self.count)

    async def count(self):
        self.begun += 1
        try:
            for n in itertools.count():
                await asyncio.sleep(0)
                yield n
        finally:
            await self.end()

    async def work(self, value):
        self.begun += 1
        try:
            await asyncio.sleep(0)
            if value == 1:
                raise OSError(value)
            await asyncio.get_running_loop().create_future()
        finally:
            await self.end()

    async def end(self):
        for _ in range(3):
            await asyncio.sleep(0)
        await self.may_end.wait()
        self.ended += 1


async def leaving(publisher):
    async with publisher.values(buffer=2) as values:
        async for _ in values:
            pass


async def closing(publisher):
    values = publisher.values(buffer=2)
    try:
        async for _ in values:
            pass
    finally:
        await values.aclose()


async def awaiting(publisher):
    await publisher


WAITS = [leaving, closing, awaiting]
