"""The buffer protocol: arrays, memoryviews and numpy, in and out."""

import array
import sys

import numpy
import pytest
from recorder import Recorder, values_of
from streams import PassthroughSubject, Sequence, create
from streams._native import values as native_values
from streams._native.values import DOUBLES, INT64S, OBJECTS, objects_of, pack


def batches_of(values):
    subject = PassthroughSubject()
    got = []
    with subject.sink(batch=got.append):
        subject.send_many(values)
    return got


@pytest.mark.parametrize("kind", "bBhHiIlLqQfd")
def test_every_array_of_numbers(kind):
    numbers = array.array(kind, [0, 1, 100])
    assert values_of(Sequence(numbers)) == list(numbers)
    (found,) = batches_of(numbers)
    assert found.format == ("d" if kind in "fd" else "q") and found.tolist() == list(numbers)


def test_a_view_that_has_been_released_is_refused():
    view = memoryview(b"123")
    view.release()
    with pytest.raises(ValueError, match="released"):
        batches_of(view)


@pytest.mark.parametrize("kind", ["float64", "float32", "int64", "int32", "uint8", "int16", ">f8", "<i8", "=d"])
def test_numpy(kind):
    numbers = numpy.arange(5).astype(kind)
    (found,) = batches_of(numbers)
    assert isinstance(found, memoryview)
    assert numpy.array_equal(numpy.asarray(found), numbers)
    assert values_of(Sequence(numbers)) == numbers.tolist()


def test_numpy_is_not_imported_by_the_package():
    import subprocess

    code = "import sys, streams; streams.PassthroughSubject().send_many([1.5]); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


@pytest.mark.parametrize(
    "view",
    [
        lambda numbers: numbers[::2],
        lambda numbers: numbers[::-1],
        lambda numbers: numpy.broadcast_to(numbers[:1], (4,)),
        lambda numbers: memoryview(numbers)[::3],
        lambda numbers: memoryview(bytes(memoryview(numbers).cast("B"))).cast("d"),
    ],
)
def test_strided_and_read_only(view):
    numbers = view(numpy.arange(10.0))
    expected = list(numbers)
    assert pack(numbers).kind == DOUBLES
    assert values_of(Sequence(numbers)) == expected
    (found,) = batches_of(numbers)
    assert found.tolist() == expected


def test_writable_buffers_are_not_copied():
    numbers = array.array("d", [1, 2, 3])
    packed = pack(numbers)
    numbers[1] = 7
    assert list(packed.array) == [1, 7, 3]
    with pytest.raises(BufferError):
        numbers.append(4)
    del packed
    numbers.append(4)


def test_what_becomes_what():
    assert pack([1, 2]).kind == INT64S
    assert pack((1.0, 2.0)).kind == DOUBLES
    for mixed in ([1, 2.0], [True], [2**63], ["a"], [None], [], [numpy.float64(1)]):
        assert pack(mixed).kind == OBJECTS
    assert pack([-(2**63), 2**63 - 1]).kind == INT64S


@pytest.mark.parametrize("in_place", [True, False])
@pytest.mark.parametrize("count", [0, 1, 2, 1000])
def test_objects_are_found_in_place_or_copied(count, in_place, monkeypatch):
    assert native_values._are_in_place
    monkeypatch.setattr(native_values, "_are_in_place", in_place)
    items = tuple(object() for _ in range(count))
    addresses, size, kept = objects_of(items)
    assert size == count and kept is items and [each or 0 for each in addresses] == [id(each) for each in items]
    assert values_of(Sequence(items)) == list(items)
    assert batches_of(items) == [list(items)][:count]


def test_a_tuple_with_another_length_than_its_items():
    class Odd(tuple):
        __slots__ = ()

        def __len__(self):
            return 1_000_000

        def __iter__(self):
            return iter(["a", "b"])

    def begin(emitter):
        def produce(_):
            emitter.send_many(Odd([1, 2, 3]))
            emitter.finish()

        return produce

    assert values_of(create(begin)) == ["a", "b"]
    assert values_of(Sequence(Odd([1, 2, 3]))) == ["a", "b"]
    assert batches_of(Odd([1, 2, 3])) == [["a", "b"]]


def test_booleans_stay_booleans():
    assert batches_of(numpy.array([True, False])) == [[True, False]]
    assert values_of(Sequence(memoryview(b"\1\0").cast("?"))) == [True, False]


@pytest.mark.parametrize("values", [numpy.zeros((2, 2)), numpy.zeros((1, 0)), memoryview(bytes(4)).cast("B", [2, 2])])
def test_more_dimensions_are_refused(values):
    with pytest.raises(ValueError, match=r"one dimension, and this one has 2: numpy's ravel\(\) gives one"):
        PassthroughSubject().send_many(values)
    with pytest.raises(ValueError, match="one dimension"):
        Sequence(values)


def test_formats_that_only_numpy_knows():
    days = numpy.array(["2010-01-01", "2010-01-02"], dtype="datetime64[D]")
    assert values_of(Sequence(days)) == list(days)
    words = numpy.array(["a", "bc"])
    assert values_of(Sequence(words)) == list(words)
    records = numpy.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")])
    assert values_of(Sequence(records)) == list(records)
    objects = numpy.array([None, "x"], dtype=object)
    assert values_of(Sequence(objects)) == [None, "x"]


@pytest.mark.parametrize("empty", [[], (), b"", array.array("d"), array.array("q"), numpy.zeros(0), range(0), iter(())])
def test_nothing(empty):
    assert batches_of(empty) == []


def test_batches_are_views_that_numpy_reads_in_place():
    totals = []
    subject = PassthroughSubject()
    with subject.sink(batch=lambda values: totals.append(numpy.frombuffer(values).sum())):
        subject.send_many(numpy.full(1000, 0.5))
    assert sum(totals) == 500.0


def test_views_may_be_kept():
    views = batches_of([1.5, 2.5])
    batches_of([9.0] * 2)
    assert views[0].tolist() == [1.5, 2.5] and views[0].readonly


def test_special_numbers():
    numbers = [float("inf"), -float("inf"), -0.0, 5e-324, 2**-1074 * 1.0]
    assert list(map(repr, values_of(Sequence(numbers)))) == list(map(repr, numbers))
    (nan,) = values_of(Sequence([float("nan")]))
    assert nan != nan


def test_single_values_of_numpy_stay_what_they_are():
    subject = PassthroughSubject()
    recorder = Recorder(subject)
    subject.send(numpy.float32(1.5))
    subject.send_many([numpy.int64(3)])
    assert list(map(type, recorder.values)) == [numpy.float32, numpy.int64]
