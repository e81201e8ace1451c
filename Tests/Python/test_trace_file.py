"""The trace file, in the trace event format."""

import json
import os
import subprocess
import sys
import textwrap
import threading

import pytest
import streams
from conftest import Oops
from streams import Fail, Just, PassthroughSubject, VirtualTimeScheduler, debug

PHASES = {"M", "B", "E", "i", "C", "s", "f"}


def traced(path, body):
    with debug.trace_file(path):
        body()
    return checked(json.loads(path.read_text()))


def checked(events):
    """The events of a file, which follow the rules of the format."""
    names, open_slices, arrows, last = {}, {}, {}, 0.0
    for event in events:
        assert event["ph"] in PHASES and event["pid"] == events[0]["pid"]
        if event["ph"] == "M":
            names[event["tid"]] = event["args"].get("name") or names[event["tid"]]
            continue
        assert event["ts"] >= last
        last = event["ts"]
        track = open_slices.setdefault(event["tid"], [])
        if event["ph"] == "B":
            assert event["name"] and event["cat"] and event["tid"] in names
            track.append(event)
        elif event["ph"] == "E":
            track.pop()
        elif event["ph"] == "i":
            assert event["s"] == "t" and event["tid"] in names
        elif event["ph"] == "C":
            assert all(number >= 0 for number in event["args"].values()) and event["name"]
        else:
            assert track, "an arrow begins and ends in a slice"
            arrows.setdefault(event["id"], []).append(event["ph"])
    assert not any(open_slices.values())
    assert all(each == ["s"] or each == ["s", "f"] for each in arrows.values())
    for event in events:
        event["track"] = names.get(event["tid"])
    return events


def of(events, phase, *categories):
    return [(each["track"], each["name"]) for each in events if each["ph"] == phase and each.get("cat") in categories]


def test_values_are_slices_that_nest(tmp_path):
    def body():
        subject = PassthroughSubject()
        with subject.map(str).sink(lambda _: None, demand=2):
            subject.send(41)
            subject.send(42)

    events = traced(tmp_path / "run.json", body)
    assert of(events, "B", "send", "value") == [
        ("PassthroughSubject()", "send 41"), ("PassthroughSubject()", "41"), ("map(str)", "41"),
        ("PassthroughSubject()", "send 42"), ("PassthroughSubject()", "42"), ("map(str)", "42"),
    ]  # fmt: skip
    depth = deepest = 0
    for event in events:
        depth += {"B": 1, "E": -1}.get(event["ph"], 0)
        deepest = max(deepest, depth)
    assert deepest >= 3
    demands = [each["args"]["values"] for each in events if each["ph"] == "C" and each["name"].startswith("demand: map")]
    assert demands == [2, 1, 0]


def test_a_track_says_where_it_was_made_and_of_what(tmp_path):
    def body():
        first, second = PassthroughSubject(), PassthroughSubject()
        with first.merge(second).sink():
            first.send(1)

    events = traced(tmp_path / "run.json", body)
    tracks = {each["args"]["publisher"]: each["args"] for each in events if each.get("name") == "thread_name"}
    merged = next(each for each in tracks.values() if each["name"] == "merge()")
    assert [tracks[number]["name"] for number in merged["of"]] == ["PassthroughSubject()"] * 2
    assert os.path.basename(__file__) in merged["place"]


def test_drops_cancellations_and_failures_are_instants(tmp_path):
    def body():
        subject = PassthroughSubject()
        with pytest.warns(streams.DroppedValuesWarning), subject.sink(lambda _: None, demand=1):
            subject.send(1)
            subject.send(2)
        Fail(Oops("no")).sink(completion=lambda _: None)

    events = traced(tmp_path / "run.json", body)
    assert of(events, "i", "dropped") == [("PassthroughSubject()", "dropped 1")]
    assert of(events, "i", "cancelled") == [("PassthroughSubject()", "cancelled")]
    assert of(events, "i", "failed") == [("Fail(<Oops>)", "failed: python 0: no")]


def test_a_buffer_has_a_counter(tmp_path):
    def body():
        subject = PassthroughSubject()
        with pytest.warns(streams.DroppedValuesWarning):
            with subject.buffer(2, "by_request", "drop_oldest").sink(lambda _: None, demand=1):
                for each in range(5):
                    subject.send(each)

    events = traced(tmp_path / "run.json", body)
    waiting = [each["args"]["values"] for each in events if each["ph"] == "C" and each["name"].startswith("waiting: buffer")]
    assert waiting[-1] == 2


