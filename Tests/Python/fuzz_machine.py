"""What the fuzzer's random programs (test_fuzz.py) consist of, what their callbacks do, and what must hold of them."""

import gc
import sys
import threading
import time

import streams
from fuzz_actors import DEEPEST, VALUES, Escape, Oops, Probe
from hypothesis.stateful import RuleBasedStateMachine
from streams import CurrentValueSubject, PassthroughSubject, ReplaySubject
from streams._native.library import library
from streams._program.escapes import pending

ACTIONS_A_RULE, CALLS_A_RULE, LIMIT = 40, 1500, 60


class Machine(RuleBasedStateMachine):
    """A program without its rules."""

    def __init__(self):
        super().__init__()
        self.before = library.streams_live_handles()
        self.publishers, self.subjects, self.probes, self.cancellables, self.emitters = [], [], [], [], []
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
        elif kind == 12 and self.cancellables and self.threads == 1:
            probe, cancellable = self.cancellables.pop(number % len(self.cancellables))
            probe.cancelled = probe.cancelled or True
            cancellable.close()
        elif kind == 13:
            gc.collect(0)

    # ---- making and using things ---------------------------------------------------------------------------------

    def new_subject(self, number):
        kinds = [
            PassthroughSubject,
            lambda: CurrentValueSubject(VALUES[number % len(VALUES)]),
            lambda: ReplaySubject(number % 4),
        ]
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
        probe.cancellable = cancellable = self.run(
            publisher.sink, completion=probe.end, demand=demand, subscription=probe.begin, **options
        )
        if cancellable is None:
            probe.cancelled = True  # an Escape came out, and so there is no cancellable
        else:
            self.cancellables.append((probe, cancellable))

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

    def note_cancellable(self, cancellable):
        """A cancellable without a subscriber of the program's."""
        if cancellable is not None:
            self.cancellables.append((Probe(self, 0, []), cancellable))
        return cancellable is not None

    def teardown(self):
        self.begin_rule()
        try:
            self.settle()
            for _, cancellable in self.cancellables:
                self.run(cancellable.close)
            self.settle()
            self.clear_state()
            for probe in self.probes:
                probe.subscription = probe.cancellable = None
                probe.act = int
            for error in self.raised:
                error.__traceback__ = error.__context__ = None
            for each in (self.publishers, self.subjects, self.probes, self.cancellables, self.emitters):
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
