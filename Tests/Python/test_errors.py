"""Exceptions: raised in any callback they fail the stream, and come out as the very same object."""

import asyncio
import contextlib
import gc
import pickle
import sys
import traceback
import weakref

import pytest
import streams
from callers import CALLERS
from recorder import Recorder
from streams import Fail, Just, PassthroughSubject, Sequence, StreamError, create, from_iterable

RAISED = []


@pytest.fixture(autouse=True)
def cut():
    """Cuts the circles of exceptions that a stream's function raises and keeps; see the fixture `error`."""
    yield
    for error in RAISED:
        error.__traceback__ = None
    RAISED.clear()


class Oops(Exception):
    pass


def raiser(error):
    """A function that raises an exception."""
    RAISED.append(error)

    def raise_it(*_):
        raise error

    return raise_it


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


# ---- sinks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["value", "batch"])
@pytest.mark.parametrize("values", [[1, 2], ["a", "b"]])
def test_sink_that_raises_is_cancelled_and_told(way, values, error):
    ends, log = [], []
    subject = PassthroughSubject()
    watched = subject.handle_events(receive_cancel=lambda: log.append("cancel"))
    cancellable = watched.sink(completion=ends.append, **{way: raiser(error)})
    subject.send_many(values)
    subject.send("more")
    assert ends == [error] and ends[0] is error and log == ["cancel"]
    cancellable.close()


@pytest.mark.parametrize("result", [-1, -(2**70), "3", 1.5, [], object(), "x" * 1000, lambda: None])
@pytest.mark.parametrize("way", ["value", "batch"])
def test_sink_that_returns_no_demand_is_told_what_to_return(result, way):
    ends = []
    cancellable = Sequence([1, 2]).sink(completion=ends.append, **{way: lambda _: result})
    (error,) = ends
    assert type(error) is (ValueError if isinstance(result, int) else TypeError)
    assert "it must return None, or" in str(error) and len(str(error)) < 200
    assert "'3', of type str" in str(error) if result == "3" else True
    cancellable.close()


def test_sink_that_returns_a_coroutine_is_told_what_to_do():
    async def value(_):
        raise AssertionError("nobody awaits")

    ends = []
    cancellable = Just(1).sink(value, ends.append)
    assert type(ends[0]) is TypeError and "give the sink a plain function" in str(ends[0])
    cancellable.close()


async def coroutine(*_):
    raise AssertionError("nobody awaits")


PLAIN = {
    "is_included": lambda p: p.filter(coroutine),
    "by": lambda p: p.remove_duplicates(coroutine),
    "completion": lambda p: p.sink(None, coroutine),
    "subscription": lambda p: p.sink(subscription=coroutine),
    **{
        f"receive_{event}": lambda p, event=event: p.handle_events(**{f"receive_{event}": coroutine})
        for event in ("subscription", "output", "completion", "cancel", "request")
    },
}


@pytest.mark.parametrize("name", PLAIN)
def test_an_async_function_where_nobody_awaits_is_refused(name):
    with pytest.raises(TypeError, match=f"{name} must be a plain function, which may call asyncio.create_task"):
        PLAIN[name](Just(1))


@pytest.mark.parametrize("name", ["transform", "handler"])
def test_an_async_function_where_a_publisher_is_needed_is_told_what_to_use(name):
    publisher = Just(1).flat_map(coroutine) if name == "transform" else Fail(KeyError()).catch(coroutine)
    error = Recorder(publisher).error
    assert type(error) is TypeError
    assert str(error) == f"{name} must return a Publisher, not a coroutine, which map_async awaits"


@pytest.mark.parametrize("result", [0, None, False, True, 2**63, 2**80])
def test_sink_that_returns_any_demand(result):
    class Index:
        def __index__(self):
            return 1 if result is None else int(result)

    for returned in (result, Index()):
        recorder = Recorder(Sequence([1, 2, 3]), 1, returned)
        assert recorder.values == ([1] if not result and returned is result else recorder.values)
        recorder.cancellable.close()
    assert len(Recorder(Sequence([1, 2, 3]), 1, 2**80).values) == 3


def test_failure_that_nobody_handles_is_reported(unraisable):
    error = Oops()
    cancellable = Fail(error).sink(print)
    (report,) = unraisable
    assert type(report) is streams.UnhandledFailure and report.__cause__ is error
    cancellable.close()


def test_finish_that_nobody_handles_is_not(unraisable):
    Just(1).sink(lambda _: None)
    assert unraisable == []


@pytest.mark.parametrize("where", ["completion", "subscription"])
def test_sinks_other_functions_that_raise_are_reported(where, unraisable, error):
    got = []
    cancellable = Just(1).sink(got.append, **{where: raiser(error)})
    assert got == [1] and unraisable == [error]
    cancellable.close()


