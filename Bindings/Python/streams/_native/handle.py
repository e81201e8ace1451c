"""The common base of all objects of the library."""

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
_MARK = "_is_coroutine_mark"  # which inspect.markcoroutinefunction sets


class Setter(Generic[T_contra]):
    """How the library sets a target to the values of a publisher."""

    __slots__ = ("arguments", "function")

    def __init__(self, function: Any, *arguments: Any) -> None:
        self.function = function  # it consumes the publisher, also takes the arguments, and returns a cancellable
        self.arguments = arguments


class Target(Protocol[T_contra]):
    """A target that can be set to the values of a publisher: a CurrentValueSubject, a Binding or the publisher of a
    published attribute. They depend on publishers, so operators cannot import them."""

    def _setter(self) -> Setter[T_contra]: ...


class Handle:
    """An object of the library, released with this object, or earlier with close()."""

    # The handle, or 0 once it is closed, in a place in memory that the library can read: see _native/method.py.
    __slots__ = ("__dict__", "__weakref__", "_handle")

    # Whether a Property of it is the one that its _followed() returns.
    _is_followed = False

    _handle: int

    def __new__(cls: type[H], *_: Any, **__: Any) -> H:
        self: H = object.__new__(cls)
        self._handle = 0
        return self

    @classmethod
    def _adopt(cls: type[H], handle: int) -> H:
        """Wraps a reference, which the wrapper owns from now on."""
        wrapper: H = object.__new__(cls)
        wrapper._handle = handle
        return wrapper

    def close(self) -> None:
        """Releases the object of the library. Using it afterwards raises ClosedError; closing again does nothing."""
        # Replaced by the library's function, see _native/method.py: if several threads close, only one releases.
        raise NotImplementedError

    @property
    def closed(self) -> bool:
        """Whether close() has been called."""
        return not getattr(self, "_handle", 0)

    def __del__(self, life: Any = host.life) -> None:
        if not life.running:
            return  # objects that are left when the interpreter shuts down end with the process
        try:
            handle = self._handle
        except AttributeError:
            return  # it was never made
        if handle:
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
    """Checks that an argument of the called function, or of another operator, is callable."""
    if not callable(function):
        raise TypeError(f"{of or called()}: {name} must be callable, not {type(function).__name__}")
    return function


def as_plain(function: Any, name: str, of: str = "") -> Any:
    """Checks that an argument is callable and not a coroutine function: its coroutine would not be awaited, and would count
    as true."""
    # as_callable and _is_coroutine_function at once for most functions
    if type(function) is FunctionType and not function.__code__.co_flags & _COROUTINE and not hasattr(function, _MARK):
        return function
    if _is_coroutine_function(as_callable(function, name, of)):
        raise TypeError(
            f"{of or called()}: {name} must be a plain function, which may call asyncio.create_task: only map_async awaits "
            "the result of a coroutine function"
        )
    return function


# What functions of the package import when they need it: together that would be a quarter of the package's import time.
_LATER = ("copy", "inspect", "json", "traceback")


def _finish_imports() -> None:
    """Finishes imports before a fork: if another thread were in the middle of one, the child would wait for it for ever."""
    for name in _LATER:
        __import__(name)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_finish_imports)


def _is_coroutine_function(function: Any) -> bool:
    # The result of inspect, in a tenth of the time.
    if type(function) is FunctionType and not hasattr(function, _MARK):
        return bool(function.__code__.co_flags & _COROUTINE)
    import inspect  # only when it is needed: see _LATER

    # A signal handler may get here in the middle of that import. A coroutine function is then refused when it is called.
    asked = getattr(inspect, "iscoroutinefunction", None)
    try:
        return asked is not None and asked(function)
    except Exception:  # as attributes may raise that are functions
        return False


def function_of_library(name: str, of: Any = library) -> Any:
    """The address of a library function, which operators take as a callback."""
    return ctypes.cast(of[name], ctypes.c_void_p).value


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
