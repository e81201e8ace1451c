"""Many sinks of one subject, whose functions go while they are told."""

import functools
import gc
import os
import signal
import sys
import threading
import weakref

import pytest
import streams


class Member:
    """An object with a cancellable whose function is its own: only the collector frees it."""

    def __init__(self, subject, log, name):
        self.log, self.name = log, name
        self.cancellable = subject.sink(self.hear)

    def hear(self, value):
        self.log.append((self.name, value))


def members(subject, log, names):
    return [Member(subject, log, name) for name in names]


@pytest.mark.parametrize("which", [0, 2, 3, 5])
def test_the_collector_frees_some_of_them_meanwhile(which):
    """Those that come before the one that collects have heard the value; those after it do not."""
    subject, log, groups = streams.PassthroughSubject(), [], {}

    def collects(value):
        log.append(("collects", value))
        if value == 2:
            groups.pop(which)
            gc.collect()

    cancellables = []
    for place in range(6):
        groups[place] = members(subject, log, [place])
        if place == 2:
            cancellables.append(subject.sink(collects))
    for value in (1, 2, 3):
        log.clear()
        subject.send(value)
        expected = [0, 1, 2, "collects", 3, 4, 5]
        if value > 2 or (value == 2 and which > 2):
            expected.remove(which)
        assert log == [(name, value) for name in expected]


def test_a_function_that_goes_while_it_runs_is_there_to_its_end():
    subject, log, kept = streams.PassthroughSubject(), [], []

    def make(name):
        mark = [name]

        def hear(value):
            kept.clear()
            gc.collect()
            log.extend(mark)

        return hear

    kept += [subject.sink(make(name)) for name in range(4)]
    gone = [weakref.ref(cancellable._functions[0]) for cancellable in kept]
    subject.send(1)
    assert log == [0]
    assert [each() for each in gone] == [None] * 4


@pytest.mark.parametrize("after", [0, 1, 2])
def test_a_function_that_several_share_is_there_until_the_last_of_them_has_gone(after):
    """They follow each other, and then comes another."""
    subject, log, kept = streams.PassthroughSubject(), [], []

    def make():
        mark = ["shared"]

        def hear(value):
            log.extend(mark)
            if len(log) == after + 1:
                kept.clear()
                gc.collect()

        return hear

    function = make()
    kept += [subject.sink(function) for _ in range(3)]
    others = members(subject, log, ["other"])
    gone = weakref.ref(function)
    del function
    subject.send(1)
    assert log == ["shared"] * (after + 1) + [("other", 1)]
    assert gone() is None
    del others


def test_what_a_shared_function_answers_is_its_own_each_time():
    subject, log, ends = streams.PassthroughSubject(), [], []
    answers = iter([None, 0, 3, None, "no demand", None, 1 / 2, None])

    def hear(value):
        log.append(value)
        return next(answers)

    cancellables = [subject.sink(hear, ends.append) for _ in range(8)]
    before = sys.getrefcount(hear)
    subject.send(1)
    assert log == [1] * 8
    assert [type(each) for each in ends] == [TypeError, TypeError]
    assert sys.getrefcount(hear) == before - 2
    del cancellables


def test_functions_that_go_without_their_cancellable_are_not_called():
    """What a cancellable has is released when it is closed. Should that fail, too deep in a recursion, they go anyway."""
    subject, log = streams.PassthroughSubject(), []

    def make(name):
        return lambda value: log.append((name, value))

    cancellables = [subject.sink(make(name)) for name in range(6)]
    subject.send(1)
    log.clear()
    for place in (1, 4):
        cancellables[place]._functions = None
    subject.send(2)
    subject.send(3)
    assert log == [(name, value) for value in (2, 3) for name in (0, 2, 3, 5)]


def test_cancellables_that_are_dropped_at_the_end_of_the_stack_are_silent():
    subject, log, cancellables = streams.PassthroughSubject(), [], []
    cancellables += [subject.sink(functools.partial(lambda name, value: log.append(name), name)) for name in range(200)]
    subject.send(1)
    log.clear()
    left = cancellables[::2]
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None

    def sink_deeper():
        if cancellables:
            cancellables.pop()
        try:
            sink_deeper()
        finally:
            for _ in range(8):
                if cancellables:
                    cancellables.pop()

    try:
        with pytest.raises(RecursionError):
            sink_deeper()
    finally:
        sys.unraisablehook = hook
    cancellables.clear()
    gc.collect()
    subject.send(2)
    assert log == list(range(0, 200, 2))
    del left


