"""Schedulers at Ctrl-C, at the end of the interpreter and in the child of a fork: each in a process of its own."""

import os
import textwrap

import pytest
from programs import run

BEGIN = """
import asyncio, concurrent.futures, gc, os, signal, sys, threading, streams
from streams import *
signal.signal(signal.SIGINT, signal.default_int_handler)
def never():
    print("never")
def polls():
    # Whether the main thread is in ppoll: a signal just before that would be noticed at the next wake-up only.
    with open(f"/proc/self/task/{threading.main_thread().native_id}/syscall") as file:
        return file.read().split()[0] in ("271", "73")
class Clock:
    def now(self): return 0.0
    def schedule(self, time, action): kept.append(action)
kept = []
"""


def check(program, printed, options=("-X", "dev"), status=0):
    result = run(BEGIN + textwrap.dedent(program), *options)
    assert (result.returncode, result.stdout.decode()) == (status, printed)


# ---- Ctrl-C ------------------------------------------------------------------------------------------------------

WAITS = {
    "run": "loop.run()",
    "run with a timeout": "loop.run(timeout=1000)",
    "run_once": "loop.run_once(1000)",
}


@pytest.mark.parametrize("name", WAITS)
def test_ctrl_c_ends_a_wait(name):
    program = f"""
        loop = EventLoop()
        loop.schedule(never, 1000)
        def interrupt():
            while not polls():
                pass
            os.kill(os.getpid(), signal.SIGINT)
        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            {WAITS[name]}
        except KeyboardInterrupt:
            print("interrupted")
        thread.join()
        loop.schedule(lambda: print("goes on"))
        loop.run_once()
    """
    check(program, "interrupted\ngoes on\n")


@pytest.mark.parametrize("send", ["signal.raise_signal(signal.SIGINT)", "os.kill(os.getpid(), signal.SIGINT)"])
def test_ctrl_c_within_what_runs(send):
    program = f"""
        loop = EventLoop()
        loop.schedule(lambda: {send})
        try:
            loop.run()
        except KeyboardInterrupt:
            print("interrupted")
        loop.schedule(lambda: print("goes on"))
        loop.run_once()
    """
    check(program, "interrupted\ngoes on\n")


def test_a_signal_that_is_handled_does_not_end_run():
    program = """
        loop = EventLoop()
        def handle(*_):
            print("handled")
            loop.stop()
        signal.signal(signal.SIGUSR1, handle)
        loop.schedule(lambda: os.kill(os.getpid(), signal.SIGUSR1))
        loop.run()
        print("stopped")
    """
    check(program, "handled\nstopped\n")


def test_ctrl_c_that_nobody_catches():
    result = run(BEGIN + "loop = EventLoop()\nloop.schedule(lambda: signal.raise_signal(signal.SIGINT))\nloop.run()")
    assert result.returncode != 0 and result.stdout.decode().strip().endswith("KeyboardInterrupt")


# ---- the end of the interpreter ----------------------------------------------------------------------------------

