"""Pipelines of operators that RxPY has too, here and there: values and ends are the same, but for what the guide for those
who know RxPY says. Needs reactivex, which only `make fuzz` and `make bench` install."""

import operator
import pathlib
import re

import pytest
import streams
from hypothesis import given
from hypothesis import strategies as st

rx = pytest.importorskip("reactivex", reason="reactivex is not installed: see `make fuzz`")
from reactivex import operators as ops  # noqa: E402
from reactivex.scheduler import ImmediateScheduler  # noqa: E402
from reactivex.internal.exceptions import ArgumentOutOfRangeException, SequenceContainsNoElementsError  # noqa: E402

GUIDE = pathlib.Path(__file__).parents[2] / "Docs" / "python-from-rxpy.md"


class Broken(Exception):
    pass


# ---- What a pipeline is made of ----------------------------------------------------------------------------------


def ours(values, fails):
    return streams.Record(values, Broken() if fails else None)


def theirs(values, fails):
    """Sends everything while it is subscribed to. RxPY's own sources leave it to a scheduler, which runs it later."""

    def subscribe(observer, _=None):
        for value in values:
            observer.on_next(value)
        observer.on_error(Broken()) if fails else observer.on_completed()

    return rx.create(subscribe)


def of_nothing(operation):
    """RxPY's operator, without the failure that there is no value: the guide lists which operators have one."""

    def finish(error, _):
        is_empty = isinstance(error, (SequenceContainsNoElementsError, ArgumentOutOfRangeException))
        return rx.empty() if is_empty else rx.throw(error)

    return rx.compose(operation, ops.catch(finish))


def divide(k):
    """Raises for some value."""
    return lambda n: 12 // (n - k)


def is_below(k):
    return lambda n: n < k


def last_digit(n):
    return n % 10


NUMBER, COUNT, SOURCE = st.integers(-4, 4), st.integers(1, 4), st.tuples(st.lists(st.integers(-4, 4), max_size=5), st.booleans())

# What an operator is given; what it is here; what does the same in RxPY. Values are numbers before and after.
OPERATORS = {
    "map": (NUMBER, lambda p, k: p.map(divide(k)), lambda k: ops.map(divide(k))),
    "filter": (NUMBER, lambda p, k: p.filter(is_below(k)), lambda k: ops.filter(is_below(k))),
    "scan": (NUMBER, lambda p, k: p.scan(k, operator.add), lambda k: ops.scan(operator.add, k)),
    "reduce": (NUMBER, lambda p, k: p.reduce(k, operator.sub), lambda k: ops.reduce(operator.sub, k)),
    "count": (st.none(), lambda p, _: p.count(), lambda _: ops.count()),
    "sum": (st.none(), lambda p, _: p.sum(), lambda _: ops.sum()),
    "min": (st.none(), lambda p, _: p.min(), lambda _: of_nothing(ops.min())),
    "max": (st.none(), lambda p, _: p.max(), lambda _: of_nothing(ops.max())),
    "first": (st.none(), lambda p, _: p.first(), lambda _: of_nothing(ops.first())),
    "first_where": (NUMBER, lambda p, k: p.first_where(is_below(k)), lambda k: of_nothing(ops.first(is_below(k)))),
    "last": (st.none(), lambda p, _: p.last(), lambda _: of_nothing(ops.last())),
    "last_where": (NUMBER, lambda p, k: p.last_where(is_below(k)), lambda k: of_nothing(ops.last(is_below(k)))),
    "output_at": (COUNT, lambda p, k: p.output_at(k), lambda k: of_nothing(ops.element_at(k))),
    "output_in": (COUNT, lambda p, k: p.output_in(k, k + 2), lambda k: ops.slice(k, k + 2)),
    "prefix": (COUNT, lambda p, k: p.prefix(k), lambda k: ops.take(k)),
    "prefix_while": (NUMBER, lambda p, k: p.prefix_while(is_below(k)), lambda k: ops.take_while(is_below(k))),
    "drop_first": (COUNT, lambda p, k: p.drop_first(k), lambda k: ops.skip(k)),
    "drop_while": (NUMBER, lambda p, k: p.drop_while(is_below(k)), lambda k: ops.skip_while(is_below(k))),
    "all_satisfy": (NUMBER, lambda p, k: p.all_satisfy(is_below(k)).map(int), lambda k: rx.compose(ops.all(is_below(k)), ops.map(int))),
    "contains": (NUMBER, lambda p, k: p.contains(k).map(int), lambda k: rx.compose(ops.contains(k), ops.map(int))),
    "contains_where": (NUMBER, lambda p, k: p.contains_where(is_below(k)).map(int), lambda k: rx.compose(ops.some(is_below(k)), ops.map(int))),
    "distinct": (st.none(), lambda p, _: p.distinct(), lambda _: ops.distinct()),
    "distinct by": (st.none(), lambda p, _: p.distinct(last_digit), lambda _: ops.distinct(last_digit)),
    "remove_duplicates": (st.none(), lambda p, _: p.remove_duplicates(), lambda _: ops.distinct_until_changed()),
    "collect": (st.none(), lambda p, _: p.collect().map(sum), lambda _: rx.compose(ops.to_list(), ops.map(sum))),
    "collect_count": (COUNT, lambda p, k: p.collect(k).map(sum), lambda k: rx.compose(ops.buffer_with_count(k), ops.map(sum))),
    "pairwise": (st.none(), lambda p, _: p.pairwise().map(sum), lambda _: rx.compose(ops.pairwise(), ops.map(sum))),
    "replace_empty": (NUMBER, lambda p, k: p.replace_empty(k), lambda k: ops.default_if_empty(k)),
    "ignore_output": (st.none(), lambda p, _: p.ignore_output(), lambda _: ops.ignore_elements()),
    "materialize": (st.none(), lambda p, _: p.materialize().dematerialize(), lambda _: rx.compose(ops.materialize(), ops.dematerialize())),
    "retry": (COUNT, lambda p, k: p.retry(k), lambda k: ops.retry(k + 1)),
    "repeat": (COUNT, lambda p, k: p.repeat(k), lambda k: ops.repeat(k)),
    "catch": (SOURCE, lambda p, s: p.catch(lambda _: ours(*s)), lambda s: ops.catch(lambda *_: theirs(*s))),
    "prepend": (NUMBER, lambda p, k: p.prepend(ours([k, k], False)), lambda k: ops.start_with(k, k)),
    "append": (SOURCE, lambda p, s: p.append(ours(*s)), lambda s: ops.concat(theirs(*s))),
    "merge": (SOURCE, lambda p, s: p.merge(ours(*s)), lambda s: ops.merge(theirs(*s))),
    "zip": (SOURCE, lambda p, s: p.zip(ours(*s)).map(sum), lambda s: rx.compose(ops.zip(theirs(*s)), ops.map(sum))),
    "combine_latest": (
        SOURCE,
        lambda p, s: p.replace_empty(0).combine_latest(ours(*s).replace_empty(0)).map(sum),
        lambda s: rx.compose(
            ops.default_if_empty(0), ops.combine_latest(theirs(*s).pipe(ops.default_if_empty(0))), ops.map(sum)
        ),
    ),
    "with_latest_from": (SOURCE, lambda p, s: p.with_latest_from(ours(*s)).map(sum), lambda s: rx.compose(ops.with_latest_from(theirs(*s)), ops.map(sum))),
    "flat_map": (SOURCE, lambda p, s: p.flat_map(lambda _: ours(*s)), lambda s: ops.flat_map(lambda _: theirs(*s))),
    "concat_map": (SOURCE, lambda p, s: p.concat_map(lambda _: ours(*s)), lambda s: ops.concat_map(lambda _: theirs(*s))),
    "share": (st.none(), lambda p, _: p.share(), lambda _: ops.share()),
}  # fmt: skip

