"""Consumers: demand is the fetch, nothing is lost, and who acknowledges."""

import asyncio
import datetime
import gc
import signal
import subprocess
import sys
import textwrap
import threading
import weakref

import pytest
from nats_server import Reader, Server, connection, fill, make, server, stream, until  # noqa: F401
from programs import let_interrupt
from streams import ClosedError, StatusValueError, StreamError, nats
from turns import within


def test_messages_come_in_order(connection, stream):
    fill(connection, stream, 300)
    reader = Reader(stream.consumer("all"))
    assert reader.wait(300) == [str(n) for n in range(300)]
    message = reader.messages[7]
    assert (message.data, message.text, message.json(), message.subject) == (b"7", "7", 7, f"{stream.name}.a")
    assert (message.sequence, message.deliveries, message.pending) == (8, 1, 292)
    assert abs(datetime.datetime.now(datetime.timezone.utc) - message.time) < datetime.timedelta(minutes=1)
    until(lambda: stream.consumer("all").info().acknowledged == 300)
    del message
    reader.close()


@pytest.mark.parametrize("demand", [1, 10])
def test_demand_holds_on_the_wire(connection, stream, demand):
    fill(connection, stream, 100)
    consumer = stream.consumer("slow", acknowledge="by_hand")
    reader = Reader(consumer, demand)
    for more in range(3):
        expected = demand * (more + 1)
        reader.wait(expected)
        info = until(lambda: consumer.info() if consumer.info().acknowledge_pending == expected else None)
        assert info.delivered == expected and info.pending == 100 - expected
        assert len(reader.messages) == expected
        reader.subscription.request(demand)
    reader.wait(4 * demand)
    reader.close()


def test_the_consumer_bounds_unlimited_demand(connection, stream):
    fill(connection, stream, 100)
    consumer = stream.consumer("most", acknowledge="by_hand", max_acknowledge_pending=5)
    reader = Reader(consumer)
    reader.wait(5)
    until(lambda: consumer.info().acknowledge_pending == 5)
    for message in list(reader.messages):
        message.acknowledge()
    reader.wait(10)
    del message
    reader.close()


@pytest.mark.parametrize("acknowledge", ["after", "by_hand"])
def test_cancelling_in_the_middle_loses_nothing(connection, stream, acknowledge):
    fill(connection, stream, 200)
    seen = set()

    def handle(message):
        if acknowledge == "by_hand" and message.sequence % 2:
            message.acknowledge()
            seen.add(message.text)
        elif acknowledge == "after":
            seen.add(message.text)

    for _ in range(5):
        reader = Reader(stream.consumer("some", acknowledge=acknowledge), demand=30, each=handle)
        reader.wait(20)
        reader.close()
    rest = Reader(stream.consumer("some"), each=lambda message: seen.add(message.text))
    until(lambda: len(seen) == 200)
    assert seen == {str(n) for n in range(200)}
    rest.close()


def test_what_is_not_acknowledged_comes_again_at_once(connection, stream):
    fill(connection, stream, 3)
    consumer = stream.consumer("w", acknowledge="by_hand", acknowledge_wait=300)
    first = Reader(consumer)
    first.wait(3)
    first.messages[1].acknowledge()
    first.cancellable.cancel()
    with pytest.raises(ClosedError, match="settled"):
        first.messages[0].acknowledge()
    second = Reader(consumer)
    assert sorted(second.wait(2)) == ["0", "2"]
    # More often than twice, while a pull of the first reader was still open.
    assert all(message.deliveries >= 2 for message in second.messages)
    first.close()
    second.close()


def test_settling(connection, stream):
    fill(connection, stream, 4)
    reader = Reader(stream.consumer("w", acknowledge="by_hand", acknowledge_wait=300))
    reader.wait(4)
    acknowledged, rejected, terminated, late = reader.messages[:4]
    acknowledged.acknowledge()
    rejected.reject()
    terminated.terminate()
    late.in_progress()
    late.in_progress()
    for again in (acknowledged.acknowledge, rejected.reject, terminated.terminate, acknowledged.in_progress):
        with pytest.raises(ClosedError, match="settled"):
            again()
    with pytest.raises(ValueError, match="delay must not be negative"):
        late.reject(-1)
    assert reader.wait(5)[4] == "1"
    reader.messages[4].acknowledge()
    late.reject(delay=0.2)
    assert reader.wait(6)[5] == "3"
    reader.messages[5].acknowledge()
    until(lambda: stream.consumer("w").info().acknowledged == 4)
    assert len(reader.messages) == 6
    del acknowledged, rejected, terminated, late, again
    reader.close()


