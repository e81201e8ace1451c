"""A stream that is cancelled leaves nothing with its scheduler that waits for its time."""

import gc

import pytest
from scheduler_kinds import LONG, Clock, applied, operators
from streams import CustomScheduler, Fail, Interval, PassthroughSubject
from streams._native.library import library


def run_what_is_due(clock):
    while due := [each for each in clock.actions if each[0] <= clock.time]:
        clock.actions = [each for each in clock.actions if each[0] > clock.time]
        for _, action in due:
            action()


def waiting(begin):
    """How many handles there are more than before once a stream on a clock of one's own was cancelled, and what was due at
    once has run. Each action that such a clock is to run has a handle until it has run, or was taken back."""
    clock = Clock()
    with CustomScheduler(clock) as scheduler:
        before = library.streams_live_handles()
        begin(clock, scheduler)
        run_what_is_due(clock)
        gc.collect()
        return library.streams_live_handles() - before


@pytest.mark.parametrize("is_finished", [False, True])
@pytest.mark.parametrize("count", [0, 1, 5])
@pytest.mark.parametrize("name", operators())
def test_nothing_waits_for_its_time(name, count, is_finished):
    def begin(clock, scheduler):
        subject = PassthroughSubject()
        source = subject.append(Fail(OSError())) if name == "retry_backoff" else subject
        cancellable = applied(name, source, scheduler, LONG).sink(None, lambda _: None)
        for number in range(count):
            run_what_is_due(clock)
            subject.send(number)
            clock.time += 1
        if is_finished:
            subject.finish()
        cancellable.cancel()

    assert waiting(begin) == 0


def test_nor_does_an_interval():
    def begin(clock, scheduler):
        cancellable = Interval(LONG, scheduler).sink(None)
        run_what_is_due(clock)
        cancellable.cancel()

    assert waiting(begin) == 0
