"""Every operator on its own. Demand and the order of events are the conformance table's."""

import io
import itertools
import json
import operator
import pickle

import pytest
from recorder import Recorder, values_of
from streams import CurrentValueSubject, Empty, Fail, Just, PassthroughSubject, Sequence, from_iterable


def test_map():
    assert values_of(Sequence([1, 2]).map(lambda n: n * 10)) == [10, 20]
    assert values_of(Sequence([1, 2]).try_map(str)) == ["1", "2"]
    assert values_of(Sequence(["a"]).map(lambda _: None)) == [None]


def test_filter():
    assert values_of(Sequence(range(6)).filter(lambda n: n % 2)) == [1, 3, 5]
    assert values_of(Sequence(["", "a", [], [0]]).filter(bool)) == ["a", [0]]
    assert values_of(Sequence([1, 2]).try_filter(lambda n: n > 1)) == [2]


def test_compact_map():
    numbers = Sequence(["1", "x", "3"])
    assert values_of(numbers.compact_map(lambda s: int(s) if s.isdigit() else None)) == [1, 3]
    assert values_of(numbers.try_compact_map(lambda s: None)) == []
    assert values_of(Sequence([0, False, "", None]).compact_map(lambda v: v)) == [0, False, ""]


def test_remove_duplicates():
    assert values_of(Sequence([1, 1, 2, 2, 1]).remove_duplicates()) == [1, 2, 1]
    assert values_of(Sequence(["a", "A", "b"]).remove_duplicates(by=lambda a, b: a.lower() == b.lower())) == ["a", "b"]
    assert values_of(Sequence([1, 11, 2]).try_remove_duplicates(lambda a, b: a % 10 == b % 10)) == [1, 2]


def test_remove_duplicates_compares_as_python_does():
    class Same:
        def __eq__(self, other):
            return True

    nan = float("nan")
    assert len(values_of(Sequence([Same(), Same(), Same()]).remove_duplicates())) == 1
    assert values_of(Sequence([1, 1.0, True]).remove_duplicates()) == [1]
    assert len(values_of(Sequence([nan, nan, None]).remove_duplicates())) == 3
    subject = PassthroughSubject()
    recorder = Recorder(subject.remove_duplicates())
    subject.send(1)
    subject.send_many([1, 1])
    subject.send(1)
    assert recorder.values == [1]


def test_scan_and_reduce():
    assert values_of(Sequence([1, 2, 3]).scan(0, operator.add)) == [1, 3, 6]
    assert values_of(Sequence("abc").try_scan("", operator.add)) == ["a", "ab", "abc"]
    assert values_of(Sequence([1, 2, 3]).reduce(0, operator.add)) == [6]
    assert values_of(Sequence([]).try_reduce("none", operator.add)) == ["none"]
    assert values_of(Sequence([1, 2]).reduce([], lambda items, n: [*items, n])) == [[1, 2]]


def test_initial_value_is_the_very_object():
    initial = []
    (found,) = values_of(Sequence([]).reduce(initial, operator.add))
    assert found is initial


def test_collect():
    assert values_of(Sequence("abc").collect()) == [["a", "b", "c"]]
    assert values_of(Sequence([]).collect()) == [[]]
    assert values_of(Sequence(range(5)).collect(2)) == [[0, 1], [2, 3], [4]]
    assert values_of(Sequence([1.5, 2.5]).collect().map(sum)) == [4.0]
    thing = object()
    assert values_of(Just(thing).collect())[0][0] is thing


def test_buffer():
    for when_full, kept in (("drop_newest", [1, 2]), ("drop_oldest", [2, 3])):
        subject = PassthroughSubject()
        recorder = Recorder(subject.buffer(2, "by_request", when_full), demand=0)
        subject.send_many([1, 2, 3])
        recorder.subscription.request(2)
        assert recorder.values == kept
    assert values_of(Sequence(range(9)).buffer(2, "keep_full", "drop_newest")) == list(range(9))


