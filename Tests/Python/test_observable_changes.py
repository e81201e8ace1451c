"""Setting a published attribute: what becomes of the value that it had, and of its many subscribers."""

import weakref

import pytest
from cars import Car


class Thing:
    pass


def test_what_is_replaced_goes_when_the_attribute_is_set():
    car, seen = Car(), []
    cancellables = [car.published.charge.sink(lambda value: seen.append(type(value).__name__)) for _ in range(3)]
    for _ in range(100):
        car.charge = thing = Thing()
        gone = weakref.ref(thing)
        del thing
        assert gone() is car.charge
        car.charge = 1
        assert gone() is None
    assert seen == ["float"] * 3 + (["Thing"] * 3 + ["int"] * 3) * 100
    assert len(cancellables) == 3


def test_what_is_replaced_stays_where_others_keep_it():
    car, seen = Car(), []
    cancellables = [car.published.charge.collect(50).sink(seen.append), car.published.charge.pairwise().sink(seen.append)]
    things = [Thing() for _ in range(49)]
    for each in things:
        car.charge = each
    assert [each for each in seen if isinstance(each, list)] == [[50.0, *things]]
    assert [each for each in seen if isinstance(each, tuple)] == list(zip([50.0, *things], things))
    assert len(cancellables) == 2


def test_what_is_replaced_may_set_the_attribute_when_it_goes():
    car, seen = Car(), []

    class Last:
        def __del__(self):
            car.charge = "gone"

    cancellable = car.published.charge.sink(lambda value: seen.append(type(value).__name__))
    for _ in range(100):
        car.charge = Last()
        car.charge = 1
        assert car.charge == "gone"
    assert seen == ["float"] + ["Last", "int", "str"] * 100
    cancellable.cancel()


def test_each_of_many_subscribers_demands_and_fails_for_itself():
    car, log = Car(), []

    def fails(value):
        if value == 2:
            raise ValueError("two")

    def demands(value):
        log.append(("demands", value))
        return 1

    def once(value):
        log.append(("once", value))

    def refuses(value):
        return -1 if value == 3 else 0

    cancellables = [
        car.published.charge.sink(fails, lambda error: log.append(str(error))),
        car.published.charge.sink(demands, demand=1),
        car.published.charge.sink(once, demand=1),
        car.published.charge.sink(refuses, lambda error: log.append(type(error).__name__)),
        car.published.charge.sink(lambda value: log.append(value)),
    ]
    del log[:]
    for value in range(1, 5):
        car.charge = value
    assert log == [
        ("demands", 1), 1, "two", ("demands", 2), 2, ("demands", 3), "ValueError", 3, ("demands", 4), 4
    ]  # fmt: skip
    assert len(cancellables) == 5


@pytest.mark.parametrize("first", [0, 1, 2])
def test_a_subscriber_cancels_any_of_many(first):
    """Also itself, and what has not been told yet: that is told no more."""
    car, log, cancellables = Car(), [], {}

    def listener(name):
        def listen(value):
            log.append((name, value))
            if value == 1 and name == first:
                cancellables.clear()

        return listen

    for name in range(3):
        cancellables[name] = car.published.charge.sink(listener(name))
    del log[:]
    car.charge = 1
    car.charge = 2
    assert log == [(name, 1) for name in range(first + 1)]
