"""Functions that do not keep their object alive."""

from __future__ import annotations

import weakref
from typing import Any, Callable

from .handle import as_callable


def weak(function: Callable[..., Any], default: Any = None) -> Callable[..., Any]:
    """A function that calls a method without keeping the method's object alive.

    For the functions of operators, create() and from_iterable(): a publisher keeps them while it lives, and a stream while
    it runs, where Python's collector cannot see them. If an object keeps a publisher or a cancellable and has passed to an
    operator a method of its own, or a function that refers to it, the object is not collected before the publisher or the
    cancellable is closed. Functions passed to sink() need no weak(). Once the object is gone, the result of a call is
    `default`.

    >>> self.euros = prices.map(weak(self.convert))
    >>> self.cancellable = prices.filter(weak(self.is_of_interest)).sink(self.show)
    """
    as_callable(function, "function")
    return _Weak(function, default)


class _Weak:
    __slots__ = ("_default", "_reference")

    def __init__(self, function: Callable[..., Any], default: Any) -> None:
        bound = hasattr(function, "__self__") and hasattr(function, "__func__")
        self._reference: Any = weakref.WeakMethod(function) if bound else weakref.ref(function)
        self._default = default

    def __call__(self, *arguments: Any) -> Any:
        function: Callable[..., Any] | None = self._reference()
        return self._default if function is None else function(*arguments)
