"""`streams.debug.live()` tells where the streams that run were made."""

import os
import weakref

import pytest
import streams
from let_in import before_each_instruction
from owner import Owner
from streams import Cancellable, CurrentValueSubject, PassthroughSubject, Sequence


def lines():
    return [(os.path.basename(place.filename), place.function) for place in streams.debug.live()]


def test_live_tells_where_running_streams_were_made():
    before = lines()
    subject, target = PassthroughSubject(), CurrentValueSubject(0)

    def connect():
        return [subject.sink(print), subject.assign(target), subject.subscribe(target), subject.assign(Owner(0), "x")]

    def wait():
        return subject.sink(demand=0)

    cancellables = [*connect(), wait()]
    found = lines()
    here = os.path.basename(__file__)
    assert found.count((here, "connect")) - before.count((here, "connect")) == 4
    assert found.count((here, "wait")) == 1
    (place,) = [each for each in streams.debug.live() if each.function == "wait"]
    assert str(place) == f"{__file__}:{wait.__code__.co_firstlineno + 1}, in wait"
    cancellables.pop().close()
    assert (here, "wait") not in lines()
    cancellables.clear()
    assert lines() == before


def test_live_forgets_what_has_ended():
    def finished():
        return Sequence([1, 2]).sink(lambda _: None)

    cancellable = finished()
    assert "finished" not in [place.function for place in streams.debug.live()]
    cancellable.close()


@pytest.mark.parametrize("end", [lambda each: each.cancel(), lambda each: each.__exit__(), lambda each: each.close()])
@pytest.mark.parametrize(
    "begin",
    [
        lambda subject: subject.sink(print),
        lambda subject: subject.sink(print, demand=0),
        lambda subject: subject.sink(batch=print),
        lambda subject: subject.assign(Owner(0), "x"),
        lambda subject: subject.assign(CurrentValueSubject(0)),
        lambda subject: subject.subscribe(PassthroughSubject()),
        lambda subject: subject.make_connectable().connect(),
    ],
)
def test_live_forgets_what_was_cancelled(begin, end):
    before = lines()
    cancellable = begin(PassthroughSubject())
    assert len(lines()) == len(before) + 1
    end(cancellable)
    assert lines() == before


class Unbound:
    """A proxy of nothing, as frameworks have them outside of a request."""

    @property
    def __class__(self):
        raise RuntimeError("unbound")


def test_live_passes_over_objects_that_do_not_tell_what_they_are():
    before = lines()
    target = Owner(0)
    others = [Unbound(), weakref.proxy(target)]
    assert lines() == before
    del target
    assert lines() == before
    del others


def test_live_passes_over_what_another_thread_is_just_making():
    subject = PassthroughSubject()
    before = len(lines())

    def attempt(begin):
        begin(lambda: counts.add(len(lines()) - before))
        subject.sink(print).close()

    counts = set()
    before_each_instruction(Cancellable._of, attempt)
    assert counts == {0, 1}


async def test_live_tells_of_async_for():
    subject = PassthroughSubject()

    async def loop():
        async for _ in subject:
            pass

    def begin():
        return subject.values()

    values = begin()
    assert "begin" in [place.function for place in streams.debug.live()]
    await values.aclose()
    assert "begin" not in [place.function for place in streams.debug.live()]
