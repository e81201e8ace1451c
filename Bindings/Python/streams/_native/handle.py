"""What all objects of the library have in common."""

from __future__ import annotations

import ctypes
import os
from types import FunctionType
from typing import Any, Generic, NoReturn, Protocol, TypeVar

from .._program.places import called
from .._program.types import T_contra
from . import host
from .library import library

H = TypeVar("H", bound="Handle")

_COROUTINE = 0x80  # inspect.CO_COROUTINE


class Setter(Generic[T_contra]):
    """How the library sets something to the values of a publisher."""

    __slots__ = ("arguments", "function")

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.function = function  # it consumes the publisher, takes the arguments besides, and gives a cancellable
        self.arguments = arguments


class Target(Protocol[T_contra]):
    """What can be set to the values of a publisher: a CurrentValueSubject, a Binding or the publisher of a published
    attribute. They are made of publishers, so operators do not know them."""

    def _setter(self) -> Setter[T_contra]: ...


class Handle:
    """An object of the library. It is let go when Python releases this one, or earlier with close()."""

    # The handle, or 0 once it is closed, in a place in memory that the library can read: see _native/method.py.
    __slots__ = ("__dict__", "__weakref__", "_handle")

    # Whether a Property of it is what its _followed() gives.
    _is_followed = False

    _handle: int

    def __new__(cls: type[H], *_: Any, **__: Any) -> H:
        self: H = object.__new__(cls)
        self._handle = 0
        return self

    @classmethod
    def _adopt(cls: type[H], handle: int) -> H:
        """Wraps a reference, which belongs to the wrapper from now on."""
        wrapper: H = object.__new__(cls)
        wrapper._handle = handle
        return wrapper

    def close(self) -> None:
        """Releases the object of the library. Using it afterwards raises ClosedError; closing again does nothing."""
        # The library's own stands here, see _native/method.py: where several threads close at once, one does.
        raise NotImplementedError

    @property
    def closed(self) -> bool:
        """Whether close() has been called."""
        return not getattr(self, "_handle", 0)

    def __del__(self) -> None:
        # What is left when the interpreter shuts down goes with the process.
        if host is not None and host.life.running and getattr(self, "_handle", None):
            self.close()

    def _setter(self) -> Setter[NoReturn]:
        """How the library sets this to the values of a publisher."""
        raise TypeError(f"a {type(self).__name__} cannot be assigned to")

    def __repr__(self) -> str:
        state = " (closed)" if self.closed else ""
        return f"<{type(self).__module__}.{type(self).__qualname__} at {id(self):#x}{state}>"

    def __copy__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be copied")

    def __reduce__(self) -> Any:
        raise TypeError(f"a {type(self).__name__} cannot be copied or pickled")


class Closing(Handle):
    """A Handle that `with` closes at the end of its block."""

    def __enter__(self: H) -> H:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def as_callable(function: Any, name: str, of: str = "") -> Any:
    """Checks that an argument, of what the program has called or of another operator, can be called."""
    if not callable(function):
        raise TypeError(f"{of or called()}: {name} must be callable, not {type(function).__name__}")
    return function


def as_plain(function: Any, name: str, of: str = "") -> Any:
    """The same for a function whose coroutine nobody would await, or would be taken for a true result."""
    if _is_coroutine_function(as_callable(function, name, of)):
        raise TypeError(
            f"{of or called()}: {name} must be a plain function, which may call asyncio.create_task: nobody awaits another, "
            "except for map_async"
        )
    return function


def _finish_imports() -> None:
    """Where a thread is in the middle of an import, the child of a fork would wait for it for ever."""
    import inspect as _  # noqa: F401, and what that imports: dis, linecache


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_finish_imports)


def _is_coroutine_function(function: Any) -> bool:
    # As inspect answers, in a tenth of the time.
    if type(function) is FunctionType and not hasattr(function, "_is_coroutine_mark"):
        return bool(function.__code__.co_flags & _COROUTINE)
    import inspect  # only when it is needed: it takes a tenth of the time in which the package is imported

    # A signal's handler may ask in the middle of that import. What is called in spite of it is refused then.
    asked = getattr(inspect, "iscoroutinefunction", None)
    try:
        return asked is not None and asked(function)
    except Exception:  # as attributes may raise that are functions
        return False


def function_of_library(name: str) -> Any:
    """The address of a function of the library, as operators take callbacks."""
    return ctypes.cast(getattr(library, name), ctypes.c_void_p).value


TRANSFORM = function_of_library("streams_callable_transform")
TRANSFORM_BATCH = function_of_library("streams_callable_transform_batch")
PREDICATE = function_of_library("streams_callable_predicate")
COMPARE = function_of_library("streams_callable_compare")
ORDER = function_of_library("streams_callable_order")
COMBINE = function_of_library("streams_callable_combine")
COMBINE_VALUES = function_of_library("streams_callable_combine_values")
EXPAND = function_of_library("streams_callable_expand")
EXPAND_PROPERTY = function_of_library("streams_callable_expand_property")
RECOVER = function_of_library("streams_callable_recover")
TRANSFORM_ERROR = function_of_library("streams_callable_transform_error")
MAKE_PUBLISHER = function_of_library("streams_callable_make_publisher")
MAKE_ERROR = function_of_library("streams_callable_make_error")
ERROR_PREDICATE = function_of_library("streams_callable_error_predicate")
WRITE = function_of_library("streams_callable_write")
ACTION = function_of_library("streams_callable_action")
DESTROY = function_of_library("streams_callable_destroy")
