"""Puts libstreams into the wheel, and leaves nothing in the folder from which it is built."""

import ctypes
import os
import pathlib
import re
import shutil
import sys
import tempfile

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

HERE = pathlib.Path(__file__).resolve().parent
NAME = "libstreams.so.1"
ADVICE = f"""
streams needs {NAME}, and it was not found. One of these helps:

  - build it: `make` in {HERE.parents[1]}, which needs Swift 6.3;
  - name it: STREAMS_LIBRARY=/path/to/{NAME} pip install ...;
  - install it where the loader finds it: `make install`;
  - install a wheel that brings it: `make wheel` makes one on a machine that has Swift.
"""


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


class OfPlatform(Distribution):
    """Has code for one platform, if it has the library."""

    def has_ext_modules(self):
        return library() is not None


class WithLibrary(build_py):
    """Copies the library beside the modules."""

    def run(self):
        super().run()
        found = library()
        if found is not None:
            shutil.copy2(found, os.path.join(self.build_lib, "streams", NAME))


class Tagged(bdist_wheel):
    """Says on which systems the wheel runs: any CPython, and those with the C library that the library asks for."""

    def get_tag(self):
        found = library()
        if found is None:
            return "py3", "none", "any"
        _, _, platform = super().get_tag()
        versions = [int(minor) for minor in re.findall(rb"\0GLIBC_2\.(\d+)(?=[.\0])", found.read_bytes())]
        if versions and platform.startswith("linux_"):
            platform = f"manylinux_2_{max(versions)}_{platform[len('linux_') :]}"
        return "py3", "none", platform


with tempfile.TemporaryDirectory() as folder:
    setup(
        distclass=OfPlatform,
        cmdclass={"build_py": WithLibrary, "bdist_wheel": Tagged},
        options={"build": {"build_base": folder}, "egg_info": {"egg_base": folder}},
    )
