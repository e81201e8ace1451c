"""Streams under trio: `async for` and `await`, and in a thread what begins tasks."""

import asyncio
import gc
import operator
import subprocess
import sys
import threading

import pytest
import streams
import trio
from streams import Empty, Fail, Just, NoValueError, PassthroughSubject, Sequence, from_async_iterable, from_iterable
from turns import LIMIT


def run(main):
    async def in_time():
        with trio.fail_after(LIMIT):
            return await main()

    return trio.run(in_time)


async def turns():
    for _ in range(20):
        await trio.lowlevel.checkpoint()


# ---- await -------------------------------------------------------------------------------------------------------


def test_the_last_value():
    async def main():
        assert await Sequence([1, 2, 3]) == 3
        assert await from_iterable(range(10_000)).map(str).first() == "0"
        with pytest.raises(NoValueError):
            await Empty()

    run(main)


def test_a_failure(error):
    async def main():
        with pytest.raises(type(error)) as caught:
            await Fail(error)
        assert caught.value is error

    run(main)


@pytest.mark.parametrize("elsewhere", [False, True])
def test_a_value_that_comes_later(elsewhere):
    subject = PassthroughSubject()

    def send():
        subject.send(1)
        subject.send(2)
        subject.finish()

    async def main():
        async with trio.open_nursery() as nursery:

            async def wait():
                assert await subject == 2

            nursery.start_soon(wait)
            await turns()
            await trio.to_thread.run_sync(send) if elsewhere else send()

    run(main)


def test_who_is_cancelled_cancels():
    subject, cancelled = PassthroughSubject(), []

    async def main():
        with trio.move_on_after(0.001):
            await subject.handle_events(receive_cancel=lambda: cancelled.append(1))
        assert cancelled == [1]

    run(main)


# ---- async for ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("buffer", [1, 7, 256])
def test_values_from_another_thread(buffer):
    queue = streams.SerialQueue()

    async def main():
        return [n async for n in Sequence(range(1000)).receive_on(queue).values(buffer)]

    assert run(main) == list(range(1000))
    queue.close()


def test_a_buffer_of_one_demands_one_value_at_a_time():
    demands = []

    async def main():
        async for value in Sequence(range(5)).handle_events(receive_request=demands.append).values(buffer=1):
            assert len(demands) == value + 1
            await trio.lowlevel.checkpoint()

    run(main)
    assert set(demands) == {1}


def test_a_cancelled_wait_loses_nothing():
    subject = PassthroughSubject()

    async def main():
        values = subject.values()
        for n in range(3):
            with trio.move_on_after(0.001) as scope:
                await values.__anext__()
            assert scope.cancelled_caught
            subject.send(n)
            assert await values.__anext__() == n
        await values.aclose()

    run(main)


def test_leaving_the_loop_cancels():
    subject, cancelled = PassthroughSubject(), []
    watched = subject.handle_events(receive_cancel=lambda: cancelled.append(1))

    async def main():
        async with trio.open_nursery() as nursery:

            async def take():
                async for _ in watched:
                    break

            nursery.start_soon(take)
            await turns()
            subject.send(1)
        gc.collect()
        assert cancelled == [1]
        async with watched.values():
            pass
        assert cancelled == [1, 1]

    run(main)


def test_a_run_that_is_over_is_not_woken():
    subject = PassthroughSubject()
    kept = []

    async def main():
        kept.append(subject.values())
        with trio.move_on_after(0.001):
            await kept[0].__anext__()

    run(main)
    subject.send(1)
    subject.finish()
    with pytest.raises(RuntimeError, match="no running event loop"):
        subject.values()
    kept.clear()


def test_closing_waits_for_what_ends_in_a_loop_of_asyncio():
    loop, log = asyncio.new_event_loop(), []
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def generator():
        try:
            yield 1
            await asyncio.sleep(LIMIT)
        finally:
            await asyncio.sleep(0.001)
            log.append("ended")

    async def main():
        values = from_async_iterable(generator, loop=loop).values()
        assert await values.__anext__() == 1
        # Once the loop has delivered that.
        await trio.to_thread.run_sync(asyncio.run_coroutine_threadsafe(asyncio.sleep(0), loop).result)
        with trio.CancelScope() as scope:
            scope.cancel()
            await values.aclose()
        assert log == ["ended"]

    run(main)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


def test_the_package_imports_neither():
    program = "import sys, streams; streams.Values; sys.exit(len({'trio', 'anyio', 'sniffio'} & sys.modules.keys()))"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


# ---- what begins tasks -------------------------------------------------------------------------------------------


def test_map_async_needs_asyncio():
    async def main():
        with pytest.raises(RuntimeError, match="no running event loop"):
            await Just(1).map_async(trio.sleep)
        assert await trio.to_thread.run_sync(asyncio.run, in_asyncio()) == 3

    async def in_asyncio():
        return await Sequence([1, 2]).map_async(asyncio.sleep).count().map(lambda count: count + 1)

    run(main)


def test_a_stream_is_run_in_a_thread():
    queue = streams.SerialQueue()
    total = Sequence(range(1, 5)).delay(0.001, queue).reduce(0, operator.add)
    assert run(lambda: trio.to_thread.run_sync(total.run)) == 10
    queue.close()
