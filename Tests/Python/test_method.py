"""subject.send looks like the method that it is, although nothing of Python's runs in it."""

import inspect
import sys
import threading
import weakref
from unittest import mock

import pytest
from recorder import Recorder
from streams import Binding, ClosedError, CurrentValueSubject, PassthroughSubject, Property, Subject
from streams._native.library import library
from streams._native.values import read_value

KINDS = {"passthrough": PassthroughSubject, "current": lambda: CurrentValueSubject(0)}


@pytest.fixture(params=KINDS)
def subject(request):
    subject = KINDS[request.param]()
    yield subject
    subject.close()


def test_it_has_a_name_a_signature_and_a_docstring(subject):
    send = subject.send
    assert send.__name__ == "send" and send.__qualname__ == f"{type(subject).__name__}.send"
    assert Subject.send.__qualname__ == "Subject.send"
    assert send.__doc__ == Subject.send.__doc__ and send.__doc__.startswith("Sends a value to all subscribers")
    assert str(inspect.signature(send)) == "(value, /)"
    assert list(inspect.signature(Subject.send).parameters) == ["self", "value"]
    assert send.__self__ is subject and inspect.isroutine(send) and callable(send)
    assert "send" in dir(subject) and "send" not in vars(subject)
    assert f"{type(subject).__name__} object" in repr(send) or type(subject).__name__ in repr(send)


@pytest.mark.parametrize("arguments", [{}, {"value": 1}, {"valeu": 1}])
def test_wrong_arguments_are_told_in_words(subject, arguments):
    with pytest.raises(TypeError, match=r"send\(\) takes "):
        subject.send(**arguments)
    with pytest.raises(TypeError, match=r"send\(\) takes exactly one argument \(2 given\)"):
        subject.send(1, 2)


@pytest.mark.parametrize("self", [3, None, object(), PassthroughSubject])
def test_it_is_a_method_of_subjects_only(self):
    with pytest.raises(TypeError, match="send"):
        Subject.send(self, 1)
    with pytest.raises(TypeError):
        Subject.send()


def test_it_sends(subject):
    recorder = Recorder(subject)
    bound = subject.send
    assert bound(1) is None and Subject.send(subject, 2) is None and subject.send(3) is None
    assert recorder.values[-3:] == [1, 2, 3]
    recorder.cancellable.close()


@pytest.mark.parametrize("others", [False, True])
def test_after_close(subject, others):
    """Also if the subject lives on in a stream."""
    recorder = Recorder(subject.map(str)) if others else None
    bound = subject.send
    subject.close()
    for call in (bound, subject.send, lambda value: Subject.send(subject, value), lambda value: bound([value])):
        with pytest.raises(ClosedError, match="subject has been closed"):
            call(1)
    if recorder:
        recorder.cancellable.close()


def test_one_that_was_never_made():
    with pytest.raises(ClosedError):
        PassthroughSubject.__new__(PassthroughSubject).send(1)


def test_a_bound_method_keeps_the_subject():
    send = PassthroughSubject().send
    recorder = Recorder(send.__self__)
    send("kept")
    assert recorder.values == ["kept"]
    recorder.cancellable.close()


def test_it_can_be_patched_on_an_object_and_on_a_class(subject):
    recorder = Recorder(subject)
    before = list(recorder.values)
    with mock.patch.object(subject, "send") as fake:
        subject.send(1)
    fake.assert_called_once_with(1)
    with mock.patch.object(subject, "send", autospec=True) as fake:
        subject.send(2)
    fake.assert_called_once_with(2)
    with mock.patch.object(Subject, "send") as fake:
        subject.send(3)
    fake.assert_called_once_with(3)
    assert recorder.values == before
    subject.send(4)
    assert recorder.values[-1] == 4
    recorder.cancellable.close()


def test_a_subclass_may_override_it():
    class Loud(PassthroughSubject):
        def send(self, value):
            super().send(f"{value}!")

    loud = Loud()
    recorder = Recorder(loud)
    loud.send("ho")
    assert recorder.values == ["ho!"]
    recorder.cancellable.close()


