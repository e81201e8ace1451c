"""Properties without a value, since a function or a publisher has failed."""

import gc
import weakref

import pytest
import streams
from recorder import Recorder
from streams import CurrentValueSubject, PassthroughSubject, Property
from streams._native.library import library


class Thing:
    pass


def half(number):
    return 10 // number


def test_a_value_without_a_representation_is_a_value():
    class Nameless:
        def __repr__(self):
            raise LookupError

    for each in (Property(Nameless()), streams.Binding(CurrentValueSubject(Nameless()))):
        assert repr(each).endswith(": <Nameless>>") and "without" not in repr(each)


def test_a_function_that_raises_leaves_no_value_until_the_next(unraisable):
    subject = CurrentValueSubject(0)
    each = Property(subject).map(half)
    derived = each.map(str)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError) as raised:
            derived.value
    assert raised.traceback[-1].name == "half"
    recorder = Recorder(derived.all_values)
    assert type(recorder.error) is ZeroDivisionError
    assert "without a value, ZeroDivisionError" in repr(each)
    subject.value = 5
    assert (each.value, derived.value) == (2, "2")
    recorder = Recorder(derived.all_values)
    subject.value = 0
    assert recorder.values == ["2"] and type(recorder.error) is ZeroDivisionError
    subject.value = 1
    assert not unraisable


def test_what_escapes_from_a_function_comes_out_of_the_call():
    def stop(value):
        if value:
            raise KeyboardInterrupt
        return value

    subject = CurrentValueSubject(1)
    before = library.streams_live_handles()
    for make in (lambda p: p.map(stop), lambda p: p.combine_latest(p, combine=lambda a, b: stop(a))):
        with pytest.raises(KeyboardInterrupt):
            make(Property(subject))
    assert library.streams_live_handles() == before
    subject.value = 0
    each = Property(subject).map(stop)
    with pytest.raises(KeyboardInterrupt):
        subject.value = 1
    with pytest.raises(KeyboardInterrupt):
        each.value
    subject.value = 0


def test_a_publisher_that_fails():
    subject = PassthroughSubject()
    each = Property(0, then=subject)
    subject.fail(LookupError("gone"))
    with pytest.raises(LookupError, match="gone"):
        each.value


def test_reading_a_failure_adds_nothing_to_what_is_kept():
    def read(each):
        local = Thing()
        with pytest.raises(ZeroDivisionError):
            each.value
        return weakref.ref(local)

    subject = CurrentValueSubject(0)
    known = read(Property(subject).map(half))
    gc.collect()
    assert known() is None


def test_what_fails_lets_go_of_its_exception_with_the_next_value():
    def make(subject):
        each = Property(subject).map(half)  # the exception knows this frame, and that the property
        return weakref.ref(each)

    subject = CurrentValueSubject(0)
    known = make(subject)
    subject.value = 1
    gc.collect()
    assert known() is None


def test_an_exception_that_cannot_be_copied_comes_as_itself():
    class Odd(Exception):
        def __init__(self, a, b):
            super().__init__(a)

    odd = Odd(1, 2)

    def fail(_):
        raise odd

    with pytest.raises(Odd) as raised:
        Property(1).map(fail).value
    assert raised.value is odd
    odd.__traceback__ = None
    del raised
