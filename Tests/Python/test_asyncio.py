"""asyncio: `async for`, async generators, values from other threads."""

import asyncio
import contextlib
import gc
import itertools
import threading

import pytest
from recorder import Recorder
from streams import (
    UNLIMITED,
    CurrentValueSubject,
    Empty,
    Fail,
    Just,
    PassthroughSubject,
    Sequence,
    Values,
    from_async_iterable,
    from_iterable,
)
from turns import LIMIT, event_loop_policy, turns, within  # noqa: F401  the fixture is used by its name


class Completion:
    """A sink's end that can be awaited."""

    def __init__(self):
        self.loop = asyncio.get_running_loop()
        self.future = self.loop.create_future()

    def __call__(self, error):
        self.loop.call_soon_threadsafe(self.future.set_result, error)


# ---- async for ---------------------------------------------------------------------------------------------------


async def test_async_for():
    assert [n async for n in Sequence([1, 2, 3]).map(str)] == ["1", "2", "3"]
    assert [n async for n in Empty()] == []


async def test_a_buffer_of_one_demands_one_value_at_a_time():
    demands = []
    taken = []

    def numbers():
        for n in itertools.count():
            taken.append(n)
            yield n

    publisher = from_iterable(numbers).handle_events(receive_request=demands.append)
    async for n in publisher.values(buffer=1):
        assert taken == list(range(n + 1))
        if n == 3:
            break
    assert demands == [1, 1, 1, 1]


async def test_it_demands_what_it_can_hold():
    demands = []
    values = from_iterable(itertools.count).handle_events(receive_request=demands.append).values(buffer=3)
    assert demands == [3]
    assert [await anext_of(values) for _ in range(3)] == [0, 1, 2]
    assert demands == [3, 1, 1]
    await values.aclose()


async def test_what_a_subject_sends_while_a_loop_works_is_held():
    subject = PassthroughSubject()
    values = subject.values()
    for n in range(256):
        subject.send(n)
    subject.finish()
    assert [n async for n in values] == list(range(256))
    values = CurrentValueSubject(0).merge(other := PassthroughSubject()).values(buffer=UNLIMITED)
    for n in range(1, 10_000):
        other.send(n)
    assert [await anext_of(values) for _ in range(10_000)] == list(range(10_000))
    await values.aclose()


async def anext_of(values):
    return await within(values.__anext__())


async def test_values_sent_while_nobody_waits_are_held():
    subject = PassthroughSubject()
    values = subject.values(buffer=2)
    waiting = asyncio.ensure_future(anext_of(values))
    await turns()
    for n in range(5):
        subject.send(n)
    assert await waiting == 0
    assert await anext_of(values) == 1
    subject.send(7)
    subject.finish()
    assert [n async for n in values] == [7]
    await values.aclose()


async def test_failure_comes_after_the_values_and_once(error):

    def numbers():
        yield 1
        raise error

    seen = []
    values = from_iterable(numbers).values(buffer=5)
    with pytest.raises(type(error)) as caught:
        async for n in values:
            seen.append(n)
    assert seen == [1] and caught.value is error
    with pytest.raises(StopAsyncIteration):
        await values.__anext__()
    with pytest.raises(KeyError):
        async for _ in Fail(KeyError()):
            pass


async def test_breaking_out_cancels():
    log = []
    subject = CurrentValueSubject(1).handle_events(receive_cancel=lambda: log.append("cancel"))
    async for _ in subject:
        break
    gc.collect()
    assert log == ["cancel"]


async def test_aclosing_cancels_at_once():
    log = []
    publisher = CurrentValueSubject(1).handle_events(receive_cancel=lambda: log.append("cancel"))
    values = publisher.values()
    assert isinstance(values, Values)
    assert await anext_of(values) == 1
    await values.aclose()
    assert log == ["cancel"]
    with pytest.raises(StopAsyncIteration):
        await values.__anext__()
    await values.aclose()


async def test_cancelling_the_waiting_task_loses_nothing():
    subject = PassthroughSubject()
    values = subject.values()
    task = asyncio.ensure_future(values.__anext__())
    await turns()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    subject.send("kept")
    assert await anext_of(values) == "kept"
    await values.aclose()


async def test_two_tasks_cannot_wait_for_the_same_values():
    values = PassthroughSubject().values()
    task = asyncio.ensure_future(values.__anext__())
    await turns()
    with pytest.raises(RuntimeError, match="another task"):
        await values.__anext__()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task


async def test_values_from_another_thread():
    subject = PassthroughSubject()
    values = subject.values(buffer=1000)
    waiting = asyncio.ensure_future(anext_of(values))
    await turns()

    def work():
        for n in range(1000):
            subject.send(n)
        subject.finish()

    thread = threading.Thread(target=work)
    thread.start()
    found = [await waiting]
    async for n in values:
        found.append(n)
    thread.join()
    assert found == list(range(1000))


@pytest.mark.parametrize("buffer, kind", [(0, ValueError), (-1, ValueError), ("1", TypeError), (None, TypeError)])
async def test_buffers(buffer, kind):
    with pytest.raises(kind):
        Just(1).values(buffer)


