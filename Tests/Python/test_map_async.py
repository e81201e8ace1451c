"""map_async: coroutine functions in a stream."""

import asyncio
import itertools
import threading

import pytest
from recorder import Recorder
from streams import CurrentValueSubject, Empty, Fail, Just, PassthroughSubject, Sequence, from_iterable
from turns import LIMIT, event_loop_policy, turns, within  # noqa: F401  the fixture is used by its name


class Calls:
    """A coroutine function whose calls end when they are told to."""

    def __init__(self):
        self.running, self.most, self.log = {}, 0, []

    async def __call__(self, value):
        self.log.append(value)
        self.running[value] = asyncio.get_running_loop().create_future()
        self.most = max(self.most, len(self.running))
        try:
            return await self.running[value]
        except asyncio.CancelledError:
            self.log.append(f"{value} cancelled")
            raise
        finally:
            del self.running[value]

    async def end(self, value, result=None):
        if isinstance(result, Exception):
            self.running[value].set_exception(result)
        else:
            self.running[value].set_result(value * 10 if result is None else result)
        await turns()


async def ten_times(n):
    await asyncio.sleep(0)
    return n * 10


async def test_results():
    assert [n async for n in Sequence(range(5)).map_async(ten_times)] == [0, 10, 20, 30, 40]
    assert [n async for n in Sequence(range(50)).map_async(ten_times, limit=7)] == [n * 10 for n in range(50)]
    found = [n async for n in Sequence(range(50)).map_async(ten_times, limit=7, ordered=False)]
    assert sorted(found) == [n * 10 for n in range(50)]
    assert [n async for n in Empty().map_async(ten_times)] == []
    assert await Just(2).map_async(ten_times).map_async(ten_times) == 200


async def test_at_most_limit_run_and_are_demanded():
    calls, demands = Calls(), []
    publisher = from_iterable(itertools.count).handle_events(receive_request=demands.append)
    recorder = Recorder(publisher.map_async(calls, limit=3))
    await turns()
    assert calls.log == [0, 1, 2] and demands == [3]
    await calls.end(1)
    assert recorder.values == [] and demands == [3]  # a result that waits for its turn takes up a place
    await calls.end(0)
    assert recorder.values == [0, 10] and sum(demands) == 5 and calls.log == [0, 1, 2, 3, 4]
    assert calls.most == 3
    recorder.cancellable.cancel()
    await turns()
    assert calls.running == {}


async def test_as_they_end():
    calls = Calls()
    recorder = Recorder(Sequence(range(4)).map_async(calls, limit=3, ordered=False))
    await turns()
    for n in (2, 0, 3, 1):
        await calls.end(n)
    assert recorder.values == [20, 0, 30, 10] and recorder.finished


async def test_nothing_begins_without_demand():
    calls, demands = Calls(), []
    publisher = Sequence(range(9)).handle_events(receive_request=demands.append)
    recorder = Recorder(publisher.map_async(calls, limit=2), demand=0)
    await turns()
    assert calls.log == [] and demands == []
    recorder.subscription.request(1)
    await turns()
    assert calls.log == [0, 1]
    await calls.end(0)
    await calls.end(1)
    assert recorder.values == [0] and calls.log == [0, 1, 2]  # the result of 1 waits to be demanded
    await calls.end(2)
    assert calls.log == [0, 1, 2]
    recorder.subscription.request(1)
    await turns()
    assert recorder.values == [0, 10] and calls.log == [0, 1, 2, 3]
    recorder.cancellable.cancel()
    await turns()


@pytest.mark.parametrize("ordered", [True, False])
async def test_an_exception_fails_and_cancels(error, ordered):
    calls, log = Calls(), []
    subject = PassthroughSubject()
    upstream = subject.handle_events(receive_cancel=lambda: log.append("cancel"))
    recorder = Recorder(upstream.map_async(calls, limit=3, ordered=ordered))
    subject.send_many([1, 2, 3])
    await turns()
    await calls.end(2, error)
    assert recorder.values == [] and recorder.error is error
    assert log == ["cancel"] and calls.running == {}
    assert sorted(map(str, calls.log)) == ["1", "1 cancelled", "2", "3", "3 cancelled"]
    recorder.ends.clear()


async def test_results_that_wait_come_before_the_failure(error):
    calls = Calls()
    recorder = Recorder(Sequence(range(3)).map_async(calls, limit=3), demand=1)
    await turns()
    await calls.end(0)
    await calls.end(1)
    await calls.end(2, error)
    assert recorder.values == [0] and recorder.ends == []
    recorder.subscription.request(1)
    await turns()
    assert recorder.values == [0, 10] and recorder.error is error
    recorder.ends.clear()


async def test_a_failure_of_the_stream_waits_for_results(error):
    calls = Calls()

    def numbers():
        yield from (0, 1)
        raise error

    recorder = Recorder(from_iterable(numbers).map_async(calls, limit=3))
    await turns()
    assert calls.log == [0, 1] and recorder.ends == []
    await calls.end(1)
    await calls.end(0)
    assert recorder.values == [0, 10] and recorder.error is error
    recorder.ends.clear()
    with pytest.raises(KeyError):
        await Fail(KeyError()).map_async(calls)


