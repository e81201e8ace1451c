"""Virtual time, and lengths of time. What debounce does is in the cases of the catalogue."""

import datetime
import gc
import weakref

import pytest
import streams
from hypothesis import given
from hypothesis import strategies as st
from recorder import Recorder
from streams import PassthroughSubject, VirtualTimeScheduler

NANOSECONDS = st.integers(0, 10**15)


def test_time_passes_as_it_is_told():
    scheduler = VirtualTimeScheduler()
    assert (scheduler.now, scheduler.nanoseconds) == (0, 0)
    scheduler.advance(1.5)
    scheduler.advance()
    scheduler.advance(datetime.timedelta(milliseconds=1))
    assert scheduler.now == 1.501
    assert scheduler.nanoseconds == 1_501_000_000


@given(st.lists(NANOSECONDS, max_size=20))
def test_no_time_is_lost(lengths):
    scheduler = VirtualTimeScheduler()
    for each in lengths:
        scheduler.advance(datetime.timedelta(microseconds=each))
    assert scheduler.nanoseconds == min(1000 * sum(lengths), 2**63 - 1)
    scheduler.close()


@pytest.mark.parametrize("time, error", [
    (-1e300, ValueError), ("1", TypeError), (None, TypeError), (True, TypeError), (float("nan"), ValueError),
    (float("inf"), ValueError), (-1, ValueError), (-0.5, ValueError), (datetime.timedelta(days=-1), ValueError),
])  # fmt: skip
def test_what_is_no_length_of_time(time, error):
    scheduler = VirtualTimeScheduler()
    with pytest.raises(error, match="time"):
        scheduler.advance(time)
    with pytest.raises(error, match="due_time"):
        PassthroughSubject().debounce(time, scheduler)
    assert scheduler.now == 0


def test_what_is_no_scheduler():
    with pytest.raises(TypeError, match="scheduler must be a Scheduler, not str"):
        PassthroughSubject().debounce(1, "main")


def test_a_closed_scheduler_is_refused():
    scheduler, subject = VirtualTimeScheduler(), PassthroughSubject()
    scheduler.close()
    for call in (scheduler.advance, lambda: scheduler.now, lambda: subject.debounce(1, scheduler)):
        with pytest.raises(streams.ClosedError):
            call()


def test_a_time_of_292_years_is_the_last():
    scheduler = VirtualTimeScheduler()
    for each in (2.0**62, 1e300, 10**30):
        scheduler.advance(each)
    assert scheduler.nanoseconds == 2**63 - 1


def test_an_end_that_waits_goes_with_the_scheduler():
    class Text(str):
        pass

    scheduler, subject = VirtualTimeScheduler(), PassthroughSubject()
    recorder = Recorder(subject.debounce(1, scheduler))
    value = Text("waiting")
    gone = weakref.ref(value)
    subject.send(value)
    subject.finish()
    del value
    scheduler.close()
    gc.collect()
    assert gone() is None
    assert recorder.values == [] and recorder.ends == []


def test_what_a_value_raises_ends_the_stream_and_time_goes_on():
    scheduler, subject, ends = VirtualTimeScheduler(), PassthroughSubject(), []
    cancellable = subject.debounce(1, scheduler).sink(lambda _: 1 / 0, ends.append)
    subject.send(1)
    scheduler.advance(5)
    assert [type(each) for each in ends] == [ZeroDivisionError]
    assert scheduler.now == 5
    cancellable.close()


def test_an_escape_comes_out_of_advance():
    def stop(_):
        raise KeyboardInterrupt

    scheduler, subject = VirtualTimeScheduler(), PassthroughSubject()
    cancellable = subject.debounce(1, scheduler).sink(stop, lambda _: None)
    subject.send(1)
    with pytest.raises(KeyboardInterrupt):
        scheduler.advance(1)
    cancellable.close()


def test_a_scheduler_is_made_by_its_kind():
    with pytest.raises(TypeError, match="made by its kind, such as EventLoop"):
        streams.Scheduler()


def test_what_is_repeated_without_end_stops_after_a_million_times():
    subject, ends = PassthroughSubject(), []
    with streams.VirtualTimeScheduler() as scheduler:
        cancellable = subject.collect_by_time(1e-6, scheduler).sink(print, ends.append)
        for expected in (1.0, 2.0):
            with pytest.raises(streams.StatusLimitError, match="1000000 actions have run, and there are more"):
                scheduler.run()
            assert scheduler.now == expected
        subject.finish()
        scheduler.run()
    assert ends == [None] and cancellable is not None
