"""Streams run to their end: list(), `for`, first_value() and run()."""

import contextlib
import gc
import itertools
import threading
import time

import pytest
import streams
from programs import run
from recorder import Recorder
from streams import (
    UNLIMITED,
    CurrentValueSubject,
    Empty,
    EventLoop,
    Fail,
    Just,
    NoValueError,
    PassthroughSubject,
    Sequence,
    create,
    from_iterable,
)


class Threaded:
    """A publisher whose values another thread sends, each when it is demanded."""

    def __init__(self, count, error=None):
        # What the publisher keeps does not know this object, which keeps the publisher.
        self.threads, self.closed = threads, closed = [], threading.Event()

        def begin(emitter):
            asked = threading.Event()
            over = []

            def work():
                n = 0
                while n < count and not over:
                    asked.wait()
                    asked.clear()  # before it looks: what is asked from now on sets it again
                    while n < count and emitter.send(n):
                        n += 1
                if error is None:
                    emitter.finish()
                else:
                    emitter.fail(error)

            class Source:
                def produce(self, most):
                    asked.set()

                def close(self):
                    over.append(True)
                    asked.set()
                    closed.set()

            threads.append(threading.Thread(target=work))
            threads[-1].start()
            return Source()

        self.publisher = create(begin)

    def join(self):
        for each in self.threads:
            each.join()


def test_list():
    assert list(Sequence([1, 2, 3]).map(str)) == ["1", "2", "3"]
    assert list(Empty()) == []
    assert list(from_iterable(range(1000)).iterate(buffer=7)) == list(range(1000))
    assert list(Sequence(Sequence("ab").zip(Sequence([1, 2])))) == [("a", 1), ("b", 2)]


def test_a_buffer_of_one_demands_one_value_at_a_time():
    demands, taken = [], []

    def numbers():
        for n in itertools.count():
            taken.append(n)
            yield n

    for n in from_iterable(numbers).handle_events(receive_request=demands.append).iterate(buffer=1):
        assert taken == list(range(n + 1))
        if n == 3:
            break
    assert demands == [1, 1, 1, 1]


def test_a_loop_is_up_to_256_values_behind():
    demands, taken = [], []

    def numbers():
        for n in itertools.count():
            taken.append(n)
            yield n

    for n in from_iterable(numbers).handle_events(receive_request=demands.append):
        assert len(taken) == 256 + n // 128 * 128
        if n == 300:
            break
    assert demands == [256, 128, 128]


def test_what_is_sent_while_a_loop_works_is_held():
    subject = CurrentValueSubject(0)
    with contextlib.closing(iter(subject)) as values:
        assert next(values) == 0
        for n in range(1, 256):
            subject.send(n)
        assert list(itertools.islice(values, 255)) == list(range(1, 256))
    with contextlib.closing(subject.iterate(buffer=UNLIMITED)) as values:
        next(values)
        for n in range(10_000):
            subject.send(n)
        assert list(itertools.islice(values, 10_000)) == list(range(10_000))


def test_who_collects_demands_without_limit():
    demands = []
    publisher = from_iterable(lambda: range(1000)).handle_events(receive_request=demands.append)
    numbers = list(range(1000))
    assert [list(publisher), [*publisher], sorted(publisher)] == [numbers] * 3
    assert demands == [UNLIMITED] * 3
    values = iter(publisher)
    assert list(publisher) == numbers  # another iterator
    assert list(values) == numbers
    assert demands[3:5] == [UNLIMITED, 256]


def test_it_demands_in_portions_of_half_the_buffer():
    demands = []
    values = from_iterable(itertools.count).handle_events(receive_request=demands.append).iterate(buffer=8)
    assert demands == []
    assert list(itertools.islice(values, 9)) == list(range(9))
    assert demands == [8, 4, 4]


def test_leaving_the_loop_cancels():
    log = []
    publisher = CurrentValueSubject(1).handle_events(receive_cancel=lambda: log.append("cancel"))
    for _ in publisher:
        break
    assert log == ["cancel"]
    values = publisher.iterate()
    next(values)
    values.close()
    assert log == ["cancel"] * 2
    values = iter(publisher)
    next(values)
    del values
    assert log == ["cancel"] * 3
    with pytest.raises(ZeroDivisionError):
        for _ in publisher:
            1 / 0  # noqa: B018
    gc.collect()
    assert log == ["cancel"] * 4


