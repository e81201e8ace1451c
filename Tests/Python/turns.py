"""How tests wait: for something, but not for ever, and for a loop to go round."""

import asyncio
import threading
import time

import pytest

LIMIT = 30  # seconds after which a test that waits has failed


async def within(awaitable):
    return await asyncio.wait_for(awaitable, LIMIT)


async def turns(count=20):
    for _ in range(count):
        await asyncio.sleep(0)


def settle(count, most):
    """The count, once it is not above that: what another thread releases may take it a moment."""
    end = time.monotonic() + LIMIT
    while count() > most and time.monotonic() < end:
        threading.Event().wait(0.01)
    return count()


@pytest.fixture(scope="session", params=["asyncio", "uvloop"])
def event_loop_policy(request):
    """Has the tests of the files that import it run on both loops."""
    if request.param == "asyncio":
        return asyncio.DefaultEventLoopPolicy()
    return pytest.importorskip("uvloop").EventLoopPolicy()
