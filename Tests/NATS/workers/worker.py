"""What worker.c does, in Python: python worker.py SERVER STREAM CONSUMER FILE."""

import os
import sys
import time

from streams import nats

server, stream, consumer, path = sys.argv[1:]
file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def note(message):
    line = f"{message.text} {message.sequence} {message.deliveries} {time.time_ns()}\n"
    os.write(file, line.encode())


connection = nats.Connection(server, reconnect_wait=0.05, max_reconnects=None)
connection.stream(stream).consumer(consumer, most=100).map(note).run()
