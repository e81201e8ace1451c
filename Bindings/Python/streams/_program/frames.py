"""What an exception keeps alive that a stream keeps."""

from __future__ import annotations

import ctypes
import sys
from types import FrameType

_OFFSET = object.__basicsize__  # of a frame's f_back


def _word(address: int) -> ctypes.c_ssize_t:
    return ctypes.c_ssize_t.from_address(address)


def _own_frame() -> FrameType:
    return sys._getframe()


def _is_settled() -> bool:
    """Whether a frame has another as its f_back, where it has one of its own only since it has ended: so from 3.11 on."""
    frame = _own_frame()
    return sys.version_info >= (3, 11) and _word(id(frame) + _OFFSET).value == id(frame.f_back)


_settled = _is_settled()
_decrement = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)(("Py_DecRef", ctypes.pythonapi))


def detach(error: BaseException) -> None:
    """Has the functions that an exception has left forget who called the library that called them.

    A stream keeps the exception, and that these functions with their variables, as a traceback shows them. Their callers
    are in no traceback: but they often have the stream in a variable, and so both would stay, for Python's collector does
    not see what the library keeps.
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
