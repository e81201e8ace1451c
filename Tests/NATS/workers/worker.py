"""What worker.c does, in Python: python worker.py SERVER STREAM CONSUMER FILE."""

import os
import sys
import time

from streams import StreamError, nats

server, stream, consumer, path = sys.argv[1:]
file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def note(message):
    line = f"{message.text} {message.sequence} {message.deliveries} {time.time_ns()}\n"
    os.write(file, line.encode())


CONNECTION_CLOSED = 5  # of nats.c, which (3.4.1) gives a connection up for good whose server is killed while it is made
code = CONNECTION_CLOSED
while code == CONNECTION_CLOSED:
    connection = nats.Connection(server, reconnect_wait=0.05, max_reconnects=None)
    try:
        connection.stream(stream).consumer(consumer, most=100).map(note).run()
    except StreamError as error:
        print("worker:", error, file=sys.stderr)
        code = error.code