LEFT = {
    "timers of a loop": "loop = EventLoop(); loop.schedule(never, 1000); loop.schedule(never)",
    "timers of a queue": "queue = SerialQueue(); queue.schedule(never, 1000)",
    "a queue that waits in what it runs": """
        queue, begun = SerialQueue(), threading.Event()
        def wait():
            begun.set()
            threading.Event().wait(1000)
        queue.schedule(wait)
        begun.wait()
    """,
    "a pool that waits": """
        pool = QueuePool(3)
        queues, begun = [pool.queue() for _ in range(6)], threading.Barrier(4)
        def wait():
            begun.wait()
            threading.Event().wait(1000)
        for queue in queues:
            queue.schedule(wait)
        begun.wait()
    """,
    "threads that make things": """
        queue, counts = SerialQueue(), [0] * 4
        debouncer = Debouncer(0.0001, queue)
        makes = [
            lambda: debouncer.execute(int),
            lambda: queue.schedule(int),
            lambda: Just(1).map(str).sink(lambda _: None),
            lambda: Interval(1, queue).sink(lambda _: None).cancel(),
        ]
        def work(index):
            while True:
                makes[index]()
                counts[index] += 1
        for index in range(4):
            threading.Thread(target=work, args=[index], daemon=True).start()
        while min(counts) < 20:
            threading.Event().wait(0.001)
    """,
    "a busy queue": """
        queue, begun = SerialQueue(), threading.Event()
        def again():
            begun.set()
            queue.schedule(again)
        queue.schedule(again)
        begun.wait()
    """,
    "a busy pool": """
        pool, begun = QueuePool(3), threading.Barrier(4)
        def start(queue):
            begun.wait()
            def again():
                queue.schedule(again)
            again()
        queues = [pool.queue() for _ in range(3)]
        for queue in queues:
            queue.schedule(lambda queue=queue: start(queue))
        begun.wait()
    """,
    "a stream that goes round in a pool": """
        pool, begun, subject = QueuePool(2), threading.Event(), PassthroughSubject()
        queues = [pool.queue(), pool.queue()]
        def hear(n):
            begun.set()
            subject.send(n + 1)
        cancellable = subject.receive_on(queues[0]).map(lambda n: n).receive_on(queues[1]).sink(hear)
        subject.send(0)
        begun.wait()
    """,
    "a queue whose function never returns": """
        queue, begun, subject = SerialQueue(), threading.Event(), PassthroughSubject()
        cancellable = subject.map(lambda n: n).sink(lambda n: None)
        def spin():
            begun.set()
            while True:
                subject.send(1)
        queue.schedule(spin)
        begun.wait()
    """,
    "a loop that a daemon thread runs": """
        loop, begun = EventLoop(), threading.Event()
        loop.schedule(begun.set)
        loop.schedule(never, 1000)
        threading.Thread(target=loop.run, daemon=True).start()
        begun.wait()
    """,
    "a loop of a thread that runs without end": """
        loop, begun = EventLoop(), threading.Event()
        def again():
            begun.set()
            loop.schedule(again)
        loop.schedule(again)
        threading.Thread(target=loop.run, daemon=True).start()
        begun.wait()
    """,
    "timers of asyncio": """
        async def main():
            global scheduler
            scheduler = AsyncioScheduler()
            scheduler.schedule(never, 1000)
        asyncio.run(main())
    """,
    "an asyncio loop that is never run": """
        loop = asyncio.new_event_loop()
        scheduler = AsyncioScheduler(loop)
        scheduler.schedule(never)
        loop.close()
    """,
    "timers of an executor": """
        executor = concurrent.futures.ThreadPoolExecutor(2)
        scheduler = ExecutorScheduler(executor)
        scheduler.schedule(never, 1000)
    """,
    "a clock of one's own": "scheduler = CustomScheduler(Clock()); scheduler.schedule(never)",
    "streams that wait": """
        subject, loop, queue = PassthroughSubject(), EventLoop(), SerialQueue()
        own = CustomScheduler(Clock())
        cancellables = [subject.debounce(1000, each).sink(never) for each in (loop, queue, own)]
        subject.send_many([1, 2])
    """,
    "iterators": """
        subject = PassthroughSubject()
        one = CurrentValueSubject(1).iterate()
        assert next(one) == 1
        begun = threading.Event()
        def wait():
            for _ in subject.handle_events(receive_request=lambda _: begun.set()):
                never()
        threading.Thread(target=wait, daemon=True).start()
        begun.wait()
    """,
    "calls of map_async": """
        async def forever(n): await asyncio.get_running_loop().create_future()
        async def main():
            global cancellable
            cancellable = Sequence([1, 2]).map_async(forever, limit=2).sink(print, lambda error: None)
            for _ in range(5):
                await asyncio.sleep(0)
        asyncio.run(main())
    """,
    "a scheduled function that knows its scheduler": """
        loop = EventLoop()
        loop.schedule(lambda: loop.schedule(never), 1000)
        queue = SerialQueue()
        queue.schedule(lambda: queue.schedule(never), 1000)
    """,
}


