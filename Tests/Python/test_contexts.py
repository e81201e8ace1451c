"""Context variables, and what debuggers and profilers see of other threads."""

import asyncio
import contextvars
import gc
import pathlib
import re
import sys
import threading
import weakref

import pytest
import streams
from scheduler_kinds import KINDS, SOON, Log, applied, operators
from streams import (
    CurrentValueSubject,
    Debouncer,
    Deferred,
    Fail,
    Interval,
    Just,
    PassthroughSubject,
    Property,
    Publisher,
    QueuePool,
    ScopeTree,
    SerialQueue,
    Throttler,
    VirtualTimeScheduler,
)
from turns import settle, turns, within

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
    cancellable = subject.map_async(tell, limit=5).sink(seen.append, lambda _: ended.set())
    await turns()
    for name in ("a", "b"):
        within_request(name, lambda: subject.send(name))
    subject.finish()
    await within(ended.wait())
    assert seen == [("a", "a"), ("b", "b")]
    cancellable.cancel()
    assert await within_request("c", lambda: asyncio.ensure_future(collected(Just(1).map_async(tell)))) == [(1, "c")]


async def collected(publisher):
    return [value async for value in publisher]


class Notes(Log):
    """The context variable as functions saw it that ran on another thread than this, or else in another phase."""

    def __init__(self):
        super().__init__()
        self.thread, self.by_hand = threading.get_ident(), False

    def note(self, value=None):
        if self.by_hand or threading.get_ident() != self.thread:
            self.add(REQUEST.get())
        return value

    def hear(self, value):
        """As a sink, which demands no more by what it returns."""
        self.note()

    def within(self, value):
        """A value, or if it is a window what is in that."""
        return value.handle_events(receive_completion=self.note) if isinstance(value, Publisher) else Just(value)

    def failing_once(self, subject):
        """A publisher that notes who subscribes, and fails for the first of those."""
        attempts = iter([Fail(OSError())])

        def begin():
            # The second time it may be this thread's turn: it can still be at the first when that is to begin.
            attempt = next(attempts, None)
            if attempt is None:
                self.add(REQUEST.get())
            return attempt or subject

        return Deferred(begin)


def begun(name, scheduler, notes):
    subject = PassthroughSubject()
    source = notes.failing_once(subject) if name == "retry_backoff" else Deferred(lambda: notes.note(subject))
    chain = applied(name, source, scheduler).map(notes.note).flat_map(notes.within)
    cancellable = within_request("subscriber", lambda: chain.sink(notes.hear, notes.hear))
    return subject, cancellable


@pytest.mark.parametrize("name", operators())
def test_what_an_operator_does_later_sees_the_context_of_who_subscribed(name):
    clock, notes = VirtualTimeScheduler(), Notes()
    subject, cancellable = begun(name, clock, notes)

    def pass_time():
        notes.by_hand = True
        clock.advance(0.0015)
        notes.by_hand = False
        assert REQUEST.get() == "runner"

    within_request("sender", lambda: [subject.send(n) for n in range(3)])
    within_request("runner", pass_time)
    within_request("sender", subject.finish)
    within_request("runner", pass_time)
    assert notes and set(notes) == {"subscriber"}
    cancellable.cancel()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", operators())
def test_also_on_other_threads(name, kind):
    notes, made = Notes(), within_request("maker", kind)
    subject, cancellable = begun(name, made.scheduler, notes)
    within_request("sender", lambda: subject.send(1))
    assert set(notes.wait(1)) == {"subscriber"}
    cancellable.cancel()
    made.end()


@pytest.mark.parametrize("kind", KINDS)
def test_an_interval_sees_the_context_of_who_subscribed(kind):
    notes, made = Notes(), kind()
    cancellable = within_request("subscriber", lambda: Interval(SOON, made.scheduler).map(notes.note).sink(notes.hear))
    assert set(notes.wait(4)) == {"subscriber"}
    cancellable.cancel()
    made.end()


def test_each_hop_has_a_context_of_its_own_in_which_changes_stay():
    clock, seen = VirtualTimeScheduler(), []

    def change(value):
        seen.append((value, REQUEST.get()))
        REQUEST.set(f"changed by {value}")

    chain = PassthroughSubject()
    cancellable = within_request(
        "a", lambda: chain.delay(1, clock).handle_events(receive_output=change).delay(1, clock).sink(change)
    )
    for n in (1, 2):
        chain.send(n)
        clock.advance(1)
    clock.advance(1)
    assert seen == [(1, "a"), (1, "a"), (2, "changed by 1"), (2, "changed by 1")] and REQUEST.get() == "none"
    cancellable.cancel()


