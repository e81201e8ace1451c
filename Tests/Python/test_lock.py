"""The interpreter's lock: every call of a Python function has it, wherever it comes from, and a thread that waits does not.

What goes wrong here ends the interpreter, so each program runs in one of its own.
"""

import textwrap

import pytest
from programs import run

SOURCE = """
import gc, sys, threading, streams
sys.setswitchinterval(1e-5)
log = []
class Source:
    def __init__(self, emitter):
        log.append("open")
        self.emitter, self.left = emitter, [0] * 3
    def produce(self, most):
        log.append(object())
        for _ in range(min(most, len(self.left))):
            self.emitter.send(self.left.pop())
        if not self.left:
            self.emitter.finish()
    def close(self):
        log.append("close")
other = threading.Thread(target=lambda: [sum(range(100)) for _ in iter(lambda: done, [1])], daemon=True)
done = []
other.start()
"""

PROGRAMS = {
    "opened inside flat_map of a send": """
        subject = streams.PassthroughSubject()
        got = []
        cancellable = subject.flat_map(lambda n: streams.create(Source)).sink(got.append)
        for n in range(200):
            subject.send(n)
        assert got == [0] * 600, len(got)
    """,
    "opened inside flat_map of send_many": """
        subject = streams.PassthroughSubject()
        got = []
        cancellable = subject.flat_map(lambda n: streams.create(Source).map(lambda v: v + 1)).sink(got.append)
        subject.send_many([object()] * 100)
        assert got == [1] * 300, len(got)
    """,
    "opened inside catch": """
        subject = streams.PassthroughSubject()
        for n in range(100):
            got = []
            cancellable = subject.map(lambda n: 1 / 0).catch(lambda error: streams.create(Source)).sink(got.append)
            subject.send(1)
            assert got == [0] * 3
    """,
    "asked by what a filter returns": """
        emitters = []
        def begin(emitter):
            emitters.append(emitter)
            return lambda most: log.append([streams.Just(object()), emitter.demand])
        got = []
        cancellable = streams.create(begin).filter(lambda n: n % 2).sink(got.append, demand=3)
        for n in range(6):
            assert emitters[0].send(n)
        assert got == [1, 3, 5]
    """,
    "asked inside a callback": """
        subject = streams.PassthroughSubject()
        subscriptions, got = [], []
        cancellable = streams.create(Source).sink(got.append, demand=0, subscription=subscriptions.append)
        asking = subject.map(lambda n: subscriptions[0].request(1)).sink(lambda _: None)
        for n in range(3):
            subject.send(n)
        assert got == [0] * 3
    """,
    "closed inside a callback": """
        subject = streams.PassthroughSubject()
        cancellables = []
        def value(n):
            cancellables.append(streams.create(lambda e: Source(e) if e.wake() else Source(e)).sink(print, demand=0))
            cancellables.pop().close()
        cancellable = subject.filter(lambda n: True).sink(value)
        subject.send_many(["x"] * 100)
        assert log.count("close") == 100
    """,
    "a source that finishes while it is opened, inside a send": """
        subject = streams.PassthroughSubject()
        def begin(emitter):
            emitter.finish()
            return lambda most: None
        got = []
        cancellable = subject.flat_map(lambda n: streams.create(begin)).sink(got.append)
        for n in range(200):
            subject.send(n)
    """,
    "a C callback that gives the lock away": """
        import ctypes
        from streams._native import ffi_generated as ffi
        from streams._native.library import library
        subject, inner = streams.PassthroughSubject(), streams.PassthroughSubject()
        got = []
        cancellable = inner.map(lambda n: [n]).sink(got.append)
        @ffi.streams_transform_fn
        def transform(context, value, out):
            inner.send_many(["x", object()])  # a call through ctypes: it gives the lock away and takes it again
            return library.streams_value_copy(value, out)
        address = ctypes.cast(transform, ctypes.c_void_p).value
        mapped = streams.Publisher._adopt(library.streams_map(subject._take(), address, None, None))
        ticket2 = mapped.sink(got.append)
        for n in range(200):
            subject.send(n)
        assert len(got) == 600
    """,
}


def check(program, *options):
    result = run(SOURCE + textwrap.dedent(program) + "\ndone.append(1)\nother.join()\n", *options)
    assert (result.returncode, result.stdout) == (0, b"")


@pytest.mark.parametrize("options", [["-X", "dev"], []], ids=["dev", "plain"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_functions_of_a_source_have_the_lock(name, options):
    check(PROGRAMS[name], *options)
