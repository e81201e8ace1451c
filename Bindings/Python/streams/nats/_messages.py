"""Messages that were received."""

from __future__ import annotations

import ctypes
import datetime
import json
from typing import Any

from .._native import host
from .._native.errors import check, made
from .._native.handle import COMBINE_VALUES, DESTROY
from .._native.library import library as streams
from .._operators.publisher import Publisher, source
from .._schedulers.schedulers import Seconds, as_duration
from . import ffi_generated as ffi
from ._kept import Kept
from ._library import library
from ._payload import Value

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_keep = library.streams_nats_keep


class Message(Kept):
    """A message that was received: of a consumer, a core subject, a request or its answer, or a bucket.

    >>> message.subject, message.text, message.headers
    ('orders.new', '42', {'Trace': '7'})

    It may be kept, and used on any thread. With the acknowledgement "by_hand" it is settled once: by acknowledge, reject
    or terminate. If its stream ends before, it is rejected, and the server delivers it again. What cannot be settled any
    more raises a ClosedError: it has been settled, by a call, or by the end of its stream or of its connection. What needs
    no acknowledgement, since it does not come from a consumer, raises a ValueError.
    """

    __slots__ = ()

    def __init__(self) -> None:
        raise TypeError("a Message is received: an Outgoing is made, to be published")

    @property
    def subject(self) -> str:
        """The subject that it was published to."""
        return self._subject.decode("utf-8", "backslashreplace")

    @property
    def text(self) -> str:
        """The payload as text. Raises a UnicodeDecodeError if it is not UTF-8."""
        return self.data.decode()

    def json(self) -> Any:
        """What the payload says as JSON. Raises a ValueError if it is none."""
        return json.loads(self.data)

    @property
    def headers(self) -> dict[str, str]:
        """The headers; of a name with several values the first one."""
        return dict(reversed(self.header_fields))

    @property
    def reply(self) -> str:
        """Where an answer goes to; empty if none is wanted."""
        text = ctypes.c_char_p()
        check(library.streams_nats_reply_of(self._kept, text))
        return (text.value or b"").decode("utf-8", "backslashreplace")

    def respond(self, answer: Any) -> None:
        """Answers a request. The answer is what publish takes. Raises a ValueError if none is wanted."""
        with Value(answer) as native:
            check(library.streams_nats_reply(self._kept, native))

    # ---- what JetStream says -----------------------------------------------------------------------------------------

    @property
    def sequence(self) -> int:
        """Its number in the stream of the server. Raises a ValueError if the message does not come from JetStream, as do
        the properties that follow."""
        return int(self._metadata().sequence)

    @property
    def deliveries(self) -> int:
        """How often it has been delivered: 1 the first time."""
        return int(self._metadata().deliveries)

    @property
    def pending(self) -> int:
        """How many more waited for the consumer when it was sent."""
        return int(self._metadata().pending)

    @property
    def time(self) -> datetime.datetime:
        """When the server stored it, in UTC."""
        return _EPOCH + datetime.timedelta(microseconds=self._metadata().time // 1000)

    def _metadata(self) -> Any:
        found = ffi.streams_nats_metadata()
        check(library.streams_nats_get_metadata(self._kept, found))
        return found

    # ---- settling ----------------------------------------------------------------------------------------------------

    def acknowledge(self) -> None:
        """It is done. Does not wait for the server."""
        check(library.streams_nats_acknowledge(self._kept))

    def reject(self, delay: Seconds = 0) -> None:
        """It is to be delivered again, to any reader of the consumer: at once, or after a delay."""
        check(library.streams_nats_reject(self._kept, as_duration(delay, "delay")))

    def terminate(self) -> None:
        """It is not done, and never to be delivered again."""
        check(library.streams_nats_terminate(self._kept))

    def in_progress(self) -> None:
        """It needs more time: the wait for its acknowledgement begins anew. May be called any number of times."""
        check(library.streams_nats_in_progress(self._kept))

    def __repr__(self) -> str:
        data = self.data if len(self.data) <= 40 else self.data[:37] + b"..."
        return f"<{type(self).__module__}.{type(self).__qualname__} to {self.subject}: {data!r}>"


class Entry(Message):
    """What a bucket says about a key: that it has been set, or that its value has been removed."""

    __slots__ = ()

    @property
    def key(self) -> str:
        """The key."""
        return self._entry()[0]

    @property
    def value(self) -> bytes | None:
        """The value; None if it has been removed."""
        return self.data if self._entry()[1] == ffi.streams_nats_operation.PUT else None

    @property
    def revision(self) -> int:
        """The number of this change in the bucket, which put takes as `revision`."""
        return self.sequence

    def _entry(self) -> tuple[str, int]:
        key, operation = ctypes.c_char_p(), ctypes.c_int()
        check(library.streams_nats_entry(self._kept, key, operation))
        return (key.value or b"").decode(), operation.value


def _receive(self: Any, address: int, data: bytes, subject: bytes) -> None:
    self._kept = _keep(address) or made(0)
    self.data = data
    self._subject = subject


# How the library makes them, and no program: of an address.
_Message: Any = type("Message", (Message,), {"__slots__": (), "__init__": _receive, "__module__": "streams.nats"})
_Entry: Any = type("Entry", (Entry,), {"__slots__": (), "__init__": _receive, "__module__": "streams.nats"})


def received(handle: Any, kind: Any = _Message) -> int:
    """The handle of a publisher of Python objects for one of messages, which is consumed."""
    publisher = made(handle)
    context = streams.streams_callable_create(host.number, kind)
    return made(library.streams_nats_map_parts(publisher, COMBINE_VALUES, context, DESTROY))


def messages(handle: Any) -> Publisher[Message]:
    """A publisher of messages, which begins a pipeline."""
    return source(received(handle))


def entries(handle: Any) -> Publisher[Entry]:
    """A publisher of entries, which begins a pipeline."""
    return source(received(handle, _Entry))
