"""Streams under trio: in a thread, as README.md says."""

import operator

import pytest
import streams
import trio
from turns import LIMIT


def run(main):
    async def in_time():
        with trio.fail_after(LIMIT):
            return await main()

    return trio.run(in_time)


async def pump(publisher, channel):
    """Gives each value to a channel, and demands the next when it is taken."""

    def fill():
        for value in publisher:
            trio.from_thread.run(channel.send, value)

    async with channel:
        await trio.to_thread.run_sync(fill)


@pytest.mark.parametrize("waits", [False, True])
def test_a_stream_is_run_to_its_end(waits):
    queue = streams.SerialQueue()
    numbers = streams.Sequence(range(1, 5))
    total = (numbers.delay(0.001, queue) if waits else numbers).reduce(0, operator.add)
    assert run(lambda: trio.to_thread.run_sync(total.run)) == 10
    queue.close()


def test_a_failure_comes_out_as_itself():
    with pytest.raises(ZeroDivisionError):
        run(lambda: trio.to_thread.run_sync(streams.Just(0).map(lambda n: 1 // n).run))


def test_values_are_taken_one_by_one():
    async def main():
        send, receive = trio.open_memory_channel(0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pump, streams.Sequence(range(100)), send)
            return [value async for value in receive]

    assert run(main) == list(range(100))


def test_who_leaves_cancels_the_stream():
    demanded, ends = [], []

    def endless():
        try:
            for n in range(1000):
                demanded.append(n)
                yield n
        finally:
            ends.append(len(demanded))

    async def main():
        send, receive = trio.open_memory_channel(0)
        async with trio.open_nursery() as nursery:

            async def work():
                with pytest.raises(trio.BrokenResourceError):
                    await pump(streams.from_iterable(endless), send)

            nursery.start_soon(work)
            async for value in receive:
                if value == 5:
                    break
            receive.close()

    run(main)
    assert ends == [len(demanded)] and len(demanded) < 10


def test_a_nursery_that_is_cancelled_cancels_the_stream():
    async def main():
        send, receive = trio.open_memory_channel(0)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(pump, streams.from_iterable(lambda: iter(int, 1)), send)
            assert await receive.receive() == 0
            nursery.cancel_scope.cancel()
        return nursery.cancel_scope.cancelled_caught

    assert run(main)


def test_what_awaits_needs_a_loop_of_asyncio():
    async def main():
        with pytest.raises(RuntimeError, match="no running event loop"):
            streams.Just(1).values()

    run(main)
