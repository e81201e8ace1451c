"""asyncio: who waits for the end of a stream does not wait for another stream, which one of its functions has begun."""

import asyncio

import pytest
from slow_ends import WAITS, Source
from streams import AsyncioScheduler, CurrentValueSubject, Deferred, Just, PassthroughSubject, from_async_iterable
from turns import LIMIT, turns, within


class Endless(Source):
    def __init__(self):
        super().__init__()
        self.may_end = asyncio.Event()


STARTS = {
    "sink": lambda p: p.sink(lambda _: None),
    "sink with a completion": lambda p: p.sink(None, lambda _: None, subscription=lambda _: None),
    "for": lambda p: iter_once(p),
    "assign": lambda p: p.assign(Thing(), "value"),
    "assign to a subject": lambda p: p.assign(to=CurrentValueSubject(0)),
    "subscribe": lambda p: subscribed(p, PassthroughSubject()),
    "connect": lambda p: connected(p.make_connectable()),
    "values": lambda p: p.values(),
}


class Thing:
    value = 0


def subscribed(publisher, subject):
    return subject.sink(lambda _: None), publisher.subscribe(subject)


def connected(publisher):
    return publisher.sink(lambda _: None), publisher.connect()


def iter_once(publisher):
    iterator = iter(Just(1).merge(publisher))
    next(iterator)
    return iterator


# Where a function of a stream begins another one.
PLACES = {
    "Deferred": lambda s, f: Deferred(lambda: f() or s().prefix(3)),
    "map": lambda s, f: s().map(lambda _: f()).prefix(3),
    "map of a sequence": lambda s, f: Just(1).map(lambda _: f()).merge(s().prefix(3)),
    "generator": lambda s, f: from_async_iterable(lambda: also(s, f)).prefix(3),
    "map_async": lambda s, f: Just(1).map_async(calling(f)).merge(s().prefix(3)),
    "receive_on": lambda s, f: s().prefix(3).receive_on(AsyncioScheduler()).map(lambda _: f()),
    "task": lambda s, f: Deferred(lambda: in_a_task(f) or s().prefix(3)),
}


async def also(source, function):
    function()
    async for value in source():
        yield value


def calling(function):
    async def call(_):
        function()

    return call


def in_a_task(function):
    running.add(asyncio.ensure_future(calling(function)(None)))


running = set()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("start", STARTS)
async def test_who_waits_does_not_wait_for_another_stream_that_a_function_has_begun(start, place):
    source, other, kept = Source(), Endless(), []

    def start_once():
        if not kept:
            kept.append(STARTS[start](other().prefix(2)))

    tasks = [asyncio.ensure_future(wait(PLACES[place](source, start_once))) for wait in WAITS]
    _, late = await asyncio.wait(tasks, timeout=LIMIT)
    await turns()
    assert kept and other.begun == 1 and other.ended == 0
    other.may_end.set()  # before the assertion that could fail, since those that wait for it would wait for ever
    await within(asyncio.gather(*tasks))
    assert not late
    await turns()
    assert other.ended == 1
    running.clear()
