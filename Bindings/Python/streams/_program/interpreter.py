"""Checks that the package works with this interpreter. Others are refused, since they would crash."""

from __future__ import annotations

import ctypes
import sys


def _reason() -> str:
    if sys.implementation.name != "cpython":
        return f"this is {sys.implementation.name}"
    if "t" in getattr(sys, "abiflags", ""):
        return "this is a free-threaded build, which has no such lock: use the interpreter of the same version without t"
    identity = ctypes.pythonapi.PyInterpreterState_GetID
    identity.argtypes, identity.restype = [ctypes.c_void_p], ctypes.c_int64
    current = ctypes.pythonapi.PyInterpreterState_Get
    current.restype = ctypes.c_void_p
    if identity(current()) != 0:
        return "this is a subinterpreter: import streams in the main one"
    return ""


def check() -> None:
    """Raises ImportError if the library cannot call back this interpreter."""
    reason = _reason()
    if reason:
        raise ImportError(f"streams needs CPython with its global interpreter lock, and {reason}")
