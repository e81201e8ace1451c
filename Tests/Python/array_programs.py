"""Random programs that send arrays, in which subscribers and operators' functions act amid the array.

A plan is run twice: with arrays, and with as many single sends. Each run writes down what every subscriber sees."""

import itertools
import re
import sys

import fuzz_calls
import streams
from array_arguments import Arguments
from array_plans import FORMS, OPERATORS, SUBJECTS, Action, Sink
from fuzz_actors import Oops

ADDRESS = re.compile(" at 0?x[0-9a-f]*")  # in the text that an object has, of which there are two
CALLS, ACTIONS = 400, 30  # of a run; a plan that takes more than that is not compared


class Run:
    """One run of a plan."""

    def __init__(self, plan, arrays):
        self.plan, self.arrays = plan, arrays
        self.calls = self.actions = self.depth = 0
        self.transcript, self.logs, self.states = [], {}, []
        self.clock = streams.VirtualTimeScheduler()
        self.subjects, self.publishers, self.probes, self.cancellables, self.errors = [], [], [], [], []
        self.own = itertools.count()
        self.hook, sys.unraisablehook = sys.unraisablehook, self.unraisable
        self.stop, sys.breakpointhook = sys.breakpointhook, lambda: None
        try:
            self.build()
            for step in plan.steps:
                self.take(step)
                self.states.append(self.currents())
        finally:
            self.end()
            sys.unraisablehook, sys.breakpointhook = self.hook, self.stop

    @property
    def is_endless(self):
        return self.calls >= CALLS

    def build(self):
        for kind in self.plan.subjects:
            self.subjects.append(SUBJECTS[kind]())
            self.say(f"{self.name(self.subjects[-1])} = {kind}")
        roots, count = [], len(self.subjects)
        for source, operators in self.plan.chains:
            source %= count + len(self.publishers)
            publisher = self.subjects[source] if source < count else self.publishers[source - count]
            name = self.name(publisher) if source < count else f"p{source - count}"
            roots.append(source if source < count else roots[source - count])
            for operator, numbers in operators:
                publisher = self.applied(publisher, operator, numbers)
            self.publishers.append(publisher)
            self.say(f"p{len(self.publishers) - 1} = {name}: " + repr(publisher).partition(": ")[2])
        for chain, subject in self.plan.links:
            # To one that comes later, so that no circle is made that nothing ends.
            if roots[chain % len(roots)] < subject % count:
                self.say(
                    f"p{chain % len(self.publishers)}.subscribe({self.name(self.subjects[subject % len(self.subjects)])})"
                )
                self.keep(
                    self.attempt(
                        self.publishers[chain % len(self.publishers)].subscribe, self.subjects[subject % len(self.subjects)]
                    )
                )
        for sink in self.plan.sinks:
            self.subscribe(sink)

    def applied(self, publisher, name, numbers):
        choose = Arguments(self, [*numbers], publisher)
        if name in ("repeat", "retry"):
            return getattr(publisher, name)(choose.count())
        try:
            positional, keyword = fuzz_calls.arguments(name, OPERATORS[name], choose)
            if name in ("print", "track"):
                positional, keyword = [name], {"to": choose.file()}
            made = getattr(publisher, name)(*positional, **keyword)
        except (streams.StatusError, ValueError) as error:
            error.__traceback__ = None
            return publisher
        if isinstance(made, streams.Connectable):
            return made.autoconnect() if choose.flag() else self.connected(made)
        return made

    def connected(self, connectable):
        self.keep(self.attempt(connectable.connect))
        return connectable

    def keep(self, cancellable):
        if cancellable is not None:
            self.cancellables.append(cancellable)

    def subscribe(self, sink, publisher=None, name=None):
        if publisher is None:
            publisher = self.publishers[sink.chain % len(self.publishers)]
        probe = Probe(self, sink, name or f"s{len(self.probes)}")
        if name is None:
            self.probes.append(probe)
            self.say(
                f"{probe.name} = p{sink.chain % len(self.publishers)}.sink({'' if sink.demand is None else sink.demand})"
                + (" of batches" if sink.batch else "")
            )
        told = {"batch": probe.batch} if sink.batch else {"value": probe.value}
        demand = streams.UNLIMITED if sink.demand is None else sink.demand
        probe.cancellable = self.attempt(
            publisher.sink, completion=probe.end, demand=demand, subscription=probe.begin, **told
        )
        self.keep(probe.cancellable)

    # ---- what is written down ------------------------------------------------------------------------------------

    def name(self, subject):
        return next("abcdefghijkl"[index % 12] for index, each in enumerate(self.subjects) if each is subject)

    def say(self, what):
        self.transcript.append("  " * self.depth + what)

    def log(self, name, *what):
        self.logs.setdefault(name, []).append(what)
        self.say(f"{name}: " + " ".join(map(str, what)))

    def currents(self):
        return tuple(self.plain(each.value) for each in self.subjects if isinstance(each, streams.CurrentValueSubject))

    def plain(self, value, depth=0):
        """A value as something that can be compared between two runs."""
        if depth > 50 or isinstance(value, (streams.StreamLimitError, streams.StatusLimitError)):
            self.calls = CALLS  # an operator's argument made a circle, in which no function of ours need be called
            return "and so on"
        if isinstance(value, BaseException):
            value.__traceback__ = value.__context__ = None  # it would keep the program
            return f"{type(value).__name__}"
        if isinstance(value, streams.Publisher):
            return "a publisher"
        if isinstance(value, (list, tuple)):
            return tuple(self.plain(each, depth + 1) for each in value)
        if isinstance(value, str):
            return ADDRESS.sub("", value)
        if isinstance(value, (int, float, type(None))):
            return value
        return str(value) if not hasattr(value, "__dict__") else type(value).__name__

    def unraisable(self, report):
        error = report.exc_value
        self.log("unraisable", self.plain(error.__cause__ if isinstance(error, streams.UnhandledFailure) else error))

    def new_error(self, kind=Oops):
        self.errors.append(kind("why"))
        return self.errors[-1]

    # ---- what is done ----------------------------------------------------------------------------------------------

    def attempt(self, function, *arguments, **options):
        try:
            return function(*arguments, **options)
        except (streams.StatusError, ValueError, RecursionError, Oops, AssertionError) as error:
            error.__traceback__ = None
            self.log("refused", self.plain(error))
        return None

    def take(self, step):
        if isinstance(step, Action):
            self.act("main", step, None)
        else:
            subject, form, values = step
            self.send(self.subjects[subject % len(self.subjects)], form, values)

    def send(self, subject, form, values):
        values = FORMS[form](values)
        self.say(f"{self.name(subject)}.send_many({list(values)})  # {form}")
        self.depth += 1
        if self.arrays:
            self.attempt(subject.send_many, values)
        else:
            for each in getattr(values, "tolist", lambda: values)():
                self.attempt(subject.send, each)
        self.depth -= 1

    def counted(self):
        """Counts a call of a function of ours. Returns whether it may still act."""
        self.calls += 1
        if self.is_endless:
            raise self.new_error()
        return self.actions < ACTIONS

    def act(self, who, action, probe):
        """Does something, as `who`, which is `probe` if it is a subscriber."""
        self.actions += 1
        self.depth += 1
        try:
            self.do(who, action, probe)
        finally:
            self.depth -= 1

    def do(self, who, action, probe):
        kind, number = action
        subject = self.subjects[number % len(self.subjects)]
        other = self.probes[number % len(self.probes)] if self.probes else None
        if kind == "send":
            self.say(f"{who}: {self.name(subject)}.send({100 + number})")
            self.attempt(subject.send, 100 + number)
        elif kind == "set" and isinstance(subject, streams.CurrentValueSubject):
            self.say(f"{who}: {self.name(subject)}.value = {200 + number}")
            self.attempt(setattr, subject, "value", 200 + number)
        elif kind == "send an array":
            self.send(subject, [*FORMS][number % len(FORMS)], [300 + number, 301 + number, 300 + number])
        elif kind == "subscribe" and len(self.probes) < 8:
            self.subscribe(Sink(number, None if number % 4 else 2, False, number % 3 == 0, {}))
        elif kind == "cancel" and (probe or other):
            (probe or other).cancel(number)
        elif kind == "cancel another" and other:
            other.cancel(number)
        elif kind == "request" and (probe or other):
            (probe or other).request(1 + number % 3)
        elif kind == "request of another" and other:
            other.request(1 + number % 3)
        elif kind == "finish":
            self.say(f"{who}: {self.name(subject)}.finish()")
            self.attempt(subject.finish)
        elif kind == "fail":
            self.say(f"{who}: {self.name(subject)}.fail()")
            self.attempt(subject.fail, self.new_error())
        elif kind == "release" and self.publishers and len(self.publishers) > 1:
            publisher = self.publishers[number % len(self.publishers)]
            if not isinstance(publisher, streams.Subject):
                self.say(f"{who}: p{number % len(self.publishers)}.close()")
                self.attempt(publisher.close)
        elif kind == "pass time":
            self.attempt(self.clock.advance, [0.5, 1, 2][number % 3])
        elif kind == "raise" and who != "main":
            self.say(f"{who}: raise")
            raise self.new_error()
        elif kind == "read":
            self.log("read by " + who, self.currents())

    def end(self):
        for each in self.cancellables:
            self.attempt(each.close)
        for each in self.errors:
            each.__traceback__ = each.__context__ = None
        self.subjects.clear(), self.publishers.clear(), self.probes.clear(), self.cancellables.clear()
        self.clock.close()


