"""Sources, subscribers and schedulers, here and in RxPY."""

import asyncio
import concurrent.futures
import itertools
import operator

import pytest
import streams
from hypothesis import given
from hypothesis import strategies as st
from reactivex.scheduler import ImmediateScheduler
from reactivex.scheduler.eventloop import AsyncIOScheduler
from rxpy_sources import FEWER, Broken, Here, There, called, happens_here, happens_there, ops, ours, played, rx, theirs

VALUES = st.lists(st.integers(-4, 4), max_size=5)
NUMBERS = [1, 2, 3, 2]


def sends_here(values):
    """RxPY's function pushes; this one is asked."""

    def begin(emitter):
        left = iter(values)

        def produce(most):
            for value in itertools.islice(left, most):
                emitter.send(value)
            if not operator.length_hint(left):
                emitter.finish()

        return produce

    return begin


def sends_there(values):
    def subscribe(observer, _):
        for value in values:
            observer.on_next(value)
        observer.on_completed()

    return subscribe


def odd_here(publisher):
    """An operator of one's own, which drops even numbers."""
    return publisher.lift(lambda emitter: lambda value: emitter.send(value) if value % 2 else None)


def odd_there(observable):
    def subscribe(observer, scheduler):
        return observable.subscribe(
            lambda value: observer.on_next(value) if value % 2 else None,
            observer.on_error,
            observer.on_completed,
            scheduler=scheduler,
        )

    return rx.create(subscribe)


def done(values):
    future = concurrent.futures.Future()
    future.set_result(values)
    return future


SOURCES = {
    "just": (lambda values: streams.Just(values), lambda values: rx.just(values)),
    "empty": (lambda _: streams.Empty(), lambda _: rx.empty()),
    "empty never": (lambda _: streams.Empty(False), lambda _: rx.never()),
    "fail": (lambda _: streams.Fail(Broken()), lambda _: rx.throw(Broken())),
    "sequence": (streams.Sequence, rx.from_iterable),
    "from_iterable": (streams.from_iterable, rx.from_iterable),
    "deferred": (lambda values: streams.Deferred(lambda: streams.Sequence(values)), lambda values: rx.defer(lambda _: rx.from_iterable(values))),
    "deferred raising": (lambda _: streams.Deferred(lambda: 1 / 0), lambda _: rx.defer(lambda _: 1 / 0)),
    "future": (lambda values: streams.Future(lambda promise: promise.resolve(values)), lambda values: rx.from_future(done(values))),
    "create": (lambda values: streams.create(sends_here(values)), lambda values: rx.create(sends_there(values))),
    "lift": (lambda values: odd_here(ours(values)), lambda values: odd_there(theirs(values))),
    "pipe": (lambda values: ours(values).pipe(lambda p: p.map(abs), lambda p: p.sum()), lambda values: theirs(values).pipe(ops.map(abs), ops.sum())),
}  # fmt: skip


@pytest.mark.parametrize("name", SOURCES)
@FEWER
@given(values=VALUES)
def test_sources_do_the_same(name, values):
    here, there = SOURCES[name]
    assert happens_here(here(values)) == happens_there(there(values))


async def awaited(hear, make):
    """What comes on asyncio's loop."""
    events, over = [], asyncio.Event()
    cancellable = hear(make(asyncio.get_running_loop()), events.append, lambda end: (events.append(end), over.set()))
    await asyncio.wait_for(over.wait(), 60)
    cancellable()
    return events


def test_asyncios_loop_keeps_the_order():
    here = awaited(Here.hear, lambda loop: ours(NUMBERS).receive_on(streams.AsyncioScheduler(loop)))
    there = awaited(There().hear, lambda loop: theirs(NUMBERS).pipe(ops.observe_on(AsyncIOScheduler(loop))))
    assert asyncio.run(here) == asyncio.run(there) == [*NUMBERS, "finished"]


def test_at_once_is_the_same():
    here = ours(NUMBERS).receive_on(streams.ImmediateScheduler())
    assert happens_here(here) == happens_there(theirs(NUMBERS).pipe(ops.observe_on(ImmediateScheduler())))


def raised(call):
    try:
        return call()
    except Broken as error:
        error.__traceback__ = None  # it would keep what is on the stack
        return called(error)


SUBSCRIBERS = {
    "sink": (happens_here, happens_there),
    "iterate": (lambda p: raised(lambda: [*p.iterate()]), lambda p: raised(p.pipe(ops.to_iterable()).run)),
    "run": (lambda p: raised(p.run), lambda p: raised(p.run)),
}


@pytest.mark.parametrize("name", SUBSCRIBERS)
@FEWER
@given(values=VALUES.filter(len), fails=st.booleans())
def test_subscribers_hear_the_same(name, values, fails):
    here, there = SUBSCRIBERS[name]
    assert here(ours(values, fails)) == there(theirs(values, fails))


def test_virtual_time_passes_alike():
    """The clocks by which operators with time are compared."""
    script = [(1, 0, "value", 1), (2_500_000, 0, "value", 2), (4_000_001, 0, "finish", 0)]
    heard = [(1, 1), (2_500_000, 2), (4_000_001, "finished")]
    assert played(Here(), lambda _, p: p, 1, script) == played(There(), lambda _, p: p, 1, script) == heard


COMPARED = [*SOURCES, *SUBSCRIBERS, "virtual_time_scheduler", "immediate_scheduler", "asyncio_scheduler"]