async def test_cancelling_cancels_the_calls_and_aclose_waits_for_them():
    log = []

    async def slow(n):
        try:
            await asyncio.get_running_loop().create_future()
        finally:
            await asyncio.sleep(0.01)
            log.append(n)

    async with Sequence(range(9)).map_async(slow, limit=3).values() as values:
        waiting = asyncio.ensure_future(values.__anext__())
        await turns()
        waiting.cancel()
    assert sorted(log) == [0, 1, 2]

    task = asyncio.ensure_future(within(Sequence(range(9)).map_async(slow, limit=2)))
    await turns()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert sorted(log[3:]) == [0, 1]


async def test_prefix_cancels_the_rest():
    calls = Calls()
    recorder = Recorder(from_iterable(itertools.count).map_async(calls, limit=3).prefix(1))
    await turns()
    await calls.end(0)
    assert recorder.values == [0] and recorder.finished
    assert calls.running == {}


async def test_a_call_that_cancels_itself_fails_the_stream():
    async def give_up(_):
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await Just(1).map_async(give_up)


async def test_plain_functions_are_refused():
    with pytest.raises(TypeError, match="map_async needs a coroutine function, and this one returned str: use map"):
        await Just(1).map_async(str)
    with pytest.raises(TypeError, match="function must be callable"):
        Just(1).map_async(3)


@pytest.mark.parametrize("limit, error", [(0, ValueError), (-1, ValueError), ("1", TypeError), (None, TypeError)])
def test_limits(limit, error):
    with pytest.raises(error, match="limit"):
        Just(1).map_async(ten_times, limit=limit)


def test_coroutine_functions_elsewhere_are_refused_with_a_hint():
    subject = CurrentValueSubject(1)
    for call in (subject.map, subject.try_map, subject.filter, subject.compact_map, subject.remove_duplicates):
        with pytest.raises(TypeError, match="map_async"):
            call(ten_times)
    for given in ({"value": ten_times}, {"batch": ten_times}):
        ends = []
        subject.sink(completion=ends.append, **given).close()
        assert isinstance(ends[0], TypeError) and "map_async" in str(ends[0])


def test_without_a_loop_the_stream_fails():
    error = Recorder(Just(1).map_async(ten_times)).error
    assert isinstance(error, RuntimeError) and "no running event loop on this thread: give one" in str(error)


def test_a_closed_loop_fails_the_stream():
    loop = asyncio.new_event_loop()
    loop.close()
    error = Recorder(Just(1).map_async(ten_times, loop=loop)).error
    assert isinstance(error, RuntimeError) and "closed" in str(error)


def test_a_loop_of_another_thread():
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    threads = set()

    async def where(n):
        threads.add(threading.current_thread())
        return await ten_times(n)

    publisher = from_iterable(range(100)).map_async(where, limit=5, loop=loop)
    assert list(publisher.iterate(buffer=3)) == [n * 10 for n in range(100)]
    assert publisher.run(timeout=LIMIT) == 990
    assert threads == {thread}
    asyncio.run_coroutine_threadsafe(turns(), loop).result(LIMIT)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


async def test_values_of_several_threads():
    subject = PassthroughSubject()
    found = []
    cancellable = subject.map_async(ten_times, limit=1000).sink(found.append)
    await turns()

    def send(base):
        for n in range(100):
            subject.send(base + n)

    workers = [threading.Thread(target=send, args=(base,)) for base in (0, 100, 200)]
    for each in workers:
        each.start()
    for each in workers:
        await asyncio.to_thread(each.join)
    await turns()
    assert sorted(found) == [n * 10 for n in range(300)]
    cancellable.close()
    await turns()


async def test_it_goes_on_when_the_publishers_are_closed():
    upstream = Sequence(range(3))
    publisher = upstream.map_async(ten_times)
    upstream.close()
    assert [n async for n in publisher] == [0, 10, 20]
    assert [n async for n in publisher] == [0, 10, 20]
    publisher.close()
    with pytest.raises(ValueError):
        upstream.map_async(ten_times)


def test_a_program_that_leaves_calls_running():
    calls = Calls()

    async def main():
        recorder = Recorder(Sequence([1, 2]).map_async(calls, limit=2))
        await turns()
        return recorder

    recorder = asyncio.run(main())
    assert recorder.values == [] and isinstance(recorder.error, asyncio.CancelledError)


def test_calls_that_the_end_of_a_program_cancels_are_no_failure_that_is_told_of(capfd):
    """As asyncio says nothing of a task that its end has cancelled."""
    contexts, subject = [], PassthroughSubject()

    async def main():
        asyncio.get_running_loop().set_exception_handler(lambda _, context: contexts.append(context))
        cancellable = subject.map_async(Calls()).sink(print)
        subject.send(1)
        await turns()
        return cancellable

    cancellable = asyncio.run(main())
    cancellable.close()
    assert contexts == [] and capfd.readouterr() == ("", "")
