"""Schedulers whose time is the real one. What is checked is order and number, never how long something took."""

import asyncio
import concurrent.futures
import gc
import heapq
import itertools
import os
import pathlib
import select
import selectors
import threading
import time
import weakref

import pytest
import streams
from streams import (
    AsyncioScheduler,
    ClosedError,
    CustomScheduler,
    EventLoop,
    ExecutorScheduler,
    ImmediateScheduler,
    PassthroughSubject,
    QueuePool,
    SerialQueue,
)
from streams._library import library
from turns import LIMIT, settle, turns

LONG = 1000.0  # seconds after which nothing in a test is due


class Oops(BaseException):
    """What is more than a stream's."""


class Log(list):
    """What has run, which a test can wait for from another thread."""

    def __init__(self):
        self.condition = threading.Condition()

    def add(self, entry):
        with self.condition:
            self.append(entry)
            self.condition.notify_all()

    def adds(self, entry):
        return lambda: self.add(entry)

    def wait(self, count):
        with self.condition:
            assert self.condition.wait_for(lambda: len(self) >= count, LIMIT), self
        return list(self)


def descriptors():
    return len(list(pathlib.Path("/proc/self/fd").iterdir()))


# ---- what all have in common -------------------------------------------------------------------------------------


class Asyncio:
    """An AsyncioScheduler on a loop of its own thread."""

    def __init__(self):
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever)
        self.thread.start()
        self.scheduler = AsyncioScheduler(self.loop)

    def end(self):
        self.scheduler.close()
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.run_until_complete(turns(3))
        self.loop.close()


class Looped:
    """An EventLoop that a thread runs."""

    def __init__(self):
        self.scheduler = EventLoop()
        self.thread = threading.Thread(target=self.scheduler.run)
        self.thread.start()

    def end(self):
        self.scheduler.stop()
        self.thread.join()
        self.scheduler.close()


class Queue:
    def __init__(self):
        self.scheduler = SerialQueue()

    def end(self):
        self.scheduler.close()


class Pooled:
    def __init__(self):
        self.scheduler = QueuePool(2).queue()

    def end(self):
        self.scheduler.close()


class Executed:
    def __init__(self):
        self.executor = concurrent.futures.ThreadPoolExecutor(1)
        self.scheduler = ExecutorScheduler(self.executor)

    def end(self):
        self.scheduler.close()
        self.executor.shutdown()


class Own:
    """A scheduler of one's own, whose clock is a thread that sleeps until something is due."""

    def __init__(self):
        self.due, self.number, self.is_over = [], itertools.count(), False
        self.condition = threading.Condition()
        self.scheduler = CustomScheduler(self)
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def now(self):
        return time.monotonic()

    def schedule(self, at, action):
        with self.condition:
            heapq.heappush(self.due, (at, next(self.number), action))
            self.condition.notify()

    def run(self):
        while action := self.next_action():
            action()

    def next_action(self):
        with self.condition:
            while not self.is_over:
                left = self.due[0][0] - self.now() if self.due else None
                if left is not None and left <= 0:
                    return heapq.heappop(self.due)[2]
                self.condition.wait(left)
        return None

    def end(self):
        self.scheduler.close()
        with self.condition:
            self.is_over = True
            self.condition.notify()
        self.thread.join()


@pytest.fixture(params=[Asyncio, Looped, Queue, Pooled, Executed, Own])
def scheduler(request):
    """A scheduler that something runs."""
    made = request.param()
    yield made.scheduler
    made.end()


def test_what_is_due_first_runs_first(scheduler):
    log = Log()
    scheduler.schedule(log.adds("third"), 0.03)
    scheduler.schedule(log.adds("second"), 0.001)
    scheduler.schedule(log.adds("first"))
    assert log.wait(3) == ["first", "second", "third"]


def test_one_moment_is_in_the_order_of_the_calls(scheduler):
    log = Log()
    for n in range(200):
        scheduler.schedule(log.adds(n))
    assert log.wait(200) == list(range(200))


def test_what_is_cancelled_does_not_run(scheduler):
    log = Log()
    kept = [scheduler.schedule(log.adds(n), 0.001) for n in range(4)]
    late = scheduler.schedule(log.adds("never"), LONG)
    kept[1].cancel()
    kept[1].cancel()
    late.cancel()
    scheduler.schedule(log.adds("last"), 0.05)
    found = log.wait(4)
    assert found[-1] == "last" and "never" not in found and len(found) == 4
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
    ticket = make(subject, scheduler).sink(log.add, lambda error: log.add("x" if error else "|"))
    for step in sent:
        if step == "~":
            awaited += 1
            log.wait(awaited)
        elif step in "|x":
            subject.finish() if step == "|" else subject.fail(ValueError())
        else:
            subject.send(int(step))
    assert log.wait(len(expected)) == expected
    ticket.close()


