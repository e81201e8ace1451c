"""asyncio: waiting for the end of a cancellation."""

import asyncio
import itertools
import threading

import pytest
from streams import (
    Just,
    PassthroughSubject,
    from_async_iterable,
)
from turns import LIMIT, event_loop_policy, turns, within  # noqa: F401  the fixture is used by its name


async def slow_to_close(log):
    try:
        for n in itertools.count():
            yield n
    finally:
        await asyncio.sleep(0.01)
        log.append("closed")


async def test_aclose_waits_for_async_generators():
    log = []
    publisher = from_async_iterable(lambda: slow_to_close(log))
    async with publisher.map(str).merge(publisher.map(str)).values(buffer=2) as values:
        assert await within(values.__anext__()) == "0"
        assert log == []
    assert log == ["closed", "closed"]
    with pytest.raises(StopAsyncIteration):
        await values.__anext__()
    values = publisher.values()
    await within(values.__anext__())
    await values.aclose()
    assert log == ["closed"] * 3
    await values.aclose()


async def test_await_waits_for_async_generators_when_it_is_cancelled():
    log = []

    async def endless():
        try:
            yield 1
            await asyncio.get_running_loop().create_future()
        finally:
            await asyncio.sleep(0.01)
            log.append("closed")

    task = asyncio.ensure_future(within(from_async_iterable(endless)))
    await turns()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert log == ["closed"]


async def leaving(publisher):
    async with publisher.values(buffer=2) as values:
        await values.__anext__()


async def closing(publisher):
    values = publisher.values(buffer=2)
    await values.__anext__()
    await values.aclose()


async def awaiting(publisher):
    await publisher


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("wait", [leaving, closing, awaiting])
async def test_a_task_that_is_cancelled_while_it_waits_waits_on(wait, times):
    log, may_end = [], asyncio.Event()

    async def endless():
        try:
            yield 1
            await asyncio.get_running_loop().create_future()
        finally:
            log.append("closing")
            await may_end.wait()
            log.append("closed")

    async def work(value):
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            await may_end.wait()
            log.append("worked")

    both = from_async_iterable(endless).merge(Just(1).map_async(work))
    task = asyncio.ensure_future(wait(both))
    await turns()
    if wait is awaiting:
        task.cancel()
        await turns()
    assert log == ["closing"]
    for _ in range(times):
        task.cancel()
        await turns()
        assert not task.done()
    may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await within(task)
    assert sorted(log) == ["closed", "closing", "worked"]


async def test_aclose_waits_for_a_generator_in_another_loop():
    log = []
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    async with from_async_iterable(lambda: slow_to_close(log), loop=loop).values() as values:
        assert await within(values.__anext__()) == 0
        # A thread that is inside of the stream at that moment would do the cancelling, and nobody wait for it.
        await within(asyncio.wrap_future(asyncio.run_coroutine_threadsafe(turns(), loop)))
    assert log == ["closed"]
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


async def reading(publisher):
    async for _ in publisher:
        pass


def waiting(reader, policy):
    """A loop in which a task waits, and a list of that task, so that a test can let go of it."""
    tasks = []

    async def begin():
        tasks.append(asyncio.ensure_future(reader))
        await turns()

    loop = policy.new_event_loop()
    loop.run_until_complete(begin())
    return loop, tasks


def in_a_thread(function):
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()


@pytest.mark.parametrize("call", [lambda function: function(), in_a_thread], ids=["same thread", "another thread"])
@pytest.mark.parametrize(
    "end, cause",
    [(lambda s: s.send(1), "None"), (lambda s: s.finish(), "None"), (lambda s: s.fail(OSError("broken")), "broken")],
    ids=["value", "finish", "failure"],
)
@pytest.mark.parametrize("wait", [reading, awaiting])
def test_a_reader_that_waits_in_a_closed_loop_is_reported_once(unraisable, wait, end, cause, call, event_loop_policy):
    subject = PassthroughSubject()
    loop, tasks = waiting(wait(subject), event_loop_policy)
    loop.close()

    def close():
        end(subject)
        subject.send(2)
        subject.finish()

    call(close)
    assert [str(error) for error in unraisable] == ["Event loop is closed"]
    assert str(unraisable[0].__cause__) == cause
    unraisable.clear()
    tasks[0]._log_destroy_pending = False
    tasks.clear()


@pytest.mark.parametrize("end", [lambda s: s.send(1), lambda s: s.finish(), lambda s: s.fail(OSError("broken"))])
def test_a_reader_that_was_cancelled_before_its_loop_was_closed_is_not_missed(unraisable, end, event_loop_policy):
    subject = PassthroughSubject()
    loop, tasks = waiting(reading(subject), event_loop_policy)
    tasks[0].cancel()
    loop.close()
    in_a_thread(lambda: end(subject))
    assert unraisable == []
    tasks[0]._log_destroy_pending = False
    tasks.clear()