def test_an_error_comes_out_as_itself(error):
    def numbers():
        yield 1
        raise error

    seen = []
    with pytest.raises(type(error)) as caught:
        for n in from_iterable(numbers):
            seen.append(n)
    assert seen == [1] and caught.value is error
    for call in (Fail(error).run, Fail(error).first_value):
        with pytest.raises(type(error)) as caught:
            call()
        assert caught.value is error
    caught = None


@pytest.mark.parametrize("kind", [StopIteration, StopAsyncIteration])
def test_an_error_that_ends_loops_does_not_end_them_silently(kind):
    with pytest.raises((RuntimeError, StopAsyncIteration)) as caught:
        list(Fail(kind()))
    assert isinstance(caught.value, kind) or isinstance(caught.value.__cause__, kind)


def test_values_of_another_thread():
    source = Threaded(100)
    assert list(source.publisher.iterate(buffer=10)) == list(range(100))
    assert source.publisher.run() == 99
    assert source.publisher.first_value() == 0
    assert source.closed.wait(30)
    source.join()


def test_an_error_of_another_thread(error):
    source = Threaded(2, error)
    seen = []
    with pytest.raises(type(error)):
        for n in source.publisher:
            seen.append(n)
    assert seen == [0, 1]
    source.join()


def test_waiting_takes_no_processor_time():
    subject = PassthroughSubject()
    begun = threading.Event()

    def work():
        begun.wait()
        time.sleep(0.5)  # what is measured is a wait
        subject.send(7)

    thread = threading.Thread(target=work)
    thread.start()
    values = iter(subject.handle_events(receive_request=lambda _: begun.set()))
    before = time.thread_time()
    assert next(values) == 7
    assert time.thread_time() - before < 0.25
    thread.join()
    values.close()


def test_first_value():
    log = []
    publisher = from_iterable(itertools.count(5)).handle_events(
        receive_request=log.append, receive_cancel=lambda: log.append("cancel")
    )
    assert publisher.first_value() == 5
    assert log == [1, "cancel"]
    assert list(Sequence([1, 2]).first()) == [1]
    with pytest.raises(NoValueError, match="without a value") as caught:
        Empty().first_value()
    assert isinstance(caught.value, LookupError)


def test_run():
    assert Sequence([1, 2, 3]).run() == 3
    assert Empty().run() is None
    assert Just(None).run() is None
    assert Sequence([1, 2, 3]).run(timeout=100) == 3


@pytest.mark.parametrize("loop", [False, True])
def test_timeouts_cancel(loop):
    log = []
    subject = PassthroughSubject().handle_events(receive_cancel=lambda: log.append("cancel"))
    given = {"loop": EventLoop()} if loop else {}
    for call in (subject.run, subject.first_value):
        for timeout in (0, 0.01):
            with pytest.raises(TimeoutError, match="timeout") as caught:
                call(timeout=timeout, **given)
            # Whoever has passed a loop does not need to be told.
            assert ("pass that as loop=" in str(caught.value)) is not loop
    assert log == ["cancel"] * 4


def test_an_endless_stream_has_a_timeout_too():
    with pytest.raises(TimeoutError):
        from_iterable(itertools.count).run(timeout=0.01)


@pytest.mark.parametrize("timeout, error", [(-1, ValueError), ("1", TypeError), (float("nan"), ValueError)])
def test_what_is_no_timeout(timeout, error):
    for call in (Just(1).run, Just(1).first_value):
        with pytest.raises(error, match="timeout"):
            call(timeout=timeout)


@pytest.mark.parametrize("buffer, error", [(0, ValueError), (-1, ValueError), ("1", TypeError), (None, TypeError)])
def test_what_is_no_buffer(buffer, error):
    with pytest.raises(error, match="buffer"):
        Just(1).iterate(buffer)


