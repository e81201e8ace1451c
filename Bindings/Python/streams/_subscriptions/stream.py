"""The common base of publishers."""

from __future__ import annotations

from types import CoroutineType
from typing import Any, Generic, NoReturn

from .._native.errors import check_retained
from .._native.handle import Handle, Setter
from .._native.library import library
from .._native.tracing import Labels
from .._program.chains import Step, chain, made_here
from .._program.types import T_co


class Stream(Handle, Generic[T_co]):
    """A publisher, as its subscribers and operators see it."""

    def _take(self) -> int:
        """A new reference to the publisher, for an operator to consume."""
        handle = self._handle
        status = library.streams_retain(handle)
        if status:
            check_retained(status, handle, "publisher")
        return handle

    def _as_subject(self) -> int:
        """The handle, if it is a subject."""
        raise TypeError(f"a Subject is needed, not {type(self).__name__}")

    def _setter(self) -> Setter[NoReturn]:
        return Setter(library.streams_assign, self._as_subject())

    # The publisher's operator or source; see _program/chains.py.
    _step: Step | None = None

    def _own(self, handle: int, callback: Any = None) -> None:
        """Makes this a source, which owns a publisher of the library; the library calls the callback."""
        self._handle = handle
        self._step = made_here(None, callback)
        if Labels.are_shown:
            Labels.give(handle, self._step)

    def __repr__(self) -> str:
        made_of = f": {chain(self._step)}>" if self._step is not None else ">"
        return super().__repr__()[:-1] + made_of


def handed_over(publisher: Any, name: str) -> int:
    """A reference to a publisher that a callback has returned, or that is an argument."""
    if not isinstance(publisher, Stream):
        verb = "be" if name.startswith("argument") else "return"
        if isinstance(publisher, CoroutineType):
            publisher.close()
            raise TypeError(f"{name} must {verb} a Publisher, not a coroutine, which map_async awaits")
        hint = ", of which from_iterable makes one" if hasattr(publisher, "__iter__") and verb == "return" else ""
        raise TypeError(f"{name} must {verb} a Publisher, not {type(publisher).__name__}{hint}")
    return publisher._take()


def as_subject(target: Any) -> int:
    """The handle of a subject."""
    if isinstance(target, Stream):
        return target._as_subject()
    hint = ": functions are for sink" if callable(target) else ""
    raise TypeError(f"a Subject is needed, not {type(target).__name__}{hint}")


def as_setter(to: Any) -> Setter[Any]:
    """How the library sets something to the values of a publisher."""
    if isinstance(to, Handle):
        return to._setter()
    raise TypeError(
        f"a CurrentValueSubject, a Binding or the publisher of a published attribute is needed, not {type(to).__name__}"
    )
