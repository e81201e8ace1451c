"""Registers the interpreter with the library.

The library gets the addresses of CPython's own C functions. From then on it calls Python functions directly, and takes the
interpreter's lock once for a series of calls instead of once for each.
"""

from __future__ import annotations

import atexit
import ctypes
import itertools
import sys
import threading
import types
import weakref
from typing import Any, Callable

from .._program import escapes
from .._program.demand import returned_demand
from .._program.depth import raising_recursion_errors
from . import ffi_generated as ffi
from .library import library

# The fields of streams_host and the CPython functions for them, the best one first.
_FUNCTIONS = {
    "enter": ["PyGILState_Ensure"],
    "leave": ["PyGILState_Release"],
    "holds": ["PyGILState_Check"],
    "suspend": ["PyEval_SaveThread"],
    "resume": ["PyEval_RestoreThread"],
    "retain": ["Py_IncRef"],
    "release": ["Py_DecRef"],
    "call_one": ["PyObject_CallOneArg"],
    "call": ["PyObject_Vectorcall", "PyObject_VectorcallDict"],
    "iterate": ["PyObject_GetIter"],
    "next": ["PyIter_Next"],
    "take_error": ["PyErr_GetRaisedException"],
    "fetch_error": ["PyErr_Fetch"],
    "normalize_error": ["PyErr_NormalizeException"],
    "attach_trace": ["PyException_SetTraceback"],
    "report_error": ["PyErr_WriteUnraisable"],
    "error_matches": ["PyErr_ExceptionMatches"],
    "check_signals": ["PyErr_CheckSignals"],
    "is_true": ["PyObject_IsTrue"],
    "equals": ["PyObject_RichCompareBool"],
    "describe": ["PyObject_Str"],
    "text": ["PyUnicode_AsUTF8AndSize"],
    "to_int64": ["PyLong_AsSsize_t"],
    "from_bool": ["PyBool_FromLong"],
    "from_int64": ["PyLong_FromLongLong"],
    "from_double": ["PyFloat_FromDouble"],
    "from_text": ["PyUnicode_FromStringAndSize"],
    "from_bytes": ["PyBytes_FromStringAndSize"],
    "list_create": ["PyList_New"],
    "list_set": ["PyList_SetItem"],
    "list_replace": ["PyList_SetSlice"],
    "target": ["PyWeakref_GetObject"],
    "new_thread": ["PyThreadState_New"],
    "hash": ["PyObject_Hash"],
    "buffer": ["PyObject_GetBuffer"],
    "release_buffer": ["PyBuffer_Release"],
    "part": ["PySequence_GetSlice"],
    "known": ["PyGILState_GetThisThreadState"],
    "current_context": ["PyContext_CopyCurrent"],
    "copy_context": ["PyContext_Copy"],
    "enter_context": ["PyContext_Enter"],
    "exit_context": ["PyContext_Exit"],
    "weak": ["PyWeakref_NewRef"],
    "depth_limit": ["Py_GetRecursionLimit"],
    "set_depth_limit": ["Py_SetRecursionLimit"],
    "current": ["PyThreadState_GetUnchecked", "_PyThreadState_UncheckedGet"],
}
# Functions that other versions lack (3.9 and 3.10 the first, up to 3.11 the second, from 3.15 on the third) or may lack.
# The library works without them.
_OPTIONAL = {"call_one", "take_error", "target", "current"}


def _address(names: list[str]) -> int | None:
    for name in names:
        if hasattr(ctypes.pythonapi, name):
            return ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    return None


_current_interpreter = ctypes.PYFUNCTYPE(ctypes.c_void_p)(("PyInterpreterState_Get", ctypes.pythonapi))


_make_publisher: Any = globals().get("_make_publisher")  # kept if this module is loaded again


def make_publishers(make: Callable[..., Any]) -> None:
    """Registers the function that makes a publisher from a handle, and from a key if it is a group. It is defined in the
    modules of publishers, which import this one."""
    global _make_publisher
    _make_publisher = make


def _published(handle: int, *key: Any) -> Any:
    """The group or window in a value."""
    return _make_publisher(handle, *key)


_thread_numbers = itertools.count(1)
_own_thread = threading.local()


class _ThreadName:
    """The name of a library thread, while it runs."""

    def __init__(self) -> None:
        self.thread = threading.current_thread()
        self.thread.name = f"streams-{next(_thread_numbers)}"

    if sys.version_info < (3, 13):  # it drops threads that it has not started itself

        def __del__(self) -> None:
            active: dict[int | None, Any] = getattr(threading, "_active", {})
            if active.get(self.thread.ident) is self.thread:
                del active[self.thread.ident]


