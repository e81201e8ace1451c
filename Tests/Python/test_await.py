"""asyncio: `await publisher`, portions of a buffer, and what asyncio has already."""

import asyncio
import gc
import itertools
import threading
import weakref

import pytest
import streams
from streams import (
    CurrentValueSubject,
    Empty,
    Fail,
    Just,
    NoValueError,
    PassthroughSubject,
    Sequence,
    from_async_iterable,
    from_iterable,
)
from turns import LIMIT, event_loop_policy, turns, within  # noqa: F401  the fixture is used by its name

# ---- await -------------------------------------------------------------------------------------------------------


async def test_the_last_value():
    assert await Sequence([1, 2, 3]) == 3
    assert await Just(None) is None
    assert await from_iterable(range(10_000)).map(str) == "9999"


async def test_the_first_value():
    demands = []
    assert await from_iterable(itertools.count(7)).handle_events(receive_request=demands.append).first() == 7
    with pytest.raises(NoValueError):
        await Empty().first()


async def test_no_value():
    with pytest.raises(NoValueError, match="without a value") as caught:
        await Empty()
    assert isinstance(caught.value, LookupError)


async def test_a_failure(error):
    with pytest.raises(type(error)) as caught:
        await Fail(error)
    assert caught.value is error


async def test_a_value_that_comes_later():
    subject = PassthroughSubject()
    task = asyncio.ensure_future(within(subject))
    await turns()
    subject.send(1)
    subject.send(2)
    subject.finish()
    assert await task == 2


async def test_a_value_of_another_thread():
    subject = PassthroughSubject()
    begun = threading.Event()

    def work():
        begun.wait()
        for n in range(1000):
            subject.send(n)
        subject.finish()

    thread = threading.Thread(target=work)
    thread.start()
    assert await within(subject.handle_events(receive_request=lambda _: begun.set())) == 999
    thread.join()


async def test_cancelling_the_task_cancels_the_stream_first():
    log = []
    publisher = PassthroughSubject().handle_events(receive_cancel=lambda: log.append("stream"))

    async def wait():
        try:
            await publisher
        finally:
            log.append("task")

    task = asyncio.ensure_future(wait())
    await turns()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert log == ["stream", "task"]


@pytest.mark.parametrize("kind", [StopIteration, StopAsyncIteration])
async def test_errors_that_end_loops_do_not_end_them_silently(kind):
    async def loop():
        async for _ in Fail(kind("why")):
            pass

    async def last():
        await Fail(kind("why"))

    for awaitable in (loop(), last()):
        with pytest.raises((RuntimeError, StopAsyncIteration)) as caught:
            await awaitable
        assert "why" in (str(caught.value), str(caught.value.__cause__))


# ---- async for ---------------------------------------------------------------------------------------------------


async def test_it_demands_in_portions_of_half_the_buffer():
    demands, found = [], []
    publisher = from_iterable(range(20)).handle_events(receive_request=demands.append)
    async for n in publisher.values(buffer=8):
        found.append((n, list(demands)))
    assert [n for n, _ in found] == list(range(20))
    assert found[3][1] == [8] and found[4][1] == [8, 4] and found[8][1] == [8, 4, 4]


async def test_a_buffer_never_overflows():
    subject = PassthroughSubject()
    values = subject.values(buffer=5)
    taken = 0
    for _ in range(50):
        waiting = asyncio.ensure_future(values.__anext__())
        await turns(2)
        for _ in range(9):
            subject.send(0)
        await within(waiting)
        taken += 1
        assert len(values._inbox.held) <= 4
    await values.aclose()


@pytest.mark.parametrize("buffer", [1, 2, 7, 256, 10**30])
async def test_values_of_another_thread_wake_the_loop_once(buffer):
    subject, loop = PassthroughSubject(), asyncio.get_running_loop()
    calls, whole = [], loop.call_soon_threadsafe
    loop.call_soon_threadsafe = lambda *arguments: calls.append(1) or whole(*arguments)
    values = subject.values(buffer)
    waiting = asyncio.ensure_future(values.__anext__())
    await turns()

    def work():
        for n in range(100):
            subject.send(n)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()  # so the loop does nothing meanwhile
    assert calls == [1]
    assert await within(waiting) == 0
    del loop.call_soon_threadsafe
    subject.finish()
    assert [n async for n in values] == list(range(1, min(buffer, 100)))


