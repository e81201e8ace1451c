"""Random pipelines do what lists do, and never deliver more than is demanded."""

import itertools
import math

from hypothesis import assume, given
from hypothesis import strategies as st
from recorder import Recorder, values_of
from streams import UNLIMITED, ImmediateScheduler, Just, PassthroughSubject, Sequence, from_iterable

NUMBERS = st.integers(-5, 5)
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3) | st.tuples(inner, inner),
    max_leaves=8,
)


def unrepeated(items):
    return [item for index, item in enumerate(items) if index == 0 or item != items[index - 1]]


def accumulated(items):
    return list(itertools.accumulate(items, lambda a, b: a + b, initial=1))[1:]


def parts(items, size):
    return [items[i : i + size] for i in range(0, len(items), size)]


def half(n):
    return None if n % 2 else n // 2


# Each operator, and what it does to a list of integers.
STEPS = st.one_of(
    st.just(("map", lambda p: p.map(lambda n: n + 1), lambda v: [n + 1 for n in v])),
    st.just(("filter", lambda p: p.filter(lambda n: n % 3), lambda v: [n for n in v if n % 3])),
    st.just(("compact_map", lambda p: p.compact_map(half), lambda v: [n // 2 for n in v if n % 2 == 0])),
    st.just(("remove_duplicates", lambda p: p.remove_duplicates(), unrepeated)),
    st.just(("scan", lambda p: p.scan(1, lambda a, b: a + b), accumulated)),
    st.just(("reduce", lambda p: p.reduce(0, max), lambda v: [max([0, *v])])),
    st.just(("handle_events", lambda p: p.handle_events(), lambda v: v)),
    st.just(("catch", lambda p: p.catch(lambda _: Just(0)), lambda v: v)),
    st.just(("merge", lambda p: p.merge(Sequence([])), lambda v: v)),
    st.integers(1, 4).map(lambda n: (f"collect({n})", lambda p: p.collect(n).map(sum), lambda v: [*map(sum, parts(v, n))])),
    st.integers(0, 6).map(lambda n: (f"prefix({n})", lambda p: p.prefix(n), lambda v: v[:n])),
    st.integers(0, 4).map(lambda n: (f"drop_first({n})", lambda p: p.drop_first(n), lambda v: v[n:])),
    st.integers(1, 3).map(
        lambda n: (
            f"flat_map({n})",
            lambda p: p.flat_map(lambda v: Sequence([v, -v][:n]), max_publishers=1),
            lambda v: [each for item in v for each in [item, -item][:n]],
        )
    ),
    st.just(
        (
            "zip",
            lambda p: p.zip(from_iterable(range(500))).map(lambda t: t[0] + t[1]),
            lambda v: [*map(sum, zip(v, itertools.count()))],
        )
    ),
)
PIPELINES = st.lists(STEPS, max_size=5)


def applied(steps, publisher, model):
    for _, operator, function in steps:
        publisher, model = operator(publisher), function(model)
    return publisher, model


@given(st.lists(NUMBERS, max_size=12), PIPELINES, st.sampled_from([Sequence, from_iterable]))
def test_pipelines_do_what_lists_do(items, steps, source):
    publisher, model = applied(steps, source(items), items)
    assert values_of(publisher) == model


# What depends on how much is demanded at a time.
JOINS = st.sampled_from(
    [
        lambda p, n: p,
        lambda p, n: p.flat_map(lambda v: Sequence([v] * 3)),
        lambda p, n: p.switch_to_latest(lambda v: Sequence([v, -v])),
        lambda p, n: p.concat_map(lambda v: Sequence([v, -v])),
        lambda p, n: p.merge(Sequence(range(n)), Sequence([1, 2])),
        lambda p, n: p.combine_latest(Sequence(range(n)), combine=lambda a, b: a * b),
        lambda p, n: p.with_latest_from(Sequence(range(n))).map(sum),
        lambda p, n: p.group_by(lambda v: v % 3).flat_map(lambda group: group.map(lambda v: v * 3)),
        lambda p, n: p.window_by_count(3, 2).flat_map(lambda window: window.reduce(0, max)),
        lambda p, n: p.append(Sequence(range(n))),
        lambda p, n: p.share(),
        lambda p, n: p.receive_on(ImmediateScheduler()),
    ]
)


@given(st.sampled_from([0, 3, 300]), st.sampled_from([0, 2, 30]), JOINS, JOINS, PIPELINES)
def test_a_list_is_what_a_sink_gets(count, other, first, second, steps):
    def publisher():
        made = first(Sequence(range(count)), other).prefix(300)
        return applied(steps, second(made, other).prefix(300), [])[0]

    recorder = Recorder(publisher())
    # Not so where combine_latest, of which one value is demanded at a time, waits for more of one publisher.
    assume(recorder.finished)
    assert list(publisher()) == recorder.values


@given(st.lists(NUMBERS, max_size=12), PIPELINES, st.lists(st.integers(1, 4), max_size=6))
def test_no_more_than_is_demanded(items, steps, demands):
    publisher, model = applied(steps, from_iterable(items), items)
    recorder = Recorder(publisher, demand=0)
    demanded = 0
    for demand in demands:
        demanded += demand
        recorder.subscription.request(demand)
        assert len(recorder.values) == min(demanded, len(model))
        assert recorder.values == model[: len(recorder.values)]
    recorder.subscription.request(UNLIMITED)
    assert recorder.values == model and recorder.finished


@given(st.lists(NUMBERS, max_size=12), PIPELINES, st.data())
def test_batches_are_what_single_values_are(items, steps, data):
    single, batched = PassthroughSubject(), PassthroughSubject()
    expected = Recorder(applied(steps, single, [])[0])
    got, ends = [], []
    cancellable = applied(steps, batched, [])[0].sink(batch=got.extend, completion=ends.append)
    for item in items:
        single.send(item)
    rest = items
    while rest:
        count = data.draw(st.integers(1, len(rest)))
        batched.send_many(rest[:count])
        rest = rest[count:]
    single.finish()
    batched.finish()
    assert got == expected.values and ends == expected.ends
    cancellable.close()


@given(st.lists(NUMBERS, min_size=1, max_size=10), st.integers(0, 9), PIPELINES)
def test_a_failure_comes_out_wherever_it_goes_in(items, where, steps):
    error = ArithmeticError()

    def fails(pair):
        index, item = pair
        if index == where % len(items):
            raise error
        return item

    publisher = Sequence(list(enumerate(items))).map(fails)
    steps = [step for step in steps if step[0] != "catch" and "prefix" not in step[0]]
    publisher, _ = applied(steps, publisher, [])
    assert Recorder(publisher).error is error
    error.__traceback__ = None  # see the fixture of this name


@given(st.lists(ANYTHING, max_size=6))
def test_any_object_goes_through_as_itself(items):
    for publisher in (
        from_iterable(items),
        Sequence(items).map(lambda v: v),
        Sequence(items).collect().flat_map(Sequence),
    ):
        assert values_of(publisher) == items
    for item in items:
        (found,) = values_of(Just(item).filter(lambda _: True))
        assert found is item


@given(
    st.lists(st.integers(-(2**63), 2**63 - 1))
    | st.lists(st.floats())
    | st.lists(st.integers())
    | st.lists(st.integers() | st.floats() | st.booleans())
)
def test_numbers_in_bulk_keep_value_and_type(numbers):
    subject = PassthroughSubject()
    recorder = Recorder(subject)
    subject.send_many(numbers)
    assert list(map(type, recorder.values)) == list(map(type, numbers))
    for found, sent in zip(recorder.values, numbers):
        assert found == sent or math.isnan(found) and math.isnan(sent)
