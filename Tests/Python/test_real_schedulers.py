"""Schedulers whose time is the real one, of every kind. What is checked is order and number, never how long
something took."""

import asyncio
import concurrent.futures
import gc
import os
import threading
import weakref

import pytest
import streams
from scheduler_kinds import KINDS, LONG, Clock, Log, descriptors
from streams import (
    AsyncioScheduler,
    ClosedError,
    CustomScheduler,
    Debouncer,
    EventLoop,
    ExecutorScheduler,
    ImmediateScheduler,
    Interval,
    Just,
    PassthroughSubject,
    QueuePool,
    SerialQueue,
    StreamError,
)
from streams._native.library import library
from turns import settle


@pytest.fixture(params=KINDS)
def scheduler(request):
    """A scheduler that something runs."""
    made = request.param()
    yield made.scheduler
    made.end()


def test_what_is_due_first_runs_first(scheduler):
    apart, took = 0.02, 1.0
    while took >= apart:  # on a busy machine the calls can take so long that they decide what is due first
        log, apart = Log(), 2 * apart

        def begin(log=log, apart=apart):  # while this runs, nothing else does
            began = scheduler.now
            scheduler.schedule(log.adds("third"), 2 * apart)
            scheduler.schedule(log.adds("second"), apart)
            scheduler.schedule(log.adds("first"))
            log.add(scheduler.now - began)

        scheduler.schedule(begin)
        took, *order = log.wait(4)
    assert order == ["first", "second", "third"]


def test_one_moment_is_in_the_order_of_the_calls(scheduler):
    log = Log()
    for n in range(200):
        scheduler.schedule(log.adds(n))
    assert log.wait(200) == list(range(200))


def test_what_is_cancelled_does_not_run(scheduler):
    log, kept = Log(), []

    def begin():  # while this runs, nothing else does
        kept.extend(scheduler.schedule(log.adds(n), 0.001) for n in range(4))
        late = scheduler.schedule(log.adds("never"), LONG)
        kept[1].cancel()
        kept[1].cancel()
        late.cancel()
        scheduler.schedule(log.adds("last"), 0.001)

    scheduler.schedule(begin)
    assert log.wait(4) == [0, 2, 3, "last"]
    kept[0].cancel()


def test_scheduling_from_what_is_scheduled(scheduler):
    log, left = Log(), iter(range(5))

    def again():
        log.add(next(left))
        if len(log) < 5:
            scheduler.schedule(again)

    scheduler.schedule(again)
    assert log.wait(5) == [0, 1, 2, 3, 4]


def test_time_goes_on(scheduler):
    log, before = Log(), scheduler.nanoseconds
    scheduler.schedule(lambda: log.add(scheduler.nanoseconds), 0.001)
    assert log.wait(1)[0] >= before + 1_000_000


def test_an_exception_goes_to_the_hook(scheduler, unraisable):
    log = Log()
    scheduler.schedule(lambda: 1 / 0)
    scheduler.schedule(log.adds("next"))
    assert log.wait(1) == ["next"]
    assert [type(each) for each in unraisable] == [ZeroDivisionError]


# The same cases as in C and Swift. What is sent: numbers, | or x for the end, and ~ to wait for another signal.
SOON = 0.001
CASES = {
    "delay": (lambda p, s: p.delay(SOON, s), "123|", [1, 2, 3, "|"]),
    "delay: a failure": (lambda p, s: p.delay(SOON, s), "12x", [1, 2, "x"]),
    "debounce": (lambda p, s: p.debounce(SOON, s), "1~2~|", [1, 2, "|"]),
    "debounce: a finish drops what waits": (lambda p, s: p.debounce(LONG, s), "123|", ["|"]),
    "throttle: the latest": (lambda p, s: p.throttle(SOON, s, latest=True), "1~2~|", [1, 2, "|"]),
    "throttle: the first": (lambda p, s: p.throttle(SOON, s, latest=False), "1~2~x", [1, 2, "x"]),
    "timeout": (lambda p, s: p.timeout(SOON, s), "", ["|"]),
    "timeout: in time": (lambda p, s: p.timeout(LONG, s), "12|", [1, 2, "|"]),
    "collect_by_time": (lambda p, s: p.collect_by_time(SOON, s), "1~2~|", [[1], [2], "|"]),
    "collect_by_time: a finish": (lambda p, s: p.collect_by_time(LONG, s), "123|", [[1, 2, 3], "|"]),
    "collect_by_time_or_count": (
        lambda p, s: p.collect_by_time_or_count(LONG, 2, s),
        "12345|",
        [[1, 2], [3, 4], [5], "|"],
    ),
    "measure_interval": (lambda p, s: p.measure_interval(s).map(lambda n: n >= 0), "12|", [True, True, "|"]),
    "receive_on": (lambda p, s: p.receive_on(s), "12345|", [1, 2, 3, 4, 5, "|"]),
    "receive_on: a failure": (lambda p, s: p.receive_on(s), "12x", [1, 2, "x"]),
    "subscribe_on": (lambda p, s: streams.Sequence([1, 2, 3]).subscribe_on(s), "", [1, 2, 3, "|"]),
}


@pytest.mark.parametrize("case", CASES)
def test_operators(scheduler, case):
    make, sent, expected = CASES[case]
    log, subject, awaited = Log(), PassthroughSubject(), 0
    cancellable = make(subject, scheduler).sink(log.add, lambda error: log.add("x" if error else "|"))
    for step in sent:
        if step == "~":
            awaited += 1
            log.wait(awaited)
        elif step in "|x":
            subject.finish() if step == "|" else subject.fail(ValueError())
        else:
            subject.send(int(step))
    assert log.wait(len(expected)) == expected
    cancellable.close()


