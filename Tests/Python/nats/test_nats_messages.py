"""What messages say, and what is published."""

import copy
import gc
import pickle

import pytest
from nats_server import Reader, connection, server, stream, until  # noqa: F401
from streams import Just, StatusTypeError, StatusValueError, nats


@pytest.fixture
def subject(connection):
    reader = Reader(connection.subject("m.>"))
    connection.flush()
    yield reader
    reader.close()


@pytest.mark.parametrize(
    "payload, data",
    [
        ("text", b"text"),
        ("ümläut €", "ümläut €".encode()),
        (b"\0\xff", b"\0\xff"),
        (bytearray(b"ab"), b"ab"),
        (memoryview(b"abcd")[1:3], b"bc"),
        ("", b""),
        (None, b""),
        (nats.Outgoing("x"), b"x"),
        (nats.Outgoing(), b""),
        ("y" * 200_000, b"y" * 200_000),
    ],
    ids=range(10),
)
def test_payloads(connection, subject, payload, data):
    connection.publish("m.a", payload)
    until(lambda: subject.messages)
    assert subject.messages[0].data == data and subject.messages[0].headers == {}


def test_headers_and_helpers(connection, subject):
    headers = [("A", "1"), ("B", "zwei Wörter"), ("A", "2")]
    connection.publish("m.json", nats.Outgoing('{"n": [1, null]}', headers=headers, id="one"))
    connection.publish("m.dict", nats.Outgoing(b"\xff", headers={"C": "3"}))
    until(lambda: len(subject.messages) == 2)
    first, second = subject.messages
    assert first.json() == {"n": [1, None]} and first.text == '{"n": [1, null]}'
    assert first.headers == {"A": "1", "B": "zwei Wörter", "Nats-Msg-Id": "one"}
    assert [pair for pair in first.header_fields if pair[0] == "A"] == [("A", "1"), ("A", "2")]
    assert second.headers == {"C": "3"} and second.subject == "m.dict"
    with pytest.raises(UnicodeDecodeError):
        second.text
    with pytest.raises(ValueError):
        second.json()
    assert repr(first) == "<streams.nats.Message to m.json: b'{\"n\": [1, null]}'>"
    del first, second


def test_a_message_is_published_again_with_its_headers(connection, subject):
    connection.publish("m.first", nats.Outgoing("x", {"A": "1"}))
    subject.wait(1)
    connection.publish("m.again", subject.messages[0])
    connection.publish("m.more", nats.Outgoing(subject.messages[0], {"B": "2"}))
    subject.wait(3)
    assert [message.headers for message in subject.messages[1:]] == [{"A": "1"}, {"A": "1", "B": "2"}]
    assert subject.texts == ["x"] * 3


def test_what_does_not_come_from_jetstream(connection, subject):
    connection.publish("m.a", "x")
    subject.wait(1)
    (message,) = subject.messages
    for name in ("sequence", "deliveries", "pending", "time"):
        with pytest.raises(StatusValueError, match="does not come from JetStream"):
            getattr(message, name)
    for settle in (message.acknowledge, message.reject, message.terminate, message.in_progress):
        with pytest.raises(StatusValueError, match="no acknowledgement"):
            settle()
    with pytest.raises(StatusValueError, match="wants no answer"):
        message.respond("x")
    assert message.reply == ""
    del message, settle


def test_messages_are_kept_once(connection, subject):
    connection.publish("m.a", "x")
    subject.wait(1)
    message = subject.messages[0]
    assert copy.copy(message) is message and copy.deepcopy([message])[0] is message
    with pytest.raises(TypeError, match="cannot be pickled"):
        pickle.dumps(message)
    with pytest.raises(TypeError, match="is received"):
        nats.Message()
    with pytest.raises(TypeError):
        type(message)()
    assert isinstance(message, nats.Message)
    del message
    gc.collect()


@pytest.mark.parametrize("wrong", [1, 1.5, [], {}, object(), nats.Outgoing(nats.Outgoing("x")), nats.Outgoing(3)])
def test_wrong_payloads(connection, wrong):
    for call in (
        lambda: connection.publish("m.a", wrong),
        lambda: connection.publish_confirmed("m.a", wrong),
        lambda: connection.request("m.a", wrong),
        lambda: connection.publish_all(Just(wrong), "m.a").run(timeout=20),
    ):
        with pytest.raises(TypeError, match="Outgoing"):
            call()


@pytest.mark.parametrize(
    "headers, id, error",
    [
        ({"": "x"}, None, StatusValueError),
        ({"a b": "x"}, None, StatusValueError),
        ({"a": 1}, None, TypeError),
        ({1: "a"}, None, TypeError),
        ({"a": "x\0y"}, None, ValueError),
        ({}, 5, TypeError),
        ([("a",)], None, ValueError),
        ([("a", "b", "c")], None, ValueError),
    ],
)
def test_wrong_headers(connection, headers, id, error):
    with pytest.raises(error, match=".+"):
        connection.publish("m.a", nats.Outgoing("x", headers, id))


def test_wrong_subjects(connection):
    for wrong in ("", "a b", "a.*", "a\r\nb"):
        with pytest.raises(StatusValueError, match="not a subject to publish to"):
            connection.publish(wrong, "x")
    for wrong in (None, b"a", 3):
        with pytest.raises(TypeError, match="subject must be a str"):
            connection.publish(wrong, "x")
    with pytest.raises(UnicodeEncodeError):
        connection.publish("m.a", "\ud800")
    connection.flush()
    assert connection.state == nats.State.CONNECTED


def test_a_payload_that_is_too_large(connection):
    with pytest.raises(nats.NATSError, match="2000000 bytes are more than the server takes"):
        connection.publish("m.a", b"x" * 2_000_000)
    assert issubclass(StatusTypeError, TypeError)


def test_outgoing_is_shown():
    assert repr(nats.Outgoing("x", {"a": "b"}, "i")) == "Outgoing('x', headers=[('a', 'b')], id='i')"
