"""Core subjects, requests and answers."""

import asyncio
import threading
import warnings

import pytest
from nats_server import Reader, connection, own_server, server, until  # noqa: F401
from streams import DroppedValuesWarning, Sequence, StatusValueError, StreamError, nats
from turns import within


def test_a_subject_is_read_and_sent_to(connection):
    subject = connection.subject("a.b")
    readers = [Reader(subject), Reader(connection.subject("a.*")), Reader(connection.subject(">"))]
    connection.flush()
    subject.send("1")
    connection.publish("a.c", "2")
    assert readers[1].wait(2) == ["1", "2"]
    assert [message.subject for message in readers[1].messages] == ["a.b", "a.c"]
    assert readers[2].wait(2) == ["1", "2"] and readers[0].wait(1) == ["1"]
    for reader in readers:
        reader.close()
    with pytest.raises(StatusValueError, match="not a subject to publish to"):
        connection.subject("a.*").send("x")
    assert isinstance(subject, nats.CoreSubject) and "subject('a.b'" in repr(subject)


def test_a_stream_is_sent_to_subjects(connection):
    reader = Reader(connection.subject("to.*"))
    connection.flush()
    assert connection.send_all(Sequence(range(4)), lambda n: f"to.{n % 2}", encode=str).first_value() == 4
    assert reader.wait(4) == ["0", "1", "2", "3"]
    assert [message.subject for message in reader.messages] == ["to.0", "to.1", "to.0", "to.1"]
    reader.close()
    with pytest.raises(StatusValueError, match="not a subject to publish to"):
        connection.send_all(Sequence(["x"]), "a.*").first_value()


def test_a_queue_group_gets_each_message_once(connection):
    readers = [Reader(connection.subject("q", queue="workers")) for _ in range(3)]
    connection.flush()
    for n in range(60):
        connection.publish("q", str(n))
    until(lambda: sum(len(reader.messages) for reader in readers) == 60)
    assert sorted((text for reader in readers for text in reader.texts), key=int) == [str(n) for n in range(60)]
    for reader in readers:
        reader.close()


@pytest.mark.parametrize("when_full, expected", [("drop_newest", ["0", "1", "2"]), ("drop_oldest", ["0", "8", "9"])])
def test_what_has_no_room_is_dropped_and_counted(connection, when_full, expected):
    reader = Reader(connection.subject("full", limit=2, when_full=when_full), demand=1)
    after = Reader(connection.subject("full"))
    connection.flush()
    for n in range(10):
        connection.publish("full", str(n))
    after.wait(10)
    until(lambda: reader.cancellable.dropped == 7)
    reader.subscription.request(10)
    assert reader.wait(3) == expected
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DroppedValuesWarning)  # once per line of code
        reader.close()
    after.close()


def test_what_has_no_room_may_fail_the_stream(connection):
    reader = Reader(connection.subject("full", limit=2, when_full="fail"), demand=1)
    connection.flush()
    for n in range(10):
        connection.publish("full", str(n))
    reader.wait(1)
    reader.subscription.request(10)
    error = reader.failure()
    assert type(error) is StreamError and error.domain == "nats" and "full" in error.message
    assert reader.texts == ["0", "1", "2"]
    reader.close()


def test_requests(connection):
    responder = connection.subject("square", queue="squares").sink(
        lambda request: request.respond(nats.Outgoing(str(int(request.text) ** 2), {"From": request.reply[:6]}))
    )
    connection.flush()
    request = connection.request("square", "7")
    for _ in range(2):  # each subscriber sends one
        answer = request.first_value(timeout=20)
        assert (answer.text, answer.headers) == ("49", {"From": "_INBOX"})
    assert list(request.map(lambda answer: answer.text)) == ["49"]
    del answer
    responder.close()


async def test_requests_are_awaited(connection):
    responder = connection.subject("echo").sink(lambda request: request.respond(request))
    connection.flush()
    answers = await within(asyncio.gather(*(_ask(connection, str(n)) for n in range(20))))
    assert answers == [str(n) for n in range(20)]
    responder.close()


async def _ask(connection, text):
    return (await connection.request("echo", text)).text


def test_nobody_answers(connection):
    with pytest.raises(nats.NoRespondersError, match="nobody answers requests to nobody"):
        connection.request("nobody", "x").first_value(timeout=20)


def test_no_answer_in_time(connection):
    silent = connection.subject("silent").sink(lambda request: None)
    connection.flush()
    with pytest.raises(nats.NATSTimeoutError, match="no answer from silent within 50 ms") as caught:
        connection.request("silent", "x", timeout=0.05).first_value(timeout=20)
    assert isinstance(caught.value, TimeoutError) and caught.value.code == 26
    silent.close()


def test_wrong_arguments(connection):
    for arguments, options, error in (
        (("a b",), {}, StatusValueError),
        ((b"a",), {}, TypeError),
        (("a",), {"queue": "x y"}, StatusValueError),
        (("a",), {"queue": 3}, TypeError),
        (("a",), {"limit": 0}, StatusValueError),
        (("a",), {"limit": -1}, ValueError),
        (("a",), {"limit": "x"}, TypeError),
        (("a",), {"when_full": "wait"}, ValueError),
        (("a",), {"when_full": None}, TypeError),
    ):
        with pytest.raises(error, match=".+"):
            connection.subject(*arguments, **options)
    for arguments in (("a", "x", 0), ("a", "x", -1), ("a.*", "x")):
        with pytest.raises(ValueError):
            connection.request(*arguments)
    with pytest.raises(TypeError, match="Connection.subject make one"):
        nats.CoreSubject()


def test_a_function_that_takes_long_behind_receive_on(connection):
    from streams import SerialQueue

    queue, here = SerialQueue(), []
    begun, go_on = threading.Event(), threading.Event()

    def slow(message):
        begun.set()
        go_on.wait(20)
        here.append(message.text)

    cancellable = connection.subject("slow").receive_on(queue).sink(slow)
    quick = Reader(connection.subject("slow"))
    connection.flush()
    connection.publish("slow", "1")
    assert begun.wait(20) and quick.wait(1) == ["1"]
    go_on.set()
    until(lambda: here == ["1"])
    cancellable.close()
    quick.close()
    queue.close()
