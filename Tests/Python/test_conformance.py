"""Runs the cases of Tests/Catalogue, whose Cases.md says what they mean."""

import pytest
import streams
from case_runner import APART, BATCHES, CASES, PLAIN, SINGLES, Runner


def ways(case):
    yield PLAIN
    yield APART
    if any(step["do"][0] == "send_values" for step in case["steps"]):
        yield SINGLES
    subscriber = case.get("subscriber", {})
    if not subscriber.get("returns") and not subscriber.get("on_value"):
        yield BATCHES


@pytest.mark.parametrize(
    "case, way", [pytest.param(case, way, id=f"{case['name']} ({way})") for case in CASES for way in ways(case)]
)
def test_case(case, way, unraisable):
    runner = Runner(case, way)
    try:
        runner.run()
    finally:
        runner.end_all()
    # Python reports the failure of a stream that is assigned, which is passed on to nobody.
    expected = [streams.UnhandledFailure] if "a failure is not passed on" in case["name"] else []
    assert list(map(type, unraisable)) == expected


def test_the_table_is_there():
    assert len(CASES) > 200
    assert len({case["name"] for case in CASES}) == len(CASES)
