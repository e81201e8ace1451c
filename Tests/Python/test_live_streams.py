"""The list of live streams, and the warnings of drops."""

import gc
import os
import subprocess
import sys
import textwrap
import threading

import pytest
import streams
from streams import UNLIMITED, Just, PassthroughSubject, VirtualTimeScheduler, debug
from streams._native.library import library

HERE = os.path.basename(__file__)


@pytest.fixture
def watched():
    gc.collect()  # what other tests have left to the collector
    with debug.watch():
        assert not debug.streams()
        yield


def rows():
    """The list without numbers, places and times."""
    return [(each.name, each.values, each.demand, each.waiting, each.dropped, each.event) for each in debug.streams()]


def test_nothing_is_listed_while_nothing_is_watched():
    with PassthroughSubject().sink():
        assert list(debug.streams()) == []


def test_a_stream_is_listed_until_it_ends(watched):
    subject = PassthroughSubject()
    buffered = subject.map(str).buffer(2, "by_request", "drop_oldest").prefix(5)
    with pytest.warns(streams.DroppedValuesWarning), buffered.sink(lambda _: None, demand=1):
        for each in range(6):
            subject.send(each)
        assert rows() == [
            ("prefix(5)", 1, 0, 0, 0, "value"),
            ("buffer(2, 'by_request', 'drop_oldest')", 1, 0, 2, 3, "drop"),
            ("map(str)", 6, UNLIMITED, 0, 0, "value"),
            ("PassthroughSubject()", 6, UNLIMITED, 0, 0, "value"),
        ]
        assert [each.of for each in debug.streams()] == [0, *[each.number for each in debug.streams()][:-1]]
        assert all(HERE in each.place and each.seconds >= 0 for each in debug.streams())
    assert rows() == []
    with subject.sink():
        assert rows() == [("PassthroughSubject()", 0, UNLIMITED, 0, 0, "request")]
        subject.finish()
        assert rows() == []


def test_what_was_made_while_it_was_watched_stays_so(watched):
    with debug.watch():
        subject = PassthroughSubject()
    outer = PassthroughSubject()
    with subject.sink(), outer.sink():
        assert len(rows()) == 2


def test_a_stream_that_is_released_is_listed_no_more(watched):
    subject = PassthroughSubject()
    cancellable = subject.sink()
    assert len(rows()) == 1
    del cancellable
    assert rows() == []


def test_a_zip_waits_for_its_slow_side(watched):
    fast, slow = PassthroughSubject(), PassthroughSubject()
    with fast.zip(slow).sink():
        fast.send_many([1, 2, 3])
        slow.send(1)
        waiting = {each.name: each.waiting for each in debug.streams() if each.waiting}
        assert waiting == {"zip": 2}


def test_a_scheduler_that_nobody_runs(watched):
    clock, subject = VirtualTimeScheduler(), PassthroughSubject()
    with subject.receive_on(clock).sink():
        subject.send_many([1, 2, 3])
        first, second = debug.streams()
        assert (first.values, first.waiting, second.values) == (0, 3, 3)
        clock.advance()
        first, second = debug.streams()
        assert (first.values, first.waiting) == (3, 0)


def test_streams_that_an_operator_begins_later_are_below_it(watched):
    outer, inner = PassthroughSubject(), PassthroughSubject()
    with outer.flat_map(lambda _: inner).sink(), inner.sink():
        outer.send(1)
        text = str(debug.streams())
        depths = [len(line) - len(line.lstrip()) for line in text.splitlines()]
        assert depths == [0, 0, 2, 2, 0]


def test_streams_that_a_subscriber_begins_are_its_own(watched):
    outer, inner, kept = PassthroughSubject(), PassthroughSubject(), []
    with outer.sink(lambda _: kept.append(inner.sink())):
        outer.send(1)
        assert [each.of for each in debug.streams()] == [0, 0]
        kept.clear()


def test_a_table(watched):
    subject = PassthroughSubject()
    with subject.sink(demand=3):
        head, row = str(debug.streams()).splitlines()
        assert head == "stream                values  demand  waiting  dropped  last event  made at"
        assert row.startswith("PassthroughSubject()  0       3       0        0        request     ")
        assert HERE in row
    assert str(debug.streams()) == "stream  values  demand  waiting  dropped  last event  made at"


def test_open_metrics(watched):
    subject = PassthroughSubject()
    with subject.map(lambda each: each).track('"a\\b').sink(), subject.sink(demand=3):
        subject.send(1)
        text = debug.streams().openmetrics()
    lines = text.splitlines()
    assert lines[-1] == "# EOF" and text.endswith("\n") and "# TYPE streams_dropped counter" in lines
    found = [line for line in lines if line.startswith("streams_demand{")]
    assert [line.rpartition(" ")[2] for line in found] == ["+Inf", "+Inf", "+Inf", "2"]
    assert 'name="track(\'\\"a\\\\\\\\b\')"' in found[0]


