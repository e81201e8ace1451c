"""JetStream's streams."""

from __future__ import annotations

import ctypes
import datetime
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from .._native.errors import check
from .._native.tracing import as_text
from .._schedulers.schedulers import Seconds
from . import ffi_generated as ffi
from ._consumers import Consumer, consumer
from ._library import library
from ._link import Link
from ._options import choice, count, duration, filled, text, words_of

if TYPE_CHECKING:
    from typing import Literal

RETAIN = words_of(ffi.streams_nats_retention)


class StreamInfo(NamedTuple):
    """What is in a stream of the server."""

    messages: int
    """How many messages it has."""
    bytes: int
    """How many bytes they take."""
    first_sequence: int
    """The number of the oldest message that is kept."""
    last_sequence: int
    """That of the last one that was stored."""
    consumers: int
    """How many consumers it has."""
    subjects: int
    """How many subjects its messages have."""


class Stream:
    """A stream of the server, by its name. Made by Connection.stream, which asks for nothing.

    >>> orders = connection.stream("ORDERS")
    >>> orders.create(subjects=["orders.>"])
    >>> orders.info().messages
    0

    create, delete, purge and info ask the server and wait, 5 seconds at most. They raise a NATSError if the server refuses.
    """

    def __init__(self, link: Link, name: str) -> None:
        if not isinstance(link, Link):
            raise TypeError("a Stream is not made by itself: Connection.stream makes one")
        self._link = link
        self._name = as_text(name, "name")

    @property
    def name(self) -> str:
        """Its name."""
        return self._name.decode()

    def create(
        self,
        subjects: Iterable[str] = (),
        *,
        description: str | None = None,
        retain: Literal["limits", "interest", "work"] = "limits",
        max_messages: int | None = None,
        max_bytes: int | None = None,
        max_messages_per_subject: int | None = None,
        max_message_size: int | None = None,
        max_age: Seconds | None = None,
        duplicates: Seconds | None = None,
        replicas: int | None = None,
        memory: bool = False,
        discard_new: bool = False,
    ) -> None:
        """Makes the stream; one that is there with the same options is left alone.

        Without subjects it has one, its name. It keeps all messages, within the limits; with "interest" what some consumer
        has not acknowledged; with "work" what has not been acknowledged. Ids of messages are remembered for 2 minutes, or
        `duplicates`. With `memory` they are not kept in files. At a limit the oldest are dropped, or, with `discard_new`,
        new ones refused.
        """
        if isinstance(subjects, str):
            raise TypeError("subjects must be several: a list of str")
        words = [as_text(each, "a subject") for each in subjects]
        array = (ctypes.c_char_p * len(words))(*words)
        options = filled(
            ffi.streams_nats_stream_options(),
            name=self._name,
            description=text(description, "description"),
            retention=choice(retain, RETAIN, "retain"),
            max_messages=count(max_messages, "max_messages"),
            max_bytes=count(max_bytes, "max_bytes"),
            max_messages_per_subject=count(max_messages_per_subject, "max_messages_per_subject"),
            max_message_size=count(max_message_size, "max_message_size"),
            max_age=duration(max_age, "max_age"),
            duplicates=duration(duplicates, "duplicates"),
            replicas=count(replicas, "replicas"),
            memory=bool(memory),
            discard_new=bool(discard_new),
        )
        if words:
            options.subjects, options.subject_count = array, len(words)
        check(library.streams_nats_stream_create(self._link._handle, options))

    def delete(self) -> None:
        """Removes the stream with its messages and consumers, whose streams fail."""
        check(library.streams_nats_stream_delete(self._link._handle, self._name))

    def purge(self) -> None:
        """Removes its messages."""
        check(library.streams_nats_stream_purge(self._link._handle, self._name))

    def info(self) -> StreamInfo:
        """What is in it."""
        found: Any = ffi.streams_nats_stream_info()
        check(library.streams_nats_stream_get_info(self._link._handle, self._name, found))
        return StreamInfo(*(getattr(found, field) for field in StreamInfo._fields))

    def consumer(
        self,
        durable: str | None = None,
        *,
        filter: str | None = None,
        deliver: Literal["all", "new", "last", "last_per_subject"] = "all",
        from_sequence: int | None = None,
        from_time: datetime.datetime | None = None,
        acknowledge: Literal["after", "by_hand", "none"] = "after",
        acknowledge_wait: Seconds | None = None,
        max_deliver: int | None = None,
        max_acknowledge_pending: int | None = None,
        most: int | None = None,
        inactive: Seconds | None = None,
    ) -> Consumer:
        """The messages of a consumer, as a cold publisher: see Consumer.

        A durable consumer is remembered by the server and can be shared by several processes, each message going to one of
        them; it is made if there is none, and otherwise taken as it is. Without a name, each subscriber has a consumer of
        its own, which goes with it, or after `inactive` (a minute) without it.

        A new consumer begins with the first message, or where `deliver`, `from_sequence` or `from_time` say; it has only
        messages of the subject `filter`, which may have wildcards. "last_per_subject" needs one. A message that nobody has
        acknowledged comes again after `acknowledge_wait` (30 s), `max_deliver` times in all.

        >>> stream.consumer("invoices", filter="orders.*.paid", acknowledge="by_hand", acknowledge_wait=120)
        """
        return consumer(
            self._link,
            self._name,
            durable,
            filter,
            deliver,
            from_sequence,
            from_time,
            acknowledge,
            acknowledge_wait,
            max_deliver,
            max_acknowledge_pending,
            most,
            inactive,
        )

    def __repr__(self) -> str:
        return f"<streams.nats.Stream {self.name}>"
