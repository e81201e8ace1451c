"""Publishers that Python has from C of the same process, and the other way round."""

import ctypes
import gc
import threading

import pytest
import streams
from streams import (
    ClosedError,
    Connectable,
    CurrentValueSubject,
    EventLoop,
    Just,
    PassthroughSubject,
    Publisher,
    Sequence,
    StatusTypeError,
    Subject,
    from_handle,
    to_handle,
)
from streams._native.library import library
from test_readme import compile_c

SOURCE = """
#include <stdlib.h>
#include <streams.h>

static streams_status twice(void *context, const streams_value *in, streams_value *out) {
    (void)context;
    *out = streams_int(in->as.integer * 2);
    return STREAMS_OK;
}
streams_publisher *doubled(streams_publisher *publisher) { return streams_map(publisher, twice, NULL, NULL); }
streams_publisher *count_to(int64_t last) {
    int64_t numbers[10];
    for (int64_t n = 0; n < last; n++) numbers[n] = n + 1;
    return streams_sequence_int64s(numbers, (size_t)last);
}
streams_publisher *fail(void) { return streams_prefix(count_to(3), -1); }
streams_subject *make_subject(void) { return streams_passthrough_subject_create(); }
streams_connectable *make_connectable(void) { return streams_make_connectable(count_to(3)); }
streams_status connect_and_disconnect(streams_connectable *connectable) {
    return streams_release(streams_connect(connectable));
}
streams_status send(streams_subject *subject, int64_t number) {
    streams_value value = streams_int(number);
    return streams_subject_send(subject, &value);
}
streams_publisher *publisher_of(streams_subject *subject) { return streams_subject_publisher(subject); }
void *make_other(int which) {
    switch (which) {
    case 0: return streams_promise_create();
    case 1: return streams_loop_create();
    case 2: return streams_error_create(1, "test", "why", NULL);
    case 3: return streams_observable_object_create();
    default: return streams_property_create(&(streams_value){ .kind = STREAMS_VALUE_INT64 });
    }
}
static uint64_t add(void *sum, const streams_value *value) {
    *(int64_t *)sum += value->as.integer;
    return 0;
}
int64_t sum_of(streams_publisher *publisher) {
    int64_t sum = 0;
    streams_subscriber adder = STREAMS_SUBSCRIBER_INIT;
    adder.context = &sum;
    adder.on_value = add;
    return streams_run(publisher, &adder, INT64_MAX) == STREAMS_OK ? sum : -1;
}
static uint64_t see(void *seen, const streams_value *value) {
    *(void **)seen = value->kind == STREAMS_VALUE_OBJECT ? value->as.object : NULL;
    return 0;
}
void *object_in(streams_publisher *publisher) {
    void *seen = NULL;
    streams_subscriber subscriber = STREAMS_SUBSCRIBER_INIT;
    subscriber.context = &seen;
    subscriber.on_value = see;
    streams_run(publisher, &subscriber, INT64_MAX);
    return seen;
}
"""
HANDLE = ctypes.c_void_p
FUNCTIONS = {
    "doubled": (HANDLE, [HANDLE]),
    "count_to": (HANDLE, [ctypes.c_int64]),
    "fail": (HANDLE, []),
    "make_subject": (HANDLE, []),
    "make_connectable": (HANDLE, []),
    "connect_and_disconnect": (ctypes.c_int, [HANDLE]),
    "send": (ctypes.c_int, [HANDLE, ctypes.c_int64]),
    "publisher_of": (HANDLE, [HANDLE]),
    "make_other": (HANDLE, [ctypes.c_int]),
    "sum_of": (ctypes.c_int64, [HANDLE]),
    "object_in": (HANDLE, [HANDLE]),
}


@pytest.fixture(scope="module")
def c(tmp_path_factory):
    """A library in C, which uses the library that the package has loaded."""
    extension = ctypes.CDLL(str(compile_c(SOURCE, tmp_path_factory.mktemp("c"), "-shared", "-fPIC")))
    for name, (result, arguments) in FUNCTIONS.items():
        getattr(extension, name).restype, getattr(extension, name).argtypes = result, arguments
    return extension


# ---- From C --------------------------------------------------------------------------------------------------


def test_a_publisher_of_c(c):
    publisher = from_handle(c.count_to(3))
    assert type(publisher) is Publisher
    assert list(publisher.map(lambda n: n + 1)) == [2, 3, 4]
    assert list(publisher) == [1, 2, 3]
    assert "from_handle(" in repr(publisher)


def test_a_subject_of_c(c):
    handle = c.make_subject()
    subject = from_handle(handle)
    assert type(subject) is Subject
    seen = []
    cancellable = subject.sink(seen.append)
    assert c.send(handle, 1) == 0
    subject.send(2)
    subject.finish()
    assert seen == [1, 2]
    cancellable.cancel()


def test_a_connectable_of_c(c):
    connectable = from_handle(c.make_connectable())
    assert type(connectable) is Connectable
    seen = []
    cancellable = connectable.sink(seen.append)
    connectable.connect().cancel()
    assert seen == [1, 2, 3]
    cancellable.cancel()


def test_it_takes_the_reference_over(c):
    handle = c.count_to(3)
    publisher = from_handle(handle)
    publisher.close()
    assert library.streams_handle_kind(handle) == 0
    with pytest.raises(ClosedError, match="released or consumed"):
        from_handle(handle)
    assert publisher.closed


