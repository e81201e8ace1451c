"""Trackers, and what is traced while that is on."""

import gc
import io
import os
import subprocess
import sys
import weakref

import pytest
import streams
from conftest import Oops
from recorder import Recorder, values_of
from streams import CurrentValueSubject, Fail, Just, PassthroughSubject, Sequence, debug


class Lines(io.StringIO):
    def take(self):
        """What has been written since the last time."""
        text = self.getvalue()
        self.seek(0)
        self.truncate()
        return text


def test_shows_a_subscription_a_value_and_a_cancellation():
    lines = Lines()
    prices = PassthroughSubject().track(to=lines)
    cancellable = prices.sink(lambda _: None)
    assert lines.take() == (
        "> Subject subscribe\n"
        "    > Subscriber on_subscription\n"
        "        - Subscription request demand: unlimited\n"
        "    < Subscriber on_subscription\n"
        "< Subject subscribe\n"
    )
    prices.send({"euros": 3})
    assert lines.take() == (
        "> Subject send value: {'euros': 3}\n"
        "    - Subscriber on_value value: {'euros': 3}\n"
        "< Subject send\n"
    )  # fmt: skip
    cancellable.cancel()
    assert lines.take() == (
        "> Subscription cancel\n"
        "    - Subscriber released\n"
        "< Subscription cancel\n"
        "- Subscription released\n"
    )  # fmt: skip


def test_what_is_dropped_has_a_line():
    lines = Lines()
    with debug.trace(lines):
        subject = PassthroughSubject()
        publisher = subject.map(abs).buffer(1, "by_request", "drop_newest")
    kept, lost = publisher.sink(lambda _: None, demand=1), subject.map(abs).sink(lambda _: None, demand=1)
    subject.send(1)
    subject.send(2)
    lines.take()
    subject.send(3)
    found = [line.strip() for line in lines.take().splitlines() if "dropped" in line]
    assert found == ["- buffer: Publisher dropped values: 1", "- passthrough_subject: Subject dropped values: 1"]
    assert (kept.dropped, lost.dropped, subject.dropped) == (1, 2, 2)
    with pytest.warns(streams.DroppedValuesWarning):
        kept.close()
        lost.close()


def test_trackers_in_a_pipeline_nest():
    lines = Lines()
    assert values_of(Just(1).track("a", lines).map(str).track("b", lines)) == ["1"]
    assert "                        > a: Subscriber on_value value: 1\n" in lines.getvalue()
    assert "                            - b: Subscriber on_value value: 1\n" in lines.getvalue()


def test_a_value_shows_the_demand_that_it_returns():
    lines = Lines()
    subject = PassthroughSubject()
    recorder = Recorder(subject.track(to=lines), demand=1, returns=2)
    lines.take()
    subject.send(1)
    assert lines.take() == "- Subscriber on_value value: 1 demand: 2\n"
    del recorder


def test_a_failure_is_shown_and_stays_what_it_is():
    lines, oops = Lines(), Oops("no")
    recorder = Recorder(Fail(oops).track("f", lines))
    assert recorder.error is oops
    assert "f: Subscriber on_completion failed: python 0: no\n" in lines.getvalue()


def test_a_tracked_subject_is_that_subject():
    lines = Lines()
    plain = CurrentValueSubject(1)
    tracked = plain.track("v", lines)
    assert type(tracked) is CurrentValueSubject
    tracked.value += 1
    tracked.send(3)
    tracked.send_many([4, 5])
    assert lines.take() == "".join(f"- v: Subject send value: {n}\n" for n in (2, 3, 4, 5))
    assert (plain.value, tracked.value) == (5, 5)
    plain.send(6)
    tracked.finish()
    tracked.send(7)  # to nobody, as without a tracker
    assert lines.take() == "- v: Subject send_completion finished\n"
    assert repr(tracked).endswith(": CurrentValueSubject(1).track('v', <Lines>)>")


def test_as_the_downstream_of_a_publisher():
    lines = Lines()
    subject = PassthroughSubject().track(to=lines)
    with Sequence([1, 2]).subscribe(subject):
        pass
    assert lines.take().startswith("- Subject on_subscription\n")


def test_writes_to_stderr_if_it_is_not_told(capsys):
    PassthroughSubject().track("s").send(1)
    assert capsys.readouterr().err == "- s: Subject send value: 1\n"


def test_what_write_raises_is_reported(capsys, monkeypatch):
    class Broken:
        def write(self, text):
            raise Oops("broken")

    reported = []
    monkeypatch.setattr(sys, "unraisablehook", lambda said: reported.append(said.exc_value))
    assert values_of(Just(1).track(to=Broken())) == [1]
    assert reported and all(isinstance(each, Oops) for each in reported)
    for each in reported:
        each.__traceback__ = None


