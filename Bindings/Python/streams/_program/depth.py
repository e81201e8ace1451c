"""Calls of C functions near the limit of nested calls."""

from __future__ import annotations

import ctypes
from types import CodeType, FrameType
from typing import Any

_calls: set[CodeType] = set()


def raising_recursion_errors(kind: Any) -> Any:
    """A kind of ctypes functions that raise the RecursionError of which ctypes makes an ArgumentError."""
    function = kind.__call__

    def call(self: Any, *arguments: Any) -> Any:
        try:
            return function(self, *arguments)
        except ctypes.ArgumentError as error:
            if "RecursionError" not in str(error):
                raise
            raise RecursionError(str(error)) from None

    _calls.add(call.__code__)
    known = {name: getattr(kind, name) for name in ("_flags_", "_restype_", "_argtypes_") if hasattr(kind, name)}
    return type(kind.__name__, (kind,), {"__call__": call, **known})


def caller(frame: FrameType) -> FrameType:
    """The frame itself, or the one that called a C function by it."""
    outer = frame.f_back
    return outer if outer is not None and frame.f_code in _calls else frame
