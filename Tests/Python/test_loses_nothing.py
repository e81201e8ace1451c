"""Who demands everything loses nothing: each operator of the catalogue gives behind a hand-over to another thread, and with
values that are sent from within others, what it gives for one value after the other. What others lose is counted.

The operators are those that the catalogue's cases apply, with the arguments that they have there; a new one is one of them
as soon as it has a case.
"""

import collections
import threading

import pytest
import streams
from case_functions import plain
from case_runner import CASES, ENTRIES, PLAIN, Runner

COUNT = 2000
# A time after which everything that waits for some has happened.
LONG = 3600
# Longer than the times of most cases; what goes round with the shortest would take for ever to come to an hour.
SOON = 1e-6


def applications(chain):
    """The operators of a chain with their arguments, those in arguments that are chains among them."""
    if not isinstance(chain, list) or not chain:
        return
    for each in chain[1:]:
        if isinstance(each, list) and each and isinstance(each[0], str) and each[0] in ENTRIES:
            yield each
        yield from applications(each)


def operators():
    """By name, each case that applies an operator, and how."""
    found = collections.defaultdict(list)
    for case in CASES:
        for name, *arguments in applications(case.get("publisher")):
            is_endless = name == "repeat" and arguments == ["unlimited"]
            if ENTRIES[name].kind == "operator" and not is_endless and arguments not in (said for _, said in found[name]):
                found[name].append((case, arguments))
    return found


OPERATORS = operators()


class Applied:
    """An operator as a case applies it, below a subject, with a sink that demands everything."""

    def __init__(
        self, case, name, arguments, queue=None, then=None, demand=streams.UNLIMITED, source=None, below=lambda made: made
    ):
        self.values, self.said, self.then = [], [], then
        self.source = streams.PassthroughSubject() if source is None else source
        self.runner = Runner({**case, "subscriber": {}}, PLAIN)
        publisher = self.source if queue is None else self.source.receive_on(queue)
        publisher = publisher.handle_events(receive_output=self.said.append)
        if name == "autoconnect":
            self.runner.connectable = publisher.make_connectable()
        publisher = below(self.runner.operator(publisher, name, *arguments))
        self.cancellable = publisher.sink(
            self.take, completion=lambda error: self.values.append(["end", str(error)]), demand=demand
        )
        # Where the subscription is scheduled.
        self.runner.scheduler.advance(0)
        if isinstance(publisher, streams.Connectable):
            self.runner.connection = publisher.connect()
        for other in self.runner.sources.values():
            if isinstance(other, streams.PassthroughSubject):
                other.send(1)

    def take(self, value):
        self.values.append(repr(plain(described(value))))
        if self.then is not None:
            self.then(self)

    def send(self, values):
        for value in values:
            self.source.send(value)

    def result(self, sent):
        """What has arrived when everything has been sent, and the time has passed."""
        self.send(sent)
        self.source.finish()
        return self.end()

    def end(self):
        self.runner.scheduler.advance(LONG)
        for other in self.runner.sources.values():
            if isinstance(other, streams.PassthroughSubject):
                other.finish()
        self.runner.scheduler.advance(LONG)
        self.cancellable.close()
        self.runner.end_all()
        return self.values


def described(value):
    return ["publisher"] if isinstance(value, streams.Publisher) else value


def numbers(count):
    """Not 3, at which functions of the cases fail."""
    return range(4, 4 + count)


def is_bounded(name, arguments):
    """Whether an argument says how many values or publishers may be asked for."""
    names = [name for name, shape in ENTRIES[name].parameters if shape != "scheduler"]
    given = dict(zip(names, arguments))
    bounds = [given.get("prefetch"), given.get("max_publishers")]
    return any(isinstance(bound, int) for bound in bounds) or "keep_full" in bounds


def liveliest(name, bounded=False):
    """The case and the arguments with which an operator sends most, and what it sends."""
    tries = [
        (case, arguments, Applied(case, name, arguments).result(numbers(COUNT)))
        for case, arguments in OPERATORS[name]
        if is_bounded(name, arguments) == bounded
    ]
    return max(tries, key=lambda each: len(each[2]))


def behind_a_hand_over(case, name, arguments):
    """What an operator sends that gets its values on another thread than the one that sends them."""
    with streams.SerialQueue() as queue:
        applied = Applied(case, name, arguments, queue)

        def feed():
            applied.send(numbers(COUNT))
            applied.source.finish()

        thread = threading.Thread(target=feed)
        thread.start()
        thread.join()
        # Each comes after all that has been handed over; an end may lead to a new subscription, and that to another end.
        for _ in range(10):
            is_idle = threading.Event()
            queue.schedule(is_idle.set)
            assert is_idle.wait(60)
        return applied.end()


# What an argument bounds, so that less is asked for and what cannot wait is lost.
BOUNDED = ["buffer", "buffer_or_fail", "group_by"]


@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_behind_a_hand_over(name):
    case, arguments, expected = liveliest(name)
    assert behind_a_hand_over(case, name, arguments) == expected