def test_what_write_does_is_not_tracked():
    subject = PassthroughSubject()

    class Echo:
        lines = []

        def write(self, text):
            self.lines.append(text)
            if text.startswith("> Subject send"):
                tracked.send(2)

    tracked = subject.track(to=Echo())
    recorder = Recorder(tracked)
    del Echo.lines[:]
    tracked.send(1)
    assert recorder.values == [2, 1]
    assert Echo.lines == ["> Subject send value: 1\n", "    - Subscriber on_value value: 1\n", "< Subject send\n"]
    recorder.cancellable.close()
    tracked.close()


def test_bad_arguments():
    for publisher in (Just(1), PassthroughSubject()):
        with pytest.raises(TypeError, match="label must be a str, not int"):
            publisher.track(3)
        with pytest.raises(TypeError, match="to must be an open text file, or have a method write, unlike str"):
            publisher.track("a", "b")
    with pytest.raises(TypeError, match="to must be an open text file"):
        debug.trace("file")
    subject = PassthroughSubject()
    subject.close()
    with pytest.raises(streams.ClosedError):
        subject.track()


def test_what_write_belongs_to_is_let_go_of():
    lines = Lines()
    known = weakref.ref(lines)
    subject = PassthroughSubject().track(to=lines)
    cancellable = subject.track(to=lines).sink(print)
    with debug.trace(lines):
        pass
    del lines
    gc.collect()
    assert known() is not None
    del subject, cancellable
    gc.collect()
    assert known() is None


# ---- trace -------------------------------------------------------------------------------------------------------


def test_what_is_made_inside_is_traced():
    lines = Lines()
    before = Just(1)
    with debug.trace(lines):
        inside = before.map(str)
    after = inside.filter(len)
    assert values_of(after) == ["1"]
    assert lines.take().startswith("> map: Publisher subscribe\n    > map: Subscriber on_subscription\n")
    assert values_of(before.map(str)) == ["1"]
    assert lines.take() == ""


def test_subjects_are_traced_with_what_is_sent():
    lines = Lines()
    tracing = debug.trace(lines)
    subject = PassthroughSubject()
    tracing.stop()
    subject.send(1)
    assert lines.take() == "- passthrough_subject: Subject send value: 1\n"


def test_traces_within_each_other():
    outer, inner = Lines(), Lines()
    with debug.trace(outer) as first:
        with debug.trace(inner):
            PassthroughSubject().send(1)
        assert "send value: 1" in inner.take() and outer.take() == ""
        PassthroughSubject().send(2)
        assert "send value: 2" in outer.take() and inner.take() == ""
        second = debug.trace(inner)
        first.stop()
        first.stop()
        PassthroughSubject().send(3)
        assert "send value: 3" in inner.take()
        second.stop()
        PassthroughSubject().send(4)
    assert inner.take() == outer.take() == ""


@pytest.mark.parametrize(
    "label, says", [("a\0b", "must not contain NUL"), ("a\nb", "must be one line"), ("\n", "must be one")]
)
def test_labels_that_would_be_cut_or_break_a_line(label, says):
    for publisher in (Just(1), PassthroughSubject()):
        with pytest.raises(ValueError, match=f"label {says}"):
            publisher.track(label)
    with pytest.raises(ValueError, match="prefix must not contain NUL"):
        Just(1).print("a\0b")


PROGRAM = "import streams; list(streams.Just(1).map(str)); print('done')"


@pytest.mark.parametrize(
    "setting, begins",
    [("1", "> map: Publisher subscribe\n    > just: Publisher subscribe\n"), ("0", ""), ("", ""), (None, "")],
)
def test_the_environment_switches_it_on(setting, begins):
    environment = {name: value for name, value in os.environ.items() if name != "STREAMS_TRACE"}
    if setting is not None:
        environment["STREAMS_TRACE"] = setting
    found = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60)
    assert found.stdout == "done\n"
    assert found.stderr.startswith(begins) and bool(found.stderr) == bool(begins)


def test_the_environment_names_a_file(tmp_path):
    file = tmp_path / "trace"
    file.write_text("before\n")
    environment = {**os.environ, "STREAMS_TRACE": str(file)}
    found = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60)
    assert (found.stdout, found.stderr) == ("done\n", "")
    assert file.read_text().startswith("before\n> map: Publisher subscribe\n")


def test_a_file_that_cannot_be_written_is_the_standard_error_output(tmp_path):
    environment = {**os.environ, "STREAMS_TRACE": str(tmp_path)}
    found = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=60)
    assert found.stdout == "done\n"
    assert found.stderr.startswith(f"streams: cannot write the trace to {tmp_path}, but here\n> map: Publisher subscribe\n")


def test_tracing_changes_nothing():
    cases = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-k",
        "flat_map or zip or share or scan or prefix",
    ]
    environment = {**os.environ, "STREAMS_TRACE": os.devnull}
    file = os.path.join(os.path.dirname(__file__), "test_conformance.py")
    found = subprocess.run([*cases, file], env=environment, capture_output=True, text=True, timeout=300)
    assert found.returncode == 0, found.stdout[-2000:]
