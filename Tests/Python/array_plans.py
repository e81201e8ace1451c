"""What random programs that send arrays are made of: operators, subscribers, and what they do and when."""

import array
import typing

import fuzz_calls
import streams

# map_batch takes an array as one event, as a sink of batches does: what is done below it comes after the array.
OPERATORS = {name: function for name, function in fuzz_calls.operators().items() if name != "map_batch"}

FORMS = {
    "a list": list,
    "a tuple": tuple,
    "integers": lambda values: array.array("q", values),
    "doubles": lambda values: array.array("d", values),
    "values of many types": lambda values: [float(each) if each % 3 == 0 else each for each in values],
}
try:
    import numpy
except ImportError:
    pass
else:
    FORMS["numpy's integers"] = lambda values: numpy.array(values, dtype=numpy.int64)
    FORMS["numpy's doubles"] = lambda values: numpy.array(values, dtype=numpy.float64)

SUBJECTS = {
    "passthrough": streams.PassthroughSubject,
    "current value": lambda: streams.CurrentValueSubject(0),
    "replay": lambda: streams.ReplaySubject(2),
}


class Action(typing.NamedTuple):
    kind: str
    number: int


class Sink(typing.NamedTuple):
    chain: int
    demand: int
    batch: bool
    reads: bool
    script: dict  # the number of a signal, and the action then


class Plan(typing.NamedTuple):
    subjects: list  # their kinds
    chains: list  # each: the number of a subject or an earlier chain, and operators, each with numbers for its arguments
    links: list  # of a chain to a subject
    sinks: list
    steps: list  # each: the number of a subject, the form of an array and its values; or an action

    @property
    def takes_batches(self):
        return any(sink.batch for sink in self.sinks)


ACTIONS_THERE_ARE = [
    "send",
    "send",
    "set",
    "send an array",
    "subscribe",
    "cancel",
    "cancel another",
    "request",
    "request of another",
    "finish",
    "fail",
    "release",
    "pass time",
    "raise",
    "read",
]


def action(number):
    return Action(ACTIONS_THERE_ARE[number % len(ACTIONS_THERE_ARE)], number // len(ACTIONS_THERE_ARE) % 16)
