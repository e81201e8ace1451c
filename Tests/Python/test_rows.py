"""Many sinks of one subject, which the library tells together, and what they do meanwhile."""

import functools
import gc
import sys
import weakref

import pytest
import streams


class Car(streams.ObservableObject):
    charge = streams.Published(0)


class Listener:
    def __init__(self):
        self.values = []

    def hear(self, value):
        self.values.append(value)

    def __call__(self, value):
        self.values.append(value)


class Stop(BaseException):
    pass


def test_every_kind_of_function_is_called():
    subject = streams.PassthroughSubject()
    bound, called, built_in, partial, plain = Listener(), Listener(), [], [], []
    kinds = [bound.hear, called, built_in.append, functools.partial(list.append, partial), lambda n: plain.append(n)]
    cancellables = [subject.sink(kind) for kind in kinds]
    for n in range(3):
        subject.send(n)
    assert [bound.values, called.values, built_in, partial, plain] == [[0, 1, 2]] * 5
    del cancellables


def test_each_of_many_hears_what_is_set():
    car, heard = Car(), [[] for _ in range(100)]
    cancellables = [car.published.charge.sink(each.append) for each in heard]
    for n in range(1, 3000):  # now and then the library looks up from a run of calls
        car.charge = n
    assert all(each == list(range(3000)) for each in heard)
    del cancellables


def test_references_are_left_as_they_were():
    subject = streams.PassthroughSubject()

    def hear(_):
        pass

    cancellables = [subject.sink(hear) for _ in range(10)]
    subject.send(1)
    value = object()
    before = sys.getrefcount(hear), sys.getrefcount(value), sys.getrefcount(None)
    for _ in range(1000):
        subject.send(value)
    after = sys.getrefcount(hear), sys.getrefcount(value), sys.getrefcount(None)
    assert after[:2] == before[:2]
    assert abs(after[2] - before[2]) < 100
    del cancellables


@pytest.mark.parametrize("which", [0, 1, 2, 3, 4])
def test_one_cancels_another_meanwhile(which):
    subject = streams.PassthroughSubject()
    heard, cancellables = [[] for _ in range(5)], []

    def cancels(value):
        heard[2].append(value)
        cancellables[which].cancel()

    functions = [each.append for each in heard]
    functions[2] = cancels
    cancellables += [subject.sink(function) for function in functions]
    subject.send(1)
    subject.send(2)
    for place, values in enumerate(heard):
        expected = [1, 2] if place != which else [1] if place <= 2 else []
        assert values == expected, place


def test_all_cancellables_are_dropped_meanwhile():
    subject = streams.PassthroughSubject()
    heard, cancellables, functions = [], [], []

    def make(place):
        def hear(value):
            heard.append((place, value))
            if place == 1:
                cancellables.clear()
                gc.collect()

        functions.append(weakref.ref(hear))
        return hear

    cancellables += [subject.sink(make(place)) for place in range(4)]
    subject.send(1)
    subject.send(2)
    assert heard == [(0, 1), (1, 1)]
    assert [each() for each in functions] == [None] * 4


def test_an_exception_ends_one_stream_only():
    subject = streams.PassthroughSubject()
    error, ends, heard = ValueError("no"), [], []

    def fails(value):
        raise error

    cancellables = [subject.sink(heard.append), subject.sink(fails, ends.append), subject.sink(heard.append)]
    subject.send(1)
    subject.send(2)
    assert heard == [1, 1, 2, 2]
    assert ends == [error]
    del cancellables


def test_what_is_no_exception_comes_out_of_the_send():
    subject = streams.PassthroughSubject()
    heard = []

    def stops(value):
        raise Stop

    cancellables = [subject.sink(heard.append), subject.sink(stops, lambda _: None), subject.sink(heard.append)]
    with pytest.raises(Stop):
        subject.send(1)
    subject.send(2)
    assert heard == [1, 1, 2, 2]
    del cancellables


def test_one_sends_meanwhile():
    subject = streams.PassthroughSubject()
    heard = [[], [], []]

    def sends(value):
        heard[1].append(value)
        if value == 1:
            subject.send(2)

    cancellables = [subject.sink(heard[0].append), subject.sink(sends), subject.sink(heard[2].append)]
    subject.send(1)
    assert heard == [[1, 2], [1, 2], [2, 1]]
    del cancellables


def test_one_subscribes_another_meanwhile():
    subject = streams.PassthroughSubject()
    heard, cancellables = [], []

    def subscribes(value):
        cancellables.append(subject.sink(heard.append))

    cancellables += [subject.sink(subscribes), subject.sink(heard.append)]
    subject.send(1)
    assert heard == [1]
    subject.send(2)
    assert heard == [1, 2, 2]


def test_demand_is_exact_among_others():
    subject = streams.PassthroughSubject()
    heard = [[] for _ in range(4)]

    def asks(value):
        heard[1].append(value)
        return 1 if value < 3 else None

    cancellables = [
        subject.sink(heard[0].append),
        subject.sink(asks, demand=1),
        subject.sink(heard[2].append, demand=2),
        subject.sink(heard[3].append),
    ]
    for n in range(1, 6):
        subject.send(n)
    assert heard == [[1, 2, 3, 4, 5], [1, 2, 3], [1, 2], [1, 2, 3, 4, 5]]
    del cancellables


def test_what_a_function_does_may_change():
    subject = streams.PassthroughSubject()
    heard = []

    def hear(value):
        heard.append(value)

    def hear_twice(value):
        heard.append(value)
        heard.append(value)

    first = [subject.sink(hear), subject.sink(hear)]
    subject.send(1)
    names = hear_twice.__code__.co_freevars
    assert names == hear.__code__.co_freevars
    hear.__code__ = hear_twice.__code__
    subject.send(2)
    assert heard == [1, 1, 2, 2, 2, 2]
    del first
