"""What calls of libstreams_nats raise, and with what its streams fail."""

from __future__ import annotations

import ctypes
from typing import Any

from .._native import errors, host
from .._native import ffi_generated as base
from .._native.errors import StatusError, StreamError
from .._native.library import library as streams
from . import ffi_generated as ffi
from ._library import library

DOMAIN = "nats"
# Codes of nats.c.
_TIMEOUT, _NO_RESPONDERS = 26, 34


class NATSError(StatusError):
    """The server, or the library that talks with it, has refused a call. `code` is JetStream's error code (10000 and above)
    or nats.c's natsStatus; the message says what was refused, and why.

    Streams fail with a StreamError, whose domain is "nats", with the same codes.
    """

    code: int = 0

    def __str__(self) -> str:
        return f"{self.message} [{self.function}: {self.code}]"


class NATSTimeoutError(StreamError, TimeoutError):
    """A request has had no answer in time, or the server has not confirmed a value."""


class NoRespondersError(StreamError):
    """Nobody answers requests to a subject."""


class PublishError(StreamError):
    """A value could not be published: `index` counts from 0, `subject` is where it was to go, and `data` its payload."""

    index: int = -1
    subject: str = ""
    data: bytes = b""

    def __reduce__(self) -> Any:
        return _published, (type(self), self.message, self.code, (self.index, self.subject, self.data))


class PublishTimeoutError(PublishError, NATSTimeoutError):
    """The server has not confirmed a value."""


def _refusal(status: int, function: str, message: str) -> NATSError:
    error = NATSError(status, function, message)
    error.code = library.streams_nats_last_code()
    return error


def _published(kind: type[PublishError], message: str, code: int, parts: tuple[int, str, bytes]) -> PublishError:
    error = kind(message, domain=DOMAIN, code=code)
    error.index, error.subject, error.data = parts
    return error


def _failure(message: str, code: int, value: Any) -> StreamError:
    """The exception for an error of a stream. Its value, if it has one, is a list: which value could not be published, where
    to, and the value."""
    if value and value.contents.kind == base.streams_value_kind.LIST and value.contents.size == 3:
        index, subject, what = (getattr(value.contents, "as").items[place] for place in range(3))
        payload = base.streams_value()
        if library.streams_nats_data(ctypes.byref(what), payload):
            streams.streams_clear_last_error()
        data = host.object_of(payload) or b""
        kind = PublishTimeoutError if code == _TIMEOUT else PublishError
        return _published(kind, message, code, (host.object_of(index), host.object_of(subject), data))
    kinds: dict[int, type[StreamError]] = {_TIMEOUT: NATSTimeoutError, _NO_RESPONDERS: NoRespondersError}
    return kinds.get(code, StreamError)(message, domain=DOMAIN, code=code)


errors.failures[DOMAIN] = _failure
errors.refusals[ffi.STREAMS_NATS_FAILED] = _refusal
