"""Publishing a stream of values to JetStream."""

from __future__ import annotations

import ctypes
from typing import Any, Callable, Optional, Union

from .._native import ffi_generated as base
from .._native import host
from .._native.errors import made
from .._native.handle import DESTROY, as_plain, function_of_library
from .._native.library import library as streams
from .._native.tracing import as_text
from .._operators.publisher import Publisher
from .._schedulers.schedulers import Seconds
from .._subscriptions.stream import handed_over
from . import ffi_generated as ffi
from ._library import library
from ._link import Link
from ._options import count, duration, filled
from ._payload import MESSAGE, MOST, make, make_plain

Subject = Union[str, Callable[[Any], str]]
Maker = Optional[Callable[[Any], Any]]

_OWN_SUBJECT = function_of_library("streams_nats_own_subject", library)
_CONFIRMED = function_of_library("streams_nats_callable_confirmed", library)


def _maker(subject: Subject, encode: Maker, id: Maker) -> Callable[[Any, int], None]:
    """The function that makes a message of a value, at an address."""
    subject_of = as_plain(subject, "subject") if callable(subject) else None
    constant = None if callable(subject) else as_text(subject, "subject")
    encoder = None if encode is None else as_plain(encode, "encode")
    id_of = None if id is None else as_plain(id, "id")
    place = None if constant is None or id is not None else ctypes.cast(ctypes.c_char_p(constant), ctypes.c_void_p).value

    def message(value: Any, address: int) -> None:
        to = constant if subject_of is None else as_text(subject_of(value), "a subject")
        payload = value if encoder is None else encoder(value)
        if place is not None:
            data = payload.encode() if type(payload) is str else payload
            if type(data) is bytes and len(data) <= MOST:
                make_plain(address, place, data)
                return
        make(base.streams_value.from_address(address), to, payload, None if id_of is None else id_of(value))

    return message


def _telling(on_confirmed: Any) -> Callable[[str], None]:
    as_plain(on_confirmed, "on_confirmed")

    def confirmed(text: str) -> None:
        index, sequence, duplicate = map(int, text.split())
        on_confirmed(index, sequence, bool(duplicate))

    return confirmed


def _messages(publisher: Publisher[Any], message: Callable[[Any, int], None]) -> Any:
    """The handle of a publisher of the messages that are made of the values."""
    taken = handed_over(publisher, "argument 0")
    context = streams.streams_callable_create(host.number, message)
    return made(streams.streams_map(taken, MESSAGE, context, DESTROY))


def sent(link: Link, publisher: Publisher[Any], subject: Subject, encode: Maker) -> Publisher[int]:
    """See Connection.send_all."""
    message = _maker(subject, encode, None)
    options = filled(ffi.streams_nats_publish_options(), subject_of=ffi.streams_nats_text_fn(_OWN_SUBJECT))
    taken = _messages(publisher, message)
    return publisher._of(made(library.streams_nats_send_all(taken, link._handle, options)), message)


def published(
    link: Link,
    publisher: Publisher[Any],
    subject: Subject,
    encode: Maker,
    id: Maker,
    window: int | None,
    confirm_wait: Seconds | None,
    retries: int | None,
    on_confirmed: Callable[[int, int, bool], Any] | None,
) -> Publisher[int]:
    """See Connection.publish_all."""
    tell = None if on_confirmed is None else _telling(on_confirmed)
    message = _maker(subject, encode, id)
    options = filled(
        ffi.streams_nats_publish_options(),
        window=count(window, "window"),
        confirm_wait=duration(confirm_wait, "confirm_wait"),
        retries=-1 if retries == 0 else count(retries, "retries"),
        subject_of=ffi.streams_nats_text_fn(_OWN_SUBJECT),
    )
    messages = _messages(publisher, message)
    if tell is not None:
        options.on_confirmed = ffi.streams_nats_confirmed_fn(_CONFIRMED)
        options.context = streams.streams_callable_create(host.number, tell)
        options.destroy = base.streams_destroy_fn(DESTROY)
    return publisher._of(made(library.streams_nats_publish_all(messages, link._handle, options)), message)
