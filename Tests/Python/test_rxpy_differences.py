"""What the guide for users of RxPY says to differ: the same in both, with another outcome."""

import contextlib
import pathlib
import re
import sys

import pytest
import streams
from reactivex.internal.exceptions import SequenceContainsNoElementsError
from rxpy_sources import (
    SECOND,
    Broken,
    Here,
    There,
    happens_here,
    happens_there,
    ops,
    ours,
    parts_here,
    parts_there,
    played,
    rx,
    subjects,
    theirs,
)  # fmt: skip
from test_rxpy_subjects import performed

GUIDE = pathlib.Path(__file__).parents[2] / "Docs" / "python-from-rxpy.md"


def none(name, *arguments):
    """An operator of a publisher and an observable without values."""
    called = "element_at" if name == "output_at" else name.partition("_")[0]
    return (
        lambda: getattr(streams.Empty(), name)(*arguments),
        lambda: rx.empty().pipe(getattr(ops, called)(*arguments)),
    )


def is_less(first, second):
    return first < second


def fails_twice():
    """Fails when it is subscribed to for the first and for the second time."""
    left = [2]

    def make(*_):
        left[0] -= 1
        return ([], True) if left[0] >= 0 else ([7], False)

    return make


def pairs(operation, source):
    return operation(source).zip(ours([0, 0], False)).map(sum)


def rx_pairs(operation, source):
    return source.pipe(operation, ops.zip(theirs([0, 0], False)), ops.map(sum))


TWO, DIGITS, BROKEN, NOTHING = ([0, 0], False), ([0, 1], False), ([0], True), ([], False)

# For each operator in the guide's table, the same in both, with another outcome.
DIFFERENCES = {
    **{name: none(name) for name in ("first", "last", "min", "max")},
    **{name: none(name, bool) for name in ("first_where", "last_where")},
    **{name: none(name, is_less) for name in ("min_by", "max_by")},
    "output_at": none("output_at", 1),
    "combine_latest": (
        lambda: streams.Empty().combine_latest(ours([0], True)),
        lambda: rx.empty().pipe(ops.combine_latest(theirs([0], True))),
    ),
    "retry": (
        lambda: (lambda make: streams.Deferred(lambda: ours(*make())).retry(2))(fails_twice()),
        lambda: (lambda make: rx.defer(lambda _: theirs(*make())).pipe(ops.retry(2)))(fails_twice()),
    ),
    "prefix": (lambda: streams.Empty(False).prefix(0), lambda: rx.never().pipe(ops.take(0))),
    "output_in": (lambda: streams.Empty(False).output_in(0, 0), lambda: rx.never().pipe(ops.slice(0, 0))),
    "flat_map": (
        lambda: pairs(lambda p: p.flat_map(lambda _: ours(*DIGITS)), ours(*TWO)),
        lambda: rx_pairs(ops.flat_map(lambda _: theirs(*DIGITS)), theirs(*TWO)),
    ),
    "merge": (
        lambda: pairs(lambda p: p.merge(ours(*DIGITS)), ours(*DIGITS)),
        lambda: rx_pairs(ops.merge(theirs(*DIGITS)), theirs(*DIGITS)),
    ),
    "share": (
        lambda: ours(*DIGITS).share().prefix(1).repeat(2),
        lambda: theirs(*DIGITS).pipe(ops.share(), ops.take(1), ops.repeat(2)),
    ),
    "zip": (
        lambda: pairs(lambda p: p.zip(ours(*NOTHING)).map(sum), ours(*BROKEN)),
        lambda: rx_pairs(ops.zip(theirs(*NOTHING)), theirs(*BROKEN)),
    ),
}


VALUE, OTHER = (SECOND, 0, "value", 1), (2 * SECOND + 1, 0, "value", 1)
FINISH, FAIL = (3 * SECOND + 2, 0, "finish", None), (3 * SECOND + 2, 0, "fail", None)


THIRD = (3 * SECOND + 2, 0, "value", 3)


def in_a_list(n):
    return [n]


def later(scheduler):
    return streams.Interval(2, scheduler, count=1)


def rx_later(scheduler):
    return rx.timer(2, scheduler=scheduler)