def test_what_the_collector_takes_apart_may_send():
    """Finalizers, callbacks of weak references, and what the collector does not see, all of which run in its midst."""
    subject, log = streams.PassthroughSubject(), []

    class Unseen:
        __slots__ = ()

        def __del__(self):
            subject.send("unseen")

    class Last(Member):
        def __del__(self):
            subject.send("finalizer")

    stays = members(subject, log, ["first"])
    goes = [kind(subject, log, "gone") for kind in (Member, Last, Member)]
    stays += members(subject, log, ["last"])
    for each in goes:
        each.others, each.unseen = goes, Unseen()
    watch = weakref.ref(goes[1], lambda _: subject.send("weak reference"))
    subject.send("before")
    del goes, each
    log.clear()
    gc.collect()
    assert watch() is None
    for sent, times in (("weak reference", 1), ("finalizer", 1), ("unseen", 3)):
        assert [name for name, value in log if value == sent and name != "gone"] == ["first", "last"] * times
    assert not [name for name, value in log if value == "unseen" and name == "gone"]
    log.clear()
    subject.send("after")
    assert log == [("first", "after"), ("last", "after")]


def test_what_has_been_brought_back_stays_silent():
    subject, log, back = streams.PassthroughSubject(), [], []

    class Returns(Member):
        def __del__(self):
            back.append(self)

    stays = members(subject, log, ["stays"] * 3)
    returns = Returns(subject, log, "back")
    returns.me = returns
    subject.send(1)
    del returns
    gc.collect()
    assert len(back) == 1
    log.clear()
    for value in (2, 3):
        subject.send(value)
    gone = weakref.ref(back.pop())
    gc.collect()
    subject.send(4)
    assert gone() is None
    assert log == [("stays", value) for value in (2, 3, 4) for _ in stays]


def test_cancellables_that_come_and_go_leave_the_others():
    subject, heard = streams.PassthroughSubject(), [[] for _ in range(5)]
    cancellables = [subject.sink(each.append) for each in heard]
    for n in range(50):
        passing = [subject.sink(lambda value: None), subject.sink(lambda value: None)]
        subject.send(n)
        passing.pop() if n % 2 else passing.pop().cancel()
        subject.send(n)
    assert heard == [[n for n in range(50) for _ in range(2)]] * 5
    del cancellables


def test_another_thread_collects_while_one_of_them_has_given_the_lock_away():
    subject, log, owned = streams.PassthroughSubject(), [], []
    given, done = threading.Event(), threading.Event()

    def waits(value):
        log.append(("waits", value))
        if value == 2:
            given.set()
            assert done.wait(20)

    def collect():
        assert given.wait(20)
        owned.clear()
        gc.collect()
        done.set()

    owned += members(subject, log, ["a"])
    cancellable = subject.sink(waits)
    owned += members(subject, log, ["b", "c"])
    stays = members(subject, log, ["d"])
    other = threading.Thread(target=collect)
    other.start()
    for value in (1, 2, 3):
        subject.send(value)
    other.join()
    names = [[name for name, value in log if value == sent] for sent in (1, 2, 3)]
    assert names == [["a", "waits", "b", "c", "d"], ["a", "waits", "d"], ["waits", "d"]]
    del cancellable, stays


def test_one_of_them_forks():
    subject, log, children = streams.PassthroughSubject(), [], []

    def forks(value):
        children.append(os.fork())

    cancellables = [subject.sink(log.append), subject.sink(forks), subject.sink(log.append), subject.sink(log.append)]
    subject.send(1)
    if children[0] == 0:
        os._exit(0 if log == [1, 1, 1] else 1)
    assert os.waitpid(children[0], 0)[1] == 0
    assert log == [1, 1, 1]
    del cancellables


def test_many_native_functions_leave_time_for_signals():
    """No Python code runs among them that would look for one."""
    subject, heard = streams.PassthroughSubject(), []
    previous = signal.signal(signal.SIGUSR1, lambda *_: heard.append("signal"))
    # The first is native, too, and is sent the number of the signal.
    cancellables = [subject.sink(functools.partial(os.kill, os.getpid()))]
    cancellables += [subject.sink(heard.append) for _ in range(3000)]
    try:
        subject.send(signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, previous)
    assert heard.index("signal") <= 1024
    assert len(heard) == 3001
    del cancellables
