"""What is nested deep ends in an exception, never in a crash."""

import pathlib
import pickle
import subprocess
import sys
import threading

import endless
import pytest
import streams
from programs import run
from recorder import Recorder, values_of
from streams import Fail, Just, PassthroughSubject, StatusLimitError, StreamError, StreamLimitError
from streams._native.library import library


def fail_at_the_limit():
    handle = library.streams_error_create(streams.Status.LIMIT, b"streams", b"too deep", None)
    try:
        return streams.Publisher._adopt(library.streams_fail(handle))
    finally:
        library.streams_release(handle)


def test_the_limit_is_a_recursion_error():
    error = Recorder(fail_at_the_limit()).error
    assert isinstance(error, RecursionError) and isinstance(error, StreamError)
    assert type(error) is StreamLimitError and error.message == "too deep" and error.code == streams.Status.LIMIT
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is StreamLimitError and again.message == "too deep"
    assert issubclass(StatusLimitError, RecursionError)
    assert Recorder(fail_at_the_limit().catch(lambda e: Fail(e))).error.code == streams.Status.LIMIT


def test_code_16_of_another_domain_is_no_limit():
    error = Recorder(Fail(StreamError("other", domain="mine", code=16))).error
    assert not isinstance(error, RecursionError)


LONG = 100_000


# CPython 3.13 releases a long chain of objects by recursion, and crashes where the stack has no room for that.
SMALL = 8192 * 1024 if sys.version_info[:2] == (3, 13) else 512 * 1024


def in_a_thread(function, stack):
    """Runs a function in a thread with a small stack."""
    outcome = []
    previous = threading.stack_size(stack)
    try:
        thread = threading.Thread(target=lambda: outcome.append(function()))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(previous)
    return outcome[0]


def build(length, operator):
    publisher = Just(1)
    for _ in range(length):
        publisher = operator(publisher)
    return publisher


@pytest.mark.parametrize("operator", ["map", "scan", "flat_map", "catch", "merge"])
def test_long_chains_are_built_and_let_go_of(operator):
    step = {
        "map": lambda p: p.map(abs),
        "scan": lambda p: p.scan(0, max),
        "flat_map": lambda p: p.flat_map(Just),
        "catch": lambda p: p.catch(Fail),
        "merge": lambda p: p.merge(),
    }[operator]

    def run():
        publisher = build(LONG, step)
        publisher.close()
        kept = [Just(1)]
        for _ in range(LONG):
            kept.append(step(kept[-1]))
        kept.clear()
        return True

    assert in_a_thread(run, SMALL)


@pytest.mark.parametrize("stack", [SMALL, None])
def test_a_long_chain_of_maps_delivers(stack):
    def run():
        return values_of(build(LONG, lambda p: p.map(lambda n: n + 1)))

    assert (run() if stack is None else in_a_thread(run, stack)) == [LONG + 1]


def test_python_functions_that_nest_too_deep_end_in_a_recursion_error():
    program = """
        import sys, threading, streams
        def run():
            subjects = [streams.PassthroughSubject() for _ in range(3_000)]
            cancellables = []
            for each, following in zip(subjects, subjects[1:]):
                cancellables.append(each.sink(lambda value, to=following: to.send(value), lambda error: ends.append(error)))
            subjects[0].send(1)
        ends = []
        threading.stack_size(64 * 1024 * 1024)
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        assert [type(error) for error in ends] == [RecursionError] or ends == [], ends
    """
    result = run(program)
    assert (result.returncode, result.stdout) == (0, b"")


