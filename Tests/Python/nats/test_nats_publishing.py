"""Publishing to JetStream: in order, once, and a failure says which value it was."""

import asyncio
import json
import pickle
import threading

import pytest
from nats_server import Reader, connection, make, own_server, server, stream, until  # noqa: F401
from streams import Fail, PassthroughSubject, Sequence, StatusValueError, create, nats
from turns import within


def test_all_in_order(connection, stream):
    confirmed = []
    values = Sequence([str(n) for n in range(2000)])
    published = connection.publish_all(
        values, f"{stream.name}.a", window=50, on_confirmed=lambda *told: confirmed.append(told)
    )
    assert published.run(timeout=30) == 2000
    assert confirmed == [(n, n + 1, False) for n in range(2000)]
    reader = Reader(stream.consumer())
    assert reader.wait(2000) == [str(n) for n in range(2000)]
    reader.close()


def test_functions_of_each_value(connection, stream):
    def publish():
        values = Sequence([{"key": n % 3, "n": n} for n in range(30)])
        return connection.publish_all(
            values,
            lambda value: f"{stream.name}.{value['key']}",
            encode=lambda value: nats.Outgoing(json.dumps(value), {"Key": str(value["key"])}),
            id=lambda value: f"id-{value['n']}",
        ).run(timeout=30)

    assert publish() == 30
    assert stream.info().subjects == 3
    # The same again: the server has it already.
    assert publish() == 30
    assert stream.info().messages == 30
    reader = Reader(stream.consumer(filter=f"{stream.name}.1"))
    reader.wait(10)
    assert [message.json()["n"] for message in reader.messages] == list(range(1, 30, 3))
    assert reader.messages[0].headers == {"Key": "1", "Nats-Msg-Id": "id-1"}
    reader.close()


def test_demand_is_the_window(connection, stream):
    asked = []

    class Source:
        def __init__(self, emitter):
            self.emitter, self.number = emitter, 0

        def produce(self, most):
            asked.append(most)
            for _ in range(min(most, 100 - self.number)):
                self.emitter.send(str(self.number))
                self.number += 1
            if self.number == 100:
                self.emitter.finish()

    assert connection.publish_all(create(Source), f"{stream.name}.a", window=10).run(timeout=30) == 100
    assert max(asked) <= 10


@pytest.mark.parametrize("where", ["subject", "encode", "id", "what is no subject"])
def test_a_function_that_raises(connection, stream, where):
    oops = ZeroDivisionError("oops")

    def raises(value):
        if value == "2":
            raise oops
        return f"{stream.name}.{value}"

    options = {"subject": f"{stream.name}.a", "encode": None, "id": None}
    expected = ZeroDivisionError
    if where == "what is no subject":
        options["subject"], expected = (lambda value: "a b"), StatusValueError
    else:
        options[where] = raises
    with pytest.raises(expected) as caught:
        connection.publish_all(Sequence(["1", "2"]), **options).run(timeout=30)
    if expected is ZeroDivisionError:
        assert caught.value is oops and "raised in publish_all" in caught.value.__notes__[0]
        until(lambda: stream.info().messages == 1)
    oops.__traceback__ = None


def test_on_confirmed_that_raises_is_reported(connection, stream, unraisable):
    def raises(index, sequence, duplicate):
        raise KeyError(index)

    published = connection.publish_all(Sequence(["1", "2"]), f"{stream.name}.a", on_confirmed=raises)
    assert published.run(timeout=30) == 2
    until(lambda: [error.args for error in unraisable] == [(0,), (1,)])


def test_which_value_failed(connection, stream):
    values = Sequence(["0", "1", "2"])

    def somewhere(value):
        return "nowhere" if value == "1" else f"{stream.name}.a"

    with pytest.raises(nats.PublishError, match="value 1 could not be published to nowhere") as caught:
        connection.publish_all(values, somewhere, retries=0).run(timeout=30)
    error = caught.value
    assert (error.index, error.subject, error.data, error.domain) == (1, "nowhere", b"1", "nats")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.index, again.data) == (nats.PublishError, str(error), 1, b"1")


def test_what_is_too_large(connection, stream):
    with pytest.raises(nats.PublishError, match="more than the server takes"):
        connection.publish_all(Sequence([b"x" * 2_000_000]), f"{stream.name}.a").run(timeout=30)


def test_the_failure_of_the_publisher(connection, stream):
    oops = ValueError("oops")
    with pytest.raises(ValueError) as caught:
        connection.publish_all(Sequence(["1", "2"]).append(Fail(oops)), f"{stream.name}.a").run(timeout=30)
    assert caught.value is oops and stream.info().messages == 2
    oops.__traceback__ = None


def test_cancelling(connection, stream):
    subject = PassthroughSubject()
    cancelled = threading.Event()
    values = subject.handle_events(receive_cancel=cancelled.set)
    cancellable = connection.publish_all(values, f"{stream.name}.a").sink()
    subject.send("1")
    cancellable.close()
    assert cancelled.is_set()
    until(lambda: stream.info().messages == 1)


async def test_one_value(connection, stream):
    first = connection.publish_confirmed(f"{stream.name}.a", nats.Outgoing("x", id="x"))
    assert await within(first) == 1
    assert await within(first) == 1  # it has the same id
    results = await within(asyncio.gather(*(_await(connection, stream, n) for n in range(5))))
    assert sorted(results) == [2, 3, 4, 5, 6]
    with pytest.raises(nats.PublishError):
        await within(connection.publish_confirmed("nowhere", "x"))


async def _await(connection, stream, n):
    return await connection.publish_confirmed(f"{stream.name}.a", str(n))


def test_a_server_that_restarts_amid_publishing(own_server):
    with own_server.connect() as connection:
        until(lambda: connection.state == nats.State.CONNECTED)
        make(connection.stream("R"))
        subject, done = PassthroughSubject(), []
        values = subject.buffer(100000, "by_request", "drop_newest")
        published = connection.publish_all(values, "R.a", id=str, confirm_wait=1, window=100)
        cancellable = published.sink(done.append, lambda error: done.append(error))
        for n in range(2000):
            subject.send(str(n))
            if n == 1000:
                own_server.stop()
                own_server.start()
        subject.finish()
        until(lambda: done)
        assert done[0] == 2000, done
        assert connection.stream("R").info().messages == 2000
        cancellable.close()


def test_wrong_arguments(connection, stream):
    values = Sequence(["x"])
    for arguments, error in (
        ((7, "a"), TypeError),
        ((values, 7), TypeError),
        ((values, None), TypeError),
        ((values, "a\0b"), ValueError),
    ):
        with pytest.raises(error, match=".+"):
            connection.publish_all(*arguments)
    for option in ({"window": 0}, {"window": 10**7}, {"confirm_wait": -1}, {"retries": -1}):
        with pytest.raises(ValueError):
            connection.publish_all(values, "a", **option)
    for option in ({"encode": 3}, {"id": "x"}, {"on_confirmed": 1}, {"window": "1"}):
        with pytest.raises(TypeError):
            connection.publish_all(values, "a", **option)
