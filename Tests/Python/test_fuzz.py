"""Random programs: every operator, subject and subscriber, with callbacks that do anything to any stream.

Whatever they do: no crash and no hang; never more than is demanded; signals one after the other; nothing after the end or
a cancellation; exceptions come out as the objects that were raised; and no handle is left over.

    FUZZ_SECONDS=600 FUZZ_SEED=5 python -m pytest Tests/Python/test_fuzz.py -s       what `make fuzz` does
"""

import asyncio
import os
import threading
import time

import fuzz_calls
import pytest
import streams
from fuzz_actors import DEEPEST, VALUES, Chooser, Oops, Probe, Source
from fuzz_machine import LIMIT, Machine
from fuzz_state import SCRIPT, Observed
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test
from streams import CurrentValueSubject, Empty, Fail, Just, PassthroughSubject, Publisher, Sequence, Subject

OPERATORS = fuzz_calls.operators()
EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", 120))  # about a minute
SHRINKS = os.environ.get("FUZZ_SHRINK", "1") != "0"


class Programs(Observed, Machine):
    @rule(kind=st.integers(0, 2))
    def make_a_scheduler(self, kind):
        """One of real time. Only what is due at once comes: a program is over long before a second is."""
        if len(self.schedulers) < 4:
            make = [streams.EventLoop, streams.SerialQueue, lambda: streams.QueuePool(2).queue()][kind]
            self.schedulers.append(make())
            (self.queues if kind else self.loops).append(self.schedulers[-1])

    @rule(number=st.integers(0, 9))
    def make_a_subject(self, number):
        if len(self.subjects) < 5:
            self.new_subject(number)

    @rule(kind=st.integers(0, 9), script=SCRIPT)
    def make_a_publisher(self, kind, script):
        self.begin_rule()
        act = self.actor(script)
        make = [
            lambda: Just(1),
            lambda: Empty(len(script) % 2),
            lambda: Fail(self.new_error(Oops)),
            lambda: Sequence([1, 2, 3, 4]),
            lambda: streams.from_iterable(lambda: (act() for _ in range(5))),
            lambda: streams.from_iterable(range(6)),
            lambda: streams.create(lambda emitter: Source(self, emitter, [act() or 0, *script])),
            lambda: streams.Record(VALUES, self.new_error(Oops)),
            lambda: streams.Deferred(lambda: self.publisher(act() or 0, below=2)),
            lambda: self.future(act),
        ][kind]
        self.add(self.run(make), 0, kind not in (4, 6, 8, 9))

    def future(self, act):
        """What its function raises comes out of making it."""
        try:
            return streams.Future(lambda promise: promise.resolve(act()))
        except Oops as error:
            self.check_error(error)
            return None

    @rule(name=st.sampled_from(sorted(OPERATORS)), number=st.integers(0, 999), script=SCRIPT)
    def apply(self, name, number, script):
        self.begin_rule()
        choose = Chooser(self, [number, *script])
        publisher = choose.publisher()
        positional, keyword = fuzz_calls.arguments(name, OPERATORS[name], choose)
        made = self.run(getattr(publisher, name), *positional, **keyword)
        if isinstance(made, streams.Connectable):
            made = self.connected(made, number)
        self.add(made, choose.depth + 1, choose.fixed)

    def connected(self, connectable, number):
        """Connected for each subscriber, or for good."""
        if number % 2:
            return self.run(connectable.autoconnect)
        cancellable = self.run(connectable.connect)
        if cancellable is not None:
            self.cancellables.append((Probe(self, 0, []), cancellable))
        return connectable

    @rule(number=st.integers(0, 999), demand=st.integers(0, 9), script=SCRIPT, batch=st.booleans())
    def sink(self, number, demand, script, batch):
        self.begin_rule()
        self.subscribe(number, streams.UNLIMITED if demand == 9 else demand, script, batch)

    @rule(number=st.integers(0, 999), other=st.integers(0, 9), assign=st.booleans())
    def connect(self, number, other, assign):
        """To a subject of its own, so that no circle is made that nothing ends."""
        self.begin_rule()
        publisher = self.publisher(number, below=DEEPEST)
        target = CurrentValueSubject(0) if assign else PassthroughSubject()
        if self.note_cancellable(self.run(publisher.assign if assign else publisher.subscribe, target)):
            self.add(target, self.depth.get(id(publisher), 0) + 1, False)

    @rule(script=st.lists(st.integers(0, 13 + 16 * 60), min_size=1, max_size=6))
    def act(self, script):
        self.begin_rule()
        for number in script:
            self.run(self.do, number % 16 % 14, number // 16)

    @rule(scripts=st.lists(st.lists(st.integers(0, 999), min_size=1, max_size=5), min_size=2, max_size=3))
    def act_in_threads(self, scripts):
        self.begin_rule()
        self.threads = len(scripts)

        def work(script):
            for number in script:
                self.run(self.do, number % 16 % 14, number // 16)

        threads = [threading.Thread(target=work, args=(script,), daemon=True) for script in scripts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(LIMIT)
            assert not thread.is_alive(), "a thread is stuck"
        self.threads = 1

    @rule(number=st.integers(0, 999), buffer=st.integers(1, 3), script=SCRIPT, kind=st.integers(0, 2))
    def loop(self, number, buffer, script, kind):
        """`async for` over a publisher, map_async and an async generator, while the loop does other things."""
        self.begin_rule()
        publisher = self.publisher(number, below=DEEPEST)

        async def generator():
            for each in range(4):
                yield each
                await asyncio.sleep(0)

        act = self.actor(script[::-1])

        async def later(value):
            for _ in range(act() or 0) if number % 3 else ():
                await asyncio.sleep(0)
            return value

        def told(_, context):
            # Not left to the log, which pytest keeps with the frames of the traceback.
            error = context.get("exception")
            if error is not None:
                self.check_error(error)
                error.__traceback__ = None

        async def main():
            asyncio.get_running_loop().set_exception_handler(told)
            source = [
                lambda: publisher,
                lambda: streams.from_async_iterable(generator),
                lambda: publisher.map_async(later, limit=buffer, ordered=number % 2 == 0),
            ][kind]()
            values, received = source.values(buffer), 0
            for each in [*script, 0, 0]:
                waiting = asyncio.ensure_future(values.__anext__())
                self.run(self.do, each % 16 % 14, each // 16)
                for _ in range(4):
                    await asyncio.sleep(0)
                if not waiting.done():
                    waiting.cancel()
                try:
                    await waiting
                    received += 1
                except (StopAsyncIteration, asyncio.CancelledError):
                    pass
                except BaseException as error:
                    self.check_error(error)
                    error.__traceback__ = None
            await values.aclose()
            del values, source
            for _ in range(6):
                await asyncio.sleep(0)

        self.run(asyncio.run, main())

    @rule(number=st.integers(0, 999))
    def close_a_publisher(self, number):
        self.begin_rule()
        publisher = self.publishers[number % len(self.publishers)]
        if not isinstance(publisher, Subject) and len(self.publishers) > 3:
            self.publishers.remove(publisher)
            self.run(publisher.close)

    @rule(seconds=st.sampled_from([0, 0.5, 1, 10]))
    def pass_time(self, seconds):
        self.begin_rule()
        self.run(self.virtual.advance, seconds)


def run(seed, examples, steps):
    print(f"random programs from FUZZ_SEED={seed}", flush=True)
    Programs._hypothesis_internal_use_seed = seed
    run_state_machine_as_test(
        Programs,
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=False,
            database=None,
            print_blob=True,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate, Phase.shrink] if SHRINKS else [Phase.generate],
        ),
    )


@pytest.mark.timeout(0)
def test_random_programs():
    seed, seconds = int(os.environ.get("FUZZ_SEED", 1)), float(os.environ.get("FUZZ_SECONDS", 0))
    if not seconds:
        return run(seed, EXAMPLES, 40)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        run(seed, 500, 60)
        seed += 1


def test_every_operator_is_known():
    names = {name for name in dir(Publisher) if not name.startswith("_")}
    others = {"sink", "assign", "subscribe", "values", "iterate", "run", "first_value", "map_async", "pipe"}
    others |= {"close", "closed", "tree"}
    assert set(OPERATORS) == names - others, "a public method of Publisher is neither an operator nor a subscriber"