def test_no_acknowledgement(connection, stream):
    fill(connection, stream, 3)
    consumer = stream.consumer("w", acknowledge="none")
    reader = Reader(consumer)
    reader.wait(3)
    assert consumer.info().acknowledge_pending == 0
    with pytest.raises(ClosedError):
        reader.messages[0].acknowledge()
    reader.close()


def test_where_a_consumer_begins(connection, stream):
    fill(connection, stream, 3)
    until(lambda: stream.info().last_sequence == 3)
    reader = Reader(stream.consumer())
    reader.wait(3)
    times = [message.time for message in reader.messages]
    reader.close()
    fill(connection, stream, 2, "b")
    begins = [
        ({}, ["0", "1", "2", "0", "1"]),
        ({"deliver": "last"}, ["1"]),
        ({"from_sequence": 3}, ["2", "0", "1"]),
        ({"from_time": times[0]}, ["0", "1", "2", "0", "1"]),
        ({"from_time": datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(hours=1)}, []),
        ({"filter": f"{stream.name}.b"}, ["0", "1"]),
        ({"filter": f"{stream.name}.*", "deliver": "last_per_subject"}, ["2", "1"]),
        ({"deliver": "new"}, []),
    ]
    for number, (options, expected) in enumerate(begins):
        consumer = stream.consumer(f"c{number}", **options)
        consumer.create()
        consumer.create()
        assert consumer.info().pending == len(expected), options
        reader = Reader(consumer)
        assert reader.wait(len(expected)) == expected, options
        reader.close()
    until(lambda: stream.info().consumers == len(begins))
    stream.consumer("c0").delete()
    with pytest.raises(nats.NATSError) as caught:
        stream.consumer("c0").info()
    assert caught.value.code == 10014


def test_a_function_that_raises_fails_the_stream_and_the_message_comes_again(connection, stream):
    fill(connection, stream, 3)
    oops = ValueError("oops")

    def refuse(message):
        if message.text == "1":
            raise oops

    reader = Reader(stream.consumer("w", acknowledge_wait=300), each=refuse)
    assert reader.failure() is oops
    again = Reader(stream.consumer("w"))
    assert sorted(again.wait(2)) == ["1", "2"]
    reader.close()
    again.close()
    oops.__traceback__ = None


def test_operators_in_front(connection, stream):
    fill(connection, stream, 10)
    texts = stream.consumer("w").map(lambda message: message.text).filter(lambda text: int(text) % 2).collect(5)
    assert texts.first_value(timeout=20) == ["1", "3", "5", "7", "9"]


def test_iteration(connection, stream):
    fill(connection, stream, 600)
    found = []
    for message in stream.consumer("w", acknowledge="by_hand"):
        found.append(message.text)
        message.acknowledge()
        if len(found) == 600:
            break
    assert found == [str(n) for n in range(600)]
    until(lambda: stream.consumer("w").info().acknowledged == 600)


async def test_async_for(connection, stream):
    fill(connection, stream, 500)
    consumer = stream.consumer("w", acknowledge="by_hand", acknowledge_wait=300)
    found = []

    async def read():
        async with consumer.values(buffer=20) as messages:
            async for message in messages:
                found.append(message.text)
                message.acknowledge()
                assert consumer.info().acknowledge_pending <= 20 if len(found) % 100 == 0 else True
                if len(found) == 300:
                    return

    await within(read())
    assert found == [str(n) for n in range(300)]
    async for message in consumer:
        found.append(message.text)
        message.acknowledge()
        if len(set(found)) == 500:
            break
    assert set(found) == {str(n) for n in range(500)}


async def test_map_async(connection, stream):
    fill(connection, stream, 20)

    async def handle(message):
        await asyncio.sleep(0)
        message.acknowledge()
        return message.text

    handled = stream.consumer("w", acknowledge="by_hand").map_async(handle, 4).prefix(20).collect()
    assert sorted(await within(handled), key=int) == [str(n) for n in range(20)]


@pytest.mark.parametrize("what", ["stream", "consumer"])
def test_what_is_deleted_fails_its_streams(connection, stream, what):
    fill(connection, stream, 1)
    consumer = stream.consumer("w")
    reader = Reader(consumer)
    reader.wait(1)
    stream.delete() if what == "stream" else consumer.delete()
    error = reader.failure()
    assert type(error) is StreamError and error.domain == "nats" and "w" in str(error), error
    reader.close()


