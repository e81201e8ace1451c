"""PassthroughSubject and CurrentValueSubject."""

import array
import threading
import weakref

import pytest
from recorder import Recorder
from streams import UNLIMITED, ClosedError, CurrentValueSubject, PassthroughSubject, ReplaySubject, Subject

SUBJECTS = [PassthroughSubject, lambda: CurrentValueSubject(0), lambda: ReplaySubject(2)]


class Thing:
    pass


def test_passthrough_passes_on_the_very_object():
    subject = PassthroughSubject()
    recorder = Recorder(subject)
    thing = Thing()
    subject.send(thing)
    assert recorder.values[0] is thing


def test_passthrough_keeps_nothing():
    subject = PassthroughSubject()
    subject.send(1)
    recorder = Recorder(subject, demand=0)
    subject.send(2)
    recorder.subscription.request(1)
    subject.send(3)
    subject.send(4)
    assert recorder.values == [3]


def test_every_subscriber_gets_every_value():
    subject = PassthroughSubject()
    recorders = [Recorder(subject) for _ in range(5)]
    subject.send("x")
    assert [recorder.values for recorder in recorders] == [["x"]] * 5


def test_current_value_is_remembered():
    subject = CurrentValueSubject("first")
    assert subject.value == "first"
    recorder = Recorder(subject)
    subject.send("second")
    subject.value = "third"
    assert subject.value == "third"
    assert recorder.values == ["first", "second", "third"]


def test_current_value_is_the_very_object():
    thing = Thing()
    subject = CurrentValueSubject(thing)
    assert subject.value is thing
    subject.value = None
    assert subject.value is None


def test_current_value_behind_on_demand_gets_the_latest():
    subject = CurrentValueSubject(1)
    recorder = Recorder(subject, demand=0)
    for n in (2, 3):
        subject.send(n)
    recorder.subscription.request(1)
    assert recorder.values == [3]


def test_current_value_after_the_end():
    subject = CurrentValueSubject(1)
    recorder = Recorder(subject)
    subject.finish()
    subject.send(2)
    assert subject.value == 1
    subject.value = 3
    assert subject.value == 3
    assert recorder.values == [1] and recorder.finished


def test_a_replay_subject_keeps_the_latest():
    subject = ReplaySubject(2)
    subject.send_many([1, 2, 3])
    early, slow = Recorder(subject), Recorder(subject, demand=1)
    thing = Thing()
    subject.send(thing)
    subject.finish()
    assert early.values == [2, 3, thing] and early.finished
    assert slow.values == [2] and not slow.finished
    slow.subscription.request(2)
    assert slow.values == [2, 3, thing] and slow.finished
    assert Recorder(subject).values == [3, thing]


@pytest.mark.parametrize("size", [(), (None,), (UNLIMITED,), (2**62,)])
def test_a_replay_subject_keeps_everything(size):
    subject = ReplaySubject(*size)
    subject.send_many(range(1000))
    assert Recorder(subject).values == list(range(1000))


@pytest.mark.parametrize("size", range(4))
def test_who_subscribes_within_a_value_gets_what_a_replay_subject_keeps(size):
    subject, late = ReplaySubject(size), []
    subject.send_many([1, 2])
    cancellable = subject.sink(lambda n: late.append(Recorder(subject)) if n == 3 else None)
    subject.send(3)
    assert late[0].values == [1, 2, 3][3 - size :]
    subject.send(4)
    assert late[0].values == [1, 2, 3][3 - size :] + [4]
    cancellable.cancel()


def test_who_subscribes_on_another_thread_within_a_value_gets_what_a_replay_subject_keeps():
    subject, late = ReplaySubject(1), []

    def hear(number):
        if number == 2:
            thread = threading.Thread(target=lambda: late.append(Recorder(subject)))
            thread.start()
            thread.join()
            subject.send(3)

    subject.send(1)
    cancellable = subject.sink(hear)
    subject.send(2)
    assert late[0].values == [2, 3]
    cancellable.cancel()


def test_a_replay_subject_keeps_nothing_else_alive():
    subject = ReplaySubject(1)
    things = [Thing(), Thing()]
    last = [weakref.ref(each) for each in things]
    subject.send_many(things)
    del things
    assert [each() is None for each in last] == [True, False]
    subject.close()
    assert last[1]() is None


def test_a_replay_subject_refuses():
    with pytest.raises(ValueError, match="buffer_size"):
        ReplaySubject(-1)


@pytest.mark.parametrize("make", SUBJECTS)
def test_finish_and_fail_count_once(make):
    error = ValueError("no")
    subject = make()
    recorder = Recorder(subject)
    subject.fail(error)
    subject.fail(KeyError())
    subject.finish()
    subject.send(1)
    subject.send_many([1, 2])
    subject.send_many(iter("ab"))
    assert recorder.error is error
    assert Recorder(subject).error is error