# The same where time passes: what two subjects send, and what is made of the first, of both, or of the first and a clock.
IN_TIME = {
    "debounce": ([VALUE, OTHER, FINISH], lambda s, p, a: p.debounce(2, s), lambda s, p, a: p.pipe(ops.debounce(2, s))),
    "delay": ([VALUE, FAIL], lambda s, p, a: p.delay(3, s), lambda s, p, a: p.pipe(ops.delay(3, s))),
    "timeout": ([VALUE], lambda s, p, a: p.timeout(2, s), lambda s, p, a: p.pipe(ops.timeout(2, scheduler=s))),
    "measure_interval": ([VALUE], lambda s, p, a: p.measure_interval(s), lambda s, p, a: p.pipe(ops.time_interval(s))),
    "collect_by_time": ([FINISH], lambda s, p, a: p.collect_by_time(2, s), lambda s, p, a: p.pipe(ops.buffer_with_time(2, scheduler=s))),
    "collect_by_time_or_count": ([FINISH], lambda s, p, a: p.collect_by_time_or_count(2, 1, s), lambda s, p, a: p.pipe(ops.buffer_with_time_or_count(2, 1, s))),
    "window_by_time_or_count": ([VALUE], lambda s, p, a: parts_here(p.window_by_time_or_count(2, 1, s)), lambda s, p, a: parts_there(p.pipe(ops.window_with_time_or_count(2, 1, s)))),
    "throttle": ([VALUE, OTHER], lambda s, p, a: p.throttle(3, s, latest=False), lambda s, p, a: p.pipe(ops.throttle_first(3, s))),
    "sample": ([(SECOND, 1, "finish", None)], lambda s, p, a: p.sample(a), lambda s, p, a: p.pipe(ops.sample(a))),
    "prefix_until_output": ([(SECOND, 1, "fail", None)], lambda s, p, a: p.prefix_until_output(a), lambda s, p, a: p.pipe(ops.take_until(a))),
    "drop_until_output": ([FINISH], lambda s, p, a: p.drop_until_output(a), lambda s, p, a: p.pipe(ops.skip_until(a))),
    "window_by_count": ([VALUE, FINISH], lambda s, p, a: parts_here(p.window_by_count(1)), lambda s, p, a: parts_there(p.pipe(ops.window_with_count(1)))),
    "materialize": ([VALUE], lambda s, p, a: p.materialize(), lambda s, p, a: p.pipe(ops.materialize())),
    "zip": ([VALUE], lambda s, p, a: p.zip(streams.Sequence([1])), lambda s, p, a: p.pipe(ops.zip_with_iterable([1]))),
    "Interval": ([], lambda s, p, a: no_time(s).prefix(2), lambda s, p, a: rx.interval(0, s).pipe(ops.take(2))),
    "flat_map": ([VALUE, OTHER], lambda s, p, a: p.flat_map(lambda n: later(s), max_publishers=1), lambda s, p, a: p.pipe(ops.map(lambda n: rx_later(s)), ops.merge(max_concurrent=1))),
    "distinct": ([VALUE], lambda s, p, a: p.distinct(in_a_list), lambda s, p, a: p.pipe(ops.distinct(in_a_list))),
    "group_by": ([VALUE, OTHER], lambda s, p, a: p.group_by(abs).flat_map(lambda g: later(s).flat_map(lambda _: g)), lambda s, p, a: p.pipe(ops.group_by(abs), ops.flat_map(lambda g: rx_later(s).pipe(ops.flat_map(lambda _: g))))),
    "window": ([VALUE], lambda s, p, a: p.window(a).flat_map(lambda w: later(s).flat_map(lambda _: w)), lambda s, p, a: p.pipe(ops.window(a), ops.flat_map(lambda w: rx_later(s).pipe(ops.flat_map(lambda _: w))))),
    "window_by_time": ([VALUE], lambda s, p, a: p.window_by_time(9, s).flat_map(lambda w: later(s).flat_map(lambda _: w)), lambda s, p, a: p.pipe(ops.window_with_time(9, scheduler=s), ops.flat_map(lambda w: rx_later(s).pipe(ops.flat_map(lambda _: w))))),
    "remove_duplicates": ([VALUE, (2 * SECOND, 0, "value", 2), THIRD], lambda s, p, a: p.remove_duplicates(is_near), lambda s, p, a: p.pipe(ops.distinct_until_changed(comparer=is_near))),
}  # fmt: skip


