"""EventLoop: who runs it, for how long, and what wakes it; and ImmediateScheduler, which needs nobody."""

import select
import selectors
import threading

import pytest
import streams
from scheduler_kinds import LONG, Oops
from streams import ClosedError, EventLoop, ImmediateScheduler, PassthroughSubject
from turns import LIMIT

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
    loop.run(timeout=LONG)
    assert log == [] and loop.closed


def test_closing_the_loop_on_another_thread():
    for _ in range(50):
        loop, begun, ends = EventLoop(), threading.Event(), []
        loop.schedule(begun.set)
        thread = threading.Thread(target=lambda: ends.append(loop.run()))
        thread.start()
        begun.wait(LIMIT)
        loop.close()
        thread.join(LIMIT)
        assert ends == [None]


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
    cancellable = subject.debounce(LONG, ImmediateScheduler()).sink(found.append)
    subject.send_many([1, 2])
    assert found == [1, 2]
    cancellable.close()
