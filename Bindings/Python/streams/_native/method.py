"""What leads into the library without ctypes between: a call of it costs a tenth of one through ctypes."""

from __future__ import annotations

import ctypes
from typing import Any

from . import ffi_generated as ffi
from . import host
from .errors import Status, check_sent, raise_outcome
from .handle import Handle
from .library import library


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


_METH_NOARGS, _METH_O, _METH_FASTCALL = 0x0004, 0x0008, 0x0080
# Where the handle is in an object: a class's only slot comes first.
_OFFSET = object.__basicsize__
_kept = host.kept


def _finds_handles() -> bool:
    """Whether the handle of an object is where the library will look for it."""
    probe = Handle._adopt(0)
    probe._handle = number = 0x5EED_5EED_5EED
    found = ctypes.c_void_p.from_address(id(probe) + _OFFSET).value
    probe._handle = 0
    return found == id(number)


if not _finds_handles():
    raise ImportError("the objects of this interpreter are not made as CPython's are")


def _refuse(status: int) -> None:
    """Raises the exception for a status of one of these functions."""
    raise_outcome(status)
    if status == Status.INVALID_ARGUMENT:
        raise AttributeError(library.streams_last_message().decode())
    check_sent(status)


def _function(make: Any) -> Any:
    """The address of a native function of the library's."""
    return host.native(make, id(_refuse), _OFFSET)


def _described(make: str, kind: type, definition: Any) -> Any:
    """What CPython makes of a definition, which has to live as long."""
    function = getattr(ctypes.pythonapi, make)
    function.argtypes, function.restype = [ctypes.py_object, ctypes.c_void_p], ctypes.py_object
    return function(kind, ctypes.byref(definition))


def _method(kind: type, name: str, parameters: str, function: Any, flags: int) -> Any:
    text = f"{name}({parameters})\n--\n\n{_doc(kind, name)}"
    definition = _MethodDefinition(name.encode(), _function(function), flags, text.encode())
    _kept.append(definition)
    return _described("PyDescr_NewMethod", kind, definition)


def _doc(kind: type, name: str) -> str:
    """What help says, which `python -OO` leaves out."""
    return kind.__dict__[name].__doc__ or ""


def native_send(kind: type) -> Any:
    """The send of a class of subjects, which takes the place of the one it has."""
    return _method(kind, "send", "$self, value, /", library.streams_host_send_method, _METH_O)


def native_value(kind: type, noun: str, can_be_set: bool = True) -> Any:
    """The same for the attribute `value` of a class of handles of which each has a value; messages call it by the noun."""
    get = _function(library.streams_host_value_getter)
    set = _function(library.streams_host_value_setter) if can_be_set else None
    named = _named(noun)
    definition = _AttributeDefinition(b"value", get, set, _doc(kind, "value").encode(), ctypes.addressof(named))
    _kept.append((named, definition))
    return _described("PyDescr_NewGetSet", kind, definition)


def native_attribute(kind: type, name: str) -> tuple[Any, Any]:
    """The attribute of a class of observable objects that is one of their published values, and what the class is to keep
    for as long as it has that."""
    get, set = _function(library.streams_host_value_getter), _function(library.streams_host_value_setter)
    value = _named(name)
    definition = _AttributeDefinition(name.encode(), get, set, None, ctypes.addressof(value))
    attribute: Any = _described("PyDescr_NewGetSet", kind, definition)
    # The default of an argument in the __init__ of a dataclass is the attribute itself: it leaves the value as it is.
    value.absent = id(attribute)
    return attribute, (value, definition)


def _named(name: str) -> Any:
    """What the library's functions are told of an attribute."""
    value = ffi.streams_host_attribute()
    value.text = text = name.encode()
    value.name = ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p)
    return value


# Those that may wait for something else than their turn, for which the interpreter's lock has to be given away, as ctypes
# does, or that may run for long.
_WAITING = frozenset(
    {
        "streams_host_retire",
        "streams_loop_run",
        "streams_loop_run_once",
        "streams_loop_run_until",
        "streams_virtual_scheduler_advance",
        "streams_virtual_scheduler_run",
    }
)
_WORDS = (
    ctypes.c_void_p,
    ffi.function_address,
    ctypes.c_int,
    ctypes.c_long,
    ctypes.c_int64,
    ctypes.c_uint64,
    ctypes.c_uint32,
    ctypes.c_bool,
)
_make_function: Any = ctypes.pythonapi.PyCFunction_NewEx
_make_function.argtypes, _make_function.restype = [ctypes.c_void_p, ctypes.py_object, ctypes.py_object], ctypes.py_object


def _is_word(kind: Any) -> bool:
    """Whether a parameter is an integer, or a pointer that a caller has as one."""
    return kind in _WORDS or kind is ctypes.py_object


def _native(name: str, declared: Any, call: int) -> Any:
    """What calls a function of the library in the place of ctypes, with the same arguments."""
    function = ffi.streams_host_function()
    text = name.encode()
    function.name = ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p)
    function.function = ctypes.cast(declared, ctypes.c_void_p).value
    function.parameters = len(declared.argtypes)
    function.objects = sum(1 << at for at, kind in enumerate(declared.argtypes) if kind is ctypes.py_object)
    function.returns_int = declared.restype is ctypes.c_int
    definition = _MethodDefinition(text, call, _METH_FASTCALL, None)
    _kept.append((function, text, definition))
    return _make_function(ctypes.addressof(definition), ctypes.addressof(function), None)


def _replace() -> None:
    """Has the functions whose arguments are words called without ctypes."""
    call = _function(library.streams_host_call)
    for name in ffi.FUNCTIONS:
        declared = getattr(library, name)
        if not hasattr(declared, "restype"):
            continue  # it has been replaced, and this module is loaded again
        if name in _WAITING or declared.restype not in (ctypes.c_int, ctypes.c_void_p):
            continue
        if len(declared.argtypes) <= ffi.STREAMS_HOST_PARAMETERS and all(map(_is_word, declared.argtypes)):
            setattr(library, name, _native(name, declared, call))


_replace()
setattr(Handle, "close", _method(Handle, "close", "$self, /", library.streams_host_close_method, _METH_NOARGS))
