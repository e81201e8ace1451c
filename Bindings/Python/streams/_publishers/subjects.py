"""Subjects: publishers of the values that a program sends."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any, TypeVar

from .._native import host
from .._native.errors import Status, check_sent, create_error, made
from .._native.handle import Setter
from .._native.library import library
from .._native.method import native_send, native_value
from .._native.tracing import Labels, as_label, write_to_stderr, writer, writing
from .._native.values import OBJECTS, Packed, Value, copied, pack_buffer, pack_items
from .._operators.publisher import Publisher
from .._program.chains import made_here
from .._program.demand import UNLIMITED, as_demand
from .._subscriptions.subscription import dropped

T = TypeVar("T")
K = TypeVar("K", bound="Subject[Any]")

_number = host.number
_PORTION = 1024


class Subject(Publisher[T]):
    """A publisher that sends the values passed to it to all its subscribers.

    All methods may be called from any thread and from callbacks. Once the subject has finished or failed, or the
    interpreter is shutting down, sending does nothing.
    """

    _made_by = "PassthroughSubject, CurrentValueSubject and ReplaySubject"

    def _as_subject(self) -> int:
        return self._handle

    def _take(self) -> int:
        return made(library.streams_subject_publisher(self._handle))

    @property
    def dropped(self) -> int:
        """How many values the subject has dropped, counted for each subscriber that had not demanded them.

        A replay subject drops values that it no longer keeps for a subscriber that is behind. A current-value subject drops
        none: a subscriber that is behind gets the latest value.
        """
        return dropped(self)

    def send(self, value: T, /) -> None:
        """Sends a value to all subscribers.

        When this returns, they have received it, or it was dropped for lack of demand. While another thread sends to the
        same stream it waits for its turn, without the interpreter's lock; a callback must not wait for a thread that may be
        doing so. If that other thread waits for this one, through streams, the value is left to the other thread, which
        delivers it.
        """
        raise NotImplementedError  # replaced by the library's function: see _native/method.py

    def send_many(self, values: Iterable[T]) -> None:
        """Sends many values, much faster than one at a time.

        A list, a tuple, an array of numbers, or anything else with the buffer protocol (a numpy array) is sent as one
        batch. The result is the same as with single calls of send, even if a callback sends, subscribes or cancels in
        between.

        Of other iterables up to 1024 values are taken, then sent, and so on. If the iterable raises an exception, the
        values that it has made before are sent first. What a generator sends itself comes before the values of its portion:
        for the order in which they are made, call send with each.

        Contiguous 64-bit integers or floats of an array are not copied on their way to map_batch and to sinks that take
        batches. They get the array's live memory: a batch that is kept shows the array's later contents. Send a copy of an
        array that will be filled again.
        """
        if isinstance(values, (list, tuple)):
            self._send_packed(pack_items(tuple(values)))
            return
        packed = pack_buffer(values)
        if packed is not None:
            self._send_packed(packed)
            return
        items, is_over = iter(values), False
        while not is_over:
            portion: list[T] = []
            try:
                portion.extend(itertools.islice(items, _PORTION))  # keeps what it has if the iterable raises
            finally:
                if portion:
                    self._send_packed(pack_items(tuple(portion)))
            is_over = len(portion) < _PORTION

    def _send_packed(self, packed: Packed) -> None:
        if packed.kind == OBJECTS:
            check_sent(library.streams_host_send_objects(self._handle, _number, packed.array, packed.size))
            return
        status = library.streams_host_send_numbers(self._handle, _number, packed.array)
        if status == Status.INVALID_VALUE:
            numbers = copied(packed.array, packed.kind)
            status = library.streams_host_send_numbers(self._handle, _number, numbers)
        check_sent(status)

    def track(self: K, label: str = "", to: Any = None) -> K:
        """This subject with a tracker, which writes a line for each call between it and its subscribers, and for each call
        of the result's methods. See Publisher.track.

        >>> prices = PassthroughSubject().track("prices")
        """
        write = writer(to, write_to_stderr)
        tracked = type(self)._adopt(writing(library.streams_track_subject, lambda: self._handle, as_label(label), write))
        tracked._step = made_here(self._step)
        if Labels.are_shown:
            Labels.give(tracked._handle, tracked._step)
        return tracked

    def finish(self) -> None:
        """Finishes the stream, and that of every later subscriber.

        If a subscriber calls this while it takes a value, subscribers that the value has not reached yet do not get it."""
        check_sent(library.streams_subject_send_completion(self._handle, None))

    def fail(self, error: BaseException) -> None:
        """Fails the stream with an exception, and that of every later subscriber.

        The exception is kept for them, and keeps the variables of the functions it went through: close() releases both.
        """
        handle = create_error(error)
        try:
            check_sent(library.streams_subject_send_completion(self._handle, handle))
        finally:
            library.streams_release(handle)


setattr(Subject, "send", native_send(Subject))


class PassthroughSubject(Subject[T]):
    """A subject that keeps nothing: a subscriber without demand misses the value.

    >>> prices = PassthroughSubject()
    >>> cancellable = prices.sink(print)
    >>> prices.send(42)
    42
    """

    def __init__(self) -> None:
        self._own(made(library.streams_passthrough_subject_create()))


class CurrentValueSubject(Subject[T]):
    """A subject that keeps its latest value and sends it to each new subscriber.

    A subscriber that is behind on demand gets only the latest value.
    """

    def __init__(self, initial: T) -> None:
        with Value(initial) as value:
            self._own(made(library.streams_current_value_subject_create(value)))

    @property
    def value(self) -> T:
        """The latest value. Setting it sends it; after the end of the stream it still changes, without being sent."""
        raise NotImplementedError  # replaced by the library's function: see _native/method.py

    @value.setter
    def value(self, new: T) -> None:
        raise NotImplementedError  # replaced by the library's function: see _native/method.py

    def _setter(self) -> Setter[T]:
        return Setter(library.streams_assign, self._handle)


setattr(CurrentValueSubject, "value", native_value(CurrentValueSubject, "subject"))


class ReplaySubject(Subject[T]):
    """A subject that keeps its latest values, or all of them, and sends them to each new subscriber on demand.

    A subscriber that is behind on demand misses none of the values that are kept; beyond that it misses the oldest. A
    subscriber with demand misses nothing. The end comes after these values, even for a later subscriber.

    >>> messages = ReplaySubject(2)
    >>> messages.send_many(["a", "b", "c"])
    >>> cancellable = messages.sink(print)
    b
    c
    """

    def __init__(self, buffer_size: int | None = None) -> None:
        size = UNLIMITED if buffer_size is None else as_demand(buffer_size, "buffer_size")
        self._own(made(library.streams_replay_subject_create(size)))
