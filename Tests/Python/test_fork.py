"""The child of a fork uses streams while threads of its parent were using them at that moment."""

import multiprocessing
import textwrap

import pytest
from programs import run

pytestmark = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork")

# What a child does: all kinds of streams, in several threads of its own.
CHILD = """
    import itertools, multiprocessing, os, sys, threading, streams
    sys.setswitchinterval(1e-5)

    def use_everything(results=None):
        subject, current = streams.PassthroughSubject(), streams.CurrentValueSubject(0)
        got, merged, made = [], [], []
        def begin(emitter):
            def produce(most):
                emitter.send(object())
                emitter.wake()
            return produce
        cancellables = [
            subject.map(lambda n: n + 1).filter(bool).sink(got.append),
            subject.merge(current).flat_map(streams.Just).sink(merged.append),
            streams.create(begin).prefix(10).sink(made.append),
            streams.from_iterable(range(50)).zip(streams.Sequence([1, 2])).sink(made.append),
        ]
        def send():
            for n in range(100):
                subject.send(n)
                subject.send_many([n, n])
                current.value = n
        threads = [threading.Thread(target=send) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(got) == 900 and len(made) == 12 and len(merged) == 1201, (len(got), len(made), len(merged))
        for cancellable in cancellables:
            cancellable.close()
"""

BUSY = """
    shared, done = streams.PassthroughSubject(), threading.Event()
    shared_cancellables = [shared.map(str).sink(lambda _: None), shared.sink(batch=len)]
    def busy():
        while not done.is_set():
            own = streams.PassthroughSubject()
            cancellable = own.map(lambda n: n).flat_map(streams.Just).sink(lambda _: None)
            own.send(object())
            own.send_many([1.5] * 100)
            shared.send(1)
            shared.send_many(["x"] * 10)
            streams.from_iterable(range(10)).collect(3).sink()
    threads = [threading.Thread(target=busy) for _ in range(3)]
    for thread in threads:
        thread.start()
"""


def check(program):
    result = run(program, "-W", "ignore::DeprecationWarning")
    assert (result.returncode, result.stdout) == (0, b"")


def program(*parts):
    return "\n".join(map(textwrap.dedent, parts))


def test_children_use_streams_while_the_parents_threads_do():
    check(
        program(
            CHILD,
            BUSY,
            """
            context = multiprocessing.get_context("fork")
            for _ in range(15):
                child = context.Process(target=use_everything)
                child.start()
                child.join()
                assert child.exitcode == 0, child.exitcode
            done.set()
            for thread in threads:
                thread.join()
            use_everything()
            """,
        )
    )


def test_a_pool_of_children():
    check(
        program(
            CHILD,
            BUSY,
            """
            def work(n):
                return [streams.Sequence(range(n)).reduce(0, max).sink(box.append) and box.pop() for box in [[]]]
            with multiprocessing.get_context("fork").Pool(3) as pool:
                assert pool.map(work, range(1, 20)) == [[n - 1] for n in range(1, 20)]
            done.set()
            """,
        )
    )


def test_a_child_lets_go_of_what_it_inherited():
    """Also of streams that another thread was inside of."""
    check(
        program(
            CHILD,
            BUSY,
            """
            for _ in range(10):
                child = os.fork()
                if child == 0:
                    for cancellable in shared_cancellables:
                        cancellable.close()
                    shared.close()
                    use_everything()
                    os._exit(0)
                assert os.waitpid(child, 0)[1] == 0
            done.set()
            """,
        )
    )


def test_a_child_that_is_forked_inside_a_callback():
    check(
        program(
            CHILD,
            BUSY,
            """
            subject, children = streams.PassthroughSubject(), []
            def fork(value):
                child = os.fork()
                if child == 0:
                    use_everything()
                    os._exit(0)
                children.append(child)
            cancellable = subject.map(lambda n: n).sink(fork)
            for n in range(5):
                subject.send(n)
                assert os.waitpid(children.pop(), 0)[1] == 0
            done.set()
            """,
        )
    )


@pytest.mark.parametrize("module", ["copy", "inspect", "json", "traceback"])
def test_a_child_can_import_what_a_thread_of_the_parent_was_importing(module):
    program = f"""
        import importlib.machinery, os, streams, sys, threading
        class Slow:
            # Makes the module one that takes its time.
            def find_spec(self, name, path=None, target=None):
                if name != "{module}":
                    return None
                spec = importlib.machinery.PathFinder.find_spec(name, path)
                execute = spec.loader.exec_module
                def slowly(made):
                    begun.set()
                    forked.wait(0.5)
                    execute(made)
                spec.loader.exec_module = slowly
                return spec
        begun, forked = threading.Event(), threading.Event()
        sys.meta_path.insert(0, Slow())
        sys.modules.pop("{module}", None)
        importing = threading.Thread(target=lambda: __import__("{module}"))
        importing.start()
        begun.wait()
        child = os.fork()
        if child == 0:
            cancellable = streams.PassthroughSubject().sink(len, completion=[].append)
            list(streams.Just(1).encode().map(len))
            __import__("{module}")
            os._exit(0)
        assert os.waitpid(child, 0)[1] == 0
        importing.join()
    """
    # From 3.12 on Python warns of a fork beside a thread, which is what this is about.
    result = run(program, "-X", "dev", "-W", "ignore:This process:DeprecationWarning")
    assert (result.returncode, result.stdout) == (0, b"")
