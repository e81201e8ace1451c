"""Context variables, and what debuggers and profilers see of other threads."""

import asyncio
import contextvars
import pathlib
import re
import sys
import threading

import pytest
import streams
from scheduler_kinds import Log
from streams import Debouncer, Just, PassthroughSubject, QueuePool, SerialQueue, Throttler, VirtualTimeScheduler
from turns import settle, within

REQUEST = contextvars.ContextVar("request", default="none")


def within_request(name, function):
    context = contextvars.copy_context()
    context.run(REQUEST.set, name)
    return context.run(function)


@pytest.mark.parametrize("delay", [0, 1])
def test_what_is_scheduled_sees_the_context_of_who_has_scheduled_it(delay):
    clock, seen = VirtualTimeScheduler(), []

    def outer():
        seen.append(REQUEST.get())
        REQUEST.set("changed")
        clock.schedule(lambda: seen.append(REQUEST.get()))

    for name in ("a", "b"):
        within_request(name, lambda: clock.schedule(outer, delay))
    clock.advance(2)
    assert seen == ["a", "b", "changed", "changed"] and REQUEST.get() == "none"


def test_other_threads_and_immediate_schedulers():
    log = Log()
    with SerialQueue() as queue:
        within_request("a", lambda: queue.schedule(lambda: log.add(REQUEST.get())))
        assert log.wait(1) == ["a"]
    within_request("b", lambda: streams.ImmediateScheduler().schedule(lambda: log.add(REQUEST.get())))
    assert log.wait(2) == ["a", "b"]


@pytest.mark.parametrize("make", [Debouncer, Throttler])
def test_debouncers_and_throttlers(make):
    clock, seen = VirtualTimeScheduler(), []
    limiter = make(1, clock)
    for name in ("a", "b", "c"):
        within_request(name, lambda: limiter.execute(lambda: seen.append(REQUEST.get())))
        clock.advance()
    clock.advance(5)
    assert seen == (["c"] if make is Debouncer else ["a", "c"])


async def test_map_async_sees_the_context_of_who_sends():
    async def tell(value):
        before = REQUEST.get()
        REQUEST.set("changed")
        await asyncio.sleep(0)
        return value, before

    subject, seen, ended = PassthroughSubject(), [], asyncio.Event()
    ticket = subject.map_async(tell, limit=5).sink(seen.append, lambda _: ended.set())
    await asyncio.sleep(0.01)
    for name in ("a", "b"):
        within_request(name, lambda: subject.send(name))
    subject.finish()
    await within(ended.wait())
    assert seen == [("a", "a"), ("b", "b")]
    ticket.cancel()
    assert await within_request("c", lambda: asyncio.ensure_future(collected(Just(1).map_async(tell)))) == [(1, "c")]


async def collected(publisher):
    return [value async for value in publisher]


HOOKS = {"settrace": (threading.settrace, sys.gettrace), "setprofile": (threading.setprofile, sys.getprofile)}


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("kind", ["queue", "pool"])
def test_what_runs_on_threads_of_the_library_is_traced(hook, kind):
    seen = []

    def trace(frame, event, argument):
        if event == "call":
            seen.append((threading.get_ident(), frame.f_code.co_name))
        return trace

    def callback(value):
        return value + 1

    set_hook, get_hook = HOOKS[hook]
    before = get_hook()
    set_hook(trace)
    try:
        pool = QueuePool(2) if kind == "pool" else None
        queue = pool.queue() if pool else SerialQueue()
        assert Just(1).receive_on(queue).map(callback).run() == 2
        assert Just(1).receive_on(queue).map(callback).run() == 2
    finally:
        set_hook(before)
    called = [thread for thread, name in seen if name == "callback"]
    assert len(called) == 2 and threading.get_ident() not in called
    queue.close()
    if pool:
        pool.close()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_threads_have_a_name():
    log = Log()
    with SerialQueue() as queue:
        queue.schedule(lambda: log.add(pathlib.Path(f"/proc/self/task/{threading.get_native_id()}/comm").read_text()))
        assert log.wait(1) == ["streams\n"]


@pytest.mark.parametrize("kind", ["queue", "pool"])
def test_python_knows_threads_by_a_name_while_they_run(kind):
    before, log = set(threading.enumerate()), Log()
    pool = QueuePool(1) if kind == "pool" else None
    queue = pool.queue() if pool else SerialQueue()
    queue.schedule(lambda: log.add(threading.current_thread()))
    [thread] = log.wait(1)
    assert re.fullmatch(r"streams-\d+", thread.name) and thread in threading.enumerate()
    queue.close()
    if pool:
        pool.close()
    assert settle(lambda: len(set(threading.enumerate()) - before), 0) == 0
