"""Calls that wait, in the last frames before the limit of nested calls: each ends, with its result or a RecursionError."""

import asyncio
import sys
import threading

import pytest
import streams
from streams import CurrentValueSubject, EventLoop, Just, PassthroughSubject, Property, Sequence

FAR = 110
LIMIT = sys.getrecursionlimit()
PATIENCE = 60.0


def plus_one(value):
    return value + 1


async def awaited(publisher):
    return await publisher


def in_a_loop(publisher):
    loop = EventLoop()
    try:
        return publisher.receive_on(loop).first_value(loop=loop)
    finally:
        loop.close()


WAYS = {
    "first_value": lambda publisher: publisher.first_value(),
    "run": lambda publisher: publisher.run(),
    "list": lambda publisher: list(publisher)[0],
    "for": lambda publisher: [value for value in publisher][0],
    "iterate": lambda publisher: [value for value in publisher.iterate(buffer=1)][0],
    "next": lambda publisher: next(publisher.iterate()),
    "a loop": in_a_loop,
    "await": lambda publisher: asyncio.run(awaited(publisher)),
}
PUBLISHERS = {
    "just": lambda function: Just(1).map(function),
    "sequence": lambda function: Sequence([1, "a"]).prefix(1).map(function),
    "scan": lambda function: Just(1).scan(0, lambda _, value: function(value)),
    "flat_map": lambda function: Just(1).flat_map(lambda value: Just(function(value))),
    "group_by": lambda function: Just(1).group_by(abs).flat_map(lambda group: group.map(function)),
    "emitter": lambda function: streams.create(lambda emitter: lambda _: (emitter.send(1), emitter.finish())).map(function),
    "future": lambda function: streams.Future(lambda promise: promise.resolve(1)).map(function),
    "published": lambda function: CurrentValueSubject(1).prefix(1).map(function),
}


def ends(function, *arguments):
    """Runs a function in a thread, and fails if that does not end. Returns its result."""
    outcome = []
    thread = threading.Thread(target=lambda: outcome.append(function(*arguments)), daemon=True)
    thread.start()
    thread.join(PATIENCE)
    assert not thread.is_alive(), "it waits without an end"
    return outcome[0]


def attempt(function):
    """The result of a function, or the exception."""
    try:
        return function()
    except BaseException as error:
        return type(error)


def deep_down(function):
    """The distinct results of a function in each of the last frames before the limit, the exceptions by class."""

    def walk(frames):
        return function() if frames == 0 else walk(frames - 1)

    limit = sys.getrecursionlimit()
    return {attempt(lambda frames=frames: walk(frames)) for frames in range(limit - FAR, limit)}


def in_a_callback(function):
    """The result of a function that a sink calls."""
    results = []
    subject = PassthroughSubject()
    with subject.sink(lambda _: results.append(function())):
        attempt(lambda: subject.send(1))
    return results[0]


PLACES = {"outside": lambda function: function(), "in a callback": in_a_callback}


@pytest.fixture(autouse=True)
def no_leaks():
    """A handle stays where there is no room for the call that would take it."""


@pytest.fixture(autouse=True)
def reports(monkeypatch):
    """Takes what is reported of callbacks, and of destructors, that there was no room for."""
    monkeypatch.setattr(sys, "unraisablehook", lambda report: None)


@pytest.mark.filterwarnings("ignore:coroutine.*was never awaited", "ignore::ResourceWarning")
@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("way", WAYS)
def test_a_wait_ends_with_the_value_or_a_recursion_error(way, place):
    for make in PUBLISHERS.values():
        call = WAYS[way]
        assert ends(PLACES[place], lambda: deep_down(lambda: call(make(plus_one)))) == {2, RecursionError}


@pytest.mark.filterwarnings("ignore:coroutine.*was never awaited", "ignore::ResourceWarning")
@pytest.mark.parametrize("way", [way for way in WAYS if way != "await"])
@pytest.mark.parametrize("name", PUBLISHERS)
def test_a_function_that_waits_for_itself_is_told_of_the_limit(name, way):
    depths = []

    def again(value):
        depths.append(value)
        return WAYS[way](PUBLISHERS[name](again))

    assert ends(attempt, lambda: again(1)) is RecursionError
    assert len(depths) > 10 and sys.getrecursionlimit() == LIMIT


async def counted(publisher):
    return sum([value async for value in publisher.values(buffer=2)])


COUNTS = {
    "iterate": lambda publisher: sum(publisher.iterate(buffer=2)),
    "values": lambda publisher: asyncio.run(counted(publisher)),
}


@pytest.mark.filterwarnings("ignore:coroutine.*was never awaited", "ignore::ResourceWarning")
@pytest.mark.parametrize("way", COUNTS)
def test_a_wait_for_a_stream_that_could_not_be_asked_for_more_ends(way):
    assert ends(deep_down, lambda: COUNTS[way](Sequence(range(8)).map(plus_one))) == {36, RecursionError}


@pytest.mark.parametrize("place", PLACES)
def test_reading_a_property_gives_its_value_or_a_recursion_error(place):
    def read():
        return Property(CurrentValueSubject(1)).map(plus_one).value

    assert ends(PLACES[place], lambda: deep_down(read)) == {2, RecursionError}


@pytest.mark.parametrize("way", ["first_value", "run", "list", "for"])
def test_a_wait_ends_when_another_thread_ends_the_stream_deep_down(way):
    outcomes = set()

    def finish(frames):
        return subject.finish() if frames == 0 else finish(frames - 1)

    for frames in range(sys.getrecursionlimit() - FAR, sys.getrecursionlimit()):
        subject, begun, outcome = PassthroughSubject(), threading.Event(), []
        publisher = subject.handle_events(receive_request=lambda _, begun=begun: begun.set())
        call = lambda publisher=publisher: WAYS[way](publisher)  # noqa: E731
        thread = threading.Thread(target=lambda outcome=outcome, call=call: outcome.append(attempt(call)), daemon=True)
        thread.start()
        assert begun.wait(PATIENCE)
        if attempt(lambda frames=frames: finish(frames)) is RecursionError:
            subject.finish()
        thread.join(PATIENCE)
        outcomes.update(outcome or ["waits", frames])
    assert outcomes - {None} <= {streams.NoValueError, IndexError, RecursionError}
    assert RecursionError in outcomes and len(outcomes) > 1