@pytest.mark.parametrize("name", BOUNDED)
def test_what_asks_for_less_loses(name):
    case, arguments, expected = liveliest(name, bounded=True)
    assert len(expected) > len(behind_a_hand_over(case, name, arguments))


# Where a subject drops what no subscription counts.
UNCOUNTED = {}


def dropped_by(case, name, arguments):
    """What subjects have dropped below an operator of which one value is demanded, and what the cancellable counts."""
    applied = Applied(case, name, arguments, demand=1)
    others = [each for each in applied.runner.sources.values() if isinstance(each, streams.PassthroughSubject)]
    for value in numbers(20):
        for subject in [applied.source, *others]:
            subject.send(value)
        applied.runner.scheduler.advance(SOON)
    counts = sum(subject.dropped for subject in [applied.source, *others]), applied.cancellable.dropped
    applied.cancellable.close()
    applied.end()
    return counts


@pytest.mark.filterwarnings("ignore::streams.DroppedValuesWarning")
@pytest.mark.parametrize("name", sorted(OPERATORS))
def test_the_cancellable_counts_what_subjects_drop(name):
    counts = [dropped_by(case, name, arguments) for case, arguments in OPERATORS[name]]
    assert all(cancellable >= subjects for subjects, cancellable in counts) != (name in UNCOUNTED), counts


@pytest.mark.filterwarnings("ignore::streams.DroppedValuesWarning")
def test_most_operators_leave_something_to_drop():
    losing = [name for name in OPERATORS if any(dropped_by(case, name, said)[0] for case, said in OPERATORS[name])]
    assert len(losing) > len(OPERATORS) / 2


class Nested:
    """Sends values from within some of those that arrive."""

    def __init__(self, places, times=1):
        self.places, self.times, self.count, self.next = places, times, 0, 10_000

    def __call__(self, applied):
        self.count += 1
        if self.count in self.places:
            for _ in range(self.times):
                self.next += 1
                applied.source.send(self.next)


# What does something else about values that are sent from within others.
REPLACES = {"switch_to_latest": "a value within a publisher's first replaces that publisher"}
PLACES = [[1], [3, 4], [2, 3, 4, 5, 9], [1, 2, 3, 4, 5, 6, 7, 8]]


def within_and_after(case, name, arguments, places):
    """What values within values lead to, and what they lead to one after the other."""
    nested = Applied(case, name, arguments, then=Nested(places))
    said = nested.said
    values = nested.result(numbers(20))
    return sorted(map(str, values)), sorted(map(str, Applied(case, name, arguments).result(said)))


@pytest.mark.parametrize("places", PLACES, ids=str)
@pytest.mark.parametrize("name", sorted(set(OPERATORS) - set(REPLACES)))
def test_values_within_values(name, places):
    """They lead to what they would lead to if they had been sent in the order in which they reached the operator."""
    for case, arguments in OPERATORS[name]:
        within, after = within_and_after(case, name, arguments, places)
        assert within == after


@pytest.mark.parametrize("name", REPLACES)
def test_what_values_within_values_replace(name):
    pairs = [within_and_after(case, name, arguments, PLACES[-1]) for case, arguments in OPERATORS[name]]
    assert any(within != after for within, after in pairs)


def replaying():
    subject = streams.ReplaySubject(2)
    subject.send(4)
    return subject


# Subjects that send within the request, before the operators below know with whom they have to do.
SUBJECTS = {"current value": lambda: streams.CurrentValueSubject(4), "replay": replaying}


# What does not ask the subject for everything within the first value.
LATE = {"concat_map": "asks when its own first publisher has been left", "subscribe_on": "asks on the scheduler"}


@pytest.mark.parametrize("subject", SUBJECTS)
@pytest.mark.parametrize("name", sorted(set(OPERATORS) - {*REPLACES, *LATE, *BOUNDED}))
def test_concat_map_loses_nothing_of_what_is_sent_within_the_first_request(name, subject):
    """Whatever stands between it and the subject."""
    for case, arguments in OPERATORS[name]:
        results = [
            Applied(case, name, arguments, then=Nested([1, 3], 2), source=SUBJECTS[subject](), below=below).result([])
            for below in (lambda made: made.map(lambda value: value), lambda made: made.concat_map(streams.Just))
        ]
        assert sorted(map(str, results[0])) == sorted(map(str, results[1]))


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("prefetch", [None, 100])
def test_windows_in_windows_lose_and_double_nothing(layers, count, prefetch):
    for place in range(4):
        for sends in (lambda s, all: s.send_many(all), lambda s, all: [s.send(n) for n in all]):
            subject, got = streams.PassthroughSubject(), []

            def take(value, place=place, sends=sends, subject=subject, got=got):
                got.append(value)
                if value == place:
                    sends(subject, [10, 11, 12])

            publisher = subject
            for layer in range(layers):
                size = 100 if layer else count
                publisher = publisher.window_by_count(size, prefetch=prefetch).flat_map(lambda window: window)
            with publisher.sink(take):
                sends(subject, [0, 1, 2, 3])
            assert sorted(got) == [0, 1, 2, 3, 10, 11, 12]
            if prefetch is None:
                assert got == [*range(place + 1), 10, 11, 12, *range(place + 1, 4)]
