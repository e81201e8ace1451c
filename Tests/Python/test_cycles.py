"""Objects that keep a stream and are called by it: who owns whom, and what the collector can free."""

import gc
import operator
import sys
import threading
import weakref

import pytest
from collected import is_collected
from let_in import before_each_instruction
from owner import Owner
from streams import Fail, Just, PassthroughSubject, weak
from streams._native.library import library
from streams._program.frames import detach

WELL_WRITTEN = {
    "its method": lambda o, s: s.sink(o.on),
    "all its methods": lambda o, s: s.sink(o.on, o.end, subscription=o.begin),
    "batches": lambda o, s: s.sink(batch=o.on),
    "a function that knows it": lambda o, s: s.sink(lambda value: o.on(value)),
    "behind operators": lambda o, s: s.map(str).filter(len).scan("", operator.add).sink(o.on),
    "weak functions in operators": lambda o, s: s.map(weak(o.change)).filter(weak(o.change)).sink(o.on),
    "an attribute": lambda o, s: s.assign(o, "value"),
    "behind flat_map": lambda o, s: s.flat_map(Just).sink(o.on),
    "joined": lambda o, s: s.merge(s.map(str)).zip(s).sink(o.on),
}


@pytest.mark.parametrize("sent", [False, True])
@pytest.mark.parametrize("own", [False, True], ids=["another's subject", "its own subject"])
@pytest.mark.parametrize("name", WELL_WRITTEN)
def test_a_well_written_object_is_freed(name, own, sent):
    subject = PassthroughSubject()
    before = library.streams_live_handles()
    owner = Owner(PassthroughSubject() if own else subject)
    owner.cancellable = WELL_WRITTEN[name](owner, owner.subject)
    if sent:
        owner.subject.send("a")
        owner.subject.send_many(["b", "c"])
    gone = weakref.ref(owner)
    owner.me = owner
    del owner
    assert is_collected(gone)
    assert library.streams_live_handles() == before
    subject.send("late")


def test_what_is_collected_is_cancelled_and_hears_nothing():
    log = []

    class Loud(Owner):
        def on(self, value):
            log.append(value)

        def end(self, error):
            log.append(error)

    subject = PassthroughSubject()
    owner = Loud(subject)
    owner.cancellable = subject.handle_events(receive_cancel=lambda: log.append("cancel")).sink(owner.on, owner.end)
    subject.send(1)
    del owner
    gc.collect()
    subject.send(2)
    subject.finish()
    assert log == [1, "cancel"]


def test_what_is_reachable_is_not_collected():
    subject = PassthroughSubject()
    owner = Owner(subject)
    owner.cancellable = subject.sink(owner.on)
    got = owner.got
    gc.collect()
    subject.send(1)
    assert got == [1]
    cancellable = owner.cancellable
    gone = weakref.ref(owner)
    del owner
    gc.collect()
    subject.send(2)  # the cancellable keeps the stream, and that the owner
    assert got == [1, 2] and gone() is not None
    cancellable.close()
    gc.collect()
    assert gone() is None


def test_a_sinks_functions_are_let_go_of_however_it_ends():
    for end in ("close", "cancel", "subscription", "finish", "prefix", "raise"):
        subject = PassthroughSubject()
        owner = Owner(subject)
        gone = weakref.ref(owner)
        publisher = subject.prefix(1) if end == "prefix" else subject
        ends = []
        publisher = publisher.map(lambda n: 1 / 0) if end == "raise" else publisher
        cancellable = publisher.sink(owner.on, ends.append, subscription=owner.begin)
        subscription = owner.subscription
        del owner
        gc.collect()
        assert gone() is not None
        if end in ("close", "cancel"):
            getattr(cancellable, end)()
        elif end == "subscription":
            subscription.cancel()
        elif end == "finish":
            subject.finish()
        else:
            subject.send(1)
        assert is_collected(gone), end
        cancellable.close()


def test_a_cancellable_that_is_let_go_of_inside_its_function():
    subject = PassthroughSubject()
    owner = Owner(subject)
    log = []

    def on(value):
        owner.cancellable = None
        gc.collect()
        log.append(value)

    owner.cancellable = subject.sink(on)
    del on
    subject.send(1)
    subject.send(2)
    assert log == [1]


def test_threads_that_send_while_owners_are_collected():
    subject = PassthroughSubject()
    done = []

    def send():
        while not done:
            subject.send("x")
            subject.send_many(["y", "z"])

    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    gone = []
    try:
        for _ in range(200):
            owner = Owner(subject)
            owner.cancellable = subject.map(str).sink(owner.on, owner.end)
            gone.append(weakref.ref(owner))
            del owner
            gc.collect(0)
    finally:
        done.append(True)
        for thread in threads:
            thread.join(60)
    gc.collect()
    assert all(each() is None for each in gone)


# ---- failures that are kept ---------------------------------------------------------------------------------------


def failed_subject():
    subject = PassthroughSubject()
    subject.fail(OSError())
    return subject


KEEPING = {
    "fail": lambda: Fail(OSError()),
    "subject": failed_subject,
    "share": lambda: Fail(OSError()).share(),
    "replay": lambda: Fail(OSError()).share(replay=1),
}


@pytest.mark.parametrize("wait", [lambda p: p.run(), lambda p: p.first_value(), list], ids=["run", "first_value", "list"])
@pytest.mark.parametrize("make", KEEPING.values(), ids=KEEPING)
def test_a_kept_failure_and_who_catches_it_go_when_the_publisher_is_closed(make, wait):
    caught = []

    def catch():
        publisher = make()
        held = Owner(None)
        caught.append(weakref.ref(held))
        try:
            wait(publisher)
        except OSError as error:
            kept = error
            assert kept.__traceback__ is not None
        publisher.close()

    catch()
    gc.collect()
    assert caught[0]() is None


@pytest.mark.skipif(sys.version_info < (3, 11), reason="frames know their callers for ever")
def test_frames_are_detached_once_wherever_a_tracer_lets_another_thread_in():
    def failing(callers):
        callers.append(sys._getframe(1))
        raise OSError

    def call(callers):
        failing(callers)

    def attempt(begin):
        callers = []
        with pytest.raises(OSError) as caught:
            call(callers)
        error = caught.value.with_traceback(caught.tb.tb_next.tb_next)  # that of the function without its caller
        callers *= 100  # references that a mistake may take
        before = sys.getrefcount(callers[0])
        begin(lambda: detach(error))
        detach(error)
        sys.settrace(None)
        lost.add(before - sys.getrefcount(callers[0]))

    lost = set()
    before_each_instruction(detach, attempt)
    assert lost == {1}
