"""The lines of the user's program that make streams."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import CodeType, FrameType
from typing import NamedTuple

# The package and its subpackages, whose functions are not the user's program.
PACKAGE = __name__.partition(".")[0]
_PARTS = ("aio", "inspect", "native", "operators", "program", "publishers", "schedulers", "state", "subscriptions")
OWN_PACKAGES = frozenset({PACKAGE, f"{PACKAGE}.nats", *(f"{PACKAGE}._{part}" for part in _PARTS)})

# Looking up a place must import nothing: a signal handler may do it in the middle of an import.
if sys.version_info >= (3, 10):

    def _line_starts(code: CodeType) -> Iterator[tuple[int, int | None]]:
        return ((start, line) for start, _, line in code.co_lines())

else:
    from dis import findlinestarts as _line_starts


class Place(NamedTuple):
    """A line of a program."""

    filename: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}, in {self.function}"


def line_of(code: CodeType, instruction: int) -> int:
    """The line of an instruction of a function."""
    found = code.co_firstlineno
    for start, line in _line_starts(code):
        if start > instruction:
            break
        found = line or found
    return found


def frames() -> tuple[FrameType, FrameType | None]:
    """The frame of the package's function that the user's program has called, and that of the user's function, which is
    None if only C called."""
    inner = sys._getframe(2)
    outer = inner.f_back
    while outer is not None and outer.f_globals.get("__package__") in OWN_PACKAGES:
        inner, outer = outer, outer.f_back
    return inner, outer


def called() -> str:
    """The name of the function or class that the user's program has called."""
    inner, _ = frames()
    name = inner.f_code.co_name
    return type(inner.f_locals["self"]).__name__ if name == "__init__" else name
