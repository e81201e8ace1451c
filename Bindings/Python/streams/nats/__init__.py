"""NATS and JetStream as publishers: streams across machines.

Demand goes over the wire: what a subscriber demands is what is fetched from the server. A worker reads orders, one after
another, as often as it is started, and in as many processes as there are:

>>> from streams import nats
>>> connection = nats.Connection("nats://127.0.0.1:4222")
>>> orders = connection.stream("ORDERS")
>>> orders.create(subjects=["orders.>"])
>>> cancellable = orders.consumer("workers").sink(lambda order: print(order.subject, order.text))
>>> connection.publish("orders.new", "42")
orders.new 42

    Connection                  to a server or a cluster; publish, publish_all, subject, request
    Stream, Consumer            of JetStream: what is kept, and who reads it; Connection.stream makes the first
    Message, Outgoing           what was received, and what is published with headers or an id
    CoreSubject                 messages that nobody keeps: Connection.subject makes one
    Bucket, Entry               keys with values to read, set and watch: Connection.bucket makes the first

Calls raise a NATSError if the server refuses, and otherwise what those of streams raise. Streams fail with a StreamError in
the domain "nats": a NATSTimeoutError, NoRespondersError or PublishError where it is about that.

It needs libstreams_nats, a library of its own, which needs libnats; `import streams` loads neither.

**Threads.** Values come on threads of the library, four for all streams of the process; those of one stream come one after
another. A function that takes long, or waits for the answer of another stream, holds up other streams: put receive_on in
between. Functions that ask the server wait for its answer, 5 seconds at most; in asyncio, call them by asyncio.to_thread.

**Forks.** In the child of a fork, calls with a connection of the parent raise a ClosedError, and streams can only be
released. A new connection cannot be made there either: use the start method "spawn" of multiprocessing.
"""

from ._buckets import Bucket
from ._connection import Condition, Connection, State
from ._consumers import Consumer, ConsumerInfo
from ._errors import NATSError, NATSTimeoutError, NoRespondersError, PublishError, PublishTimeoutError
from ._messages import Entry, Message
from ._payload import Outgoing, Payload
from ._streams import Stream, StreamInfo
from ._subjects import CoreSubject

__all__ = [
    "Bucket",
    "Condition",
    "Connection",
    "Consumer",
    "ConsumerInfo",
    "CoreSubject",
    "Entry",
    "Message",
    "NATSError",
    "NATSTimeoutError",
    "NoRespondersError",
    "Outgoing",
    "Payload",
    "PublishError",
    "PublishTimeoutError",
    "State",
    "Stream",
    "StreamInfo",
]

for _name in __all__:  # they are known, and pickled, under the name by which they are imported
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = __name__
