"""Trees, graphs and recordings of streams."""

import math
import re
import threading
import time
from xml.etree import ElementTree

import pytest
from conftest import Oops
from hypothesis import given
from hypothesis import strategies as st
from streams import Fail, Interval, Just, PassthroughSubject, Sequence, VirtualTimeScheduler, debug

# ---- trees and graphs --------------------------------------------------------------------------------------------


def celsius(fahrenheit):
    return (fahrenheit - 32) / 1.8


def joined():
    prices = PassthroughSubject()
    texts = prices.map(str)
    return texts.merge(texts.filter(len), Just('a"<b>\\')).collect(3)


def test_a_chain_is_a_tree_without_branches():
    assert Sequence([1]).map(celsius).prefix(2).tree() == "prefix(2)\n  map(celsius)\n    Sequence(<list>)"


def test_joins_and_what_they_share():
    assert joined().tree().split("\n") == [
        "collect(3)",
        "  merge()",
        "    map(str)",
        "      PassthroughSubject()",
        "    filter(len)",
        "      map(str) (see above)",
        "    Just('a\"<b>\\\\')",
    ]


def test_keywords_and_connectables():
    publisher = Just(1).flat_map(Just, max_publishers=3).make_connectable()
    assert publisher.autoconnect().tree() == (
        "autoconnect()\n  make_connectable()\n    flat_map(Just, max_publishers=3)\n      Just(1)"
    )
    assert publisher.tree().startswith("make_connectable()\n")


def test_a_deep_tree_is_cut_short():
    publisher = Just(1)
    for _ in range(200):
        publisher = publisher.map(celsius)
    lines = publisher.tree().split("\n")
    assert len(lines) == 101
    assert lines[-2:] == ["  " * 99 + "map(celsius)", "  " * 100 + "…"]


def test_a_wide_tree_is_cut_short():
    lines = Just(1).merge(*(Just(n) for n in range(2000))).tree().split("\n")
    assert len(lines) == 1001 and lines[-1] == "…"


def nodes_and_edges(dot):
    labels = dict(re.findall(r'(n\d+) \[label="((?:[^"\\]|\\.)*)"', dot))
    return labels, [(labels[a], labels[b]) for a, b in re.findall(r"(n\d+) -> (n\d+)", dot)]


def test_a_graph_for_graphviz():
    labels, edges = nodes_and_edges(debug.to_dot(joined()))
    just = r"Just('a\"<b>\\\\')"
    assert sorted(labels.values()) == sorted(
        ["collect(3)", "merge()", "map(str)", "PassthroughSubject()", "filter(len)", just]
    )
    assert sorted(edges) == sorted(
        [("merge()", "collect(3)"), ("map(str)", "merge()"), ("PassthroughSubject()", "map(str)")]
        + [("filter(len)", "merge()"), ("map(str)", "filter(len)"), (just, "merge()")]
    )
    assert f'tooltip="{__file__}:' in debug.to_dot(joined())


def test_a_graph_for_mermaid():
    assert debug.to_mermaid(Just('"').map(str)) == (
        'flowchart LR\n    n0["map(str)"]\n    n1["Just(\'#34;\')"]\n    n1 --> n0'
    )
    graph = debug.to_mermaid(joined())
    assert graph.count("-->") == 6 and graph.count('["') == 6
    # Nothing in a label can end it.
    assert all(re.fullmatch(r'[^"<>]*', label) for label in re.findall(r'\["(.*)"\]', graph))


@pytest.mark.parametrize("function", [debug.to_dot, debug.to_mermaid, debug.record])
def test_only_publishers_are_looked_at(function):
    with pytest.raises(TypeError, match="publisher must be a Publisher, not int"):
        function(3)


# ---- recordings --------------------------------------------------------------------------------------------------


@pytest.fixture
def clock():
    with VirtualTimeScheduler() as scheduler:
        yield scheduler


def test_virtual_time(clock):
    with debug.record(Interval(1, clock, count=3), clock) as recording:
        clock.advance(5)
    assert recording.values == [0, 1, 2] and recording.has_ended
    assert [(mark.nanoseconds, mark.kind) for mark in recording.marks] == [
        (1_000_000_000, "value"), (2_000_000_000, "value"), (3_000_000_000, "value"), (3_000_000_000, "finished"),
    ]  # fmt: skip
    assert recording.text() == recording.text(1) == "-01(2|)"
    assert recording.text(0.5) == "--0-1-(2|)"
    assert recording.text(1, name=lambda n: "abc"[n]) == "-ab(c|)"
    assert repr(recording) == "<streams.debug.Recording '-01(2|)'>"


def test_a_recording_begins_when_it_begins(clock):
    clock.advance(7)
    recording = debug.record(Just(1), clock)
    assert [mark.nanoseconds for mark in recording.marks] == [0, 0]
    assert recording.text() == "(1|)"


