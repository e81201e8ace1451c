"""What exceptions tell of the stream, where values and exceptions are odd."""

import pytest
import streams
from chains import celsius, chain, line, notes_of
from conftest import Oops
from streams import Fail, Just, Sequence


class Odd:
    """Has no hash, is neither equal to anything nor comes before it, and is no number."""

    def __hash__(self):
        raise Oops

    def __eq__(self, other):
        raise Oops

    def __lt__(self, other):
        raise Oops

    def __add__(self, other):
        raise Oops

    __radd__ = __add__


def odd():
    yield 1
    raise Oops


ODDITIES = {
    "group_by": lambda values: Sequence(values).group_by(lambda n: n),
    "distinct": lambda values: Sequence(values).distinct(),
    "min": lambda values: Sequence(values).min(),
    "max": lambda values: Sequence(values).max(),
    "sum": lambda values: Sequence(values).sum(),
    "remove_duplicates": lambda values: Sequence(values).remove_duplicates(),
}


@pytest.mark.parametrize(
    "name, value", [(name, Odd()) for name in ODDITIES] + [(name, {}) for name in ODDITIES if name != "remove_duplicates"]
)
def test_what_values_cannot_do_is_told_of(name, value):
    publisher = ODDITIES[name]([value, value])
    place = f"made at here:{ODDITIES[name].__code__.co_firstlineno}, in <lambda>"
    assert notes_of(publisher.prefix(9)) == [f"came through a stream with {chain(publisher).partition('.')[2]}, {place}"]


def test_an_iterator_that_fails_is_told_of():
    publisher = streams.from_iterable(odd())
    number = line() - 1
    (note,) = notes_of(publisher.prefix(9))
    assert note.startswith(f"came through a stream with from_iterable(<generator>), made at here:{number}, in ")


def test_what_is_no_event_is_told_of():
    publisher = Just(1).dematerialize()
    number = line() - 1
    assert notes_of(publisher)[0].startswith(f"raised in dematerialize(), made at here:{number}, in ")


def test_a_failure_that_is_given_is_no_values_fault():
    publisher = streams.Fail(Oops()).min().sum().distinct()
    assert notes_of(publisher) == []
    with pytest.raises(ValueError) as caught:
        int("load")
    assert notes_of(streams.Fail(caught.value).map(str).min().sum().distinct()) == []
    assert notes_of(Just(1).flat_map(lambda _: streams.from_iterable(odd())).map(str).max()) == []


class Frozen(Exception):
    def __setattr__(self, name, value):
        if name == "__notes__":
            raise TypeError("it cannot be changed")
        super().__setattr__(name, value)


@pytest.mark.parametrize("notes", [None, (), 3])
def test_an_exception_that_takes_no_notes_is_told_of_as_it_is(notes):
    def fail(_):
        error = Frozen()
        error.__dict__["__notes__"] = notes
        raise error

    for failing in (Just(1).map(fail).run, lambda: streams.Property(1).map(fail).value):
        with pytest.raises(Frozen) as caught:
            failing()
        caught.value.__traceback__ = None
        del caught


def test_notes_of_the_programs_own_stay_apart():
    def fail(_):
        error = ValueError()
        error.__notes__ = ["mine"]
        raise error

    derived = streams.Property(1).map(fail)
    for _ in range(2):
        with pytest.raises(ValueError) as caught:
            print(derived.value)
        streams.Property(1).map(fail).close()
        assert caught.value.__notes__[0] == "mine" and len(caught.value.__notes__) == 2
        caught.value.__traceback__ = None
        del caught
    derived.close()


class Proxy(dict):
    """It has whatever one asks it for, or fails."""

    __getattr__ = dict.__getitem__


def test_a_value_is_not_asked_for_what_it_is():
    initial = Proxy()
    assert Sequence([1]).scan(initial, lambda a, b: a).first_value() is initial
    assert streams.Property(1).scan(initial, lambda a, b: a).value is initial
    assert streams.Property(1).filter(initial, lambda n: False).value is initial


class Wordless:
    def __str__(self):
        raise RuntimeError("no text")


@pytest.mark.parametrize("arguments", [(Wordless(),), (), ("celsius() takes ", 1), ("1." * 4_000_000,)])
def test_a_failure_is_told_whatever_its_text_is(arguments):
    error = TypeError(*arguments)
    ends = []
    cancellable = Fail(error).map(celsius).sink(None, ends.append)
    assert ends == [error]
    del cancellable
