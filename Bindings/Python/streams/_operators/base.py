"""Functions that all families of operators use."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

from .._native import host
from .._native.errors import made
from .._native.handle import COMBINE_VALUES, DESTROY, TRANSFORM, as_callable, as_plain
from .._native.library import library
from .._program.chains import Step, made_with
from .._program.types import T_co
from .._subscriptions.stream import Stream, handed_over

if TYPE_CHECKING:
    from .publisher import Connectable, Publisher

_number, _create = host.number, library.streams_callable_create


class Operators(Stream[T_co]):
    """A publisher, as its operators see it."""

    def _of(self, handle: int, callback: Any = None) -> Publisher[Any]:
        """The publisher that an operator has made; Publisher implements this, since it knows its own class."""
        raise NotImplementedError

    def _made(self, handle: int, step: Step) -> Publisher[Any]:
        """The publisher for a handle and a step."""
        raise NotImplementedError

    def _connectable_of(self, handle: int) -> Connectable[Any]:
        raise NotImplementedError

    def _applied(self, function: Any, *arguments: Any) -> Publisher[Any]:
        return self._of(made(function(self._take(), *arguments)))

    def _with(self, function: Any, other: Any, name: str = "other", callback: Any = None) -> Publisher[Any]:
        """Applies an operator that takes another publisher."""
        if not isinstance(other, Stream):
            raise TypeError(f"{name} must be a Publisher, not {type(other).__name__}")
        taken = other._take()
        try:
            publisher = self._take()
        except BaseException:
            library.streams_release(taken)
            raise
        return self._of(made(function(publisher, taken)), callback)

    def _with_calling(self, function: Any, other: Any, shape: Any, callback: Any, name: str) -> Publisher[Any]:
        """Applies an operator that takes another publisher and a callback of this shape."""
        as_callable(callback, name)

        def called(publisher: int, taken: int) -> Any:
            context = library.streams_callable_create(host.number, callback)
            return function(publisher, taken, shape, context, DESTROY)

        return self._with(called, other, callback=callback)

    def _joined(self, function: Any, *others: Any, combine: Any = None) -> int:
        """The handle that a library function makes of several publishers and, if given, of a function of their
        values."""
        if combine is not None:
            as_plain(combine, "combine")
        taken: list[int] = []
        try:
            for index, each in enumerate((self, *others)):
                taken.append(handed_over(each, f"argument {index}"))
        except BaseException:
            for handle in taken:
                library.streams_release(handle)
            raise
        callback: tuple[Any, ...] = ()
        if combine is not None:
            callback = (COMBINE_VALUES, library.streams_callable_create(host.number, combine), DESTROY)
        return made(function((ctypes.c_void_p * len(taken))(*taken), len(taken), *callback))

    def _tuples(self, handle: int) -> Publisher[Any]:
        """A publisher that turns another one's lists into tuples; it consumes that publisher."""
        context = library.streams_callable_create(host.number, tuple)
        return self._of(made(library.streams_map(handle, TRANSFORM, context, DESTROY)))

    def _calling(self, function: Any, shape: Any, callback: Any, name: str, *extra: Any) -> Publisher[Any]:
        """Applies an operator that takes a callback of this shape; the extra arguments come before it."""
        as_callable(callback, name)
        taken = self._take()
        context = library.streams_callable_create(host.number, callback)
        return self._of(made(function(taken, *extra, shape, context, DESTROY)), callback)

    def _plainly(self, name: str, operator: Any, shape: Any, function: Any, argument: str) -> Publisher[Any]:
        """Applies the operator of this name, whose only argument is a plain function of this shape."""
        as_plain(function, argument)
        taken = self._take()
        handle = operator(taken, shape, _create(_number, function), DESTROY) or made(0)
        return self._made(handle, made_with(name, function, self._step, 3))
