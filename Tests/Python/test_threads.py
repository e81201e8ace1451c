"""Threads: the interpreter's lock and the library's never wait for each other."""

import itertools
import sys
import threading
import time

import pytest
from recorder import Recorder
from streams import CurrentValueSubject, Fail, PassthroughSubject, Sequence, create, from_iterable

LIMIT = 60


@pytest.fixture(autouse=True)
def frequent_switches():
    """Threads change often, so that what can go wrong does."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def run(*functions):
    """Runs functions in threads that begin together, and passes on what they raise."""
    errors = []
    barrier = threading.Barrier(len(functions))

    def guarded(function):
        barrier.wait(LIMIT)
        try:
            function()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(function,), daemon=True) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
        assert not thread.is_alive(), "a thread is stuck"
    if errors:
        raise errors[0]


def test_many_threads_send_and_each_value_arrives_alone():
    subject = PassthroughSubject()
    got = []
    inside = []

    def value(n):
        inside.append(n)
        assert len(inside) == 1
        got.append(n)
        inside.pop()

    cancellable = subject.map(lambda n: n + 1).filter(lambda n: True).sink(value)
    run(*(lambda base=base: [subject.send(base + n) for n in range(500)] for base in (0, 10_000, 20_000, 30_000)))
    assert sorted(got) == sorted(base + n + 1 for base in (0, 10_000, 20_000, 30_000) for n in range(500))
    for base in (0, 10_000, 20_000, 30_000):
        own = [n for n in got if base < n <= base + 500]
        assert own == sorted(own)
    cancellable.close()


def test_batches_and_single_values_from_several_threads():
    subject = PassthroughSubject()
    total = []
    cancellable = subject.sink(batch=total.extend)
    run(
        lambda: [subject.send_many([1.0] * 100) for _ in range(50)],
        lambda: [subject.send_many(["x"] * 10) for _ in range(50)],
        lambda: [subject.send(2) for _ in range(500)],
    )
    assert (total.count(1.0), total.count("x"), total.count(2)) == (5000, 500, 500)
    cancellable.close()


def test_sending_while_others_subscribe_and_cancel():
    subject = CurrentValueSubject(0)
    done = threading.Event()

    def send():
        for n in range(1000):
            subject.send(n)
        done.set()

    def subscribe():
        while not done.is_set():
            got = []
            cancellable = subject.map(lambda n: n).sink(got.append)
            cancellable.close()
            assert got == sorted(got)

    run(send, subscribe, subscribe)


def test_cancel_from_another_thread_silences():
    for _ in range(50):
        subject = PassthroughSubject()
        state = {"cancelled": False, "late": 0}

        def value(_, state=state):
            if state["cancelled"]:
                state["late"] += 1

        cancellable = subject.sink(value)

        def cancel(cancellable=cancellable, state=state):
            cancellable.cancel()
            state["cancelled"] = True

        run(lambda subject=subject: [subject.send(n) for n in range(50)], cancel)
        assert state["late"] <= 1  # a call that was under way


def test_requests_from_many_threads_add_up():
    recorder = Recorder(from_iterable(itertools.count), demand=0)
    run(*(lambda: [recorder.subscription.request(1) for _ in range(300)] for _ in range(4)))
    assert recorder.values == list(range(1200))
    recorder.cancellable.close()


def test_a_callback_may_wait_for_a_thread_that_uses_streams():
    """The library holds no lock while a callback runs, and a call into it drops the interpreter's."""
    subject, other = PassthroughSubject(), PassthroughSubject()
    got = []

    def value(n):
        thread = threading.Thread(target=lambda: other.send(n * 10), daemon=True)
        thread.start()
        thread.join(LIMIT)
        assert not thread.is_alive()

    cancellables = [subject.sink(value), other.map(lambda n: n + 1).sink(got.append)]
    run(lambda: [subject.send(n) for n in range(20)])
    assert got == [n * 10 + 1 for n in range(20)]
    cancellables.clear()


def test_two_subjects_that_send_to_each_other():
    """Two threads in opposite directions: with locks held it would be a deadlock."""
    a, b = PassthroughSubject(), PassthroughSubject()
    counts = [0, 0]

    def count(index):
        def value(_):
            counts[index] += 1

        return value

    cancellables = [
        a.filter(lambda n: n > 0).map(lambda n: n - 1).subscribe(b),
        b.filter(lambda n: n > 0).map(lambda n: n - 1).subscribe(a),
        a.sink(count(0)),
        b.sink(count(1)),
    ]
    run(lambda: [a.send(3) for _ in range(100)], lambda: [b.send(3) for _ in range(100)])
    assert counts == [400, 400]
    cancellables.clear()


def test_a_long_call_lets_other_threads_run():
    """While the library works on plain numbers, the interpreter's lock is free."""
    sys.setswitchinterval(LIMIT)  # nobody is made to give it away
    numbers = Sequence(list(range(200_000))).collect().prefix(1)
    begun, ran = threading.Event(), []

    def other():
        begun.wait(LIMIT)
        ran.append(True)

    def work():
        begun.set()
        for _ in range(1000):  # until the system runs the other thread, too
            if not ran:
                Recorder(numbers)
        counts.append(len(ran))

    counts = []
    run(other, work)
    assert counts == [1]


