"""The two ends of a custom publisher, which produces on demand."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Iterable
from typing import Any, Callable, Generic, Protocol, TypeVar

from .._native import ffi_generated as ffi
from .._native import host
from .._native.errors import Status, check, check_sent, create_error, made
from .._native.handle import Handle, as_callable
from .._native.library import library
from .._native.values import objects_of
from .._program.chains import stands_behind
from .._program.demand import UNLIMITED

T = TypeVar("T")


class Emitter(Handle, Generic[T]):
    """The sending end of one subscription to a publisher that was made with create() or lift().

    All methods may be called from any thread; sending waits for its turn, as with a subject. After the end or a
    cancellation, sending does nothing. With lift(), values beyond the demand are accepted, and delivered later.
    """

    def send(self, value: T) -> bool:
        """Sends a value. Returns False if it was not accepted, because there is no demand or the stream is over."""
        return self._send((value,)) == 1

    def send_many(self, values: Iterable[T]) -> int:
        """Sends as many of the values as there is demand for, and returns how many that were.

        All values are taken first. If the iterable raises an exception, those that it has made before are sent.
        """
        items: Any = values
        kind: Any = type(values)
        if kind is tuple:  # a class that is derived from it may have another length than its items
            return self._send(items)
        found: list[T] = []
        try:
            found.extend(values)
        finally:
            count = self._send(tuple(found))
        return count

    def _send(self, values: tuple[T, ...]) -> int:
        objects, count, kept = objects_of(values)
        taken = ctypes.c_size_t()
        status = library.streams_host_emit(self._handle, host.number, objects, count, taken)
        del kept
        if status != Status.DEMAND_EXCEEDED:
            check_sent(status)
        return taken.value

    def finish(self) -> None:
        """Finishes the stream. Needs no demand; with `lift`, values that wait for demand come first."""
        check_sent(library.streams_emitter_finish(self._handle))

    def fail(self, error: BaseException) -> None:
        """Fails the stream with an exception. Needs no demand; with `lift`, values that wait for demand come first."""
        handle = create_error(error)
        try:
            check_sent(library.streams_emitter_fail(self._handle, handle))
        finally:
            library.streams_release(handle)

    def wake(self) -> None:
        """Calls `produce` again, if there is demand: now, or when the running call returns."""
        check_sent(library.streams_emitter_wake(self._handle))

    @property
    def demand(self) -> int:
        """How many values may be sent now: UNLIMITED if there is no limit, 0 after the end or a cancellation."""
        return min(int(library.streams_emitter_demand(self._handle)), UNLIMITED)


class Source(Protocol):
    """One subscription to a publisher that was made with create()."""

    def produce(self, most: int) -> Any:
        """Sends at most `most` values with the emitter, perhaps ends the stream, and returns.

        It is called again when new demand arrives, or when the emitter is woken; immediately, if it has sent `most` values
        and there is more demand. It is never called concurrently. An exception in it fails the stream. A method `close`, if
        there is one, is called once after the end or a cancellation.
        """


def source_of(begin: Callable[[Emitter[T]], Source | Callable[[int], Any]]) -> int:
    """The handle of a new publisher that produces on demand: see create."""
    source = ffi.streams_source()
    open_ = functools.partial(_Running, as_callable(begin, "begin"))
    functions = (id(open_), id(_Running.run), id(_Running.end))
    check(library.streams_host_source(host.number, *functions, source))
    return made(library.streams_publisher_create(source))


class _Running:
    """The state of one subscription."""

    __slots__ = ("_close", "_produce", "emitter")

    def __init__(self, begin: Any, handle: int) -> None:
        check(library.streams_retain(handle))
        self.emitter: Emitter[Any] = Emitter._adopt(handle)
        source = begin(self.emitter)
        self._produce = as_callable(getattr(source, "produce", source), "what begin returns", "create")
        self._close = getattr(source, "close", None)

    def run(self, most: int) -> None:
        self._produce(most)

    def end(self) -> None:
        if self._close is not None:
            self._close()


stands_behind("create", _Running.__init__, _Running.run)