def _thread_begins(_: None) -> None:
    """Makes debuggers, profilers and logs work on a library thread, as on one of Python's."""
    _own_thread.name = _ThreadName()
    trace, profile = getattr(threading, "_trace_hook", None), getattr(threading, "_profile_hook", None)
    if trace is not None:
        sys.settrace(trace)
    if profile is not None:
        sys.setprofile(profile)


def _word(address: int) -> int:
    return ctypes.c_ssize_t.from_address(address).value


def _counts() -> bool:
    """Whether objects begin with their reference count, as in the stable ABI: not in a build without the interpreter's
    lock, nor in a debugging build, which also counts all references."""
    probe = object()
    before = _word(id(probe))
    references = [probe] * 3
    counted = _word(id(probe)) - before == len(references)
    return counted and ctypes.sizeof(ctypes.c_void_p) == 8 and not hasattr(sys, "gettotalrefcount")


def _target_offset() -> int:
    """The offset of the object in a weak reference; 0 if it is not at its usual place."""
    offset = object.__basicsize__
    target = _Life()
    reference = weakref.ref(target)
    is_there = _word(id(reference) + offset) == id(target)
    del target
    return offset if is_there and _word(id(reference) + offset) == id(None) else 0


def _register() -> int:
    table = ffi.streams_host()
    name = ctypes.c_char_p(b"python")
    table.name = ctypes.cast(name, ctypes.c_void_p)
    table.null_object = id(None)
    table.stream_error = id(Exception)
    table.escaped = id(escapes.escape)
    table.to_demand = id(returned_demand)
    table.from_publisher = id(_published)
    table.depth_error = id(RecursionError)
    table.runtime = _current_interpreter()
    types: dict[str, Any] = dict(ffi.streams_host._fields_)  # type: ignore[arg-type]
    for field, names in _FUNCTIONS.items():
        address = _address(names)
        if address is not None:
            setattr(table, field, types[field](address))
        elif field not in _OPTIONAL:
            raise ImportError(f"this interpreter does not offer {names[0]}")
    table.counts, table.target_offset = counts, _target_offset()
    table.thread_begins = id(_thread_begins)
    number = ctypes.c_uint32()
    if library.streams_host_register(table, number):
        raise ImportError(f"libstreams refuses this interpreter: {library.streams_last_message().decode()}")
    return number.value


def native(function: Any, *arguments: Any) -> int:
    """The address of a native function that the library makes for this interpreter."""
    address = ctypes.cast(function(number, *arguments), ctypes.c_void_p).value
    if not address:
        raise ImportError(
            "streams has been imported anew too often in this process, which the library remembers each time: "
            f"{library.streams_last_message().decode()}"
        )
    return address


# Structures whose address CPython or the library has, kept for as long as the process lives: the module that made them may
# be reloaded or unloaded while they are still in use.
kept: list[Any] = globals().get("kept", [])
ctypes.PYFUNCTYPE(None, ctypes.py_object)(("Py_IncRef", ctypes.pythonapi))(kept)

# By address: for an object, ctypes would ask for its class, which may raise.
_decrement = raising_recursion_errors(ctypes.PYFUNCTYPE(None, ctypes.c_void_p))(("Py_DecRef", ctypes.pythonapi))


def object_of(value: Any) -> Any:
    """The Python object of a library value, or one made for it. Raises LookupError if there can be none."""
    address = library.streams_host_object(number, value)
    if not address:
        raise LookupError(library.streams_last_message().decode())
    found = ctypes.py_object.from_buffer(ctypes.c_void_p(address)).value
    _decrement(address)  # the reference that the library has made
    return found


class _Life:
    """Whether the interpreter still runs. Classes with a destructor keep this object: at the very end the variables of
    modules, also of this one, are None."""

    running = True
    main_thread = threading.main_thread().ident


def _calls() -> dict[type, int]:
    """By type, the addresses of the native functions that call its objects, for types that always use the same one."""
    probes = [_published, types.MethodType(_published, life)]
    address = _address(["PyVectorcall_Function"])
    if address is not None:
        vectorcall = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object)(address)
        found = [vectorcall(probe) for probe in probes]
    else:
        found = [_address(["_PyFunction_Vectorcall"]), None]
    return {type(probe): call for probe, call in zip(probes, found) if call}


life = _Life()
calls = _calls()
counts = _counts()
number: int = globals().get("number") or _register()
has_weak_references = _address(_FUNCTIONS["target"]) is not None


@atexit.register
def _retire() -> None:
    """From now on the library calls no Python function, and abandons the objects that it holds instead of releasing
    them."""
    life.running = False
    library.streams_host_retire(number)
