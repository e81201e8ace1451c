"""Subjects, and what several subscribers share, here and in RxPY: random scripts of who subscribes, cancels and sends when,
also from within a value, lead to the same, but for what the guide for users of RxPY says."""

import pytest
import streams
from hypothesis import given
from hypothesis import strategies as st
from rxpy_sources import FEWER, Here, There, ops, subjects

SUBSCRIBERS, VALUES = st.integers(0, 2), st.integers(0, 1)
SUBSCRIBES, CANCELS = st.tuples(st.just("subscribe"), SUBSCRIBERS), st.tuples(st.just("cancel"), SUBSCRIBERS)
SENDS, ENDS = st.tuples(st.just("value"), VALUES), st.tuples(st.sampled_from(["finish", "fail"]), st.none())
SCRIPTS = st.lists(st.one_of(SUBSCRIBES, SUBSCRIBES, CANCELS, SENDS, SENDS, SENDS, ENDS), max_size=8)
CONNECTS = st.tuples(st.sampled_from(["connect", "disconnect"]), st.none())
# What a subscriber does when it is first given a value.
REACTIONS = st.dictionaries(
    st.tuples(SUBSCRIBERS, VALUES), st.one_of(SUBSCRIBES, CANCELS, SENDS, ENDS), min_size=1, max_size=3
)


def cancel(cancellable):
    if cancellable is not None:
        cancellable()


def performed(side, subject, publisher, script, reactions=()):
    """Does what a script says: everything that the subscribers hear, and when."""
    events, cancellables, reactions = [], {}, dict(reactions)

    def note(number, event):
        if cancellables[number] is not None:
            events.append((number, event))

    def hear(number):
        def value(value):
            note(number, value)
            if (number, value) in reactions:
                act(*reactions.pop((number, value)))

        return side.hear(publisher, value, lambda end: note(number, end))

    def subscribe(number):
        cancellables[number] = lambda: cancellables.update({number: None})  # it is cancelled when it can be
        cancellable = hear(number)
        if cancellables[number] is None:
            cancellable()
        else:
            cancellables[number] = cancellable

    def act(what, which):
        if what == "subscribe":
            if which not in cancellables:
                subscribe(which)
        elif what == "connect":
            if "connection" not in cancellables:
                cancellables["connection"] = side.connect(publisher)
        elif what in ("cancel", "disconnect"):
            cancel(cancellables.get("connection" if what == "disconnect" else which))
        else:
            side.send(subject, what, which)

    for each in script:
        act(*each)
        events.append(("then", each))
    for cancellable in cancellables.values():
        cancel(cancellable)
    return events


def each_heard(events):
    """What each subscriber has heard."""
    return [[event for event in events if event[0] == number] for number in range(3)]


SUBJECTS = {
    "passthrough_subject": (streams.PassthroughSubject, subjects.Subject),
    "current_value_subject": (lambda: streams.CurrentValueSubject(0), lambda: subjects.BehaviorSubject(0)),
    "replay_subject": (streams.ReplaySubject, subjects.ReplaySubject),
    "replay_subject of none": (lambda: streams.ReplaySubject(0), lambda: subjects.ReplaySubject(0)),
    "replay_subject of one": (lambda: streams.ReplaySubject(1), lambda: subjects.ReplaySubject(1)),
    "replay_subject of two": (lambda: streams.ReplaySubject(2), lambda: subjects.ReplaySubject(2)),
}

# A value that comes while somebody subscribes may lead to another connection: see the guide.
SHARED = {
    "share": (lambda p: p.share(), lambda p: p.pipe(ops.share())),
    "autoconnect": (lambda p: p.make_connectable().autoconnect(), lambda p: p.pipe(ops.publish(), ops.ref_count())),
}
SHARED_WITH_VALUES = {
    "share_replay": (lambda p: p.share(replay=2), lambda p: p.pipe(ops.replay(2), ops.ref_count())),
    "multicast": (lambda p: p.multicast(streams.CurrentValueSubject(0)).autoconnect(), lambda p: p.pipe(ops.multicast(subjects.BehaviorSubject(0)), ops.ref_count())),
    "multicast last": (lambda p: p.last().multicast(streams.ReplaySubject(1)).autoconnect(), lambda p: p.pipe(ops.multicast(subjects.AsyncSubject()), ops.ref_count())),
}  # fmt: skip


@pytest.mark.parametrize("name", SUBJECTS)
@FEWER
@given(script=SCRIPTS)
def test_subjects_do_the_same(name, script):
    here, there = (make() for make in SUBJECTS[name])
    assert performed(Here(), here, here, script) == performed(There(), there, there, script)


@pytest.mark.parametrize("name", SUBJECTS)
@given(script=SCRIPTS, reactions=REACTIONS)
def test_subjects_do_the_same_within_a_value(name, script, reactions):
    here, there = (make() for make in SUBJECTS[name])
    replays = name.startswith("replay_subject")
    if replays:  # who hears of a value first is another, and so is what one has heard whom another cancels
        reactions = {when: act for when, act in reactions.items() if act[0] != "cancel"}
    mine, other = performed(Here(), here, here, script, reactions), performed(There(), there, there, script, reactions)
    if replays:
        mine, other = each_heard(mine), each_heard(other)
    assert mine == other


@pytest.mark.parametrize("name", SHARED)
@given(script=SCRIPTS, reactions=REACTIONS)
def test_what_is_shared_is_the_same_within_a_value(name, script, reactions):
    here, there = Here().subject(), There().subject()
    mine = performed(Here(), here, SHARED[name][0](here), script, reactions)
    assert mine == performed(There(), there, SHARED[name][1](there), script, reactions)


@pytest.mark.parametrize("name", SHARED_WITH_VALUES)
@FEWER
@given(script=SCRIPTS)
def test_what_is_shared_is_the_same(name, script):
    here, there = Here().subject(), There().subject()
    mine = performed(Here(), here, SHARED_WITH_VALUES[name][0](here), script)
    other = performed(There(), there, SHARED_WITH_VALUES[name][1](there), script)
    if name == "multicast last":  # there, one subscriber has heard the end before the next one hears the value
        mine, other = each_heard(mine), each_heard(other)
    assert mine == other


@FEWER
@given(script=st.lists(st.one_of(SUBSCRIBES, CANCELS, SENDS, SENDS, ENDS, CONNECTS), max_size=8))
def test_what_is_connected_does_the_same(script):
    here, there = Here().subject(), There().subject()
    mine = performed(Here(), here, here.make_connectable(), script)
    assert mine == performed(There(), there, there.pipe(ops.publish()), script)


CONNECTED = ["make_connectable"]
