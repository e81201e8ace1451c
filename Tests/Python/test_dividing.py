"""Groups and windows: publishers that a publisher publishes."""

import gc
import weakref

import pytest
from recorder import Recorder, values_of
from streams import (
    UNLIMITED,
    Empty,
    GroupedPublisher,
    PassthroughSubject,
    Publisher,
    Sequence,
    VirtualTimeScheduler,
    from_iterable,
)


def collected(stream):
    return values_of(stream.flat_map(lambda each: each.collect()))


def test_groups_have_keys():
    words = from_iterable(["one", "two", "three", "six"])
    groups = values_of(words.group_by(len))
    assert [group.key for group in groups] == [3, 5]
    assert all(type(group) is GroupedPublisher for group in groups)
    assert [values_of(group) for group in groups] == [["one", "two", "six"], ["three"]]
    assert values_of(groups[0]) == []


@pytest.mark.parametrize("key", [None, (1, 2), "text", frozenset("x"), 1.5, True, b"b"])
def test_keys_are_the_very_objects(key):
    groups = values_of(Sequence([1, 2]).group_by(lambda _: key))
    assert len(groups) == 1 and groups[0].key == key and type(groups[0].key) is type(key)


def test_keys_are_equal_as_python_says():
    assert len(values_of(Sequence([1, 1.0, True]).group_by(lambda n: n))) == 1


@pytest.mark.parametrize("key", [lambda n: [n], lambda n: {}, lambda n: 1 // 0])
def test_a_key_that_fails_fails_the_stream(key):
    recorder = Recorder(Sequence([1, 2]).group_by(key))
    assert isinstance(recorder.error, (TypeError, ZeroDivisionError))


def test_values_wait_for_their_group():
    subject = PassthroughSubject()
    groups = Recorder(subject.group_by(lambda n: n % 2))
    subject.send_many([1, 2, 3])
    odd = Recorder(groups.values[0], demand=1)
    even = Recorder(groups.values[1])
    assert (odd.values, even.values) == ([1], [2])
    subject.finish()
    assert even.finished and groups.finished and not odd.finished
    odd.subscription.request(1)
    assert odd.values == [1, 3] and odd.finished


def test_a_group_that_is_kept_holds_up_the_others():
    read = []
    source = from_iterable(read.append(n) or n for n in range(10_000))
    groups = Recorder(source.group_by(lambda n: n % 2, prefetch=10))
    even = Recorder(groups.values[0])
    assert len(even.values) == 10 and len(read) == 20
    groups.values[1].close()
    gc.collect()
    assert len(even.values) == 5000 and even.finished


def test_a_group_that_nobody_keeps_is_dropped():
    assert values_of(from_iterable(range(10_000)).group_by(lambda n: n % 3).map(lambda group: group.key)) == [0, 1, 2]
    assert values_of(from_iterable(range(20_000)).window_by_count(2).map(lambda _: 1)) == [1] * 10_000


def test_ten_thousand_groups():
    pairs = from_iterable(range(20_000)).group_by(lambda n: n % 10_000).flat_map(lambda group: group.collect())
    assert values_of(pairs) == [[n, n + 10_000] for n in range(10_000)]


def test_a_group_goes_on_when_the_stream_is_cancelled():
    subject = PassthroughSubject()
    recorder = Recorder(subject.group_by(lambda n: n % 3).prefix(2).flat_map(lambda group: group))
    subject.send_many(range(9))
    assert recorder.values == [0, 1, 3, 4, 6, 7]


@pytest.mark.parametrize("sends_array", [False, True])
def test_group_by_asks_for_no_key_after_the_end(sends_array):
    subject, keys = PassthroughSubject(), []
    groups = subject.group_by(lambda value: keys.append(value) or value % 2)
    recorder = Recorder(groups.flat_map(lambda group: group).first())
    if sends_array:
        subject.send_many([1, 2, 3])
    else:
        for value in [1, 2, 3]:
            subject.send(value)
    assert keys == [1] and recorder.values == [1] and recorder.finished


def test_one_group_after_another():
    source = from_iterable(range(6))
    assert values_of(source.group_by(lambda n: n % 2).concat_map(lambda group: group)) == [0, 2, 4, 1, 3, 5]
    stuck = Recorder(source.group_by(lambda n: n % 2, prefetch=2).concat_map(lambda group: group))
    assert stuck.values == [0, 2] and not stuck.finished


def test_windows_by_count():
    source = from_iterable(range(5))
    assert collected(source.window_by_count(2)) == [[0, 1], [2, 3], [4]]
    assert collected(source.window_by_count(2, 3)) == [[0, 1], [3, 4]]
    assert collected(source.window_by_count(3, 2)) == [[0, 1, 2], [2, 3, 4], [4]]
    window = values_of(source.window_by_count(2, prefetch=UNLIMITED))[0]
    assert type(window) is Publisher and values_of(window) == [0, 1]


def test_windows_by_boundaries():
    subject, boundaries = PassthroughSubject(), PassthroughSubject()
    recorder = Recorder(subject.window(boundaries).flat_map(lambda window: window.collect()))
    subject.send_many("ab")
    boundaries.send(None)
    subject.send("c")
    boundaries.finish()
    assert recorder.values == [["a", "b"], ["c"]] and recorder.finished


def test_windows_by_time():
    clock, subject = VirtualTimeScheduler(), PassthroughSubject()
    timed = Recorder(subject.window_by_time(1, clock).flat_map(lambda window: window.collect()))
    both = Recorder(subject.window_by_time_or_count(1, 2, clock).flat_map(lambda window: window.collect()))
    subject.send_many([1, 2, 3])
    clock.advance(1)
    subject.finish()
    assert timed.values == [[1, 2, 3], []] and both.values == [[1, 2], [3], []]
    assert timed.finished and both.finished


def test_what_is_let_go_of_is_gone():
    class Thing:
        pass

    subject = PassthroughSubject()
    groups = Recorder(subject.group_by(lambda thing: thing.__class__))
    thing = Thing()
    gone = weakref.ref(thing)
    subject.send(thing)
    del thing
    assert gone() is not None
    groups.values.clear()
    gc.collect()
    assert gone() is None


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda p: p.group_by(3), TypeError),
        (lambda p: p.group_by(len, prefetch="x"), TypeError),
        (lambda p: p.group_by(len, prefetch=0), ValueError),
        (lambda p: p.window(3), TypeError),
        (lambda p: p.window(Empty(), prefetch=0), ValueError),
        (lambda p: p.window_by_count(0), ValueError),
        (lambda p: p.window_by_count(1, 0), ValueError),
        (lambda p: p.window_by_count("x"), TypeError),
        (lambda p: p.window_by_time(1, None), TypeError),
        (lambda p: p.window_by_time_or_count(1, 0, VirtualTimeScheduler()), ValueError),
    ],
)
def test_bad_arguments(make, error):
    with pytest.raises(error):
        make(Sequence([1]))
