"""CustomScheduler and ExecutorScheduler: made of what a program has."""

import concurrent.futures
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from programs import run
from scheduler_kinds import Clock, Log, Oops
from streams import CustomScheduler, ExecutorScheduler
from turns import LIMIT, settle


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


@pytest.mark.parametrize("error", [ValueError(), SystemExit(3), KeyboardInterrupt()])
@pytest.mark.parametrize("delay", [0, 0.001])
def test_what_an_executors_function_raises_is_told(unraisable, error, delay):
    def fail():
        raise error

    with ThreadPoolExecutor(1) as executor, ExecutorScheduler(executor) as scheduler:
        scheduler.schedule(fail, delay)
        assert settle(lambda: not unraisable, False) is False
    assert unraisable == [error]
    error.__traceback__ = None


def test_a_program_may_end_while_an_executor_is_at_work():
    program = """
        import threading, streams
        from concurrent.futures import ThreadPoolExecutor
        executor, begun = ThreadPoolExecutor(4), threading.Event()
        pool = streams.ExecutorScheduler(executor)
        cancellable = streams.Interval(0.0002, pool).receive_on(pool).map(lambda n: n).sink(lambda value: begun.set())
        begun.wait()
    """
    for _ in range(5):
        result = run(program)
        assert (result.returncode, result.stdout) == (0, b"")
