"""Limits the objects that an exception kept by a stream keeps alive."""

from __future__ import annotations

import ctypes
import sys
from types import FrameType

_OFFSET = object.__basicsize__  # the offset of a frame's f_back


def _word(address: int) -> ctypes.c_ssize_t:
    return ctypes.c_ssize_t.from_address(address)


def _own_frame() -> FrameType:
    return sys._getframe()


def _is_settled() -> bool:
    """Whether f_back is where it should be: from 3.11 on, a frame has its own f_back only after it has ended."""
    frame = _own_frame()
    return sys.version_info >= (3, 11) and _word(id(frame) + _OFFSET).value == id(frame.f_back)


_settled = _is_settled()
_decrement = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(("Py_DecRef", ctypes.pythonapi))


def detach(error: BaseException) -> None:
    """Removes the references from an exception's frames to the frames that called the library.

    A stream keeps the exception, and with it these frames and their variables, which the traceback shows. Their callers are
    not in the traceback, but often have the stream in a variable: both would stay, since Python's collector does not see
    the objects that the library keeps.
    """
    frames: dict[int, FrameType] = {}
    traceback = error.__traceback__
    while traceback is not None:
        frames[id(traceback.tb_frame)] = traceback.tb_frame
        traceback = traceback.tb_next
    for address in frames if _settled else ():
        outer = _word(address + _OFFSET)
        caller = outer.value
        if caller and caller not in frames:
            outer.value = 0
            _decrement(caller)
