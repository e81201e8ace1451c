"""Finds libstreams, loads it and declares its functions to ctypes."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Callable

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


class Library(ctypes.CDLL):
    """A library whose functions are declared to ctypes when they are first used: most programs use few of them.

    It is a CDLL, and no PyDLL: a call may wait for another thread, and that thread for the interpreter's lock.
    """

    def __init__(self, path: str, functions: dict[str, tuple[Any, ...]]) -> None:
        super().__init__(path)
        self._FuncPtr = raising_recursion_errors(self._FuncPtr)
        self.functions = functions
        # What makes of a name and a declared function what is called in its place.
        self.replacement: Callable[[str, Any], Any] = lambda name, declared: declared

    def __getattr__(self, name: str, is_finalizing: Callable[[], bool] = sys.is_finalizing) -> Any:
        if name not in self.functions:
            raise AttributeError(name)
        function = self.declared(name)
        if not is_finalizing():  # then the modules may have been cleared that the replacement is made with
            function = self.replacement(name, function)
        setattr(self, name, function)  # only now: other threads take what is there
        return function

    def declared(self, name: str) -> Any:
        function: Any = self[name]
        function.restype, *parameters = self.functions[name]
        function.argtypes = parameters
        return function


def load(
    paths: Iterable[str], functions: dict[str, tuple[Any, ...]], needed: Iterable[str], name: str, advice: str
) -> Library:
    """Loads the first library that is found and has the functions that are needed; raises an ImportError that says where it
    is not, and what helps."""
    reasons: list[str] = []
    for path in paths:
        try:
            library = Library(path, functions)
            for each in needed:
                library[each]
        except (OSError, AttributeError) as error:
            reasons.append(str(error))
            continue
        return library
    raise ImportError(f"the library of {name} could not be loaded: {'; '.join(reasons)}. {advice}")


def _check_version(library: Library, path: str) -> None:
    version: int = library.streams_version()
    if version // 1_000_000 != ffi.STREAMS_VERSION_MAJOR or version < ffi.STREAMS_VERSION:
        needed = f"{ffi.STREAMS_VERSION_MAJOR}.{ffi.STREAMS_VERSION_MINOR}.{ffi.STREAMS_VERSION_PATCH}"
        there = library.streams_version_string().decode()
        raise ImportError(f"{path} is version {there} of libstreams; this package needs {needed} or later")


_ADVICE = "Install it, or set STREAMS_LIBRARY to the path of libstreams.so"
library = load(_candidates(), ffi.FUNCTIONS, ("streams_version",), "streams", _ADVICE)
_check_version(library, library._name)
version: str = library.streams_version_string().decode()