def test_what_is_no_loop():
    scheduler = streams.VirtualTimeScheduler()
    for call in (Just(1).iterate, Just(1).run, Just(1).first_value):
        with pytest.raises(TypeError, match="loop must be an EventLoop"):
            call(loop=scheduler)


def ticking(loop, count):
    """Values that the loop of this thread makes."""

    def begin(emitter):
        numbers = itertools.count()

        def tick():
            emitter.send(next(numbers))
            if emitter.demand:
                loop.schedule(tick, 0.001)

        return lambda most: loop.schedule(tick, 0.001) and None

    return create(begin).prefix(count)


def test_a_loop_is_run_meanwhile():
    loop = EventLoop()
    assert list(ticking(loop, 5).iterate(loop=loop)) == [0, 1, 2, 3, 4]
    assert ticking(loop, 3).run(loop=loop, timeout=60) == 2
    assert ticking(loop, 3).first_value(loop=loop) == 0
    subject = PassthroughSubject()
    loop.schedule(lambda: (subject.send("a"), subject.send("b")), 0.001)
    assert subject.debounce(0.001, loop).first_value(loop=loop, timeout=60) == "b"


def test_a_loop_that_waits_is_woken_by_another_thread():
    source = Threaded(20)
    with_loop = EventLoop()
    assert list(source.publisher.iterate(buffer=3, loop=with_loop)) == list(range(20))
    assert source.publisher.run(loop=with_loop) == 19
    source.join()


def test_a_closed_publisher():
    publisher = Just(1)
    publisher.close()
    for call in (publisher.run, publisher.first_value, lambda: list(publisher)):
        with pytest.raises(streams.ClosedError):
            call()


def test_two_iterators_are_two_subscriptions():
    publisher = from_iterable(lambda: iter(range(3)))
    one, two = iter(publisher), iter(publisher)
    assert [next(one), next(two), next(one), next(two)] == [0, 0, 1, 1]
    recorder = Recorder(publisher)
    assert recorder.values == [0, 1, 2]


# Each waits, or runs without end, in the function that is named.
PROGRAMS = {
    "for": ("iterate", "for value in waiting: print('no')"),
    "for with a loop": ("call", "for value in waiting.iterate(loop=streams.EventLoop()): print('no')"),
    "first_value": ("take", "waiting.first_value()"),
    "first_value with a timeout": ("take", "waiting.first_value(timeout=1000)"),
    "run": ("take", "waiting.run()"),
    "run with a loop": ("call", "waiting.run(loop=streams.EventLoop())"),
    "an endless stream": ("_plain_sink", "waiting.merge(streams.from_iterable(itertools.count)).run()"),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_ctrl_c(name):
    place, call = PROGRAMS[name]
    program = f"""
        import itertools, os, signal, streams, sys, threading
        signal.signal(signal.SIGINT, signal.default_int_handler)
        begun, noticed = threading.Event(), threading.Event()
        def system_call():
            with open(f"/proc/self/task/{{threading.main_thread().native_id}}/syscall") as file:
                return file.read().split()[0]
        def is_there():
            return sys._current_frames()[threading.main_thread().ident].f_code.co_name == "{place}"
        def interrupt():
            begun.wait()
            while not is_there():
                pass
            # A loop is in ppoll then: a signal just before that would be noticed at the next wake-up only.
            while "{place}" == "call" and system_call() not in ("271", "73"):
                pass
            os.kill(os.getpid(), signal.SIGINT)
            # Nor does CPython notice one that comes just before it waits for a lock, until the next.
            while not noticed.wait(3):
                if is_there():
                    os.kill(os.getpid(), signal.SIGINT)
        threading.Thread(target=interrupt).start()
        subject = streams.PassthroughSubject()
        waiting = subject.handle_events(
            receive_request=lambda _: begun.set(), receive_cancel=lambda: print("cancelled", flush=True))
        try:
            {call}
        except KeyboardInterrupt as error:
            noticed.set()
            print("interrupted")
    """
    result = run(program, "-X", "dev")
    assert (result.returncode, result.stdout) == (0, b"cancelled\ninterrupted\n")
