"""Where in the user's program something is made."""

import sys
from typing import NamedTuple


class Place(NamedTuple):
    """A line of a program."""

    filename: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}, in {self.function}"


def here() -> Place:
    """The innermost line that is not this package's own."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__package__") == __package__:
        frame = frame.f_back
    return Place(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)
