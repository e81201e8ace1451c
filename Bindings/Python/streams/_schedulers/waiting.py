"""Functions that wait until the library calls them."""

from __future__ import annotations

import weakref
from collections.abc import MutableMapping
from contextvars import Context, copy_context
from typing import Any, Callable

from .._native import host
from .._native.errors import ClosedError, made
from .._native.handle import Closing, as_plain
from .._native.library import library
from .._program.escapes import escape

_number, _weak, _create = host.number, weakref.ref, library.streams_callable_create


class Waiting(Closing):
    """An object that has waiting functions. It owns them, and the library refers to them: so Python's collector can see a
    cycle of a function and this object."""

    # Each with the context variables of its caller.
    _waiting: MutableMapping[Call, tuple[Context, Callable[[], Any]]] | None = None
    _new_waiting: Callable[[], MutableMapping[Call, tuple[Context, Callable[[], Any]]]] = dict

    def _keep(self, function: Callable[[], Any]) -> Call:
        call, waiting = Call(), self._waiting
        call.owner, call.function = _weak(self), None
        if waiting is None:
            waiting = self.__dict__.setdefault("_waiting", self._new_waiting())
        waiting[call] = copy_context(), as_plain(function, "function")
        return call

    def _take(self, call: Call) -> tuple[Context, Callable[[], Any]] | None:
        return self._waiting.pop(call, None) if self._waiting is not None else None

    def close(self) -> None:
        """Releases it, which drops the functions that wait."""
        super().close()
        self.__dict__.pop("_waiting", None)


class Call:
    """The library calls this, with None, when a function's time has come."""

    __slots__ = ("__weakref__", "function", "owner")

    # Set by _keep: an __init__ would take a third of the time that scheduling takes.
    owner: weakref.ref[Waiting]
    function: Callable[[], Any] | None  # once it is called

    def context(self) -> int:
        """Of a callback that is an action of the library's."""
        found: int = _create(_number, self) or made(0)
        return found

    def __call__(self, _: None) -> None:
        owner = self.owner()
        found = None if owner is None else owner._take(self)
        del owner  # the function may hold its last reference
        if found is not None:
            context, self.function = found
            _run(context, self.function)

    def __repr__(self) -> str:
        return f"scheduled {self.function!r}"


def _run(context: Context, function: Callable[[], Any]) -> None:
    try:
        context.run(function)
    except BaseException as error:
        if not host.life.running and isinstance(error, (ClosedError, SystemExit)):
            return  # the interpreter has ended, which this thread cannot know
        if isinstance(error, Exception):
            raise
        # Is raised by the call that runs the scheduler.
        escape(error, 3)
