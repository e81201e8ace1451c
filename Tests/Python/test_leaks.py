"""What a stream no longer needs is released: objects, exceptions, callbacks, handles."""

import gc
import sys
import weakref

import pytest
from callers import CALLERS
from recorder import Recorder, values_of
from streams import (
    CurrentValueSubject,
    Deferred,
    Fail,
    Future,
    Just,
    PassthroughSubject,
    Record,
    Sequence,
    from_iterable,
)
from streams._native.library import library


class Thing:
    """An object that can be watched."""

    def __call__(self, *arguments):
        return arguments[-1] if arguments else None


def count(thing):
    return sys.getrefcount(thing)


WAYS = {
    "Just": lambda v: values_of(Just(v)),
    "Sequence": lambda v: values_of(Sequence([v, None])),
    "from_iterable": lambda v: values_of(from_iterable([v, v])),
    "map": lambda v: values_of(Just(v).map(lambda it: it)),
    "filter": lambda v: values_of(Just(v).filter(lambda it: False)),
    "compact_map": lambda v: values_of(Just(v).compact_map(lambda it: it)),
    "remove_duplicates": lambda v: values_of(Sequence([v, v]).remove_duplicates()),
    "scan": lambda v: values_of(Sequence([1, 2]).scan(v, lambda a, b: a)),
    "reduce": lambda v: values_of(Sequence([v, v]).reduce(v, lambda a, b: b)),
    "collect": lambda v: values_of(Sequence([v, v, v]).collect(2).map(lambda it: it)),
    "flat_map": lambda v: values_of(Just(v).flat_map(lambda it: Sequence([it, it]))),
    "switch_to_latest": lambda v: values_of(Just(v).switch_to_latest(lambda it: Sequence([it, it]))),
    "buffer": lambda v: Sequence([v, v, v]).buffer(2, "keep_full", "drop_newest").sink(demand=1).close(),
    "share": lambda v: values_of(Sequence([v, v]).share()),
    "Record": lambda v: Recorder(Record([v], ValueError(v))),
    "Future": lambda v: values_of(Future(lambda promise: promise.resolve(v))),
    "Deferred": lambda v: values_of(Deferred(lambda: Just(v))),
    "zip": lambda v: values_of(Just(v).zip(Sequence([v, v]))),
    "combine_latest": lambda v: values_of(Just(v).combine_latest(Just(v))),
    "merge": lambda v: values_of(Just(v).merge(Just(v))),
    "handle_events": lambda v: values_of(Just(v).handle_events(receive_output=lambda it: None)),
    "print": lambda v: values_of(Just(v).print(to=Null())),
    "catch": lambda v: values_of(Fail(ValueError(v)).catch(lambda e: Just(e.args[0]))),
    "prefix": lambda v: values_of(Sequence([v, v, v]).prefix(2)),
    "drop_first": lambda v: values_of(Sequence([v, v, v]).drop_first(2)),
    "batch": lambda v: Sequence([v, v]).sink(batch=lambda it: None).close(),
    "failing callback": lambda v: Recorder(Just(v).map(lambda it: 1 / 0)).error,
    "value": lambda v: setattr(CurrentValueSubject(v), "value", v),
    "assign": lambda v: Just(v).assign(Thing(), "attribute").close(),
}


class Null:
    def write(self, text):
        pass


@pytest.mark.parametrize("name", WAYS)
def test_values_are_let_go_of(name):
    thing = Thing()
    WAYS[name](thing)
    gc.collect()
    before = count(thing)
    for _ in range(5):
        WAYS[name](thing)
    gc.collect()
    assert count(thing) == before


@pytest.mark.parametrize("sent", ["one", "many", "current"])
def test_values_sent_are_not_kept(sent):
    thing = Thing()
    subject = CurrentValueSubject(None) if sent == "current" else PassthroughSubject()
    recorder = Recorder(subject.map(lambda v: 1))
    before = count(thing)
    for _ in range(10):
        if sent == "many":
            subject.send_many([thing, thing])
        else:
            subject.send(thing)
    assert count(thing) == before + (sent == "current")
    if sent == "current":
        subject.send(None)
        assert count(thing) == before
    recorder.cancellable.close()


