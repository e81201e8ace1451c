"""Puts libstreams into the wheel, and says on which systems that runs."""

import ctypes
import os
import pathlib
import re
import sys
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = pathlib.Path(__file__).resolve().parent
NAME = "libstreams.so.1"
ADVICE = (
    f"streams needs the library {NAME}, and it was not found: install it (the package libstreams1, or `make install` in the "
    "sources), name it in STREAMS_LIBRARY, or install the wheel, which brings it."
)


def library():
    """The library that goes into the wheel; None if the system has one."""
    named = os.environ.get("STREAMS_LIBRARY")
    candidates = [pathlib.Path(named)] if named else [HERE / "streams" / NAME, HERE.parents[1] / "build" / "lib" / NAME]
    for path in candidates:
        if path.is_file():
            return path.resolve()
    try:
        ctypes.CDLL(named or NAME)
    except OSError:
        sys.exit(ADVICE)
    return None


def platform(found):
    """Linux with the C library that the library asks for."""
    name = re.sub(r"\W", "_", sysconfig.get_platform())
    versions = [int(minor) for minor in re.findall(rb"\0GLIBC_2\.(\d+)(?=[.\0])", found.read_bytes())]
    return re.sub("^linux", f"manylinux_2_{max(versions)}", name) if versions else name


class WithLibrary(BuildHookInterface):
    def initialize(self, version, build_data):
        found = library()
        if found is None:
            return
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform(found)}"
        build_data["force_include"][str(found)] = f"streams/{NAME}"
