"""What is no Exception ends the stream and comes out of the call that caused the delivery."""

import asyncio
import gc
import threading

import pytest
from callers import CALLERS
from streams import (
    CurrentValueSubject,
    Deferred,
    Just,
    PassthroughSubject,
    Sequence,
    create,
    from_async_iterable,
    from_iterable,
)
from streams._native.library import library
from streams._program.escapes import pending


class Escape(BaseException):
    pass


KINDS = [KeyboardInterrupt, SystemExit, GeneratorExit, asyncio.CancelledError, Escape]
raised = []


@pytest.fixture(autouse=True)
def cut():
    """Nothing is left over, and the circles through what was raised are cut; see the fixture `error`."""
    yield
    for error in raised:
        error.__traceback__ = None
    raised.clear()
    assert not pending


def raiser(kind=Escape):
    def raise_it(*_):
        raised.append(kind("why"))
        raise raised[-1]

    return raise_it


@pytest.mark.parametrize("kind", KINDS)
def test_retry_is_no_answer_to_what_escapes(kind):
    raise_it, calls = raiser(kind), []

    def work():
        calls.append(None)
        raise_it()

    with pytest.raises(kind):
        Deferred(work).retry(5).run()
    assert len(calls) == 1


OPERATORS = {
    **CALLERS,
    "five maps": lambda p, f: p.map(str).map(str).map(f).map(str).map(str),
    "Deferred": lambda p, f: p.flat_map(lambda _: Deferred(f)),
    "create": lambda p, f: p.flat_map(lambda _: create(f)),
    "create's produce": lambda p, f: p.flat_map(lambda _: create(lambda emitter: f)),
    "an iterator": lambda p, f: p.flat_map(lambda _: from_iterable(map(f, [1]))),
    "iter()": lambda p, f: p.flat_map(lambda _: from_iterable(f)),
    "equality": lambda p, f: p.map(lambda _: type("Odd", (), {"__eq__": f, "__hash__": None})()).remove_duplicates(),
    "truth": lambda p, f: p.filter(lambda _: type("Vague", (), {"__bool__": f})()),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", OPERATORS)
def test_it_fails_the_stream_and_comes_out_of_sink(name, kind):
    ends = []
    with pytest.raises(kind) as caught:
        OPERATORS[name](Sequence([1, 2]), raiser(kind)).sink(completion=ends.append)
    assert ends == [raised[0]] and caught.value is raised[0] and len(raised) == 1


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("way", ["send", "send_many", "numbers", "finish"])
def test_it_comes_out_of_sending(name, way):
    ends = []
    subject = PassthroughSubject()
    cancellable = OPERATORS[name](subject, raiser()).sink(completion=ends.append)
    with pytest.raises(Escape) as caught:
        if way == "send":
            subject.send("a")
            subject.send("b")
        elif way == "finish":
            subject.send_many(["a", "b"])
        else:
            subject.send_many(["a", "b"] if way == "send_many" else [1, 2])
        subject.finish()
    assert ends == raised and caught.value is raised[0]
    cancellable.close()


def all_ways():
    """Every call that causes a delivery, each with what makes the publisher that delivers."""
    emitters = []

    def begin(emitter):
        emitters.append(emitter)
        return lambda most: None

    passthrough, current = PassthroughSubject(), CurrentValueSubject(0)
    made = create(begin)
    return {
        "send": (passthrough, lambda _: passthrough.send(1)),
        "bound send": (passthrough, lambda _, send=passthrough.send: send(1)),
        "send_many": (passthrough, lambda _: passthrough.send_many([1, 2])),
        "send_many objects": (passthrough, lambda _: passthrough.send_many("ab")),
        "send_many in portions": (passthrough, lambda _: passthrough.send_many(iter(range(5)))),
        "value": (current.drop_first(), lambda _: setattr(current, "value", 2)),
        "request": (Just(1), lambda subscriptions: subscriptions[0].request(1)),
        "emitter.send": (made, lambda _: emitters[-1].send(1)),
        "emitter.send_many": (made, lambda _: emitters[-1].send_many([1, 2])),
        "sink of another": (passthrough, lambda _: Just(1).sink(passthrough.send)),
        "subscribe": (passthrough, lambda _: Just(1).subscribe(passthrough)),
        "assign": (current.drop_first(), lambda _: Just(1).assign(current)),
        "assign to an attribute": (current.drop_first(), lambda _: Just(1).assign(current, "value")),
        "finish": (passthrough.collect(), lambda _: passthrough.finish()),
    }


@pytest.mark.parametrize("completion", [False, True], ids=["no completion", "completion"])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", all_ways())
def test_a_sinks_escape_comes_out_of_the_call_that_delivers(way, kind, completion):
    publisher, act = all_ways()[way]
    ends, subscriptions = [], []
    demand = 0 if way == "request" else 5
    options = {"completion": ends.append} if completion else {}
    cancellable = publisher.sink(raiser(kind), demand=demand, subscription=subscriptions.append, **options)
    with pytest.raises(kind) as caught:
        act(subscriptions)
    assert caught.value is raised[0] and len(raised) == 1
    assert ends == (raised if completion else [])
    cancellable.close()
    subscriptions.clear()


@pytest.mark.parametrize("where", ["completion", "subscription"])
def test_it_comes_out_of_a_sinks_other_functions(where):
    with pytest.raises(Escape):
        Just(1).sink(**{where: raiser()})


@pytest.mark.parametrize("event", ["subscription", "output", "completion", "request"])
def test_it_comes_out_of_event_handlers(event):
    with pytest.raises(Escape):
        Just(1).handle_events(**{f"receive_{event}": raiser()}).sink()


def test_it_comes_out_of_cancelling():
    for name in ("cancel", "close"):
        cancellable = PassthroughSubject().handle_events(receive_cancel=raiser()).sink()
        with pytest.raises(Escape):
            getattr(cancellable, name)()
        cancellable.close()


def test_the_sink_that_interrupts_is_cancelled_and_others_are_not():
    subject = PassthroughSubject()
    got = []
    cancellables = [subject.sink(got.append), subject.sink(raiser()), subject.sink(got.append)]
    for _ in range(2):
        try:
            subject.send(1)
        except Escape:
            got.append("escaped")
    assert got.count(1) == 4 and got.count("escaped") == 1
    cancellables.clear()


def test_it_comes_out_of_a_completion_that_had_to_wait_for_room():
    subject = PassthroughSubject()
    cancellable = subject.sink(subject.send, raiser())
    with pytest.raises(Escape):
        subject.send(1)
    cancellable.close()


@pytest.mark.parametrize("way", ["value", "batch"])
@pytest.mark.parametrize("kind", [Escape, ValueError])
def test_who_cancels_and_raises_within_is_heard_elsewhere(kind, way, unraisable):
    """The functions are gone when the outer call fails: what that raises must not be left pending."""
    subject, ends, calls = PassthroughSubject(), [], []

    def receive(_):
        calls.append(_)
        if len(calls) == 1:
            subject.send(2)
        else:
            cancellable.cancel()
        raiser(kind)()

    cancellable = subject.sink(**{way: receive}, completion=ends.append)
    if kind is Escape:
        with pytest.raises(Escape) as caught:
            subject.send(1)
        assert caught.value is raised[0] and unraisable == []
    else:
        subject.send(1)
        assert len(raised) == 2 and unraisable == raised
    assert len(calls) == 2 and ends == []
    cancellable.close()


def test_a_failure_with_it_that_nobody_handles_comes_out():
    subject = PassthroughSubject()
    cancellable = subject.sink(print)
    error = Escape()
    with pytest.raises(Escape) as caught:
        subject.fail(error)
    assert caught.value is error
    error.__traceback__ = None
    cancellable.close()


def test_catch_does_not_catch_it():
    asked = []
    with pytest.raises(Escape):
        Just(1).map(raiser()).catch(lambda error: asked.append(error) or Just(2)).sink(asked.append)
    assert asked == []


@pytest.mark.parametrize("way", ["send", "send_many"])
def test_a_completion_may_use_other_streams_meanwhile(way):
    """What escapes belongs to the call that delivered, and not to the next one that is made."""
    other, got = PassthroughSubject(), []
    listening = other.sink(got.append)

    def end(error):
        other.send("one")
        other.send_many(["two"])
        Just("three").sink(got.append)
        PassthroughSubject().sink(got.append).close()
        got.append(error)

    subject = PassthroughSubject()
    cancellable = subject.map(raiser()).sink(completion=end)
    with pytest.raises(Escape):
        subject.send(1) if way == "send" else subject.send_many([1])
    assert got == ["one", "two", "three", raised[0]]
    listening.close()
    cancellable.close()


def test_it_comes_out_of_every_call_on_its_way_until_it_is_handled():
    inner, outer, log = PassthroughSubject(), PassthroughSubject(), []

    def pass_on(value):
        try:
            inner.send(value)
        except Escape:
            log.append("handled")

    cancellables = [inner.sink(raiser()), outer.sink(pass_on)]
    outer.send(1)
    assert log == ["handled"]
    cancellables.clear()


def test_each_thread_gets_its_own():
    subject = PassthroughSubject()
    outcomes = []

    def fail(number):
        raise SystemExit(number)

    def send(number):
        cancellable = subject.filter(lambda n: n == number).sink(fail)
        try:
            subject.send(number)
        except SystemExit as error:
            outcomes.append((number, error.code))
        cancellable.close()

    threads = [threading.Thread(target=send, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
        thread.join()  # one after the other: a value that is sent meanwhile is delivered where the first one is
    assert outcomes == [(n, n) for n in range(8)]


def test_cancelling_what_another_thread_has_closed_is_no_error_while_an_exception_waits(monkeypatch):
    cancellable = PassthroughSubject().sink(print)
    cancel = library.streams_cancel

    def closed_meanwhile(handle):
        cancellable.close()
        return cancel(handle)

    monkeypatch.setattr(library, "streams_cancel", closed_meanwhile)
    monkeypatch.setitem(pending, -1, [])  # of another thread
    cancellable.cancel()
    assert cancellable.closed


# Calls that deliver a value to what raises, or make a stream that does.
DELIVERING = {
    "send": lambda subject: subject.send(1),
    "send_many": lambda subject: subject.send_many([1]),
    "send_many of objects": lambda subject: subject.send_many(["one"]),
    "sink": lambda _: Just(1).sink(raiser()),
    "assign": lambda _: Just(1).map(raiser()).assign(to=CurrentValueSubject(0)),
}


@pytest.mark.parametrize("name", DELIVERING)
def test_what_the_collector_calls_does_not_take_it(name):
    """Between the return of the library and the look at what has escaped."""
    other, before = PassthroughSubject(), gc.get_threshold()

    def collecting(phase, info):
        other.sink(print).cancel()

    gc.callbacks.append(collecting)
    try:
        for threshold in range(1, 40):
            subject = PassthroughSubject()
            cancellable = subject.sink(raiser(), [].append)
            gc.set_threshold(threshold)
            with pytest.raises(Escape):
                DELIVERING[name](subject)
            gc.set_threshold(*before)
            cancellable.cancel()
    finally:
        gc.set_threshold(*before)
        gc.callbacks.remove(collecting)


async def test_it_ends_async_for():
    async def values():
        yield 1

    with pytest.raises(Escape):
        async for _ in from_async_iterable(values).map(raiser()):
            raise AssertionError
