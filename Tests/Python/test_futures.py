"""Future, Deferred and Record."""

import gc
import threading

import pytest
from recorder import Recorder, values_of
from streams import Deferred, Fail, Future, Just, Promise, Record, Sequence


def promised():
    """A future and its promise."""
    kept = []
    return Future(kept.append), kept[0]


def test_a_future_is_kept_once():
    future, promise = promised()
    before = Recorder(future)
    promise.resolve("first")
    promise.resolve("second")
    promise.reject(KeyError())
    assert (before.values, before.finished) == (["first"], True)
    assert values_of(future) == ["first"]
    assert future.first_value() == "first"


def test_a_future_that_fails():
    future, promise = promised()
    error = KeyError("x")
    recorder = Recorder(future, demand=0)
    promise.reject(error)
    assert recorder.error is error
    assert Recorder(future).error is error


def test_a_value_waits_for_demand():
    future, promise = promised()
    recorder = Recorder(future, demand=0)
    promise.resolve(1)
    assert recorder.values == []
    recorder.subscription.request(1)
    assert recorder.values == [1]


def test_the_function_is_called_at_once_and_may_raise():
    with pytest.raises(ZeroDivisionError):
        Future(lambda promise: 1 // 0)
    for wrong in (None, 3, Promise()):
        with pytest.raises(TypeError, match="attempt must be callable"):
            Future(wrong)


def test_another_thread_keeps_it():
    future = Future(lambda promise: threading.Thread(target=promise.resolve, args=(1,)).start())
    assert future.run(10) == 1


def test_a_promise_that_is_let_go_of_is_never_kept():
    future = Future(lambda promise: None)
    recorder = Recorder(future)
    gc.collect()
    assert (recorder.values, recorder.ends) == ([], [])


async def test_await_a_future():
    future, promise = promised()
    promise.resolve(3)
    assert await future == 3


def test_deferred_makes_one_for_each_subscriber():
    numbers = iter(range(9))
    publisher = Deferred(lambda: Just(next(numbers)))
    assert values_of(publisher) == [0]
    assert values_of(publisher) == [1]


def test_deferred_fails_with_what_its_function_raises():
    assert isinstance(Recorder(Deferred(lambda: 1 // 0)).error, ZeroDivisionError)
    assert isinstance(Recorder(Deferred(lambda: 3)).error, TypeError)
    for wrong in (None, 3, Just(1)):
        with pytest.raises(TypeError, match="make must be callable"):
            Deferred(wrong)


def test_record():
    error = KeyError("over")
    assert values_of(Record("abc")) == ["a", "b", "c"]
    thing = object()
    recorder = Recorder(Record([thing, 2**70, None], error))
    assert recorder.values[0] is thing and recorder.values[1:] == [2**70, None]
    assert recorder.error is error
    assert values_of(Record(iter([]))) == []
    for wrong in ("error", 3, KeyError):
        with pytest.raises(TypeError):
            Record([1], wrong)


def test_what_is_recorded_is_copied():
    values = [1, 2]
    record = Record(values)
    values.append(3)
    assert values_of(record) == [1, 2]
    assert values_of(Sequence([3]).append(Fail(KeyError()).catch(lambda _: record))) == [3, 1, 2]
