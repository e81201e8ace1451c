"""Schedulers that know the functions that wait for them, and these them: what the collector can free."""

import gc
import weakref

import pytest
import streams
from collected import is_collected
from streams import Sequence
from streams._native.library import library


class Clock:
    def now(self):
        return 0.0

    def schedule(self, time, action):
        pass


SCHEDULERS = {
    "loop": streams.EventLoop,
    "queue": streams.SerialQueue,
    "pool": lambda: streams.QueuePool(2).queue(),
    "virtual": streams.VirtualTimeScheduler,
    "custom": lambda: streams.CustomScheduler(Clock()),
}


def in_a_circle(make):
    """A scheduler that nobody knows but the function that waits for it."""
    scheduler = make()
    scheduler.schedule(lambda: scheduler.schedule(lambda: None, 1000), 1000)
    return weakref.ref(scheduler)


@pytest.mark.parametrize("name", SCHEDULERS)
def test_a_scheduler_is_freed_that_a_function_waits_for_and_knows(name):
    before = library.streams_live_handles()
    gone = in_a_circle(SCHEDULERS[name])
    assert gone() is not None
    assert is_collected(gone)
    assert library.streams_live_handles() == before


@pytest.mark.parametrize("kind", [streams.Debouncer, streams.Throttler])
def test_a_limiter_is_freed_that_a_function_waits_for_and_knows(kind):
    scheduler = streams.VirtualTimeScheduler()

    def circle():
        limiter = kind(1000, scheduler)
        for _ in range(2):  # of which a throttler runs the first
            limiter.execute(lambda: limiter.execute(print))
            scheduler.advance()
        return weakref.ref(limiter)

    before = library.streams_live_handles()
    gone = circle()
    assert gone() is not None
    assert is_collected(gone)
    assert library.streams_live_handles() == before


@pytest.mark.parametrize("kind", [streams.Debouncer, streams.Throttler])
@pytest.mark.parametrize("end", ["another", "close", "let go", "run"])
def test_a_limiter_lets_go_of_what_does_not_wait_any_more(kind, end):
    class Function:
        calls = 0

        def __call__(self):
            Function.calls += 1

    scheduler, function = streams.VirtualTimeScheduler(), Function()
    limiter, gone = kind(1000, scheduler), weakref.ref(function)
    limiter.execute(print)
    scheduler.advance()
    limiter.execute(function)
    del function
    gc.collect()
    assert gone() is not None and not Function.calls
    if end == "another":
        limiter.execute(print)
    elif end == "close":
        limiter.close()
    elif end == "let go":
        del limiter
    else:
        scheduler.advance(1000)
    assert gone() is None and Function.calls == (end == "run")


def test_a_custom_scheduler_is_freed_that_its_clock_knows():
    class Knowing(Clock):
        def __init__(self):
            self.actions = []
            self.scheduler = streams.CustomScheduler(self)

        def schedule(self, time, action):
            self.actions.append(action)

    def circle():
        clock = Knowing()
        clock.scheduler.schedule(lambda: clock.scheduler, 1)
        cancellable = Sequence([1, 2]).delay(1, clock.scheduler).sink(print)
        assert clock.actions
        return weakref.ref(clock), weakref.ref(clock.scheduler), cancellable

    before = library.streams_live_handles()
    clock, scheduler, cancellable = circle()
    assert clock() is not None
    assert is_collected(clock) and scheduler() is None
    cancellable.close()
    assert library.streams_live_handles() == before


def test_the_time_of_a_clock_that_has_gone_stands_still(capsys):
    class Ticking(Clock):
        def now(self):
            return 5.0

    subject, scheduler = streams.PassthroughSubject(), streams.CustomScheduler(Ticking())
    cancellable = subject.measure_interval(scheduler).sink(print)
    subject.send(1)
    del scheduler
    subject.send(2)
    cancellable.close()
    assert capsys.readouterr().out.split() == ["0", "0"]


async def test_an_asyncio_scheduler_is_freed_that_a_function_waits_for_and_knows():
    before = library.streams_live_handles()
    assert is_collected(in_a_circle(streams.AsyncioScheduler))
    assert library.streams_live_handles() == before


@pytest.mark.parametrize("name", SCHEDULERS)
@pytest.mark.parametrize("end", ["cancel", "close"])
def test_what_is_cancelled_or_closed_lets_its_function_go(name, end):
    class Function:
        def __call__(self):
            raise AssertionError

    scheduler, function = SCHEDULERS[name](), Function()
    gone, scheduled = weakref.ref(function), scheduler.schedule(function, 1000)
    del function
    assert gone() is not None
    scheduled.cancel() if end == "cancel" else scheduler.close()
    assert gone() is None
    scheduler.close()
