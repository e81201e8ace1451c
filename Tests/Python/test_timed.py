"""Operators with schedulers: what a user sees beyond the cases of the catalogue. How long it takes is not looked at."""

import threading

import pytest
import streams
from recorder import Recorder, values_of
from streams import (
    EventLoop,
    Fail,
    ImmediateScheduler,
    PassthroughSubject,
    Sequence,
    SerialQueue,
    Status,
    StatusValueError,
    VirtualTimeScheduler,
    create,
)
from streams._native.library import library

WITH_INTERVAL = {
    "debounce": (),
    "delay": (),
    "throttle": (True,),
    "timeout": (),
    "collect_by_time": (),
}
WITHOUT = ["receive_on", "subscribe_on", "measure_interval"]


class Oops(Exception):
    pass


def ended(publisher, function=lambda _: None):
    """Runs a stream that ends on another thread: its values and its end."""
    over, values, ends = threading.Event(), [], []

    def end(error):
        ends.append(error)
        over.set()

    def value(it):
        values.append(it)
        function(it)

    with publisher.sink(value, end):
        assert over.wait(60)
    return values, ends


# ---- What is refused


@pytest.mark.parametrize("name", WITH_INTERVAL)
def test_intervals(name):
    method, scheduler = getattr(PassthroughSubject(), name), VirtualTimeScheduler()
    for wrong, kind in (("1", TypeError), (None, TypeError), (-1, ValueError), (float("nan"), ValueError)):
        with pytest.raises(kind):
            method(wrong, scheduler, *WITH_INTERVAL[name])
    with pytest.raises(TypeError, match="scheduler must be a Scheduler, not int"):
        method(1, 2, *WITH_INTERVAL[name])


@pytest.mark.parametrize("name", WITHOUT)
def test_schedulers(name):
    scheduler = VirtualTimeScheduler()
    scheduler.close()
    with pytest.raises(TypeError, match="scheduler must be a Scheduler, not NoneType"):
        getattr(PassthroughSubject(), name)(None)
    with pytest.raises(streams.ClosedError):
        getattr(PassthroughSubject(), name)(scheduler)


def test_counts_of_lists():
    subject, scheduler = PassthroughSubject(), VirtualTimeScheduler()
    for wrong, kind in ((0, ValueError), (-1, ValueError), (2**32, ValueError), (2**70, ValueError), ("1", TypeError)):
        with pytest.raises(kind):
            subject.collect_by_time_or_count(1, wrong, scheduler)


def test_a_timeout_needs_time_that_passes():
    before = library.streams_live_handles()
    publisher, scheduler = Fail(Oops()), ImmediateScheduler()
    with pytest.raises(StatusValueError, match="its time does not pass") as caught:
        publisher.timeout(1, scheduler, Oops())
    assert caught.value.status == Status.INVALID_ARGUMENT
    for wrong in (Oops, "late", 1):
        with pytest.raises(TypeError, match="exception"):
            publisher.timeout(1, VirtualTimeScheduler(), wrong)
    publisher.close()
    scheduler.close()
    assert library.streams_live_handles() == before


# ---- Time


def test_a_timeout_fails_with_the_very_exception():
    scheduler, error = VirtualTimeScheduler(), Oops("late")
    publisher = PassthroughSubject().timeout(1, scheduler, error)
    recorders = [Recorder(publisher), Recorder(publisher)]
    scheduler.advance(1)
    assert all(each.error is error for each in recorders)


def test_the_time_between_values_in_nanoseconds():
    scheduler, subject = VirtualTimeScheduler(), PassthroughSubject()
    recorder = Recorder(subject.measure_interval(scheduler))
    scheduler.advance(1.5)
    subject.send("a")
    scheduler.advance(1e-9)
    subject.send("b")
    assert recorder.values == [1_500_000_000, 1]
    assert [type(each) for each in recorder.values] == [int, int]


def test_a_day_of_measurements():
    scheduler, subject = VirtualTimeScheduler(), PassthroughSubject()
    hours = Recorder(subject.collect_by_time(3600, scheduler).map(sum))
    for _ in range(24 * 6):
        subject.send(1)
        scheduler.advance(600)
    assert hours.values == [6] * 24


def test_throttle_takes_any_truth():
    scheduler, subject = VirtualTimeScheduler(), PassthroughSubject()
    latest, first = Recorder(subject.throttle(1, scheduler, 1)), Recorder(subject.throttle(1, scheduler, latest=""))
    subject.send_many("abc")
    scheduler.advance()
    assert (latest.values, first.values) == (["c"], ["a"])


