"""AsyncioScheduler: on whose loop, and how it ends."""

import asyncio
import gc
import threading
import weakref

import pytest
import streams
from scheduler_kinds import LONG, descriptors
from streams import AsyncioScheduler, Interval, PassthroughSubject
from turns import LIMIT, turns


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

    gc.collect()  # may close files of other tests
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
        return scheduler, streams.Just(1).receive_on(scheduler)

    scheduler, received = asyncio.run(main())
    assert scheduler.closed
    with pytest.raises(streams.ClosedError):
        scheduler.schedule(print)
    with pytest.raises(streams.StreamError, match="scheduler has been released"):
        received.first_value(timeout=LIMIT)
    scheduler.close()
    del received  # which keeps the loop
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


# ---- whoever uses it keeps it ------------------------------------------------------------------------------------


async def test_a_stream_keeps_it():
    subject, got = PassthroughSubject(), []
    cancellable = subject.debounce(0.001, AsyncioScheduler()).sink(got.append)
    gc.collect()
    subject.send(1)
    assert await Interval(0.002, AsyncioScheduler()).first() == 0
    assert got == [1]
    cancellable.close()


def test_one_that_waits_for_a_closed_loop_is_freed():
    async def leave_a_value():
        scheduler, subject = AsyncioScheduler(), PassthroughSubject()
        cancellable = subject.receive_on(scheduler).sink(print)
        subject.send(1)
        cancellable.close()
        return weakref.ref(scheduler)

    before = descriptors()
    gone = [asyncio.run(leave_a_value()) for _ in range(20)]
    gc.collect()
    assert [each() for each in gone] == [None] * 20
    assert descriptors() <= before
