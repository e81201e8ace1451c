"""Circles of properties that are closed within the notifications of two of them have the documented error."""

import pytest
from streams import CurrentValueSubject, Property, Status, StreamError


def value_of(made):
    try:
        return made.value
    except StreamError as error:
        return error.code


def closed_by_a_function():
    a, b = CurrentValueSubject(0), CurrentValueSubject(0)
    first, second, constant, made = Property(a), Property(b), Property(-1), {}

    def follow(value):
        if value != 5:
            return constant
        b.value = 5
        return made["second"]

    made["first"] = first.flat_map(follow)
    made["second"] = second.flat_map(lambda value: made["first"] if value == 5 else constant)
    return (a, b), made["first"], made


def closed_by_a_subscriber():
    a, b = CurrentValueSubject(0), CurrentValueSubject(0)
    first, second, constant, made = Property(a), Property(b), Property(-1), {}
    followed = second.flat_map(lambda value: made["sum"] if value == 2 else constant)

    def derive(value):
        if value == 1:
            b.value = 2
            made["sum"] = followed.combine_latest(first, combine=lambda x, y: x + y)

    made["kept"] = (
        second.subsequent_values.sink(derive),
        first.subsequent_values.sink(lambda value: setattr(b, "value", 1) if value == 5 else None),
    )
    return (a, b), followed, made


@pytest.mark.parametrize("circle", [closed_by_a_function, closed_by_a_subscriber])
def test_the_circle_is_an_error(circle):
    (a, b), followed, made = circle()
    watched = []
    with followed.all_values.sink(watched.append, watched.append):
        a.value = 5
        assert value_of(followed) in (Status.PROTOCOL_VIOLATION, Status.LIMIT)
        a.value = b.value = 1
        assert len(watched) < 10
    made.clear()  # the functions have it, and are not seen by the collector