@pytest.mark.parametrize("stack", [128, 256, 512, 8192, 0], ids=["128 KiB", "256 KiB", "512 KiB", "8 MiB", "main thread"])
def test_who_sends_from_within_without_end_is_told_so(stack):
    """The functions that send without end, in every kind of callback: each stream fails once, with a RecursionError."""
    programs = pathlib.Path(__file__).with_name("endless.py")
    result = subprocess.run(
        [sys.executable, programs, str(stack)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=120
    )
    names = [program.__name__ for program in endless.PROGRAMS]
    assert (result.returncode, result.stdout.splitlines()) == (0, names)


def test_a_subject_that_sends_to_itself_without_end():
    """Its stream fails where there is no more room, and hears of it when there is room again, before send returns."""
    subject = PassthroughSubject()
    sent, ends = [], []

    def value(number):
        sent.append(number)
        subject.send(number + 1)

    cancellable = subject.sink(value, ends.append)
    subject.send(0)
    assert sent == list(range(len(sent))) and len(sent) > 100
    assert len(ends) == 1 and isinstance(ends[0], RecursionError)
    subject.send(-1)
    assert sent[-1] != -1 and len(ends) == 1, "the stream is over"
    ends.clear()
    cancellable.close()


def deep_down(function):
    """What a function returns or raises in each of the last frames before the limit."""

    def walk(frames):
        return function() if frames == 0 else walk(frames - 1)

    for frames in range(sys.getrecursionlimit() - 150, sys.getrecursionlimit()):
        try:
            yield walk(frames)
        except RecursionError as error:
            yield error


CALLABLES = {"functions": lambda kept: lambda value: kept.append(value), "methods of C": lambda kept: kept.append}


@pytest.mark.parametrize("wrapped", [lambda p: p, lambda p: p.map(lambda n: n), lambda p: p.scan(0, max)])
@pytest.mark.parametrize("kind", CALLABLES)
def test_a_program_that_is_deep_itself_loses_no_value_in_silence(kind, wrapped):
    values, ends, told = [], [], 0
    limit = sys.getrecursionlimit()

    def send():
        subject.send(1)

    subject = PassthroughSubject()
    cancellable = wrapped(subject).sink(CALLABLES[kind](values), CALLABLES[kind](ends))
    for outcome in deep_down(send):
        if values == [1] and not ends:
            values.clear()
            continue
        if not ends:
            assert isinstance(outcome, RecursionError), "the sender knows"
            continue
        assert values == [] and [type(error) for error in ends] == [RecursionError]
        told += 1
        cancellable.close()
        ends.clear()
        subject = PassthroughSubject()
        cancellable = wrapped(subject).sink(CALLABLES[kind](values), CALLABLES[kind](ends))
    # From CPython 3.14 on methods of C need no room of their own.
    needs_room = kind != "methods of C" or sys.version_info < (3, 14)
    assert (told > 0 or not needs_room) and sys.getrecursionlimit() == limit
    cancellable.close()


def test_a_failure_that_is_sent_deep_down_is_a_recursion_error_or_arrives():
    error, outcomes = ValueError(), set()

    def fail():
        subject.fail(error)

    subject = PassthroughSubject()
    for outcome in deep_down(fail):
        outcomes.add(type(outcome))
        subject = PassthroughSubject()
    assert outcomes == {type(None), RecursionError}


@pytest.mark.parametrize("way", ["close", "let go of"])
def test_a_cancellable_ends_its_stream_where_there_is_no_room(way, unraisable):
    """Deep down, what it ends may be ended when the calls around it have returned."""

    def run():
        subject, other, log = PassthroughSubject(), PassthroughSubject(), []
        cancellables = [other.handle_events(receive_cancel=lambda: log.append("cancelled")).sink(log.append)]

        def receive(value):
            try:
                subject.send(value)
            except RecursionError:
                if cancellables and way == "close":
                    cancellables[0].close()
                cancellables.clear()

        cancellable = subject.sink(receive)
        subject.send(1)
        assert not cancellables
        other.send("late")
        cancellable.close()
        return log

    assert in_a_thread(run, 512 * 1024) == ["cancelled"]
    assert unraisable == []


def test_a_failure_for_lack_of_depth_is_not_told_after_a_cancellation():
    subject = PassthroughSubject()
    ends = []

    def value(number):
        if number == 0:
            subject.send(1)
            cancellable.cancel()
        else:
            raise RecursionError("enough")

    cancellable = subject.sink(value, ends.append)
    subject.send(0)
    assert ends == []
    cancellable.close()
