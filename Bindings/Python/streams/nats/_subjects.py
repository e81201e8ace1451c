"""Core subjects."""

from __future__ import annotations

from typing import Any

from .._native.errors import check
from .._native.tracing import as_text
from .._operators.publisher import Publisher
from .._program.demand import as_int64
from . import ffi_generated as ffi
from ._library import library
from ._link import Link
from ._messages import Message, received
from ._options import choice, text, words_of
from ._payload import Payload, Value

WHEN_FULL = words_of(ffi.streams_nats_when_full)


def publish(link: Link, subject: bytes, payload: Any) -> None:
    with Value(payload) as value:
        check(library.streams_nats_publish(link._handle, subject, value))


class CoreSubject(Publisher[Message]):
    """The messages of a core subject, from the subscription on; `send` publishes to it. Made by Connection.subject.

    **Demand**: NATS does not wait for a reader. Up to `limit` messages are kept until they are demanded. For more there is
    no room: as `when_full` says, they are dropped, and counted by `dropped` of the cancellable, or the stream fails.
    **Completion**: none. **Failure**: when the connection is closed, or for lack of room. **Threads**: values come on a
    thread of the library. A function that takes long holds up other streams: put receive_on in between.
    """

    _made_by = "Connection.subject"
    _link: Link
    _name: bytes

    def send(self, payload: Payload, /) -> None:
        """Publishes to the subject, which must have no wildcards. See Connection.publish."""
        publish(self._link, self._name, payload)


def subject(link: Link, name: str, queue: str | None, limit: int, when_full: str) -> CoreSubject:
    """See Connection.subject."""
    named = as_text(name, "subject")
    full = choice(when_full, WHEN_FULL, "when_full")
    group = text(queue, "queue")
    made = library.streams_nats_subject(link._handle, named, group, as_int64(limit, "limit"), full)
    kind: type[CoreSubject] = CoreSubject
    found = kind.__new__(kind)
    found._own(received(made))
    found._link, found._name = link, named
    return found
