"""Functions that call the library without ctypes: a call costs a tenth of one through ctypes."""

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
# The offset of the handle in an object: the only slot of a class comes first.
_OFFSET = object.__basicsize__
_kept = host.kept


def _finds_handles() -> bool:
    """Whether an object's handle is where the library looks for it."""
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
    """The address of a native function of the library."""
    return host.native(make, id(_refuse), _OFFSET)


def _described(make: str, kind: type, definition: Any) -> Any:
    """The object that CPython makes from a definition, which must live as long as the object."""
    function = getattr(ctypes.pythonapi, make)
    function.argtypes, function.restype = [ctypes.py_object, ctypes.c_void_p], ctypes.py_object
    return function(kind, ctypes.byref(definition))


def _method(kind: type, name: str, parameters: str, function: Any, flags: int) -> Any:
    text = f"{name}({parameters})\n--\n\n{_doc(kind, name)}"
    definition = _MethodDefinition(name.encode(), _function(function), flags, text.encode())
    _kept.append(definition)
    return _described("PyDescr_NewMethod", kind, definition)


def _doc(kind: type, name: str) -> str:
    """The docstring, which `python -OO` leaves out."""
    return kind.__dict__[name].__doc__ or ""


def native_send(kind: type) -> Any:
    """The native `send` for a class of subjects, which replaces its own."""
    return _method(kind, "send", "$self, value, /", library.streams_host_send_method, _METH_O)


def native_value(kind: type, noun: str, can_be_set: bool = True) -> Any:
    """The native attribute `value` for a class of handles with a value; messages use the noun."""
    get = _function(library.streams_host_value_getter)
    set = _function(library.streams_host_value_setter) if can_be_set else None
    named = _named(noun)
    definition = _AttributeDefinition(b"value", get, set, _doc(kind, "value").encode(), ctypes.addressof(named))
    _kept.append((named, definition))
    return _described("PyDescr_NewGetSet", kind, definition)


def native_attribute(kind: type, name: str) -> tuple[Any, Any]:
    """The native attribute for a published value in a class of observable objects, and the objects that the class must keep
    as long."""
    get, set = _function(library.streams_host_value_getter), _function(library.streams_host_value_setter)
    value = _named(name)
    definition = _AttributeDefinition(name.encode(), get, set, None, ctypes.addressof(value))
    attribute: Any = _described("PyDescr_NewGetSet", kind, definition)
    # In a dataclass the default of an __init__ argument is the attribute itself: setting that leaves the value as it is.
    value.absent = id(attribute)
    return attribute, (value, definition)


def _named(name: str) -> Any:
    """The name of an attribute for the library's functions."""
    value = ffi.streams_host_attribute()
    value.text = text = name.encode()
    value.name = ctypes.cast(ctypes.c_char_p(text), ctypes.c_void_p)
    return value


# Functions that may wait for something other than their turn, which must release the interpreter's lock, as ctypes does, or
# that may run for long.
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
# Functions that return a number that is no status, and fits into a signed word.
_COUNTING = frozenset({"streams_dropped", "streams_scheduler_now", "streams_scheduler_schedule"})
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
    """Whether a parameter is an integer, or a pointer that callers pass as one."""
    return kind in _WORDS or kind is ctypes.py_object


def _native(name: str, declared: Any, call: int) -> Any:
    """A function that calls a library function in place of ctypes, with the same arguments."""
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


def of_words(function: Any, parameters: int) -> Any:
    """A function that calls the given one without ctypes: it takes addresses and numbers, and returns a status."""
    address = ctypes.cast(function, ctypes.c_void_p).value
    declared = ctypes.CFUNCTYPE(ctypes.c_int, *[ctypes.c_void_p] * parameters)(address or 0)
    _kept.append(declared)
    return _native(function.__name__, declared, _call)


def without_ctypes(name: str, declared: Any) -> Any:
    """A function that does not use ctypes, for one of a library whose arguments are words; others themselves."""
    result, parameters = declared.restype, declared.argtypes
    if name in _WAITING or (result not in (ctypes.c_int, ctypes.c_void_p) and name not in _COUNTING):
        return declared
    if len(parameters) > ffi.STREAMS_HOST_PARAMETERS or not all(map(_is_word, parameters)):
        return declared
    return _native(name, declared, _call)


_call = _function(library.streams_host_call)
library.replacement = without_ctypes
for _name in library.functions.keys() & vars(library).keys():  # those that have been used already
    delattr(library, _name)
close = _method(Handle, "close", "$self, /", library.streams_host_close_method, _METH_NOARGS)
setattr(Handle, "close", close)
