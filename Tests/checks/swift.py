"""Suites of Swift tests."""

import re

from .settings import SWIFT


def suite_swift(suite):
    """The Swift tests, built with warnings as errors."""
    if not suite.needs("Package.swift", "Tests/StreamsTests"):
        return
    flags = ["--scratch-path", ".build-test", "-Xswiftc", "-warnings-as-errors"]
    if not suite.command("builds without warnings", [SWIFT, "build", "--build-tests", *flags], timeout=900)[0]:
        return
    status, text = suite.run([SWIFT, "test", "--skip-build", *flags], timeout=600)
    xctest = re.findall(r"Test Case '([^'\n]+)' (passed|failed|skipped) \(", text)
    # Swift Testing says "✔ Test name() passed after ...", "✘ Test name() failed after ...", "➜ Test name() skipped".
    testing = re.findall(
        r"^[^\w\s] +Test (?!run |case )((?:(?! recorded ).)+?)(?: with \d+ test cases?)? "
        r"(passed|failed|skipped)(?: after \d|\.$|: )",
        text,
        re.MULTILINE,
    )
    results = xctest + testing
    failed = [name for name, outcome in results if outcome == "failed"]
    suite.add(
        sum(outcome == "passed" for _, outcome in results),
        len(failed),
        sum(outcome == "skipped" for _, outcome in results),
        failed,
        status,
        "swift test",
    )
