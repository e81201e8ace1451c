"""Operators of several sources, here and in RxPY, on random scripts of what is sent when: the same values, ends and uses of the
sources, but for what the guide for users of RxPY says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rxpy_sources import FEWER, assert_same, kept, ops, parts_here, parts_there, rx, scripts

COUNT, TWO, NONE = st.integers(1, 3), st.tuples(st.integers(1, 3), st.integers(1, 3)), st.none()


def either(a, b):
    return lambda number: (a, b)[number % 2]


def again(shared, other):
    """Subscribes once more for each value of the other."""
    return shared.merge(other.flat_map(lambda _: shared))


def rx_again(shared, other):
    return shared.pipe(ops.merge(other.pipe(ops.flat_map(lambda _: shared))))


def deaf(other):
    """RxPY's way not to hear of a failure."""
    return other.pipe(ops.catch(rx.never()))


# What an operator is given; what it is here, of three publishers; what does the same in RxPY.
JOINED = {
    "amb": (NONE, lambda _, p, a, b: p.amb(a, b), lambda _, p, a, b: rx.amb(p, a, b)),
    "append": (NONE, lambda _, p, a, b: p.append(a).append(b), lambda _, p, a, b: p.pipe(ops.concat(a, b))),
    "prepend": (NONE, lambda _, p, a, b: p.prepend(a).prepend(b), lambda _, p, a, b: rx.concat(b, a, p)),
    "catch": (NONE, lambda _, p, a, b: p.catch(lambda _: a), lambda _, p, a, b: p.pipe(ops.catch(a))),
    "combine_latest": (NONE, lambda _, p, a, b: p.combine_latest(a, b), lambda _, p, a, b: p.pipe(ops.combine_latest(a, b))),
    "concat_map": (NONE, lambda _, p, a, b: kept(p).concat_map(either(a, b)), lambda _, p, a, b: p.pipe(ops.concat_map(either(a, b)))),
    "drop_until_output": (NONE, lambda _, p, a, b: p.drop_until_output(a), lambda _, p, a, b: p.pipe(ops.skip_until(a))),
    "flat_map": (NONE, lambda _, p, a, b: p.flat_map(either(a, b)), lambda _, p, a, b: p.pipe(ops.flat_map(either(a, b)))),
    "group_by": (COUNT, lambda k, p, a, b: parts_here(p.group_by(lambda n: n % k)), lambda k, p, a, b: parts_there(p.pipe(ops.group_by(lambda n: n % k)))),
    "group_by key": (COUNT, lambda k, p, a, b: p.group_by(lambda n: n % k).map(lambda g: g.key), lambda k, p, a, b: p.pipe(ops.group_by(lambda n: n % k), ops.map(lambda g: g.key))),
    "merge": (NONE, lambda _, p, a, b: p.merge(a, b), lambda _, p, a, b: p.pipe(ops.merge(a, b))),
    "prefix_until_output": (NONE, lambda _, p, a, b: p.prefix_until_output(a), lambda _, p, a, b: p.pipe(ops.take_until(deaf(a)))),
    "repeat": (COUNT, lambda k, p, a, b: p.append(a).repeat(k), lambda k, p, a, b: p.pipe(ops.concat(a), ops.repeat(k))),
    "retry": (COUNT, lambda k, p, a, b: p.append(a).retry(k), lambda k, p, a, b: p.pipe(ops.concat(a), ops.retry(k + 1))),
    "sample": (NONE, lambda _, p, a, b: p.sample(a), lambda _, p, a, b: p.pipe(ops.sample(a))),
    "share": (NONE, lambda _, p, a, b: again(p.merge(b).share(), a), lambda _, p, a, b: rx_again(p.pipe(ops.merge(b), ops.share()), a)),
    "share_replay": (NONE, lambda _, p, a, b: again(p.merge(b).share(replay=2), a), lambda _, p, a, b: rx_again(p.pipe(ops.merge(b), ops.replay(2), ops.ref_count()), a)),
    "switch_to_latest": (NONE, lambda _, p, a, b: p.switch_to_latest(either(a, b)), lambda _, p, a, b: p.pipe(ops.map(either(a, b)), ops.switch_latest())),
    "window": (NONE, lambda _, p, a, b: parts_here(p.window(a)), lambda _, p, a, b: parts_there(p.pipe(ops.window(a)))),
    "window_by_count": (COUNT, lambda k, p, a, b: parts_here(p.window_by_count(k)), lambda k, p, a, b: parts_there(p.pipe(ops.window_with_count(k)), 1)),
    "window_by_count skip": (TWO, lambda k, p, a, b: parts_here(p.window_by_count(*k)), lambda k, p, a, b: parts_there(p.pipe(ops.window_with_count(*k)), 1)),
    "with_latest_from": (NONE, lambda _, p, a, b: p.with_latest_from(a), lambda _, p, a, b: p.pipe(ops.with_latest_from(a))),
    "zip": (NONE, lambda _, p, a, b: p.zip(a, b), lambda _, p, a, b: p.pipe(ops.zip(a, b))),
}  # fmt: skip

# These end otherwise, or where not all have had a value: see the guide.
ENDS = {"sample": ["fail"], "drop_until_output": ["fail"], "combine_latest": ["fail"]}


@pytest.mark.parametrize("name", JOINED)
@FEWER
@given(data=st.data())
def test_what_joins_does_the_same(name, data):
    strategy, here, there = JOINED[name]
    k, script = data.draw(strategy), data.draw(scripts(3, ends=ENDS.get(name, ["finish", "fail"])))
    assert_same(3, script, lambda _, *sources: here(k, *sources), lambda _, *sources: there(k, *sources))
