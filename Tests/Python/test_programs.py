"""Whole programs: Ctrl-C gets through, failures that nobody handles are printed, sys.exit exits."""

import os
import textwrap

import pytest
from programs import run

LONG_RUNS = {
    "nothing but an iterator": "streams.from_iterable(counter).drop_first(2**62).sink()",
    "C functions": "streams.from_iterable(counter).map(abs).filter(lambda_free_false).sink()",
    "a C sink": "streams.from_iterable(counter).map(abs).sink(collections.deque(maxlen=1).append)",
    "a fold": "streams.from_iterable(counter).scan(0, max).reduce(0, operator.add).sink()",
    "comparing": "streams.from_iterable(counter).remove_duplicates(operator.ne).sink()",
    "batches": "streams.from_iterable(counter).collect(100).map(len).sink(collections.deque(maxlen=1).append)",
    "inside a send": "cancellable = subject.flat_map(lambda _: streams.from_iterable(counter)).drop_first(2**62).sink()\\n"
    "    subject.send(1)",
}


@pytest.mark.parametrize("name", LONG_RUNS)
def test_ctrl_c_interrupts_a_long_run_of_c_functions(name):
    program = """
        import collections, itertools, operator, os, signal, threading, streams
        lambda_free_false = operator.not_
        counter = itertools.count(1)
        subject = streams.PassthroughSubject()
        def interrupt():
            while repr(counter) == "count(1)":
                pass  # this thread gets to run although no Python code lets it
            os.kill(os.getpid(), signal.SIGINT)
        thread = threading.Thread(target=interrupt)
        thread.start()
        try:
            RUN
        except KeyboardInterrupt:
            print("interrupted")
        thread.join()
    """
    program = textwrap.dedent(program).replace("RUN", LONG_RUNS[name].replace("\\n", "\n"))
    result = run(program, interruptible=True)
    assert (result.returncode, result.stdout) == (0, b"interrupted\n")


@pytest.mark.parametrize("again", ["Fail(ValueError()).retry(2**62)", "Empty().repeat()"])
def test_ctrl_c_interrupts_a_run_that_calls_no_python(again):
    program = f"""
        import os, signal, sys, threading, streams
        sys.setswitchinterval(1000)  # the other thread gets to run when the library gives the lock away
        publisher = streams.{again}  # what is released on the way also gives the lock away, and loses exceptions
        begun = threading.Event()
        def interrupt():
            begun.wait()
            os.kill(os.getpid(), signal.SIGINT)
        thread = threading.Thread(target=interrupt)
        thread.start()
        begun.set()
        try:
            publisher.run()
        except KeyboardInterrupt:
            print("interrupted")
        thread.join()
    """
    result = run(program, interruptible=True)
    assert (result.returncode, result.stdout) == (0, b"interrupted\n")


def test_an_unhandled_failure_is_printed_with_the_users_line():
    program = """
        import streams
        def reciprocal(n):
            return 1 / n
        subject = streams.PassthroughSubject()
        cancellable = subject.map(reciprocal).sink(print)
        subject.send(0)
        print("on it goes")
    """
    result = run(program)
    text = result.stdout.decode()
    assert result.returncode == 0 and "on it goes" in text
    assert "a stream failed, and its sink (<string>:6, in <module>) has no completion to tell" in text
    assert "Traceback (most recent call last):" in text and "line 4, in reciprocal" in text
    assert "ZeroDivisionError: " in text  # and CPython's words


def test_an_unhandled_failure_is_printed_with_its_cause():
    program = """
        import streams
        def convert(text):
            try:
                return int(text)
            except ValueError as error:
                raise LookupError("no number") from error
        streams.Just("x").map(convert).sink(print)
    """
    text = run(program).stdout.decode()
    assert "invalid literal for int()" in text and "LookupError: no number" in text and "direct cause" in text


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize("completion", ["", ", lambda error: None"])
def test_sys_exit_in_a_callback_exits(completion):
    result = run(f"import sys, streams\nstreams.Just(1).sink(lambda n: sys.exit(7){completion})\nprint('not here')")
    assert (result.returncode, result.stdout) == (7, b"")
