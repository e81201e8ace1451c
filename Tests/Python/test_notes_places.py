"""What exceptions tell of the places that make operators of one function."""

import itertools
import re

import pytest
import streams
from chains import celsius, notes_of
from conftest import Oops
from let_in import before_each_instruction
from streams import Deferred, Just
from streams._program import chains


def cold(value):
    return Just(value).map(celsius)


COLD = cold.__code__.co_firstlineno + 1


@pytest.mark.parametrize(
    "publisher",
    [
        lambda: Just("mild").flat_map(cold),
        lambda: Just("mild").concat_map(cold),
        lambda: Just("mild").map(cold).switch_to_latest(),
        lambda: Deferred(lambda: cold("mild")),
        lambda: streams.Fail(Oops()).catch(lambda _: cold("mild")),
    ],
)
def test_a_stream_that_a_function_makes(publisher):
    told = f"raised in map(celsius), made at here:{COLD}, in cold"
    assert notes_of(publisher())[0].startswith(told)


def test_each_place_that_has_the_function_is_told():
    def fail(value):
        raise Oops

    first, second = Just(1).map(fail), Just(1).filter(fail)
    note = notes_of(Just(1).flat_map(lambda _: second))
    assert note == [f"raised in {second._step.described()} or {first._step.described()}".replace(__file__, "here")]


def test_only_the_last_places_are_told():
    def fail(value):
        raise Oops

    space = {"Just": Just, "fail": fail, "made": []}
    for number in range(20):
        exec("\n" * number + "made.append(Just(1).map(fail))", space)
    (note,) = notes_of(Just(1).flat_map(lambda _: space["made"][3]))
    assert re.findall(r"made at <string>:(\d+)", note) == ["20", "19", "18"] and note.endswith(" or elsewhere")


def test_a_call_of_the_programs_own_is_not_the_operators():
    def fail(value):
        raise Oops

    Just(1).map(fail)
    try:
        fail(1)
    except Oops as error:
        assert notes_of(streams.Fail(error)) == []


def test_what_is_known_of_functions_has_an_end():
    for _ in range(chains._FUNCTIONS + 10):
        Just(1).map(eval("lambda n: n"))
        assert len(chains._users) <= chains._FUNCTIONS
    assert "raised in map(celsius)" in notes_of(Just("mild").flat_map(cold))[0]


def test_threads_make_operators_of_one_function_at_the_same_time():
    def shared(value):
        return value

    lines = "\n".join(f"def make{number}(): return Just(1).map(shared)" for number in range(10))
    exec(compile(lines, "made.py", "exec"), known := {"Just": Just, "shared": shared})
    makers = itertools.cycle(known[f"make{number}"] for number in range(10))
    for _ in range(5):
        next(makers)()

    def others():
        for _ in range(5):
            next(makers)()

    def attempt(begin):
        begin(others)
        next(makers)()

    before_each_instruction(chains._Users.add, attempt)
    assert len(chains._users[id(shared.__code__)].told()) == 4  # three places, and elsewhere
