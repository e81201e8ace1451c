"""JetStream's consumers."""

from __future__ import annotations

import datetime
from typing import Any, NamedTuple

from .._native.errors import check
from .._native.tracing import as_text
from .._operators.publisher import Publisher
from .._program.demand import as_int64
from .._schedulers.schedulers import Seconds
from . import ffi_generated as ffi
from ._library import library
from ._link import Link
from ._messages import Message, received
from ._options import choice, count, duration, filled, text, words_of

DELIVER = {word: each for word, each in words_of(ffi.streams_nats_deliver).items() if not word.startswith("from_")}
ACKNOWLEDGE = words_of(ffi.streams_nats_acknowledgement)
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


class ConsumerInfo(NamedTuple):
    """Where a consumer is."""

    delivered: int
    """The number in the stream of the last message that was delivered."""
    acknowledged: int
    """The number in the stream up to which all are acknowledged."""
    pending: int
    """How many are not delivered yet."""
    acknowledge_pending: int
    """How many are delivered and not acknowledged."""
    redelivered: int
    """How many have been delivered more than once."""
    waiting: int
    """Pull requests that wait."""


class Consumer(Publisher[Message]):
    """The messages of a consumer of a stream: a cold publisher, where demand is the fetch. Made by Stream.consumer.

    >>> orders = connection.stream("ORDERS").consumer("workers")
    >>> cancellable = orders.sink(lambda message: print(message.text))

    Or, in asyncio:

    >>> async with orders.values(buffer=100) as messages:
    ...     async for message in messages:
    ...         await handle(message)

    **Demand**: what is demanded is fetched from the server, never more, and at most `most` (1,000) at a time. The next part
    is asked for when half is used up, so a steady reader does not wait for the server.
    **Completion**: none. **Failure**: if the stream or the consumer is not there, or is deleted, and when the connection is
    closed. Without a server it waits for the connection.
    **Cancellation**: messages that were delivered and not acknowledged are rejected at once, so that another reader gets
    them; those on their way come again 0.3 s later. None is lost. One may come more than once, as when a process dies before
    its acknowledgement arrives.
    **Threads**: values come on a thread of the library. A function that takes long holds up other streams: put receive_on in
    between, and acknowledge by hand then.

    **Acknowledgement.** With "after", the stream acknowledges a message when its subscriber has returned from it. What
    queues the messages returns at once: iteration (`for`, `async for`), receive_on, buffer, publish_all. With these,
    acknowledge "by_hand" what is done. A message during which the stream is cancelled or fails is rejected, as the n-th by
    prefix(n).
    """

    _made_by = "Stream.consumer"
    _link: Link
    _stream: bytes
    _durable: bytes | None
    _options: Any

    def create(self) -> None:
        """Makes the durable consumer, as its first subscriber does if it is not there. Fails if one exists with other
        options. Asks the server and waits."""
        check(library.streams_nats_consumer_create(self._link._handle, self._options))

    def delete(self) -> None:
        """Removes the durable consumer; its streams fail. Asks the server and waits."""
        check(library.streams_nats_consumer_delete(self._link._handle, self._stream, self._named()))

    def info(self) -> ConsumerInfo:
        """Where the durable consumer is. Asks the server and waits."""
        found = ffi.streams_nats_consumer_info()
        check(library.streams_nats_consumer_get_info(self._link._handle, self._stream, self._named(), found))
        return ConsumerInfo(*(getattr(found, field) for field in ConsumerInfo._fields))

    def _named(self) -> bytes:
        if self._durable is None:
            raise ValueError("an ephemeral consumer has no name: each subscriber has one of its own")
        return self._durable


def _nanoseconds(time: Any) -> int | None:
    """Nanoseconds since 1970."""
    if time is None:
        return None
    if not isinstance(time, datetime.datetime):
        raise TypeError(f"from_time must be a datetime, not {type(time).__name__}")
    if time.tzinfo is None:
        raise ValueError("from_time must have a time zone: datetime.now(timezone.utc) has one")
    return (time - _EPOCH) // datetime.timedelta(microseconds=1) * 1000


def consumer(
    link: Link,
    stream: bytes,
    durable: str | None,
    filter: str | None,
    deliver: str,
    from_sequence: int | None,
    from_time: datetime.datetime | None,
    acknowledge: str,
    acknowledge_wait: Seconds | None,
    max_deliver: int | None,
    max_acknowledge_pending: int | None,
    most: int | None,
    inactive: Seconds | None,
) -> Consumer:
    """See Stream.consumer."""
    begin = choice(deliver, DELIVER, "deliver")
    if from_sequence is not None and from_time is not None:
        raise TypeError("a consumer begins at a number or at a time: give from_sequence or from_time, not both")
    if from_sequence is not None:
        begin = ffi.streams_nats_deliver.FROM_SEQUENCE
    if from_time is not None:
        begin = ffi.streams_nats_deliver.FROM_TIME
    options = filled(
        ffi.streams_nats_consume_options(),
        stream=stream,
        durable=text(durable, "durable"),
        filter=text(filter, "filter"),
        deliver=begin,
        start_sequence=None if from_sequence is None else as_int64(from_sequence, "from_sequence"),
        start_time=_nanoseconds(from_time),
        acknowledge_wait=duration(acknowledge_wait, "acknowledge_wait"),
        max_deliver=count(max_deliver, "max_deliver"),
        max_acknowledge_pending=count(max_acknowledge_pending, "max_acknowledge_pending"),
        acknowledgement=choice(acknowledge, ACKNOWLEDGE, "acknowledge"),
        most=count(most, "most"),
        inactive=duration(inactive, "inactive"),
    )
    kind: type[Consumer] = Consumer
    found = kind.__new__(kind)
    found._own(received(library.streams_nats_consume(link._handle, options)))
    found._link, found._stream, found._options = link, stream, options
    found._durable = None if durable is None else as_text(durable, "durable")
    return found
