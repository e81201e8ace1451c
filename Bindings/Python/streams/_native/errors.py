"""Exceptions: those that calls raise, and those that streams carry."""

from __future__ import annotations

import contextlib
import copy
import ctypes
import threading
from collections.abc import Generator
from types import TracebackType
from typing import Any, NoReturn

from .._program.chains import explain
from .._program.escapes import pending, raise_pending
from .._program.frames import detach
from . import ffi_generated as ffi
from . import host
from .library import library

Status = ffi.streams_status
"""The outcome of a call to the library, as StatusError.status has it."""
# By this it is pickled and shown.
Status.__name__ = Status.__qualname__ = "Status"


class StreamError(Exception):
    """Why a stream failed, if it was not a Python exception: an error from the library or from C.

    In the domain "streams" the code is a Status and tells what went wrong inside a stream.
    """

    def __init__(self, message: str = "", *, domain: str = "python", code: int = 0) -> None:
        super().__init__(message)
        self.message = message
        self.domain = domain
        self.code = code

    def __reduce__(self) -> Any:
        return _revive, (type(self), self.message, self.domain, self.code)

    def __str__(self) -> str:
        return f"{self.message} ({self.domain} {self.code})"


class StreamLimitError(StreamError, RecursionError):
    """A stream failed at a limit of the library: mostly because it is nested too deep."""


class NoValueError(LookupError):
    """A stream finished without a value, and one was asked for."""


class UnhandledFailure(RuntimeError):
    """A stream failed, and its sink has no completion to tell. Its __cause__ is the exception. Goes to
    sys.unraisablehook."""


class DroppedValuesWarning(RuntimeWarning):
    """Values were dropped because a sink or a loop had not demanded them, or a buffer was full. It is told once a place,
    when the stream is released; `dropped` of the subject and of the cancellable says how many."""


def _revive(kind: type[StreamError], message: str, domain: str, code: int) -> StreamError:
    return kind(message, domain=domain, code=code)


def _known(status: int) -> int:
    """The status by its name, unless a later library has others."""
    try:
        return Status(status)
    except ValueError:
        return status


class StatusError(Exception):
    """A call was refused: its arguments are wrong, or the thing it is made on is not there any more."""

    def __init__(self, status: int, function: str, message: str) -> None:
        super().__init__(_known(status), function, message)
        self.status = _known(status)
        self.function = function
        self.message = message

    def __str__(self) -> str:
        return f"{self.message} [{self.function}: {library.streams_status_name(self.status).decode()}]"


class StatusValueError(StatusError, ValueError):
    """An argument has the right type and a wrong value."""


class StatusTypeError(StatusError, TypeError):
    """An argument is of the wrong kind."""


class StatusMemoryError(StatusError, MemoryError):
    """There is no memory left for values. Where there is none for a small object of the library's own, the process ends."""


class StatusLimitError(StatusError, RecursionError):
    """A limit of the library is reached: something is nested too deep, or there are too many objects."""


class StatusTimeoutError(StatusError, TimeoutError):
    """The time that the call was given has passed."""


class ClosedError(StatusValueError):
    """The publisher, subject or subscription has been closed, or the interpreter is shutting down."""


_CLASSES: dict[int, type[StatusError]] = {
    Status.NULL_HANDLE: ClosedError,
    Status.STALE_HANDLE: ClosedError,
    Status.TERMINATED: ClosedError,
    Status.WRONG_KIND: StatusTypeError,
    Status.NULL_ARGUMENT: StatusTypeError,
    Status.INVALID_VALUE: StatusValueError,
    Status.INVALID_UTF8: StatusValueError,
    Status.INVALID_ARGUMENT: StatusValueError,
    Status.ZERO_DEMAND: StatusValueError,
    Status.OUT_OF_RANGE: StatusValueError,
    Status.OUT_OF_MEMORY: StatusMemoryError,
    Status.LIMIT: StatusLimitError,
    Status.TIMED_OUT: StatusTimeoutError,
}


def raise_status(status: int) -> NoReturn:
    """Raises the exception for the call of this thread that has just failed."""
    function: str = library.streams_last_function().decode()
    message: str = library.streams_last_message().decode()
    if status == Status.NULL_HANDLE:  # what is closed has no handle any more
        status, message = Status.STALE_HANDLE, message.replace(" is NULL", " has been closed")
    if status == Status.TERMINATED:
        _end_thread()
    raise _CLASSES.get(status, StatusError)(status, function, message)


def _end_thread() -> None:
    """Ends a thread silently if the interpreter has come to its end, which that cannot know."""
    if not host.life.running and threading.get_ident() != host.life.main_thread:
        raise SystemExit


def check(status: int) -> None:
    """Raises what has escaped from a stream meanwhile, or else the exception for a status that is not OK."""
    if pending:
        raise_pending(2)
    if status:
        raise_status(status)


