"""Custom operators."""

from __future__ import annotations

import functools
from typing import Any, Callable, Protocol

from .._native import ffi_generated as ffi
from .._native import host
from .._native.errors import check, made
from .._native.handle import as_callable, as_plain
from .._native.library import library
from .._program.chains import Step, stands_behind
from .._program.types import T_contra
from .._subscriptions.emitter import Emitter
from .._subscriptions.sink import explained


class Operator(Protocol[T_contra]):
    """One subscription to a publisher that was made with lift().

    Its methods are never called concurrently, nor after the end or a cancellation. An exception in one fails the stream.
    """

    def on_value(self, value: T_contra, /) -> Any:
        """Handles a value: sends nothing, one value or many with the emitter. Values that are not demanded yet are kept and
        delivered later, and nothing more is demanded of the publisher until then.

        A method `on_completion`, if there is one, is called at the publisher's end, with its exception or None; the stream
        then ends in the same way, after the values that are sent, unless the emitter has ended it otherwise. A method
        `close`, if there is one, is called once, after the end or a cancellation.
        """


def lifted(publisher: int, begin: Callable[[Emitter[Any]], Operator[Any] | Callable[[Any], Any]], step: Step | None) -> int:
    """The handle of a publisher with a custom operator applied; consumes the upstream's handle."""
    behavior = ffi.streams_operator()
    open_ = functools.partial(_Lifted, begin, step)
    functions = (id(open_), id(_Lifted.receive), id(_Lifted.complete), id(_Lifted.end))
    try:
        check(library.streams_host_operator(host.number, *functions, behavior))
    except BaseException:
        library.streams_release(publisher)
        raise
    return made(library.streams_lift(publisher, behavior))


class _Lifted:
    """The state of one subscription."""

    __slots__ = ("_close", "_complete", "_receive", "_step", "emitter")

    def __init__(self, begin: Any, step: Step | None, handle: int) -> None:
        check(library.streams_retain(handle))
        self.emitter: Emitter[Any] = Emitter._adopt(handle)
        self._step = step
        operator = begin(self.emitter)
        self._receive = as_plain(getattr(operator, "on_value", operator), "what begin returns", "lift")
        self._complete = getattr(operator, "on_completion", None)
        if self._complete is not None:
            as_callable(self._complete, "on_completion", "lift")
        self._close = getattr(operator, "close", None)

    def receive(self, value: Any) -> None:
        self._receive(value)

    def complete(self, handle: int | None) -> None:
        if self._complete is not None:
            self._complete(None if handle is None else explained(handle, self._step))

    def end(self) -> None:
        if self._close is not None:
            self._close()


stands_behind("lift", _Lifted.__init__, _Lifted.receive, _Lifted.complete)
