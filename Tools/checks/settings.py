"""Where things are, the compilers, and the limits that several suites share."""

import os
import pathlib
import re
import shutil

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build"
LOGS = BUILD / "logs"
# Another build of the library may be checked: `make check-plain` does so.
LIBRARY = pathlib.Path(os.environ.get("CHECKED_LIBRARY") or BUILD / "lib" / "libstreams.so")
# Where the library is with its symbols, for readable reports.
SYMBOLS = LIBRARY.parent if "CHECKED_LIBRARY" in os.environ else BUILD / "debug"
PYTHON = str(ROOT / ".venv" / "bin" / "python")
SWIFT = os.environ.get("SWIFT", "swift")
# Every package is built in one of two folders, and with the same options there, so that the modules of this one are
# compiled once for all. Nobody debugs what is only run; SwiftPM would take the plan of the package that was built last
# for that of the next; and the compiler reads all other files again for each 25 that it compiles, or for as many as
# it is told.
DEBUG = (ROOT / "Tools" / "debug.options").read_text(encoding="utf-8").split()
RELEASE = (ROOT / "Tools" / "release.options").read_text(encoding="utf-8").split()
STRICTLY = ["-Xswiftc", "-warnings-as-errors"]
BUILT = {"debug": ROOT / ".build-test" / "debug", "release": ROOT / ".build-release" / "release"}
CC = os.environ.get("CC", "gcc")
CXX = os.environ.get("CXX", "g++")

LINE_LENGTH = 110
LIBRARY_LIMIT = 11_210_000
# What a small program may have resident, in kB.
RESIDENT_LIMIT = 7 * 1024
LIBRARY_MAY_NEED = re.compile(r"(libc\.so\.6|libm\.so\.6|libstdc\+\+\.so\.6|libgcc_s\.so\.1|ld-linux.*\.so\.\d)$")
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def clang():
    """The clang of the Swift toolchain."""
    swift = shutil.which(SWIFT)
    beside = os.path.join(os.path.dirname(os.path.realpath(swift)), "clang") if swift else ""
    return beside if os.path.exists(beside) else shutil.which("clang") or "clang"
