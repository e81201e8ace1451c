"""Observed state: an attribute that is set, and tells so many observers."""

import functools
import importlib.util
import itertools

import streams
from pipelines import VALUES, ignore
from reactivex.subject import BehaviorSubject


class Car(streams.ObservableObject):
    charge = streams.Published(0)


def set_often(target, name, count, kept):
    """A row that sets an attribute, whose observers are `kept`; what is counted is each of their calls."""

    def run():
        for n in range(VALUES // count):
            setattr(target, name, n)
        return kept

    return run, VALUES // count * count


def streams_published(count):
    car = Car()
    return set_often(car, "charge", count, [car.published.charge.sink(ignore) for _ in range(count)])


def rx_behavior(count):
    subject = BehaviorSubject(0)
    cancellables = [subject.subscribe(ignore) for _ in range(count)]

    def run():
        for n in range(VALUES // count):
            subject.on_next(n)
        return cancellables

    return run, VALUES // count * count


def observers(count):
    """Functions that are not the same: psygnal and traitlets take each once."""
    return [functools.partial(ignore) for _ in range(count)]


def traitlets_observed(count):
    import traitlets

    class Observed(traitlets.HasTraits):
        charge = traitlets.Any(0)

    car, functions = Observed(), observers(count)
    for each in functions:
        car.observe(each, "charge")
    return set_often(car, "charge", count, functions)


def psygnal_evented(count):
    import dataclasses

    import psygnal

    @psygnal.evented
    @dataclasses.dataclass
    class Evented:
        charge: int = 0

    car, functions = Evented(), observers(count)
    for each in functions:
        car.events.charge.connect(each)
    return set_often(car, "charge", count, functions)


# Measured are 3.7 and more, 3.4 to 4.1, and with 100 observers 3.2 to 3.4, by where objects lie in the process's memory, and
# whether it has had a second thread. There a loop in Python that calls the functions and does nothing else is 2.7 times as
# fast, one in C 4.2 times.
BAR = 3.0


def observed_rows():
    peers = [("BehaviorSubject", rx_behavior, None)]
    if importlib.util.find_spec("traitlets"):
        peers.append(("traitlets", traitlets_observed, 1.0))
    if importlib.util.find_spec("psygnal"):
        peers.append(("psygnal", psygnal_evented, 1.0))
    for (peer, theirs, bar), count in itertools.product(peers, (1, 10, 100)):
        name = f"set, and tell {count} observer{'s' * (count > 1)} / {peer}"
        ours, other = functools.partial(streams_published, count), functools.partial(theirs, count)
        yield name, ours, other, BAR if peer == "BehaviorSubject" else bar
