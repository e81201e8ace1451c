"""Random programs: every operator, subject and subscriber, with callbacks that do anything to any stream.

Whatever they do: no crash and no hang; never more than is demanded; signals one after the other; nothing after the end or
a cancellation; exceptions come out as the objects that were raised; and no handle is left over.

    FUZZ_SECONDS=600 FUZZ_SEED=5 python -m pytest Tests/Python/test_fuzz.py -s       what `make fuzz` does
"""

import asyncio
import gc
import os
import sys
import threading
import time

import fuzz_calls
import pytest
import streams
from fuzz_actors import DEEPEST, VALUES, Chooser, Escape, Oops, Probe, Source
from fuzz_state import SCRIPT, Observed
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test
from streams import CurrentValueSubject, Empty, Fail, Just, PassthroughSubject, Publisher, ReplaySubject, Sequence, Subject
from streams._escapes import pending
from streams._library import library

OPERATORS = fuzz_calls.operators()
ACTIONS_A_RULE, CALLS_A_RULE, LIMIT = 40, 1500, 60

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", 120))  # about a minute
SHRINKS = os.environ.get("FUZZ_SHRINK", "1") != "0"


class Programs(Observed, RuleBasedStateMachine):
    def __init__(self):
        super().__init__()
        self.before = library.streams_live_handles()
        self.publishers, self.subjects, self.probes, self.tickets, self.emitters = [], [], [], [], []
        self.depth, self.is_fixed, self.raised, self.violations = {}, {}, [], []
        self.actions, self.calls, self.threads = 0, 0, 1
        self.hook, sys.unraisablehook = sys.unraisablehook, self.unraisable
        self.stop, sys.breakpointhook = sys.breakpointhook, lambda: None
        self.virtual = streams.VirtualTimeScheduler()
        self.schedulers, self.loops, self.queues = [self.virtual], [], []
        self.new_subject(0)

    # ---- what is checked ---------------------------------------------------------------------------------------

    def check(self, holds, what):
        if not holds:
            self.violations.append(what)

    def check_error(self, error):
        if isinstance(error, (Oops, Escape)):
            self.check(any(each is error for each in self.raised), f"{error!r} is not what was raised")
        else:
            self.check(self.is_known(error), f"{error!r} came out")

    @staticmethod
    def is_known(error):
        known = (streams.StreamError, streams.StatusError, RecursionError, TypeError, ValueError, AssertionError, type(None))
        return isinstance(error, known)

    def unraisable(self, report):
        """What a completion or an event handler raises, or nobody handles, is reported; nothing else is."""
        error = report.exc_value
        error = error.__cause__ if isinstance(error, streams.UnhandledFailure) else error
        self.check_error(error)

    def run(self, function, *arguments, **options):
        """Calls something that may be refused, and out of which an Escape may come."""
        try:
            return function(*arguments, **options)
        except (streams.StatusError, ValueError, RecursionError) as error:
            error.__traceback__ = None
        except (Oops, Escape) as error:
            self.check_error(error)
            self.check(isinstance(error, Escape), f"{error!r} came out of a call")
        return None

    # ---- what callbacks do ---------------------------------------------------------------------------------------

    def actor(self, script):
        """A function that does one thing of the script each time it is called, and returns a number or nothing."""
        numbers = iter(script)

        def act():
            self.calls += 1
            if self.calls > CALLS_A_RULE:
                raise self.new_error(Oops)
            number = next(numbers, None)
            if number is None or self.actions >= ACTIONS_A_RULE:
                return number
            self.actions += 1
            kind, number = number % 16, number // 16
            if kind == 14:
                raise self.new_error(Oops)
            if kind == 15:
                raise self.new_error(Escape)
            self.do(kind, number)
            return number

        return act

    def new_error(self, kind):
        self.raised.append(kind(len(self.raised)))
        return self.raised[-1]

    def do(self, kind, number):
        subject = self.subjects[number % len(self.subjects)]
        probe = self.probes[number % len(self.probes)] if self.probes else None
        emitter = self.emitters[number % len(self.emitters)] if self.emitters else None
        if kind <= 2:
            subject.send(VALUES[number % len(VALUES)])
        elif kind == 3:
            subject.send_many([[1, 2, 3], ["a", None], [1.5] * 5, range(3)][number % 4])
        elif kind == 4:
            self.subscribe(number, number % 4, [number])
        elif kind == 5 and probe:
            probe.request(1 + number % 3)
        elif kind == 6 and probe:
            probe.cancel(number % 2)
        elif kind == 7 and number % 4 == 0:
            subject.finish()
        elif kind == 8 and number % 4 == 0:
            subject.fail(self.new_error(Oops))
        elif kind == 9 and emitter:
            [lambda: emitter.send(1), lambda: emitter.send_many("ab"), emitter.wake, lambda: emitter.demand][number % 4]()
        elif kind == 10 and emitter and number % 4 == 0:
            emitter.fail(self.new_error(Oops)) if number % 8 else emitter.finish()
        elif kind == 11 and isinstance(subject, CurrentValueSubject):
            subject.value = subject.value
        elif kind == 12 and self.tickets and self.threads == 1:
            probe, ticket = self.tickets.pop(number % len(self.tickets))
            probe.cancelled = probe.cancelled or True
            ticket.close()
        elif kind == 13:
            gc.collect(0)

    # ---- making and using things ---------------------------------------------------------------------------------

    def new_subject(self, number):
        kinds = [PassthroughSubject, lambda: CurrentValueSubject(VALUES[number % len(VALUES)]), lambda: ReplaySubject(number % 4)]
        subject = kinds[number % 3]()
        self.subjects.append(subject)
        self.publishers.append(subject)

    def publisher(self, number, below):
        fit = [each for each in self.publishers if self.depth.get(id(each), 0) < below]
        # At the end of a program the streams that are still there may ask for one.
        return fit[number % len(fit)] if fit else streams.Empty()

    def add(self, publisher, depth, fixed):
        if publisher is not None:
            self.publishers.append(publisher)
            self.depth[id(publisher)], self.is_fixed[id(publisher)] = depth, fixed

    def subscribe(self, number, demand, script, batch=False):
        probe = Probe(self, demand, script)
        self.probes.append(probe)
        publisher = self.publisher(number, below=DEEPEST + 1)
        options = {"batch": probe.batch} if batch else {"value": probe.value}
        probe.ticket = ticket = self.run(
            publisher.sink, completion=probe.end, demand=demand, subscription=probe.begin, **options
        )
        if ticket is None:
            probe.cancelled = True  # an Escape came out, and so there is no ticket
        else:
            self.tickets.append((probe, ticket))

    @rule(kind=st.integers(0, 2))
    def make_a_scheduler(self, kind):
        """One of real time. Only what is due at once comes: a program is over long before a second is."""
        if len(self.schedulers) < 4:
            make = [streams.EventLoop, streams.SerialQueue, lambda: streams.QueuePool(2).queue()][kind]
            self.schedulers.append(make())
            (self.queues if kind else self.loops).append(self.schedulers[-1])

    def settle(self):
        """Goes on until nothing is due: what one queue runs may leave something to others."""
        for _ in range(50):
            before = self.calls
            for each in self.loops:
                self.run(each.run_once)
            for each in self.queues:
                done = threading.Event()
                each.schedule(done.set)
                assert done.wait(LIMIT), "a queue is stuck"
            if self.calls == before:
                return

    def begin_rule(self):
        self.actions = self.calls = 0

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
        ticket = self.run(connectable.connect)
        if ticket is not None:
            self.tickets.append((Probe(self, 0, []), ticket))
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
        if self.note_ticket(self.run(publisher.assign if assign else publisher.subscribe, target)):
            self.add(target, self.depth.get(id(publisher), 0) + 1, False)

    def note_ticket(self, ticket):
        """A ticket without a subscriber of the program's."""
        if ticket is not None:
            self.tickets.append((Probe(self, 0, []), ticket))
        return ticket is not None

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

    def teardown(self):
        self.begin_rule()
        try:
            self.settle()
            for _, ticket in self.tickets:
                self.run(ticket.close)
            self.settle()
            self.clear_state()
            for probe in self.probes:
                probe.subscription = probe.ticket = None
                probe.act = int
            for error in self.raised:
                error.__traceback__ = error.__context__ = None
            for each in (self.publishers, self.subjects, self.probes, self.tickets, self.emitters):
                each.clear()
            for each in self.schedulers:
                self.run(each.close)
            pending.clear()
            has_threads = bool(self.queues)
            self.schedulers.clear()
            self.queues.clear()
            for _ in range(3000 if has_threads else 4):
                gc.collect()
                if library.streams_live_handles() == self.before:
                    break
                self.forget_frames()
                time.sleep(0.001 if has_threads else 0)
            left = library.streams_live_handles() - self.before
            self.raised.clear()
        finally:
            sys.unraisablehook, sys.breakpointhook = self.hook, self.stop
        assert not self.violations, self.violations[:5]
        assert left == 0, f"{left} handles are left over"

    @classmethod
    def forget_frames(cls):
        """What the package has raised in a callback, and a subject has failed with, keeps the frames that led there, and
        they what they know, as the subject: a circle through the library, as with what is raised here."""
        for error in gc.get_objects():
            if isinstance(error, (TypeError, ValueError, RecursionError)) and cls.is_known(error):
                error.__traceback__ = None

    def check_invariants(self, *arguments, **options):
        self.settle()
        super().check_invariants(*arguments, **options)
        assert not self.violations, self.violations[:5]


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
