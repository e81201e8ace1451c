"""Finds libstreams, loads it and declares its functions to ctypes."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Callable

from .._program.depth import raising_recursion_errors
from . import ffi_generated as ffi


def _candidates() -> Iterator[str]:
    """Where the library may be: STREAMS_LIBRARY alone if it is set, else the package's folder, then the system's loader."""
    named = os.environ.get("STREAMS_LIBRARY")
    if named:
        yield named
        return
    suffix = ".dylib" if sys.platform == "darwin" else ".so"
    numbered = f"libstreams{suffix}.{ffi.STREAMS_VERSION_MAJOR}"
    folder = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    for name in (numbered, f"libstreams{suffix}"):
        if os.path.exists(os.path.join(folder, name)):
            yield os.path.join(folder, name)
    yield numbered


def load(paths: Iterable[str], declare: Callable[[ctypes.CDLL], None], name: str, advice: str) -> ctypes.CDLL:
    """Loads the first library that is found; raises an ImportError that says where it is not, and what helps."""
    reasons: list[str] = []
    for path in paths:
        try:
            # CDLL, never PyDLL: a call may wait for another thread, and that thread for the interpreter's lock.
            library = ctypes.CDLL(path)
            library._FuncPtr = raising_recursion_errors(library._FuncPtr)
            declare(library)
        except (OSError, AttributeError) as error:
            reasons.append(str(error))
            continue
        return library
    raise ImportError(f"the library of {name} could not be loaded: {'; '.join(reasons)}. {advice}")


def _check_version(library: ctypes.CDLL, path: str) -> None:
    version: int = library.streams_version()
    if version // 1_000_000 != ffi.STREAMS_VERSION_MAJOR or version < ffi.STREAMS_VERSION:
        needed = f"{ffi.STREAMS_VERSION_MAJOR}.{ffi.STREAMS_VERSION_MINOR}.{ffi.STREAMS_VERSION_PATCH}"
        there = library.streams_version_string().decode()
        raise ImportError(f"{path} is version {there} of libstreams; this package needs {needed} or later")


library = load(_candidates(), ffi.declare, "streams", "Install it, or set STREAMS_LIBRARY to the path of libstreams.so")
_check_version(library, library._name)
version: str = library.streams_version_string().decode()
