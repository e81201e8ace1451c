"""An array is what as many single sends would have been, whoever acts amid it: random programs, with arrays and with single
sends. What every subscriber sees is the same, and so is every current value.

    FUZZ_SECONDS=600 FUZZ_SEED=5 python -m pytest Tests/Python/test_arrays.py -s       what `make fuzz` does
"""

import os
import time

import pytest
from array_plans import ACTIONS_THERE_ARE, FORMS, OPERATORS, SUBJECTS, Action, Plan, Sink
from array_programs import Run
from fuzz_machine import Machine
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", 400))  # about ten seconds

NUMBERS = st.lists(st.integers(0, 999), max_size=8)
ACTIONS = st.builds(Action, st.sampled_from(ACTIONS_THERE_ARE), st.integers(0, 15))
SCRIPTS = st.dictionaries(st.integers(0, 5), ACTIONS, max_size=3)
SINKS = st.builds(Sink, st.integers(0, 2), st.none() | st.integers(0, 4), st.just(False), st.booleans(), SCRIPTS)
BATCH_SINKS = st.builds(Sink, st.integers(0, 2), st.none(), st.just(True), st.just(False), st.just({}))
ARRAYS = st.tuples(st.integers(0, 1), st.sampled_from(sorted(FORMS)), st.lists(st.integers(0, 9), min_size=2, max_size=6))


def one_of(*names, numbers=NUMBERS):
    return st.tuples(st.sampled_from(names), numbers)


def plans(operators, sinks):
    return st.builds(
        Plan,
        st.lists(st.sampled_from(sorted(SUBJECTS)), min_size=1, max_size=2),
        st.lists(st.tuples(st.integers(0, 4), operators), min_size=1, max_size=3),
        st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), max_size=1),
        st.lists(sinks, min_size=1, max_size=3),
        st.lists(ARRAYS | ARRAYS | ACTIONS, min_size=1, max_size=3),
    )


SMALL = st.lists(st.integers(1, 3), min_size=1, max_size=3)
# What shares a subscription, what ends, and what then subscribes again.
AGAIN = st.tuples(
    one_of("make_connectable", "multicast", "share"),
    one_of("first", "map", "prefix", numbers=SMALL),
    one_of("append", "repeat", "retry", numbers=SMALL),
).map(list)
PLANS = {
    "all operators": plans(
        st.lists(one_of(*sorted(OPERATORS)), min_size=1, max_size=4), SINKS | SINKS | SINKS | BATCH_SINKS
    ),
    "sharing and subscribing again": plans(AGAIN, SINKS),
}


def check(plan):
    singles = Run(plan, arrays=False)
    if singles.is_endless:
        return
    arrays = Run(plan, arrays=True)
    difference = different(plan, singles, arrays)
    if difference:
        raise AssertionError(
            "\n".join([f"{difference} with single sends:", *singles.transcript, "", "and with arrays:", *arrays.transcript])
        )


def different(plan, singles, arrays):
    if singles.states != arrays.states:
        return f"current values: {arrays.states} instead of {singles.states}"
    for name in {**singles.logs, **arrays.logs}:
        # Functions may be called ahead for a subscriber that takes batches.
        if not (plan.takes_batches and name.startswith(("f", "read by f"))):
            expected, got = singles.logs.get(name, []), arrays.logs.get(name, [])
            if expected != got:
                return f"{name} sees {got} instead of {expected}"
    return None


def run(plans, number, examples, phases):
    @seed(number)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=phases,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(plans)
    def test(plan):
        check(plan)

    test()


@pytest.mark.parametrize("kind", PLANS)
def test_an_array_is_what_single_sends_are(kind):
    seconds = float(os.environ.get("FUZZ_SECONDS", 0)) / len(PLANS)
    number, end = int(os.environ.get("FUZZ_SEED", 1)), time.monotonic() + seconds
    while True:
        print(f"arrays, {kind}, from FUZZ_SEED={number}", flush=True)
        run(PLANS[kind], number, EXAMPLES, [Phase.generate, Phase.shrink])
        number += 1
        Machine.forget_frames()
        if time.monotonic() >= end:
            return
