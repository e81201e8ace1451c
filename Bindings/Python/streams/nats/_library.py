"""Finds libstreams_nats, loads it and declares its functions to ctypes."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator

from .._native import ffi_generated as base
from .._native import host
from .._native.errors import made
from .._native.handle import function_of_library
from .._native.library import library as streams
from .._native.library import load
from .._native.method import without_ctypes
from . import ffi_generated as ffi

_ADVICE = (
    "It is a library of its own, which needs libnats: `make nats` builds it where the package libnats-dev is installed, and "
    "`make install-nats` installs it. Or set STREAMS_NATS_LIBRARY to the path of libstreams_nats.so"
)
# What keeps the interpreter's lock when it is called: functions that never wait.
_BRIEF = ("streams_nats_keep", "streams_nats_free")


def _candidates() -> Iterator[str]:
    """Where the library may be: STREAMS_NATS_LIBRARY alone if it is set, else the package's folder, then that of libstreams,
    then the system's loader."""
    named = os.environ.get("STREAMS_NATS_LIBRARY")
    if named:
        yield named
        return
    suffix = ".dylib" if sys.platform == "darwin" else ".so"
    numbered = f"libstreams_nats{suffix}.{base.STREAMS_VERSION_MAJOR}"
    package = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    for folder in (package, os.path.dirname(streams._name or "")):
        for name in (numbered, f"libstreams_nats{suffix}"):
            if folder and os.path.exists(os.path.join(folder, name)):
                yield os.path.join(folder, name)
    yield numbered


def _introduce(_: None) -> None:
    """Makes the state of one of the library's threads last as long as the thread: making one anew for each message takes
    most of the time that a message takes."""
    host._thread_begins(None)
    ctypes.pythonapi.PyGILState_Ensure()


library = load(_candidates(), ffi.FUNCTIONS, ffi.FUNCTIONS, "streams.nats", _ADVICE)
library.replacement = lambda name, declared: without_ctypes(name, declared) if name in _BRIEF else declared
# The library keeps it for as long as the process lives, also if this module is loaded again.
library.streams_nats_on_threads(
    function_of_library("streams_callable_action"), made(streams.streams_callable_create(host.number, _introduce))
)
