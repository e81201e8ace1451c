"""The values, functions and sources that the cases of Tests/Catalogue name."""

import json
import operator
import re

import streams


class List(list):
    """A list that is written as the table writes it."""

    def __str__(self):
        return json.dumps(self, ensure_ascii=False)


def value_of(json_value):
    return List(map(value_of, json_value)) if isinstance(json_value, list) else json_value


def plain(value):
    """A value as the table has it."""
    return [plain(each) for each in value] if isinstance(value, (list, tuple)) else value


def exact(events):
    """The events in a form in which 1, 1.0 and true are different."""
    return json.dumps(events, ensure_ascii=False)


def demand_of(json_demand):
    return {"unlimited": streams.UNLIMITED, "as_demanded": None}.get(json_demand, json_demand)


def demand_event(demand):
    return "unlimited" if demand == streams.UNLIMITED else demand


def seconds(nanoseconds):
    return nanoseconds / 1e9


class Failure(Exception):
    pass


def described(event):
    """What an event is in C, without what follows the message."""
    given = {"value": [event.value], "failed": [str(event.error)], "finished": []}
    return [event.kind, *given[event.kind]]


def event_of(kind, said=None):
    failed = kind == "failed"
    return streams.Event(kind, None if failed else said, Failure(said) if failed else None)


def fail_on_3(result):
    def function(*arguments):
        if arguments[-1] == 3:
            raise Failure("three")
        return result(*arguments)

    return function


def fail_again(_):
    raise Failure("again")


FUNCTIONS = {
    "add1": lambda n: n + 1,
    "double": lambda n: 2 * n,
    "negate": lambda n: -n,
    "half_if_even": lambda n: None if n % 2 else n // 2,
    "to_list": lambda v: List([v]),
    "event": lambda event: List(described(event)),
    "to_event": lambda said: event_of(*said),
    "is_even": lambda n: n % 2 == 0,
    "is_positive": lambda n: n > 0,
    "same_parity": lambda a, b: a % 2 == b % 2,
    "is_less": operator.lt,
    "less_half": lambda a, b: a // 2 < b // 2,
    "sum": operator.add,
    "join": lambda accumulated, v: List([*accumulated, v]),
    "twice": lambda v: streams.Sequence([v, v]),
    "repeat": lambda n: streams.Sequence([n] * n),
    "resume": lambda _: streams.Sequence([7, 8, 9]),
    "exclaim": lambda error: Failure(f"{error}!"),
    "fail_again": fail_again,
    "full": lambda: Failure("full"),
    "is_three": lambda error: str(error) == "three",
}

# The functions of any number of values.
COMBINING = {"sum": lambda *values: sum(values), "join": lambda *values: List(values)}

# What fail_on_3 is for other values, by the shape of the callback.
FAILING = {
    "transform": lambda v: v,
    "predicate": lambda v: True,
    "compare": operator.eq,
    "order": operator.lt,
    "combine": operator.add,
    "combine_values": COMBINING["sum"],
    "expand": streams.Just,
}


class Count:
    """1 to n, on demand; it finishes right after n."""

    def __init__(self, n, emitter):
        self.next, self.n, self.emitter = 1, n, emitter

    def produce(self, most):
        while most and self.next <= self.n and self.emitter.send(self.next):
            self.next += 1
            most -= 1
        if self.next > self.n:
            self.emitter.finish()


class Kept:
    """A promise and its future."""

    def __init__(self):
        self.future = streams.Future(self.take)

    def take(self, promise):
        self.resolve, self.reject = promise.resolve, promise.reject


class Writer:
    """Cuts what print and trackers write into lines. In which call of an end objects go away, which
    trackers tell, is each language's own affair."""

    def __init__(self, log):
        self.log, self.line = log, ""

    def write(self, text):
        *lines, self.line = (self.line + text).split("\n")
        for line in lines:
            for head in ("receive subscription", "receive error"):
                if f"{head}: " in line:
                    line = line[: line.index(head) + len(head)]
            # Python writes its own names of true and false.
            if not re.search(r"Subscri\w+ (released|on_completion|cancel)", line):
                self.log.append(["print", line.replace("(True)", "(true)").replace("(False)", "(false)")])


class Model(streams.ObservableObject):
    """A source that is a published value."""

    value = streams.Published()

    def __init__(self, value):
        self.value = value
