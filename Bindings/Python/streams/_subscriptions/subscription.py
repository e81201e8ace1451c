"""The two ends of a running stream that its user holds: Subscription and Cancellable."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from typing import Any, TypeVar

from .._native import host
from .._native.errors import ClosedError, DroppedValuesWarning, Status, check, made
from .._native.handle import Handle
from .._native.library import library
from .._native.method import close as close_handle
from .._program.chains import Step
from .._program.demand import as_demand
from .._program.escapes import pending, raise_pending

C = TypeVar("C", bound="Cancellable")

# The status of a cancellation if another thread has closed the cancellable in the meantime.
_CLOSED = (Status.STALE_HANDLE, Status.NULL_HANDLE)


# Whether to check for unused cancellables, as Python's development mode does for unclosed resources.
_tells = sys.flags.dev_mode
_pop_top = -1
if _tells:
    import opcode

    _pop_top = opcode.opmap["POP_TOP"]


def _is_unused(step: Step) -> bool:
    """Whether the statement that made a cancellable, in the frame above the caller's, drops it."""
    frame = sys._getframe(2)
    code, at = frame.f_code, frame.f_lasti
    if code is not step.frame_code or at <= step.instruction or code.co_code[at] != _pop_top:
        return False
    # Only CPython's inline caches are between the call and the instruction that drops its result.
    return not any(code.co_code[step.instruction + 2 : at : 2])


# The functions of a stream that has been cancelled.
_CANCELLED = ()

# The lines of code that have been warned of dropped values.
_told: set[object] = set()


def dropped(handle: Handle) -> int:
    return int(library.streams_dropped(handle._handle)) if handle._handle else 0


class Subscription(Handle):
    """The link between one subscriber and its publisher: requests values, and cancels.

    The `subscription` callback of Publisher.sink gets it. Keep it to request later.
    """

    @classmethod
    def _borrow(cls, handle: int) -> Subscription:
        check(library.streams_retain(handle))
        return cls._adopt(handle)

    def request(self, demand: int) -> None:
        """Demands values in addition to the open demand. They may arrive before this returns.

        May be called anywhere, also in the subscriber's own callbacks, and from any thread. After the end or a cancellation
        it does nothing. A demand of 0 raises ValueError.
        """
        self._check_open()
        check(library.streams_subscription_request(self._handle, as_demand(demand)))

    @property
    def dropped(self) -> int:
        """How many values the stream has dropped because they were not demanded, or a buffer was full. This includes all
        its operators, and the publishers that they have subscribed to later, such as those of flat_map, but not what lies
        before map_async, which has a stream of its own and warns of it."""
        return dropped(self)

    def cancel(self) -> None:
        """Ends the stream: the subscriber gets nothing more. Cancelling again does nothing."""
        self._check_open()
        check(library.streams_subscription_cancel(self._handle))

    def _check_open(self) -> None:
        """Checks here, since the library does not know this reference from others that keep the subscription alive."""
        if not self._handle:
            raise ClosedError(Status.STALE_HANDLE, "streams_subscription", "the subscription has been closed")


class Cancellable(Handle):
    """The cancellable for a running stream. **When its last reference goes away, the stream is cancelled**; so keep it.

    The functions that were passed to Publisher.sink belong to the cancellable: an object that keeps the cancellable and has
    passed one of its own methods to sink can be collected, together with both. Functions of operators belong to the stream
    instead; see streams.weak.

    As a context manager it cancels at the end of the block:

    >>> with prices.sink(print):
    ...     prices.send(3)
    """

    # Slots, since making a dictionary takes as long as making the cancellable itself.
    __slots__ = ("_functions", "_step")

    _step: Step
    _functions: Sequence[Any] | None

    @classmethod
    def _of(cls: type[C], handle: int, step: Step, functions: list[Any] | None = None) -> C:
        """The cancellable for a stream that a library function has started. Owns the receiving functions."""
        if not handle:
            made(handle)
        cancellable: C = object.__new__(cls)
        cancellable._step = step
        cancellable._functions = functions
        cancellable._handle = handle  # the last one: see _is_running
        if pending:
            try:
                raise_pending(2)
            except BaseException:
                cancellable._leave()
                raise
        return cancellable

    def _is_running(self) -> bool:
        """Whether the stream seems to run: the library empties the list of functions at the end. A stream without functions
        seems to run until it is cancelled. One that another thread is making has no handle yet."""
        return bool(getattr(self, "_handle", 0)) and (self._functions is None or len(self._functions) > 0)

    @property
    def dropped(self) -> int:
        """How many values the stream has dropped; see Subscription.dropped. It is 0 after close()."""
        return dropped(self)

    def cancel(self) -> None:
        """Ends the stream: the subscriber gets nothing more. Cancelling again, or after the end, does nothing."""
        if self._handle:
            count = library.streams_dropped(self._handle)
            try:
                status = library.streams_cancel(self._handle)
                self._functions = _CANCELLED
                if pending or status:
                    check(Status.OK if status in _CLOSED else status)
            finally:
                if count:
                    self._tell(count)

    def close(self) -> None:
        """Ends the stream, as cancel does, and releases the callbacks' last reference too."""
        # A cancellation has told of dropped values already.
        count = library.streams_dropped(self._handle) if self._handle and self._functions is not _CANCELLED else 0
        try:
            self._leave()  # which is never refused
        finally:
            self._functions = _CANCELLED
            if count:
                self._tell(count)

    # Ends the stream, as close does, and tells of nothing. Without super(), which takes longer than the library's function.
    _leave: Any = close_handle

    def __del__(self, life: Any = host.life) -> None:
        if not life.running:
            return
        try:
            handle = self._handle
        except AttributeError:
            return  # it was never made
        if handle:
            try:
                if _tells and self._functions and _is_unused(self._step):
                    text = f"the result of {self._step.name} is not kept, and so the stream is cancelled"
                    warnings.warn(text, ResourceWarning, stacklevel=2, source=self)
            finally:  # a filter may make the warning an exception
                if self._functions is not _CANCELLED and library.streams_dropped(handle):
                    Cancellable.close(self)
                else:
                    self._leave()  # in less time

    def _tell(self, count: int) -> None:
        """Warns of dropped values, once per line of code. Called last, since a filter may make the warning an exception."""
        place = self._step.place
        if place in _told:
            return
        _told.add(place)
        text = (
            f"{count} {'value was' if count == 1 else 'values were'} dropped on the way to {self._step.name}, for lack of "
            "demand or of room in a buffer: demand more, or keep more with buffer()"
        )
        file, line = ("<unknown>", 1) if place is None else (place.filename, place.line)
        warnings.warn_explicit(text, DroppedValuesWarning, file, line)

    def store(self, cancellables: Any) -> None:
        """Adds this cancellable to a set, or to anything else that has `add` or `append`, which keeps the stream running."""
        add = getattr(cancellables, "add", None) or getattr(cancellables, "append")
        add(self)

    def __enter__(self: C) -> C:
        return self

    def __exit__(self, *_: Any) -> None:
        self.cancel()