@pytest.mark.parametrize("event", ["subscription", "output", "completion", "cancel", "request"])
def test_event_handlers_that_raise_are_reported_and_change_nothing(event, unraisable, error):
    subject = PassthroughSubject()
    recorder = Recorder(subject.handle_events(**{f"receive_{event}": raiser(error)}))
    subject.send(1)
    if event == "cancel":
        recorder.cancellable.cancel()
        assert recorder.ends == []
    else:
        subject.finish()
        assert recorder.finished
    assert recorder.values == [1] and set(unraisable) == {error}


def test_print_to_a_file_that_raises_is_reported(unraisable):
    class Full:
        def write(self, text):
            raise OSError("disk full")

    recorder = Recorder(Just(1).print(to=Full()))
    assert recorder.values == [1] and recorder.finished
    assert {type(error) for error in unraisable} == {OSError}


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


def test_sink_that_raises_after_it_has_ended_the_stream_is_told_of_one_end(unraisable, error):
    subject = PassthroughSubject()
    ends = []

    def value(_):
        subject.finish()
        raise error

    cancellable = subject.sink(value, ends.append)
    subject.send(1)
    assert ends == [None] and unraisable == [error]
    cancellable.close()


def test_an_error_that_a_function_raises_again_keeps_nothing():
    """Its traceback would end in the very stream whose error it is, where Python's collector cannot look."""

    def again(error):
        raise error

    class Own(Exception):
        pass

    for operator in ("map_error", "catch"):
        for _ in range(20):
            error = Own("once")
            ends = []
            getattr(streams.Fail(error), operator)(again).sink(None, ends.append).close()
            assert ends == [error]
            del error, ends
    gc.collect()  # the fixture counts what is left


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


def test_a_sinks_function_that_returns_an_object_without_a_representation():
    ends = []
    Just(1).sink(Nameless, ends.append).close()
    assert isinstance(ends[0], TypeError) and "<Nameless>" in str(ends[0])


def frames(error):
    return [frame.f_code.co_name for frame, _ in traceback.walk_tb(error.__traceback__)]


def raised_here():
    try:
        raise Oops("down")
    except Oops as error:
        return error


def failed(error):
    subject = PassthroughSubject()
    subject.fail(error)
    return subject


def shared(error):
    publisher = Fail(error).share()
    publisher.sink(completion=lambda _: None)
    return publisher


KEEPERS = {
    "Fail": Fail,
    "an operator": lambda error: Fail(error).map(str).merge(Just(1)),
    "subject": failed,
    "Future": lambda error: streams.Future(lambda promise: promise.reject(error)),
    "share": shared,
}


async def awaited(publisher):
    await publisher


async def looped(publisher):
    async for _ in publisher:
        pass


ASKERS = {
    "first_value": lambda publisher: publisher.first_value(),
    "run": lambda publisher: publisher.run(),
    "list": list,
    "await": lambda publisher: asyncio.run(awaited(publisher)),
    "async for": lambda publisher: asyncio.run(looped(publisher)),
}


@pytest.mark.parametrize("asker", ASKERS)
@pytest.mark.parametrize("keeper", KEEPERS)
def test_a_failure_that_is_kept_has_the_traceback_of_the_last_time_only(keeper, asker):
    class Big:
        pass

    def ask():
        big = Big()
        alive.add(big)
        with contextlib.suppress(Oops):
            ASKERS[asker](publisher)

    alive = weakref.WeakSet()
    error = raised_here()
    publisher = KEEPERS[keeper](error)
    ask()
    once = frames(error)
    assert once[0] == "ask" and once[-1] == "raised_here"
    for _ in range(10):
        ask()
        gc.collect()
        assert frames(error) == once and len(alive) == 1
    publisher.close()
    error.__traceback__ = None


def test_a_failure_of_a_stream_within_a_stream_keeps_its_frames():
    def inner(_):
        return Fail(error).first_value()

    for _ in range(50):  # what is made anew may lie where something else was
        error = raised_here()
        with pytest.raises(Oops) as caught:
            Just(1).map(inner).run()
        found = frames(caught.value)
        assert found.index("inner") < found.index("raised_here")
        error.__traceback__ = caught = None


FAILED_INSIDE = {
    "share": lambda subject: subject.map(lambda n: 100 // n).share(),
    "share with values": lambda subject: subject.map(lambda n: 100 // n).share(replay=2),
    "multicast": lambda subject: subject.map(lambda n: 100 // n).multicast(streams.ReplaySubject(1)).autoconnect(),
}


@pytest.mark.skipif(sys.version_info < (3, 11), reason="frames know their callers for ever")
@pytest.mark.parametrize("name", FAILED_INSIDE)
def test_a_failure_does_not_keep_who_called(name):
    """It is kept by the library, and would keep the variables of this function, and they the publisher that keeps it."""

    def request():
        big = Oops()
        alive.add(big)
        subject = PassthroughSubject()
        publisher = FAILED_INSIDE[name](subject)
        ends = []
        cancellable = publisher.sink(None, lambda error: ends.append(frames(error)))
        subject.send(0)
        assert ends == [["<lambda>"]]
        cancellable.cancel()

    alive = weakref.WeakSet()
    for _ in range(3):
        request()
    gc.collect()
    assert not alive
