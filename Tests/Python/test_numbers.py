"""Arrays of numbers on their way through streams: not copied, in parts as they are demanded, and whole for map_batch."""

import array
import gc
import subprocess
import sys
import threading
import weakref

import numpy
import pytest
from recorder import Recorder, values_of
from streams import (
    CurrentValueSubject,
    Just,
    PassthroughSubject,
    Sequence,
    SerialQueue,
)


def batches(publisher, send=lambda: None, **options):
    got = []
    with publisher.sink(batch=lambda values: got.append(values), **options):
        send()
    return got


def ignore(_):
    pass


def failure_of(publisher):
    recorder = Recorder(publisher)
    error = recorder.error
    assert isinstance(error, Exception)
    # Their frames know the stream: see the fixture `error`.
    error.__traceback__ = error.__context__ = None
    return error


# ---- to sinks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [PassthroughSubject, lambda: CurrentValueSubject(0)])
def test_an_array_arrives_whole_and_where_it_lies(make):
    numbers = numpy.arange(100_000.0)
    subject = make()
    *_, found = batches(subject, lambda: subject.send_many(numbers))
    assert len(found) == 100_000 and numpy.shares_memory(numpy.asarray(found), numbers)
    assert found.readonly and found.format == "d"


def test_the_latest_value_is_the_last_of_an_array():
    subject = CurrentValueSubject(0)
    subject.send_many(numpy.array([1, 2, 3]))
    assert subject.value == 3 and type(subject.value) is int


def test_it_is_live_memory():
    numbers = numpy.zeros(3)
    subject = PassthroughSubject()
    (found,) = batches(subject, lambda: subject.send_many(numbers))
    publisher = Sequence(numbers)
    numbers[1] = 7
    assert found.tolist() == [0, 7, 0] and values_of(publisher) == [0, 7, 0]


@pytest.mark.parametrize("kind", [numpy.int64, numpy.float64])
def test_a_part_is_a_part_of_the_same_memory(kind):
    numbers = numpy.arange(10, dtype=kind)
    subscriptions = []
    got = []
    cancellable = Sequence(numbers).sink(batch=lambda part: got.append(part), demand=4, subscription=subscriptions.append)
    subscriptions[0].request(3)
    assert [part.tolist() for part in got] == [[0, 1, 2, 3], [4, 5, 6]]
    assert all(numpy.shares_memory(numpy.asarray(part), numbers) for part in got)
    subscriptions.pop().request(9)
    assert numpy.concatenate([numpy.asarray(part) for part in got]).tolist() == list(range(10))
    cancellable.close()


def test_what_a_batch_returns_is_demanded():
    sizes = []

    def batch(values):
        sizes.append(len(values))
        return 2 if len(sizes) < 3 else None

    with Sequence(numpy.arange(10)).sink(batch=batch, demand=3):
        assert sizes == [3, 2, 2]


def test_read_only_and_strange_layouts_work_too():
    frozen = numpy.arange(5.0)
    frozen.flags.writeable = False
    (found,) = batches(Sequence(frozen))
    assert numpy.shares_memory(numpy.asarray(found), frozen)
    unaligned = memoryview(bytearray(8 * 3 + 1))[1:].cast("d")
    (found,) = batches(Sequence(unaligned))
    assert found.tolist() == [0, 0, 0]
    import ctypes

    (found,) = batches(Sequence((ctypes.c_int64 * 3)(1, 2, 3)))
    assert found.tolist() == [1, 2, 3] and found.format == "q"


def test_others_get_values():
    subject = PassthroughSubject()
    got, mapped, singles = [], [], []
    cancellables = [
        subject.sink(batch=got.append),
        subject.map(lambda n: n + 1).sink(batch=mapped.extend),
        subject.sink(singles.append),
    ]
    subject.send_many(numpy.arange(1000))
    # Not all of them take batches: so each value is for everybody before the next.
    assert numpy.concatenate(got).tolist() == list(range(1000))
    assert mapped == list(range(1, 1001)) and singles == list(range(1000))
    assert type(singles[0]) is int
    del cancellables


