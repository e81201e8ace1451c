"""The same sources, scripts and observers here and in RxPY."""

import datetime
import sys

import reactivex as rx
import streams
from hypothesis import settings
from hypothesis import strategies as st
from reactivex import operators as ops
from reactivex import subject as subjects
from reactivex.disposable import CompositeDisposable, Disposable
from reactivex.internal.exceptions import ArgumentOutOfRangeException, SequenceContainsNoElementsError
from reactivex.scheduler import ImmediateScheduler, VirtualTimeScheduler

# For tests of which there are many.
FEWER = settings(max_examples=settings.default.max_examples // 5)


class Broken(Exception):
    """How a source fails."""


class Late(Exception):
    """How a timeout fails."""


def called(end):
    """An end as a word."""
    return "finished" if end is None else type(end).__name__


# ---- Sources that send everything at once ------------------------------------------------------------------------


def ours(values, fails=False):
    return streams.Record(values, Broken() if fails else None)


def theirs(values, fails=False):
    """Sends everything while it is subscribed to. RxPY's own sources leave it to a scheduler, which runs it later."""

    def subscribe(observer, _=None):
        for value in values:
            observer.on_next(value)
        observer.on_error(Broken()) if fails else observer.on_completed()

    return rx.create(subscribe)


def kept(source):
    """A source that waits for demand: one that cannot, as a subject, loses what comes before it."""
    return source.buffer(100, "by_request", "drop_oldest")


def of_nothing(operation):
    """RxPY's operator, without the failure that there is no value: the guide lists which operators have one."""

    def finish(error, _):
        is_empty = isinstance(error, (SequenceContainsNoElementsError, ArgumentOutOfRangeException))
        return rx.empty() if is_empty else rx.throw(error)

    return rx.compose(operation, ops.catch(finish))


def happens_here(publisher):
    """What a publisher does while it is subscribed to, the last thing it does: `share` keeps a failure until close()."""
    events = []
    publisher.sink(events.append, lambda error: events.append(called(error))).close()
    publisher.close()
    return events


def happens_there(observable):
    """The same. RxPY's retry subscribes again from within the failure, which needs more stack for each time."""
    events, limit = [], sys.getrecursionlimit()
    sys.setrecursionlimit(100_000)
    try:
        observable.subscribe(
            events.append,
            lambda error: events.append(called(error)),
            lambda: events.append(called(None)),
            scheduler=ImmediateScheduler.singleton(),
        )
    finally:
        sys.setrecursionlimit(limit)
    return events


# ---- What is in a stream of streams ------------------------------------------------------------------------------


def parts_here(publisher):
    """What is in each group or window, with its number, and its end."""
    numbers = iter(range(1000))

    def told(part):
        number = next(numbers)
        return part.materialize().map(lambda event: (number, *event_here(event)))

    return publisher.flat_map(told)


def parts_there(observable, least=0):
    """The same, without groups or windows that have fewer values."""
    numbers = iter(range(1000))

    def told(part):
        number, events = next(numbers), []

        def is_heard(event):
            events.append(event)
            return len(events) > least or event.kind == "N"

        return part.pipe(ops.materialize(), ops.filter(is_heard), ops.map(lambda event: (number, *event_there(event))))

    return observable.pipe(ops.flat_map(told))


def event_here(event):
    return (event.kind, event.value) if event.kind == "value" else ("end", called(event.error))


def event_there(event):
    if event.kind == "N":
        return "value", event.value
    return "end", called(event.exception if event.kind == "E" else None)


# ---- What happens at which time ----------------------------------------------------------------------------------

# Times are whole microseconds, which both clocks can tell apart. Nothing happens at the same time as anything else,
# where the order would be that of the scheduler: event number n of a script comes n µs after a full second, and a time
# that a pipeline's operator number m counts is so many seconds and 1000 * 31 ** m µs.
SECOND = 1_000_000
UNTIL = 60 * SECOND


def period(seconds, place=0):
    return seconds * SECOND + 1000 * 31**place


def scripts(sources, most=8, ends=("finish", "fail")):
    """What some subjects send, and when: (time, subject, "value" or "finish" or "fail", value)."""
    pause = st.integers(0, 3)
    what = st.sampled_from(["value"] * 3 * len(ends) + [*ends])
    event = st.tuples(pause, st.integers(0, sources - 1), what, st.integers(-4, 4))
    return st.lists(event, max_size=most).map(_timed)


def _timed(events):
    script, second = [], 0
    for number, (pause, *event) in enumerate(events, 1):
        second += pause
        script.append((second * SECOND + number, *event))
    return script


class Here:
    """A clock of ours, and subjects."""

    def __init__(self):
        self.scheduler = streams.VirtualTimeScheduler()
        self.uses = set()

    @property
    def now(self):
        return self.scheduler.nanoseconds // 1000

    def advance(self, moment):
        self.scheduler.advance((moment - self.now) / SECOND)

    subject = streams.PassthroughSubject

    @staticmethod
    def send(subject, what, value):
        if what == "value":
            subject.send(value)
        else:
            subject.finish() if what == "finish" else subject.fail(Broken())

    def watched(self, subject, number):
        """Notes when it begins to be used, and when it is not any more."""

        def note(what):
            return lambda *_: self.uses.add((self.now, number, what))

        return subject.handle_events(
            receive_subscription=note("begins"), receive_completion=note("ends"), receive_cancel=note("ends")
        )

    @staticmethod
    def hear(publisher, value, end):
        return publisher.sink(value, lambda error: end(called(error))).cancel

    @staticmethod
    def connect(publisher):
        return publisher.connect().cancel


class There:
    """The same in RxPY."""

    def __init__(self):
        self.scheduler = VirtualTimeScheduler()
        self.uses = set()

    @property
    def now(self):
        return (self.scheduler.now - datetime.datetime.fromtimestamp(0, tz=self.scheduler.now.tzinfo)) // US

    def advance(self, moment):
        self.scheduler.advance_to(moment / SECOND)

    subject = subjects.Subject

    @staticmethod
    def send(subject, what, value):
        if what == "value":
            subject.on_next(value)
        else:
            subject.on_completed() if what == "finish" else subject.on_error(Broken())

    def watched(self, subject, number):
        def note(what):
            self.uses.add((self.now, number, what))

        def subscribe(observer, _=None):
            note("begins")
            cancellable = subject.subscribe(observer)
            return CompositeDisposable(Disposable(lambda: note("ends")), cancellable)

        return rx.create(subscribe)

    def hear(self, observable, value, end):
        cancellable = observable.subscribe(
            value, lambda error: end(called(error)), lambda: end("finished"), scheduler=self.scheduler
        )
        return cancellable.dispose

    @staticmethod
    def connect(observable):
        return observable.connect().dispose


US = datetime.timedelta(microseconds=1)


def played(side, pipeline, sources, script, until=UNTIL):
    """Plays a script to a pipeline of one side's subjects: everything that comes of it, with its time. When each is used
    is in the side's `uses`."""
    subjects, events = [side.subject() for _ in range(sources)], []
    cancel = side.hear(
        pipeline(side, *(side.watched(each, number) for number, each in enumerate(subjects))),
        lambda value: events.append((side.now, value)),
        lambda end: events.append((side.now, end)),
    )
    for moment, number, what, value in script:
        side.advance(moment)
        side.send(subjects[number], what, value)
    side.advance(until)
    cancel()
    # For what the cancellation has left to the scheduler.
    side.advance(until + 1)
    return events


def assert_same(sources, script, mine, other):
    """Two pipelines, made of a side and its subjects, do the same, and use the subjects at the same times."""
    here, there = Here(), There()
    assert played(here, mine, sources, script) == played(there, other, sources, script)
    assert here.uses == there.uses
