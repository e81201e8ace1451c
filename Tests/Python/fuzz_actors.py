"""Who acts in the fuzzer's random programs: subscribers, sources and files whose functions do what a script says, and who
chooses an operator's arguments. Each belongs to a machine (test_fuzz.py), and tells it what is wrong."""

import datetime
import itertools
import threading

import streams

VALUES = [None, 0, 1, 2.5, "text", (1, 2), True, 2**70]
DEEPEST = 5


class Oops(Exception):
    """Raised by callbacks."""


class Escape(BaseException):
    """Raised by callbacks, and no Exception."""


class Probe:
    """A subscriber that checks the rules."""

    def __init__(self, machine, demand, script):
        self.machine, self.demanded, self.received = machine, demand, 0
        self.act = machine.actor(script)
        self.ended = self.cancelled = False
        self.begun, self.inside = 0, []
        self.subscription = self.cancellable = None

    def enter(self, what):
        thread = threading.get_ident()
        self.machine.check(all(each == thread for each in self.inside), f"{what} while another thread is inside")
        self.machine.check(not self.ended, f"{what} after the end")
        self.machine.check(self.cancelled in (False, "elsewhere"), f"{what} after a cancellation")
        self.inside.append(thread)

    def begin(self, subscription):
        self.enter("subscription")
        self.begun += 1
        self.machine.check(self.begun == 1 and not self.received, "a second or a late subscription")
        self.subscription = subscription
        try:
            self.act()
        finally:
            self.inside.remove(threading.get_ident())

    def value(self, value, count=1):
        self.enter("value")
        try:
            self.received += count
            self.machine.check(self.received <= self.demanded, f"{self.received} values for {self.demanded} demanded")
            self.machine.check(self.begun, "a value before the subscription")
            more = self.act()
            more = more % 3 if isinstance(more, int) else None
            self.demanded += more or 0
            return more
        finally:
            self.inside.remove(threading.get_ident())

    def batch(self, values):
        return self.value(None, len(values))

    def end(self, error):
        if self.cancelled and any(error is each for each in self.machine.raised):
            self.cancelled = False  # its own function has raised it, which is told also then
        self.enter("completion")
        try:
            self.machine.check(self.begun, "an end before the subscription")
            self.machine.check_error(error)
            self.ended = True
            self.act()
        finally:
            self.inside.remove(threading.get_ident())

    def request(self, count):
        if self.subscription is not None:
            self.demanded += count
            self.subscription.request(count)

    def cancel(self, way):
        """From here on nothing may come on this thread; on others, what is on its way already."""
        alone = self.machine.threads == 1 and not self.machine.queues
        if way and self.subscription is not None:
            self.subscription.cancel()
        elif self.cancellable is not None:
            self.cancellable.cancel()
        else:
            return
        self.cancelled = self.cancelled or (True if alone else "elsewhere")


class Source:
    """A source for create()."""

    def __init__(self, machine, emitter, script):
        self.machine, self.emitter, self.act, self.left, self.closed = machine, emitter, machine.actor(script), 6, 0
        machine.emitters.append(emitter)

    def produce(self, most):
        self.machine.check(most > 0 and not self.closed, "produce without demand, or after close")
        number = self.act() or 0
        for _ in range(min(most, self.left, 1 + number % 3)):
            self.left -= 1
            self.emitter.send(number)
        if self.left == 0:
            self.emitter.finish()
        elif number % 2:
            self.emitter.wake()

    def close(self):
        self.closed += 1
        self.machine.check(self.closed == 1, "closed twice")
        self.act()


class File:
    def __init__(self, act):
        self.act = act

    def write(self, text):
        self.act()


class Chooser:
    """Makes arguments for an operator out of a script."""

    def __init__(self, machine, script):
        self.machine, self.numbers, self.depth, self.fixed = machine, itertools.cycle(script or [0]), 0, True

    def next(self, bound):
        return next(self.numbers) % bound

    def omits(self):
        return self.next(2) == 0

    def count(self):
        return self.next(6)

    def flag(self):
        return self.next(2) == 0

    def error(self):
        return self.machine.new_error(Oops)

    def seconds(self):
        return [0, 1, 0.5, datetime.timedelta(seconds=2)][self.next(4)]

    def scheduler(self):
        self.fixed = False
        schedulers = self.machine.schedulers
        return schedulers[self.next(len(schedulers))]

    def text(self):
        return ["", "p", "größer"][self.next(3)]

    def value(self):
        return VALUES[self.next(len(VALUES))]

    def one_of(self, things):
        return things[self.next(len(things))]

    def subject(self):
        """One of its own, so that no circle is made that nothing ends."""
        self.fixed = False
        return [streams.PassthroughSubject, lambda: streams.CurrentValueSubject(0), lambda: streams.ReplaySubject(2)][
            self.next(3)
        ]()

    def publisher(self):
        publisher = self.machine.publisher(self.next(1000), below=DEEPEST)
        self.depth = max(self.depth, self.machine.depth.get(id(publisher), 0))
        self.fixed = self.fixed and self.machine.is_fixed.get(id(publisher), True)
        return publisher

    def publishers(self):
        return [self.publisher() for _ in range(self.next(3))]

    def file(self):
        return File(self.machine.actor([self.next(1000), self.next(1000)]))

    def callback(self, result):
        act = self.machine.actor([self.next(1000) for _ in range(4)])
        machine, start = self.machine, self.next(1000)
        if "Publisher" in result:
            self.fixed = False
            return lambda *_: machine.publisher(start + (act() or 0), below=2)
        return lambda *given: given[-1 if (act() or 0) % 2 else 0] if given else act()
