"""`python -m streams`: which version this is, with which library and interpreter, and what can be used.

`python -m streams view run.json` makes a page of a trace file: see streams.debug.trace_file.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import platform
import sys
import typing
from importlib.util import find_spec

from ._inspect import pages
from ._native import ffi_generated as ffi
from ._native.library import library, version


class _Place(ctypes.Structure):
    """What dladdr says of an address."""

    _fields_: typing.ClassVar = [
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("symbol", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    ]


def _path(loaded: ctypes.CDLL, function: str) -> str:
    """Where a library was loaded from: the loader may have found it by its name alone."""
    place = _Place()
    ctypes.CDLL(None).dladdr(ctypes.cast(getattr(loaded, function), ctypes.c_void_p), ctypes.byref(place))
    return (place.file or b"").decode(errors="surrogateescape")


def _nats() -> str:
    try:
        nats = importlib.import_module("streams.nats._library")
    except ImportError:
        return "no, libstreams_nats was not found"
    return f"yes, {_path(nats.library, 'streams_nats_connect')}"


def rows() -> dict[str, str]:
    """What is printed."""
    package = f"{ffi.STREAMS_VERSION_MAJOR}.{ffi.STREAMS_VERSION_MINOR}.{ffi.STREAMS_VERSION_PATCH}"
    return {
        "streams": package,
        "library": f"{version}, {_path(library, 'streams_version')}",
        "interpreter": f"{platform.python_implementation()} {platform.python_version()}, {sys.executable}",
        "system": platform.platform(),
        "trio": "yes" if find_spec("trio") else "no, it is not installed",
        "numpy": "yes" if find_spec("numpy") else "no, it is not installed",
        "NATS": _nats(),
    }


def view(source: str, target: str = "") -> None:
    """Makes a page of a trace file, and says where it is."""
    target = target or os.path.splitext(source)[0] + ".html"
    try:
        pages.view(source, target)
    except OSError as error:
        sys.exit(f"streams view: {error.filename or source}: {error.strerror}")
    except ValueError as error:
        sys.exit(f"streams view: {source}: {error}")
    print(target)


def main(arguments: list[str]) -> None:
    if not arguments:
        for name, text in rows().items():
            print(f"{name:<12} {text}")
    elif arguments[0] == "view" and 2 <= len(arguments) <= 3:
        view(*arguments[1:])
    else:
        print("usage: python -m streams [view run.json [page.html]]", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main(sys.argv[1:])
