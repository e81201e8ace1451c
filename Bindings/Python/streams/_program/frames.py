"""Limits the objects that an exception kept by a stream keeps alive."""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator
from types import FrameType, TracebackType

from .depth import raising_recursion_errors

_OFFSET = object.__basicsize__  # the offset of a frame's f_back
_OBJECT = 6  # T_OBJECT, of CPython's stable interface
_SHOWN = 200  # the entries of a traceback of which none is left out


class _Member(ctypes.Structure):
    """CPython's PyMemberDef, a part of its stable interface."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("type", ctypes.c_int),
        ("offset", ctypes.c_ssize_t),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    ]


def _own_frame() -> FrameType:
    return sys._getframe()


def _caller(frame: int) -> int | None:
    return ctypes.c_void_p.from_address(frame + _OFFSET).value


def _is_settled() -> bool:
    """Whether f_back is where it should be: from 3.11 on, a frame has its own f_back only after it has ended."""
    frame = _own_frame()
    return sys.version_info >= (3, 11) and _caller(id(frame)) == id(frame.f_back)


_settled = _is_settled()
_member = _Member(b"f_back", _OBJECT, _OFFSET)
_set = raising_recursion_errors(ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(_Member), ctypes.c_void_p))(
    ("PyMember_SetOne", ctypes.pythonapi)
)


def detach(error: BaseException) -> None:
    """Removes the references from an exception's frames to the frames that called the library.

    A stream keeps the exception, and with it these frames and their variables, which the traceback shows. Their callers are
    not in the traceback, but often have the stream in a variable: both would stay, since Python's collector does not see
    the objects that the library keeps.
    """
    if not _settled:
        return
    entries = list(_entries(error.__traceback__))
    frames = {id(each.tb_frame) for each in entries}
    for address in frames:
        caller = _caller(address)
        if caller and caller not in frames:
            # Takes the reference and releases it in one call: other threads, which run between any two lines if there is a
            # tracer, may detach the same frames.
            _set(address, _member, None)
    if len(entries) > _SHOWN:
        _shorten(entries)


def _entries(traceback: TracebackType | None) -> Iterator[TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _shorten(entries: list[TracebackType]) -> None:
    """Leaves out what lies between the latest times that an exception was raised, and the first.

    An exception that is raised again has all of its traceback before. One that is kept and raised without end would have
    more of it each time, which each call that looks at it would have to go through.
    """
    # Before each of these entries are those of a later raise.
    begins = [n for n in range(1, len(entries)) if entries[n].tb_frame.f_back is None and _raises(entries[n - 1])]
    latest = [n for n in begins if n >= _SHOWN]
    if latest and latest[0] < begins[-1]:
        entries[latest[0] - 1].tb_next = entries[begins[-1]]


def _raises(entry: TracebackType) -> bool:
    """Whether the entry is that of a `raise`; in others, a call has raised."""
    from opcode import opmap  # only when it is needed: see _LATER in _native/handle.py

    return entry.tb_frame.f_code.co_code[entry.tb_lasti] == opmap["RAISE_VARARGS"]
