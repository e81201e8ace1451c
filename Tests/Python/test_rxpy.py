"""Pipelines of operators that RxPY has too, here and there: values and ends are the same, but for what the guide for
users of RxPY says."""

import operator

import streams
from hypothesis import given
from hypothesis import strategies as st
from reactivex.notification import OnCompleted, OnNext
from rxpy_sources import happens_here, happens_there, of_nothing, ops, ours, rx, theirs
from streams import Deferred


def divide(k):
    """Raises for some value."""
    return lambda n: 12 // (n - k)


def is_below(k):
    return lambda n: n < k


def last_digit(n):
    return n % 10


def heard(publisher):
    """What is noted of values and ends, before and after each value."""
    notes = []
    noting = publisher.handle_events(receive_output=notes.append, receive_completion=lambda end: notes.append(9))
    return noting.append(Deferred(lambda: ours([sum(notes)])))


def rx_heard(observable):
    notes = []
    noting = observable.pipe(ops.do_action(notes.append, lambda _: notes.append(9), lambda: notes.append(9)))
    return noting.pipe(ops.concat(rx.defer(lambda _: theirs([sum(notes)]))))


NUMBER, COUNT, SOURCE = (
    st.integers(-4, 4),
    st.integers(1, 4),
    st.tuples(st.lists(st.integers(-4, 4), max_size=5), st.booleans()),
)
# One without a value ends or fails a zip at once, before others have been demanded anything.
NOT_EMPTY = SOURCE.filter(operator.itemgetter(0))

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
    "min_by": (st.none(), lambda p, _: p.min_by(operator.gt), lambda _: of_nothing(ops.min(lambda a, b: b - a))),
    "max_by": (st.none(), lambda p, _: p.max_by(operator.gt), lambda _: of_nothing(ops.max(lambda a, b: b - a))),
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
    "remove_duplicates_by": (st.none(), lambda p, _: p.remove_duplicates(lambda a, b: a % 3 == b % 3), lambda _: ops.distinct_until_changed(comparer=lambda a, b: a % 3 == b % 3)),
    "collect": (st.none(), lambda p, _: p.collect().map(sum), lambda _: rx.compose(ops.to_list(), ops.map(sum))),
    "collect_count": (COUNT, lambda p, k: p.collect(k).map(sum), lambda k: rx.compose(ops.buffer_with_count(k), ops.map(sum))),
    "pairwise": (st.none(), lambda p, _: p.pairwise().map(sum), lambda _: rx.compose(ops.pairwise(), ops.map(sum))),
    "replace_empty": (NUMBER, lambda p, k: p.replace_empty(k), lambda k: ops.default_if_empty(k)),
    "ignore_output": (st.none(), lambda p, _: p.ignore_output(), lambda _: ops.ignore_elements()),
    "materialize": (st.none(), lambda p, _: p.materialize().dematerialize(), lambda _: rx.compose(ops.materialize(), ops.dematerialize())),
    "retry": (COUNT, lambda p, k: p.retry(k), lambda k: ops.retry(k + 1)),
    "dematerialize": (st.none(), lambda p, _: p.map(lambda n: streams.Event("value" if n else "finished", n)).dematerialize(), lambda _: rx.compose(ops.map(lambda n: OnNext(n) if n else OnCompleted()), ops.dematerialize())),
    "handle_events": (st.none(), lambda p, _: heard(p), lambda _: rx_heard),
    "repeat": (COUNT, lambda p, k: p.repeat(k), lambda k: ops.repeat(k)),
    "catch": (SOURCE, lambda p, s: p.catch(lambda _: ours(*s)), lambda s: ops.catch(lambda *_: theirs(*s))),
    "prepend": (NUMBER, lambda p, k: p.prepend(ours([k, k], False)), lambda k: ops.start_with(k, k)),
    "append": (SOURCE, lambda p, s: p.append(ours(*s)), lambda s: ops.concat(theirs(*s))),
    "merge": (SOURCE, lambda p, s: p.merge(ours(*s)), lambda s: ops.merge(theirs(*s))),
    "zip": (NOT_EMPTY, lambda p, s: p.zip(ours(*s)).map(sum), lambda s: rx.compose(ops.zip(theirs(*s)), ops.map(sum))),
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

# What does not stand below an operator. In which order values of several publishers come depends on when and how many are
# demanded: a sink demands all at once, these two little by little. Who subscribes to a share again as it ends: see the guide.
NOT_BELOW = {
    "flat_map": [*OPERATORS],
    "merge": [*OPERATORS],
    "combine_latest": ["concat_map", "drop_first"],
    "zip": ["concat_map", "drop_first"],
    "share": ["repeat", "retry"],
}


@st.composite
def pipelines(draw):
    """Up to six operators, each with what it is given."""
    steps, names = [], [*OPERATORS]
    for _ in range(draw(st.integers(0, 6))):
        if names:
            name = draw(st.sampled_from(names))
            steps.append((name, draw(OPERATORS[name][0])))
            names = [other for other in names if other not in NOT_BELOW.get(name, ())]
    return steps


@given(SOURCE, pipelines())
def test_pipelines_do_the_same(source, steps):
    here, there = ours(*source), theirs(*source)
    for name, argument in steps:
        _, mine, other = OPERATORS[name]
        here, there = mine(here, argument), there.pipe(other(argument))
    assert happens_here(here) == happens_there(there)
