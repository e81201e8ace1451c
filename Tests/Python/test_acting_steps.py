"""Functions of steps that act upon streams while many values go through them: what they cause comes after the results
that were made before, as where values are sent one by one, and where every step is an operator of its own."""

import array

import pytest
import streams

VALUES = [1, 2, 3, 4, 5, 6]
ACTS_AT = 3


class Failure(Exception):
    pass


class Stage:
    """One stream and what its functions act upon."""

    def __init__(self, action):
        self.heard = []
        self.called = []
        self.action = action
        self.has_acted = False
        self.subject = streams.PassthroughSubject()
        self.aside = streams.PassthroughSubject()
        self.cancellables = [self.aside.sink(lambda value: self.heard.append(("aside", value)))]

    def act(self, value):
        self.called.append(value)
        if value == ACTS_AT and not self.has_acted:
            self.has_acted = True
            self.action(self)
        return value

    def keep(self, value):
        self.act(value)
        return True

    def then(self, value):
        self.called.append("then")
        return value


def raise_after_finishing(stage):
    stage.subject.finish()
    raise Failure


ACTIONS = {
    "finish": lambda stage: stage.subject.finish(),
    "fail": lambda stage: stage.subject.fail(Failure()),
    "send": lambda stage: stage.subject.send(100),
    "send many": lambda stage: stage.subject.send_many([100, 101]),
    "send aside": lambda stage: stage.aside.send(100),
    "cancel": lambda stage: stage.cancellable.cancel(),
    "subscribe": lambda stage: stage.cancellables.append(streams.Just(7).sink(stage.heard.append)),
    "raise after finishing": raise_after_finishing,
}


def apart(publisher, is_apart):
    """With `is_apart`, what is attached next is no part of the same operator."""
    return publisher.handle_events(receive_output=lambda value: None) if is_apart else publisher


SHAPES = {
    "map": lambda p, stage, is_apart: p.map(stage.act),
    "filter": lambda p, stage, is_apart: p.filter(stage.keep),
    "compact_map": lambda p, stage, is_apart: p.compact_map(stage.act),
    "scan": lambda p, stage, is_apart: p.scan(0, lambda last, value: last + stage.act(value)),
    "prefix_while": lambda p, stage, is_apart: p.prefix_while(stage.keep),
    "map, map": lambda p, stage, is_apart: apart(p.map(stage.act), is_apart).map(stage.then),
    "map, filter": lambda p, stage, is_apart: apart(p.map(stage.then), is_apart).filter(stage.keep),
    "text": lambda p, stage, is_apart: apart(p.map(stage.act), is_apart).map(lambda value: f"{stage.then(value)}"),
}

WAYS = {
    "one by one": lambda subject: [subject.send(value) for value in VALUES],
    "list": lambda subject: subject.send_many(VALUES),
    "iterator": lambda subject: subject.send_many(iter(VALUES)),
    "numbers": lambda subject: subject.send_many(array.array("q", VALUES)),
    "publisher": lambda subject: streams.Sequence(VALUES).subscribe(subject),
}


def run(shape, action, way, is_apart, batch=False):
    stage = Stage(ACTIONS[action])
    publisher = SHAPES[shape](stage.subject, stage, is_apart)
    heard = stage.heard
    kind = {"batch": lambda values: heard.extend(values)} if batch else {"value": heard.append}
    stage.cancellable = publisher.sink(
        **kind, completion=lambda error: heard.append("finished" if error is None else "failed")
    )
    kept = WAYS[way](stage.subject)
    stage.subject.finish()
    assert stage.has_acted
    del kept
    return stage


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("action", ACTIONS)
def test_what_functions_cause_comes_after_the_results_before_it(shape, action):
    expected = run(shape, action, "one by one", is_apart=True)
    for way in WAYS:
        for is_apart in (False, True):
            for batch in (False, True):
                found = run(shape, action, way, is_apart, batch)
                assert found.heard == expected.heard, (way, is_apart, batch)
                if not is_apart and action != "send many":
                    assert found.called == expected.called, (way, batch)
