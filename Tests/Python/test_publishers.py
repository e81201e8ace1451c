"""Just, Empty, Fail, Sequence, iterables and publishers of one's own."""

import gc
import itertools
import pathlib
import re
import sys
import weakref

import pytest
import streams
from recorder import Recorder, values_of
from streams import UNLIMITED, Empty, Fail, Just, PassthroughSubject, Sequence, create, from_iterable
from streams._operators import names

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tools"))
import catalogue  # noqa: E402  Tools/catalogue.py


class Thing:
    """An object that is nothing but itself."""


# ---- Just, Empty, Fail -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [None, True, 0, 2**70, 1.5, "größer", b"\0", [1, [2]], (1,), {"a": 1}, Thing(), int])
def test_just_passes_on_the_very_object(value):
    (found,) = values_of(Just(value))
    assert found is value


def test_just_waits_for_demand():
    recorder = Recorder(Just(1), demand=0)
    assert recorder.values == [] and recorder.ends == []
    recorder.subscription.request(1)
    assert recorder.values == [1] and recorder.finished


def test_just_serves_every_subscriber():
    just = Just("x")
    assert values_of(just) == values_of(just) == ["x"]


def test_empty_finishes_or_never_does():
    assert values_of(Empty()) == []
    recorder = Recorder(Empty(complete_immediately=False))
    assert recorder.ends == []


def test_fail_passes_on_the_very_exception():
    error = LookupError("nothing there")
    assert Recorder(Fail(error), demand=0).error is error


@pytest.mark.parametrize("error", ["text", LookupError, None, 3])
def test_fail_takes_exceptions_only(error):
    with pytest.raises(TypeError, match="a stream fails with an exception"):
        Fail(error)


# ---- Sequence ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [[], [1, 2, 3], [1.5, -0.0], ["a", None, 3], (True, False), "text", range(5), {1: 2}, [2**63], [1, 2.0], b"ab"],
    ids=repr,
)
def test_sequence_publishes_all(values):
    found = values_of(Sequence(values))
    assert found == list(values)
    assert list(map(type, found)) == list(map(type, values))


def test_sequence_as_demanded_and_finishes_with_the_last():
    recorder = Recorder(Sequence("abc"), demand=1)
    assert recorder.values == ["a"]
    recorder.subscription.request(2)
    assert recorder.values == ["a", "b", "c"] and recorder.finished


def test_sequence_starts_afresh_and_copies():
    values = [1, "two"]
    sequence = Sequence(values)
    values.clear()
    assert values_of(sequence) == values_of(sequence) == [1, "two"]


def test_sequence_keeps_objects_no_longer_than_itself():
    thing = Thing()
    gone = weakref.ref(thing)
    sequence = Sequence([thing, None])
    del thing
    assert gone() is not None
    del sequence
    assert gone() is None


# ---- iterables ---------------------------------------------------------------------------------------------------


def test_iterable_takes_one_item_for_each_value_demanded():
    taken = []

    def numbers():
        for n in itertools.count():
            taken.append(n)
            yield n

    recorder = Recorder(from_iterable(numbers()), demand=2)
    assert taken == [0, 1]
    recorder.subscription.request(1)
    assert recorder.values == taken == [0, 1, 2]
    recorder.cancellable.cancel()


def test_endless_iterable_through_operators():
    assert values_of(from_iterable(itertools.count).filter(lambda n: n % 2).map(str).prefix(3)) == ["1", "3", "5"]


def test_iterable_is_gone_through_anew_by_each_subscriber():
    publisher = from_iterable([1, 2])
    assert values_of(publisher) == values_of(publisher) == [1, 2]


def test_generator_function_begins_anew_and_generator_does_not():
    def numbers():
        yield from (1, 2)

    function, generator = from_iterable(numbers), from_iterable(numbers())
    assert values_of(function) == values_of(function) == [1, 2]
    assert values_of(generator) == [1, 2]
    assert values_of(generator) == []


def test_iterable_of_the_old_protocol():
    class Old:
        def __getitem__(self, index):
            if index == 2:
                raise IndexError
            return index

    assert values_of(from_iterable(Old())) == [0, 1]


def test_iterable_that_raises_fails_the_stream(error):

    def numbers():
        yield 1
        raise error

    recorder = Recorder(from_iterable(numbers()))
    assert recorder.values == [1] and recorder.error is error
    assert recorder.error.__traceback__.tb_frame.f_code.co_name == "numbers"


def test_iterable_that_gives_no_iterator_fails_the_stream():
    class Bad:
        def __iter__(self):
            return 3

    assert isinstance(Recorder(from_iterable(Bad())).error, TypeError)
    assert isinstance(Recorder(from_iterable(lambda: 3)).error, TypeError)


@pytest.mark.parametrize("end", ["cancel", "prefix", "exhausted", "failed"])
def test_generator_is_closed(end):
    events = []

    def numbers():
        try:
            yield 1
            yield 2
            if end == "failed":
                raise ValueError
        finally:
            events.append("closed")

    publisher = from_iterable(numbers())
    if end == "prefix":
        publisher = publisher.prefix(1)
    recorder = Recorder(publisher, demand=1 if end == "cancel" else 3)
    if end == "cancel":
        assert events == []
        recorder.cancellable.cancel()
    del publisher
    assert events == ["closed"]


def test_request_inside_a_value_is_not_recursive():
    depth = [0, 0]

    def value(_):
        depth[0] += 1
        depth[1] = max(depth)
        subscription[0].request(1)
        depth[0] -= 1

    subscription = []
    done = []
    publisher = from_iterable(range(20_000))
    publisher.sink(value, done.append, demand=1, subscription=subscription.append)
    subscription.clear()
    assert depth[1] == 1 and done == [None]


