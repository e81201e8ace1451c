"""Events of a stream as values."""

from typing import Any, NamedTuple, Optional

from .._native.errors import check, create_error, error_with, exception_of
from .._native.library import library
from .._program.chains import stands_behind
from .._program.texts import text_of


# Annotations are evaluated here, for libraries that ask a named tuple for the types of its fields.
class Event(NamedTuple):
    """An event of a publisher as a value: see Publisher.materialize.

    kind is "value", "failed" or "finished". A value is in `value`, and the exception of a failure in `error`.

    >>> Event("value", 1), Event("failed", error=ValueError("bad")), Event("finished")
    """

    kind: str
    value: Any = None
    error: Optional[BaseException] = None


def event_of(kind: str, said: Any = None, domain: str = "", code: int = 0, carried: Any = None) -> Event:
    """The event for the list that the library has made of it."""
    if kind != "failed":
        return Event(kind, said)
    is_exception = isinstance(carried, BaseException)
    return Event(kind, None, carried if is_exception else error_with(said, domain, code))


class Failed(Exception):
    """Carries the failure of another stream: raising that exception itself would extend its traceback."""

    def __init__(self, error: Optional[BaseException]) -> None:
        super().__init__()
        self.error = error


def goes_on(event: Event) -> bool:
    """Whether an event is a value; raises Failed for a failure."""
    if not isinstance(event, Event) or event.kind not in ("value", "failed", "finished"):
        shown = text_of(event)
        raise TypeError(f"dematerialize: a value must be an Event of a value, a failure or the finish, and is {shown}")
    if event.kind == "failed":
        raise Failed(event.error)
    return event.kind == "value"


def error_of(error: int) -> int:
    """The error with which the stream fails after goes_on has raised."""
    found = exception_of(error)
    if isinstance(found, Failed):
        return create_error(found.error)  # type: ignore[arg-type]
    check(library.streams_retain(error))
    return error


stands_behind("dematerialize", goes_on)
