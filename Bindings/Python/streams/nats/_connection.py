"""Connections to a server or a cluster."""

from __future__ import annotations

import atexit
import enum
import os
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Callable, NamedTuple

from .._native.errors import check, made
from .._native.library import library as streams
from .._native.tracing import as_text
from .._operators.publisher import Publisher, source
from .._schedulers.schedulers import Seconds, as_duration
from .._state.property import Property
from . import ffi_generated as ffi
from ._buckets import Bucket
from ._library import library
from ._link import Link
from ._messages import Message, messages
from ._options import count, duration, filled, path, text
from ._payload import Payload, Value
from ._publishing import published, sent
from ._streams import Stream
from ._subjects import CoreSubject, publish, subject

if TYPE_CHECKING:
    from typing import Literal


class State(enum.IntEnum):
    """What a connection does."""

    CONNECTING = 0
    """It has never been connected so far."""
    CONNECTED = 1
    RECONNECTING = 2
    """It was connected, and tries to be again."""
    CLOSED = 3
    """It is closed for good."""


class Condition(NamedTuple):
    """The state of a connection, and why it is not connected: each server with its reason, or what the server or the
    library said. It is empty if there is no error, or none is known any more, as mostly while it reconnects."""

    state: State
    reason: str


class Connection(Link):
    """A connection to a server, or to a cluster of servers.

    >>> from streams import nats
    >>> with nats.Connection("nats://127.0.0.1:4222") as connection:
    ...     for message in connection.stream("ORDERS").consumer("workers", acknowledge="by_hand"):
    ...         print(message.text)
    ...         message.acknowledge()

    Up to two attempts at each server are made in the call. If none can be reached, the connection goes on trying by itself,
    `condition` says why, and streams that are subscribed to meanwhile begin when it stands. A server that refuses the
    credentials raises a NATSError.

    `servers` are addresses: one, several with commas in between, or an iterable. A user with a password, or a token, may be
    in an address, before an @, as `urllib.parse.quote(user, "")` has them. `name` is shown by the server's tools. A
    `credentials_file` has a JWT and a seed; `nkey` is a public key, and `nkey_seed_file` has its seed. The TLS files are PEM
    files; `tls_ca_file` or `tls_certificate_file` makes the connection use TLS. Times are seconds: an attempt takes 2 s at
    most (`connect_timeout`), 2 s pass between attempts at one server (`reconnect_wait`), and each is tried 60 times
    (`max_reconnects`; None: for ever) before the connection is given up. `pending_messages` and `pending_bytes` are how much
    a core subject's stream may leave in the library's memory while its thread is busy (65,536 and 64 MB); `dropped` counts
    what came beyond.

    The connection is closed by close(), at the end of a `with` block, when the object is gone, or when the program ends. Its
    streams do not keep it: keep it as long as they run. May be used from any thread. In the child of a fork only release
    streams: calls with a connection of the parent raise a ClosedError, and a new one cannot be made.
    """

    def __init__(
        self,
        servers: str | Iterable[str] | None = None,
        *,
        name: str | None = None,
        user: str | None = None,
        password: str | None = None,
        token: str | None = None,
        credentials_file: str | os.PathLike[str] | None = None,
        nkey: str | None = None,
        nkey_seed_file: str | os.PathLike[str] | None = None,
        tls_ca_file: str | os.PathLike[str] | None = None,
        tls_certificate_file: str | os.PathLike[str] | None = None,
        tls_key_file: str | os.PathLike[str] | None = None,
        connect_timeout: Seconds | None = None,
        reconnect_wait: Seconds | None = None,
        max_reconnects: int | None = 60,
        ping_interval: Seconds | None = None,
        pending_messages: int | None = None,
        pending_bytes: int | None = None,
    ) -> None:
        if servers is not None and not isinstance(servers, str):
            servers = ",".join(servers)
        options = filled(
            ffi.streams_nats_options(),
            servers=text(servers, "servers"),
            name=text(name, "name"),
            user=text(user, "user"),
            password=text(password, "password"),
            token=text(token, "token"),
            credentials_file=path(credentials_file, "credentials_file"),
            nkey=text(nkey, "nkey"),
            nkey_seed_file=path(nkey_seed_file, "nkey_seed_file"),
            tls_ca_file=path(tls_ca_file, "tls_ca_file"),
            tls_certificate_file=path(tls_certificate_file, "tls_certificate_file"),
            tls_key_file=path(tls_key_file, "tls_key_file"),
            connect_timeout=duration(connect_timeout, "connect_timeout"),
            reconnect_wait=duration(reconnect_wait, "reconnect_wait"),
            max_reconnects=-1 if max_reconnects is None else count(max_reconnects, "max_reconnects"),
            ping_interval=duration(ping_interval, "ping_interval"),
            pending_messages=count(pending_messages, "pending_messages"),
            pending_bytes=count(pending_bytes, "pending_bytes"),
        )
        self._handle = made(library.streams_nats_connect(options))
        self._states: Property[Condition] | None = None
        _open.add(self)

    def close(self) -> None:
        """Closes the connection: its streams fail and say so; messages that they had and did not acknowledge are rejected.

        Waits until what was published has been sent, 5 seconds at most; in a function of one of its streams it does not
        wait. Using the connection afterwards raises ClosedError; closing again does nothing.
        """
        handle, self._handle = self._handle, 0
        if handle:
            library.streams_nats_close(handle)  # bindings of keys keep it; in the child of a fork this is refused
            streams.streams_clear_last_error()
            check(library.streams_nats_release(handle))

    # ---- its state ---------------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """Its state now."""
        return State(library.streams_nats_get_state(self._handle)) if self._handle else State.CLOSED

    @property
    def condition(self) -> Property[Condition]:
        """Its state as a value that can be read and watched, with what the server said if it is an error.

        >>> cancellable = connection.condition.all_values.sink(print)
        Condition(state=<State.CONNECTED: 1>, reason='')
        """
        if self._states is None:
            handle = library.streams_nats_states(self._handle)
            states = source(made(handle)).map(lambda pair: Condition(State(pair[0]), pair[1]))
            self._states = Property(Condition(self.state, ""), then=states)
        return self._states

    @property
    def dropped(self) -> int:
        """How many messages for core subjects were dropped because they came faster than the library's threads took them;
        see pending_messages."""
        streams.streams_clear_last_error()
        count = int(library.streams_nats_dropped(self._handle))
        check(streams.streams_last_status())
        return count

    def flush(self, timeout: Seconds = 10) -> None:
        """Waits until the server has got all that was published before. Raises a TimeoutError."""
        check(library.streams_nats_flush(self._handle, as_duration(timeout, "timeout")))

    # ---- what is on the server ---------------------------------------------------------------------------------------

    def stream(self, name: str) -> Stream:
        """A stream of the server, which may be there or not: see Stream."""
        return Stream(self, name)

    def bucket(self, name: str) -> Bucket:
        """A key-value bucket of the server, which may be there or not: see Bucket."""
        return Bucket(self, name)

    # ---- publishing --------------------------------------------------------------------------------------------------

    def publish(self, subject: str, payload: Payload) -> None:
        """Publishes to a subject. The server confirms nothing; while the connection is down, up to 8 MB wait for it.

        The payload is text, bytes, None, a Message that was received, whose headers go along, or an Outgoing.

        >>> connection.publish("greetings", "hello")
        """
        publish(self, as_text(subject, "subject"), payload)

    def publish_confirmed(self, subject: str, payload: Payload) -> Publisher[int]:
        """Publishes to JetStream when a value is demanded, and then the number under which the server has stored it.
        Otherwise as publish_all.

        >>> number = await connection.publish_confirmed("orders.new", "42")
        """
        with Value(payload) as value:
            named = as_text(subject, "subject")
            return source(made(library.streams_nats_publish_confirmed(self._handle, named, value)))

    def publish_all(
        self,
        publisher: Publisher[Any],
        subject: str | Callable[[Any], str],
        *,
        encode: Callable[[Any], Payload] | None = None,
        id: Callable[[Any], str] | None = None,
        window: int | None = None,
        confirm_wait: Seconds | None = None,
        retries: int | None = None,
        on_confirmed: Callable[[int, int, bool], Any] | None = None,
    ) -> Publisher[int]:
        """Publishes all values of a publisher to JetStream, and then one value: how many were confirmed.

        `subject` is the same for all, or a function for that of each value. `encode` makes of a value what publish takes,
        such as json.dumps. `id` makes the id by which the server recognizes a value that it has already.

        >>> connection.publish_all(orders, lambda order: f"orders.{order['customer']}", encode=json.dumps).run()

        **Demand**: as many values are demanded as the window (1,000) has room for; that is how many may be published and not
        confirmed. The publisher is subscribed to when there is demand for the result.
        **Completion**: when all values are confirmed. `on_confirmed` is called for each with its index, from 0 on, its
        number in the stream, and whether the server had it already.
        **Failure**: with the publisher's failure or a function's exception, after what came before it has been confirmed;
        with a PublishError if a value cannot be stored. A value that is not confirmed within `confirm_wait` (5 s) is
        published anew, `retries` times (5), and as after a lost connection in order. With ids nothing is stored twice.
        **Cancellation**: cancels the publisher; what has been sent is stored.
        **Threads**: the functions are called where the values come; on_confirmed, and the result, on a thread of the
        library.
        """
        return published(self, publisher, subject, encode, id, window, confirm_wait, retries, on_confirmed)

    def send_all(
        self,
        publisher: Publisher[Any],
        subject: str | Callable[[Any], str],
        *,
        encode: Callable[[Any], Payload] | None = None,
    ) -> Publisher[int]:
        """Publishes all values of a publisher to core subjects, and then one value: how many there were.

        The server confirms nothing: while the connection is down up to 8 MB wait for it, and what was on its way is lost.
        `subject` and `encode` are as with publish_all.

        >>> connection.send_all(readings, lambda reading: f"readings.{reading['room']}", encode=json.dumps).run()

        **Demand**: all values are demanded.
        **Completion**: when all have been given to the connection.
        **Failure**: with the publisher's failure or a function's exception; with a PublishError if a value cannot be
        published.
        **Cancellation**: cancels the publisher.
        **Threads**: the functions are called where the values come.
        """
        return sent(self, publisher, subject, encode)

    # ---- subjects and requests ---------------------------------------------------------------------------------------

    def subject(
        self,
        name: str,
        *,
        queue: str | None = None,
        limit: int = 1024,
        when_full: Literal["drop_newest", "drop_oldest", "fail"] = "drop_newest",
    ) -> CoreSubject:
        """A core subject, which may have wildcards: its messages, and `send` to publish. See CoreSubject.

        With a queue group, each message goes to one of its members. A responder is a reader that answers:

        >>> cancellable = connection.subject("square", queue="squares").sink(
        ...     lambda request: request.respond(str(int(request.text) ** 2))
        ... )
        >>> connection.request("square", "7").first_value().text
        '49'
        """
        return subject(self, name, queue, limit, when_full)

    def request(self, subject: str, payload: Payload, timeout: Seconds = 5) -> Publisher[Message]:
        """Sends a request when its answer is demanded, publishes the answer, and finishes; each subscriber sends one.

        Fails with a NATSTimeoutError after the timeout, and at once with a NoRespondersError if nobody listens.

        >>> answer = await connection.request("square", "7", timeout=0.5)
        """
        with Value(payload) as value:
            named, patience = as_text(subject, "subject"), as_duration(timeout, "timeout")
            return messages(library.streams_nats_request(self._handle, named, value, patience))

    def __repr__(self) -> str:
        return f"<streams.nats.Connection {self.state.name}>"


_open: weakref.WeakSet[Connection] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    """What was published is sent, and what was not acknowledged rejected, before the program ends."""
    for connection in list(_open):
        connection.close()