def test_the_interpreter_is_entered_once_for_a_batch():
    """A thread that Python has not made gets a new state each time, which costs more than what it calls."""
    log, subject, kept = Log(), PassthroughSubject(), threading.local()

    def count(_):
        kept.calls = getattr(kept, "calls", 0) + 1
        log.add(kept.calls)

    with SerialQueue() as queue:
        ticket = subject.receive_on(queue).sink(count)
        subject.send_many(range(100))
        assert log.wait(100) == list(range(1, 101))
        ticket.close()


def test_cancelling_within_a_batch_on_another_thread():
    log, subject = Log(), PassthroughSubject()

    def take(value):
        if value == 3:
            ticket.close()
        log.add(value)

    with SerialQueue() as queue:
        ticket = subject.receive_on(queue).sink(take)
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


async def nobody_awaits():
    raise AssertionError


@pytest.mark.parametrize("wrong", [3, None, nobody_awaits])
def test_what_cannot_be_scheduled(wrong):
    with pytest.raises(TypeError, match="function must be"):
        EventLoop().schedule(wrong)


# ---- ImmediateScheduler ------------------------------------------------------------------------------------------


def test_immediate():
    scheduler, log = ImmediateScheduler(), []
    before = scheduler.now
    scheduler.schedule(lambda: log.append(1))
    scheduler.schedule(lambda: log.append(2), LONG)
    assert log == [1, 2] and scheduler.now == before


def test_immediate_exceptions(unraisable):
    def stop():
        raise Oops

    scheduler = ImmediateScheduler()
    with pytest.raises(Oops):
        scheduler.schedule(stop)
    scheduler.schedule(lambda: 1 / 0)
    assert [type(each) for each in unraisable] == [ZeroDivisionError]


def test_immediate_debounce():
    subject, found = PassthroughSubject(), []
    ticket = subject.debounce(LONG, ImmediateScheduler()).sink(found.append)
    subject.send_many([1, 2])
    assert found == [1, 2]
    ticket.close()


# ---- EventLoop ---------------------------------------------------------------------------------------------------


def test_run_once():
    loop, log = EventLoop(), []
    loop.run_once()
    loop.schedule(lambda: log.append(1))
    loop.schedule(lambda: log.append(2), 0.001)
    assert log == []
    loop.run_once()
    assert log[:1] == [1]
    while len(log) < 2:
        loop.run_once(LONG)
    loop.run_once()
    assert log == [1, 2]


def test_run_ends_after_its_time():
    loop, log = EventLoop(), []
    loop.schedule(lambda: log.append(1), 0.001)
    loop.schedule(lambda: log.append(2), LONG)
    loop.run(timeout=0.05)
    loop.run(timeout=0)
    assert log == [1]


def test_stop_from_within():
    loop, log = EventLoop(), []
    loop.schedule(lambda: (log.append(1), loop.stop()))
    loop.schedule(lambda: log.append(2), LONG)
    loop.run()
    assert log == [1]


def test_stop_from_another_thread():
    loop, running = EventLoop(), threading.Event()
    loop.schedule(running.set)

    def stop():
        running.wait()
        loop.stop()

    thread = threading.Thread(target=stop)
    thread.start()
    loop.run()
    thread.join()
    again = []
    loop.schedule(lambda: (again.append(1), loop.stop()))
    loop.run()
    assert again == [1]


def test_stop_before_run():
    loop = EventLoop()
    loop.stop()
    loop.run()  # returns, or the test does not


def test_many_threads_stop_a_loop_that_runs_again_and_again():
    loop, rounds = EventLoop(), 200
    turns_over = threading.Semaphore(0)

    def stop():
        for _ in range(rounds):
            loop.stop()
            turns_over.acquire()

    thread = threading.Thread(target=stop)
    thread.start()
    for _ in range(rounds):
        loop.run()
        turns_over.release()
    thread.join()


def test_what_escapes_comes_out_of_run():
    def stop():
        raise Oops

    loop, log = EventLoop(), []
    for call in (loop.run, loop.run_once, lambda: loop.run(timeout=LONG)):
        loop.schedule(stop)
        with pytest.raises(Oops):
            call()
    loop.schedule(lambda: log.append(1))
    loop.run_once()
    assert log == [1]


