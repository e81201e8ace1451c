"""Suites of Swift tests."""

import re

from .settings import ROOT, SWIFT


def test_results(text):
    """What became of each test in the output of a run: [(name, "passed", "failed" or "skipped")]."""
    xctest = re.findall(r"Test Case '([^'\n]+)' (passed|failed|skipped) \(", text)
    # Swift Testing says "✔ Test name() passed after ...", "✘ Test name() failed after ...", "➜ Test name() skipped".
    testing = re.findall(
        r"^[^\w\s] +Test (?!run |case )((?:(?! recorded ).)+?)(?: with \d+ test cases?)? "
        r"(passed|failed|skipped)(?: after \d|\.$|: )",
        text,
        re.MULTILINE,
    )
    # What fails on a thread that is nobody's task belongs to no test, and no test fails for it.
    stray = re.findall(r"^[^\w\s] +Test «unknown» recorded an issue at (.+)", text, re.MULTILINE)
    return xctest + testing + [(each, "failed") for each in stray]


def build_tests(suite, scratch, *options):
    """Builds the Swift tests. Returns the options to run them with, or None if they do not build."""
    flags = ["--scratch-path", scratch, "-Xswiftc", "-warnings-as-errors", *options]
    command = [SWIFT, "build", "--build-tests", *flags]
    return flags if suite.command("builds without warnings", command, timeout=900)[0] else None


def run_tests(suite, flags, env=None):
    """Runs the Swift tests and counts them. Returns what they wrote."""
    status, text = suite.run([SWIFT, "test", "--skip-build", *flags], env=env, timeout=900)
    results = test_results(text)
    failed = [name for name, outcome in results if outcome == "failed"]
    suite.add(
        sum(outcome == "passed" for _, outcome in results),
        len(failed),
        sum(outcome == "skipped" for _, outcome in results),
        failed,
        status,
        "swift test",
    )
    return text


def suite_swift(suite):
    """The Swift tests, built with warnings as errors."""
    if not suite.needs("Package.swift", "Tests/StreamsTests"):
        return
    flags = build_tests(suite, ".build-test")
    if flags:
        run_tests(suite, flags)


def sanitized(suite, sanitizer, scratch, function, env=None):
    """The Swift tests under a sanitizer. `function` is one that the compiler makes every instrumented program call."""
    if not suite.needs("Package.swift", "Tests/StreamsTests"):
        return
    flags = build_tests(suite, scratch, f"--sanitize={sanitizer}")
    if not flags:
        return
    program = ROOT / scratch / "debug" / "StreamsPackageTests.xctest"
    suite.check("is instrumented", program.exists() and function in program.read_bytes(), f"{program} is not")
    reports = re.findall(r"(?:WARNING|ERROR): \w+Sanitizer: .*", run_tests(suite, flags, env))
    suite.check("no report", not reports, f"{len(reports)}, the first: {' '.join(reports[:1])}")


def suite_tsan(suite):
    """The Swift tests under ThreadSanitizer, without a report."""
    sanitized(suite, "thread", ".build-tsan", b"__tsan_func_entry", {"TSAN_OPTIONS": "second_deadlock_stack=1"})


def suite_asan(suite):
    """The Swift tests under AddressSanitizer, without a report. Its options are in Tests/SanitizerDefaults."""
    sanitized(suite, "address", ".build-asan", b"__asan_init")
