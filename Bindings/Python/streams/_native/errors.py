"""Exceptions: those that calls raise, and those that streams carry."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, Callable, NoReturn

from .._program.chains import explain
from .._program.escapes import pending, raise_pending
from .._program.frames import detach
from . import ffi_generated as ffi
from . import host
from .failures import Failure, passed_on
from .library import library

Status = ffi.streams_status
"""The result of a call to the library: see StatusError.status."""
# The name for pickling and repr.
Status.__name__ = Status.__qualname__ = "Status"


class StreamError(Exception):
    """A failure of a stream that is not a Python exception: an error from the library or from C.

    In the domain "streams" the code is a Status that says what went wrong in the stream.
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
    """A stream failed at a limit of the library, mostly because it is nested too deep."""


class NoValueError(LookupError):
    """A stream finished without the value that a call waited for."""


class UnhandledFailure(RuntimeError):
    """A stream failed, and its sink has no completion. Its __cause__ is the exception. Goes to sys.unraisablehook."""


class DroppedValuesWarning(RuntimeWarning):
    """Values were dropped because a sink, a loop or an operator had not demanded them, or a buffer was full. It is issued
    once per line of code, when the stream is cancelled or released; `dropped` of the subject and of the cancellable says
    how many. If a filter makes it an exception, the stream is cancelled all the same."""


def _revive(kind: type[StreamError], message: str, domain: str, code: int) -> StreamError:
    return kind(message, domain=domain, code=code)


def _known(status: int) -> int:
    """The status as a Status, or as a number if a later library has added it."""
    try:
        return Status(status)
    except ValueError:
        return status


class StatusError(Exception):
    """A call was refused: its arguments are wrong, or its object does not exist any more."""

    def __init__(self, status: int, function: str, message: str) -> None:
        super().__init__(_known(status), function, message)
        self.status = _known(status)
        self.function = function
        self.message = message

    def __str__(self) -> str:
        return f"{self.message} [{self.function}: {library.streams_status_name(self.status).decode()}]"


class StatusValueError(StatusError, ValueError):
    """An argument has the right type but a wrong value."""


class StatusTypeError(StatusError, TypeError):
    """An argument is of the wrong kind."""


class StatusMemoryError(StatusError, MemoryError):
    """There is no memory left for values. If there is none for a small object of the library itself, the process ends."""


class StatusLimitError(StatusError, RecursionError):
    """A limit of the library is reached: something is nested too deep, or there are too many objects."""


class StatusTimeoutError(StatusError, TimeoutError):
    """The timeout of the call has passed."""


class ClosedError(StatusValueError):
    """The publisher, subject or subscription has been closed, or the interpreter is shutting down."""