@pytest.mark.parametrize("make", SUBJECTS)
@pytest.mark.parametrize("error", ["text", None, ValueError, 7])
def test_fail_takes_exceptions_only(make, error):
    with pytest.raises(TypeError, match="a stream fails with an exception"):
        make().fail(error)


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 3],
        (1.5, 2.5),
        ["a", 1, None],
        [],
        range(3000),
        (n * 0.5 for n in range(2500)),
        "text",
        {"k": 1},
        array.array("d", [1, 2]),
        array.array("f", [0.5]),
        array.array("h", [-1, 2]),
        array.array("Q", [2**64 - 1]),
        b"bytes",
        memoryview(b"xyz"),
        [True, False],
        [2**100, -1],
    ],
    ids=lambda values: type(values).__name__,
)
def test_send_many_is_as_many_sends(values):
    values = list(values) if hasattr(values, "send") else values
    one, many = PassthroughSubject(), PassthroughSubject()
    expected, found = Recorder(one), Recorder(many)
    for value in values:
        one.send(value)
    many.send_many(values)
    assert found.values == expected.values
    assert list(map(type, found.values)) == list(map(type, expected.values))


def test_send_many_stops_where_demand_ends():
    subject = PassthroughSubject()
    recorder = Recorder(subject, demand=2)
    subject.send_many([1, 2, 3])
    subject.send_many("abc")
    assert recorder.values == [1, 2]


def test_send_many_of_current_value():
    subject = CurrentValueSubject(0.0)
    recorder = Recorder(subject)
    subject.send_many([1.5, 2.5])
    assert subject.value == 2.5 and type(subject.value) is float
    assert recorder.values == [0.0, 1.5, 2.5]


@pytest.mark.parametrize("kind", [OSError, KeyboardInterrupt])
@pytest.mark.parametrize("count", [0, 1, 1000, 1024, 1025, 3000])
@pytest.mark.parametrize("as_object", [False, True])
def test_send_many_of_an_iterable_that_raises_sends_what_came_before(count, kind, as_object):
    def items():
        yield from map(str if as_object else int, range(count))
        raise kind

    subject = PassthroughSubject()
    recorder, limited = Recorder(subject), Recorder(subject, demand=2)
    with pytest.raises(kind):
        subject.send_many(items())
    assert recorder.values == list(map(str if as_object else int, range(count)))
    assert len(limited.values) + subject.dropped == count


def test_what_a_generator_sends_itself_comes_before_its_portion():
    def items():
        for each in range(1026):
            subject.send("itself") if each in (3, 1025) else None
            yield each

    subject = PassthroughSubject()
    recorder = Recorder(subject)
    subject.send_many(items())
    assert recorder.values == ["itself", *range(1024), "itself", 1024, 1025]


@pytest.mark.parametrize("wrong", [3, None, object()])
def test_send_many_of_what_is_no_iterable(wrong):
    with pytest.raises(TypeError):
        PassthroughSubject().send_many(wrong)


def test_send_inside_a_value_comes_before_the_outer_send_returns():
    subject = PassthroughSubject()
    seen = []

    def value(n):
        seen.append(n)
        if n < 5:
            subject.send(n + 1)

    cancellable = subject.sink(value)
    subject.send(1)
    seen.append("sent")
    assert seen == [1, 2, 3, 4, 5, "sent"]
    cancellable.close()


def test_subject_lives_in_its_publishers():
    subject = PassthroughSubject()
    mapped = subject.map(lambda n: n + 1)
    recorder = Recorder(mapped)
    mapped.close()
    subject.send(1)
    assert recorder.values == [2]


def test_subscribe_a_subject():
    upstream, downstream = PassthroughSubject(), CurrentValueSubject("start")
    recorder = Recorder(downstream)
    cancellable = upstream.map(str.upper).subscribe(downstream)
    upstream.send("a")
    assert downstream.value == "A"
    upstream.finish()
    assert recorder.values == ["start", "A"] and recorder.finished
    cancellable.cancel()


@pytest.mark.parametrize("make", SUBJECTS)
def test_closed_subject(make):
    subject = make()
    recorder = Recorder(subject)
    subject.close()
    subject.close()
    assert subject.closed and "(closed)" in repr(subject)
    calls = [
        lambda: subject.send(1),
        lambda: subject.send_many([1]),
        lambda: subject.send_many([1.5]),
        lambda: subject.send_many("ab"),
        subject.finish,
        lambda: subject.fail(ValueError()),
        lambda: subject.map(str),
        lambda: subject.sink(print),
    ]
    if isinstance(subject, CurrentValueSubject):
        calls += [lambda: subject.value, lambda: setattr(subject, "value", 3)]
    for call in calls:
        with pytest.raises(ClosedError):
            call()
    assert recorder.ends == []


def test_subject_is_abstract_in_what_it_sends():
    assert issubclass(PassthroughSubject, Subject) and issubclass(CurrentValueSubject, Subject)


@pytest.mark.parametrize("demand", [UNLIMITED, 100])
@pytest.mark.parametrize("event", ["finish", "send"])
def test_what_happens_within_a_batch_is_what_single_values_would_see_where_they_are_replayed(event, demand):
    subject = ReplaySubject()
    first, later = [], []

    def receive(value):
        first.append(value)
        if value == 2:
            subject.finish() if event == "finish" else subject.send_many([10, 11])

    cancellables = [subject.sink(receive, lambda error: first.append("end"), demand=demand)]
    subject.send_many(range(6))
    cancellables.append(subject.sink(later.append, lambda error: later.append("end")))
    assert first == later == [0, 1, 2, *(["end"] if event == "finish" else [10, 11, 3, 4, 5])]
    del cancellables