def test_the_interpreter_is_entered_once_for_a_batch():
    """A thread that Python has not made gets a new state each time, which costs more than what it calls."""
    log, subject, kept = Log(), PassthroughSubject(), threading.local()

    def count(_):
        kept.calls = getattr(kept, "calls", 0) + 1
        log.add(kept.calls)

    with SerialQueue() as queue:
        cancellable = subject.receive_on(queue).sink(count)
        subject.send_many(range(100))
        assert log.wait(100) == list(range(1, 101))
        cancellable.close()


def test_cancelling_within_a_batch_on_another_thread():
    log, subject = Log(), PassthroughSubject()

    def take(value):
        if value == 3:
            cancellable.close()
        log.add(value)

    with SerialQueue() as queue:
        cancellable = subject.receive_on(queue).sink(take)
        subject.send_many(range(100))
        assert log.wait(4) == [0, 1, 2, 3]
        queue.schedule(log.adds("next"))
        assert log.wait(5) == [0, 1, 2, 3, "next"]


def test_threads_schedule_at_the_same_time(scheduler):
    log = Log()

    def work(name):
        for n in range(100):
            scheduler.schedule(log.adds((name, n)))

    threads = [threading.Thread(target=work, args=(name,)) for name in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    found = log.wait(300)
    for name in range(3):
        assert [n for at, n in found if at == name] == list(range(100))


def test_what_is_forgotten_is_let_go_of(scheduler):
    class Thing:
        def run(self):
            raise AssertionError

    thing = Thing()
    gone = weakref.ref(thing)
    scheduler.schedule(thing.run, LONG).cancel()
    log = Log()
    scheduler.schedule(log.adds(1))
    log.wait(1)
    del thing
    gc.collect()
    assert settle(lambda: gone() is not None, 0) is False


@pytest.mark.parametrize("kind", [EventLoop, SerialQueue, ImmediateScheduler, lambda: QueuePool(1).queue()])
def test_closing_forgets(kind):
    class Thing:
        def run(self):
            raise AssertionError

    scheduler, thing = kind(), Thing()
    if kind is not ImmediateScheduler:
        waiting = scheduler.schedule(thing.run, LONG)
    scheduler.close()
    scheduler.close()
    gone = weakref.ref(thing)
    del thing
    gc.collect()
    assert gone() is None
    if kind is not ImmediateScheduler:
        waiting.cancel()
    for call in (lambda: scheduler.now, lambda: scheduler.schedule(print)):
        with pytest.raises(ClosedError):
            call()


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_fails_whose_scheduler_is_closed(kind):
    made = kind()
    scheduler = made.scheduler
    made_of_it = [Just(1).delay(0, scheduler), Interval(LONG, scheduler), Just(1).receive_on(scheduler)]
    made.end()
    for stream in made_of_it:
        with pytest.raises(StreamError, match="scheduler has been released"):
            stream.first_value(timeout=LONG)


@pytest.mark.parametrize("kind", KINDS)
def test_a_stream_fails_with_what_comes_when_its_scheduler_is_closed(kind):
    made = kind()
    subject, got = PassthroughSubject(), []
    cancellables = [
        stream.sink(got.append, got.append)
        for stream in (subject.receive_on(made.scheduler), subject.debounce(LONG, made.scheduler))
    ]
    debouncer = Debouncer(LONG, made.scheduler)
    made.end()
    assert got == []
    subject.send(1)
    subject.send(2)
    assert [type(each) for each in got] == [StreamError] * 2
    with pytest.raises(ClosedError, match="debouncer's scheduler has been released"):
        debouncer.execute(print)
    for cancellable in cancellables:
        cancellable.close()


async def nobody_awaits():
    raise AssertionError


@pytest.mark.parametrize("wrong", [3, None, nobody_awaits])
def test_what_cannot_be_scheduled(wrong):
    with pytest.raises(TypeError, match="function must be"):
        EventLoop().schedule(wrong)


# ---- nothing is left ---------------------------------------------------------------------------------------------


def threads():
    return len(os.listdir("/proc/self/task"))


@pytest.mark.parametrize("kind", [EventLoop, SerialQueue, ImmediateScheduler, lambda: QueuePool(2).queue(),
                                  lambda: CustomScheduler(Clock()), streams.VirtualTimeScheduler])  # fmt: skip
def test_a_thousand_schedulers_leave_nothing(kind):
    """Closed or released, here or on another thread; while functions wait for them, and streams that are alive."""
    subject = PassthroughSubject()

    def use(n):
        scheduler = kind()
        if n % 2 and kind is not ImmediateScheduler:
            scheduler.schedule(print, LONG)
        # What is on its way when the scheduler goes fails the stream: that is no matter here.
        delayed = subject.receive_on(scheduler).debounce(LONG, scheduler)
        cancellable = delayed.sink(lambda _: None, lambda _: None) if n % 5 else None
        subject.send(n)
        if n % 3 == 0:
            end(scheduler.close, elsewhere=n % 7 == 0)
        if cancellable is not None and n % 11:
            cancellable.close()

    def end(close, elsewhere):
        if not elsewhere:
            return close()
        thread = threading.Thread(target=close)
        thread.start()
        thread.join()

    before = descriptors(), threads(), library.streams_live_handles()
    for n in range(1000):
        use(n)
    gc.collect()
    for count, most in zip((descriptors, threads, library.streams_live_handles), before):
        assert settle(count, most) <= most


def test_a_thousand_asyncio_and_executor_schedulers_leave_nothing():
    before = descriptors()

    async def main():
        for _ in range(1000):
            AsyncioScheduler().schedule(print, LONG)

    asyncio.run(main())
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        for _ in range(1000):
            ExecutorScheduler(executor).schedule(print, LONG)
    gc.collect()
    assert settle(descriptors, before) <= before
