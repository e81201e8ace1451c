"""Runs the cases of Tests/NATS/cases.json, as Tests/NATS/test_cases.c does, here and in Swift."""

import json
import pathlib
import subprocess

import pytest
from nats_server import LIMIT, Reader, connection, server  # noqa: F401
from streams import StatusError, nats
from streams._native.ffi_generated import streams_status

ROOT = pathlib.Path(__file__).resolve().parents[3]
FILE = ROOT / "Tests" / "NATS" / "cases.json"
IN_SWIFT = ROOT / "build" / "tests" / "nats" / "nats-cases"
CASES = json.loads(FILE.read_text(encoding="utf-8"))
NAMES = [f"{each['call']} {list(each['given'].values())}" for each in CASES]


def outgoing(payload, headers=(), id=None):
    return nats.Outgoing(payload, [tuple(each) for each in headers], id)


def headers(message):
    try:
        return [list(each) for each in message.header_fields]
    except nats.NATSError:
        return None


CALLS = {
    "connect": lambda _, **given: nats.Connection(**given),
    "publish": lambda c, subject, **given: c.publish(subject, outgoing(**given)),
    "publish_confirmed": lambda c, subject, payload: c.publish_confirmed(subject, payload),
    "request": lambda c, subject, payload, timeout: c.request(subject, payload, timeout / 1e9),
    "subject": lambda c, **given: c.subject(given.pop("subject"), **given),
    "stream_create": lambda c, name, subjects: c.stream(name).create(subjects),
    "stream_info": lambda c, name: c.stream(name).info(),
    "consume": lambda c, stream, **given: c.stream(stream).consumer(**given),
    "bucket_create": lambda c, name, **given: c.bucket(name).create(**given),
    "key_get": lambda c, bucket, key: c.bucket(bucket).get(key),
    "watch": lambda c, bucket, key: c.bucket(bucket).watch(key),
    "key_values": lambda c, bucket, key: c.bucket(bucket).values(key),
    "key_history": lambda c, bucket, key: c.bucket(bucket).history(key),
}


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_case_is_as_it_says(connection, case):
    call = CALLS[case["call"]]
    if "refused" in case:
        with pytest.raises(StatusError) as raised:
            call(connection, **case["given"])
        assert [streams_status(raised.value.status).name, raised.value.message] == case["refused"]
        return
    reader = Reader(connection.subject(case["given"]["subject"]))
    connection.flush()
    call(connection, **case["given"])
    reader.wait(1)
    found = {"payload": reader.texts[0], "headers": headers(reader.messages[0])}
    assert found in (case["arrives"], case.get("or_arrives"))
    reader.close()


@pytest.fixture(scope="module")
def outcomes_in_swift(server):
    """What nats-cases says of each case."""
    if not IN_SWIFT.exists():
        pytest.skip("make nats-processes has not been run")
    run = subprocess.run([IN_SWIFT, server.url, FILE], stdout=subprocess.PIPE, text=True, timeout=LIMIT)
    return run.stdout.splitlines()


@pytest.mark.parametrize("number", range(len(CASES)), ids=NAMES)
def test_a_case_is_as_it_says_in_swift(outcomes_in_swift, number):
    assert outcomes_in_swift[number : number + 1] == ["ok"]
