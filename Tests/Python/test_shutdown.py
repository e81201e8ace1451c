"""The end of the interpreter with streams still running is silent and clean."""

import os

import pytest
from programs import run

PROGRAMS = {
    "subscriptions in globals": """
        import streams
        subject = streams.CurrentValueSubject(0)
        cancellable = subject.map(lambda n: n + 1).filter(bool).sink(lambda n: None)
        pending = streams.from_iterable(iter, None) if False else streams.from_iterable([1, 2]).sink(demand=1)
    """,
    "generator that is not exhausted": """
        import streams
        def numbers():
            try:
                while True:
                    yield 1
            finally:
                print("closed" if streams is None else "", end="")
        cancellable = streams.from_iterable(numbers).sink(lambda n: None, demand=3)
    """,
    "cycles through streams": """
        import streams
        class Owner:
            def __init__(self):
                self.subject = streams.PassthroughSubject()
                self.cancellable = self.subject.sink(self.value)
            def value(self, n):
                self.last = n
        owner = Owner()
        owner.subject.send(owner)
    """,
    "a daemon thread that sends": """
        import threading, streams
        subject = streams.PassthroughSubject()
        cancellable = subject.map(lambda n: n + 1).sink(lambda n: None)
        started = threading.Event()
        def send():
            while True:
                subject.send(1)
                started.set()
        threading.Thread(target=send, daemon=True).start()
        started.wait()
    """,
    "daemon threads that send batches": """
        import threading, streams
        subject = streams.PassthroughSubject()
        cancellables = [subject.sink(batch=lambda values: None), subject.sink(lambda value: None)]
        started = threading.Event()
        def send():
            while True:
                subject.send_many(["x"] * 100)
                subject.send_many([1.5] * 100)
                started.set()
        for _ in range(3):
            threading.Thread(target=send, daemon=True).start()
        started.wait()
    """,
    "a daemon thread that sends when the library has been told of the end": """
        import atexit, threading
        sent = threading.Event()
        def wait_for_another():
            sent.clear()
            sent.wait(60)
        atexit.register(wait_for_another)  # runs last, being the first
        import streams
        subject = streams.PassthroughSubject()
        def send():
            while True:
                subject.send(1)
                subject.send_many([1, 2])
                sent.set()
        threading.Thread(target=send, daemon=True).start()
        sent.wait()
    """,
    "daemon threads with state when the library has been told of the end": """
        import atexit, threading
        had = [threading.Event() for _ in range(4)]
        def wait_for_others():
            for each in had:
                each.clear()
                each.wait(0.2)  # the thread may have come to its end
        atexit.register(wait_for_others)  # runs last, being the first
        import streams
        class Car(streams.ObservableObject):
            charge = streams.Published(1.0)
        subject, car, kept = streams.CurrentValueSubject(1), Car(), []
        def part():
            binding = streams.Binding(subject.__class__(1)).map(lambda n: n + 1, lambda whole, n: n)
            binding.value += 1
        def watch():
            with car.published.charge.sink(lambda charge: None):
                car.charge += 1
        derived, read = lambda: streams.Property(subject).map(str).value, lambda: streams.Binding(lambda: 1, print).value
        uses = [derived, part, watch, read]
        def use(function, event):
            while True:
                function()
                event.set()
        for each, event in zip(uses, had):
            threading.Thread(target=use, args=(each, event), daemon=True).start()
        for event in had:
            event.wait()
    """,
    "sends in atexit and in destructors": """
        import atexit, streams
        subject = streams.PassthroughSubject()
        got = []
        cancellable = subject.sink(got.append)
        class Last:
            def __del__(self):
                self.subject.send(1)
        last = Last()
        last.subject = subject
        atexit.register(lambda: subject.send(2))
    """,
    "an async generator in a loop that has ended": """
        import asyncio, streams
        async def numbers():
            yield 1
            await asyncio.get_running_loop().create_future()
        async def main():
            global cancellable
            cancellable = streams.from_async_iterable(numbers).sink(lambda n: None, lambda error: None)
            for _ in range(5):
                await asyncio.sleep(0)
        asyncio.run(main())
    """,
    "a source of one's own": """
        import streams
        emitters = []
        def begin(emitter):
            emitters.append(emitter)
            return lambda most: emitter.send(1)
        cancellable = streams.create(begin).sink(lambda n: None, demand=5)
    """,
    "a failed stream": """
        import streams
        ends = []
        cancellable = streams.Fail(ValueError("kept")).sink(completion=ends.append)
        publisher = streams.Fail(KeyError("kept too"))
    """,
    "the module is deleted first": """
        import sys, streams
        subject = streams.PassthroughSubject()
        cancellable = subject.sink(lambda n: None)
        for name in [name for name in sys.modules if name.startswith("streams")]:
            del sys.modules[name]
        del streams
    """,
    "objects that outlive the package": """
        import threading, streams
        class Car(streams.ObservableObject):
            charge = streams.Published(50)
        class Last:
            def __init__(self):
                self.subject = streams.PassthroughSubject()
                self.cancellable = self.subject.sink(print)
            def __del__(self):
                self.subject.send(1)
                self.subject.send_many([2])
                self.cancellable.cancel()
                self.cancellable.close()
        car, subject, queue, subscriptions = Car(), streams.PassthroughSubject(), streams.SerialQueue(), []
        loop = iter(streams.from_iterable(range(1000)))
        next(loop)
        # What another module has is released after the package's own modules are cleared.
        threading.kept = [
            car, car.published.charge, car.bindings.charge, car.object_will_change, subject, subject.map(str), loop,
            subject.sink(print), subject.sink(print, demand=0, subscription=subscriptions.append), subscriptions,
            subject.subscribe(subject), subject.make_connectable().connect(), queue, streams.Interval(1, queue).sink(print),
            streams.EventLoop(), streams.Property(0, then=subject), streams.debug.record(subject), Last(),
        ]
        threading.excepthook = lambda report: subject.send(report)
    """,
    "sys.exit inside a callback": """
        import sys, streams
        subject = streams.PassthroughSubject()
        ends = []
        cancellable = subject.sink(lambda n: sys.exit(3), ends.append)
        try:
            subject.send(1)
        except SystemExit as error:
            assert error.code == 3 and ends == [error]
    """,
}


