"""Debounce and throttle for a program that has no streams."""

import gc
import threading
import weakref

import pytest
import streams
from streams import Debouncer, ImmediateScheduler, SerialQueue, Throttler, VirtualTimeScheduler


@pytest.fixture
def clock():
    with VirtualTimeScheduler() as made:
        yield made


def test_the_last_of_those_that_come_in_quick_succession(clock):
    log, redraw = [], Debouncer(0.4, clock)
    for moment in (0, 0.3, 0.3, 1):
        clock.advance(moment)
        redraw.execute(lambda at=clock.now: log.append((at, clock.now)))
    clock.run()
    assert log == [(pytest.approx(0.6), pytest.approx(1.0)), (pytest.approx(1.6), pytest.approx(2.0))]


@pytest.mark.parametrize("latest, expected", [(True, ["a", "c"]), (False, ["a", "b"])])
def test_one_of_each_interval(clock, latest, expected):
    log, save = [], Throttler(10, clock, latest)
    save.execute(lambda: log.append("a"))
    clock.advance()
    for name in "bc":
        clock.advance(1)
        save.execute(lambda name=name: log.append(name))
    clock.advance(7)
    assert log == ["a"]
    clock.advance(1)
    assert log == expected


@pytest.mark.parametrize("make", [Debouncer, Throttler])
def test_what_waits_is_forgotten_with_it(clock, make):
    class Action:
        def __call__(self):
            called.append(self)

    called, limiter = [], make(1, clock)
    limiter.execute(lambda: None)
    clock.run()
    action = Action()
    gone = weakref.ref(action)
    limiter.execute(action)
    del action
    gc.collect()
    assert gone() is not None
    del limiter
    gc.collect()
    assert gone() is None
    clock.run()
    assert called == []


@pytest.mark.parametrize("make", [Debouncer, Throttler])
def test_what_is_refused(clock, make):
    for wrong, kind in (("1", TypeError), (-1, ValueError), (float("nan"), ValueError)):
        with pytest.raises(kind):
            make(wrong, clock)
    with pytest.raises(TypeError, match="scheduler must be a Scheduler"):
        make(1, None)
    with make(1, clock) as limiter:
        with pytest.raises(TypeError, match="function must be callable"):
            limiter.execute("draw")
    with pytest.raises(streams.ClosedError):
        limiter.execute(print)


@pytest.mark.parametrize("make", [Debouncer, Throttler])
def test_a_function_that_raises_is_reported(clock, make, unraisable):
    limiter, oops = make(1, clock), RuntimeError("oops")

    def function():
        raise oops

    limiter.execute(function)
    clock.run()
    assert unraisable == [oops]
    oops.__traceback__ = None


@pytest.mark.parametrize("make", [Debouncer, Throttler])
def test_an_interrupt_comes_out_of_what_runs_the_scheduler(clock, make):
    limiter = make(1, clock)

    def function():
        raise KeyboardInterrupt

    limiter.execute(function)
    with pytest.raises(KeyboardInterrupt):
        clock.run()
    limiter.close()
    at_once = make(1, ImmediateScheduler())
    with pytest.raises(KeyboardInterrupt):
        at_once.execute(function)
    at_once.close()


def test_a_function_may_give_the_next_one(clock):
    log, limiter = [], Debouncer(1, clock)

    def again():
        log.append(clock.now)
        if len(log) < 3:
            limiter.execute(again)  # noqa: F821, since it is deleted at the end

    limiter.execute(again)
    clock.run()
    assert log == [1, 2, 3]
    limiter.close()
    del again


def test_from_many_threads():
    queue, over = SerialQueue(), threading.Event()
    limiter = Debouncer(0.01, queue)

    def work():
        for _ in range(500):
            limiter.execute(over.set)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert over.wait(60)
    limiter.close()
    queue.close()
