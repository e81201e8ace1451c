"""Several subscribers of one publisher: share, multicast and what is connectable."""

import gc
import itertools

import pytest
from recorder import Recorder, values_of
from streams import Connectable, CurrentValueSubject, EventLoop, Just, PassthroughSubject, Sequence, from_iterable


def counted(starts):
    """A publisher that notes each subscription, and never ends."""
    subject = PassthroughSubject()
    noted = subject.handle_events(
        receive_subscription=lambda _: starts.append("began"), receive_cancel=lambda: starts.append("over")
    )
    return subject, noted


def test_share():
    events = []
    subject, publisher = counted(events)
    shared = publisher.share()
    first, second = Recorder(shared), Recorder(shared)
    subject.send(1)
    assert (first.values, second.values, events) == ([1], [1], ["began"])
    first.cancellable.cancel()
    subject.send(2)
    assert (first.values, second.values, events) == ([1], [1, 2], ["began"])
    second.cancellable.cancel()
    assert events == ["began", "over"]
    third = Recorder(shared)
    subject.send(3)
    assert (third.values, events) == ([3], ["began", "over", "began"])


def test_who_comes_after_the_end_gets_only_that():
    shared = Sequence([1, 2]).share()
    assert values_of(shared) == [1, 2]
    assert values_of(shared) == []


def test_share_with_replay():
    events = []
    subject, publisher = counted(events)
    shared = publisher.share(replay=2)
    first = Recorder(shared)
    subject.send_many([1, 2, 3])
    second = Recorder(shared, demand=1)
    assert (first.values, second.values, events) == ([1, 2, 3], [2], ["began"])
    subject.finish()
    assert values_of(shared) == [2, 3] and events == ["began"]


def test_connectable():
    news = Sequence([1, 2]).map(lambda n: n * 10).make_connectable()
    assert isinstance(news, Connectable)
    first, second = Recorder(news), Recorder(news.map(str))
    assert (first.values, second.values) == ([], [])
    connection = news.connect()
    assert (first.values, second.values) == ([10, 20], ["10", "20"])
    assert first.finished and second.finished
    connection.close()


def test_a_connection_ends_when_nobody_holds_it():
    events = []
    subject, publisher = counted(events)
    news = publisher.make_connectable()
    recorder = Recorder(news)
    connection = news.connect()
    subject.send(1)
    del connection
    gc.collect()
    subject.send(2)
    assert (recorder.values, recorder.ends, events) == ([1], [], ["began", "over"])


def test_two_connections_send_twice():
    subject = PassthroughSubject()
    news = subject.make_connectable()
    recorder = Recorder(news)
    with news.connect(), news.connect():
        subject.send(1)
    subject.send(2)
    assert recorder.values == [1, 1]


def test_multicast():
    latest = CurrentValueSubject(0)
    numbers = from_iterable([1, 2]).multicast(latest)
    recorder = Recorder(numbers)
    with numbers.connect():
        assert (recorder.values, latest.value) == ([0, 1, 2], 2)
    assert recorder.finished


def test_autoconnect():
    events = []
    subject, publisher = counted(events)
    shared = publisher.multicast(CurrentValueSubject("none")).autoconnect()
    first = Recorder(shared)
    subject.send("one")
    second = Recorder(shared)
    assert (first.values, second.values) == (["none", "one"], ["one"])
    first.cancellable.cancel()
    assert events == ["began"]
    second.cancellable.cancel()
    assert events == ["began", "over"]


def test_a_closed_connectable():
    news = Just(1).make_connectable()
    publisher = news.map(str)
    news.close()
    for use in (news.connect, news.autoconnect, news.share):
        with pytest.raises(ValueError):
            use()
    assert Recorder(publisher).ends == []


def test_a_subject_is_needed():
    for wrong in (None, 3, Just(1)):
        with pytest.raises(TypeError, match="a Subject is needed"):
            Just(1).multicast(wrong)


@pytest.mark.parametrize("shared", [lambda p: p.share(), lambda p: p.make_connectable().autoconnect()])
def test_an_endless_upstream_is_cancelled_while_it_is_being_connected(shared):
    """The last of the subscribers leaves before the connection is made."""
    numbers, received = itertools.count(), []
    shared(from_iterable(lambda: numbers)).prefix(3).sink(received.append)
    assert received == [0, 1, 2] and next(numbers) == 3


@pytest.mark.parametrize("count", range(2, 6))
@pytest.mark.parametrize("size", range(2, 9))
@pytest.mark.parametrize("kind", ["share", "autoconnect", "multicast"])
def test_an_array_is_shared_as_single_values_are_when_its_subscriber_comes_again(kind, size, count):
    def received(send):
        subject = PassthroughSubject()
        shared = {
            "share": subject.share,
            "autoconnect": lambda: subject.make_connectable().autoconnect(),
            "multicast": lambda: subject.multicast(PassthroughSubject()).autoconnect(),
        }[kind]()
        values = []
        with shared.prefix(count).repeat(9).sink(values.append):
            send(subject)
        return values

    def send_singles(subject):
        for value in range(size):
            subject.send(value)

    assert received(lambda subject: subject.send_many(range(size))) == received(send_singles) == [*range(size)]


@pytest.mark.parametrize("others", [0, 1])
@pytest.mark.parametrize("kind", ["multicast", "subscribe"])
def test_a_connection_that_is_cancelled_amid_what_comes_together_brings_no_more(kind, others):
    with EventLoop() as loop:
        source, target, values, rest = PassthroughSubject(), PassthroughSubject(), [], []
        publisher = source.receive_on(loop).map(lambda value: value)

        def take(value):
            values.append(value)
            if value == 2:
                connection.cancel()

        cancellables = [target.sink(take), *(target.sink(rest.append) for _ in range(others))]
        connection = publisher.multicast(target).connect() if kind == "multicast" else publisher.subscribe(target)
        source.send_many(range(5))
        loop.run_once(0)
        assert (values, rest) == ([0, 1, 2], [0, 1, 2] * others)
        for each in cancellables:
            each.close()


def test_who_comes_amid_an_array_that_was_sent_from_within_gets_the_rest_of_it():
    def received(send):
        source, values = PassthroughSubject(), []
        shared = source.make_connectable().autoconnect()

        def answer(value):
            values.append(("second", value))
            if value == 1:
                send(source, [4, 5, 6, 7])

        first = shared.prefix(2).append(source).sink(lambda value: values.append(("first", value)))
        second = shared.sink(answer)
        send(source, [1, 2, 3])
        first.close(), second.close()
        return values

    def send_singles(subject, values):
        for value in values:
            subject.send(value)

    assert received(PassthroughSubject.send_many) == received(send_singles)