@pytest.mark.parametrize("options", [["-X", "dev"], []], ids=["dev", "plain"])
@pytest.mark.parametrize("name", LEFT)
def test_the_end_is_silent_and_clean(name, options):
    """Nothing is printed, nothing waits for what is due in 1,000 seconds, and nothing crashes."""
    for _ in range(3):
        check(LEFT[name], "", options)


def test_sys_exit_within_a_scheduled_function():
    check("loop = EventLoop()\nloop.schedule(lambda: sys.exit(7))\nloop.run()", "", status=7)


# ---- fork --------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("waiting", [False, True])
def test_fork(waiting):
    """The child has no threads but its own: it makes schedulers anew, and may use a loop that no thread was in."""
    program = f"""
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        loop, queue = EventLoop(), SerialQueue()
        begun = threading.Event()
        over = threading.Event()
        def wait():
            begun.set()
            over.wait()
        if {waiting}:
            queue.schedule(wait)
            begun.wait()
        for _ in range(20):
            child = os.fork()
            if child == 0:
                log = []
                loop.schedule(lambda: log.append(1))
                loop.run_once()
                own, done = SerialQueue(), threading.Event()
                own.schedule(done.set, 0.001)
                assert done.wait(30)
                pooled, done = QueuePool(2).queue(), threading.Event()
                pooled.schedule(done.set)
                assert done.wait(30)
                async def main():
                    future = asyncio.get_running_loop().create_future()
                    scheduler = AsyncioScheduler()
                    scheduler.schedule(lambda: future.set_result(5), 0.001)
                    assert await asyncio.wait_for(future, 30) == 5
                asyncio.run(main())
                assert log == [1]
                os._exit(7)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        over.set()
        log = []
        loop.schedule(lambda: log.append(2))
        loop.run_once()
        assert log == [2]
    """
    check(program, "")


# A thread that CPython learns of has, for a moment, a lock that the child of a fork would wait for in vain.
BUSY = {
    "a queue": """
        queue = SerialQueue()
        def again():
            queue.schedule(again)
        queue.schedule(again)
    """,
    "a pool": """
        queues = [pool.queue() for pool in [QueuePool(2)] for _ in range(3)]
        def start(queue):
            def again():
                queue.schedule(again)
            again()
        for queue in queues:
            start(queue)
    """,
    "threads that come and go": """
        def come_and_go():
            while True:
                with SerialQueue() as queue:
                    gone = threading.Event()
                    queue.schedule(gone.set)
                    gone.wait()
        threading.Thread(target=come_and_go, daemon=True).start()
    """,
}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("name", BUSY)
def test_fork_while_queues_run_functions(name):
    check(
        textwrap.dedent(BUSY[name])
        + textwrap.dedent(
            """
            import warnings
            warnings.simplefilter("ignore", DeprecationWarning)
            for _ in range(100):
                child = os.fork()
                if child == 0:
                    own, done = SerialQueue(), threading.Event()
                    own.schedule(done.set)
                    os._exit(7 if done.wait(30) else 1)
                assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
            """
        ),
        "",
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_fork_within_what_a_queue_runs():
    program = """
        import warnings
        warnings.simplefilter("ignore", DeprecationWarning)
        queue, done, ends = SerialQueue(), threading.Event(), []
        def fork():
            child = os.fork()
            if child == 0:
                own, heard = SerialQueue(), threading.Event()
                own.schedule(heard.set)
                os._exit(7 if heard.wait(30) else 1)
            ends.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        for _ in range(10):
            queue.schedule(fork)
        queue.schedule(done.set)
        assert done.wait(30) and ends == [7] * 10
    """
    check(program, "")
