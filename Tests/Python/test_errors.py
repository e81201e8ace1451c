"""Exceptions: raised in any callback they fail the stream, and come out as the very same object."""

import pickle
import traceback

import pytest
import streams
from callers import CALLERS
from raising import cut, raiser  # noqa: F401  the fixture is used by its name
from recorder import Recorder
from streams import Fail, Just, PassthroughSubject, Sequence, StreamError, create, from_iterable


class Oops(Exception):
    pass


@pytest.mark.parametrize("name", CALLERS)
@pytest.mark.parametrize("kind", [Oops, KeyError, StopIteration, StopAsyncIteration])
def test_operator_that_raises(name, kind):
    error = kind("why")
    recorder = Recorder(CALLERS[name](Sequence([1, 2]), raiser(error)))
    assert recorder.error is error
    assert [frame.name for frame in traceback.extract_tb(error.__traceback__)][-1] == "raise_it"
    assert "raise error" in "".join(traceback.format_exception(kind, error, error.__traceback__))


@pytest.mark.parametrize("name", CALLERS)
def test_upstream_is_cancelled(name):
    log = []
    subject = PassthroughSubject()
    watched = subject.handle_events(receive_cancel=lambda: log.append("cancel"))
    recorder = Recorder(CALLERS[name](watched, raiser(Oops())))
    for n in range(3):
        subject.send(n)
    if name == "reduce":
        subject.finish()
    assert isinstance(recorder.error, Oops) and log == ["cancel"]


def test_a_raised_class_is_made_an_object():
    def function(_):
        raise Oops

    assert type(Recorder(Just(1).map(function)).error) is Oops


def test_cause_and_context_are_kept():
    def function(_):
        try:
            raise KeyError("cause")
        except KeyError as error:
            raise Oops("effect") from error

    error = Recorder(Just(1).map(function)).error
    assert error.__cause__.args == ("cause",) and error.__context__ is error.__cause__


def test_through_many_operators(error):
    publisher = Sequence([1, 2]).map(raiser(error)).filter(bool).scan(0, max).collect().flat_map(Just).merge(Just(5))
    recorder = Recorder(publisher)
    assert recorder.error is error


def test_error_in_a_later_value_comes_after_the_values_before():
    recorder = Recorder(Sequence([1, 2, 0, 3]).map(lambda n: 6 // n))
    assert recorder.values == [6, 3] and isinstance(recorder.error, ZeroDivisionError)


def test_wrong_result_of_flat_map_and_catch():
    for wrong in (None, 3, [1], Just):
        assert "must return a Publisher" in str(Recorder(Just(1).flat_map(lambda _, w=wrong: w)).error)
        assert "must return a Publisher" in str(Recorder(Fail(Oops()).catch(lambda _, w=wrong: w)).error)
    closed = Just(1)
    closed.close()
    assert isinstance(Recorder(Just(1).flat_map(lambda _: closed)).error, streams.ClosedError)


def test_wrong_number_of_arguments():
    for operator in ("map", "filter", "compact_map", "flat_map"):
        assert isinstance(Recorder(getattr(Just(1), operator)(lambda: 1)).error, TypeError)


def test_result_without_a_truth():
    class Vague:
        def __bool__(self):
            raise Oops("neither")

    assert isinstance(Recorder(Just(1).filter(lambda _: Vague())).error, Oops)


def test_comparison_that_raises():
    class Odd:
        def __eq__(self, other):
            raise Oops("never")

    recorder = Recorder(Sequence([Odd(), Odd()]).remove_duplicates())
    assert len(recorder.values) == 1 and isinstance(recorder.error, Oops)


class Unreadable(Exception):
    """Like a proxy whose target has gone."""

    def __init__(self, name):
        self.name = name

    def __getattribute__(self, name):
        if name == super().__getattribute__("name"):
            raise LookupError(name)
        return super().__getattribute__(name)


@pytest.mark.parametrize("name", ["__class__", "__traceback__", "__notes__", "__cause__", "args", "__dict__"])
def test_an_exception_that_cannot_be_read_ends_the_wait_and_is_told(name):
    def fail(_):
        raise Unreadable(name)

    ends = []
    streams.from_iterable([1]).map(fail).sink(completion=ends.append).close()
    assert len(ends) == 1 and type(ends[0]) in (Unreadable, LookupError)
    with pytest.raises((Unreadable, LookupError)):
        streams.from_iterable([1]).map(fail).run(timeout=60)
    with pytest.raises((Unreadable, LookupError)):
        streams.from_iterable([1]).map(fail).first_value(timeout=60)


def test_exception_that_cannot_describe_itself():
    class Mute(Exception):
        def __str__(self):
            raise ValueError("no words")

    error = Mute()
    assert Recorder(Fail(error)).error is error
    assert Recorder(Just(1).map(raiser(error))).error is error


@pytest.mark.parametrize("text", ["größer", "\0 in between", "\ud800 alone", "x" * 100_000, ""])
def test_any_message(text):
    error = Oops(text)
    assert Recorder(Fail(error)).error is error
    assert Recorder(Just(1).map(raiser(error))).error is error


# ---- errors that are not Python's --------------------------------------------------------------------------------


def test_stream_error():
    error = StreamError("broken", domain="pump", code=7)
    assert str(error) == "broken (pump 7)"
    assert (error.message, error.domain, error.code) == ("broken", "pump", 7)
    assert Recorder(Fail(error)).error is error
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.domain, again.code) == ("broken", "pump", 7)


def test_error_of_the_library_is_a_stream_error():
    """A publisher of C that fails with an error of its own."""
    from streams._native.library import library

    handle = library.streams_error_create(42, b"valve", "größer".encode(), None)
    try:
        failing = streams.Publisher._adopt(library.streams_fail(handle))
    finally:
        library.streams_release(handle)
    error = Recorder(failing).error
    assert type(error) is StreamError and (error.message, error.domain, error.code) == ("größer", "valve", 42)


def test_error_passes_through_a_generator_and_a_source(error):

    def generator():
        raise error
        yield

    assert Recorder(from_iterable(generator)).error is error
    assert Recorder(create(raiser(error))).error is error
    assert Recorder(create(lambda emitter: raiser(error))).error is error


def test_map_error_leaves_what_is_no_exception_alone():
    error, ends = KeyboardInterrupt(), []
    streams.Fail(error).map_error(lambda _: ValueError()).sink(None, ends.append).close()
    assert ends == [error]


@pytest.mark.parametrize("made", [None, "text", ValueError, 3])
def test_map_error_needs_an_exception(made):
    ends = []
    streams.Fail(ValueError()).map_error(lambda _: made).sink(None, ends.append).close()
    assert isinstance(ends[0], TypeError) and "exception" in str(ends[0])


class Nameless(Exception):
    def __repr__(self):
        raise LookupError


@pytest.mark.parametrize(
    "make",
    [lambda: Just(Nameless()).dematerialize(), lambda: Fail(Nameless()).assert_no_failure("never")],
    ids=["dematerialize", "assert_no_failure"],
)
def test_a_message_about_an_object_without_a_representation(make):
    ends = []
    make().sink(None, ends.append).close()
    assert "<Nameless>" in str(ends[0])
