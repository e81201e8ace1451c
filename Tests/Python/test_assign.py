"""assign: what a target gets, and where a failure goes, which no target takes."""

import sys
import types
import weakref

import pytest
from collected import is_collected
from conftest import Oops
from streams import (
    Binding,
    CurrentValueSubject,
    Fail,
    Just,
    ObservableObject,
    PassthroughSubject,
    Property,
    Published,
    StreamLimitError,
    UnhandledFailure,
)


class Model(ObservableObject):
    number = Published(0)


def published():
    """The publisher of a model, with the model, which no assignment keeps."""
    model = Model()
    publisher = model.published.number
    publisher.model = model
    return publisher


TARGETS = {
    "a subject": lambda: (CurrentValueSubject(0),),
    "a published attribute": lambda: (published(),),
    "a published attribute's binding": lambda: (Model().bindings.number,),
    "a binding of a subject": lambda: (Binding(CurrentValueSubject(0)),),
    "a binding of functions": lambda: (Binding(lambda: 0, lambda value: None),),
    "an attribute": lambda: (types.SimpleNamespace(), "number"),
}

each_target = pytest.mark.parametrize("name", TARGETS)


@each_target
def test_a_failure_is_reported(name, unraisable):
    target = TARGETS[name]()
    error = Oops()
    cancellable = Fail(error).assign(*target)
    (report,) = unraisable
    assert type(report) is UnhandledFailure and report.__cause__ is error
    assert f"({__file__}:" in str(report) and "in test_a_failure_is_reported" in str(report)
    cancellable.close()


@each_target
def test_a_failure_is_reported_with_its_traceback(name, capsys, monkeypatch):
    target = TARGETS[name]()
    monkeypatch.setattr(sys, "unraisablehook", sys.__unraisablehook__)

    def broken(value):
        raise Oops("why")

    subject = PassthroughSubject()
    with subject.map(broken).assign(*target):
        subject.send(1)
    text = capsys.readouterr().err
    assert text.startswith("streams.UnhandledFailure") and "in broken" in text and "Oops: why" in text
    assert "raised in map(broken)" in text


@each_target
def test_other_ends_are_not_reported(name, unraisable):
    target = TARGETS[name]()
    subject = PassthroughSubject()
    Just(1).assign(*target).close()
    subject.assign(*target).cancel()
    subject.assign(*target).close()
    with subject.assign(*target):
        subject.finish()
    assert not unraisable


@each_target
def test_a_keyboard_interrupt_comes_out_of_the_call(name, unraisable):
    target = TARGETS[name]()
    subject = PassthroughSubject()
    with subject.assign(*target), pytest.raises(KeyboardInterrupt) as caught:
        subject.fail(KeyboardInterrupt())
    caught.value.__traceback__ = None
    assert not unraisable


@each_target
def test_an_assignment_is_let_go_of_at_the_end(name, unraisable):
    target = TARGETS[name]()

    class Big:
        def __call__(self, value):
            return value

    def assigned(subject):
        big = Big()
        return subject.map(big).assign(*target), weakref.ref(big)

    for end in (PassthroughSubject.finish, lambda subject: subject.fail(Oops())):
        subject = PassthroughSubject()
        cancellable, gone = assigned(subject)
        subject.send(1)
        end(subject)
        assert is_collected(gone)
        cancellable.close()


def test_a_change_that_follows_from_itself_without_an_end_is_reported(unraisable):
    subject = CurrentValueSubject(0)
    with Property(subject).map(lambda number: number + 1).all_values.assign(subject):
        (report,) = unraisable
        assert isinstance(report.__cause__, StreamLimitError)


def test_a_subject_takes_a_failure_itself(unraisable):
    subject, ends = PassthroughSubject(), []
    error = Oops()
    with subject.sink(completion=ends.append), Fail(error).subscribe(subject):
        assert ends == [error] and not unraisable