def test_closing_cancels_and_is_noted(clock):
    subject = PassthroughSubject()
    with debug.record(subject, clock) as recording:
        subject.send("up")
        clock.advance(0.2)
        assert not recording.has_ended
    subject.send("late")
    recording.close()
    assert recording.text(0.1) == "'up'-!"


def test_a_failure_is_kept(clock):
    recording = debug.record(Fail(Oops("no")), clock)
    assert recording.text() == "#"
    assert isinstance(recording.marks[0].value, Oops)


def test_demand(clock):
    with debug.record(Sequence([1, 2, 3]), clock, demand=2) as recording:
        assert recording.values == [1, 2]


def test_real_time():
    subject, done = PassthroughSubject(), threading.Event()
    recording = debug.record(subject)

    def work():
        subject.send(1)
        subject.finish()
        done.set()

    threading.Thread(target=work).start()
    assert done.wait(60)
    times = [mark.nanoseconds for mark in recording.marks]
    assert recording.values == [1] and recording.has_ended
    assert 0 < times[0] <= times[1]


def test_nothing_is_recorded(clock):
    recording = debug.record(PassthroughSubject(), clock)
    assert recording.text() == "" and ElementTree.fromstring(recording.svg()) is not None


def test_bad_arguments(clock):
    recording = debug.record(Just(1), clock)
    with pytest.raises(ValueError, match="unit must be positive, and is 0"):
        recording.text(0)
    with pytest.raises(TypeError, match="scheduler must be a Scheduler, not float"):
        debug.record(Just(1), 1.0)
    with pytest.raises(TypeError, match="recordings must be Recordings, not Just"):
        debug.marbles({"a": Just(1)})


def parsed(text):
    """What is in marble notation, with its moments."""
    marks, moment, position, group = [], 0, 0, False
    while position < len(text):
        each, position = text[position], position + 1
        if each in "()":
            group = each == "("
            moment += each == ")"
        elif each == "-":
            moment += 1
        elif each != " ":
            if each == "'":
                end = re.compile(r"(?:[^']|'')*'").match(text, position).end()
                each, position = text[position : end - 1].replace("''", "'"), end
                marks.append((moment, "value", each))
            else:
                marks.append((moment, {"|": "finished", "#": "failed", "!": "cancelled"}.get(each, "value"), each))
            moment += not group
    return marks


texts = st.text(st.sampled_from("ab-|#!'() é&<"), min_size=1, max_size=3)
scripts = st.lists(st.tuples(st.integers(0, 3), texts), max_size=12)


def recorded(script, clock, ends=True):
    subject = PassthroughSubject()
    recording = debug.record(subject, clock)
    for delay, text in script:
        clock.advance(delay)
        subject.send(text)
    if ends:
        subject.finish()
    return recording