def test_the_loop_is_run_by_one_at_a_time():
    loop, log = EventLoop(), []

    def nested():
        try:
            loop.run_once()
        except streams.StatusError as error:
            log.append(str(error))

    loop.schedule(nested)
    loop.run_once()
    assert len(log) <= 1  # refused, or without effect
    loop.schedule(lambda: log.append("next"))
    loop.run_once()
    assert log[-1] == "next"


def test_select():
    loop, log = EventLoop(), []
    assert select.select([loop], [], [], 0)[0] == []
    loop.schedule(lambda: log.append(1))
    assert select.select([loop], [], [], LIMIT)[0] == [loop]
    loop.run_once()
    assert log == [1] and select.select([loop], [], [], 0)[0] == []
    loop.schedule(lambda: log.append(2), 0.001)
    with selectors.DefaultSelector() as selector:
        selector.register(loop, selectors.EVENT_READ)
        assert selector.select(LIMIT)
        loop.run_once()
    assert log == [1, 2]


def test_select_wakes_for_another_thread():
    loop, log = EventLoop(), []
    thread = threading.Thread(target=lambda: loop.schedule(lambda: log.append(1)))
    thread.start()
    assert select.select([loop], [], [], LIMIT)[0] == [loop]
    loop.run_once()
    thread.join()
    assert log == [1]


@pytest.mark.parametrize("timeout, error", [(-1, ValueError), ("1", TypeError), (float("nan"), ValueError)])
def test_what_is_no_timeout(timeout, error):
    loop = EventLoop()
    for call in (loop.run_once, loop.run):
        with pytest.raises(error, match="time"):
            call(timeout)


def test_a_closed_loop():
    loop = EventLoop()
    loop.close()
    for call in (loop.run, loop.run_once, loop.fileno, loop.stop, lambda: loop.run(timeout=1)):
        with pytest.raises(ClosedError):
            call()


def test_closing_the_loop_within_what_it_runs():
    loop, log = EventLoop(), []
    loop.schedule(loop.close)
    loop.schedule(lambda: log.append("never"), LONG)
    try:
        loop.run(timeout=LONG)
    except ClosedError:
        pass
    assert log == [] and loop.closed


# ---- queues ------------------------------------------------------------------------------------------------------


def test_a_queue_runs_on_one_other_thread():
    queue, log = SerialQueue(), Log()
    for _ in range(50):
        queue.schedule(lambda: log.add(threading.get_native_id()))
    found = set(log.wait(50))
    assert len(found) == 1 and threading.get_native_id() not in found
    queue.close()


def test_the_queues_of_a_pool_are_each_serial():
    pool, log, inside = QueuePool(3), Log(), [0] * 8
    queues = [pool.queue() for _ in range(8)]
    pool.close()

    def work(index, n):
        inside[index] += 1
        assert inside[index] == 1
        inside[index] -= 1
        log.add((index, n, threading.get_native_id()))

    for n in range(50):
        for index, queue in enumerate(queues):
            queue.schedule(lambda index=index, n=n: work(index, n))
    found = log.wait(400)
    for index in range(8):
        assert [n for at, n, _ in found if at == index] == list(range(50))
    assert len({thread for _, _, thread in found}) <= 3


@pytest.mark.parametrize("threads, error", [(0, ValueError), (-1, ValueError), ("1", TypeError)])
def test_pools_that_cannot_be(threads, error):
    with pytest.raises(error):
        QueuePool(threads)
    assert QueuePool().queue().now > 0


def test_what_escapes_on_a_queue_is_told_to_the_hook(unraisable):
    def stop():
        raise Oops

    queue, log = SerialQueue(), Log()
    queue.schedule(stop)
    queue.schedule(log.adds("next"))
    assert log.wait(1) == ["next"]
    assert [type(each) for each in unraisable] == [Oops]
    queue.close()


def test_closing_a_queue_within_what_it_runs():
    queue, log = SerialQueue(), Log()
    queue.schedule(lambda: (queue.close(), log.add("closed")))
    assert log.wait(1) == ["closed"]


# ---- CustomScheduler ---------------------------------------------------------------------------------------------


class Clock:
    def __init__(self):
        self.time, self.actions = 0.0, []

    def now(self):
        return self.time

    def schedule(self, time, action):
        self.actions.append((time, action))