def test_arrows_lead_over_threads(tmp_path):
    def body():
        loop, subject, done = streams.EventLoop(), PassthroughSubject(), threading.Event()
        with subject.receive_on(loop).sink(lambda each: done.set() if each == 2 else None):
            for each in range(3):
                subject.send(each)
            thread = threading.Thread(target=loop.run)
            thread.start()
            assert done.wait(10)
            loop.stop()
            thread.join()

    events = traced(tmp_path / "run.json", body)
    arrows = [(each["ph"], each["id"], each["tid"]) for each in events if each["ph"] in "sf"]
    begun = {number: track for phase, number, track in arrows if phase == "s"}
    ended = {number: track for phase, number, track in arrows if phase == "f"}
    assert len(begun) == len(ended) == 3 and begun.keys() == ended.keys()
    assert set(begun.values()).isdisjoint(ended.values())
    threads = {each["tid"]: each["args"]["thread"] for each in events if each.get("name") == "thread_name"}
    assert {threads[each] for each in begun.values()}.isdisjoint(threads[each] for each in ended.values())


def test_threads_have_tracks_of_their_own(tmp_path):
    def body():
        subject = PassthroughSubject()
        with subject.map(str).sink():
            threads = [threading.Thread(target=subject.send_many, args=(list(range(50)),)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

    events = traced(tmp_path / "run.json", body)
    assert len(of(events, "B", "value")) == 2 * 4 * 50


def test_values_of_all_kinds(tmp_path):
    values = ['"quoted"', "a\nb\x01", "é" * 2000, b"\xff\x00", ["x", None], object(), 1e300, "\ud800"]

    def body():
        subject = PassthroughSubject()
        with subject.sink():
            for each in values:
                subject.send(each)

    events = traced(tmp_path / "run.json", body)
    texts = [each["args"].get("text") for each in events if each["ph"] == "B" and each["cat"] == "value"]
    assert len(texts) == len(values) and texts[0] == '"quoted"' and texts[1] == "a\nb\x01"
    assert texts[2] == "é" * 500 + "…"


def test_a_file_replaces_another(tmp_path):
    first = debug.trace_file(tmp_path / "first.json")
    subject = PassthroughSubject()
    second = debug.trace_file(tmp_path / "second.json")
    with subject.sink():
        subject.send("later")
        first.stop()
        subject.send("still")
    second.stop()
    second.stop()
    subject.send("too late")
    assert "later" not in (tmp_path / "first.json").read_text()
    events = checked(json.loads((tmp_path / "second.json").read_text()))
    assert [name for _, name in of(events, "B", "value")] == ["later", "still"]


def test_a_path_that_cannot_be_written(tmp_path):
    with pytest.raises(IsADirectoryError):
        debug.trace_file(tmp_path)
    with pytest.raises(TypeError):
        debug.trace_file(3)


PROGRAM = """
import os, sys
from streams import PassthroughSubject
subject = PassthroughSubject()
cancellable = subject.map(str).sink(print)
subject.send(1)
{0}
"""


def run(program, path, folder=None):
    environment = {**os.environ, "STREAMS_TRACE": str(path)}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("ending", ["", "sys.exit(0)", "if os.fork() == 0: subject.send(2)\nelse: os.wait()"])
def test_the_environment_names_a_file(tmp_path, ending):
    path = tmp_path / "run.json"
    found = run(PROGRAM.format(ending), path)
    assert (found.returncode, found.stderr) == (0, "")
    events = json.loads(path.read_text())
    assert [each["name"] for each in events if each.get("cat") == "value"] == ["1", "1"]


def test_a_program_that_is_killed_leaves_all_but_the_last_bracket(tmp_path):
    path = tmp_path / "run.json"
    assert run(PROGRAM.format("os.kill(os.getpid(), 9)"), path).returncode == -9
    with pytest.raises(json.JSONDecodeError):
        json.loads(path.read_text())
    events = json.loads(path.read_text() + "]")
    assert [each["name"] for each in events if each.get("cat") == "value"] == ["1", "1"]


def test_a_file_that_cannot_be_written_is_said(tmp_path):
    path = tmp_path / "missing" / "run.json"
    found = run(PROGRAM.format(""), path)
    assert found.stdout == "1\n"
    assert found.stderr == f"streams: cannot write events to {path}: No such file or directory\n"


def test_a_trace_changes_nothing(tmp_path):
    cases = "flat_map or zip or share or scan or prefix or buffer or receive_on or delay"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", cases]
    file = os.path.join(os.path.dirname(__file__), "test_conformance.py")
    environment = {**os.environ, "STREAMS_TRACE": str(tmp_path / "run.json"), "STREAMS_WARN": "drops", "STREAMS_WATCH": "1"}
    found = subprocess.run([*command, file], env=environment, capture_output=True, text=True, timeout=300)
    assert found.returncode == 0, found.stdout[-2000:]
    json.loads((tmp_path / "run.json").read_text())


def test_what_is_lent_to_a_trace_is_let_go_of(tmp_path):
    clock = VirtualTimeScheduler()
    before = streams._native.library.library.streams_live_handles()
    with debug.trace_file(tmp_path / "run.json"):
        subject = PassthroughSubject()
        with subject.delay(1, clock).sink():
            subject.send(1)
            clock.advance(2)
        del subject
    assert streams._native.library.library.streams_live_handles() == before


def test_a_file_that_is_open_is_begun_anew(tmp_path):
    path = tmp_path / "run.json"
    debug.trace_file(path)
    PassthroughSubject().map(str).sink().close()
    with debug.trace_file(path):
        Just("again").sink().close()
    events = json.loads(path.read_text(encoding="utf-8"))
    assert "again" in path.read_text(encoding="utf-8") and not any("map" in str(each.get("args")) for each in events)


def test_a_program_that_a_traced_one_starts_leaves_its_file_alone(tmp_path):
    path = tmp_path / "run.json"
    program = """
        import subprocess, sys
        from streams import *
        Just("first").sink().close()
        if len(sys.argv) == 1:
            subprocess.run([sys.executable, __file__, "child"], check=True)
            Just("last").sink().close()
    """
    file = tmp_path / "program.py"
    file.write_text(textwrap.dedent(program))
    environment = {**os.environ, "STREAMS_TRACE": str(path)}
    found = subprocess.run([sys.executable, file], env=environment, capture_output=True, text=True, timeout=60)
    assert found.returncode == 0
    assert found.stderr == f"streams: cannot write events to {path}: Device or resource busy\n"
    text = path.read_text(encoding="utf-8")
    assert json.loads(text) and text.count('"first"') and text.count('"last"')


def test_what_is_no_file_is_refused(tmp_path):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        with pytest.raises(OSError, match="cannot be written"):
            debug.trace_file(pipe)
    finally:
        os.close(reader)
    with pytest.raises(ValueError, match="null byte"):
        debug.trace_file("a\0b.json")


def test_a_name_that_is_only_an_ending(tmp_path):
    found = run(PROGRAM.format(""), ".json", tmp_path)
    assert (found.returncode, found.stdout, found.stderr) == (0, "1\n", "")
    assert checked(json.loads((tmp_path / ".json").read_text()))


FULL = """
import json, resource, sys
from streams import PassthroughSubject, debug
resource.setrlimit(resource.RLIMIT_FSIZE, ({0}, resource.RLIM_INFINITY))
subject, found = PassthroughSubject(), []
cancellable = subject.map(str).sink(found.append)
for each in range(100):
    subject.send(each)
print(len(found))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
with debug.trace_file({1!r}):
    PassthroughSubject().sink().close()
"""


@pytest.mark.parametrize("room", range(4000, 4400, 57))
def test_a_full_disk_ends_the_trace_with_a_whole_event_and_is_said_once(tmp_path, room):
    path, later = tmp_path / "run.json", tmp_path / "later.json"
    found = run(FULL.format(room, str(later)), path)
    assert (found.returncode, found.stdout) == (0, "100\n")
    assert found.stderr == f"streams: the trace {path} ends here, because it cannot be written: File too large\n"
    text = path.read_text()
    assert room - 1000 < len(text) <= room
    events = json.loads(text.rstrip("\n]") + "]")
    values = [each["name"] for each in events if each.get("cat") == "value"]
    assert values == [str(each // 2) for each in range(len(values))] and len(values) > 2
    assert checked(json.loads(later.read_text()))


def test_a_disk_that_is_full_from_the_start(tmp_path):
    path = tmp_path / "run.json"
    found = run(FULL.format(0, str(tmp_path / "later.json")), path)
    assert found.stdout == "100\n"
    assert found.stderr == f"streams: the trace {path} ends here, because it cannot be written: File too large\n"
    assert path.read_text() == ""


def test_lines_that_cannot_be_written_are_said_once():
    found = run(PROGRAM.format("subject.send(2)"), "/dev/full")
    assert (found.returncode, found.stdout) == (0, "1\n2\n")
    reason = "ends here, because it cannot be written: No space left on device"
    assert found.stderr == f"streams: the trace /dev/full {reason}\n"