CALLBACKS = {
    **CALLERS,
    "handle_events": lambda p, f: p.handle_events(receive_output=f, receive_cancel=f, receive_request=f),
}


@pytest.mark.parametrize("name", CALLBACKS)
@pytest.mark.parametrize("subscribed", [False, True])
def test_callbacks_are_let_go_of_with_the_publisher_and_the_stream(name, subscribed):
    function = Thing()
    gone = weakref.ref(function)
    subject = PassthroughSubject()
    publisher = CALLBACKS[name](subject, function)
    del function
    recorder = Recorder(publisher) if subscribed else None
    del publisher
    gc.collect()
    assert (gone() is None) is not subscribed
    if recorder:
        recorder.cancellable.cancel()
        assert gone() is None


@pytest.mark.parametrize("end", ["finish", "fail"])
@pytest.mark.parametrize("way", ["value", "batch", "completion", "subscription"])
def test_a_sinks_functions_are_let_go_of_at_the_end(way, end):
    function = Thing()
    gone = weakref.ref(function)
    subject = PassthroughSubject()
    functions = {"completion": lambda error: None, way: function}
    cancellable = subject.sink(**functions)
    del function, functions
    if end == "finish":
        subject.finish()
    else:
        subject.fail(ValueError())
    assert gone() is None
    cancellable.close()


def test_a_refused_call_keeps_nothing():
    function = Thing()
    gone = weakref.ref(function)
    before = library.streams_live_handles()
    closed = Just(1)
    closed.close()
    for call in (closed.map, closed.filter, closed.flat_map, closed.catch, closed.sink, closed.remove_duplicates):
        with pytest.raises(ValueError):
            call(function)
    with pytest.raises(ValueError):
        closed.handle_events(receive_output=function)
    with pytest.raises(TypeError):
        Just(1).merge(Just(2), None)
    with pytest.raises(TypeError):
        Just(1).map(None)
    with pytest.raises(TypeError):
        Just(1).sink(function, batch=function)
    del function, call
    gc.collect()
    assert gone() is None
    assert library.streams_live_handles() == before


def test_exceptions_are_let_go_of():
    class Oops(Exception):
        pass

    error = Oops()
    gone = weakref.ref(error)
    subject = PassthroughSubject()
    subject.fail(error)
    recorders = [Recorder(subject.catch(Fail)), Recorder(subject.map(str))]
    assert all(recorder.error is error for recorder in recorders)
    del error, recorders, subject
    gc.collect()
    assert gone() is None


def test_frames_of_failed_callbacks_are_let_go_of():
    thing = Thing()
    gone = weakref.ref(thing)

    def function(held):
        raise ValueError

    recorder = Recorder(Just(thing).map(function))
    del thing
    assert recorder.error.__traceback__.tb_frame is not None
    del recorder
    gc.collect()
    assert gone() is None


def test_handles_of_a_pipeline():
    before = library.streams_live_handles()
    subject = PassthroughSubject()
    publisher = subject.map(str).filter(bool).flat_map(Just).catch(Fail).print(to=Null())
    cancellable = publisher.merge(Just("x")).sink(lambda _: None)
    assert library.streams_live_handles() > before
    subject.send(1)
    cancellable.close()
    publisher.close()
    subject.close()
    gc.collect()
    assert library.streams_live_handles() == before


def test_a_cycle_through_a_stream_is_broken_by_cancelling():
    class Owner:
        def __init__(self, subject):
            self.cancellable = subject.sink(self.value)

        def value(self, value):
            pass

    subject = PassthroughSubject()
    owner = Owner(subject)
    gone = weakref.ref(owner)
    owner.cancellable.close()
    del owner
    gc.collect()
    assert gone() is None