def test_a_clock_of_ones_own():
    clock, log = Clock(), []
    scheduler = CustomScheduler(clock)
    clock.time = 2.5
    assert scheduler.now == 2.5
    scheduler.schedule(lambda: log.append(1), 1)
    [(time, action)] = clock.actions
    assert time == 3.5 and log == []
    clock.time = 100.0
    action()  # late
    action()  # twice
    assert log == [1]
    scheduled = scheduler.schedule(lambda: log.append(2))
    scheduled.cancel()
    clock.actions[1][1]()  # cancelled
    scheduler.schedule(lambda: log.append(3))
    scheduler.close()
    clock.actions[2][1]()  # after close
    assert log == [1]


def test_actions_on_another_thread():
    clock, log = Clock(), Log()
    scheduler = CustomScheduler(clock)
    for n in range(100):
        scheduler.schedule(log.adds(n))
    actions = [action for _, action in clock.actions]
    threads = [threading.Thread(target=lambda: [each() for each in actions]) for _ in range(3)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert sorted(log) == list(range(100))
    scheduler.close()


def test_a_clock_that_cannot_tell_the_time(error):
    class Broken(Clock):
        def now(self):
            raise error

    scheduler = CustomScheduler(Broken())
    for call in (lambda: scheduler.now, lambda: scheduler.schedule(print)):
        with pytest.raises(type(error)) as caught:
            call()
        assert caught.value is error
    scheduler.close()


def test_a_clock_that_cannot_schedule(error, unraisable):
    class Broken(Clock):
        def schedule(self, time, action):
            raise error

    scheduler, log = CustomScheduler(Broken()), []
    try:
        scheduler.schedule(lambda: log.append(1))
    except Exception as caught:  # comes out of the call, or is told to the hook
        unraisable.append(caught)
    assert log == [] and len(unraisable) == 1
    scheduler.close()


def test_what_escapes_comes_out_of_the_action():
    def stop():
        raise Oops

    clock = Clock()
    scheduler = CustomScheduler(clock)
    scheduler.schedule(stop)
    with pytest.raises(Oops):
        clock.actions[0][1]()
    scheduler.close()


@pytest.mark.parametrize("time", [float("nan"), float("inf"), "now", None])
def test_a_clock_with_a_time_that_is_none(time, unraisable):
    clock = Clock()
    clock.time = time
    scheduler = CustomScheduler(clock)
    with pytest.raises((ValueError, OverflowError, TypeError)):
        _ = scheduler.now
    with pytest.raises((ValueError, OverflowError, TypeError)):
        scheduler.schedule(print)
    assert unraisable == []
    scheduler.close()


# ---- ExecutorScheduler -------------------------------------------------------------------------------------------


def test_an_executor_that_is_shut_down(unraisable):
    executor = concurrent.futures.ThreadPoolExecutor(1)
    scheduler = ExecutorScheduler(executor)
    log = Log()
    scheduler.schedule(log.adds(1))
    log.wait(1)
    executor.shutdown()
    try:
        scheduler.schedule(log.adds("never"))
    except RuntimeError as error:
        unraisable.append(error)
    assert len(unraisable) == 1 and "shutdown" in str(unraisable[0])
    assert log == [1]
    scheduler.close()


def test_an_executor_that_is_shut_down_before_the_time_comes(monkeypatch):
    told, found = threading.Event(), []
    monkeypatch.setattr("sys.unraisablehook", lambda report: (found.append(str(report.exc_value)), told.set()))
    executor = concurrent.futures.ThreadPoolExecutor(1)
    scheduler = ExecutorScheduler(executor)
    scheduler.schedule(lambda: found.append("never"), 0.01)
    executor.shutdown()
    assert told.wait(LIMIT)
    assert len(found) == 1 and "shutdown" in found[0]
    scheduler.close()


@pytest.mark.parametrize("wrong", [None, 3, "executor"])
def test_what_is_no_executor(wrong):
    with pytest.raises(TypeError, match="executor must be an Executor"):
        ExecutorScheduler(wrong)


# ---- AsyncioScheduler --------------------------------------------------------------------------------------------


async def test_on_the_running_loop():
    scheduler, log, done = AsyncioScheduler(), [], asyncio.Event()
    scheduler.schedule(lambda: log.append(threading.get_ident()))
    scheduler.schedule(done.set, 0.001)
    assert log == []
    await asyncio.wait_for(done.wait(), LIMIT)
    assert log == [threading.get_ident()]
    scheduler.close()


async def test_two_on_one_loop():
    one, two, log, done = AsyncioScheduler(), AsyncioScheduler(), [], asyncio.Event()
    for n in range(3):
        one.schedule(lambda n=n: log.append(("one", n)))
        two.schedule(lambda n=n: log.append(("two", n)))
    two.schedule(done.set, 0.001)
    await asyncio.wait_for(done.wait(), LIMIT)
    assert [n for name, n in log if name == "one"] == [n for name, n in log if name == "two"] == [0, 1, 2]
    one.close()
    done.clear()
    two.schedule(done.set)
    await asyncio.wait_for(done.wait(), LIMIT)
    two.close()


async def test_it_is_closed_on_another_thread():
    before = descriptors()
    scheduler, log = AsyncioScheduler(), []
    scheduler.schedule(lambda: log.append("never"), 0.001)
    thread = threading.Thread(target=scheduler.close)
    thread.start()
    thread.join()
    assert scheduler.closed
    await turns()
    assert descriptors() == before and log == []


async def test_it_is_let_go_of_while_timers_wait():
    class Thing:
        def run(self):
            raise AssertionError

    before, thing = descriptors(), Thing()
    gone = weakref.ref(thing)
    scheduler = AsyncioScheduler()
    scheduler.schedule(thing.run, 0.001)
    del scheduler, thing
    gc.collect()
    await turns()
    assert gone() is None and descriptors() == before


def test_the_loop_is_closed_first():
    gc.collect()
    before = descriptors()

    async def main():
        scheduler = AsyncioScheduler()
        scheduler.schedule(print, LONG)
        return scheduler

    scheduler = asyncio.run(main())
    scheduler.schedule(print)  # never runs
    scheduler.close()
    scheduler.close()
    gc.collect()
    assert descriptors() <= before


def test_what_escapes_comes_out_of_the_loop():
    def stop():
        raise KeyboardInterrupt

    async def main():
        scheduler.append(AsyncioScheduler())
        scheduler[0].schedule(stop)
        await asyncio.get_running_loop().create_future()

    scheduler = []
    with pytest.raises(KeyboardInterrupt):
        asyncio.run(main())
    scheduler.pop().close()


def test_it_needs_a_loop():
    with pytest.raises(RuntimeError, match="no running event loop"):
        AsyncioScheduler()
    gc.collect()


def test_a_loop_that_cannot_watch():
    loop = asyncio.new_event_loop()
    loop.close()
    with pytest.raises(RuntimeError, match="closed"):
        AsyncioScheduler(loop)
    gc.collect()


async def test_closed_within_what_it_runs():
    scheduler, log = AsyncioScheduler(), []
    scheduler.schedule(lambda: (scheduler.close(), log.append("closed")))
    await turns()
    assert log == ["closed"]


def test_under_uvloop():
    uvloop = pytest.importorskip("uvloop")
    log = []

    async def main():
        scheduler, done = AsyncioScheduler(), asyncio.Event()
        for n in range(3):
            scheduler.schedule(lambda n=n: log.append(n), n / 1000)
        scheduler.schedule(done.set, 0.01)
        await asyncio.wait_for(done.wait(), LIMIT)
        scheduler.close()
        assert [n async for n in streams.Sequence([1, 2]).map_async(asyncio.sleep).values(8)] == [None, None]

    uvloop.run(main())
    assert log == [0, 1, 2]


# ---- nothing is left ---------------------------------------------------------------------------------------------


def threads():
    return len(os.listdir("/proc/self/task"))


@pytest.mark.parametrize("kind", [EventLoop, SerialQueue, ImmediateScheduler, lambda: QueuePool(2).queue(),
                                  lambda: CustomScheduler(Clock()), streams.VirtualTimeScheduler])  # fmt: skip
def test_a_thousand_schedulers_leave_nothing(kind):
    """Closed or let go of, here or on another thread; while functions wait for them, and streams that are alive."""
    subject = PassthroughSubject()

    def use(n):
        scheduler = kind()
        if n % 2 and kind is not ImmediateScheduler:
            scheduler.schedule(print, LONG)
        ticket = subject.receive_on(scheduler).debounce(LONG, scheduler).sink(lambda _: None) if n % 5 else None
        subject.send(n)
        if n % 3 == 0:
            end(scheduler.close, elsewhere=n % 7 == 0)
        if ticket is not None and n % 11:
            ticket.close()

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