def test_buffer_that_fails():
    def of(make):
        subject = PassthroughSubject()
        recorder = Recorder(subject.buffer(1, "by_request", make), demand=0)
        subject.send_many([1, 2])
        recorder.subscription.request(1)
        assert recorder.values == [1]
        return recorder.error

    assert isinstance(of(OverflowError), OverflowError)
    assert isinstance(of(lambda: "no exception"), TypeError)
    assert isinstance(of(lambda: 1 // 0), ZeroDivisionError)


def test_prefix_and_drop_first():
    assert values_of(Sequence("abc").prefix(2)) == ["a", "b"]
    assert values_of(Sequence("abc").prefix(0)) == []
    assert values_of(Sequence("abc").prefix(2**70)) == ["a", "b", "c"]
    assert values_of(Sequence("abc").drop_first()) == ["b", "c"]
    assert values_of(Sequence("abc").drop_first(0)) == ["a", "b", "c"]
    assert values_of(Sequence("abc").drop_first(9)) == []


def test_first_and_last():
    assert values_of(Sequence("abc").first()) == ["a"]
    assert values_of(Sequence("abc").last()) == ["c"]
    assert values_of(Sequence([]).first()) == values_of(Sequence([]).last()) == []
    assert values_of(Sequence([1, 2, 3, 4]).first_where(lambda n: n > 1)) == [2]
    assert values_of(Sequence([1, 2, 3, 4]).last_where(lambda n: n < 3)) == [2]


def test_what_is_left_of_a_stream():
    assert values_of(Sequence([1, 3, 4, 5]).drop_while(lambda n: n % 2)) == [4, 5]
    assert values_of(Sequence([1, 3, 4, 5]).prefix_while(lambda n: n % 2)) == [1, 3]
    assert values_of(Sequence("abcd").output_at(2)) == ["c"]
    assert values_of(Sequence("abcd").output_in(1, 3)) == ["b", "c"]
    assert values_of(Sequence("abcd").output_in(2, 2)) == []
    assert values_of(Sequence("abcd").ignore_output()) == []
    for lower, upper in ((-1, 2), (3, 2)):
        with pytest.raises(ValueError, match="lower" if lower < 0 else "upper"):
            Sequence("abc").output_in(lower, upper)
    with pytest.raises(ValueError, match="index"):
        Sequence("abc").output_at(-1)


def test_questions_about_all_values():
    assert values_of(Sequence("abc").count()) == [3]
    assert values_of(Sequence([1, 2, 3]).contains(2)) == [True]
    assert values_of(Sequence([1, 2, 3]).contains(4)) == [False]
    assert values_of(Sequence([1, (2, 3)]).contains((2, 3))) == [True]
    assert values_of(Sequence([1]).contains(1.0)) == [True]  # as Python compares
    assert values_of(Sequence([1, 2, 3]).contains_where(lambda n: n > 3)) == [False]
    assert values_of(Sequence([1, 2, 3]).all_satisfy(lambda n: n > 0)) == [True]
    assert values_of(Sequence([1, 2, 3]).all_satisfy(lambda n: n > 1)) == [False]


def test_the_least_and_the_greatest():
    assert values_of(Sequence([3, 1, 2]).min()) == [1] and values_of(Sequence([3, 1, 2]).max()) == [3]
    assert values_of(Sequence(["b", "a", "c"]).min()) == ["a"]
    assert values_of(Sequence([(1, "x"), (0, "y")]).min()) == [(0, "y")]
    assert values_of(Sequence([]).max()) == []
    assert values_of(Sequence([1, 1.0]).max()) == [1]
    assert values_of(Sequence(["bb", "a", "cc"]).max_by(lambda a, b: len(a) < len(b))) == ["bb"]
    assert values_of(Sequence(["bb", "a", "c"]).min_by(lambda a, b: len(a) < len(b))) == ["a"]
    assert isinstance(Recorder(Sequence([1, "a"]).min()).error, TypeError)


def test_replacements():
    thing = object()
    assert values_of(Sequence([1, None]).replace_nil(0)) == [1, 0]
    assert values_of(Sequence([]).replace_empty(thing)) == [thing]
    assert values_of(Sequence([1]).replace_empty(thing)) == [1]
    assert values_of(Fail(ValueError()).replace_error(thing)) == [thing]
    recorder = Recorder(Fail(SystemExit(3)).replace_error(1))
    assert recorder.values == [] and isinstance(recorder.error, SystemExit)


def test_flat_map():
    assert values_of(Sequence([1, 2, 3]).flat_map(lambda n: Sequence([n] * n))) == [1, 2, 2, 3, 3, 3]
    assert values_of(Sequence("ab").flat_map(lambda c: from_iterable([c, c]).map(str.upper))) == list("AABB")
    assert values_of(Sequence([1]).flat_map(lambda _: Empty())) == []


def test_flat_map_bounds_how_many_run():
    inner = [PassthroughSubject() for _ in range(3)]
    recorder = Recorder(Sequence([0, 1, 2]).flat_map(lambda n: inner[n], max_publishers=2))
    for n in range(3):
        inner[n].send(n)
    inner[0].finish()
    inner[2].send("late")
    assert recorder.values == [0, 1, "late"]
    for each in inner:
        each.finish()
    assert recorder.finished


def test_flat_map_of_the_same_publisher():
    just = Just("x")
    assert values_of(Sequence(range(3)).flat_map(lambda _: just)) == ["x"] * 3
    assert not just.closed


def test_switch_to_latest():
    subject, first, second = PassthroughSubject(), PassthroughSubject(), PassthroughSubject()
    recorder = Recorder(subject.switch_to_latest())
    subject.send(first)
    first.send(1)
    subject.send(second)
    first.send(2)
    second.send(3)
    assert recorder.values == [1, 3]
    assert values_of(Sequence([1, 2]).switch_to_latest(lambda n: Sequence([n] * n))) == [1, 2, 2]
    assert isinstance(Recorder(Just(1).switch_to_latest()).error, TypeError)
    assert isinstance(Recorder(Just(1).switch_to_latest(str)).error, TypeError)


def test_merge():
    a, b, c = PassthroughSubject(), PassthroughSubject(), PassthroughSubject()
    recorder = Recorder(a.merge(b, c))
    for subject, value in ((b, 1), (a, 2), (c, 3), (b, 4)):
        subject.send(value)
    for subject in (a, b, c):
        assert recorder.ends == []
        subject.finish()
    assert recorder.values == [1, 2, 3, 4] and recorder.finished
    assert values_of(Just(1).merge()) == [1]
    assert values_of(Just(1).merge(*[Just(n) for n in range(2, 12)])) == list(range(1, 12))


def test_a_publisher_merged_with_itself():
    sequence = Sequence([1, 2])
    assert sorted(values_of(sequence.merge(sequence, sequence))) == [1, 1, 1, 2, 2, 2]


def test_one_publisher_after_the_other():
    assert values_of(Sequence("ab").append(Just("c")).append(Sequence("de"))) == list("abcde")
    assert values_of(Sequence("ab").prepend(Just("c")).prepend(Sequence("de"))) == list("decab")
    same = Sequence([1])
    assert values_of(same.append(same).prepend(same)) == [1, 1, 1]


def test_until_another_has_a_value():
    a, b = PassthroughSubject(), PassthroughSubject()
    after, until = Recorder(a.drop_until_output(b)), Recorder(a.prefix_until_output(b))
    for subject, value in ((a, 1), (b, "x"), (a, 2), (b, "y"), (a, 3)):
        subject.send(value)
    assert after.values == [2, 3] and until.values == [1] and until.finished and not after.ends
    a.finish()
    assert after.finished


def test_what_uses_up_demand_needs_a_buffer():
    source = from_iterable(range(300))
    for publisher in (source.combine_latest(Empty()), source.drop_until_output(Empty())):
        assert list(publisher.buffer(100, "by_request", "drop_oldest").iterate(buffer=1)) == []


@pytest.mark.filterwarnings("ignore::streams.DroppedValuesWarning")
def test_a_merge_asks_for_one_value_at_a_time_with_limited_demand():
    def receive(value):
        found.append(value)
        if value == 0:
            subject.send("from within")

    subject = PassthroughSubject()
    for publisher, seen in ((subject, [0, 1]), (subject.buffer(9, "by_request", "drop_newest"), [0, "from within", 1])):
        found = []
        cancellable = publisher.merge(Empty()).sink(receive, demand=5)
        subject.send(0)
        subject.send(1)
        assert found == seen and cancellable.dropped == 3 - len(seen)
        cancellable.cancel()


def test_combine_latest():
    width, height = CurrentValueSubject(2), CurrentValueSubject(3)
    recorder = Recorder(width.combine_latest(height).map(lambda both: both[0] * both[1]))
    height.send(4)
    width.send(5)
    assert recorder.values == [6, 8, 20]


def test_zip():
    assert values_of(Sequence("ab").zip(Sequence([1, 2, 3]))) == [("a", 1), ("b", 2)]
    three = Sequence("ab").zip(from_iterable(range(10)), Sequence([None, 5]))
    assert values_of(three) == [("a", 0, None), ("b", 1, 5)]


@pytest.mark.parametrize("method", ["zip", "combine_latest"])
def test_several_come_as_tuples(method):
    (found,) = values_of(getattr(Just(1), method)(Just("x"), Just(2.5)))
    assert found == (1, "x", 2.5) and type(found) is tuple


def test_catch():
    error = KeyError("k")
    seen = []

    def handler(found):
        seen.append(found)
        return Just("instead")

    assert values_of(Fail(error).catch(handler)) == ["instead"]
    assert seen[0] is error
    assert values_of(Just(1).catch(handler)) == [1]
    assert values_of(Fail(error).try_catch(lambda _: Sequence("ab"))) == ["a", "b"]


def test_handle_events():
    log = []
    publisher = from_iterable(itertools.count).handle_events(
        receive_subscription=lambda it: log.append(type(it).__name__),
        receive_output=lambda n: log.append(n),
        receive_completion=lambda error: log.append(("end", error)),
        receive_cancel=lambda: log.append("cancel"),
        receive_request=lambda demand: log.append(("request", demand)),
    )
    recorder = Recorder(publisher, demand=2)
    recorder.subscription.request(1)
    recorder.cancellable.cancel()
    assert log == ["Subscription", ("request", 2), 0, 1, ("request", 1), 2, "cancel"]
    assert values_of(Just("x").handle_events()) == ["x"]
    error = ValueError()
    ends = []
    assert Recorder(Fail(error).handle_events(receive_completion=ends.append)).error is error
    assert ends == [error]


def test_handle_events_of_each_subscription():
    ends = []
    publisher = Just(1).handle_events(receive_completion=ends.append)
    assert values_of(publisher) + values_of(publisher) == [1, 1]
    assert ends == [None, None]


def test_breakpoint(monkeypatch):
    stops = []
    monkeypatch.setattr("sys.breakpointhook", lambda: stops.append("stopped"))
    stopping = Sequence([1, 2]).breakpoint(receive_output=lambda n: n == 2)
    assert (values_of(stopping), stops) == ([1, 2], ["stopped"])
    stops.clear()
    stopping = Just(1).breakpoint(receive_subscription=bool, receive_completion=lambda error: error is None)
    assert (values_of(stopping), stops) == ([1], ["stopped"] * 2)
    stops.clear()
    assert values_of(Just(1).breakpoint_on_error()) == [1]
    assert (isinstance(Recorder(Fail(KeyError(1)).breakpoint_on_error()).error, KeyError), stops) == (True, ["stopped"])


def test_assert_no_failure():
    assert values_of(Just(1).assert_no_failure()) == [1]
    cause = KeyError("x")
    error = Recorder(Fail(cause).assert_no_failure("settings")).error
    assert (type(error), str(error), error.__cause__) == (AssertionError, "settings: KeyError('x')", cause)
    assert str(Recorder(Fail(cause).assert_no_failure()).error) == "KeyError('x')"
    with pytest.raises(TypeError, match="prefix must be a str"):
        Just(1).assert_no_failure(3)


def test_encode_and_decode():
    assert values_of(Sequence([{"id": 1}, [None]]).encode()) == ['{"id": 1}', "[null]"]
    assert values_of(Just('{"id": 1}').decode()) == [{"id": 1}]
    assert values_of(Just({1, 2}).encode(pickle).decode(pickle)) == [{1, 2}]
    assert values_of(Just(2).encode(str).decode(int)) == [2]
    assert isinstance(Recorder(Just("{").decode()).error, json.JSONDecodeError)
    for wrong in (None, 3, object()):
        with pytest.raises(TypeError, match="must have a method"):
            Just(1).encode(wrong)


def test_print(capsys):
    file = io.StringIO()
    values_of(Sequence(["a", None, 1.0]).print("word", to=file))
    lines = file.getvalue().splitlines()
    assert lines[0].startswith("word: receive subscription: (")
    assert lines[1:] == [
        "word: request unlimited",
        "word: receive value: (a)",
        "word: receive value: (null)",
        "word: receive value: (1.0)",
        "word: receive finished",
    ]
    values_of(Just(1).print())
    assert capsys.readouterr().out.splitlines()[1:] == [
        "request unlimited",
        "receive value: (1)",
        "receive finished",
    ]


def test_publishers_are_left_as_they_are():
    calls = []
    subject = PassthroughSubject()
    one = subject.map(lambda n: calls.append(n) or n + 1)
    two, three = one.filter(lambda n: n > 2), one.map(str)
    recorders = [Recorder(each) for each in (one, two, three)]
    subject.send(1)
    subject.send(2)
    assert [recorder.values for recorder in recorders] == [[2, 3], [3], ["2", "3"]]
    assert len(calls) == 6


def test_long_chains():
    publisher = Sequence([0])
    for _ in range(2000):
        publisher = publisher.map(lambda n: n + 1)
    assert values_of(publisher) == [2000]
