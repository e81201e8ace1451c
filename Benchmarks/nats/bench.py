"""Measures streams.nats beside nats-py: 64-byte messages of JetStream on the loopback, in one process, in rounds by turns.

    python Benchmarks/nats/bench.py [--rounds N]

Starts a nats-server of its own. Needs nats-py (Benchmarks/requirements.txt), and libstreams_nats.so. The ratios are those of
the medians; the bar is what the source has to reach.
"""

import argparse
import asyncio
import pathlib
import statistics
import sys
import threading
import time

import nats as peer
import streams

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Tests" / "Python" / "nats"))
from nats_server import Server, until  # noqa: E402  Tests/Python/nats/nats_server.py
from streams import nats  # noqa: E402

PAYLOAD = b"x" * 64
WINDOW = 1000
SOURCE, PEER_SOURCE, PUBLISHED, PEER_PUBLISHED = 200_000, 30_000, 50_000, 20_000


class Sides:
    """Both clients of one server. Each function returns values a second."""

    def __init__(self, server):
        self.url = server.url
        self.connection = server.connect()
        until(lambda: self.connection.state == nats.State.CONNECTED)
        self.stream = self.connection.stream("B")
        self.stream.create(["b"])
        self.target = self.connection.stream("P")
        self.target.create(["p"])
        values = streams.Sequence([PAYLOAD] * SOURCE)
        self.connection.publish_all(values, "b").run()

    def consumer(self, name, acknowledge="after"):
        consumer = self.stream.consumer(name, acknowledge=acknowledge, max_acknowledge_pending=20 * WINDOW, most=WINDOW)
        try:
            consumer.delete()
        except nats.NATSError:  # it is not there yet
            pass
        consumer.create()
        return consumer

    def sink(self):
        return self.received("after", lambda message: message.data)

    def by_hand(self):
        return self.received("by_hand", lambda message: message.acknowledge())

    def received(self, acknowledge, handle):
        consumer, done, count = self.consumer("ours", acknowledge), threading.Event(), 0

        def receive(message):
            nonlocal count
            handle(message)
            count += 1
            if count == SOURCE:
                done.set()

        begin = time.perf_counter()
        cancellable = consumer.sink(receive)
        done.wait()
        took = time.perf_counter() - begin
        cancellable.close()
        return SOURCE / took

    def async_for(self):
        consumer = self.consumer("ours", "by_hand")

        async def read():
            count = 0
            async with consumer.values(buffer=WINDOW) as messages:
                async for message in messages:
                    message.acknowledge()
                    count += 1
                    if count == SOURCE // 2:
                        return

        begin = time.perf_counter()
        asyncio.run(read())
        return SOURCE // 2 / (time.perf_counter() - begin)

    def fetched(self):
        self.consumer("theirs")

        async def read():
            client = await peer.connect(self.url)
            subscription = await client.jetstream().pull_subscribe("b", "theirs", stream="B")
            begin, count = time.perf_counter(), 0
            while count < PEER_SOURCE:
                for message in await subscription.fetch(WINDOW, timeout=5):
                    await message.ack()
                    count += 1
            await client.flush()
            took = time.perf_counter() - begin
            await client.close()
            return PEER_SOURCE / took

        return asyncio.run(read())

    def publish_all(self):
        self.target.purge()
        begin = time.perf_counter()
        self.connection.publish_all(streams.Sequence([PAYLOAD] * PUBLISHED), "p").run()
        return PUBLISHED / (time.perf_counter() - begin)

    def published(self):
        self.target.purge()

        async def publish():
            client = await peer.connect(self.url)
            js = client.jetstream(publish_async_max_pending=WINDOW)
            begin = time.perf_counter()
            for _ in range(PEER_PUBLISHED):
                await js.publish_async("p", PAYLOAD)
            await js.publish_async_completed()
            took = time.perf_counter() - begin
            await client.close()
            return PEER_PUBLISHED / took

        return asyncio.run(publish())


# Ours, theirs, and how many times as fast ours is to be.
ROWS = {
    "source, sink": ("sink", "fetched", 5),
    "source, sink, acknowledged by hand": ("by_hand", "fetched", None),
    "source, async for, acknowledged by hand": ("async_for", "fetched", None),
    "publishing": ("publish_all", "published", None),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help="how often each row is measured")
    rounds = parser.parse_args().rounds
    server = Server().start()
    try:
        sides = Sides(server)
        names = sorted({name for ours, theirs, _ in ROWS.values() for name in (ours, theirs)})
        found = {name: [] for name in names}
        for turn in range(rounds):
            for name in names[:: -1 if turn % 2 else 1]:
                found[name].append(getattr(sides, name)())
        medians = {name: statistics.median(each) for name, each in found.items()}
        print(f"{'Python, messages a second, window 1000':<42}{'streams':>10}{'nats-py':>10}{'ratio':>8}{'bar':>6}")
        for row, (ours, theirs, bar) in ROWS.items():
            ratio = medians[ours] / medians[theirs]
            mark = "" if bar is None else "  met" if ratio >= bar else "  MISSED"
            print(f"{row:<42}{medians[ours]:>10.0f}{medians[theirs]:>10.0f}{ratio:>8.1f}{bar or '':>6}{mark}")
        sides.connection.close()
    finally:
        server.remove()


if __name__ == "__main__":
    main()
