"""Methods that lead into the library without ctypes between: a call of one costs a tenth of a call through ctypes."""

import ctypes
from typing import Any, Callable, Optional

from . import _host
from ._errors import check_sent
from ._library import library


class _MethodDefinition(ctypes.Structure):
    """CPython's PyMethodDef, a part of its stable interface."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


_METH_O = 0x0008


class _Reference:
    """A reference to a handle, which a method keeps for as long as it lives."""

    def __init__(self, handle: int) -> None:
        self._handle = handle
        library.streams_retain(handle)

    def __del__(self) -> None:
        if _host is not None and _host.life.running:
            library.streams_release(self._handle)


def _define(name: bytes, doc: Optional[str]) -> Optional[_MethodDefinition]:
    function = library.streams_host_send_method(_host.number, id(check_sent))
    address = ctypes.cast(function, ctypes.c_void_p).value
    if address is None or _make is None:
        return None
    return _MethodDefinition(name, address, _METH_O, doc.encode() if doc else None)


def _find_make() -> Optional[Callable[..., Any]]:
    make = getattr(ctypes.pythonapi, "PyCFunction_NewEx", None)
    if make is not None:
        make.argtypes = [ctypes.POINTER(_MethodDefinition), ctypes.py_object, ctypes.py_object]
        make.restype = ctypes.py_object
    return make


_make = _find_make()
_send = _define(b"send", "Sends a value to all subscribers, which have had it when this returns.")


def send_method(handle: int) -> Optional[Callable[[Any], None]]:
    """The send of the subject with a handle, or None if this interpreter has no way to make it."""
    if _send is None or _make is None:
        return None
    method: Callable[[Any], None] = _make(ctypes.byref(_send), handle, _Reference(handle))
    return method