class Probe:
    """A subscriber that writes down what it is told, and acts."""

    def __init__(self, run, sink, name):
        self.run, self.sink, self.name, self.signals = run, sink, name, itertools.count()
        self.cancellable = self.subscription = None

    def begin(self, subscription):
        self.subscription = subscription

    def tell(self, *what):
        may_act = self.run.counted()
        self.run.log(self.name, *what, *([self.run.currents()] if self.sink.reads else []))
        action = self.sink.script.get(next(self.signals))
        if action and may_act:
            self.run.act(self.name, action, self)

    def value(self, value):
        self.tell("value", self.run.plain(value))
        if isinstance(value, streams.Publisher):
            self.run.subscribe(Sink(0, None, False, False, {}), value, f"{self.name}.inner{next(self.run.own)}")

    def batch(self, values):
        for each in values:
            self.run.counted()
            self.run.log(self.name, "value", self.run.plain(each))

    def end(self, error):
        self.tell("end", self.run.plain(error))

    def request(self, count):
        if self.subscription is not None:
            self.run.say(f"{self.name}.request({count})")
            self.run.attempt(self.subscription.request, count)

    def cancel(self, way):
        self.run.say(f"{self.name}.cancel()")
        if self.cancellable is not None:
            self.run.attempt(self.cancellable.cancel if way % 2 else self.cancellable.close)
        elif self.subscription is not None:
            self.run.attempt(self.subscription.cancel)
