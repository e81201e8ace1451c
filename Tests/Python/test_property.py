"""Properties: values that are read, watched and derived."""

import gc
import operator
import threading
import weakref

import pytest
import streams
from hypothesis import given
from hypothesis import strategies as st
from recorder import Recorder
from streams import (
    CurrentValueSubject,
    Just,
    ObservableObject,
    PassthroughSubject,
    Property,
    Published,
    VirtualTimeScheduler,
)
from streams._native.library import library


class Car(ObservableObject):
    charge = Published(50.0)


class Thing:
    pass


def half(number):
    return 10 // number


# ---- making ------------------------------------------------------------------------------------------------------


def test_one_that_never_changes():
    thing = Thing()
    each = Property(thing)
    assert each.value is thing
    recorder = Recorder(each.all_values)
    assert recorder.values == [thing] and recorder.finished
    recorder = Recorder(each.subsequent_values)
    assert recorder.values == [] and recorder.finished
    assert Property(None).value is None


def test_one_that_follows_a_subject():
    subject = CurrentValueSubject(1)
    each = Property(subject)
    now, later = Recorder(each.all_values), Recorder(each.subsequent_values)
    subject.value = 2
    subject.send_many([3, 4])
    assert each.value == 4
    assert (now.values, later.values) == ([1, 2, 3, 4], [2, 3, 4])
    subject.finish()
    assert now.finished and later.finished and each.value == 4


def test_one_that_begins_with_a_value():
    subject = PassthroughSubject()
    each = Property(0, then=subject)
    assert each.value == 0
    subject.send("x")
    assert each.value == "x"
    assert Property(0, Just(5)).value == 5


def test_one_that_follows_a_published_attribute():
    car = Car()
    text = Property(car.published.charge).map("{} kWh".format)
    assert text.value == "50.0 kWh"
    car.charge = 36
    assert text.value == "36 kWh"


def test_bad_arguments():
    for wrong, says in [
        (lambda: Property(Just(1)), "needs a value to begin with"),
        (lambda: Property(PassthroughSubject()), "needs a value to begin with"),
        (lambda: Property(1, 2), "then must be a Publisher, not int"),
        (lambda: Property(1).map(3), "transform must be callable, not int"),
        (lambda: Property(1).filter(1, None), "is_included must be callable"),
        (lambda: Property(1).scan(1, 1), "next_partial_result must be callable"),
        (lambda: Property(1).remove_duplicates(1), "predicate must be callable"),
        (lambda: Property(1).combine_latest(Just(1)), "a Property is needed, not Just"),
        (lambda: Property(1).zip(Property(1), combine=1), "combine must be callable"),
        (lambda: Property(1).receive_on(1), "scheduler must be a Scheduler"),
    ]:
        with pytest.raises(TypeError, match=says):
            wrong()
    with pytest.raises(AttributeError):
        Property(1).value = 2
    with pytest.raises(TypeError):
        Property()


def test_one_that_has_been_closed():
    each = Property(1)
    each.close()
    for use in (lambda: each.value, lambda: each.all_values, lambda: each.map(str)):
        with pytest.raises(streams.ClosedError, match="property has been closed"):
            use()
    with pytest.raises(streams.ClosedError, match="has been closed"):
        each.zip(Property(1))
    with pytest.raises(streams.ClosedError, match="property has been closed"):
        Property(each)
    mapped = Property(1).flat_map(lambda _: each)
    with pytest.raises(streams.ClosedError, match="property has been closed"):
        assert mapped.value
    mapped.close()  # before CPython 3.11 the failure that it keeps knows this function, and so its variables


# ---- deriving ----------------------------------------------------------------------------------------------------


def test_map_filter_compact_map_scan():
    subject = CurrentValueSubject(3)
    source = Property(subject)
    text, even, first, total = (
        source.map(str),
        source.filter(0, lambda n: n % 2 == 0),
        source.compact_map("none", lambda n: "abc"[n] if n < 3 else None),
        source.scan(100, operator.add),
    )
    assert [each.value for each in (text, even, first, total)] == ["3", 0, "none", 100]
    for value in (4, 5, 1):
        subject.value = value
    assert [each.value for each in (text, even, first, total)] == ["1", 4, "b", 110]


def test_remove_duplicates():
    subject = CurrentValueSubject("a")
    plain = Recorder(Property(subject).remove_duplicates().all_values)
    loose = Recorder(Property(subject).remove_duplicates(lambda a, b: a.lower() == b.lower()).all_values)
    for value in ("a", "A", "b", "B", "b"):
        subject.value = value
    assert plain.values == ["a", "A", "b", "B", "b"] and loose.values == ["a", "b"]
    plain.cancellable.close()
    loose.cancellable.close()


def test_combine_latest_shows_each_change_once():
    subject, other = CurrentValueSubject(1), CurrentValueSubject("x")
    source = Property(subject)
    double, text = source.map(lambda n: 2 * n), Property(other)
    all_three = source.combine_latest(double, text)
    joined = source.combine_latest(double, text, combine="{}{}{}".format)
    recorder = Recorder(all_three.all_values)
    subject.value = 2
    other.value = "y"
    assert recorder.values == [(1, 2, "x"), (2, 4, "x"), (2, 4, "y")]
    assert joined.value == "24y" and all_three.value == (2, 4, "y")
    recorder.cancellable.close()