def test_arrays_of_c_are_copied_once():
    subject = PassthroughSubject()
    queue = SerialQueue()
    got, done = [], threading.Event()
    cancellable = subject.receive_on(queue).sink(batch=got.extend, completion=lambda _: done.set())
    subject.send_many(numpy.arange(2000.0))
    subject.finish()
    assert done.wait(60) and got == list(range(2000))
    del cancellable


# ---- lifetimes -----------------------------------------------------------------------------------------------------


class Numbers(numpy.ndarray):
    """An array that weak references can tell of."""


def watched(count=1000):
    numbers = numpy.arange(float(count)).view(Numbers)
    return numbers, weakref.ref(numbers)


def test_an_array_is_let_go_after_its_last_use():
    numbers, alive = watched()
    subject = PassthroughSubject()
    with subject.map_batch(numpy.sqrt).sink(batch=ignore):
        subject.send_many(numbers)
        del numbers
        assert alive() is None


def test_who_keeps_a_part_keeps_the_array():
    numbers, alive = watched()
    publisher = Sequence(numbers)
    (part,) = batches(publisher, demand=2)
    del numbers, publisher
    gc.collect()
    assert alive() is not None and part.tolist() == [0, 1]
    del part
    assert alive() is None


def test_a_sequence_keeps_it_for_its_subscribers():
    numbers, alive = watched()
    subscriptions = []
    cancellable = Sequence(numbers).sink(batch=ignore, demand=1, subscription=subscriptions.append)
    del numbers
    assert alive() is not None
    cancellable.close()
    subscriptions.clear()
    assert alive() is None


def test_it_may_be_let_go_on_another_thread():
    numbers, alive = watched()
    kept = [Sequence(numbers)]
    del numbers
    thread = threading.Thread(target=kept.clear)
    thread.start()
    thread.join()
    assert alive() is None


def test_an_array_that_is_lent_cannot_be_resized():
    numbers = array.array("d", [1, 2, 3])
    publisher = Sequence(numbers)
    with pytest.raises(BufferError):
        numbers.append(4)
    publisher.close()
    numbers.append(4)


