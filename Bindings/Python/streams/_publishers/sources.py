"""Publishers that begin a pipeline: from Just to Deferred, iterables, and custom ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Callable, NoReturn, cast

from .._native import ffi_generated as ffi
from .._native import host
from .._native.errors import create_error, made
from .._native.handle import DESTROY, MAKE_PUBLISHER, as_plain
from .._native.library import library
from .._native.values import OBJECTS, Array, Value, objects_of, pack
from .._operators.publisher import Publisher
from .._operators.publisher import source as begun
from .._program.demand import UNLIMITED, as_count
from .._program.types import T, T_co
from .._schedulers.schedulers import Scheduler, Seconds, as_duration, as_scheduler
from .._subscriptions.emitter import Emitter, Source, source_of
from .._subscriptions.stream import handed_over


class Just(Publisher[T_co]):
    """Publishes one value to each subscriber and finishes."""

    def __init__(self, value: T_co) -> None:
        with Value(value) as native:
            self._own(made(library.streams_just(native)))


class Empty(Publisher[NoReturn]):
    """Publishes nothing, and finishes immediately or, if complete_immediately is False, never."""

    def __init__(self, complete_immediately: bool = True) -> None:
        self._own(made(library.streams_empty(bool(complete_immediately))))


class Fail(Publisher[NoReturn]):
    """Publishes nothing and fails immediately with an exception.

    The exception is kept, and keeps the variables of the functions it went through: close() releases both.
    """

    def __init__(self, error: BaseException) -> None:
        handle = create_error(error)
        try:
            self._own(made(library.streams_fail(handle)))
        finally:
            library.streams_release(handle)


class Interval(Publisher[int]):
    """Publishes 0, 1, 2 and so on, one after each `every`; the first after `first`, if that is given.

    It counts the numbers that it publishes, not the time: if the scheduler was busy, moments that have passed are skipped,
    and the next number comes at the next regular moment; scheduler.now tells the time. Each subscriber has a count of its
    own, which begins when it subscribes. A number for which there is no demand is lost. After `count` numbers it finishes;
    with 1 it is a one-shot timer.

    >>> Interval(1, loop).sink(lambda number: print("tick", number))
    """

    def __init__(
        self, every: Seconds, scheduler: Scheduler, *, first: Seconds | None = None, count: int | None = None
    ) -> None:
        interval = as_duration(every, "every")
        begin = interval if first is None else as_duration(first, "first")
        most = UNLIMITED if count is None else min(as_count(count, "count"), UNLIMITED)
        self._own(made(library.streams_interval(begin, interval, most, as_scheduler(scheduler))))


class Sequence(Publisher[T_co]):
    """Publishes known values to each subscriber, from the first one, as demanded, and finishes.

    All items of an iterable are taken when the publisher is made. For an endless iterable, or one that makes items on
    demand, see from_iterable. An array or a numpy array of 64-bit integers or floats is not copied: a subscriber gets what
    it contains at the subscription. See Subject.send_many.

    >>> Sequence([1, 2, 3])
    """

    def __init__(self, values: Iterable[T_co]) -> None:
        packed = pack(values)
        if packed.kind == OBJECTS:
            handle = _of_objects(packed.array, packed.size, library.streams_sequence)
        else:
            with Array(packed) as numbers:
                handle = library.streams_sequence_numbers(numbers)
        self._own(made(handle))


class Record(Publisher[T_co]):
    """Publishes recorded values to each subscriber, from the first one, as demanded, and fails with an exception.

    Without an exception it finishes.

    >>> Record([20.5, 21.0], TimeoutError("the sensor is gone"))
    """

    def __init__(self, values: Iterable[T_co], error: BaseException | None = None) -> None:
        array, size, _ = objects = objects_of(tuple(values))
        failure = None if error is None else create_error(error)
        try:
            self._own(made(_of_objects(array, size, library.streams_record, failure)))
        finally:
            if failure is not None:
                library.streams_release(failure)
        del objects  # keeps them alive until here


class Deferred(Publisher[T_co]):
    """Calls a function to make a publisher for each subscriber, when it subscribes.

    >>> Deferred(lambda: Just(random.randint(1, 6)))
    """

    def __init__(self, make: Callable[[], Publisher[T_co]]) -> None:
        as_plain(make, "make")

        def begin(_: None) -> int:
            return handed_over(make(), "make")

        context = library.streams_callable_create(host.number, begin)
        self._own(made(library.streams_deferred(MAKE_PUBLISHER, context, DESTROY)), begin)


def _of_objects(array: Any, size: int, function: Any, *extra: Any) -> Any:
    """The result of a library function for objects as values; None if they cannot be values."""
    values = (ffi.streams_value * size)()
    if library.streams_host_values(host.number, array, size, values):
        return None
    try:
        return function(values, size, *extra)
    finally:
        for value in values:
            library.streams_value_destroy(value)


def from_iterable(iterable: Iterable[T] | Callable[[], Iterable[T]]) -> Publisher[T]:
    """A cold publisher of an iterable: takes one item for each value that is demanded, and never more.

    Each subscriber begins a new iterator. A generator can be iterated only once; pass the generator function itself to
    begin a new one for each subscriber. At the end, or when the stream is cancelled, the iterator is released, which closes
    a generator. An exception that it raises fails the stream.

    >>> from_iterable(itertools.count).prefix(3)        # 0, 1, 2
    """
    source: Any = iterable
    if not hasattr(source, "__iter__") and not hasattr(source, "__getitem__") or isinstance(source, type):
        if not callable(source):
            raise TypeError(f"an iterable is needed, or a function that makes one, not {type(source).__name__}")
        source = _Anew(cast("Callable[[], Iterable[Any]]", source))
    return begun(made(library.streams_host_publisher(host.number, source)))


class _Anew:
    """An iterable that calls a function for each new iterator."""

    def __init__(self, make: Callable[[], Iterable[Any]]) -> None:
        self._make = make

    def __iter__(self) -> Iterator[Any]:
        return iter(self._make())


def create(begin: Callable[[Emitter[T]], Source | Callable[[int], Any]]) -> Publisher[T]:
    """A cold publisher that produces on demand. `begin` is called with an emitter for each subscriber, and returns a
    Source, or only its function `produce`.

    >>> def dice(emitter):
    ...     def produce(most):
    ...         emitter.send(random.randint(1, 6))
    ...         emitter.wake()
    ...     return produce
    >>> create(dice).prefix(3)
    """
    return begun(source_of(begin))