def test_zip_waits_for_partners():
    a, b = CurrentValueSubject(1), CurrentValueSubject("a")
    pairs, sums = Property(a).zip(Property(b)), Property(a).zip(Property(a), combine=operator.add)
    recorder = Recorder(pairs.all_values)
    a.value = 2
    a.value = 3
    b.value = "b"
    b.value = "c"
    assert recorder.values == [(1, "a"), (2, "b"), (3, "c")] and sums.value == 6
    recorder.cancellable.close()


def test_flat_map_follows_the_latest():
    which, a, b = CurrentValueSubject(0), CurrentValueSubject("a0"), CurrentValueSubject("b0")
    sides = [Property(a), Property(b)]
    recorder = Recorder(Property(which).flat_map(lambda n: sides[n]).all_values)
    a.value = "a1"
    which.value = 1
    a.value = "a2"
    b.value = "b1"
    which.value = 0
    assert recorder.values == ["a0", "a1", "b0", "b1", "a2"]
    recorder.cancellable.close()


def test_flat_map_to_something_else():
    subject = CurrentValueSubject(1)
    each = Property(subject).flat_map(lambda n: Just(n) if n else Property(n))
    with pytest.raises(TypeError, match="transform must return a Property, not Just"):
        each.value
    subject.value = 0
    assert each.value == 0


def test_receive_on():
    clock, subject = VirtualTimeScheduler(), CurrentValueSubject(1)
    there = Property(subject).receive_on(clock)
    subject.value = 2
    assert there.value == 1
    clock.advance()
    assert there.value == 2


# ---- lives -------------------------------------------------------------------------------------------------------


def test_who_watches_keeps_it_and_nobody_else():
    subject = CurrentValueSubject(1)
    function = Thing()
    function.__class__ = type("Function", (Thing,), {"__call__": lambda self, n: n + 1})
    known = weakref.ref(function)
    recorder = Recorder(Property(subject).map(function).all_values)
    del function
    subject.value = 2
    assert recorder.values == [2, 3] and known() is not None
    recorder.cancellable.close()
    gc.collect()
    assert known() is None


def test_many_that_are_made_changed_and_dropped_leave_nothing():
    before, objects = library.streams_live_handles(), len(gc.get_objects())
    subject = CurrentValueSubject(0)
    source = Property(subject)
    for n in range(100_000):
        each = source.map(lambda n: n + 1)
        if n % 100 == 0:
            subject.value = n
            assert each.value == n + 1
    del each
    assert library.streams_live_handles() == before + 2
    gc.collect()
    assert len(gc.get_objects()) < objects + 1000
    kept = [source.combine_latest(source.map(str)) for _ in range(1000)]
    subject.value = 7
    assert {each.value for each in kept} == {(7, "7")}
    del kept
    subject.value = 8


def test_a_view_model_that_watches_itself_is_freed():
    class Model:
        def __init__(self):
            self.number = CurrentValueSubject(0)
            self.text = Property(self.number).map(str)
            self.cancellable = self.text.all_values.sink(self.show)
            self.other = self.text.all_values.assign(self, "shown")

        def show(self, text):
            pass

    model = Model()
    gone = weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None


# ---- against a model ---------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-5, 5)), max_size=20), st.randoms(use_true_random=False))
def test_random_graphs_are_as_their_definition_says(changes, rng):
    subjects = [CurrentValueSubject(n) for n in range(3)]
    properties = [Property(each) for each in subjects]
    values = [lambda n=n: subjects[n].value for n in range(3)]
    for _ in range(8):
        a, b = rng.randrange(len(values)), rng.randrange(len(values))
        if rng.random() < 0.4:
            properties.append(properties[a].map(operator.neg))
            values.append(lambda a=a: -values[a]())
        else:
            properties.append(properties[a].combine_latest(properties[b], combine=operator.sub))
            values.append(lambda a=a, b=b: values[a]() - values[b]())
    heard = [Recorder(each.all_values) for each in properties]
    for which, value in changes:
        subjects[which].value = value
        expected = [each() for each in values]
        assert [each.value for each in properties] == expected == [each.values[-1] for each in heard]
    assert all(len(each.values) <= len(changes) + 1 for each in heard)
    for each in heard:
        each.cancellable.close()


def test_threads_that_write_and_read():
    subject, done, wrong = CurrentValueSubject(0), [], []
    source = Property(subject)
    pairs = source.combine_latest(source.map(operator.neg))
    heard = Recorder(pairs.all_values)

    def write(number):
        for n in range(number, 1000, 4):
            subject.value = n
        done.append(number)

    def read():
        while len(done) < 4:
            first, second = pairs.value
            if first != -second or not 0 <= first < 1000:
                wrong.append((first, second))

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)] + [
        threading.Thread(target=read) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong and len(heard.values) == 1001 and all(a == -b for a, b in heard.values)
    heard.cancellable.close()
