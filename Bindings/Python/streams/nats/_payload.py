"""What is published: text, bytes, nothing, or a message."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Mapping
from typing import Any, Union

from .._native import ffi_generated as base
from .._native.errors import check, raise_status
from .._native.handle import function_of_library
from .._native.library import library as streams
from .._native.method import of_words
from .._native.tracing import as_text
from .._native.values import _Native
from ._kept import Kept
from ._library import library

MESSAGE = function_of_library("streams_nats_callable_message", library)
"""Makes a message of a value by a function of the value and an address."""
Kind = base.streams_value_kind
MOST = (1 << 31) - 1


class Outgoing:
    """A message to publish that is more than its payload: with headers, and with an id by which the server recognizes what
    it has stored already.

    >>> connection.publish("orders.new", Outgoing("42", headers={"Trace": "7"}, id="order-42"))

    The name of a header must not be empty, or have spaces, control characters or a colon; ends of lines in a value or an id
    become spaces. Headers with a name that comes several times are given as pairs.
    """

    __slots__ = ("headers", "id", "payload")

    def __init__(
        self,
        payload: str | bytes | bytearray | memoryview | Kept | None = None,
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
        id: str | None = None,
    ) -> None:
        self.payload = payload
        given: Any = headers
        pairs = given.items() if hasattr(given, "items") else given
        self.headers: list[tuple[str, str]] = [(name, value) for name, value in pairs]
        self.id = id

    def __repr__(self) -> str:
        return f"Outgoing({self.payload!r}, headers={self.headers!r}, id={self.id!r})"


Payload = Union[str, bytes, bytearray, memoryview, Kept, Outgoing, None]
"""What can be published: text, bytes, None for an empty payload, a Message that was received, or an Outgoing."""


class Value(_Native):
    """A payload as a library value, for the duration of a `with` block."""

    def __init__(self, payload: Any) -> None:
        super().__init__()
        if isinstance(payload, Kept):
            check(streams.streams_value_copy(payload._value(), self))
        elif isinstance(payload, Outgoing):
            make(self, None, payload, None)
        elif payload is not None:
            self._kept = data = _bytes_of(payload)
            self.kind, self.size = Kind.BYTES, len(data)
            getattr(self, "as").bytes = ctypes.cast(ctypes.c_char_p(data), ctypes.c_void_p).value


def _bytes_of(payload: Any) -> bytes:
    data = payload.encode() if isinstance(payload, str) else payload
    if not isinstance(data, bytes) and type(data) not in (bytearray, memoryview):
        raise TypeError(
            f"what is published is text, bytes, None, a Message or an Outgoing, not {type(payload).__name__}: "
            "json.dumps and str make text"
        )
    found = bytes(data)
    if len(found) > MOST:
        raise ValueError(f"a payload of {len(found)} bytes is more than any server takes")
    return found


class _Bytes(ctypes.Structure):
    """A streams_value that borrows bytes, made in one call."""

    _fields_ = [("kind", ctypes.c_uint32), ("size", ctypes.c_uint32), ("bytes", ctypes.c_char_p), ("owner", ctypes.c_void_p)]


_message_to = of_words(library.streams_nats_message_to, 6)


def make_plain(address: int, subject: int, payload: bytes) -> None:
    """Makes a message of bytes alone at an address, in a fraction of the time. The subject is an address too."""
    held = _Bytes(Kind.BYTES, len(payload), payload)
    status = _message_to(subject, ctypes.addressof(held), 0, 0, 0, address)
    if status:
        raise_status(status)


def make(out: Any, subject: bytes | None, payload: Any, id: str | None) -> None:
    """Makes a message of a payload, with an id instead of that of an Outgoing."""
    headers: list[tuple[str, str]] = []
    if isinstance(payload, Outgoing):
        headers, id, payload = payload.headers, payload.id if id is None else id, payload.payload
    if isinstance(payload, Kept):
        headers = [*payload.header_fields, *headers]
    if isinstance(payload, Outgoing):
        raise TypeError("the payload of an Outgoing is text, bytes, None or a Message, not an Outgoing")
    words = [as_text(text, "a header") for pair in headers for text in pair]
    array = (ctypes.c_char_p * len(words))(*words)
    known = None if id is None else as_text(id, "id")
    with Value(payload) as data:
        if subject is None:
            check(library.streams_nats_message(data, array, len(words) // 2, known, out))
        else:
            check(library.streams_nats_message_to(subject, data, array, len(words) // 2, known, out))


def payload(value: Any, address: int) -> None:
    """Makes a message of text or bytes alone, at an address."""
    make(base.streams_value.from_address(address), None, _bytes_of(value), None)