def test_a_process_may_end_with_arrays_in_its_streams():
    code = """
import array, streams
subject = streams.PassthroughSubject()
kept = []
cancellable = subject.map_batch(list).sink(batch=kept.append)
publisher = streams.Sequence(array.array("d", range(10)))
subject.send_many(array.array("q", range(10)))
print(kept[0].tolist())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{list(range(10))}\n", "")


# ---- map_batch -----------------------------------------------------------------------------------------------------


def test_a_function_gets_the_array_itself_and_its_result_goes_on():
    numbers, results = numpy.arange(100_000.0), []

    def double(given):
        assert isinstance(given, numpy.ndarray) and numpy.shares_memory(given, numbers)
        assert not given.flags.writeable
        results.append(given * 2)
        return results[-1]

    (found,) = batches(Sequence(numbers).map_batch(double))
    assert numpy.shares_memory(numpy.asarray(found), results[0])
    assert found[99_999] == 199_998.0


@pytest.mark.parametrize(
    "given, function, expected",
    [
        ([1, 4, 9], numpy.sqrt, [1.0, 2.0, 3.0]),
        ([1.0, 4.0], lambda numbers: numbers.astype(int), [1, 4]),
        (numpy.arange(4), lambda numbers: numbers[::-1], [3, 2, 1, 0]),
        (numpy.arange(3, dtype="f4"), lambda numbers: numbers.astype("f4"), [0.0, 1.0, 2.0]),
        (numpy.arange(3), lambda numbers: numbers > 1, [False, False, True]),
        (numpy.arange(3), lambda numbers: map(str, numbers.tolist()), ["0", "1", "2"]),
        (["a", None], lambda values: [value or "none" for value in values], ["a", "none"]),
        ([1, 2.5], lambda values: tuple(reversed(values)), [2.5, 1]),
        ([numpy.float32(1), numpy.float32(4)], numpy.sqrt, [1.0, 2.0]),
        ([], numpy.sqrt, []),
        ("abc", lambda values: "".join(values).upper(), ["A", "B", "C"]),
    ],
)
def test_what_goes_in_and_out(given, function, expected):
    assert values_of(Sequence(given).map_batch(function)) == expected


def test_single_values_are_arrays_of_one():
    subject = PassthroughSubject()
    recorder = Recorder(subject.map_batch(lambda numbers: numbers + len(numbers)))
    subject.send(1)
    subject.send(2.5)
    assert recorder.values == [2, 3.5]


def test_it_is_given_what_is_demanded():
    sizes = []
    publisher = Sequence(numpy.arange(10)).map_batch(lambda numbers: sizes.append(len(numbers)) or numbers)
    recorder = Recorder(publisher, demand=3)
    recorder.subscription.request(4)
    assert recorder.values == list(range(7)) and sum(sizes) == 7


@pytest.mark.parametrize(
    "function, kind, message",
    [
        (lambda numbers: numbers[:3], ValueError, "5 values were given, and 3 returned"),
        (lambda numbers: int(numbers.sum()), TypeError, "as many values as were given must be returned, not int"),
        (lambda numbers: numbers.sum(), ValueError, "one dimension"),
        (lambda numbers: None, TypeError, "must be returned, not NoneType"),
        (lambda numbers: numbers.reshape(5, 1), ValueError, "one dimension"),
        (lambda numbers: numbers.sort(), ValueError, "read-only"),
        (lambda numbers: 1 / 0, ZeroDivisionError, "division"),
    ],
)
def test_what_a_function_does_wrong_fails_the_stream(function, kind, message):
    error = failure_of(Sequence(numpy.arange(5.0)).map_batch(function))
    assert isinstance(error, kind) and message in str(error)


def test_the_note_names_the_operator():
    def broken(numbers):
        raise LookupError("broken")

    error = failure_of(Sequence([1.0]).map_batch(broken))
    assert any("map_batch(broken)" in note for note in error.__notes__)


def test_it_takes_functions_only():
    with pytest.raises(TypeError, match="map_batch: transform must be callable"):
        Just(1).map_batch(3)

    async def coroutine(numbers):
        return numbers

    with pytest.raises(TypeError, match="plain function"):
        Just(1).map_batch(coroutine)


def test_without_numpy_it_is_a_memoryview():
    code = """
import array, sys, streams
given = []
def function(numbers):
    given.append(type(numbers).__name__)
    return [number * 2 for number in numbers]
publisher = streams.Sequence(array.array("d", [1, 2])).map_batch(function)
got = []
publisher.sink(got.append)
print(got, given, "numpy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "[2.0, 4.0] ['memoryview'] False\n" and done.returncode == 0, done.stderr


def test_it_may_send_to_the_subject_that_called():
    subject = PassthroughSubject()
    got = []

    def function(numbers):
        if numbers[0] < 2:
            subject.send_many(numbers + 1)
        return numbers

    with subject.map_batch(function).sink(batch=lambda numbers: got.append(list(numbers))):
        subject.send_many(numpy.array([0, 0]))
    assert got == [[2, 2], [1, 1], [0, 0]]


def test_threads_send_arrays():
    subject = PassthroughSubject()
    total = []
    cancellable = subject.map_batch(lambda numbers: numbers * 2).sink(batch=lambda numbers: total.append(sum(numbers)))
    threads = [threading.Thread(target=lambda: [subject.send_many(numpy.ones(100)) for _ in range(50)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert total == [200.0] * 200
    del cancellable