@pytest.mark.parametrize("wrong", [3, None, object()])
def test_what_is_no_iterable_is_refused(wrong):
    with pytest.raises(TypeError):
        from_iterable(wrong)
    with pytest.raises(TypeError):
        Sequence(wrong)


# ---- publishers of one's own -------------------------------------------------------------------------------------


def test_create_produces_on_demand():
    asked, closed = [], []

    class Squares:
        def __init__(self, emitter):
            self.emitter, self.n = emitter, 0

        def produce(self, most):
            asked.append(most)
            for _ in range(most):
                assert self.emitter.send(self.n**2)
                self.n += 1

        def close(self):
            closed.append(self)

    recorder = Recorder(create(Squares), demand=2)
    recorder.subscription.request(3)
    assert recorder.values == [0, 1, 4, 9, 16] and asked == [2, 3]
    assert closed == []
    recorder.cancellable.cancel()
    assert len(closed) == 1


def test_create_with_a_function_and_wake():
    def dice(emitter):
        def produce(most):
            emitter.send(6)
            emitter.wake()

        return produce

    assert values_of(create(dice).prefix(3)) == [6, 6, 6]


def test_emitter_says_how_much_was_taken():
    emitters = []

    def begin(emitter):
        emitters.append(emitter)
        return lambda most: None

    recorder = Recorder(create(begin), demand=3)
    (emitter,) = emitters
    assert emitter.demand == 3
    assert emitter.send("a") and emitter.demand == 2
    assert emitter.send_many("bcd") == 2
    assert not emitter.send("e") and emitter.demand == 0
    recorder.subscription.request(UNLIMITED)
    assert emitter.demand == UNLIMITED
    emitter.finish()
    assert recorder.values == ["a", "b", "c"] and recorder.finished
    assert not emitter.send("late") and emitter.demand == 0
    emitter.finish()
    emitter.fail(ValueError("late"))
    emitter.wake()
    assert recorder.finished


@pytest.mark.parametrize("demand", [0, 1, 3, UNLIMITED])
def test_emitter_sends_what_an_iterable_has_made_before_it_raises(demand):
    def items():
        yield from "ab"
        raise OSError

    def begin(emitter):
        emitters.append(emitter)
        return lambda most: None

    emitters = []
    recorder = Recorder(create(begin), demand=demand)
    with pytest.raises(OSError):
        emitters.pop().send_many(items())
    assert recorder.values == [*"ab"][:demand]


def test_emitter_fails_the_stream():
    error = KeyError("k")

    def begin(emitter):
        return lambda most: emitter.fail(error)

    assert Recorder(create(begin)).error is error


@pytest.mark.parametrize("where", ["begin", "produce"])
def test_source_that_raises_fails_the_stream(where, error):

    def begin(emitter):
        def produce(most):
            raise error

        if where == "begin":
            raise error
        return produce

    assert Recorder(create(begin)).error is error


def test_source_that_is_none():
    assert isinstance(Recorder(create(lambda emitter: 3)).error, TypeError)
    with pytest.raises(TypeError):
        create(3)


def test_close_that_raises_is_reported(unraisable):
    class Source:
        def __init__(self, emitter):
            self.emitter = emitter

        def produce(self, most):
            self.emitter.finish()

        def close(self):
            raise LookupError("close")

    assert values_of(create(Source)) == []
    assert [type(error) for error in unraisable] == [LookupError]


def test_create_lets_go():
    class Begin:
        def __call__(self, emitter):
            return lambda most: None

    begin = Begin()
    gone = weakref.ref(begin)
    publisher = create(begin)
    recorder = Recorder(publisher)
    del begin, publisher
    assert gone() is not None or recorder.ends == []
    recorder.cancellable.close()
    del recorder
    gc.collect()
    assert gone() is None


def names_elsewhere():
    for entry in catalogue.entries(catalogue.read()):
        if entry.kind in ("operator", "subscriber"):
            for theirs in entry.words("rxpy", ""):
                ours = [name.partition("(")[0] for name in entry.python]
                if not hasattr(streams.Publisher, theirs):
                    yield from [(theirs, name) for name in ours if hasattr(streams.Publisher, name)][:1]


@pytest.mark.parametrize("theirs, ours", sorted(set(names_elsewhere())))
def test_a_name_of_rxpys_leads_to_ours(theirs, ours):
    with pytest.raises(AttributeError, match=rf"no attribute '{theirs}'; here it is .*\b{ours}\b"):
        getattr(Just(1), theirs)


def test_names_that_are_guessed_lead_to_ours():
    known = {theirs: ours for theirs, ours in names_elsewhere()}
    assert set(names.RXPY) == set(known)
    for name, ours in names.GUESSED.items():
        assert not hasattr(streams.Publisher, name)
        with pytest.raises(AttributeError, match=f"{name!r}; here it is "):
            getattr(PassthroughSubject(), name)
        first = re.match(r"\w+(?!\w)", ours).group()
        kinds = (streams.Publisher, streams.Subject, streams.Cancellable)
        assert first in ("nothing", "the") or any(hasattr(kind, first) for kind in kinds), ours
    with pytest.raises(AttributeError) as caught:
        getattr(Just(1), "nobody_knows_it")
    assert str(caught.value) == "'Just' object has no attribute 'nobody_knows_it'"
    for key, ours in [(slice(1, 3), "output_in"), (0, "output_at")]:
        with pytest.raises(TypeError, match=ours):
            Just(1)[key]
    assert streams.PassthroughSubject().make_connectable().connect


def test_many_publishers_are_merged():
    sources = [Just(n) for n in range(3000)]
    publisher = sources[0].merge(*sources[1:])
    assert len(publisher._step.arguments) == 2999
    assert list(publisher) == list(range(3000))