def test_open_metrics_are_read_by_prometheus(watched):
    parser = pytest.importorskip("prometheus_client.openmetrics.parser")
    subject = PassthroughSubject()
    with subject.sink(demand=3):
        subject.send(1)
        families = list(parser.text_string_to_metric_families(debug.streams().openmetrics()))
    numbers = {sample.name: sample.value for family in families for sample in family.samples}
    assert numbers == {"streams_values_total": 1, "streams_dropped_total": 0, "streams_demand": 2, "streams_waiting": 0}


def test_lists_while_threads_send(watched):
    clock, subject = VirtualTimeScheduler(), PassthroughSubject()
    with subject.receive_on(clock).sink():
        threads = [threading.Thread(target=lambda: [subject.send(each) for each in range(500)]) for _ in range(3)]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            assert len(debug.streams()) == 2
        for thread in threads:
            thread.join()
        assert [each.values for each in debug.streams()] == [0, 1500]


# ---- Warnings ------------------------------------------------------------------------------------------------------

PROGRAM = """
import warnings
from streams import PassthroughSubject
warnings.simplefilter("ignore")
{0}
def lose():
    subject = PassthroughSubject()
    with subject.map(str).merge(PassthroughSubject()).sink(print, demand=1):
        subject.send_many(range(5))
lose()
lose()
"""


def run(program, **variables):
    names = ("STREAMS_TRACE", "STREAMS_WARN", "STREAMS_WATCH")
    environment = {name: value for name, value in os.environ.items() if name not in names}
    found = subprocess.run(
        [sys.executable, "-c", program], env={**environment, **variables}, capture_output=True, text=True, timeout=60
    )
    assert found.returncode == 0, found.stderr
    return found


@pytest.mark.parametrize("variables", [{"STREAMS_WARN": "drops"}, {}])
def test_a_place_that_drops_is_told_of_once(variables):
    call = "" if variables else "from streams import debug; debug.warn_about_drops()"
    said = run(PROGRAM.format(call), **variables).stderr
    assert said == (
        "streams: PassthroughSubject() (<string>:7, in lose) drops values on the way to merge() (<string>:8, in lose): "
        "there is no demand for them, or no room\n"
    )


def test_what_the_environment_has_switched_on_stays_on():
    program = """
        from streams import PassthroughSubject, debug
        with {0}, {0}:
            pass
        subject = PassthroughSubject()
        with subject.sink(demand=0):
            subject.send(1)
            print(len(debug.streams()))
    """
    listed = textwrap.dedent(program).format("debug.watch()")
    assert [run(listed, STREAMS_WATCH=value).stdout for value in ("1", "0")] == ["1\n", "0\n"]
    warned = textwrap.dedent(program).format("debug.warn_about_drops()")
    said = [run(warned, STREAMS_WARN=value).stderr.count("streams: ") for value in ("drops", "")]
    assert said == [1, 0]


def test_what_is_made_for_warnings_only_is_not_listed():
    program = """
        from streams import PassthroughSubject, debug
        with debug.watch():
            subject = PassthroughSubject()
        buffered = subject.buffer(1, "by_request", "drop_oldest").merge(PassthroughSubject())
        with debug.watch():
            last = buffered.prefix(3)
        with last.sink(), PassthroughSubject().buffer(2, "by_request", "drop_oldest").sink():
            print([(each.name, each.of) for each in debug.streams()])
    """
    found = run(textwrap.dedent(program), STREAMS_WARN="drops").stdout
    number = found.rpartition(", ")[2].rstrip(")]\n")
    assert found == f"[('prefix(3)', 0), ('PassthroughSubject()', {number})]\n" and int(number) > 0


@pytest.mark.parametrize("value", ["", "0", "no"])
def test_other_settings_warn_of_nothing(value):
    assert run(PROGRAM.format(""), STREAMS_WARN=value).stderr == ""


def test_the_environment_switches_the_list_on():
    program = "from streams import *\nc = PassthroughSubject().sink()\nprint(len(debug.streams()))"
    assert [run(program, STREAMS_WATCH=value).stdout for value in ("1", "0", "")] == ["1\n", "0\n", "0\n"]


def test_warnings_do_not_part_batches():
    batches = []
    with debug.warn_about_drops():
        subject = PassthroughSubject()
        mapped = subject.map_batch(lambda batch: batch).filter(lambda _: True)
    with mapped.sink(batch=batches.append):
        subject.send_many([1, 2, 3])
    assert batches == [[1, 2, 3]]
    assert [str(each) for each in Just(1).map(str)] == ["1"]


def test_what_waits_for_a_side_of_a_zip_that_has_ended_is_counted():
    with debug.watch():
        ahead, behind = PassthroughSubject(), PassthroughSubject()
        with ahead.zip(behind).sink():
            ahead.send_many(range(5))
            ahead.finish()
            behind.send(1)
            assert max(each.waiting for each in debug.streams()) == 4


def test_a_name_may_have_line_breaks_of_any_kind():
    with debug.watch():
        subject = PassthroughSubject()
        with subject.sink():
            library.streams_label(subject._handle, "a\x0b\x1c\x85\u2028b\n".encode(), None)
            assert [each.name for each in debug.streams()] == ["a\x0b\x1c\x85\u2028b "]
