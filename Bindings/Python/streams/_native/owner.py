"""The owner of a sink's functions: a list in which the library finds them, and which it does not keep alive."""

from __future__ import annotations

import ctypes
import weakref
from typing import TYPE_CHECKING, Any, Callable

from . import host
from .library import library

_FINALIZE, _SUBCLASSES = 80, 1 << 10  # Py_tp_finalize, and Py_TPFLAGS_BASETYPE


class _Slot(ctypes.Structure):
    """CPython's PyType_Slot, a part of its stable interface, as is the next one."""

    _fields_ = [("slot", ctypes.c_int), ("function", ctypes.c_void_p)]


class _Specification(ctypes.Structure):
    """CPython's PyType_Spec."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("size", ctypes.c_int),
        ("item_size", ctypes.c_int),
        ("flags", ctypes.c_uint),
        ("slots", ctypes.c_void_p),
    ]


def _telling_list() -> Any:
    """A list type with an extra word for the library. Before a list releases its items, and before the collector clears
    them, it notifies the library by a C function, which cannot fail however deep calls are nested."""
    offset = list.__basicsize__
    tell = host.native(library.streams_host_owner_finalizer, offset)
    slots = (_Slot * 2)(_Slot(_FINALIZE, tell))
    size = offset + ctypes.sizeof(ctypes.c_void_p)
    name = f"{__name__}.Telling".encode()
    kind = _Specification(name, size, 0, _SUBCLASSES, ctypes.addressof(slots))
    host.kept.extend((kind, name, slots))
    make = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object)(
        ("PyType_FromSpecWithBases", ctypes.pythonapi)
    )
    return make(ctypes.addressof(kind), (list,))


if TYPE_CHECKING:
    _List = list[Any]
else:
    _List = _telling_list() if host.counts else list


class Functions(_List):
    """The functions of a sink. The library reads them here, and does not keep them alive: the cancellable does."""

    __slots__ = ("__weakref__",)


def _none(_: Functions) -> None:
    pass


# Makes the reference by which the library finds a list of functions; None if the library cannot read it.
owner_of: Callable[[Functions], Any] = weakref.ref if host.has_weak_references else _none