@pytest.mark.parametrize("buffer", [1, 3, 64])
async def test_values_race_with_the_loop(buffer):
    """Nothing is lost, and nobody waits for ever, whichever thread comes first."""

    def begin(emitter):
        asked, n = threading.Semaphore(0), itertools.count()

        def work():
            while True:
                asked.acquire()
                while emitter.demand:
                    emitter.send(next(n))
                if emitter.closed:
                    return

        class Source:
            def produce(self, most):
                asked.release()

            def close(self):
                emitter.close()
                asked.release()

        threads.append(threading.Thread(target=work))
        threads[-1].start()
        return Source()

    threads = []
    async with streams.create(begin).prefix(2000).values(buffer) as values:
        assert [n async for n in values] == list(range(2000))
    for each in threads:
        each.join(LIMIT)
        assert not each.is_alive()


async def test_the_stream_of_a_task_that_is_cancelled_is_cancelled_first():
    log = []
    publisher = PassthroughSubject().handle_events(receive_cancel=lambda: log.append("stream"))

    async def bare():
        try:
            async for _ in publisher:
                pass
        finally:
            log.append("task")

    async def within_a_block():
        try:
            async with publisher.values() as values:
                async for _ in values:
                    pass
        finally:
            log.append("task")

    for function in (bare, within_a_block):
        task = asyncio.ensure_future(function())
        await turns()
        task.cancel()
        with pytest.raises(asyncio.CancelledError) as caught:
            await task
        assert log == ["stream", "task"]
        log.clear()
        del caught, task


async def test_the_next_value_keeps_the_stream():
    subject = PassthroughSubject()
    task = asyncio.ensure_future(subject.values().__anext__())
    await turns()
    gc.collect()
    subject.send(7)
    assert await within(task) == 7
    assert await CurrentValueSubject(3).values().__anext__() == 3


async def test_timeouts_lose_nothing():
    subject = PassthroughSubject()
    values = subject.values(buffer=4)
    for n in range(3):
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(values.__anext__(), 0.001)
        subject.send(n)
        assert await within(values.__anext__()) == n
    await values.aclose()


async def test_a_value_is_let_go_of_once_it_is_taken():
    class Thing:
        pass

    values = from_iterable(Thing() for _ in range(6)).values(buffer=6)
    gone = []
    async for thing in values:
        gone.append(weakref.ref(thing))
        del thing
        assert gone[-1]() is None


async def test_closing_while_a_task_waits_ends_its_loop():
    values = PassthroughSubject().values()

    async def loop():
        return [n async for n in values]

    task = asyncio.ensure_future(loop())
    await turns()
    await values.aclose()
    assert await within(task) == []


async def test_a_failure_of_the_callbacks_of_a_request_comes_out():
    def stop(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        async for _ in from_iterable(range(5)).map(stop).values(buffer=3):
            pass


async def test_breaking_out_makes_no_task():
    before = asyncio.all_tasks()
    async for _ in from_iterable(itertools.count).values(buffer=3):
        break
    assert asyncio.all_tasks() == before


def test_a_loop_that_ends_first():
    """What is left when asyncio.run ends is released in silence."""
    log = []
    publisher = PassthroughSubject().handle_events(receive_cancel=lambda: log.append("cancel"))

    async def main():
        values = publisher.values()
        asyncio.ensure_future(values.__anext__())
        await turns()
        return values

    values = asyncio.run(main())
    del values
    gc.collect()
    assert log == ["cancel"]


# ---- what asyncio has already, as publishers ---------------------------------------------------------------------


async def test_a_queue_is_taken_from_as_demanded():
    queue = asyncio.Queue()
    for n in range(5):
        queue.put_nowait(n)

    async def items():
        while True:
            yield await queue.get()

    assert [n async for n in from_async_iterable(items).prefix(3)] == [0, 1, 2]
    await turns()
    assert queue.qsize() == 2


async def test_the_lines_of_a_reader():
    reader = asyncio.StreamReader()
    reader.feed_data(b"one\ntwo\nthree")
    reader.feed_eof()
    assert [n async for n in from_async_iterable(reader).map(bytes.decode)] == ["one\n", "two\n", "three"]
