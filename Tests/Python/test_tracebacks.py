"""The tracebacks of failures that streams keep or pass on: what they have, and what they keep alive."""

import asyncio
import contextlib
import gc
import sys
import traceback
import weakref

import pytest
import streams
from streams import Fail, Just, PassthroughSubject


class Oops(Exception):
    pass


def frames(error):
    return [frame.f_code.co_name for frame, _ in traceback.walk_tb(error.__traceback__)]


def raised_here():
    try:
        raise Oops("down")
    except Oops as error:
        return error


def failed(error):
    subject = PassthroughSubject()
    subject.fail(error)
    return subject


def shared(error):
    publisher = Fail(error).share()
    publisher.sink(completion=lambda _: None)
    return publisher


KEEPERS = {
    "Fail": Fail,
    "an operator": lambda error: Fail(error).map(str).merge(Just(1)),
    "subject": failed,
    "Future": lambda error: streams.Future(lambda promise: promise.reject(error)),
    "share": shared,
}


async def awaited(publisher):
    await publisher


async def looped(publisher):
    async for _ in publisher:
        pass


ASKERS = {
    "first_value": lambda publisher: publisher.first_value(),
    "run": lambda publisher: publisher.run(),
    "list": list,
    "await": lambda publisher: asyncio.run(awaited(publisher)),
    "async for": lambda publisher: asyncio.run(looped(publisher)),
}


@pytest.mark.parametrize("asker", ASKERS)
@pytest.mark.parametrize("keeper", KEEPERS)
def test_a_failure_that_is_kept_has_the_traceback_of_the_last_time_only(keeper, asker):
    class Big:
        pass

    def ask():
        big = Big()
        alive.add(big)
        with contextlib.suppress(Oops):
            ASKERS[asker](publisher)

    alive = weakref.WeakSet()
    error = raised_here()
    publisher = KEEPERS[keeper](error)
    ask()
    once = frames(error)
    assert once[0] == "ask" and once[-1] == "raised_here"
    for _ in range(10):
        ask()
        gc.collect()
        assert frames(error) == once and len(alive) == 1
    publisher.close()
    error.__traceback__ = None


def test_a_failure_of_a_stream_within_a_stream_keeps_its_frames():
    def inner(_):
        return Fail(error).first_value()

    for _ in range(50):  # what is made anew may lie where something else was
        error = raised_here()
        with pytest.raises(Oops) as caught:
            Just(1).map(inner).run()
        found = frames(caught.value)
        assert found.index("inner") < found.index("raised_here")
        error.__traceback__ = caught = None


FAILED_INSIDE = {
    "share": lambda subject: subject.map(lambda n: 100 // n).share(),
    "share with values": lambda subject: subject.map(lambda n: 100 // n).share(replay=2),
    "multicast": lambda subject: subject.map(lambda n: 100 // n).multicast(streams.ReplaySubject(1)).autoconnect(),
}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="frames know their callers for ever")
@pytest.mark.parametrize("name", FAILED_INSIDE)
def test_a_failure_does_not_keep_who_called(name):
    """It is kept by the library, and would keep the variables of this function, and they the publisher that keeps it."""

    def request():
        big = Oops()
        alive.add(big)
        subject = PassthroughSubject()
        publisher = FAILED_INSIDE[name](subject)
        ends = []
        cancellable = publisher.sink(None, lambda error: ends.append(frames(error)))
        subject.send(0)
        assert ends == [["<lambda>"]]
        cancellable.cancel()

    alive = weakref.WeakSet()
    for _ in range(3):
        request()
    gc.collect()
    assert not alive


def test_an_error_that_a_function_raises_again_keeps_nothing():
    """Its traceback would end in the very stream whose error it is, where Python's collector cannot look."""

    def again(error):
        raise error

    class Own(Exception):
        pass

    for operator in ("map_error", "catch"):
        for _ in range(20):
            error = Own("once")
            ends = []
            getattr(streams.Fail(error), operator)(again).sink(None, ends.append).close()
            assert ends == [error]
            del error, ends
    gc.collect()  # the fixture counts what is left


def again_and_again(times, wait):
    """The names of an exception's frames, after a function has raised it that often and each time a stream has failed."""

    def fail(_):
        raise error

    error = raised_here()
    for _ in range(times):
        with contextlib.suppress(Oops):
            wait(Just(1).map(fail))
    found = frames(error)
    error.__traceback__ = None
    return found


REPEATED = {
    "sink": lambda publisher: publisher.sink(None, lambda _: None).close(),
    "catch": lambda publisher: publisher.catch(lambda _: Just(2)).sink(None).close(),
    "run": lambda publisher: publisher.run(),
    "first_value": lambda publisher: publisher.first_value(),
}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="frames know their callers for ever")
@pytest.mark.parametrize("way", REPEATED)
def test_an_exception_that_is_raised_without_end_has_a_traceback_that_ends(way):
    """Each call that looks at it goes through it."""
    few, many, more = (again_and_again(times, REPEATED[way]) for times in (10, 500, 1000))
    assert len(few) < len(many) == len(more) < 300
    # It begins with the last time, and ends with the first.
    assert more[:10] == few[:10] and more[-1] == few[-1] == "raised_here"


@pytest.mark.skipif(sys.version_info < (3, 11), reason="frames know their callers for ever")
def test_a_long_traceback_of_one_time_is_whole():
    def generated(depth):
        yield from deeper(depth)

    def deeper(depth):
        if depth == 0:
            raise Oops
        try:
            return list(generated(depth - 1))
        except Oops as error:
            raise error

    def function(_):
        return deeper(100)

    ends = []
    Just(1).map(function).sink(None, ends.append).close()
    found = frames(ends[0])
    assert found == ["function", "deeper", *["deeper", "generated", "deeper"] * 100]
    ends[0].__traceback__ = None
