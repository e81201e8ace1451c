"""Retries that wait, and publishers that count a time: what a user sees beyond the cases of the catalogue."""

import datetime
import threading

import pytest
from recorder import Recorder
from streams import Backoff, EventLoop, Fail, ImmediateScheduler, Interval, SerialQueue, VirtualTimeScheduler, create


def refusing(times, made):
    """A publisher that fails so many times when it is subscribed to, and then sends a word."""

    def begin(emitter):
        made.append(emitter)

        def produce(_):
            if len(made) <= times:
                emitter.fail(ConnectionError(len(made)))
            elif emitter.send("connected"):
                emitter.finish()

        return produce

    return create(begin)


def test_attempts_wait_longer_each_time():
    clock, made, moments = VirtualTimeScheduler(), [], []
    publisher = refusing(4, made).handle_events(receive_subscription=lambda _: moments.append(clock.now))
    recorder = Recorder(publisher.retry_backoff(Backoff(delay=0.5, longest_delay=datetime.timedelta(seconds=3)), clock))
    clock.run()
    assert moments == [0, 0.5, 1.5, 3.5, 6.5]
    assert recorder.values == ["connected"] and recorder.finished


def test_jitter_only_shortens_a_wait():
    clock, moments = VirtualTimeScheduler(), []
    failing = Fail(OSError()).handle_events(receive_subscription=lambda _: moments.append(clock.nanoseconds))
    recorder = Recorder(failing.retry_backoff(Backoff(delay=1, factor=1, jitter=0.5, retries=200), clock))
    clock.run()
    waits = [later - earlier for earlier, later in zip(moments, moments[1:])]
    assert len(waits) == 200 and all(500_000_000 <= wait <= 1_000_000_000 for wait in waits)
    assert len(set(waits)) > 100 and isinstance(recorder.error, OSError)


def test_what_is_not_worth_it(error):
    clock, asked = VirtualTimeScheduler(), []

    def when(found):
        asked.append(found)
        return len(asked) < 3

    recorder = Recorder(Fail(error).retry_backoff(Backoff(), clock, when))
    clock.run()
    assert asked == [error] * 3 and recorder.error is error


def test_a_decision_that_raises():
    clock, other = VirtualTimeScheduler(), KeyError("undecided")

    def when(_):
        raise other

    recorder = Recorder(Fail(OSError()).retry_backoff(Backoff(), clock, when))
    assert recorder.error is other
    other.__traceback__ = None


def test_an_exit_is_never_retried():
    clock = VirtualTimeScheduler()
    recorder = Recorder(Fail(SystemExit(3)).retry_backoff(Backoff(), clock, when=lambda _: True))
    assert isinstance(recorder.error, SystemExit)


def test_closing_the_cancellable_ends_the_wait():
    clock, made = VirtualTimeScheduler(), []
    recorder = Recorder(refusing(9, made).retry_backoff(Backoff(), clock))
    clock.advance(1)
    recorder.cancellable.close()
    clock.run()
    assert len(made) == 2


@pytest.mark.parametrize("backoff, kind, text", [
    (Backoff(delay=-1), ValueError, "backoff.delay"),
    (Backoff(longest_delay=-1), ValueError, "backoff.longest_delay"),
    (Backoff(retries=-1), ValueError, "retries"),
    (Backoff(factor=0), ValueError, "backoff.factor"),
    (Backoff(factor=float("nan")), ValueError, "backoff.factor"),
    (Backoff(jitter=1.1), ValueError, "backoff.jitter"),
    (Backoff(jitter=float("nan")), ValueError, "backoff.jitter"),
    (Backoff(delay="1"), TypeError, "delay"),
    (Backoff(factor="2"), TypeError, None),
    (Backoff(retries="5"), TypeError, "retries"),
    ((1, 2), TypeError, "backoff must be a Backoff, not tuple"),
])  # fmt: skip
def test_what_is_no_backoff(backoff, kind, text):
    with pytest.raises(kind, match=text):
        Fail(OSError()).retry_backoff(backoff, VirtualTimeScheduler())


def test_what_else_is_refused():
    clock = VirtualTimeScheduler()
    with pytest.raises(ValueError, match="its time does not pass"):
        Fail(OSError()).retry_backoff(Backoff(), ImmediateScheduler())
    with pytest.raises(TypeError, match="when must be callable"):
        Fail(OSError()).retry_backoff(Backoff(), clock, when=3)
    with pytest.raises(TypeError, match="scheduler must be a Scheduler"):
        Fail(OSError()).retry_backoff(Backoff(), None)
    for wrong in (lambda: Interval(0, clock), lambda: Interval(-1, clock), lambda: Interval(1, clock, first=-1)):
        with pytest.raises(ValueError, match="interval|every|first"):
            wrong()
    with pytest.raises(ValueError, match="count"):
        Interval(1, clock, count=-1)
    with pytest.raises(ValueError, match="its time does not pass"):
        Interval(1, ImmediateScheduler())


def test_numbers_that_nobody_demands_are_lost():
    clock = VirtualTimeScheduler()
    recorder = Recorder(Interval(1, clock, first=0, count=2**70), demand=1)
    clock.advance(2.5)
    recorder.subscription.request(2)
    clock.advance(2)
    assert recorder.values == [0, 3, 4]
    recorder.cancellable.close()


def test_one_shot():
    clock = VirtualTimeScheduler()
    recorder = Recorder(Interval(3, clock, count=1))
    clock.run()
    assert recorder.values == [0] and recorder.finished and clock.now == 3


@pytest.mark.parametrize("make", [SerialQueue, EventLoop])
def test_by_a_real_clock(make):
    scheduler, over, values = make(), threading.Event(), []
    cancellable = Interval(0.001, scheduler, count=5).sink(values.append, lambda _: over.set())
    if make is EventLoop:
        while not over.is_set():
            scheduler.run_once(60)
    assert over.wait(60) and values == [0, 1, 2, 3, 4]
    cancellable.close()
    scheduler.close()


def test_the_numbers_of_an_interval_are_iterated():
    queue = SerialQueue()
    # One only: an iterator asks for the next when it has taken one, and what comes meanwhile is dropped.
    assert list(Interval(0.001, queue, count=1)) == [0]
    queue.close()
