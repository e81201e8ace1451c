"""Connections: how they begin, what they say, and how they end."""

import copy
import datetime
import gc
import inspect
import pickle
import textwrap
import threading

import pytest
from nats_server import LIMIT, Reader, Server, connection, fill, make, own_server, server, stream, until  # noqa: F401
from programs import run
from streams import ClosedError, Sequence, StatusError, StatusValueError, StreamError, nats


def test_a_connection_and_its_state(server):
    with server.connect(name="test") as connection:
        until(lambda: connection.state == nats.State.CONNECTED)
        assert "CONNECTED" in repr(connection) and not connection.closed
        connection.flush()
        assert connection.dropped == 0
    assert connection.state == nats.State.CLOSED and connection.closed
    connection.close()
    for call in (connection.flush, lambda: connection.publish("a", "b"), lambda: connection.dropped):
        with pytest.raises(ClosedError, match="connection has been closed"):
            call()
    with pytest.raises(ClosedError):
        connection.stream("A").info()
    with pytest.raises(ClosedError):
        connection.subject("a")


def test_the_condition_says_why_nothing_is_reached(own_server):
    own_server.stop()
    with own_server.connect() as connection:
        assert connection.condition.value == (nats.State.CONNECTING, f"127.0.0.1:{own_server.port}: Connection refused")
        with pytest.raises(TimeoutError, match="Connection refused"):
            connection.flush(0.05)


@pytest.mark.parametrize("servers", ["", [], "hello world", "127.0.0.1:x"])
def test_what_is_no_address_is_refused(servers):
    with pytest.raises(StatusValueError, match="address of a server"):
        nats.Connection(servers)


def test_the_condition_follows_the_server(own_server):
    connection = own_server.connect()
    until(lambda: connection.state == nats.State.CONNECTED)
    seen = []
    cancellable = connection.condition.all_values.sink(seen.append)
    own_server.stop()
    until(lambda: connection.state == nats.State.RECONNECTING)
    own_server.start()
    until(lambda: connection.state == nats.State.CONNECTED)
    connection.close()
    until(lambda: seen[-1].state == nats.State.CLOSED)
    states = [condition.state for condition in seen]
    # A subscriber that is behind gets the latest.
    assert states[0] == nats.State.CONNECTED and sorted(set(states)) == states[:1] + [2, 3], seen
    assert connection.condition.value == (nats.State.CLOSED, "")
    cancellable.close()


def test_without_a_server_it_goes_on_trying(own_server):
    own_server.stop()
    with own_server.connect() as connection:
        assert connection.state == nats.State.CONNECTING
        reader = Reader(connection.subject("a"))
        own_server.start()
        until(lambda: connection.state == nats.State.CONNECTED)
        connection.publish("a", "1")
        assert reader.wait(1) == ["1"]
        reader.close()


def test_a_server_that_stays_away(own_server):
    connection = own_server.connect(max_reconnects=3)
    until(lambda: connection.state == nats.State.CONNECTED)
    make(connection.stream("G"))
    reader = Reader(connection.stream("G").consumer("w"))
    own_server.stop()
    error = reader.failure()
    assert type(error) is StreamError and error.domain == "nats" and str(own_server.port) in str(error), error
    until(lambda: connection.state == nats.State.CLOSED)
    with pytest.raises(ClosedError, match="Connection Closed"):
        connection.stream("G").info()
    connection.close()
    reader.close()


def test_a_server_that_comes_back(own_server):
    with own_server.connect() as connection:
        until(lambda: connection.state == nats.State.CONNECTED)
        make(connection.stream("B"))
        fill(connection, connection.stream("B"), 50)
        consumer = connection.stream("B").consumer("w", acknowledge_wait=1)
        reader = Reader(consumer, demand=20)
        reader.wait(20)
        own_server.stop()
        own_server.start()
        reader.subscription.request(1000)
        until(lambda: set(reader.texts) == {str(n) for n in range(50)})
        reader.close()


def test_credentials():
    server = Server("--user", "me", "--pass", "right").start()
    try:
        with pytest.raises(nats.NATSError, match="Authorization Violation") as caught:
            server.connect(user="me", password="wrong")
        assert caught.value.code == 11
        with server.connect(user="me", password="right") as connection:
            until(lambda: connection.state == nats.State.CONNECTED)
    finally:
        server.remove()


def test_a_token():
    server = Server("--auth", "secret").start()
    try:
        with pytest.raises(nats.NATSError, match="Authorization Violation"):
            server.connect()
        with server.connect(token="secret") as connection:
            until(lambda: connection.state == nats.State.CONNECTED)
    finally:
        server.remove()


def test_several_servers(server):
    with nats.Connection(["nats://127.0.0.1:1", server.url], max_reconnects=None) as connection:
        until(lambda: connection.state == nats.State.CONNECTED)


@pytest.mark.parametrize(
    "options, error",
    [
        ({"servers": 7}, TypeError),
        ({"servers": "a\0b"}, ValueError),
        ({"servers": ""}, StatusValueError),
        ({"name": b"x"}, TypeError),
        ({"max_reconnects": 0}, ValueError),
        ({"max_reconnects": "x"}, TypeError),
        ({"reconnect_wait": -1}, ValueError),
        ({"connect_timeout": "1"}, TypeError),
        ({"pending_messages": 0}, ValueError),
        ({"credentials_file": 3}, TypeError),
        ({"nkey": "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4"}, StatusError),
        ({"tls_ca_file": "/nowhere/ca.pem"}, StatusError),
        ({"tls_certificate_file": "/nowhere/cert.pem", "tls_key_file": "/nowhere/key.pem"}, StatusError),
    ],
)
def test_wrong_options(server, options, error):
    with pytest.raises(error, match=".+"):
        server.connect(**options) if "servers" not in options else nats.Connection(**options)


