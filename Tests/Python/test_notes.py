"""What exceptions tell of the stream that has failed: its operators, and the lines where they stand."""

import collections
import dataclasses
import functools
import re
import sys

import pytest
import streams
from chains import Recipe, celsius, chain, line, notes_of
from conftest import Oops
from streams import Deferred, Just, Publisher, Sequence, weak


class Shouting:
    """An operator, a source and what map makes, none of which begins with numbers."""

    def __init__(self, emitter, mark="!"):
        self.shout = lambda value: emitter.send(value.upper() + mark)
        if isinstance(emitter, str):
            celsius(emitter)

    def on_value(self, value):
        self.shout(value)

    def produce(self, most):
        self.shout(most)


class Silent(Shouting):
    """An operator that fails at the end."""

    def on_value(self, value):
        pass

    def on_completion(self, error):
        self.shout(0)


def nothing(emitter):
    return None


FAILING = {
    "lift": lambda p: p.count().lift(Shouting),
    "lift of a partial class": lambda p: p.count().lift(functools.partial(Shouting, mark="?")),
    "lift of a function that makes an operator": lambda p: p.count().lift(lambda emitter: Shouting(emitter)),
    "lift of a function that makes a function": lambda p: p.lift(lambda emitter: lambda value: emitter.send(1 / 0)),
    "lift of a function that makes nothing": lambda p: p.lift(nothing),
    "lift that fails at the end": lambda p: p.lift(Silent),
    "the second lift": lambda p: p.lift(lambda emitter: emitter.send).count().lift(Shouting),
    "create": lambda p: streams.create(Shouting),
    "create of a function that makes a source": lambda p: streams.create(lambda emitter: Shouting(emitter)),
    "create of a function that makes a function": lambda p: streams.create(lambda emitter: lambda most: 1 / 0),
    "create of a function that makes nothing": lambda p: streams.create(nothing),
    "map of a class": lambda p: p.map(Shouting),
    "map": lambda p: p.map(celsius),
    "filter": lambda p: p.filter(celsius),
    "scan": lambda p: p.scan(0, lambda a, b: celsius(b)),
    "flat_map": lambda p: p.flat_map(celsius),
    "map of a method": lambda p: p.map(Recipe().convert),
    "map of a partial function": lambda p: p.map(functools.partial(celsius)),
    "map of a weak function": lambda p: p.map(weak(celsius)),
    "remove_duplicates": lambda p: p.append(p).remove_duplicates(lambda a, b: celsius(a)),
    "catch": lambda p: p.map(float).catch(lambda error: 1 / 0),
}


@pytest.mark.parametrize("name", FAILING)
def test_the_operator_that_failed_is_named(name):
    publisher = FAILING[name](Just("mild"))
    described = chain(publisher).rpartition(".")[2]
    number = FAILING[name].__code__.co_firstlineno
    notes = notes_of(publisher.prefix(9).map(str))
    assert f"raised in {described}, made at here:{number}, in <lambda>" in notes


def test_it_is_the_one_of_several():
    first = line() + 1
    publisher = Just("mild").map(lambda s: s)
    publisher = publisher.map(celsius)
    publisher = publisher.map(lambda s: s)
    expected = f"raised in map(celsius), made at here:{first + 1}, in test_it_is_the_one_of_several"
    assert notes_of(publisher) == [expected]


def test_one_in_a_publisher_that_is_joined():
    publisher = Just(1).merge(Just("mild").map(celsius))
    number = line() - 1
    assert notes_of(publisher)[0].startswith(f"raised in map(celsius), made at here:{number}, in ")


def test_one_that_may_be_either():
    publisher = Just("1").map(celsius).map(celsius)
    number = line() - 1
    assert notes_of(publisher)[0].count(f"made at here:{number}") == 1  # the same line is told once


def test_a_function_of_c_is_told_of():
    publisher = Just("mild").map(float).filter(lambda n: n)
    number = line() - 1
    place = f"made at here:{number}, in test_a_function_of_c_is_told_of"
    assert notes_of(publisher) == [f"came through a stream with map(float), {place}"]


class Number(int):
    def __init__(self, text):
        pass


class Unset:
    def __get__(self, instance, kind):
        raise Oops


class Strange:
    on_value = Unset()

    def __init__(self, value):
        pass


@pytest.mark.parametrize("kind", [Number, collections.namedtuple("Pair", "a b"), dataclasses.make_dataclass("Two", "ab")])
def test_a_class_that_leaves_no_trace_is_told_of(kind):
    publisher = Just("x").map(kind)
    number = line() - 1
    (note,) = notes_of(publisher)
    assert note.startswith(f"came through a stream with map({kind.__name__}), made at here:{number}, in ")


def test_what_else_a_class_has_is_not_looked_at():
    assert Just(1).map(Strange).map(lambda _: 2).first_value() == 2


def test_what_makes_no_publisher():
    publisher = Just(1).flat_map(lambda n: n).prefix(1)
    number = line() - 1
    assert notes_of(publisher)[0].startswith(f"raised in flat_map(<lambda>), made at here:{number}, in ")