def test_one_reference_is_given_twice(c):
    """A mistake, which is told, and ends nothing else."""
    handle = c.count_to(3)
    first, second = from_handle(handle), from_handle(handle)
    first.close()
    with pytest.raises(ClosedError):
        list(second)
    second.close()
    del second
    gc.collect()


# ---- For C ---------------------------------------------------------------------------------------------------


def test_a_publisher_for_c(c):
    numbers = Sequence([1, 2, 3])
    assert c.sum_of(to_handle(numbers)) == 6
    assert list(numbers) == [1, 2, 3]


def test_through_c_and_back(c):
    doubled = from_handle(c.doubled(to_handle(Sequence([1, 2, 3]))))
    assert list(doubled) == [2, 4, 6]


def test_a_subject_for_c(c):
    subject, seen = CurrentValueSubject(0), []
    cancellable = subject.sink(seen.append)
    handle = to_handle(subject)
    assert c.send(handle, 5) == 0
    publisher = from_handle(c.publisher_of(handle))
    assert subject.value == 5 and publisher.first_value() == 5
    assert library.streams_release(handle) == 0
    assert seen == [0, 5]
    cancellable.cancel()


def test_a_connectable_for_c(c):
    connectable, seen = Sequence([1, 2]).make_connectable(), []
    cancellable = connectable.sink(seen.append)
    handle = to_handle(connectable)
    assert c.connect_and_disconnect(handle) == 0
    assert library.streams_release(handle) == 0
    assert seen == [1, 2]
    cancellable.cancel()


def test_the_publisher_may_be_closed(c):
    numbers = Sequence([1, 2, 3])
    handle = to_handle(numbers)
    numbers.close()
    assert c.sum_of(handle) == 6


def test_an_object_is_its_address_in_c(c):
    thing = object()
    assert c.object_in(to_handle(Just(thing))) == id(thing)


def test_c_on_a_thread_of_its_own(c):
    """Neither waits with the interpreter's lock for who needs it."""
    subject, seen = PassthroughSubject(), []
    cancellable = subject.map(lambda n: n * 2).sink(seen.append)
    handle = to_handle(subject)
    threads = [threading.Thread(target=lambda: [c.send(handle, n) for n in range(100)]) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == sorted(2 * n for n in range(100) for _ in range(3))
    library.streams_release(handle)
    cancellable.cancel()


# ---- What is none --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [-1, 1, 12345, 2**63, 2**64 - 1, 2**64, 2**64 + 1, -(2**64), 10**30, True])
def test_numbers_that_are_no_handles(number):
    with pytest.raises(ClosedError, match="not a handle at all"):
        from_handle(number)


@pytest.mark.parametrize("beyond", [2**64, -(2**64)])
def test_what_ctypes_would_cut_off(c, beyond):
    publisher = from_handle(c.count_to(1))
    with pytest.raises(ClosedError):
        from_handle(publisher._handle + beyond)
    assert list(publisher) == [1]


def test_handles_beside_one(c):
    publisher = from_handle(c.count_to(1))
    for number in (publisher._handle - 1, publisher._handle + 1, publisher._handle ^ (1 << 40)):
        with pytest.raises(ClosedError):
            from_handle(number)
    assert list(publisher) == [1]


@pytest.mark.parametrize("null", [0, None, False])
def test_null(c, null):
    library.streams_clear_last_error()
    with pytest.raises(ValueError, match="from_handle: handle is NULL$"):
        from_handle(null)
    assert c.fail() is None
    with pytest.raises(ValueError, match="NULL; .* streams_prefix: count is -1"):
        from_handle(null)
    library.streams_clear_last_error()


@pytest.mark.parametrize("what", ["1", 1.5, b"1", [], object(), ctypes.c_void_p(1), Just(1)])
def test_what_is_no_integer(what):
    with pytest.raises(TypeError, match="from_handle: handle must be an int, not "):
        from_handle(what)


@pytest.mark.parametrize("which", range(5))
def test_handles_of_something_else_stay_whose_they_are(c, which):
    handle = c.make_other(which)
    with pytest.raises(StatusTypeError, match="handle of something else: [A-Z_]+"):
        from_handle(handle)
    assert library.streams_release(handle) == 0


def test_what_is_no_publisher():
    subject = PassthroughSubject()
    with subject.sink(print) as cancellable, EventLoop() as loop:
        for what in (None, 1, "x", Publisher, cancellable, loop, object()):
            with pytest.raises(TypeError, match="to_handle: publisher must be a publisher, not "):
                to_handle(what)


@pytest.mark.parametrize(
    "make, noun",
    [
        (lambda: Just(1), "publisher"),
        (lambda: Just(1).map(str), "publisher"),
        (PassthroughSubject, "subject"),
        (lambda: Just(1).make_connectable(), "connectable"),
    ],
)
def test_what_is_closed(make, noun):
    publisher = make()
    publisher.close()
    with pytest.raises(ClosedError, match="^publisher has been closed"):
        to_handle(publisher)
    uses = [publisher.sink, publisher.first_value, lambda: publisher.map(str), lambda: Just(1).merge(publisher)]
    for use in [*uses, publisher.autoconnect] if noun == "connectable" else uses:
        with pytest.raises(ClosedError, match=f"^{noun} has been closed"):
            use()


def test_their_names():
    assert {"from_handle", "to_handle"} <= set(streams.__all__)
