"""SerialQueue and QueuePool: threads of the library's."""

import gc
import os
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from scheduler_kinds import Log, Oops
from streams import Debouncer, ExecutorScheduler, Interval, Just, QueuePool, Sequence, SerialQueue, Throttler
from streams._native.library import library
from turns import settle

EXECUTOR = ThreadPoolExecutor(1)


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


def test_a_pool_is_closed_at_the_end_of_its_block():
    with QueuePool(1) as pool, pool.queue() as queue:
        log = Log()
        queue.schedule(log.adds(1))
        assert log.wait(1) == [1]
    assert pool.closed and queue.closed


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


@pytest.mark.parametrize("kind", [SerialQueue, lambda: QueuePool(2).queue(),
                                  lambda: ExecutorScheduler(EXECUTOR)])  # fmt: skip
def test_a_stream_keeps_what_runs_by_itself(kind):
    before = library.streams_live_handles()
    numbers = Interval(0.001, kind(), count=3).collect()
    gc.collect()
    assert numbers.first_value() == [0, 1, 2]
    assert list(Sequence(range(100)).receive_on(kind()).map(lambda x: x + 1).delay(0.001, kind())) == list(range(1, 101))
    assert Just(1).flat_map(lambda x: Just(x).delay(0.001, kind())).first_value() == 1
    del numbers
    gc.collect()
    assert settle(library.streams_live_handles, before) <= before


@pytest.mark.parametrize("limiter", [Debouncer, Throttler])
def test_a_limiter_keeps_its_queue(limiter):
    done = threading.Event()
    calls = limiter(0.001, SerialQueue())
    calls.execute(lambda: None)
    calls.execute(done.set)
    assert done.wait(10)


def test_the_last_stream_of_a_queue_ends_on_its_thread():
    """Which is then let go of, and ends, from there."""

    def tasks():
        return len(os.listdir("/proc/self/task"))

    before = tasks()
    for _ in range(300):
        ended = threading.Event()
        cancellables = []
        queue = SerialQueue()
        queue.schedule(ended.wait)  # until the cancellable is where the stream's end can reach it
        publisher = Just(1).receive_on(queue)
        cancellables.append(publisher.sink(lambda _: None, lambda _: cancellables.clear()))
        del queue, publisher
        ended.set()
    assert settle(tasks, before) <= before
