"""Handles of publishers, to pass them to and from C code in this process."""

from __future__ import annotations

from typing import Any

from .._native import ffi_generated as ffi
from .._native.errors import ClosedError, Status, StatusTypeError, check_retained
from .._native.library import library
from .._operators.publisher import Connectable, Publisher
from .subjects import Subject

_Kind = ffi.streams_kind
_CLASSES: dict[int, type[Publisher[Any]]] = {
    _Kind.PUBLISHER: Publisher,
    _Kind.SUBJECT: Subject,
    _Kind.CONNECTABLE: Connectable,
}
_END = 1 << 63  # handles are below; ctypes would truncate larger numbers


def to_handle(publisher: Publisher[Any], /) -> int:
    """The handle of a publisher, for a C function that takes a streams_publisher *. For a subject it is a streams_subject
    *, and for a Connectable a streams_connectable *.

    The handle comes with a reference, which the caller must release: pass it to a function that consumes it, such as
    operators and streams_sink, or to streams_release. The publisher itself stays as it is, and may be closed. The C code
    must use the same library: see the guide. Raises ClosedError for a closed publisher.

    >>> import ctypes
    >>> library = ctypes.CDLL("libextension.so")
    >>> library.watch.argtypes = [ctypes.c_void_p]
    >>> library.watch(to_handle(prices))
    """
    if not isinstance(publisher, Publisher):
        raise TypeError(f"to_handle: publisher must be a publisher, not {type(publisher).__name__}")
    handle = publisher._handle
    check_retained(library.streams_retain(handle), handle, "publisher")
    return handle


def from_handle(handle: int | None, /) -> Publisher[Any]:
    """The publisher, Subject or Connectable that a handle from a C function refers to.

    It takes over a reference, which it releases with the result: a handle that a function has made is yours; one that it
    only lends needs a streams_retain first. If this raises, the caller keeps the reference. Raises TypeError for a value
    that is not an integer, and for a handle of another kind; ClosedError for a handle that has been released, and for a
    number that never was a handle; ValueError for NULL, with the message of the thread's last failed call.

    >>> library.make_prices.restype = ctypes.c_void_p
    >>> prices = from_handle(library.make_prices())
    """
    # A c_void_p that is NULL is None.
    if handle is not None and not isinstance(handle, int):
        raise TypeError(f"from_handle: handle must be an int, not {type(handle).__name__}")
    if not handle:
        raise ValueError("from_handle: handle is NULL" + _last_failure())
    kind = library.streams_handle_kind(handle) if 0 < handle < _END else _Kind.NONE
    if kind == _Kind.NONE:
        message = f"{handle} has been released or consumed, or is not a handle at all"
        raise ClosedError(Status.STALE_HANDLE, "from_handle", message)
    if kind not in _CLASSES:
        message = f"{handle} is the handle of something else: {_Kind(kind).name}"
        raise StatusTypeError(Status.WRONG_KIND, "from_handle", message)
    found = _CLASSES[kind]
    publisher = found.__new__(found)
    publisher._own(handle)
    return publisher


def _last_failure() -> str:
    if library.streams_last_status() == Status.OK:
        return ""
    function, message = library.streams_last_function().decode(), library.streams_last_message().decode()
    return f"; what failed last on this thread is {function}: {message}"