def test_what_is_subscribed_to_later_sees_the_context_of_that_moment():
    clock, seen, requests = VirtualTimeScheduler(), [], PassthroughSubject()

    def begin(name):
        REQUEST.set(name)
        return Just(name).delay(1, clock)

    cancellable = requests.flat_map(begin).sink(lambda name: seen.append((name, REQUEST.get())))
    within_request("sender", lambda: [requests.send(name) for name in "ab"])
    clock.advance(1)
    assert seen == [("a", "a"), ("b", "b")]
    cancellable.cancel()


def test_an_operator_that_runs_within_itself_sees_its_context_too():
    clock, seen, subject = VirtualTimeScheduler(), [], PassthroughSubject()

    def receive(value):
        seen.append((value, REQUEST.get()))
        if value < 3:
            clock.advance(1)

    flat = subject.flat_map(lambda value: Just(value).delay(1, clock).handle_events(receive_output=receive))
    cancellable = within_request("a", lambda: flat.sink(None))
    within_request("b", lambda: [subject.send(n) or clock.advance(0.5) for n in (1, 2, 3)])
    clock.advance(5)
    assert sorted(seen) == [(1, "b"), (2, "b"), (3, "b")]
    cancellable.cancel()


def test_what_a_property_receives_on_a_scheduler_sees_the_context_of_who_made_it():
    clock, subject, seen = VirtualTimeScheduler(), CurrentValueSubject(0), []
    property = Property(subject)
    received = within_request("a", lambda: property.receive_on(clock))
    noted = received.map(lambda value: seen.append((value, REQUEST.get())))
    within_request("b", lambda: subject.send(1))
    clock.advance()
    assert seen == [(0, "none"), (1, "a")] and noted.value is None and REQUEST.get() == "none"


def test_the_bodies_of_a_tree_see_the_context_of_who_made_it_or_updates_it():
    clock, subject, seen = VirtualTimeScheduler(), CurrentValueSubject(0), []
    property = Property(subject)

    def body(scope):
        seen.append((property.value, REQUEST.get()))

    with within_request("a", lambda: ScopeTree(body, scheduler=clock)) as tree:
        clock.advance()
        within_request("b", lambda: subject.send(1))
        clock.advance()
        subject.send(2)
        within_request("c", tree.update)
    assert seen == [(0, "a"), (1, "a"), (2, "c")]


@pytest.mark.parametrize("make", [lambda clock: Property(1).receive_on(clock), lambda clock: ScopeTree(id, scheduler=clock)])
def test_a_property_or_tree_that_is_closed_keeps_no_context(make):
    class Held:
        pass

    clock, held = VirtualTimeScheduler(), Held()
    gone = weakref.ref(held)
    made = within_request(held, lambda: make(clock))
    del held
    clock.advance()
    made.close()
    gc.collect()
    assert gone() is None


class Session:
    def __init__(self, events, clock):
        REQUEST.set(self)
        self.cancellable = events.delay(1, clock).sink(self.receive)

    def receive(self, event):
        pass


@pytest.mark.skipif(not streams._native.host.has_weak_references, reason="this CPython lends no targets of weak references")
def test_an_object_in_a_context_variable_may_own_the_stream():
    clock, events = VirtualTimeScheduler(), PassthroughSubject()
    session = weakref.ref(contextvars.copy_context().run(Session, events, clock))
    events.send(1)
    gc.collect()
    assert session() is None
    clock.advance(5)


@pytest.mark.parametrize("how", ["end", "cancel", "close"])
def test_a_stream_that_is_over_keeps_no_context(how):
    class Held:
        pass

    clock, subject = VirtualTimeScheduler(), PassthroughSubject()
    held = Held()
    gone = weakref.ref(held)
    cancellable = within_request(held, lambda: subject.receive_on(clock).debounce(1, clock).sink(None))
    del held
    gc.collect()
    assert gone() is not None
    if how == "end":
        subject.finish()
        clock.advance(5)
    else:
        getattr(cancellable, how)()
    gc.collect()
    assert gone() is None


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
        [name] = log.wait(1)
        assert re.fullmatch(r"streams(-\d+)?\n", name)  # from 3.14 on the system has Python's name


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
