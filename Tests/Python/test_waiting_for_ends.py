"""asyncio: `async with`, aclose() and `await` wait for the generators and the calls of a stream that end slowly, whenever
they were told to end."""

import asyncio
import threading

import pytest
from slow_ends import WAITS, Source, leaving
from streams import (
    AsyncioScheduler,
    Backoff,
    Deferred,
    Empty,
    Just,
    PassthroughSubject,
    Sequence,
    VirtualTimeScheduler,
    from_async_iterable,
)
from streams._subscriptions.ends import Ends
from turns import event_loop_policy, turns, within  # noqa: F401  the fixture is used by its name


def refuse(value):
    if value == 2:
        raise OSError(value)
    return value


def failing(source):
    return source().try_map(refuse)


# Streams that end, or go on, after they have told a generator or a call to end.
KINDS = {
    "all_satisfy": lambda s: s().all_satisfy(lambda n: n < 2),
    "amb": lambda s: s().amb(s()).prefix(1),
    "append": lambda s: s().prefix(2).append(s().prefix(2)),
    "append on request": lambda s: Sequence(range(9)).append(s().prefix(2)),
    "append to a generator": lambda s: from_async_iterable(two).append(s().prefix(2)),
    "catch a generator": lambda s: from_async_iterable(wrong).catch(lambda _: s().prefix(2)),
    "catch": lambda s: failing(s).catch(lambda _: s().prefix(2)),
    "combine_latest": lambda s: s().combine_latest(s()).prefix(1),
    "concat_map": lambda s: s().prefix(2).concat_map(lambda _: s().prefix(2)),
    "contains": lambda s: s().contains(2),
    "contains_where": lambda s: s().contains_where(lambda n: n == 2),
    "Deferred": lambda s: Deferred(lambda: s().prefix(2)),
    "delay": lambda s: s().prefix(2).delay(0, AsyncioScheduler()),
    "drop_until_output": lambda s: s().drop_until_output(s()).prefix(2),
    "filter": lambda s: s().filter(refuse),
    "first": lambda s: s().first(),
    "first_where": lambda s: s().first_where(lambda n: n == 2),
    "flat_map": lambda s: Just(1).flat_map(lambda _: s().prefix(3)),
    "flat_map of a generator": lambda s: s().prefix(2).flat_map(lambda _: s().prefix(3)),
    "flat_map of a short generator": lambda s: from_async_iterable(two).flat_map(lambda _: s().prefix(3)),
    "flat_map on request": lambda s: Sequence(range(5)).flat_map(lambda _: s().prefix(3), max_publishers=1),
    "flat_map on a scheduler": lambda s: Just(1).receive_on(AsyncioScheduler()).flat_map(lambda _: s().prefix(3)),
    "lift": lambda s: s().lift(Lifted),
    "map": lambda s: s().map(refuse),
    "map_async": lambda s: Sequence([0, 1, 2]).map_async(s.work, limit=3),
    "map_async of a generator": lambda s: s().map_async(s.work, limit=3),
    "map_async, then flat_map": lambda s: Just(1).map_async(nothing).flat_map(lambda _: s().prefix(3)),
    "map_async, then prefix": lambda s: s().map_async(nothing, limit=3).prefix(1),
    "map_batch": lambda s: s().map_batch(lambda values: [refuse(each) for each in values]),
    "merge": lambda s: s().merge(s()).prefix(5),
    "output_at": lambda s: s().output_at(2),
    "output_in": lambda s: s().output_in(1, 3),
    "prefix": lambda s: s().prefix(3),
    "prefix_until_output": lambda s: s().prefix_until_output(s()),
    "prefix_while": lambda s: s().prefix_while(lambda n: n < 3),
    "receive_on": lambda s: s().prefix(3).receive_on(AsyncioScheduler()),
    "repeat": lambda s: s().prefix(2).repeat(2),
    "replace_error": lambda s: failing(s).replace_error(1),
    "retry": lambda s: failing(s).retry(2),
    "retry_backoff": lambda s: failing(s).retry_backoff(Backoff(retries=1, delay=0), AsyncioScheduler()),
    "scan": lambda s: s().scan(0, lambda _, n: refuse(n)),
    "share": lambda s: s().share().prefix(3),
    "subscribe_on": lambda s: s().prefix(3).subscribe_on(AsyncioScheduler()),
    "switch_to_latest": lambda s: s().prefix(3).switch_to_latest(lambda _: s().prefix(3)),
    "timeout": lambda s: timed_out(s, VirtualTimeScheduler()),
    "with_latest_from": lambda s: s().prefix(3).with_latest_from(s()),
    "zip": lambda s: s().zip(Sequence([1, 2])),
}