def raise_outcome(status: int) -> None:
    """Raises what has escaped from a call that the frame above the caller's has made, or else what a function of the
    program's has raised that failed it."""
    error = last_error() if status == Status.CALLBACK_FAILED else None
    if pending:
        raise_pending(3)
    if error is not None:
        if isinstance(error, StreamError):  # of a function that could not be called any more
            _end_thread()
        explain(error, None)
        try:
            raise error
        finally:
            del error  # not to be kept by its own traceback


def check_outcome(status: int) -> None:
    """As check, for a call that a function of the program's may fail: what that has raised comes out as itself."""
    raise_outcome(status)
    check(status)


def check_sent(status: int) -> None:
    """The same for a status of sending. It is no error that the stream, or the interpreter, has come to its end: a
    thread that sends until then cannot know."""
    if pending:
        raise_pending(2)
    if status and status != Status.TERMINATED:
        raise_status(status)


def made(handle: Any) -> int:
    """A handle that a function has made, or the exception for its failure."""
    if not handle:
        raise_status(library.streams_last_status())
    return int(handle)


def exception_of(handle: int) -> BaseException:
    """The exception behind an error of the library: the very object if it came from Python."""
    value = library.streams_error_object(handle)
    if value and value.contents.kind == ffi.streams_value_kind.OBJECT:
        try:
            found = host.object_of(value)
        except LookupError:  # an object of another language
            found = None
        if isinstance(found, ctypes.ArgumentError) and "RecursionError" in str(found):
            return RecursionError(str(found)).with_traceback(found.__traceback__)
        if isinstance(found, BaseException):
            return found
    domain: str = library.streams_error_domain(handle).decode()
    message: str = library.streams_error_message(handle).decode()
    code: int = library.streams_error_code(handle)
    return error_with(message, domain, code)


class Failure:
    """What a stream has failed with, for who raises it."""

    __slots__ = ("error", "identity")

    def __init__(self, error: BaseException, handle: int) -> None:
        self.error = error
        # An error of the library's may be delivered many times, each time by another handle.
        self.identity: int = library.streams_error_number(handle)

    def throw(self) -> NoReturn:
        """Raises it."""
        error, self.error = self.error, StreamError()  # not to be kept by its own traceback
        _throw(error, self.identity)


def _throw(error: BaseException, identity: int) -> NoReturn:
    """Raises an exception with the traceback that it had when the stream failed: a stream that has failed may keep it,
    and would else collect the frames of all that have ever asked."""
    try:
        raise error.with_traceback(_before(error.__traceback__, identity))
    finally:
        del error


def _before(traceback: TracebackType | None, identity: int) -> TracebackType | None:
    """What a traceback was before the same error of the library's was raised here."""
    found = traceback
    while traceback is not None:
        frame, traceback = traceback.tb_frame, traceback.tb_next
        if identity and frame.f_code is _throw.__code__ and frame.f_locals.get("identity") == identity:
            found = traceback
    return found


def last_error() -> BaseException:
    """The exception of a function because of which the last call has failed.

    A copy, if it can be copied: the library keeps the exception, which would keep the frames that it is raised through."""
    handle = made(library.streams_last_error())
    try:
        error = exception_of(handle)
        detach(error)
    finally:
        library.streams_release(handle)
        library.streams_clear_last_error()
    try:
        other = copy.copy(error)
    except Exception:
        return error
    other.__cause__, other.__suppress_context__ = error.__cause__, error.__suppress_context__
    return other.with_traceback(error.__traceback__)


def error_with(message: str, domain: str, code: int) -> StreamError:
    """What says what an error of the library says that carries no exception."""
    kind = StreamLimitError if (domain, code) == ("streams", Status.LIMIT) else StreamError
    return kind(message, domain=domain, code=code)


def create_error(exception: BaseException) -> int:
    """Makes an error that carries an exception. The handle is the caller's to release."""
    if not isinstance(exception, BaseException):
        is_class = isinstance(exception, type) and issubclass(exception, BaseException)
        wrong = f"the class {exception.__name__}: call it" if is_class else type(exception).__name__
        raise TypeError(f"a stream fails with an exception, not with {wrong}")
    domain, code = "python", 0
    if isinstance(exception, StreamError):
        domain, code = exception.domain, exception.code
        message = exception.message
    else:
        message = describe(exception)
    value = ffi.streams_value()
    objects = (ctypes.c_void_p * 1)(id(exception))
    check(library.streams_host_values(host.number, objects, 1, value))
    try:
        return made(library.streams_error_create(code, _text(domain), _text(message), value))
    finally:
        library.streams_value_destroy(value)


def describe(exception: BaseException) -> str:
    """An exception's message, also if it cannot tell it itself."""
    try:
        return str(exception)
    except Exception:
        return type(exception).__name__


def _text(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


@contextlib.contextmanager
def untraced(error: Exception) -> Generator[None, None, None]:
    """Lets a function raise the error that it was given: the error stays as it is, without the frames of that function,
    which would keep the stream whose error it is."""
    traceback = error.__traceback__
    try:
        yield
    except Exception as raised:
        if raised is not error:
            raise
        error.__traceback__ = traceback
