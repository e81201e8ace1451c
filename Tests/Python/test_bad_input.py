"""What is wrong is refused with an exception that says so, and the process lives."""

import sys

import pytest
import streams
from recorder import Recorder, values_of
from streams import (
    Backoff,
    Empty,
    Fail,
    Just,
    PassthroughSubject,
    ReplaySubject,
    Sequence,
    Status,
    StatusTypeError,
    StatusValueError,
    VirtualTimeScheduler,
)

PREDICATES = ["first_where", "last_where", "drop_while", "prefix_while", "contains_where", "all_satisfy", "min_by"]
NO_FUNCTIONS = [None, 3, "text", object()]


@pytest.mark.parametrize("wrong", NO_FUNCTIONS)
@pytest.mark.parametrize("name", ["map", "filter", "compact_map", "flat_map", "catch", "try_remove_duplicates"] + PREDICATES)
def test_operators_need_functions(name, wrong):
    with pytest.raises(TypeError, match="must be callable"):
        getattr(Just(1), name)(wrong)


@pytest.mark.parametrize("wrong", NO_FUNCTIONS[1:])
def test_switch_to_latest_needs_a_function(wrong):
    with pytest.raises(TypeError, match="must be callable"):
        Just(1).switch_to_latest(wrong)


@pytest.mark.parametrize("wrong", NO_FUNCTIONS)
@pytest.mark.parametrize("name", ["scan", "reduce"])
def test_accumulators_need_functions(name, wrong):
    with pytest.raises(TypeError, match="must be callable"):
        getattr(Just(1), name)(0, wrong)


@pytest.mark.parametrize("wrong", [3, "text", object()])
@pytest.mark.parametrize("name", ["value", "completion", "batch", "subscription"])
def test_sink_needs_functions(name, wrong):
    with pytest.raises(TypeError, match="must be callable"):
        Just(1).sink(**{name: wrong})


@pytest.mark.parametrize("wrong", [3, "text"])
@pytest.mark.parametrize("event", ["subscription", "output", "completion", "cancel", "request"])
def test_handle_events_needs_functions(event, wrong):
    with pytest.raises(TypeError, match="must be callable"):
        Just(1).handle_events(**{f"receive_{event}": wrong})


def test_sink_takes_value_or_batch():
    with pytest.raises(TypeError, match="not both"):
        Just(1).sink(print, batch=print)


@pytest.mark.parametrize("name", ["prefix", "drop_first", "collect"])
def test_counts(name):
    method = getattr(Just(1), name)
    with pytest.raises(ValueError, match="must not be negative"):
        method(-1)
    for wrong in ("3", 1.5, [1]):
        with pytest.raises(TypeError, match="must be an integer"):
            method(wrong)


def test_collect_of_none_at_a_time():
    with pytest.raises(StatusValueError) as caught:
        Just(1).collect(0)
    assert caught.value.status == Status.INVALID_ARGUMENT
    assert caught.value.function == "streams_collect_count"
    assert "STREAMS_INVALID_ARGUMENT" in str(caught.value)


def test_choices_of_a_buffer():
    for wrong, kind in ((0, StatusValueError), (-1, ValueError), ("1", TypeError)):
        with pytest.raises(kind):
            Just(1).buffer(wrong, "keep_full", "drop_newest")
    for wrong, kind in (("full", ValueError), (None, TypeError), (0, TypeError)):
        with pytest.raises(kind, match="prefetch must be 'keep_full' or 'by_request'"):
            Just(1).buffer(1, wrong, "drop_newest")
        with pytest.raises(kind, match="when_full must be"):
            Just(1).buffer(1, "keep_full", wrong)


def test_demands():
    for wrong, kind in ((-1, ValueError), ("1", TypeError), (1.5, TypeError), (None, TypeError)):
        with pytest.raises(kind):
            Just(1).sink(demand=wrong)
        with pytest.raises(kind):
            Just(1).flat_map(Just, max_publishers=wrong)
    recorder = Recorder(Empty(complete_immediately=False), demand=0)
    with pytest.raises(ValueError) as caught:
        recorder.subscription.request(0)
    assert caught.value.status == Status.ZERO_DEMAND
    with pytest.raises(ValueError):
        recorder.subscription.request(-1)
    with pytest.raises(TypeError):
        recorder.subscription.request("1")


def test_request_of_none_inside_a_value_fails_the_stream():
    ends, kept = [], []
    cancellable = Sequence([1, 2]).sink(lambda _: kept[0].request(0), ends.append, subscription=kept.append)
    assert len(ends) == 1 and isinstance(ends[0], ValueError)
    cancellable.close()


@pytest.mark.parametrize("wrong", [None, 3, [1], Just, "p"])
@pytest.mark.parametrize("name", ["merge", "zip", "combine_latest"])
def test_several_need_publishers(name, wrong):
    with pytest.raises(TypeError, match="must be a Publisher"):
        getattr(Just(1), name)(Just(2), wrong)


def test_subjects_are_needed():
    for wrong in (None, 3, Just(1)):
        with pytest.raises(TypeError):
            Just(1).subscribe(wrong)
        with pytest.raises(TypeError):
            Just(1).assign(wrong)
    with pytest.raises(StatusTypeError):
        Just(1).assign(PassthroughSubject())
    with pytest.raises(TypeError):
        Just(1).assign(object(), 3)


def test_print_needs_a_file():
    with pytest.raises(TypeError):
        Just(1).print(to=3)
    with pytest.raises(TypeError):
        Just(1).print(3)


