"""Suites of Swift tests."""

import json
import re

from .settings import DEBUG, ROOT, STRICTLY, SWIFT

EVENT_VERSION = "6.3"


def xctest_results(text):
    """What became of each XCTest test in the output of a run: [(name, "passed", "failed" or "skipped")]."""
    return re.findall(r"Test Case '([^'\n]+)' (passed|failed|skipped) \(", text)


def testing_results(path):
    """The same of the Swift Testing tests, from the events of a run. A test that has no end has "failed"."""
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    records = [json.loads(line) for line in lines if line.endswith("}")]
    functions = {each["payload"]["id"] for each in records if each["payload"]["kind"] == "function"}
    outcomes = {}
    strays = []
    for event in (each["payload"] for each in records if each["kind"] == "event"):
        test, kind = event.get("testID"), event["kind"]
        if kind == "issueRecorded" and test is None:
            # What fails on a thread that is nobody's task belongs to no test, and no test fails for it.
            strays.append((f"on a thread of its own: {event['messages'][0]['text']}", "failed"))
        elif kind == "testStarted":
            outcomes[test] = "failed"
        elif kind == "testSkipped":
            outcomes[test] = "skipped"
        elif kind == "testEnded":
            outcomes[test] = "failed" if event["messages"][0]["symbol"] == "fail" else "passed"
    return [each for each in outcomes.items() if each[0] in functions] + strays


def build_tests(suite, flags=DEBUG, env=None):
    """Builds the Swift tests. Returns the options to run them with, or None if they do not build."""
    command = [SWIFT, "build", "--build-tests", *flags]
    return flags if suite.command("builds without warnings", command, env=env, timeout=2400)[0] else None


# Swift Testing would begin all cases at once. As long as any of them waits, it looks for the ends of processes, and goes
# through all errors that were thrown.
FEWER_AT_ONCE = {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "4", "SWT_SWIFT_ERROR_BACKTRACING_ENABLED": "0"}


def run_tests(suite, flags, env=None):
    """Runs the Swift tests and counts them. Returns what they wrote."""
    events = suite.path.with_suffix(".jsonl")
    events.unlink(missing_ok=True)
    record = ["--event-stream-output-path", events, "--event-stream-version", EVENT_VERSION]
    env = {**FEWER_AT_ONCE, **(env or {})}
    status, text = suite.run([SWIFT, "test", "--skip-build", *flags, *record], env=env, timeout=2400)
    testing = testing_results(events)
    suite.check("records its events", testing, f"{events} names no test")
    results = xctest_results(text) + testing
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
    flags = build_tests(suite)
    if flags:
        run_tests(suite, flags)


def sanitized(suite, sanitizer, scratch, function, env=None):
    """The Swift tests under a sanitizer. `function` is one that the compiler makes every instrumented program call. Without
    those of NATS: a sanitizer does not see into libnats."""
    if not suite.needs("Package.swift", "Tests/StreamsTests"):
        return
    env = {"STREAMS_NATS": "0", **(env or {})}
    # Its reports need debug information.
    flags = build_tests(suite, ["--scratch-path", scratch, *STRICTLY, f"--sanitize={sanitizer}"], env)
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
