"""Functions that do not keep their object: `streams.weak`, and what becomes of an object without it."""

import weakref

import pytest
import streams
from collected import is_collected
from owner import Owner
from recorder import Recorder
from streams import CurrentValueSubject, Just, PassthroughSubject, create, from_iterable, weak


def test_weak_calls_while_the_object_lives_and_then_gives_the_default():
    owner = Owner(None)
    on, change, other = weak(owner.on), weak(owner.change), weak(owner.change, "gone")
    on(1)
    assert owner.got == [1] and change(2) == 2 and other(3) == 3
    del owner
    assert on(4) is None and change(5) is None and other(6) == "gone"


def test_weak_takes_any_function():
    def function(value):
        return value + 1

    held = weak(function)
    assert held(1) == 2
    del function
    assert held(1) is None
    for wrong in (None, 3, "text"):
        with pytest.raises(TypeError, match="must be callable"):
            weak(wrong)


def test_weak_passes_on_what_is_raised():
    class Broken:
        def fail(self, value):
            raise LookupError(value)

    broken = Broken()
    error = Recorder(Just(1).map(weak(broken.fail))).error
    assert type(error) is LookupError


def test_weak_functions_of_operators_free_the_object():
    for make in (
        lambda o: o.subject.map(weak(o.change)),
        lambda o: o.subject.flat_map(weak(o.change)),
        lambda o: o.subject.remove_duplicates(weak(o.change)),
        lambda o: create(weak(o.change)),
        lambda o: from_iterable(weak(o.change)),
        lambda o: o.subject.handle_events(receive_output=weak(o.change), receive_cancel=weak(o.change)),
    ):
        owner = Owner(CurrentValueSubject(1))
        owner.publisher = make(owner)
        gone = weakref.ref(owner)
        del owner
        assert is_collected(gone)


def test_functions_of_operators_keep_the_object_until_the_publisher_or_the_cancellable_is_closed():
    """What streams.weak is there for; streams.debug.live() tells of the cancellable, which nobody can reach any more."""

    def forgotten():
        owner = Owner(PassthroughSubject())
        owner.cancellable = owner.subject.map(owner.change).sink(owner.on)
        return weakref.ref(owner)

    gone = forgotten()
    assert not is_collected(gone)
    assert [place.function for place in streams.debug.live()].count("forgotten") == 1
    gone().cancellable.close()
    assert is_collected(gone)
    assert "forgotten" not in [place.function for place in streams.debug.live()]

    owner = Owner(PassthroughSubject())
    owner.publisher = owner.subject.map(owner.change)
    gone = weakref.ref(owner)
    del owner
    assert not is_collected(gone)
    gone().publisher.close()
    assert is_collected(gone)