def no_time(scheduler):
    return streams.Deferred(lambda: streams.Interval(0, scheduler))


def is_near(first, second):
    return abs(first - second) < 2


def none_runs(publisher):
    return publisher.run()


def rx_none_runs(observable):
    with pytest.raises(SequenceContainsNoElementsError):
        observable.run()
    return "raised"


def order(side, subject, publisher):
    """Who hears when of what a subscriber sends within a value."""
    script = [("subscribe", 0), ("subscribe", 1), ("value", 0)]
    return performed(side, subject, publisher, script, {(0, 0): ("value", 1)})


def within(side, subject, publisher):
    """What the first subscriber, and one that subscribes within its first value, hear when that has cancelled."""
    script = [("subscribe", 0), ("cancel", 0), ("value", 1)]
    return performed(side, subject, publisher, script, {(0, 0): ("subscribe", 1)})


def who_is_subscribed_to(amb):
    """Which of two are, where the first ends at once."""
    found = []
    amb(found.append)
    return found


def begun(note):
    noted = streams.Deferred(lambda: (note("second"), streams.Empty())[1])
    streams.Empty().amb(noted).sink().close()


def rx_begun(note):
    rx.empty().pipe(ops.amb(rx.defer(lambda _: (note("second"), rx.empty())[1]))).subscribe()


def connected_twice(side, publisher, subject):
    """What a subscriber hears of one value."""
    heard = []
    cancellables = side.hear(publisher, heard.append, heard.append), side.connect(publisher), side.connect(publisher)
    side.send(subject, "value", 1)
    for cancel in cancellables:
        cancel()
    return heard


def twice_here(subject):
    return connected_twice(Here(), subject.make_connectable(), subject)


def twice_there(subject):
    return connected_twice(There(), subject.pipe(ops.publish()), subject)


def broken(_):
    raise Broken


def checked():
    """What happens where a function that watches raises."""
    with told_of() as failures:
        return happens_here(ours([1]).handle_events(receive_output=broken)), [type(each) for each in failures]


@contextlib.contextmanager
def told_of():
    """What sys.unraisablehook is told meanwhile."""
    failures, before = [], sys.unraisablehook
    sys.unraisablehook = lambda told: failures.append(told.exc_value)
    try:
        yield failures
    finally:
        sys.unraisablehook = before


def asked(side, test, make, shared):
    subject = side.subject()
    return test(side, subject, shared(subject)) if shared else (lambda it: test(side, it, it))(make())


def single_steps(publisher):
    return happens_here(publisher.combine_latest(ours([0])).map(sum).concat_map(lambda n: ours([n])))


def rx_single_steps(observable):
    combined = ops.combine_latest(theirs([0]))
    return happens_there(observable.pipe(combined, ops.map(sum), ops.concat_map(lambda n: theirs([n]))))


def noted(taken):
    for number in range(5):
        taken.append(number)
        yield number


def taken_here():
    """How many values of an iterable are, where the first leads to what does not end."""
    taken = []
    with streams.from_iterable(noted(taken)).concat_map(lambda n: streams.PassthroughSubject()).sink(print):
        return len(taken)


def taken_there():
    taken = []
    rx.from_iterable(noted(taken)).pipe(ops.concat_map(lambda n: rx.never())).subscribe()
    return len(taken)