def test_a_subclass_with_slots_and_fields():
    class Named(PassthroughSubject):
        __slots__ = ("aaa", "zzz")

        def __init__(self, name):
            super().__init__()
            self.aaa = self.zzz = self.name = name

    named = Named("x")
    recorder = Recorder(named)
    named.send(1)
    assert recorder.values == [1] and named.aaa == "x"
    recorder.cancellable.close()


def test_it_may_be_closed_while_it_sends(subject):
    cancellable = subject.drop_first(isinstance(subject, CurrentValueSubject)).sink(lambda _: subject.close())
    subject.send(1)
    with pytest.raises(ClosedError):
        subject.send(2)
    cancellable.close()


def test_threads_that_send_while_it_is_closed():
    for _ in range(20):
        subject, barrier, ends = PassthroughSubject(), threading.Barrier(3), []

        def send(subject=subject, barrier=barrier, ends=ends):
            barrier.wait(60)
            try:
                while True:
                    subject.send(1)
            except ClosedError as error:
                ends.append(type(error))

        threads = [threading.Thread(target=send) for _ in range(2)]
        for thread in threads:
            thread.start()
        barrier.wait(60)
        subject.close()
        for thread in threads:
            thread.join(60)
        assert ends == [ClosedError] * 2


# ---- value -------------------------------------------------------------------------------------------------------


class Gone:
    pass


def test_a_value_is_read_and_set():
    subject = CurrentValueSubject([1])
    assert subject.value == [1] and subject.value is subject.value
    recorder = Recorder(subject)
    for value in (None, "x", 2.5, subject):
        subject.value = value
        assert subject.value is value and recorder.values[-1] is value
    assert CurrentValueSubject.value.__doc__.startswith("The latest value.")
    recorder.cancellable.close()
    subject.value = 0


def test_a_number_that_came_in_bulk_is_read_as_a_new_object():
    subject = CurrentValueSubject(0)
    subject.send_many([1.5, 2.5])
    assert subject.value == 2.5


def test_a_value_is_kept_once_and_let_go_of():
    first, second = Gone(), Gone()
    gone = weakref.ref(first)
    subject = CurrentValueSubject(first)
    before = sys.getrefcount(first)
    for _ in range(100):
        assert subject.value is first
    assert sys.getrefcount(first) == before
    del first
    assert gone() is not None
    subject.value = second
    assert gone() is None and subject.value is second


def test_a_value_cannot_be_deleted_and_a_closed_subject_has_none():
    subject = CurrentValueSubject(1)
    with pytest.raises(TypeError, match="NULL"):
        del subject.value
    subject.close()
    with pytest.raises(ClosedError, match="subject has been closed"):
        subject.value
    with pytest.raises(ClosedError, match="subject has been closed"):
        subject.value = 1
    with pytest.raises(TypeError):
        CurrentValueSubject.value.__get__(PassthroughSubject())


def test_what_escapes_from_a_receiver_comes_out_of_setting():
    subject = CurrentValueSubject(1)

    def stop(value):
        if value == 2:
            raise KeyboardInterrupt

    cancellable = subject.sink(stop, lambda error: None)
    with pytest.raises(KeyboardInterrupt):
        subject.value = 2
    assert subject.value == 2
    cancellable.close()


def test_threads_that_set_and_read():
    subject, wrong = CurrentValueSubject(0), []

    def work(number):
        for n in range(number, 4000, 4):
            subject.value = n
            if not 0 <= subject.value < 4000:
                wrong.append(subject.value)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong


# ---- where there is no native function ------------------------------------------------------------------------------


def test_a_value_is_read_through_ctypes_too():
    subject = CurrentValueSubject(["a"])
    readers = [
        (library.streams_current_value_subject_get_value, subject),
        (library.streams_property_get_value, Property(subject)),
        (library.streams_binding_get_value, Binding(subject)),
    ]
    for read, holder in readers:
        assert read_value(read, holder._handle) is holder.value
        holder.close()
        with pytest.raises(ClosedError):
            read_value(read, holder._handle)


def test_what_fails_a_reading_through_ctypes_comes_out_as_itself():
    divided = Property(CurrentValueSubject(0)).map(lambda number: 1 // number)
    with pytest.raises(ZeroDivisionError):
        read_value(library.streams_property_get_value, divided._handle)
    divided.close()