# ---- what the messages say ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: p.print(3), "prefix must be a str, not int"),
        (lambda p: p.print(b"x"), "prefix must be a str, not bytes"),
        (lambda p: p.print(None), "prefix must be a str, not NoneType"),
        (lambda p: p.print("x", 3), "to must be an open text file, or have a method write, unlike int"),
        (lambda p: p.print(to=object()), "to must be an open text file"),
        (lambda p: p.merge(p, 3), "argument 2 must be a Publisher, not int"),
        (lambda p: p.zip("x"), "argument 1 must be a Publisher, not str"),
        (lambda p: p.zip(p, combine=3), "combine must be callable, not int"),
        (lambda p: p.with_latest_from(3), "other must be a Publisher, not int"),
        (lambda p: p.with_latest_from(p, 3), "combine must be callable, not int"),
        (lambda p: p.sample(3), "trigger must be a Publisher, not int"),
        (lambda p: p.amb(3), "argument 1 must be a Publisher, not int"),
        (lambda p: p.distinct(3), "key must be callable, not int"),
        (lambda p: p.repeat("x"), "times must be an integer, not str"),
        (lambda p: p.share(replay="x"), "replay must be an integer, not str"),
        (lambda p: ReplaySubject("x"), "buffer_size must be an integer, not str"),
        (lambda p: p.collect("x"), "count must be an integer, not str"),
    ],
)
def test_messages_name_the_argument_and_what_it_is(call, message):
    with pytest.raises(TypeError) as caught:
        call(Just(1))
    assert message in str(caught.value)


def test_print_takes_any_text():
    lines = []

    class File:
        write = staticmethod(lines.append)

    assert values_of(Just(1).print("\ud800 größer", to=File())) == [1]
    assert any("größer: " in line for line in lines)


@pytest.mark.skipif(sys.version_info < (3, 10), reason="Python names the class from 3.10 on")
@pytest.mark.parametrize("call", [lambda p: p.map(), lambda p: p.filter(bool, 1), lambda p: p.zip(other=p)])
def test_messages_name_the_class_that_programs_know(call):
    with pytest.raises(TypeError, match=r"^Publisher\.\w+\(\)"):
        call(Just(1))


@pytest.mark.parametrize(
    "call, expected",
    [
        (lambda: Fail(TimeoutError), "a stream fails with an exception, not with the class TimeoutError: call it"),
        (lambda: Fail(int), "a stream fails with an exception, not with type"),
        (lambda: Just(1).subscribe(print), "a Subject is needed, not builtin_function_or_method: functions are for sink"),
        (lambda: Just(1).subscribe(3), "a Subject is needed, not int"),
        (lambda: Just(1).merge([Just(2)]), "argument 1 must be a Publisher, not list"),
        (
            lambda: Just(1).flat_map(lambda n: [n]).run(),
            "transform must return a Publisher, not list, of which from_iterable makes one",
        ),
        (lambda: Just(1).flat_map(lambda n: n).run(), "transform must return a Publisher, not int"),
        (lambda: Just(1).lift(lambda emitter: None).run(), "lift: what begin returns must be callable, not NoneType"),
        (lambda: streams.create(lambda emitter: None).run(), "create: what begin returns must be callable, not NoneType"),
        (
            lambda: streams.Publisher(),
            "a Publisher is not made by itself: Just, Sequence, from_iterable, create and operators make one",
        ),
        (
            lambda: streams.Subject(),
            "a Subject is not made by itself: PassthroughSubject, CurrentValueSubject and ReplaySubject make one",
        ),
    ],
)
def test_common_mistakes_are_told_what_to_do(call, expected):
    with pytest.raises(TypeError) as caught:
        call()
    assert str(caught.value) == expected


@pytest.mark.parametrize(
    "call, expected",
    [
        (lambda p, clock: p.delay(-2, clock), "interval must not be negative, and is -2"),
        (lambda p, clock: p.debounce(-0.5, clock), "due_time must not be negative, and is -0.5"),
        (lambda p, clock: p.window_by_time(-1, clock), "interval must not be negative, and is -1"),
        (lambda p, clock: p.retry_backoff(Backoff(delay=-1), clock), "backoff.delay must not be negative, and is -1"),
        (lambda p, clock: streams.Interval(1, clock, first=-3), "first must not be negative, and is -3"),
        (lambda p, clock: streams.Debouncer(-1, clock), "due_time must not be negative, and is -1"),
        (lambda p, clock: clock.advance(-1), "time must not be negative, and is -1"),
        (lambda p, clock: p.run(-1), "timeout must not be negative, and is -1"),
    ],
)
def test_negative_times_are_told_as_they_were_given(call, expected):
    with pytest.raises(ValueError) as caught:
        call(Just(1), VirtualTimeScheduler())
    assert str(caught.value) == expected


class Unbound:
    """As a proxy that is not bound to anything yet."""

    def __getattr__(self, name):
        raise RuntimeError(f"{name} is asked for too early")

    @property
    def __class__(self):
        raise RuntimeError("asked for too early")

    def __call__(self, number):
        return number + 1


def test_functions_whose_attributes_raise_are_functions():
    publisher = Just(1).map(Unbound())
    assert publisher.first_value() == 2
    assert "map(Unbound)" in repr(publisher)
    seen = []
    Just(1).sink(Unbound(), seen.append)
    assert seen == [None]
