"""Introduces the interpreter to the library.

The library gets the addresses of CPython's own C functions. From then on it calls Python functions directly, and takes
the interpreter's lock once for a run of calls instead of once for each.
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
from . import ffi_generated as ffi
from .library import library

# The fields of streams_host and the functions of CPython that fit them, the best one first.
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
    "current": ["PyThreadState_GetUnchecked", "_PyThreadState_UncheckedGet"],
}
# Functions that other versions lack (3.9 and 3.10 the first, up to 3.11 the second, from 3.15 on the third) or may lack,
# and the library does without.
_OPTIONAL = {"call_one", "take_error", "target", "current"}
# ctypes turns a RecursionError into the second one of the tuple: see exception_of. From 3.14 on CPython looks into no tuple
# where little of the stack is left: it reports another RecursionError as unraisable, and says that none of them matches.
_DEPTH_ERRORS: Any = RecursionError if sys.version_info >= (3, 14) else (RecursionError, ctypes.ArgumentError)


def _address(names: list[str]) -> int | None:
    for name in names:
        if hasattr(ctypes.pythonapi, name):
            return ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value
    return None


_current_interpreter = ctypes.PYFUNCTYPE(ctypes.c_void_p)(("PyInterpreterState_Get", ctypes.pythonapi))


_make_publisher: Any = globals().get("_make_publisher")  # also if this module is loaded again


def make_publishers(make: Callable[..., Any]) -> None:
    """Tells the function that makes a publisher of a handle, and of a key if it is a group. It belongs to the publishers,
    which are made of what is here."""
    global _make_publisher
    _make_publisher = make


def _published(handle: int, *key: Any) -> Any:
    """The group or window that a value holds."""
    return _make_publisher(handle, *key)


_thread_numbers = itertools.count(1)
_own_thread = threading.local()


class _ThreadName:
    """The name of a thread of the library's, for as long as that runs."""

    def __init__(self) -> None:
        self.thread = threading.current_thread()
        self.thread.name = f"streams-{next(_thread_numbers)}"

    if sys.version_info < (3, 13):  # which forgets threads that it has not begun by itself

        def __del__(self) -> None:
            active: dict[int | None, Any] = getattr(threading, "_active", {})
            if active.get(self.thread.ident) is self.thread:
                del active[self.thread.ident]


def _thread_begins(_: None) -> None:
    """Has debuggers, profilers and logs see what runs on a thread of the library's, as on one of Python's."""
    _own_thread.name = _ThreadName()
    trace, profile = getattr(threading, "_trace_hook", None), getattr(threading, "_profile_hook", None)
    if trace is not None:
        sys.settrace(trace)
    if profile is not None:
        sys.setprofile(profile)


def _word(address: int) -> int:
    return ctypes.c_ssize_t.from_address(address).value


def _counts() -> bool:
    """Whether objects begin with the number of references to them, as in the stable ABI: not so where threads have no
    interpreter's lock, and where a build that is for debugging counts all references besides."""
    probe = object()
    before = _word(id(probe))
    references = [probe] * 3
    counted = _word(id(probe)) - before == len(references)
    return counted and ctypes.sizeof(ctypes.c_void_p) == 8 and not hasattr(sys, "gettotalrefcount")


def _target_offset() -> int:
    """Where in a weak reference the object is; 0 if not where it always was."""
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
    table.depth_error = id(_DEPTH_ERRORS)
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


# Structures of which CPython or the library has the address, for as long as the process lives: a module that made some may
# be loaded again, or forgotten, and what they describe is used all the same.
kept: list[Any] = globals().get("kept", [])
ctypes.PYFUNCTYPE(None, ctypes.py_object)(("Py_IncRef", ctypes.pythonapi))(kept)

_decrement = ctypes.PYFUNCTYPE(None, ctypes.py_object)(("Py_DecRef", ctypes.pythonapi))


def object_of(value: Any) -> Any:
    """The Python object that a value of the library is or becomes. Raises LookupError if it cannot be one."""
    address = library.streams_host_object(number, value)
    if not address:
        raise LookupError(library.streams_last_message().decode())
    found = ctypes.cast(address, ctypes.py_object).value
    _decrement(found)  # the reference that the library has made
    return found


class _Life:
    """Whether the interpreter still runs; kept on an object so that it can be asked until the very end."""

    running = True
    main_thread = threading.main_thread().ident


def _calls() -> dict[type, int]:
    """The addresses of the native functions that call objects of some types: those that always do the same."""
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
    """From here on the library calls no Python function, and what it still holds is abandoned, not released."""
    life.running = False
    library.streams_host_retire(number)