def test_it_needs_a_loop():
    with pytest.raises(RuntimeError, match="no running event loop"):
        Just(1).values()


async def test_fairness_between_tasks():
    """Two loops over streams that always have values both go on, as long as something in them waits."""
    done = []

    async def take(name):
        async for n in from_iterable(itertools.count):
            await asyncio.sleep(0)
            if n == 50:
                done.append(name)
                return

    await within(asyncio.gather(take("a"), take("b")))
    assert sorted(done) == ["a", "b"]


# ---- async generators --------------------------------------------------------------------------------------------


async def ticks(count=5, log=None):
    try:
        for n in range(count):
            if log is not None:
                log.append(n)
            await asyncio.sleep(0)
            yield n
    finally:
        if log is not None:
            log.append("closed")


async def test_async_generator():
    assert [n async for n in from_async_iterable(ticks()).map(lambda n: n * 2)] == [0, 2, 4, 6, 8]


async def test_async_generator_function_begins_anew():
    publisher = from_async_iterable(ticks)
    for _ in range(2):
        assert [n async for n in publisher] == list(range(5))


async def test_async_generator_is_pulled_on_demand():
    log = []
    publisher = from_async_iterable(lambda: ticks(100, log))
    recorder = Recorder(publisher, demand=2)
    await turns()
    assert recorder.values == [0, 1] == log
    recorder.subscription.request(1)
    await turns()
    assert recorder.values == [0, 1, 2] == log
    recorder.cancellable.cancel()
    await turns()
    assert log == [0, 1, 2, "closed"]


async def test_async_generator_without_demand_does_not_begin():
    log = []
    recorder = Recorder(from_async_iterable(lambda: ticks(3, log)), demand=0)
    await turns()
    assert log == [] and recorder.ends == []
    recorder.cancellable.cancel()
    await turns()


@pytest.mark.parametrize("waiting", [False, True])
async def test_async_generator_is_closed_when_cancelled(waiting):
    log = []

    async def numbers():
        try:
            yield 1
            await asyncio.get_running_loop().create_future()
            yield 2
        finally:
            log.append("closed")

    recorder = Recorder(from_async_iterable(numbers), demand=2 if waiting else 1)
    await turns()
    assert recorder.values == [1] and log == []
    recorder.cancellable.cancel()
    await turns()
    assert log == ["closed"] and recorder.ends == []


async def test_async_generator_that_raises(error):

    async def numbers():
        yield 1
        raise error

    completion = Completion()
    got = []
    cancellable = from_async_iterable(numbers).sink(got.append, completion)
    assert await within(completion.future) is error
    assert got == [1]
    cancellable.close()


async def test_prefix_of_an_endless_async_generator():
    log = []

    async def numbers():
        try:
            for n in itertools.count():
                yield n
        finally:
            log.append("closed")

    assert [n async for n in from_async_iterable(numbers).prefix(3)] == [0, 1, 2]
    await turns()
    assert log == ["closed"]


async def test_async_iterable_that_is_no_generator():
    class Two:
        def __aiter__(self):
            self.left = 2
            return self

        async def __anext__(self):
            if not self.left:
                raise StopAsyncIteration
            self.left -= 1
            return self.left

    assert [n async for n in from_async_iterable(Two())] == [1, 0]


async def test_flat_map_of_async_generators():
    publisher = Sequence([2, 3]).flat_map(lambda n: from_async_iterable(lambda: ticks(n)))
    assert sorted([n async for n in publisher]) == [0, 0, 1, 1, 2]


def test_without_a_loop_the_stream_fails():
    error = Recorder(from_async_iterable(ticks)).error
    assert isinstance(error, RuntimeError) and "no running event loop" in str(error)


@pytest.mark.parametrize("wrong", [3, None, [1]])
def test_what_is_no_async_iterable_is_refused(wrong):
    with pytest.raises(TypeError, match="an async iterable is needed"):
        from_async_iterable(wrong)


async def test_function_that_makes_no_async_iterable():
    assert isinstance(Recorder(from_async_iterable(lambda: 3)).error, AttributeError)


def test_a_closed_loop_fails_the_stream():
    loop = asyncio.new_event_loop()
    loop.close()
    error = Recorder(from_async_iterable(ticks, loop=loop)).error
    assert isinstance(error, RuntimeError) and "closed" in str(error)


def test_loop_of_another_thread():
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    done = threading.Event()
    got = []

    def value(n):
        got.append((n, threading.current_thread()))

    cancellable = from_async_iterable(ticks, loop=loop).sink(value, lambda error: done.set())
    assert done.wait(LIMIT)
    cancellable.close()

    async def settle():
        await turns()

    asyncio.run_coroutine_threadsafe(settle(), loop).result(LIMIT)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
    assert got == [(n, thread) for n in range(5)]


def test_a_program_that_leaves_streams_running():
    """asyncio.run cancels the tasks that pull, and the streams fail with that."""

    async def main():
        recorder = Recorder(from_async_iterable(endless))
        await turns()
        return recorder

    async def endless():
        yield 1
        await asyncio.get_running_loop().create_future()

    recorder = asyncio.run(main())
    assert recorder.values == [1] and isinstance(recorder.error, asyncio.CancelledError)