@given(scripts)
def test_the_text_says_what_happened_and_when(script):
    clock = VirtualTimeScheduler()
    recording = recorded(script, clock)
    found = parsed(recording.text(1))
    times = [mark.nanoseconds // 10**9 for mark in recording.marks]
    assert [value for _, kind, value in found if kind == "value"] == [text for _, text in script]
    assert found[-1][1] == "finished"
    assert [moment for moment, _, _ in found] == times


# ---- pictures ----------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def box(value):
    rectangle = value.find(f"{SVG}rect")
    x, y, width, height = (float(rectangle.get(name)) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def values_in(picture):
    return [each for each in picture.iter(f"{SVG}g") if each.get("class") == "value"]


def starts(picture, kind):
    """Where the paths of a class begin."""
    paths = [each.get("d") for each in picture.iter(f"{SVG}path") if each.get("class") == kind]
    return [tuple(map(float, re.match(r"M([\d.]+) ([\d.]+)", path).groups())) for path in paths]


@given(st.lists(st.tuples(scripts, st.booleans()), min_size=1, max_size=3))
def test_marbles_are_in_the_picture_in_order_and_apart(rows):
    recordings = {f"<{n}>": recorded(script, VirtualTimeScheduler(), ends) for n, (script, ends) in enumerate(rows)}
    picture = ElementTree.fromstring(debug.marbles(recordings))
    width, height = float(picture.get("width")), float(picture.get("height"))
    assert picture.get("viewBox") == f"0 0 {width:g} {height:g}"
    boxes = [box(each) for each in values_in(picture)]
    for left, top, right, bottom in boxes:
        assert 0 <= left < right <= width and 0 <= top < bottom <= height
    for index, (left, top, right, bottom) in enumerate(boxes):
        for other in boxes[:index]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
    # The same moment is at the same place in all rows, and a later one further to the right.
    marks = [mark for each in recordings.values() for mark in each.marks if mark.kind == "value"]
    middles = [(left + right) / 2 for left, _, right, _ in boxes]
    for (mark, x), (other, y) in zip(zip(marks, middles), list(zip(marks, middles))[1:]):
        if mark.nanoseconds == other.nanoseconds:
            assert math.isclose(x, y, abs_tol=0.01)
        else:
            assert (mark.nanoseconds < other.nanoseconds) == (x < y)
    assert len(starts(picture, "finished")) == sum(ends for _, ends in rows)
    assert len(starts(picture, "arrow")) == sum(not ends for _, ends in rows)
    titles = [each.text for each in picture.iter(f"{SVG}text") if each.get("class") == "title"]
    assert titles == list(recordings)


def test_what_happens_at_once_is_below_each_other(clock):
    picture = ElementTree.fromstring(recorded([(0, "a"), (0, "b"), (0, "c"), (2, "d")], clock).svg())
    boxes = [box(each) for each in values_in(picture)]
    assert boxes[0][0] == boxes[1][0] == boxes[2][0] < boxes[3][0]
    assert boxes[0][3] < boxes[1][1] and boxes[1][3] < boxes[2][1] and boxes[3][1] == boxes[0][1]
    # The end is where the last marble is, and can be seen behind it.
    ((x, y),) = starts(picture, "finished")
    assert math.isclose(x, (boxes[3][0] + boxes[3][2]) / 2) and y < boxes[3][1]


def test_each_end_looks_its_own_way(clock):
    subject = PassthroughSubject()
    rows = {
        "finished": debug.record(Just(1), clock),
        "failed": debug.record(Fail(Oops('<"no">')), clock),
        "cancelled": debug.record(subject, clock),
        "running": debug.record(subject, clock),
    }
    rows["cancelled"].close()
    picture = ElementTree.fromstring(debug.marbles(rows))
    assert [len(starts(picture, kind)) for kind in ("finished", "failed", "cancelled", "arrow")] == [1, 1, 1, 1]
    assert "failed: Oops('<\"no\">') at 0 s" in [each.text for each in picture.iter(f"{SVG}title")]


@pytest.mark.parametrize("text", ["&<>\"'", "\x00\x1b", "\ud800", "]]>", "\ufffe", "日本語", "x" * 100])
def test_any_text_is_well_formed(clock, text):
    recording = recorded([(0, text)], clock)
    picture = ElementTree.fromstring(recording.svg(text).encode())
    (value,) = values_in(picture)
    hint = value.find(f"{SVG}title").text
    shown = re.sub("[\x00\x1b\ud800\ufffe]", "\ufffd", text)
    assert hint == f"{shown} at 0 s"
    label = value.find(f"{SVG}text").text
    assert label == shown or (label.endswith("…") and shown.startswith(label[:-1]))


def test_the_time_has_steps_that_are_easy_to_read(clock):
    picture = ElementTree.fromstring(recorded([(n, "a") for n in (0, 1, 1, 1, 1, 1)], clock).svg())
    times = [each.text for each in picture.iter(f"{SVG}text") if each.get("class") == "time"]
    assert times == ["0 s", "2 s", "4 s"]
    ticks = [x for x, _ in starts(picture, "tick")]
    boxes = [box(each) for each in values_in(picture)]
    assert math.isclose(ticks[1], (boxes[2][0] + boxes[2][2]) / 2, abs_tol=0.01)


def test_notebooks_show_a_recording(clock):
    recording = debug.record(Just(1), clock)
    assert recording._repr_svg_() == recording.svg()


# ---- many and difficult values -----------------------------------------------------------------------------------


def test_many_values_in_one_moment_are_drawn_in_time():
    def seconds(count):
        recording = debug.record(Sequence(range(count)), VirtualTimeScheduler())
        begin = time.process_time()
        assert recording.svg().count('class="value"') == count and recording.text(1).endswith(f"'{count - 1}'|)")
        return time.process_time() - begin

    seconds(1000)
    assert seconds(16_000) < 8 * seconds(4000)  # 4 times as many; 16 times the time would be quadratic


def test_a_representation_is_short_and_does_not_fail():
    class Nameless:
        def __str__(self):
            raise LookupError

        class Error(Exception):
            def __repr__(self):
                raise LookupError

    clock = VirtualTimeScheduler()
    assert repr(debug.record(Just(Nameless()), clock)) == "<streams.debug.Recording \"('<Nameless>'|)\">"
    with debug.record(Sequence([Nameless(), 1]).append(Fail(Nameless.Error())), clock) as recording:
        assert recording.text() == "('<Nameless>'1#)"
        assert "&lt;Nameless&gt; at 0 s" in recording.svg() and "failed: &lt;Error&gt;" in recording.svg()
        with pytest.raises(LookupError):
            recording.text(name=Nameless.__str__)
    recording = debug.record(Sequence([1] * 1000), clock)
    assert repr(recording) == f"<streams.debug.Recording '({'1' * 20})' and 981 more>"
