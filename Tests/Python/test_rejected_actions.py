"""Schedulers that cannot run what they were given: the stream that waits fails, and nothing is left."""

import concurrent.futures
import gc
import threading

import pytest
import streams
from scheduler_kinds import Clock
from streams import CustomScheduler, ExecutorScheduler, PassthroughSubject
from turns import LIMIT, settle

AFTER = {
    "receive_on": lambda p, s: p.receive_on(s),
    "subscribe_on": lambda p, s: p.subscribe_on(s),
    "delay": lambda p, s: p.delay(1, s),
    "debounce": lambda p, s: p.debounce(1, s),
    "throttle": lambda p, s: p.throttle(1, s, latest=True),
    "timeout": lambda p, s: p.timeout(1, s),
    "collect_by_time": lambda p, s: p.collect_by_time(1, s),
    "collect_by_time_or_count": lambda p, s: p.collect_by_time_or_count(1, 3, s),
    "interval": lambda p, s: streams.Interval(1, s),
}


class Refusing(Clock):
    """Takes so many actions, and raises for the next."""

    def __init__(self, error, takes=0):
        super().__init__()
        self.error, self.takes = error, takes

    def schedule(self, time, action):
        if len(self.actions) >= self.takes:
            raise self.error
        super().schedule(time, action)


class Forgetful(Clock):
    """Releases what it is given."""

    def schedule(self, time, action):
        pass


class Recorder:
    def __init__(self, publisher):
        self.got = []
        self.cancellable = publisher.sink(self.got.append, lambda end: self.got.append(end))


def sent_through(operator, clock):
    """What a stream with the operator tells when a value is sent into it."""
    scheduler = CustomScheduler(clock)
    subject = PassthroughSubject()
    recorder = Recorder(operator(subject, scheduler))
    subject.send(1)
    return scheduler, subject, recorder


@pytest.mark.parametrize("name", AFTER)
def test_a_stream_fails_with_what_the_clock_raises(name, error, unraisable):
    scheduler, subject, recorder = sent_through(AFTER[name], Refusing(error))
    assert recorder.got[-1:] == [error] and recorder.got[:-1] in ([], [1])
    subject.send(2)
    assert recorder.got[-1] is error and unraisable == []
    scheduler.close()


@pytest.mark.parametrize("name", AFTER)
def test_a_stream_fails_when_its_action_is_let_go_of(name, unraisable):
    scheduler, _, recorder = sent_through(AFTER[name], Forgetful())
    [end] = [each for each in recorder.got if each != 1]
    assert isinstance(end, streams.StreamError) and "rejected" in str(end)
    assert unraisable == []
    scheduler.close()


def test_retries_end_with_a_clock_that_refuses(error):
    scheduler = CustomScheduler(Refusing(error))
    failing = streams.Fail(ValueError("first"))
    with pytest.raises(type(error)) as caught:
        failing.retry_backoff(streams.Backoff(3), scheduler).run()
    assert caught.value is error
    scheduler.close()


def test_an_action_that_waits_and_is_let_go_of():
    clock = Clock()
    scheduler = CustomScheduler(clock)
    recorder = Recorder(streams.Just(1).delay(1, scheduler))
    assert recorder.got == [] and len(clock.actions) > 0
    clock.actions.clear()
    assert isinstance(recorder.got[-1], streams.StreamError)
    scheduler.close()


def test_of_two_subscriptions_one_fails(error):
    clock = Refusing(error, takes=1)
    scheduler = CustomScheduler(clock)
    subject = PassthroughSubject()
    delayed = subject.delay(1, scheduler)
    first, second = Recorder(delayed), Recorder(delayed)
    subject.send(1)
    assert first.got == [] and second.got == [error]
    clock.takes = 9
    [(_, action)] = clock.actions
    action()
    assert first.got == [1]
    subject.send(2)
    clock.actions[1][1]()
    assert first.got == [1, 2] and second.got == [error]
    scheduler.close()


def test_a_stream_can_go_on_with_another(error):
    scheduler = CustomScheduler(Refusing(error))
    rescued = streams.Just(1).delay(1, scheduler).catch(lambda _: streams.Just(2))
    assert list(rescued) == [2]
    scheduler.close()


@pytest.mark.parametrize("when", ["before", "waiting"])
def test_an_executor_that_is_shut_down_fails_its_streams(when, unraisable):
    executor = concurrent.futures.ThreadPoolExecutor(1)
    scheduler = ExecutorScheduler(executor)
    busy, free = threading.Event(), threading.Event()
    if when == "waiting":
        executor.submit(lambda: (busy.set(), free.wait(LIMIT)))
        assert busy.wait(LIMIT)
    else:
        executor.shutdown()
    done, got = threading.Event(), []
    cancellable = streams.Just(1).receive_on(scheduler).sink(got.append, lambda end: (got.append(end), done.set()))
    if when == "waiting":
        executor.shutdown(wait=False, cancel_futures=True)
    assert done.wait(LIMIT)
    free.set()
    executor.shutdown()
    assert isinstance(got[0], RuntimeError if when == "before" else streams.StreamError)
    assert len(got) == 1 and unraisable == []
    cancellable.cancel()


def test_an_executor_that_has_gone_when_the_time_comes(unraisable):
    executor = concurrent.futures.ThreadPoolExecutor(1)
    scheduler = ExecutorScheduler(executor)
    executor.shutdown()
    with pytest.raises(RuntimeError, match="shutdown"):
        streams.Just(1).delay(0.01, scheduler).run(timeout=LIMIT)
    assert unraisable == []


@pytest.mark.parametrize("name", [name for name in AFTER if name != "interval"])
def test_an_executor_scheduler_is_closed_while_values_flow(name, unraisable):
    with concurrent.futures.ThreadPoolExecutor(1) as executor:
        for _ in range(10):
            scheduler, subject = ExecutorScheduler(executor), PassthroughSubject()
            over = threading.Event()
            cancellable = AFTER[name](subject, scheduler).sink(None, lambda _, over=over: over.set())

            def send(subject=subject, over=over):
                while not over.is_set():
                    subject.send(1)

            threads = [threading.Thread(target=send) for _ in range(2)]
            for each in threads:
                each.start()
            scheduler.close()
            if name == "subscribe_on":
                over.set()  # its values need no scheduler
            for each in threads:
                each.join(LIMIT)
            assert over.is_set()
            cancellable.close()
    assert unraisable == []


def test_dead_executors_leave_no_thread():
    threads = threading.active_count()
    for _ in range(20):
        executor = concurrent.futures.ThreadPoolExecutor(1)
        scheduler = ExecutorScheduler(executor)
        executor.shutdown()
        with pytest.raises(RuntimeError):
            streams.Just(1).receive_on(scheduler).run(timeout=LIMIT)
        del scheduler
    gc.collect()
    assert settle(threading.active_count, threads) == threads
