"""The suite of `make soak`: the tests in which threads race, over and over."""

import os

from . import c, fuzz_c, nats, python, swift
from .settings import ROOT, clang

RACING_PYTHON = ["test_asyncio.py", "test_errors.py", "test_sink_errors.py", "test_shutdown.py", "test_threads.py"]
# Programs whose own memory is not used again for what a counted reference has let go of: ThreadSanitizer does not see
# the counting, which is in the runtime.
UNDER_THREAD_SANITIZER = ["test_handover", "test_host_threads", "test_joining", "test_real_time"]


def run_under_thread_sanitizer(suite, name):
    """Builds one of C's tests with the sanitizer, and with the library that has it inside, and runs it."""
    program = c.FOLDER / f"{name}-thread"
    flags = [*c.FLAGS, *fuzz_c.sanitized("thread"), *c.packages()]
    sources = [ROOT / f"Tests/C/{name}.c", *c.SUPPORT]
    if suite.command(f"{name} builds with ThreadSanitizer", [clang(), *sources, *flags, "-o", program])[0]:
        options = fuzz_c.SANITIZER_OPTIONS
        suite.command(f"{name} under ThreadSanitizer", [program], env=options, timeout=900)


def suite_soak(suite):
    """All of Swift's and C's tests and the racing ones of Python's, ROUNDS times: what seldom happens gets a chance. And
    a million messages through NATS."""
    rounds = int(os.environ.get("ROUNDS") or 20)
    flags = swift.build_tests(suite)
    programs = list(c.programs(suite))
    if nats.build(suite) and nats.build_in_swift(suite):
        nats.run_workers(suite, 1_000_000)
    for name in UNDER_THREAD_SANITIZER:
        run_under_thread_sanitizer(suite, name)
    for number in range(1, rounds + 1):
        suite.say(f"\n==== round {number} of {rounds}")
        if flags:
            swift.run_tests(suite, flags)
        for name, program in programs:
            c.run_program(suite, name, program)
        python.run_tests(suite, *(f"Tests/Python/{name}" for name in RACING_PYTHON))