def test_closing_with_live_streams(server, connection, stream):
    fill(connection, stream, 5)
    other = server.connect()
    until(lambda: other.state == nats.State.CONNECTED)
    consumer = other.stream(stream.name).consumer("w", acknowledge="by_hand")
    readers = [Reader(consumer), Reader(other.subject("x")), Reader(other.bucket("KV").watch())]
    readers[0].wait(5)
    message = readers[0].messages[0]
    other.close()
    for reader in readers[:2]:
        error = reader.failure()
        assert error.domain == "nats" and "closed" in str(error)
    with pytest.raises(ClosedError):
        message.acknowledge()
    assert message.text == "0"
    readers[2].failure()
    del message
    for reader in readers:
        reader.close()


def test_closing_in_a_function_of_a_stream(server):
    other = server.connect()
    until(lambda: other.state == nats.State.CONNECTED)
    reader = Reader(other.subject("close"), each=lambda message: other.close())
    other.publish("close", "now")
    error = reader.failure()
    assert "closed" in str(error) and other.closed
    reader.close()


def test_a_connection_that_is_gone_is_closed(server):
    other = server.connect()
    until(lambda watched=other: watched.state == nats.State.CONNECTED)
    reader = Reader(other.subject("x"))
    del other
    gc.collect()
    assert "closed" in str(reader.failure())
    reader.close()


def test_it_cannot_be_copied(connection):
    for wrong in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied"):
            wrong(connection)
    for kind in (nats.Stream, nats.Bucket):
        with pytest.raises(TypeError, match="is not made by itself"):
            kind(None, "a")


def test_several_threads(connection):
    reader = Reader(connection.subject("t.*", limit=100000))
    connection.flush()
    threads = [
        threading.Thread(target=lambda n=n: [connection.publish(f"t.{n}", str(i)) for i in range(200)]) for n in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    reader.wait(800)
    for n in range(4):
        assert [m.text for m in reader.messages if m.subject == f"t.{n}"] == [str(i) for i in range(200)]
    reader.close()


def program(server, text, *options):
    result = run(f"server = {server.url!r}\n" + textwrap.dedent(text), "-X", "dev", *options)
    assert (result.returncode, result.stdout) == (0, b""), result.stdout.decode()


def test_what_was_published_is_sent_before_the_program_ends(server, connection):
    reader = Reader(connection.subject("last", limit=100000))
    connection.flush()
    program(
        server,
        """
        from streams import nats
        connection = nats.Connection(server)
        for number in range(5000):
            connection.publish("last", str(number))
        """,
    )
    assert reader.wait(5000) == [str(n) for n in range(5000)]
    reader.close()


def test_the_end_of_the_program_amid_streams(server, connection, stream):
    fill(connection, stream, 2000)
    program(
        server,
        f"""
        import threading
        from streams import nats
        connection = nats.Connection(server)
        seen = threading.Event()
        a = connection.stream({stream.name!r}).consumer("w", acknowledge="by_hand").sink(
            lambda message: seen.set(), lambda error: None)
        b = connection.condition.all_values.sink(lambda condition: None)
        assert seen.wait(20)
        """,
    )


def test_the_child_of_a_fork(server, connection, stream):
    fill(connection, stream, 3)
    program(
        server,
        f"""
        import os, threading
        from streams import ClosedError, nats
        connection = nats.Connection(server)
        messages = []
        cancellable = connection.stream({stream.name!r}).consumer("w", acknowledge="by_hand").sink(
            messages.append, lambda error: None)
        while len(messages) < 3:
            threading.Event().wait(0.01)
        child = os.fork()
        if child == 0:
            def refused(call, kind):
                try:
                    call()
                except kind:
                    return True
            good = refused(lambda: connection.publish("a", "b"), ClosedError)
            good = good and refused(messages[0].acknowledge, ClosedError) and messages[0].text == "0"
            good = good and refused(lambda: nats.Connection(server), (nats.NATSError, ClosedError))
            cancellable.close()
            messages.clear()
            connection.close()
            os._exit(0 if good else 7)
        assert os.waitpid(child, 0)[1] == 0
        for message in messages:
            message.acknowledge()
        """,
        "-W",
        "ignore:This process:DeprecationWarning",
    )
    until(lambda: stream.consumer("w").info().acknowledged == 3)


def test_states_are_numbers():
    assert [state.name for state in nats.State] == ["CONNECTING", "CONNECTED", "RECONNECTING", "CLOSED"]


def _options(function):
    """The names of what a function takes as a number or a time."""
    parameters = inspect.signature(function).parameters.values()
    return [each.name for each in parameters if any(kind in str(each.annotation) for kind in ("int |", "Seconds"))]


def test_negative_numbers_are_refused(server, connection):
    stream, bucket, values = connection.stream("S"), connection.bucket("b"), [1]
    calls = (
        (nats.Connection.__init__, lambda **options: server.connect(**options)),
        (nats.Stream.create, stream.create),
        (nats.Stream.consumer, stream.consumer),
        (nats.Bucket.create, bucket.create),
        (nats.Bucket.put, lambda **options: bucket.put("k", "1", **options)),
        (nats.Connection.publish_all, lambda **options: connection.publish_all(Sequence(values), "s", **options)),
    )
    for function, call in calls:
        assert _options(function)
        for name in _options(function):
            with pytest.raises(ValueError, match=name):
                call(**{name: -1})
    with pytest.raises(ValueError, match="start_time"):
        stream.consumer(from_time=datetime.datetime(1969, 1, 1, tzinfo=datetime.timezone.utc))