# ---- Retries


class Flaky:
    """Fails until it has been opened so many times; then it sends that number."""

    def __init__(self, good):
        self.good, self.opened = good, 0

    def open(self, emitter):
        self.opened += 1
        return Attempt(self.opened, self.good, emitter)


class Attempt:
    def __init__(self, number, good, emitter):
        self.number, self.good, self.emitter = number, good, emitter

    def produce(self, _):
        if self.number < self.good:
            raise Oops(self.number)
        self.emitter.send(self.number)
        self.emitter.finish()


def test_retries_of_a_source():
    assert values_of(create(Flaky(3).open).retry(2)) == [3]
    source = Flaky(3)
    assert Recorder(create(source.open).retry(1)).error.args == (2,)
    assert source.opened == 2


def test_many_retries_take_no_stack():
    source = Flaky(20_000)
    assert values_of(create(source.open).retry(2**70)) == [20_000]
    error = Oops()
    assert Recorder(Fail(error).retry(100_000)).error is error


def test_endless_retries_are_cancelled_from_within():
    calls, held = [], []

    def open_it(emitter):
        calls.append(emitter)
        if len(calls) == 1000:
            held[0].cancel()
        raise Oops

    cancellable = create(open_it).retry(streams.UNLIMITED).sink(print, lambda _: None, subscription=held.append)
    assert len(calls) == 1000
    cancellable.close()


def test_numbers_of_retries():
    for wrong, kind in ((-1, ValueError), ("1", TypeError), (None, TypeError), (1.0, TypeError)):
        with pytest.raises(kind, match="retries"):
            Fail(Oops()).retry(wrong)


# ---- Elsewhere


def test_a_loop_gets_many_values_as_one_batch():
    loop, subject, batches = EventLoop(), PassthroughSubject(), []
    with subject.receive_on(loop).sink(batch=lambda values: batches.append(list(values))):
        for n in range(1000):
            subject.send(n)
        assert batches == []
        loop.run_once()
        assert batches == [list(range(1000))]
        loop.run_once()
        subject.send("next")
        loop.run_once()
        assert batches[1:] == [["next"]]


def test_a_loop_gets_no_more_than_is_demanded():
    loop = EventLoop()
    recorder = Recorder(Sequence(range(10)).receive_on(loop), demand=3)
    loop.run_once()
    assert recorder.values == [0, 1, 2]
    recorder.subscription.request(2)
    loop.run_once()
    assert recorder.values == [0, 1, 2, 3, 4] and recorder.ends == []


def test_work_on_a_queue_and_results_on_a_loop():
    queue, loop, threads, values = SerialQueue(), EventLoop(), set(), []

    def work(n):
        threads.add(threading.get_ident())
        return n * n

    results = Sequence(range(1000)).subscribe_on(queue).map(work).receive_on(loop)
    with results.sink(lambda n: values.append((n, threading.get_ident())), lambda _: loop.stop()):
        loop.run(timeout=60)
    assert values == [(n * n, threading.get_ident()) for n in range(1000)]
    assert len(threads) == 1 and threading.get_ident() not in threads


def test_what_is_raised_on_a_queue_ends_the_stream():
    queue, error = SerialQueue(), Oops()

    def fail_on_3(n):
        if n == 3:
            raise error

    values, ends = ended(Sequence(range(10)).receive_on(queue), fail_on_3)
    assert values == [0, 1, 2, 3]
    assert ends == [error]


def test_cancelled_while_values_are_under_way():
    queue = SerialQueue()
    for number in range(100):
        subject, received, over, begun = PassthroughSubject(), [], threading.Event(), threading.Event()

        def send(subject=subject, over=over, begun=begun):
            n = 0
            while not over.is_set():
                subject.send(n)
                n += 1
                begun.set()

        publisher = subject.subscribe_on(queue) if number % 2 else subject
        cancellable = publisher.receive_on(queue).sink(received.append)
        sender = threading.Thread(target=send)
        sender.start()
        assert begun.wait(60)
        cancellable.cancel()
        over.set()
        sender.join()
        assert received == list(range(received[0], received[0] + len(received))) if received else True
        cancellable.close()


def test_a_cancellation_goes_with_its_scheduler():
    scheduler, subject, log = VirtualTimeScheduler(), PassthroughSubject(), []
    watched = subject.handle_events(receive_cancel=lambda: log.append("cancel"))
    cancellable = watched.subscribe_on(scheduler).sink(print)
    scheduler.advance()
    cancellable.close()
    assert log == []
    scheduler.close()
    assert log == ["cancel"]