def timed_out(source, clock):
    """A stream whose time is over at its third number."""
    timed = source().handle_events(receive_output=lambda n: clock.advance(2) if n == 2 else None)
    return timed.filter(lambda _: False).timeout(1, clock)


async def nothing(value):
    return value


async def two():
    yield 1
    yield 2


async def wrong():
    yield 1
    raise OSError


class Lifted:
    def __init__(self, emitter):
        self.emitter = emitter

    def on_value(self, value):
        self.emitter.send(refuse(value))


async def ended(publisher, wait):
    try:
        await within(wait(publisher))
    except (OSError, LookupError):
        pass


@pytest.mark.parametrize("wait", WAITS)
@pytest.mark.parametrize("kind", KINDS)
async def test_who_waits_for_a_stream_waits_for_all_that_it_has_begun(kind, wait):
    source = Source()
    await ended(KINDS[kind](source), wait)
    assert source.ended == source.begun > 0


async def breaking(publisher):
    async with publisher.values(buffer=2) as values:
        async for _ in values:
            break


@pytest.mark.parametrize("kind", KINDS)
async def test_who_leaves_a_stream_waits_for_all_that_it_has_begun(kind):
    source = Source()
    stream = KINDS[kind](source)
    if kind in ("subscribe_on", "append on request", "append to a generator", "catch a generator"):
        # The first cancels elsewhere, which nobody waits for; the others have begun nothing at the first value.
        stream = stream.last()
    await ended(stream, breaking)
    assert source.ended == source.begun > 0


async def test_a_stream_that_begins_something_for_what_others_send():
    source, subject = Source(), PassthroughSubject()
    values = subject.flat_map(lambda _: source()).values()
    subject.send(1)
    await within(values.__anext__())
    await values.aclose()
    assert source.ended == source.begun == 1


async def test_a_call_for_what_others_send_begins_what_belongs_to_its_stream():
    source, subject = Source(), PassthroughSubject()
    source.may_end = asyncio.Event()
    values = subject.map_async(nothing).flat_map(lambda _: source().prefix(1)).values()
    await turns()
    subject.send(1)
    await within(values.__anext__())
    closed = asyncio.ensure_future(values.aclose())
    await turns()
    assert not closed.done() and source.ended == 0
    source.may_end.set()
    await within(closed)
    assert source.ended == source.begun == 1


async def test_who_waits_does_not_wait_for_what_is_shared_and_goes_on():
    source = Source()
    shared = source().share()
    async with shared.values() as others:
        await within(leaving(shared.prefix(3)))
        await within(others.__anext__())
        assert source.ended == 0
    assert source.ended == source.begun == 1


# ---- what is kept ------------------------------------------------------------------------------------------------


async def test_a_long_stream_keeps_nothing_that_has_ended(monkeypatch):
    made, most = [], 0
    monkeypatch.setattr(Ends, "__init__", lambda self: made.append(self) or original(self))

    async def one():
        yield 1
        yield 2

    stream = Sequence(range(2000)).flat_map(lambda _: from_async_iterable(one).prefix(1), max_publishers=1)
    async with stream.values() as values:
        async for _ in values:
            most = max(most, *(len(each.open) for each in made))
    assert 0 < most < 20 and [len(each.open) for each in made] == [0]


original = Ends.__init__


async def test_a_generator_in_another_loop_that_was_told_before():
    source = Source()
    source.may_end = threading.Event()
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def end():
        while not source.may_end.is_set():
            await asyncio.sleep(0)
        source.ended += 1

    source.end = end
    values = from_async_iterable(source.count, loop=loop).prefix(1).values()
    assert [each async for each in values] == [0]
    # Once the loop has left the stream.
    await within(asyncio.wrap_future(asyncio.run_coroutine_threadsafe(turns(), loop)))
    closed = asyncio.ensure_future(values.aclose())
    await turns()
    assert not closed.done() and source.ended == 0
    source.may_end.set()
    await within(closed)
    assert source.ended == 1
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


async def test_an_empty_stream_waits_for_nothing():
    async with Empty().values() as values:
        assert [each async for each in values] == []
