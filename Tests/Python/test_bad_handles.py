"""What is closed, and what is no handle at all, is refused, and the process lives."""

import ctypes

import pytest
import streams
from recorder import Recorder, values_of
from streams import ClosedError, CurrentValueSubject, Empty, Just, PassthroughSubject, Status, StatusError
from streams._native import ffi_generated as ffi
from streams._native.errors import check
from streams._native.library import Library, library

CLOSED = {
    "map": lambda p: p.map(str),
    "filter": lambda p: p.filter(bool),
    "compact_map": lambda p: p.compact_map(str),
    "remove_duplicates": lambda p: p.remove_duplicates(),
    "scan": lambda p: p.scan(0, max),
    "reduce": lambda p: p.reduce(0, max),
    "collect": lambda p: p.collect(),
    "collect(n)": lambda p: p.collect(2),
    "prefix": lambda p: p.prefix(1),
    "drop_first": lambda p: p.drop_first(),
    "first": lambda p: p.first(),
    "drop_while": lambda p: p.drop_while(bool),
    "contains": lambda p: p.contains(1),
    "replace_nil": lambda p: p.replace_nil(1),
    "replace_error": lambda p: p.replace_error(1),
    "flat_map": lambda p: p.flat_map(Just),
    "merge": lambda p: p.merge(Just(1)),
    "merged": lambda p: Just(1).merge(Just(2), p),
    "zip": lambda p: p.zip(Just(1)),
    "zipped": lambda p: Just(1).zip(p),
    "combine_latest": lambda p: p.combine_latest(Just(1)),
    "zip_with": lambda p: p.zip(Just(1), combine=max),
    "with_latest_from": lambda p: p.with_latest_from(Just(1)),
    "amb": lambda p: p.amb(Just(1)),
    "concat_map": lambda p: p.concat_map(Just),
    "distinct": lambda p: p.distinct(),
    "dematerialize": lambda p: p.dematerialize(),
    "materialize": lambda p: p.materialize(),
    "pairwise": lambda p: p.pairwise(),
    "repeat": lambda p: p.repeat(2),
    "group_by": lambda p: p.group_by(str),
    "window": lambda p: p.window(Just(1)),
    "windowed": lambda p: Just(1).window(p),
    "window_by_count": lambda p: p.window_by_count(1),
    "replayed": lambda p: p.share(replay=1),
    "sample": lambda p: p.sample(Just(1)),
    "sampled": lambda p: Just(1).sample(p),
    "sum": lambda p: p.sum(),
    "latest": lambda p: Just(1).with_latest_from(p, max),
    "catch": lambda p: p.catch(Just),
    "handle_events": lambda p: p.handle_events(receive_output=print),
    "print": lambda p: p.print(),
    "sink": lambda p: p.sink(print),
    "assign": lambda p: p.assign(CurrentValueSubject(0)),
    "assign to attribute": lambda p: p.assign(CLOSED, "x"),
    "subscribe": lambda p: p.subscribe(PassthroughSubject()),
}


@pytest.mark.parametrize("name", CLOSED)
def test_closed_publisher(name):
    publisher = Just(1).map(str)
    publisher.close()
    publisher.close()
    assert publisher.closed
    with pytest.raises(ClosedError) as caught:
        CLOSED[name](publisher)
    assert isinstance(caught.value, ValueError) and caught.value.status == Status.STALE_HANDLE


def test_closed_publisher_stays_closed_when_its_place_is_taken():
    closed = Just(1)
    closed.close()
    others = [Just(n) for n in range(100)]
    with pytest.raises(ClosedError):
        closed.sink(print)
    assert [values_of(each) for each in others] == [[n] for n in range(100)]


def test_closed_subscription():
    recorder = Recorder(Empty(complete_immediately=False))
    subscription = recorder.subscription
    subscription.close()
    for call in (lambda: subscription.request(1), subscription.cancel):
        with pytest.raises(ClosedError):
            call()


def test_object_that_was_never_made():
    publisher = streams.Publisher.__new__(streams.Publisher)
    with pytest.raises(ClosedError):
        publisher.map(str)
    publisher.close()
    assert publisher.closed


def test_status_errors():
    assert issubclass(StatusError, Exception)
    assert Status.STALE_HANDLE == 2
    check(0)
    with pytest.raises(ClosedError) as caught:
        check(library.streams_retain(None))
    assert caught.value.function == "streams_retain"


# ---- every function of the library with every kind of bad handle --------------------------------------------------


def handles():
    """Tokens that are no good: none, one given back, one that never was, and ones of other kinds."""
    stale = library.streams_empty(True)
    library.streams_release(stale)
    return [None, stale, 1, 2**63 - 1, 2**64 - 1, id(object())]


def arguments(function, bad):
    """Arguments for a function, with a bad handle for each pointer that has no type."""
    found = []
    for kind in function.argtypes:
        if kind is ctypes.c_void_p:
            found.append(bad)
        elif kind is ctypes.py_object:
            found.append("object")
        elif kind is ctypes.c_char_p:
            found.append(b"text")
        elif kind is ffi.function_address:
            found.append(None)
        elif kind is ctypes.c_bool:
            found.append(False)
        elif issubclass(kind, ctypes._SimpleCData):
            found.append(0)
        else:
            found.append(None)
    return found


# These take addresses, of which the library cannot know whether they are good.
ADDRESSES = {
    "streams_value_bytes",
    "streams_value_object",
    "streams_callable_destroy",
}


through_ctypes = Library(library._name, ffi.FUNCTIONS)


@pytest.mark.parametrize("way", [library, through_ctypes], ids=["as called", "through ctypes"])
@pytest.mark.parametrize("name", [name for name in ffi.FUNCTIONS if name not in ADDRESSES])
def test_bad_handles(name, way, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # for a file that is called "text"
    declared, function = getattr(through_ctypes, name), getattr(way, name)
    for bad in handles():
        try:
            result = function(*arguments(declared, bad))
        except streams.StatusError as error:
            assert bad == 2**64 - 1 and "is not an integer of 64 bits" in str(error)
            continue
        if result and declared.restype is ctypes.c_void_p:
            library.streams_release(result)
    # What some of them have started.
    library.streams_trace_stop()
    library.streams_trace_to_file(None)