OTHERWISE = {
    "concat_map": (taken_here, taken_there),
    "combine_latest": (lambda: single_steps(ours([0, 1])), lambda: rx_single_steps(theirs([0, 1]))),
    "run": (lambda: none_runs(streams.Empty()), lambda: rx_none_runs(rx.empty())),
    "iterate": (lambda: next(ours([1, 2]).iterate()), lambda: theirs([1, 2]).pipe(ops.to_iterable()).run()),
    "amb": (lambda: who_is_subscribed_to(begun), lambda: who_is_subscribed_to(rx_begun)),
    "connect": (lambda: twice_here(streams.PassthroughSubject()), lambda: twice_there(subjects.Subject())),
    "handle_events": (lambda: checked()[0], lambda: happens_there(theirs([1]).pipe(ops.do_action(broken)))),
    "ReplaySubject": (
        lambda: asked(Here(), order, streams.ReplaySubject, None),
        lambda: asked(There(), order, subjects.ReplaySubject, None),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", DIFFERENCES)
def test_each_difference_is_one(name):
    here, there = DIFFERENCES[name]
    assert happens_here(here()) != happens_there(there())


@pytest.mark.parametrize("name", IN_TIME)
def test_each_difference_in_time_is_one(name):
    script, here, there = IN_TIME[name]
    mine = played(Here(), lambda side, p, a: here(side.scheduler, p, a), 2, script, 5 * SECOND)
    assert mine != played(There(), lambda side, p, a: there(side.scheduler, p, a), 2, script, 5 * SECOND)


@pytest.mark.parametrize("name", OTHERWISE)
def test_each_other_difference_is_one(name):
    here, there = OTHERWISE[name]
    assert here() != there()


def test_who_comes_within_the_first_ones_subscription_counts_in_both():
    here = asked(Here(), within, None, lambda p: p.multicast(streams.CurrentValueSubject(0)).autoconnect())
    assert here == asked(
        There(), within, None, lambda p: p.pipe(ops.multicast(subjects.BehaviorSubject(0)), ops.ref_count())
    )


def test_what_a_function_that_watches_raises_is_told():
    assert checked() == ([1, "finished"], [Broken])


def test_a_group_without_a_subscriber_is_empty_after_its_stream():
    groups, others, events = [], [], []
    subject, observable = streams.PassthroughSubject(), subjects.Subject()
    cancellable = subject.group_by(abs).sink(groups.append)
    rx_cancellable = observable.pipe(ops.group_by(abs)).subscribe(others.append)
    subject.send(1)
    observable.on_next(1)
    cancellable.cancel()
    rx_cancellable.dispose()
    assert happens_here(groups.pop()) == ["finished"]
    others[0].subscribe(events.append, on_completed=lambda: events.append("finished"))
    assert events == []


@pytest.mark.parametrize(
    "operation, other",
    [("prefix_until_output", "take_until"), ("drop_until_output", "skip_until"), ("sample", "sample")],
)
def test_the_other_is_subscribed_to_first(operation, other):
    here, there = [], []
    first, second = (streams.Deferred(lambda name=name: (here.append(name), streams.Empty(False))[1]) for name in "ab")
    getattr(first, operation)(second).sink().close()
    first, second = (rx.defer(lambda _, name=name: (there.append(name), rx.never())[1]) for name in "ab")
    first.pipe(getattr(ops, other)(second)).subscribe().dispose()
    assert (here, there) == (["b", "a"], ["a", "b"])


@pytest.mark.parametrize("name", ["merge", "zip", "combine_latest"])
def test_who_is_subscribed_to_behind_a_failure(name):
    here, there = [], []
    second = streams.Deferred(lambda: (here.append("second"), streams.Empty())[1])
    getattr(streams.Fail(Broken()), name)(second).sink(None, lambda _: None).close()
    second = rx.defer(lambda _: (there.append("second"), rx.empty())[1])
    rx.throw(Broken()).pipe(getattr(ops, name)(second)).subscribe(on_error=lambda _: None).dispose()
    assert (here, there) == (["second"], [] if name == "merge" else ["second"])


def test_counts_below_zero():
    for make in (lambda: streams.Just(1).repeat(-1), lambda: streams.Just(1).retry(-1)):
        with pytest.raises(ValueError, match="must not be negative"):
            make()
    for operation in (ops.repeat(-1), ops.retry(0)):
        assert happens_there(rx.of(1).pipe(operation)) == ["finished"]


def test_the_guide_tells_of_each_operator():
    text = GUIDE.read_text(encoding="utf-8")
    names = [name for name in ops.__all__ if not re.search(rf"\b{name}\b", text)]
    assert names == []


def test_the_guide_lists_the_differences():
    (section,) = re.findall(r"## Where results differ\n(.*?)\n## ", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    rows = [line.split("|")[1] for line in section.split("\n") if line.startswith("| `")]
    assert sorted(re.findall("`(.*?)`", " ".join(rows))) == sorted([*DIFFERENCES, *IN_TIME, *OTHERWISE])
