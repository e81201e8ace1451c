"""What publishers tell of a pipeline, operators that are functions, and what help() shows."""

import doctest
import functools
import inspect
import operator
import pickle
import queue
import sys
import types
from _thread import start_new_thread
from collections import deque

import pytest
import streams
from chains import Recipe, celsius, chain
from conftest import Oops
from streams import UNLIMITED, Deferred, Demand, EventLoop, Just, PassthroughSubject, Publisher, Record, Sequence
from streams._program import chains

# ---- representations ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "publisher, expected",
    [
        (lambda: Just(3), "Just(3)"),
        (lambda: Just("x" * 100), f"Just('{'x' * 17}...')"),
        (lambda: Sequence([1, 2]).map(celsius).filter(bool), "Sequence(<list>).map(celsius).filter(bool)"),
        (lambda: PassthroughSubject().prefix(2).drop_first(), "PassthroughSubject().prefix(2).drop_first(1)"),
        (lambda: Just(1).flat_map(Just), "Just(1).flat_map(Just)"),
        (lambda: Just(1).flat_map(Just, max_publishers=3), "Just(1).flat_map(Just, max_publishers=3)"),
        (lambda: Just(1).min(), "Just(1).min()"),
        (lambda: Just(1).catch(Just).replace_error(0), "Just(1).catch(Just).replace_error(0)"),
        (lambda: Just(1).zip(Just(2).map(str), Just(3)), "Just(1).zip(Just(2).map(str), Just(3))"),
        (lambda: Just(1).append(Just(2)).count(), "Just(1).append(Just(2)).count()"),
        (lambda: Just(1).share().make_connectable(), "Just(1).share().make_connectable()"),
        (lambda: Just(1).map(Recipe().convert), "Just(1).map(convert)"),
        (lambda: Just(1).map(functools.partial(celsius)), "Just(1).map(partial)"),
        (lambda: Deferred(lambda: Just(1)), "Deferred(<lambda>)"),
        (lambda: Record([], Oops()), "Record(<list>, <Oops>)"),
        (lambda: streams.from_iterable([1]), "from_iterable(<list>)"),
        (lambda: streams.create(print).scan(0, operator.add), "create(print).scan(0, add)"),
        (lambda: Just(1).delay(0.5, EventLoop()), "Just(1).delay(0.5, <EventLoop>)"),
        (lambda: Just(1).pipe(lambda p: p.map(str)), "Just(1).map(str)"),
    ],
)
def test_representation(publisher, expected):
    assert chain(publisher()) == expected


def test_a_subject_of_ones_own_has_its_name():
    class Prices(PassthroughSubject):
        pass

    assert chain(Prices().map(str)) == "Prices().map(str)"


def test_a_closed_publisher_still_says_what_it_was():
    publisher = Just(1).map(str)
    publisher.close()
    assert chain(publisher) == "Just(1).map(str)"


def test_a_long_chain_is_shortened():
    publisher = Just(0)
    for _ in range(2000):
        publisher = publisher.map(celsius)
    assert chain(publisher).count("map") == 19 and ".… 1981 more …." in chain(publisher)


def test_pipelines_within_pipelines_are_shortened():
    publisher = Just(0)
    for _ in range(1000):
        publisher = Just(1).merge(publisher, publisher)
    assert "Just(1).merge(…, …)" in chain(publisher) and len(chain(publisher)) < 2000
    assert len(list(chains._all(publisher._step))) == 2001


def test_it_keeps_no_argument(error):
    function, value = (lambda n: n), Oops()
    counts = sys.getrefcount(function), sys.getrefcount(value)
    publisher = Just(value).map(function)
    publisher.close()
    assert chain(publisher) and (sys.getrefcount(function), sys.getrefcount(value)) == counts


# ---- pipe --------------------------------------------------------------------------------------------------------


def test_pipe():
    def doubled(publisher):
        return publisher.map(lambda n: n * 2)

    assert list(Sequence([1, 2]).pipe()) == [1, 2]
    assert list(Sequence([1, 2]).pipe(doubled, doubled)) == [4, 8]
    assert Sequence([1, 2]).pipe(doubled, Publisher.collect, list) == [[2, 4]]
    assert Sequence([1, 2]).pipe(operator.methodcaller("reduce", 0, operator.add)).run() == 3


def test_pipe_of_no_function():
    with pytest.raises(TypeError, match="an operator must be callable, not int"):
        Just(1).pipe(lambda p: p, 3)


# ---- help --------------------------------------------------------------------------------------------------------


def test_signatures_say_what_unlimited_is():
    assert "demand: 'int' = UNLIMITED," in str(inspect.signature(Publisher.sink))
    assert "max_publishers: 'int' = UNLIMITED)" in str(inspect.signature(Publisher.flat_map))


def test_unlimited_is_a_number():
    assert UNLIMITED == Demand.UNLIMITED == 2**63 - 1 and isinstance(UNLIMITED, int)
    assert pickle.loads(pickle.dumps(UNLIMITED)) is UNLIMITED
    assert f"{UNLIMITED:d}" == str(2**63 - 1) and repr(UNLIMITED) == "UNLIMITED"


def test_the_introduction_is_true():
    introduction = doctest.DocTestParser().get_doctest(streams.__doc__, {}, "streams", None, 0)
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(introduction)
    assert found.attempted > 10 and found.failed == 0


def test_operators_are_made_in_the_middle_of_an_import(monkeypatch):
    """As a signal's handler may make them: what is being imported has no functions yet."""
    for name in ("dis", "inspect"):
        monkeypatch.setitem(sys.modules, name, types.ModuleType(name))
    failures, line = [], sys._getframe().f_lineno + 1
    publisher = Just(0).map(functools.partial(operator.add, 1)).map(lambda n: n // 0)
    publisher.sink(failures.append, failures.append)
    assert isinstance(failures[0], ZeroDivisionError) and str(publisher._step.place).startswith(f"{__file__}:{line},")


@pytest.mark.parametrize("name", ["map", "filter", "first_where", "all_satisfy", "flat_map", "print"])
def test_only_c_calls_an_operator(name):
    """Then it has no place in the program."""
    made, argument = queue.SimpleQueue(), "word" if name == "print" else Just
    calls = map(made.put, map(getattr(Just(1), name), [argument]))
    start_new_thread(deque(maxlen=0).extend, (calls,))
    publisher = made.get(timeout=60)
    assert publisher._step.place is None and f": Just(1).{name}(" in repr(publisher)