def test_a_stream_that_calls_nothing_of_pythons_can_be_cancelled_by_a_thread():
    begun, subscriptions = threading.Event(), []

    def cancel():
        begun.wait(LIMIT)
        subscriptions[0].cancel()

    def begin(subscription):
        subscriptions.append(subscription)
        begun.set()

    endless = Fail(ValueError("never mind")).retry(2**62)
    run(cancel, lambda: endless.sink(print, print, subscription=begin))


def test_objects_are_released_from_threads_that_do_not_hold_the_lock():
    gone = []

    class Thing:
        def __del__(self):
            gone.append(None)

    subject = CurrentValueSubject(Thing())
    run(*(lambda: [subject.send(Thing()) for _ in range(300)] for _ in range(3)))
    assert len(gone) == 900
    subject.close()
    assert len(gone) == 901


def test_closing_the_same_thing_in_many_threads():
    for _ in range(30):
        subject = PassthroughSubject()
        publisher = subject.map(str)
        cancellable = publisher.sink(lambda _: None)
        run(*(lambda s=subject, p=publisher, t=cancellable: (t.close(), p.close(), s.close()) for _ in range(3)))


def test_zip_and_merge_from_two_threads():
    a, b = PassthroughSubject(), PassthroughSubject()
    zipped, merged = Recorder(a.zip(b)), Recorder(a.merge(b))
    run(lambda: [a.send(n) for n in range(300)], lambda: [b.send(n) for n in range(300)])
    assert zipped.values == [(n, n) for n in range(300)]
    assert sorted(merged.values) == sorted(list(range(300)) * 2)


@pytest.mark.parametrize("way", ["send", "send_many", "numbers", "value", "merge", "emitter", "emitter of many"])
def test_a_thread_waits_for_its_turn_and_delivers_itself_and_others_run_meanwhile(way):
    """A callback gives the interpreter's lock away in the middle of its turn. Who then waits must not keep it."""
    subject, inputs = PassthroughSubject(), [PassthroughSubject() for _ in range(3)]
    current = CurrentValueSubject(None)
    publisher = {"value": current.drop_first(), "merge": inputs[0].merge(*inputs[1:])}
    emitters, got = [], []

    def begin(emitter):
        emitters.append(emitter)
        return lambda most: None

    publisher["emitter"] = publisher["emitter of many"] = create(begin)

    def value(_):
        thread = threading.get_ident()
        got.append(thread)
        time.sleep(0.0005)  # all others get the interpreter's lock, and want their turn
        assert got[-1] == thread

    cancellable = publisher.get(way, subject).sink(value)

    def send(index):
        for n in range(20):
            before = got.count(threading.get_ident())
            if way == "send":
                subject.send(object())
            elif way == "send_many":
                subject.send_many([object()])
            elif way == "numbers":
                subject.send_many([n])
            elif way == "value":
                current.value = n
            elif way == "emitter":
                assert emitters[0].send(n)
            elif way == "emitter of many":
                assert emitters[0].send_many([object()]) == 1
            else:
                inputs[index].send(n)
            assert got.count(threading.get_ident()) == before + 1, "delivered here, and before send returned"

    run(*(lambda index=index: send(index) for index in range(3)))
    assert len(got) == 60
    cancellable.close()
    emitters.clear()


def test_a_thread_may_emit_while_another_produces():
    """What produce sends and what another thread sends meanwhile arrives in turn, each on the thread that sent it."""
    emitters, got = [], []
    producing, waiting = threading.Event(), threading.Event()

    def begin(emitter):
        emitters.append(emitter)

        def produce(most):
            if got:
                return
            producing.set()
            assert waiting.wait(LIMIT)
            emitter.send_many(["a", "b"])

        return produce

    def value(value):
        got.append((value, threading.get_ident()))
        if value == "a":
            time.sleep(0.01)  # the other thread may come, and waits

    threads = {}

    def subscribe():
        threads["first"] = threading.get_ident()
        threads["cancellable"] = create(begin).sink(value)

    def send():
        threads["second"] = threading.get_ident()
        assert producing.wait(LIMIT)
        waiting.set()
        assert emitters[0].send("c")

    run(subscribe, send)
    first, second = threads["first"], threads["second"]
    assert [each for each in got if each[1] == first] == [("a", first), ("b", first)]
    assert [each for each in got if each[1] == second] == [("c", second)]
    threads.clear()
    emitters.clear()


def test_two_subjects_that_wait_for_each_other():
    """Each thread delivers on one subject and sends to the other from there: one of them cannot wait."""
    a, b = PassthroughSubject(), PassthroughSubject()
    got = []
    barrier = threading.Barrier(2)

    def value(other):
        def receive(n):
            got.append(n)
            if n == 1:
                barrier.wait(LIMIT)
                other.send(2)

        return receive

    cancellables = [a.sink(value(b)), b.sink(value(a))]
    run(lambda: a.send(1), lambda: b.send(1))
    assert sorted(got) == [1, 1, 2, 2]
    cancellables.clear()
