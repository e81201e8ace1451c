"""The operators that Combine does not have. Demand and the order of events are the conformance table's."""

import itertools
import operator

import pytest
from recorder import Recorder, values_of
from streams import (
    CurrentValueSubject,
    Event,
    Fail,
    Just,
    PassthroughSubject,
    ReplaySubject,
    Sequence,
    StreamLimitError,
    from_iterable,
)


@pytest.mark.parametrize("method", ["zip", "combine_latest"])
def test_a_function_sees_the_values_as_its_arguments(method):
    combined = getattr(Just("a"), method)(Just(None), Just([1]), combine=lambda *values: values)
    assert values_of(combined) == [("a", None, [1])]
    (found,) = values_of(getattr(Just(object), method)(combine=lambda value: value))
    assert found is object


def test_a_function_that_raises_fails_the_stream():
    recorder = Recorder(Sequence([1, 2]).zip(Sequence([1, 0]), combine=operator.floordiv))
    assert recorder.values == [1] and isinstance(recorder.error, ZeroDivisionError)
    recorder = Recorder(Just(1).with_latest_from(Just(0), operator.floordiv))
    assert recorder.values == [] and isinstance(recorder.error, ZeroDivisionError)
    recorder = Recorder(Just(1).zip(Just(2), combine=lambda value: value))
    assert isinstance(recorder.error, TypeError)


def test_a_coroutine_function_is_refused():
    async def combine(*_):
        pass

    for call in (lambda: Just(1).zip(combine=combine), lambda: Just(1).with_latest_from(Just(2), combine)):
        with pytest.raises(TypeError, match="combine must be a plain function"):
            call()


def test_with_latest_from():
    text, save = CurrentValueSubject("draft"), PassthroughSubject()
    pairs, texts = Recorder(save.with_latest_from(text)), Recorder(save.with_latest_from(text, lambda _, text: text))
    save.send(1)
    text.send("letter")
    save.send(2)
    assert pairs.values == [(1, "draft"), (2, "letter")] and type(pairs.values[0]) is tuple
    assert texts.values == ["draft", "letter"]


def test_distinct():
    assert values_of(from_iterable([1, True, 1.0, "1", None, (1,), None, (1,)]).distinct()) == [1, "1", None, (1,)]
    assert values_of(Sequence(["a", "bc", "d"]).distinct(len)) == ["a", "bc"]
    assert isinstance(Recorder(Sequence([[1]]).distinct()).error, TypeError)
    assert values_of(Sequence([[1], [2], [1]]).distinct(tuple)) == [[1], [2]]


def test_distinct_compares_values_of_one_hash():
    class Key:
        def __init__(self, number):
            self.number = number

        def __hash__(self):
            return 7

        def __eq__(self, other):
            return self.number == other.number

    keys = [Key(1), Key(2), Key(1)]
    assert values_of(from_iterable(keys).distinct()) == keys[:2]


def test_distinct_fails_with_what_a_hash_raises():
    class Unhashable:
        def __hash__(self):
            raise KeyError("hash")

    assert isinstance(Recorder(Just(Unhashable()).distinct()).error, KeyError)


def test_distinct_may_be_sent_to_by_what_it_compares():
    subject = PassthroughSubject()

    class Key:
        sends = False

        def __hash__(self):
            return 7

        def __eq__(self, other):
            if self.sends:
                Key.sends = False
                subject.send(Key())
            return False

    recorder = Recorder(subject.distinct())
    subject.send(Key())
    Key.sends = True
    subject.send(Key())
    assert len(recorder.values) == 3


def test_pairwise():
    (pair,) = values_of(Sequence(["a", None]).pairwise())
    assert pair == ("a", None) and type(pair) is tuple


def test_sum():
    assert values_of(Sequence([2**63 - 1, 1, 0.5]).sum()) == [2**63 + 0.5]
    assert values_of(Sequence([]).sum()) == [0]
    assert isinstance(Recorder(Just("x").sum()).error, TypeError)


