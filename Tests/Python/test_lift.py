"""Operators of one's own: Publisher.lift."""

import gc
import threading
import weakref

import pytest
import streams
from hypothesis import given, strategies
from recorder import Recorder
from streams import Emitter, Fail, PassthroughSubject, Sequence
from streams._native.library import library


class Repeat:
    """Each value n times, and at the end how the publisher ended."""

    def __init__(self, emitter, times=2):
        self.emitter, self.times, self.closed = emitter, times, 0

    def on_value(self, value):
        for _ in range(self.times):
            self.emitter.send(value)

    def on_completion(self, error):
        self.emitter.send(repr(error))

    def close(self):
        self.closed += 1


def test_each_value_is_many():
    made = []
    got = list(Sequence("ab").lift(lambda emitter: made.append(Repeat(emitter)) or made[-1]))
    assert got == ["a", "a", "b", "b", "None"]
    assert [each.closed for each in made] == [1]


def test_what_is_not_demanded_waits():
    asked = []
    log = Recorder(Sequence([1, 2, 3]).handle_events(receive_output=asked.append).lift(Repeat), demand=1)
    assert (log.values, asked) == ([1], [1])
    log.subscription.request(1)
    assert (log.values, asked) == ([1, 1], [1])
    log.subscription.request(3)
    assert (log.values, asked) == ([1, 1, 2, 2, 3], [1, 2, 3])
    log.subscription.request(2)
    assert log.values[5:] == [3, "None"] and log.finished


def test_a_function_is_enough():
    assert list(Sequence(range(6)).lift(lambda emitter: lambda value: emitter.send(value) if value % 2 else None)) == [
        1,
        3,
        5,
    ]


def test_it_ends_the_stream_itself():
    def first_even(emitter):
        def on_value(value):
            assert emitter.demand
            if value % 2 == 0:
                assert emitter.send(value)
                emitter.finish()
                assert not emitter.send(value) and emitter.demand == 0

        return on_value

    assert list(streams.from_iterable(iter([1, 3, 4, 5, 6])).lift(first_even)) == [4]


def test_what_it_raises_fails_the_stream():
    class Broken(Repeat):
        def on_value(self, value):
            self.emitter.send(value)
            raise KeyError(value)

    with pytest.raises(KeyError, match="1"):
        list(Sequence([1, 2]).lift(Broken))
    log = Recorder(Sequence([1, 2]).lift(Broken), demand=1)
    assert log.values == [1] and isinstance(log.error, KeyError)

    def refuse(emitter):
        raise LookupError("no")

    assert isinstance(Recorder(Sequence([1]).lift(refuse)).error, LookupError)


def test_the_failure_of_the_publisher_is_told():
    log = Recorder(Fail(ValueError("x")).lift(Repeat))
    assert log.values == ["ValueError('x')"] and isinstance(log.error, ValueError)

    class Recovering(Repeat):
        def on_completion(self, error):
            self.emitter.send(0)
            self.emitter.finish()

    assert list(Fail(ValueError("x")).lift(Recovering)) == [0]


@pytest.mark.parametrize("begin, what", [(None, "begin"), (3, "begin"), (lambda _: 3, "begin returns"),
                                         (lambda _: object(), "begin returns")])  # fmt: skip
def test_bad_operators(begin, what):
    with pytest.raises(TypeError, match=what):
        list(Sequence([1]).lift(begin))


def test_a_coroutine_is_refused():
    async def on_value(value):
        pass

    with pytest.raises(TypeError, match="plain function"):
        list(Sequence([1]).lift(lambda _: on_value))


def test_each_subscription_has_its_own():
    made = []
    publisher = Sequence([1]).lift(lambda emitter: made.append(Repeat(emitter)) or made[-1])
    assert list(publisher) == list(publisher) == [1, 1, "None"]
    assert len(made) == 2 and made[0] is not made[1]


def test_another_thread_sends():
    def beside(emitter: "Emitter[int]"):
        threads = [threading.Thread(target=lambda: [emitter.send(-1) for _ in range(500)]) for _ in range(2)]
        for thread in threads:
            thread.start()

        class Joining:
            on_value = staticmethod(emitter.send)

            def on_completion(self, error):
                for thread in threads:
                    thread.join()

        return Joining()

    for _ in range(10):
        got = list(Sequence(range(100)).lift(beside))
        assert [each for each in got if each >= 0] == list(range(100))
        assert got.count(-1) == 1000


def test_nothing_is_left():
    before = library.streams_live_handles()
    subject, gone = PassthroughSubject(), []

    def begin(emitter):
        operator = Repeat(emitter)
        gone.append(weakref.ref(operator))
        return operator

    for end in ("cancel", "finish", "let go"):
        log = Recorder(subject.lift(begin), demand=1)
        subject.send(1)
        if end == "finish":
            subject.finish()
            log.subscription.request(5)
            assert log.values == [1, 1, "None"] and log.finished
        elif end == "cancel":
            log.cancellable.cancel()
        del log
        subject = PassthroughSubject() if end == "finish" else subject
    del subject
    gc.collect()
    assert [each() for each in gone] == [None] * 3
    assert library.streams_live_handles() <= before


@given(
    strategies.lists(strategies.integers(0, 5)), strategies.lists(strategies.integers(1, 4), min_size=1),
    strategies.integers(0, 3),
)  # fmt: skip
def test_it_sends_in_order_what_was_demanded(values, requests, begin):
    """However many it makes of each value, and however they are demanded."""

    def spread(emitter):
        return lambda value: [emitter.send((value, index)) for index in range(value)]

    whole = [(value, index) for value in values for index in range(value)]
    asked = []
    log = Recorder(Sequence(values).handle_events(receive_output=asked.append).lift(spread), demand=begin)
    demanded = begin
    for more in requests:
        assert log.values == whole[:demanded]
        # Those of which nothing is made are replaced.
        assert sum(1 for each in asked if each) <= demanded
        log.subscription.request(more)
        demanded += more
    assert log.values == whole[:demanded]
    log.subscription.request(streams.UNLIMITED)
    assert log.values == whole and log.finished


@pytest.mark.parametrize("more", [1, streams.UNLIMITED])
@pytest.mark.parametrize("is_replayed", [False, True])
def test_what_is_requested_within_a_value_comes(more, is_replayed):
    source = streams.ReplaySubject(3) if is_replayed else streams.CurrentValueSubject(0)
    source.send(0)
    values, subscriptions = [], []

    def take(value):
        values.append(value)
        if value == 0:
            subscriptions[0].request(more)
            source.send(1)
            source.send(2)

    with source.lift(lambda emitter: emitter.send).sink(take, demand=1, subscription=subscriptions.append):
        # Of a subject with a current value, one that is behind gets the latest.
        assert values[:2] == [0, 1 if is_replayed else 2]
