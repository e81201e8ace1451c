"""Key-value buckets."""

import itertools

import pytest
from nats_server import Reader, connection, server, until  # noqa: F401
from streams import Property, StatusValueError, StreamError, nats
from turns import within

_names = itertools.count(1)


@pytest.fixture
def bucket(connection):
    bucket = connection.bucket(f"b{next(_names)}")
    bucket.create(history=5)
    bucket.create(history=5)
    yield bucket
    bucket.delete_bucket()


def test_a_key_is_read_and_set(bucket):
    assert bucket.get("a") is None and bucket.get_with_revision("a") == (None, 0)
    assert bucket.put("a", "1") == 1
    assert bucket.put("b", b"\0") == 2
    assert bucket.get_with_revision("a") == (b"1", 1) and bucket.get("b") == b"\0"
    bucket.delete("a")
    assert bucket.get("a") is None


def test_a_key_is_set_at_a_revision(bucket):
    assert bucket.put("a", "1", revision=0) == 1
    for wrong in (0, 7):
        with pytest.raises(nats.NATSError, match="wrong last sequence") as caught:
            bucket.put("a", "2", revision=wrong)
        assert caught.value.code == 10071
    assert bucket.put("a", "2", revision=1) == 2
    bucket.delete("a")
    assert bucket.put("a", "3", revision=0) == 4


def test_a_key_is_watched(bucket):
    bucket.put("a", "1")
    one, every = Reader(bucket.watch("a")), Reader(bucket.watch())
    one.wait(1)
    bucket.put("b", "2")
    bucket.put("a", "3")
    bucket.delete("a")
    one.wait(3)
    every.wait(4)
    assert [(entry.key, entry.value, entry.revision) for entry in one.messages] == [
        ("a", b"1", 1),
        ("a", b"3", 3),
        ("a", None, 4),
    ]
    assert [entry.key for entry in every.messages] == ["a", "b", "a", "a"]
    assert all(isinstance(entry, nats.Entry) for entry in every.messages)
    one.close()
    every.close()


def test_a_wildcard(bucket):
    bucket.put("x.a", "1")
    bucket.put("y.a", "2")
    reader = Reader(bucket.watch("x.*"))
    reader.wait(1)
    bucket.put("x.b", "3")
    reader.wait(2)
    assert [entry.key for entry in reader.messages] == ["x.a", "x.b"]
    reader.close()


def test_values(bucket):
    found = []
    cancellable = bucket.values("a").sink(found.append)
    until(lambda: found == [None])
    bucket.put("a", "1")
    bucket.delete("a")
    until(lambda: found == [None, b"1", None])
    cancellable.close()


async def test_values_in_asyncio(bucket):
    bucket.put("a", "1")

    async def first():
        async for value in bucket.values("a"):
            return value

    assert await within(first()) == b"1"


def test_history(bucket):
    for n in range(7):
        bucket.put("a", str(n))
    bucket.delete("a")
    assert [entry.value for entry in bucket.history("a")] == [b"3", b"4", b"5", b"6", None]
    assert list(bucket.history("none")) == []
    bucket.delete("a", purge=True)
    assert [entry.value for entry in bucket.history("a")] == [None]


def test_a_binding(bucket):
    color = bucket.binding("color")
    assert color.value is None
    found = []
    cancellable = color.values.sink(found.append)
    color.value = b"red"
    assert color.value == b"red" and bucket.get("color") == b"red"
    until(lambda: found[-1] == b"red")
    bucket.put("color", "blue")
    until(lambda: found[-1] == b"blue")
    assert color.value == b"blue"
    color.value = None
    assert bucket.get("color") is None
    with pytest.raises(TypeError, match="what is published"):
        color.value = 3
    cancellable.close()
    color.close()


def test_a_binding_says_what_the_server_refuses(connection):
    color = connection.bucket("none").binding("color")
    for call in (lambda: color.value, lambda: setattr(color, "value", b"red")):
        with pytest.raises(StreamError, match="no bucket none") as caught:
            call()
        assert (caught.value.domain, caught.value.code) == ("nats", 10059)
    color.close()


def test_a_binding_does_not_keep_the_connection(server):
    connection = server.connect()
    color = connection.bucket("none").binding("color")
    state = connection.condition
    connection.close()
    until(lambda: state.value.state == nats.State.CLOSED)
    with pytest.raises(StreamError, match="Closed"):
        color.value = b"red"
    color.close()


def test_a_property(bucket):
    bucket.put("n", "1")
    number = Property(b"", then=bucket.values("n")).map(lambda value: int(value or 0))
    until(lambda: number.value == 1)
    bucket.put("n", "2")
    until(lambda: number.value == 2)
    number.close()


def test_what_is_not_there(connection):
    none = connection.bucket("none")
    with pytest.raises(nats.NATSError, match="no bucket none") as caught:
        none.get("a")
    assert caught.value.code == 10059
    for publisher in (none.watch(), none.values("a"), none.history("a")):
        reader = Reader(publisher)
        assert "none" in str(reader.failure())
        reader.close()
    with pytest.raises(nats.NATSError):
        none.delete_bucket()
    assert repr(none) == "<streams.nats.Bucket none>" and none.name == "none"


def test_wrong_arguments(connection, bucket):
    for call in (bucket.get, bucket.watch, bucket.values, bucket.history, bucket.binding):
        with pytest.raises(TypeError, match="must be a str"):
            call(3)
    for call in (lambda: bucket.put("a", 3), lambda: bucket.put("a", "x", revision="1")):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(ValueError):
        bucket.put("a", nats.Outgoing("x", {"lost": "header"}))
    for options in ({"history": 0}, {"history": 65}, {"max_age": -1}):
        with pytest.raises(ValueError):
            connection.bucket("x").create(**options)
    with pytest.raises((StatusValueError, nats.NATSError)):
        connection.bucket("a b").create()
    with pytest.raises((StatusValueError, nats.NATSError)):
        bucket.put("a b", "x")


def test_streams_of_the_server(connection):
    made = connection.stream("M")
    made.create(
        ["m.>"],
        description='a "b"',
        retain="work",
        max_messages=2,
        max_bytes=10000,
        max_age=60,
        memory=True,
        discard_new=True,
    )
    for n in range(2):
        assert connection.publish_confirmed("m.a", str(n)).first_value(timeout=20) == n + 1
    with pytest.raises(nats.PublishError, match="maximum messages exceeded"):
        connection.publish_confirmed("m.a", "3").first_value(timeout=20)
    assert made.info() == nats.StreamInfo(2, made.info().bytes, 1, 2, 0, 1)
    with pytest.raises(nats.NATSError, match="stream name already in use"):
        made.create(["other"])
    made.purge()
    assert made.info().messages == 0 and repr(made) == "<streams.nats.Stream M>"
    made.delete()
    with pytest.raises(nats.NATSError) as caught:
        made.info()
    assert caught.value.code == 10059
    for options, error in (
        ({"subjects": "m.>"}, TypeError),
        ({"subjects": [3]}, TypeError),
        ({"subjects": ["a b"]}, ValueError),
        ({"retain": "some"}, ValueError),
        ({"max_messages": 0}, ValueError),
        ({"replicas": "1"}, TypeError),
    ):
        with pytest.raises(error, match=".+"):
            made.create(**options)
