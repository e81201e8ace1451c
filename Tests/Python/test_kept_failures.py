"""A failure that is kept and reaches many: its traceback is that of the last time only, whatever has passed it on."""

import contextlib
import dataclasses
import functools
import gc
import sys
import weakref

import pytest
import streams
from case_runner import PLAIN, Runner
from streams import Fail, Just, PassthroughSubject
from streams._subscriptions.sink import Waiting
from test_loses_nothing import LONG, OPERATORS
from test_tracebacks import Oops, failed, frames, raised_here


class Big:
    pass


def is_bounded(ask, error):
    """Whether an exception keeps nothing of those that have asked before the last one."""

    def catch():
        big = Big()
        alive.add(big)
        with contextlib.suppress(Exception):
            ask()

    alive = weakref.WeakSet()
    catch()
    once = frames(error)
    for _ in range(3):
        catch()
        gc.collect()
        if frames(error) != once or len(alive) > 1:
            return False
    return True


def again(error):
    raise error


class Passing:
    """An operator of a program."""

    def __init__(self, emitter):
        self.on_value, self.on_completion = emitter.send, self.end
        self.emitter = emitter

    def end(self, error):
        self.emitter.fail(error)


def relayed(publisher):
    subject = PassthroughSubject()
    publisher.sink(completion=subject.fail)
    return subject


def promised(publisher):
    return streams.Future(lambda promise: publisher.sink(completion=promise.reject))


WAYS = {
    "map_error": lambda p: p.map_error(lambda error: error),
    "map_error that raises": lambda p: p.map_error(again),
    "catch": lambda p: p.catch(Fail),
    "catch with more": lambda p: p.catch(lambda error: Just(1).append(Fail(error))),
    "catch with a subject": lambda p: p.catch(failed),
    "catch that raises": lambda p: p.catch(again),
    "catch twice": lambda p: p.catch(Fail).catch(Fail).map_error(lambda error: error),
    "dematerialize": lambda p: p.materialize().dematerialize(),
    "flat_map": lambda p: p.materialize().flat_map(lambda event: Fail(event.error)),
    "an operator of a program": lambda p: p.lift(Passing),
    "another subject": lambda p: streams.Deferred(lambda: relayed(p)),
    "a future": lambda p: streams.Deferred(lambda: promised(p)),
    "create": lambda p: streams.create(lambda emitter: p.sink(completion=emitter.fail)),
    "share": lambda p: p.catch(Fail).share(),
}


@pytest.mark.parametrize("name", WAYS)
def test_ways_to_pass_a_failure_on(name):
    error = raised_here()
    publisher = WAYS[name](failed(error))
    assert is_bounded(lambda: list(publisher), error)
    assert frames(error)[-1] == "raised_here"
    publisher.close()
    error.__traceback__ = None


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_each_operator_that_passes_a_failure_on(name, monkeypatch):
    monkeypatch.setattr(sys, "breakpointhook", lambda: None)

    def found(case, arguments):
        failures = []
        runner = Runner({**case, "subscriber": {}}, PLAIN)
        if name == "autoconnect":
            runner.connectable = source.make_connectable()
        publisher = runner.operator(source, name, *arguments)
        with publisher.sink(None, Waiting(failures.append)):
            if isinstance(publisher, streams.Connectable):
                runner.connection = publisher.connect()
            runner.scheduler.advance(LONG)
        runner.end_all()
        return failures

    def ask(each):
        for failure in filter(None, found(*each)):
            failure.throw()

    for each in OPERATORS[name]:
        error = raised_here()
        source = failed(error)
        assert is_bounded(functools.partial(ask, each), error)
        error.__traceback__ = None


@pytest.mark.parametrize("name", ["map_error", "map_error that raises", "catch", "catch that raises", "catch twice"])
def test_a_handler_that_passes_on_a_failure_of_a_stream_within_leaves_its_frames(name):
    def inner(_):
        return Fail(error).first_value()

    error = raised_here()
    with pytest.raises(Oops) as caught:
        WAYS[name](Just(1).map(inner)).run()
    found = frames(caught.value)
    assert found.index("inner") < found.index("raised_here")
    error.__traceback__ = caught = None


@dataclasses.dataclass(frozen=True)
class Frozen(Exception):
    code: int


def refuse(*_):
    raise Frozen(3)


HANDLERS = {
    "catch": lambda p, _: p.catch(refuse),
    "map_error": lambda p, _: p.map_error(refuse),
    "retry_backoff": lambda p, clock: p.retry_backoff(streams.Backoff(), clock, when=refuse),
    "map": lambda p, _: p.catch(Just).map(refuse),
    "another handler": lambda p, _: p.catch(refuse).catch(again).map_error(again),
    "a property": lambda p, _: streams.Deferred(lambda: Just(streams.Property(1).map(refuse).value)),
    "an operator of a program": lambda p, _: streams.Deferred(refuse),
}


@pytest.mark.parametrize("name", HANDLERS)
def test_a_function_may_raise_an_exception_that_cannot_be_changed(name):
    ends = []
    clock = streams.VirtualTimeScheduler()
    with HANDLERS[name](Fail(Oops()), clock).sink(completion=ends.append):
        clock.advance(1)
    assert ends == [Frozen(3)]
    ends[0].with_traceback(None)


@pytest.mark.parametrize("kind", [Oops, Frozen])
def test_those_who_read_a_property_that_has_failed_are_not_kept(kind):
    def fail(_):
        raise error

    error = kind(3)
    derived = streams.Property(1).map(fail)
    assert is_bounded(lambda: derived.value, error)
    derived.close()
    error.with_traceback(None)
