"""Exceptions of sinks and of those who watch: which end the stream, and which are reported."""

import pytest
import streams
from raising import cut, raiser  # noqa: F401  the fixture is used by its name
from recorder import Recorder
from streams import Fail, Just, PassthroughSubject, Sequence


class Oops(Exception):
    pass


class Nameless(Exception):
    def __repr__(self):
        raise LookupError


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


def test_a_sinks_function_that_returns_an_object_without_a_representation():
    ends = []
    Just(1).sink(Nameless, ends.append).close()
    assert isinstance(ends[0], TypeError) and "<Nameless>" in str(ends[0])
