"""Where in the user's program something is made."""

import sys
from types import CodeType, FrameType
from typing import NamedTuple, Optional, Tuple


class Place(NamedTuple):
    """A line of a program."""

    filename: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}, in {self.function}"


def line_of(code: CodeType, instruction: int) -> int:
    """The line of an instruction of a function."""
    import dis  # only when it is needed

    found = code.co_firstlineno
    for start, line in dis.findlinestarts(code):
        if start > instruction:
            break
        found = line or found
    return found


def frames() -> "Tuple[FrameType, Optional[FrameType]]":
    """The package's function that the user's program has called, and the user's, which is None where only C called."""
    inner = sys._getframe(1)
    outer: Optional[FrameType] = inner
    while outer is not None and outer.f_globals.get("__package__") == __package__:
        inner, outer = outer, outer.f_back
    return inner, outer


def called() -> str:
    """What the user's program has called: the name of a function, or of a class."""
    inner, _ = frames()
    name = inner.f_code.co_name
    return type(inner.f_locals["self"]).__name__ if name == "__init__" else name