@pytest.mark.parametrize("options", [["-X", "dev"], []], ids=["dev", "plain"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_silent_and_clean(name, options):
    for _ in range(3 if "thread" in name else 1):
        result = run(PROGRAMS[name], *options)
        assert (result.returncode, result.stdout) == (0, b"")


def test_the_exit_status_is_the_programs():
    result = run("import sys, streams\nticket = streams.PassthroughSubject().sink(print)\nsys.exit(7)")
    assert (result.returncode, result.stdout) == (7, b"")


def test_an_uncaught_exception_is_only_that():
    result = run("import streams\nticket = streams.PassthroughSubject().sink(print)\nraise ValueError('mine')", "-X", "dev")
    assert result.returncode == 1 and result.stdout.endswith(b"ValueError: mine\n")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_ctrl_c_in_a_stream():
    program = """
        import itertools, signal, os, streams
        def value(n):
            if n == 1000:
                os.kill(os.getpid(), signal.SIGINT)
        try:
            streams.from_iterable(itertools.count).sink(value)
        except KeyboardInterrupt:
            print("interrupted")
    """
    result = run(program, "-X", "dev", interruptible=True)
    assert (result.returncode, result.stdout) == (0, b"interrupted\n")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_and_go_on():
    program = """
        import os, sys, streams
        subject = streams.PassthroughSubject()
        got = []
        cancellable = subject.sink(got.append)
        child = os.fork()
        subject.send(child)
        assert got == [child]
        if child:
            assert os.waitpid(child, 0)[1] == 0
    """
    result = run(program, "-X", "dev")
    assert (result.returncode, result.stdout) == (0, b"")
