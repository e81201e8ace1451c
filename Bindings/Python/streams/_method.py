"""What leads into the library without ctypes between: a call of it costs a tenth of one through ctypes."""

import ctypes
from typing import Any, List, Optional

from . import _ffi, _host
from ._errors import Status, check_sent, raise_outcome
from ._handle import Handle
from ._library import library


class _MethodDefinition(ctypes.Structure):
    """CPython's PyMethodDef, a part of its stable interface."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


class _AttributeDefinition(ctypes.Structure):
    """CPython's PyGetSetDef, a part of its stable interface."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("get", ctypes.c_void_p),
        ("set", ctypes.c_void_p),
        ("doc", ctypes.c_char_p),
        ("closure", ctypes.c_void_p),
    ]


_METH_O = 0x0008
# Where the handle is in an object: a class's only slot comes first.
_OFFSET = object.__basicsize__
_kept: List[Any] = []  # what is made has its definition from us for as long as it lives


def _finds_handles() -> bool:
    """Whether the handle of an object is where the library will look for it."""
    probe = Handle._adopt(0)
    probe._owned = False
    probe._handle = number = 0x5EED_5EED_5EED
    return ctypes.c_void_p.from_address(id(probe) + _OFFSET).value == id(number)


_IS_POSSIBLE = _finds_handles()


def _refuse(status: int) -> None:
    """Raises the exception for a status of one of these functions."""
    raise_outcome(status)
    if status == Status.INVALID_ARGUMENT:
        raise AttributeError(library.streams_last_message().decode())
    check_sent(status)


def _function(make: Any) -> Any:
    """The address of a native function of the library's."""
    return ctypes.cast(make(_host.number, id(_refuse), _OFFSET), ctypes.c_void_p).value


def _described(make: str, kind: type, definition: Any) -> Optional[Any]:
    """What CPython makes of a definition; None if it has no function for that."""
    function = getattr(ctypes.pythonapi, make, None)
    if function is None:
        return None
    function.argtypes, function.restype = [ctypes.py_object, ctypes.c_void_p], ctypes.py_object
    _kept.append(definition)
    return function(kind, ctypes.byref(definition))


def native_send(kind: type) -> Optional[Any]:
    """The send of a class of subjects, which takes the place of the one it has, or None if there is no way to make it."""
    if not _IS_POSSIBLE:
        return None
    text = f"send($self, value, /)\n--\n\n{kind.__dict__['send'].__doc__}"
    definition = _MethodDefinition(b"send", _function(library.streams_host_send_method), _METH_O, text.encode())
    return _described("PyDescr_NewMethod", kind, definition)


def native_value(kind: type, noun: str, can_be_set: bool = True) -> Optional[Any]:
    """The same for the attribute `value` of a class of handles of which each has a value; messages call it by the noun."""
    if not _IS_POSSIBLE:
        return None
    get = _function(library.streams_host_value_getter)
    set = _function(library.streams_host_value_setter) if can_be_set else None
    doc = kind.__dict__["value"].__doc__.encode()
    named = _named(noun)
    return _described("PyDescr_NewGetSet", kind, _AttributeDefinition(b"value", get, set, doc, ctypes.addressof(named)))


def native_attribute(kind: type, name: str) -> Any:
    """The attribute of a class of observable objects that is one of their published values."""
    if not _IS_POSSIBLE:
        raise TypeError("this interpreter has no place for published attributes")
    get, set = _function(library.streams_host_value_getter), _function(library.streams_host_value_setter)
    value = _named(name)
    definition = _AttributeDefinition(name.encode(), get, set, None, ctypes.addressof(value))
    attribute: Any = _described("PyDescr_NewGetSet", kind, definition)
    # The default of an argument in the __init__ of a dataclass is the attribute itself: it leaves the value as it is.
    value.absent = id(attribute)
    return attribute


def _named(name: str) -> Any:
    """What the library's functions are told of an attribute."""
    value, text = _ffi.streams_host_attribute(), name.encode()
    value.name = ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p)
    _kept.append((value, text))
    return value
