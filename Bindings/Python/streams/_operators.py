"""What operators have in common, whatever they do."""

import ctypes
from types import CoroutineType
from typing import TYPE_CHECKING, Any, Generic, List, Optional, Tuple

from . import _host
from ._chains import Step, chain, made_here
from ._errors import check, made
from ._handle import COMBINE_VALUES, DESTROY, TRANSFORM, Handle, as_callable, as_plain
from ._library import library
from ._types import T_co

if TYPE_CHECKING:
    from ._publisher import Connectable, Publisher


class Operators(Handle, Generic[T_co]):
    """A publisher, as its operators see it."""

    def _take(self) -> int:
        """A new reference to the publisher, for an operator to consume."""
        handle = self._handle
        status = library.streams_retain(handle)
        if status:
            check(status)
        return handle

    def _as_subject(self) -> int:
        """The handle, if values can be sent to it."""
        raise TypeError(f"a Subject is needed, not {type(self).__name__}")

    def _setter(self) -> "Tuple[Any, ...]":
        return library.streams_assign, self._as_subject()

    # What it is made of; see _chains.
    _step: Optional[Step] = None

    def _own(self, handle: int, callback: Any = None) -> None:
        """Makes this a source, which owns a publisher of the library; the callback is what the library calls."""
        self._handle = handle
        self._step = made_here(None, callback)

    def _of(self, handle: int, callback: Any = None) -> "Publisher[Any]":
        """The publisher that an operator has made: Publisher knows its own class."""
        raise NotImplementedError

    def _connectable_of(self, handle: int) -> "Connectable[Any]":
        raise NotImplementedError

    def __repr__(self) -> str:
        made_of = f": {chain(self._step)}>" if self._step is not None else ">"
        return super().__repr__()[:-1] + made_of

    def _applied(self, function: Any, *arguments: Any) -> "Publisher[Any]":
        return self._of(made(function(self._take(), *arguments)))

    def _with(self, function: Any, other: Any, name: str = "other", callback: Any = None) -> "Publisher[Any]":
        """Applies an operator that takes another publisher."""
        if not isinstance(other, Operators):
            raise TypeError(f"{name} must be a Publisher, not {type(other).__name__}")
        taken = other._take()
        try:
            publisher = self._take()
        except BaseException:
            library.streams_release(taken)
            raise
        return self._of(made(function(publisher, taken)), callback)

    def _with_calling(self, function: Any, other: Any, shape: Any, callback: Any, name: str) -> "Publisher[Any]":
        """The same for one that takes a callback of this shape too."""
        as_callable(callback, name)

        def called(publisher: int, taken: int) -> Any:
            context = library.streams_callable_create(_host.number, callback)
            return function(publisher, taken, shape, context, DESTROY)

        return self._with(called, other, callback=callback)

    def _joined(self, function: Any, *others: Any, combine: Any = None) -> int:
        """What a function of the library makes of several publishers, and of a function of their values if there is one."""
        if combine is not None:
            as_plain(combine, "combine")
        taken: List[int] = []
        try:
            for index, each in enumerate((self, *others)):
                taken.append(handed_over(each, f"argument {index}"))
        except BaseException:
            for handle in taken:
                library.streams_release(handle)
            raise
        callback: Tuple[Any, ...] = ()
        if combine is not None:
            callback = (COMBINE_VALUES, library.streams_callable_create(_host.number, combine), DESTROY)
        return made(function((ctypes.c_void_p * len(taken))(*taken), len(taken), *callback))

    def _tuples(self, handle: int) -> "Publisher[Any]":
        """A publisher of tuples in the place of the lists that another one publishes, which is consumed."""
        context = library.streams_callable_create(_host.number, tuple)
        return self._of(made(library.streams_map(handle, TRANSFORM, context, DESTROY)))

    def _calling(self, function: Any, shape: Any, callback: Any, name: str, *extra: Any) -> "Publisher[Any]":
        """Applies an operator that takes a callback of this shape; the extra arguments come before it."""
        as_callable(callback, name)
        taken = self._take()
        context = library.streams_callable_create(_host.number, callback)
        return self._of(made(function(taken, *extra, shape, context, DESTROY)), callback)


def handed_over(publisher: Any, name: str) -> int:
    """A reference to a publisher that a callback has returned, or that is an argument."""
    if not isinstance(publisher, Operators):
        verb = "be" if name.startswith("argument") else "return"
        if isinstance(publisher, CoroutineType):
            publisher.close()
            raise TypeError(f"{name} must {verb} a Publisher, not a coroutine, which map_async awaits")
        hint = ", of which from_iterable makes one" if hasattr(publisher, "__iter__") and verb == "return" else ""
        raise TypeError(f"{name} must {verb} a Publisher, not {type(publisher).__name__}{hint}")
    return publisher._take()


def as_subject(target: Any) -> int:
    """The handle of a subject."""
    if isinstance(target, Operators):
        return target._as_subject()
    hint = ": functions are for sink" if callable(target) else ""
    raise TypeError(f"a Subject is needed, not {type(target).__name__}{hint}")


def as_target(to: Any) -> "Tuple[Any, ...]":
    """The function of the library that assigns publishers to something that takes values, and what it is given besides."""
    if isinstance(to, Handle):
        return to._setter()
    raise TypeError(f"a CurrentValueSubject, a Binding or the publisher of a published attribute is needed, not {type(to).__name__}")
