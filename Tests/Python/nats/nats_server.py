"""A nats-server of the tests' own: on a free port of the loopback, with a folder of its own. Files import the fixtures."""

import ctypes
import itertools
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time

import pytest
import streams

if "STREAMS_NATS_LIBRARY" not in os.environ:  # where it is named, it has to be there
    if not shutil.which("nats-server"):
        pytest.skip("the package nats-server is needed", allow_module_level=True)
    try:
        import streams.nats
    except ImportError as error:
        pytest.skip(str(error), allow_module_level=True)

from streams import nats

LIMIT = 30  # seconds after which a test that waits has failed
_names = itertools.count(1)
_PR_SET_PDEATHSIG = 1


def until(condition):
    """Waits until a condition holds, and returns what it returned."""
    end = time.monotonic() + LIMIT
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        threading.Event().wait(0.005)
    raise AssertionError("did not come true in time")


def _die_with_parent():
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


class Server:
    """A server, which may be stopped and started again with the same port and folder."""

    def __init__(self, *options):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.url = f"nats://127.0.0.1:{self.port}"
        self.folder = tempfile.mkdtemp(prefix="streams-nats-")
        self.options = options
        self.process = None

    def start(self):
        """Starts it, and waits until it takes connections."""
        command = ["nats-server", "-a", "127.0.0.1", "-p", str(self.port), "-js", "-sd", self.folder, *self.options]
        self.process = subprocess.Popen(command, stderr=subprocess.DEVNULL, preexec_fn=_die_with_parent)
        until(self.answers)
        return self

    def answers(self):
        try:
            socket.create_connection(("127.0.0.1", self.port)).close()
        except OSError:
            return False
        return True

    def stop(self):
        self.process.terminate()
        self.process.wait()

    def remove(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder)

    def connect(self, **options):
        given = {"connect_timeout": LIMIT, "reconnect_wait": 0.05, "max_reconnects": None, **options}
        return nats.Connection(self.url, **given)


@pytest.fixture(scope="module")
def server():
    """The server that the tests of a file share."""
    server = Server().start()
    yield server
    server.remove()


@pytest.fixture(scope="module")
def connection(server):
    """The connection that the tests of a file share."""
    with server.connect() as connection:
        until(lambda: connection.state == nats.State.CONNECTED)
        yield connection


@pytest.fixture
def own_server():
    """A server that a test may stop."""
    server = Server().start()
    yield server
    server.remove()


@pytest.fixture
def stream(connection):
    """A new stream, whose subjects begin with its name."""
    name = f"S{next(_names)}"
    stream = connection.stream(name)
    make(stream)
    yield stream
    try:
        stream.delete()
    except nats.NATSError as error:
        assert error.code == 10059, error  # it is gone already


def fill(connection, stream, count, subject="a"):
    """Publishes texts "0", "1" and so on, and waits until they are stored."""
    before = stream.info().messages
    for number in range(count):
        connection.publish(f"{stream.name}.{subject}", str(number))
    until(lambda: stream.info().messages == before + count)


def make(stream):
    """Makes a stream, with subjects that begin with its name, on a server that may not have JetStream yet."""

    def is_made():
        try:
            stream.create(subjects=[f"{stream.name}.>"])
        except nats.NATSError:
            return False
        return True

    until(is_made)


class Reader:
    """Collects what a publisher of messages publishes."""

    def __init__(self, publisher, demand=streams.UNLIMITED, each=None):
        self.messages, self.error, self.ended, self.subscription = [], None, threading.Event(), None
        self.each = each
        self.cancellable = publisher.sink(self.take, self.end, demand, subscription=self.begin)

    def begin(self, subscription):
        self.subscription = subscription

    def take(self, message):
        if self.each is not None:
            self.each(message)
        self.messages.append(message)

    def end(self, error):
        self.error = error
        self.ended.set()

    @property
    def texts(self):
        return [message.text for message in self.messages]

    def wait(self, count):
        until(lambda: len(self.messages) >= count)
        return self.texts

    def failure(self):
        assert self.ended.wait(LIMIT)
        return self.error

    def close(self):
        self.cancellable.close()
        self.subscription = None
        self.messages.clear()
        self.error = None