# What makes the exception for a status, of a function and a message. A library that stands on this one adds its own.
refusals: dict[int, Callable[[int, str, str], StatusError]] = {
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
    """Raises the exception for this thread's last call, which has failed."""
    function, message = library.streams_last_function().decode(), library.streams_last_message().decode()
    if status == Status.NULL_HANDLE:  # a closed object has no handle any more
        status, message = Status.STALE_HANDLE, message.replace(" is NULL", " has been closed")
    if status == Status.TERMINATED:
        _end_thread()
    raise refusals.get(status, StatusError)(status, function, message)


def _end_thread() -> None:
    """Ends the thread silently if the interpreter has ended, which the thread cannot know."""
    if not host.life.running and threading.get_ident() != host.life.main_thread:
        raise SystemExit


def check(status: int) -> None:
    """Raises an exception that has escaped from a stream, or else the exception for a status that is not OK."""
    if pending:
        raise_pending(2)
    if status:
        raise_status(status)


def check_retained(status: int, handle: int, noun: str) -> None:
    """As check, for a new reference: the message says what has been closed, which the library cannot know."""
    if status and not handle:
        raise ClosedError(Status.STALE_HANDLE, "streams_retain", f"{noun} has been closed")
    check(status)


def raise_outcome(status: int) -> None:
    """Raises an exception that has escaped from a call in the frame above the caller's, or else the exception of the
    program's function that failed the call."""
    failure = last_failure() if status == Status.CALLBACK_FAILED else None
    if pending:
        raise_pending(3)
    if failure is not None:
        if isinstance(failure.error, StreamError):  # a function that could not be called any more
            _end_thread()
        explain(failure.error, None)
        failure.throw()


def check_outcome(status: int) -> None:
    """As check, for a call that a function of the program may fail: raises that function's exception unchanged."""
    raise_outcome(status)
    check(status)


def check_sent(status: int) -> None:
    """As check, for a status of sending. It is no error that the stream, or the interpreter, has ended: the sending thread
    cannot know."""
    if pending:
        raise_pending(2)
    if status and status != Status.TERMINATED:
        raise_status(status)


def made(handle: Any) -> int:
    """Returns a handle that a function has made, or raises the exception for its failure."""
    if not handle:
        raise_status(library.streams_last_status())
    return int(handle)


# By the domain of a library that stands on this one, what makes an exception of a message, a code and a value, or NULL.
failures: dict[str, Callable[[str, int, Any], StreamError]] = {}


def exception_of(handle: int) -> BaseException:
    """The exception for a library error: the same object if it came from Python."""
    value = library.streams_error_object(handle)
    if value and value.contents.kind == ffi.streams_value_kind.OBJECT:
        try:
            found = host.object_of(value)
        except LookupError:  # an object of another language
            found = None
        if isinstance(found, BaseException):
            return found
    domain: str = library.streams_error_domain(handle).decode()
    message: str = library.streams_error_message(handle).decode()
    code: int = library.streams_error_code(handle)
    make = failures.get(domain)
    return error_with(message, domain, code) if make is None else make(message, code, value)


def last_failure() -> Failure:
    """The failure of the function that failed the last call.

    With a copy of the exception, if it can be copied: the library keeps the exception, which would keep the frames through
    which it is raised."""
    handle = made(library.streams_last_error())
    try:
        failure = Failure(exception_of(handle), handle)
    finally:
        library.streams_release(handle)
        library.streams_clear_last_error()
    import copy  # only when it is needed: see _LATER in handle.py

    error = failure.error
    detach(error)
    try:
        other = copy.copy(error)
    except Exception:
        return failure
    other.__cause__, other.__suppress_context__ = error.__cause__, error.__suppress_context__
    failure.error = other.with_traceback(error.__traceback__)
    return failure


def error_with(message: str, domain: str, code: int) -> StreamError:
    """A StreamError with the message of a library error that carries no exception."""
    kind = StreamLimitError if (domain, code) == ("streams", Status.LIMIT) else StreamError
    return kind(message, domain=domain, code=code)


def create_error(exception: BaseException) -> int:
    """Makes an error that carries an exception, or returns the one that the running handler has got with it. The caller must
    release the handle."""
    if not isinstance(exception, BaseException):
        is_class = isinstance(exception, type) and issubclass(exception, BaseException)
        wrong = f"the class {exception.__name__}: call it" if is_class else type(exception).__name__
        raise TypeError(f"a stream fails with an exception, not with {wrong}")
    handled = passed_on(exception)
    if handled:
        check(library.streams_retain(handled))
        return handled
    domain, code = "python", 0
    if isinstance(exception, StreamError):
        domain, code = exception.domain, exception.code
        message = exception.message
    else:
        message = describe(exception)
    value = ffi.streams_value()
    objects = (ctypes.c_void_p * 1)(id(exception))
    try:
        check(library.streams_host_values(host.number, objects, 1, value))
        return made(library.streams_error_create(code, _text(domain), _text(message), value))
    finally:
        library.streams_value_destroy(value)


def describe(exception: BaseException) -> str:
    """An exception's message, even if its own str() fails."""
    try:
        return str(exception)
    except Exception:
        return type(exception).__name__


def _text(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