def test_what_is_not_there(connection):
    reader = Reader(connection.stream("NONE").consumer("w"))
    error = reader.failure()
    assert error.domain == "nats" and "NONE" in error.message
    reader.close()
    with pytest.raises(nats.NATSError, match="stream not found"):
        connection.stream("NONE").consumer("w").create()
    with pytest.raises(nats.NATSError) as caught:
        connection.stream("NONE").info()
    assert caught.value.code == 10059 and "10059" in str(caught.value)


def test_wrong_arguments(connection, stream):
    for options, error in {
        ("deliver", "some"): ValueError,
        ("deliver", 3): TypeError,
        ("acknowledge", "later"): ValueError,
        ("acknowledge_wait", -1): ValueError,
        ("acknowledge_wait", "1"): TypeError,
        ("max_deliver", 0): ValueError,
        ("most", -1): ValueError,
        ("most", 1.5): TypeError,
        ("from_sequence", "1"): TypeError,
        ("from_time", 12): TypeError,
        ("from_time", datetime.datetime(2020, 1, 1)): ValueError,
        ("filter", "a b"): StatusValueError,
        ("filter", "a\0b"): ValueError,
        ("durable", "a.b"): StatusValueError,
        ("durable", 7): TypeError,
    }.items():
        with pytest.raises(error, match=".+"):
            stream.consumer(**dict([options]))
    with pytest.raises(TypeError, match="not both"):
        stream.consumer(from_sequence=1, from_time=datetime.datetime.now(datetime.timezone.utc))
    with pytest.raises(ValueError, match="ephemeral"):
        stream.consumer().info()
    with pytest.raises(TypeError, match="Stream.consumer make one"):
        nats.Consumer()


def test_messages_are_let_go_of(connection, stream):
    fill(connection, stream, 50)
    reader = Reader(stream.consumer("w"))
    reader.wait(50)
    kept = [weakref.ref(message) for message in reader.messages]
    one = reader.messages[3]
    reader.close()
    gc.collect()
    assert sum(each() is not None for each in kept) == 1
    # It outlives its stream.
    assert (one.text, one.sequence, one.subject) == ("3", 4, f"{stream.name}.a")


def test_two_share_a_durable(connection, stream):
    readers = [Reader(stream.consumer("shared", most=1)) for _ in range(2)]
    fill(connection, stream, 40)
    until(lambda: sum(len(reader.messages) for reader in readers) == 40)
    assert sorted(readers[0].texts + readers[1].texts, key=int) == [str(n) for n in range(40)]
    assert all(reader.messages for reader in readers)
    for reader in readers:
        reader.close()


def test_the_threads_have_names_and_locals(connection, stream):
    fill(connection, stream, 5)
    names = []
    local = threading.local()

    def name(message):
        local.count = getattr(local, "count", 0) + 1
        names.append((threading.current_thread().name, local.count))

    reader = Reader(stream.consumer(), each=name)
    reader.wait(5)
    # One thread, whose state lasts from one message to the next.
    assert {thread for thread, _ in names} == {names[0][0]} and names[0][0].startswith("streams-")
    assert [count for _, count in names] == [1, 2, 3, 4, 5]
    reader.close()


def test_ctrl_c_ends_a_loop_and_loses_nothing():
    server = Server().start()
    try:
        with server.connect() as connection:
            until(lambda: connection.state == nats.State.CONNECTED)
            stream = connection.stream("C")
            make(stream)
            fill(connection, stream, 2)
            program = textwrap.dedent(f"""
                from streams import nats
                with nats.Connection({server.url!r}) as connection:
                    for message in connection.stream("C").consumer("w", acknowledge="by_hand", acknowledge_wait=2):
                        print(message.text, flush=True)
                """)
            worker = subprocess.Popen(
                [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=let_interrupt
            )
            assert worker.stdout.readline() + worker.stdout.readline() == b"0\n1\n"
            worker.send_signal(signal.SIGINT)
            _, said = worker.communicate(timeout=30)
            assert b"KeyboardInterrupt" in said and worker.returncode == -signal.SIGINT
            reader = Reader(stream.consumer("w"))
            until(lambda: {"0", "1"} == set(reader.texts))
            reader.close()
    finally:
        server.remove()