def test_repeat():
    assert values_of(from_iterable([1, 2]).repeat(2)) == [1, 2, 1, 2]
    assert values_of(Just(1).repeat().prefix(1000)) == [1] * 1000
    with pytest.raises(ValueError, match="times must not be negative"):
        Just(1).repeat(-1)


def test_events():
    error = KeyError("k")
    events = [Event("value", 1), Event("failed", error=error)]
    assert values_of(Just(1).append(Fail(error)).materialize()) == events
    assert values_of(Sequence([]).materialize()) == [Event("finished")]
    recorder = Recorder(Sequence(events).dematerialize())
    assert recorder.values == [1] and recorder.error is error
    assert isinstance(Recorder(Just(3).dematerialize()).error, TypeError)


def test_amb():
    a, b = PassthroughSubject(), PassthroughSubject()
    recorder = Recorder(a.amb(b))
    b.send(1)
    a.send(2)
    assert recorder.values == [1]


def test_sample():
    position, tick = PassthroughSubject(), PassthroughSubject()
    recorder = Recorder(position.sample(tick))
    for n in range(3):
        position.send(n)
    tick.send(None)
    tick.finish()
    assert recorder.values == [2] and recorder.finished


def test_concat_map():
    assert values_of(Sequence([1, 2]).concat_map(lambda n: Sequence([n] * n))) == [1, 2, 2]


def test_concat_map_does_not_drain_an_endless_iterable():
    numbers, inner = itertools.count(), PassthroughSubject()
    assert values_of(from_iterable(numbers).concat_map(Just).prefix(3)) == [0, 1, 2]
    endless = from_iterable(numbers)
    for publisher in endless, endless.prefix_until_output(inner), endless.remove_duplicates():
        with publisher.concat_map(lambda n: inner).sink(print):
            assert next(numbers) < 100


@pytest.mark.parametrize("kind", [PassthroughSubject, lambda: CurrentValueSubject(0), ReplaySubject])
@pytest.mark.parametrize(
    "between",
    [
        lambda p: p,
        lambda p: p.scan(0, max),
        lambda p: p.remove_duplicates(),
        lambda p: p.drop_while(lambda n: False),
        lambda p: p.prepend(Just(0)),
        lambda p: Just(0).concat_map(lambda _: p),
    ],
)
def test_concat_map_keeps_what_a_subject_sends_before_its_time(kind, between):
    subject, inners, got = kind(), {n: PassthroughSubject() for n in range(4)}, []
    with between(subject).concat_map(lambda n: inners[n]).sink(got.append):
        subject.send_many([1, 2])
        subject.send(3)
        for n, inner in inners.items():
            inner.send(n * 10)
            inner.finish()
    assert got[-3:] == [10, 20, 30] and subject.dropped == 0


def test_distinct_compares_as_python_does_however_numbers_were_sent():
    subject, got = PassthroughSubject(), []
    cancellable = subject.distinct().sink(got.append)
    subject.send(1)
    subject.send_many([1, 2])
    subject.send_many([2, "x"])
    subject.send_many([2.0, 3.0])
    cancellable.close()
    assert got == [1, 2, "x", 3.0]


def test_materialize_keeps_the_kind_of_an_error():
    chain = subject = PassthroughSubject()
    for _ in range(20000):
        chain = chain.map(lambda value: value)
        chain = chain.handle_events()
    direct, by_events = [], []
    chain.sink(print, direct.append).close()
    chain.materialize().dematerialize().sink(print, by_events.append).close()
    subject.close()
    assert [type(error) for error in by_events] == [type(error) for error in direct] == [StreamLimitError]


@pytest.mark.parametrize("value", [Event("zork", 5), 5])
def test_what_is_no_event_is_no_end(value):
    with pytest.raises(TypeError, match="dematerialize: a value must be an Event"):
        Sequence([value]).dematerialize().run()