# In which order values of several publishers come depends on when they are demanded; a sink demands all at once.
LAST = ["flat_map", "merge"]


def steps(names, least, most):
    return st.lists(
        st.one_of(*(st.tuples(st.just(name), OPERATORS[name][0]) for name in names)), min_size=least, max_size=most
    )


PIPELINES = st.tuples(steps([name for name in OPERATORS if name not in LAST], 0, 5), steps(LAST, 0, 1)).map(
    lambda parts: parts[0] + parts[1]
)


def happens_here(publisher):
    events = []
    ticket = publisher.sink(events.append, lambda error: events.append("finished" if error is None else type(error).__name__))
    ticket.close()
    return events


def happens_there(observable):
    events = []
    observable.subscribe(
        events.append,
        lambda error: events.append(type(error).__name__),
        lambda: events.append("finished"),
        scheduler=ImmediateScheduler.singleton(),
    )
    return events


# ---- What differs ------------------------------------------------------------------------------------------------


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


TWO, DIGITS = ([0, 0], False), ([0, 1], False)

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
    "flat_map": (
        lambda: pairs(lambda p: p.flat_map(lambda _: ours(*DIGITS)), ours(*TWO)),
        lambda: rx_pairs(ops.flat_map(lambda _: theirs(*DIGITS)), theirs(*TWO)),
    ),
    "merge": (
        lambda: pairs(lambda p: p.merge(ours(*DIGITS)), ours(*DIGITS)),
        lambda: rx_pairs(ops.merge(theirs(*DIGITS)), theirs(*DIGITS)),
    ),
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_each_difference_is_one(name):
    here, there = DIFFERENCES[name]
    assert happens_here(here()) != happens_there(there())


def test_the_guide_lists_the_differences():
    (section,) = re.findall(r"## Where results differ\n(.*?)\n## ", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    rows = [line.split("|")[1] for line in section.split("\n") if line.startswith("| `")]
    assert sorted(re.findall("`(.*?)`", " ".join(rows))) == sorted(DIFFERENCES)


# ---- The comparison ----------------------------------------------------------------------------------------------


@given(SOURCE, PIPELINES)
def test_pipelines_do_the_same(source, steps):
    here, there = ours(*source), theirs(*source)
    for name, argument in steps:
        _, mine, other = OPERATORS[name]
        here, there = mine(here, argument), there.pipe(other(argument))
    assert happens_here(here) == happens_there(there)
