"""Every operator that the catalogue calls by a name of RxPY's is compared with it, or it is said why not."""

import pathlib
import sys

import test_rxpy
import test_rxpy_joins
import test_rxpy_sources
import test_rxpy_subjects
import test_rxpy_time

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "Tools"))
import catalogue  # noqa: E402  Tools/catalogue.py

TABLES = [
    test_rxpy.OPERATORS,
    test_rxpy_joins.JOINED,
    test_rxpy_sources.COMPARED,
    test_rxpy_subjects.SUBJECTS,
    test_rxpy_subjects.SHARED,
    test_rxpy_subjects.SHARED_WITH_VALUES,
    test_rxpy_subjects.CONNECTED,
    test_rxpy_time.TIMED,
    test_rxpy_time.WINDOWS,
]
# The first word of a row names the entry.

EXEMPT = {
    "throttle": "passes on what throttle_first drops; the guide's recipe for that is compared",
    "event_loop": "a program runs it, while RxPY's has a thread",
    "serial_queue": "its thread is one for all that it is given, while RxPY's makes one for each subscriber",
    "queue_pool": "a pool of queues, for which receive_on takes a queue of the pool",
    "executor_scheduler": "which thread runs what is not RxPY's",
}


def test_every_operator_with_a_name_of_rxpys_is_compared():
    compared = {name.split()[0] for table in TABLES for name in table}
    entries = [each for each in catalogue.entries(catalogue.read()) if "rxpy" in each.said and each.python]
    assert {each.name for each in entries} - compared == set(EXEMPT)
    assert compared <= {each.name for each in catalogue.entries(catalogue.read())}