def test_the_function_of_a_sink():
    found = []
    cancellable = Just(0).sink(lambda n: 1 / n, found.append)
    number = line() - 1
    assert f"raised in sink(<lambda>), made at {__file__}:{number}" in found[0].__notes__[0]
    found[0].__traceback__ = None
    del cancellable


def test_a_demand_that_is_none():
    found = []
    cancellable = Just(0).sink(lambda n: "many", found.append)
    assert found[0].__notes__[0].startswith(f"raised in sink(<lambda>), made at {__file__}:")
    found[0].__traceback__ = None
    del cancellable


@pytest.mark.parametrize(
    "call, expected",
    [
        (lambda: Just(1).map(3), "map: transform must be callable, not int"),
        (lambda: Just(1).sink(3), "sink: value must be callable, not int"),
        (lambda: Deferred(3), "Deferred: make must be callable, not int"),
        (lambda: Just(1).pipe(3), "pipe: an operator must be callable, not int"),
    ],
)
def test_what_is_no_function_is_told_by_its_operator(call, expected):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == expected


def test_an_exception_that_is_given_has_none():
    assert notes_of(streams.Fail(Oops()).map(celsius)) == []


def test_a_second_subscriber_adds_none():
    publisher = Just("mild").map(celsius).share()
    assert len(notes_of(publisher)) == 1 == len(notes_of(publisher))
    publisher.close()


def test_handlers_get_the_note():
    found = []
    publisher = Just("mild").map(celsius).catch(lambda error: found.append(error) or Just(0))
    assert publisher.run() == 0 and "raised in map(celsius)" in found[0].__notes__[0]
    found[0].__traceback__ = None


def test_a_failure_that_nobody_is_told_of(unraisable):
    cancellable = Just("mild").map(celsius).sink(print)
    cause = unraisable[0].__cause__
    assert "raised in map(celsius), made at " in cause.__notes__[0]
    cause.__traceback__ = None
    del cancellable


PROPERTIES = {
    "map": lambda p: p.map(lambda n: 1 / n),
    "filter": lambda p: p.filter(0, lambda n: 1 / n),
    "compact_map": lambda p: p.compact_map(0, lambda n: 1 / n),
    "scan": lambda p: p.scan(0, lambda sum, n: sum + 1 / n),
    "remove_duplicates": lambda p: p.remove_duplicates(lambda a, b: a / b),
    "flat_map": lambda p: p.flat_map(lambda n: streams.Property(1 / n)),
    "combine_latest": lambda p: p.combine_latest(p, combine=lambda a, b: a / b),
    "zip": lambda p: p.zip(p, combine=lambda a, b: a / b),
}


@pytest.mark.parametrize("way", ["read", "watched"])
@pytest.mark.parametrize("name", PROPERTIES)
def test_functions_of_properties(name, way):
    subject = streams.CurrentValueSubject(1)
    derived = PROPERTIES[name](streams.Property(subject)).map(lambda value: value)
    ends = []
    cancellables = [derived.all_values.sink(None, ends.append)] if way == "watched" else []
    subject.value = 0
    if way == "read":
        with pytest.raises(ZeroDivisionError) as caught:
            print(derived.value)
        ends.append(caught.value)
        del caught
        subject.value = 1  # the property releases the exception, which knows this frame
    number = PROPERTIES[name].__code__.co_firstlineno
    (note,) = ends[0].__notes__
    assert note.startswith(f"raised in {name}(") and note.endswith(f"made at {__file__}:{number}, in <lambda>")
    ends[0].__traceback__ = None
    del cancellables


@pytest.mark.skipif(sys.version_info < (3, 11), reason="code knows its qualified name from Python 3.11 on")
def test_a_call_with_too_few_arguments_names_the_operators_with_that_function():
    publisher = Just(1).zip(Just(2)).map(lambda a, b: a).filter(celsius)
    number = line() - 1
    place = f"made at here:{number}, in {sys._getframe().f_code.co_name}"
    assert notes_of(publisher) == [f"came through a stream with map(<lambda>), {place}"]


def failure_of(wait):
    with pytest.raises(TypeError) as caught:
        wait()
    return [note.replace(__file__, "here") for note in getattr(caught.value, "__notes__", [])]


@pytest.mark.parametrize("wait", [list, Publisher.run, Publisher.first_value, lambda p: p.run(1)])
def test_what_waits_is_no_suspect(wait):
    (note,) = failure_of(lambda: wait(Sequence(["a"]).sum()))
    assert re.fullmatch(r"came through a stream with sum\(\), made at here:\d+, in <lambda>", note)


def test_an_assignment_that_fails_is_named(monkeypatch):
    found = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: found.append(unraisable.exc_value))
    cancellable = Just(1).assign(object(), "name")
    number = line() - 1
    expected = f"came through a stream with assign(), made at here:{number}, in test_an_assignment_that_fails_is_named"
    assert [note.replace(__file__, "here") for note in found[0].__cause__.__notes__] == [expected]
    del cancellable
