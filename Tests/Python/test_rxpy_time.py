"""Operators with time, here and in RxPY, on random scripts of what is sent when: the same values and ends at the same times,
but for what the guide for users of RxPY says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rxpy_sources import (
    FEWER,
    SECOND,
    US,
    Late,
    assert_same,
    kept,
    ops,
    parts_here,
    parts_there,
    period,
    rx,
    scripts,
)  # fmt: skip
from streams import Interval


def end_of(source):
    """Sends a value when a source ends well."""
    return source.pipe(ops.ignore_elements(), ops.concat(rx.of(None)))


def dropping(operation):
    """RxPY's operator, with the end dropping what waits."""
    return lambda source: source.pipe(ops.concat(rx.never()), operation, ops.take_until(end_of(source)))


def failing_late(operation):
    """RxPY's operator, with a failure delayed too."""
    return rx.compose(ops.materialize(), operation, ops.dematerialize())


def microseconds(each):
    return each.interval // US


# What an operator of a time is here, and what does the same in RxPY. Values are numbers before and after.
TIMED = {
    "debounce": (lambda p, k, s: p.debounce(k, s), lambda k, s: dropping(ops.debounce(k, s))),
    "delay": (lambda p, k, s: p.delay(k, s), lambda k, s: failing_late(ops.delay(k, s))),
    "timeout": (lambda p, k, s: p.timeout(k, s), lambda k, s: ops.timeout(k, rx.empty(), s)),
    "timeout failing": (lambda p, k, s: p.timeout(k, s, Late()), lambda k, s: ops.timeout(k, rx.throw(Late()), s)),
    "measure_interval": (lambda p, _, s: p.measure_interval(s).map(lambda time: time // 1000), lambda _, s: rx.compose(ops.time_interval(s), ops.map(microseconds))),
    "collect_by_time": (lambda p, k, s: kept(p).collect_by_time(k, s).map(sum), lambda k, s: rx.compose(ops.buffer_with_time(k, scheduler=s), ops.filter(len), ops.map(sum))),
    "collect_by_time_or_count": (lambda p, k, s: kept(p).collect_by_time_or_count(k, 2, s).map(sum), lambda k, s: rx.compose(ops.window_with_time(k, scheduler=s), ops.flat_map(ops.buffer_with_count(2)), ops.map(sum))),
    "receive_on": (lambda p, _, s: p.receive_on(s), lambda _, s: ops.observe_on(s)),
    "subscribe_on": (lambda p, _, s: p.subscribe_on(s), lambda _, s: ops.subscribe_on(s)),
    "sample interval": (lambda p, k, s: p.append(Interval(k, s)).sample(Interval(k, s)), lambda k, s: rx.compose(ops.concat(rx.interval(k, s)), ops.sample(k, s))),
    "interval": (lambda p, k, s: p.merge(Interval(k, s)), lambda k, s: ops.merge(rx.interval(k, s))),
    "interval once": (lambda p, k, s: p.merge(Interval(k, s, count=1)), lambda k, s: ops.merge(rx.timer(k, scheduler=s))),
    "interval first": (lambda p, k, s: p.merge(Interval(k, s, first=2 * k)), lambda k, s: ops.merge(rx.timer(2 * k, k, s))),
}  # fmt: skip

WINDOWS = {
    "window_by_time": (lambda p, k, s: p.window_by_time(k, s), lambda k, s: ops.window_with_time(k, scheduler=s)),
    "window_by_time_or_count": (lambda p, k, s: p.window_by_time_or_count(k, 2, s), lambda k, s: rx.compose(ops.window_with_time(k, scheduler=s), ops.flat_map(ops.window_with_count(2)))),
}  # fmt: skip

SECONDS = st.integers(1, 3)


def same(steps, script, parts=(lambda p: p, lambda p: p)):
    def here(side, p):
        for place, (name, k) in enumerate(steps):
            p = {**TIMED, **WINDOWS}[name][0](p, period(k, place) / SECOND, side.scheduler)
        return parts[0](p)

    def there(side, p):
        for place, (name, k) in enumerate(steps):
            p = p.pipe({**TIMED, **WINDOWS}[name][1](period(k, place) / SECOND, side.scheduler))
        return parts[1](p)

    assert_same(1, script, here, there)


@pytest.mark.parametrize("name", TIMED)
@FEWER
@given(k=SECONDS, script=scripts(1))
def test_timed_operators_do_the_same(name, k, script):
    same([(name, k)], script)


@pytest.mark.parametrize("name", WINDOWS)
@FEWER
@given(k=SECONDS, script=scripts(1))
def test_windows_of_time_are_the_same(name, k, script):
    same([(name, k)], script, (parts_here, parts_there))


@given(st.lists(st.tuples(st.sampled_from([*TIMED]), SECONDS), min_size=2, max_size=2), scripts(1))
def test_pipelines_of_timed_operators_do_the_same(steps, script):
    same(steps, script)
