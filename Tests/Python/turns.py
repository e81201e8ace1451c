"""How tests of asyncio wait: for something, but not for ever, and for the loop to go round."""

import asyncio

LIMIT = 30  # seconds after which a test that waits has failed


async def within(awaitable):
    return await asyncio.wait_for(awaitable, LIMIT)


async def turns(count=20):
    for _ in range(count):
        await asyncio.sleep(0)
