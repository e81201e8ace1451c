"""Bindings: values that somebody else keeps."""

import dataclasses
import gc
import threading
import types
import typing
import weakref

import pytest
import streams
from recorder import Recorder
from streams import Binding, CurrentValueSubject, Just, ObservableObject, PassthroughSubject, Published
from streams._native.library import library


class Settings(ObservableObject):
    volume = Published(3)
    colors = Published(default_factory=lambda: {"text": "black", "paper": "white"})


@dataclasses.dataclass(frozen=True)
class Address:
    street: str
    number: int


class Thing:
    pass


# ---- making ------------------------------------------------------------------------------------------------------


def test_of_a_subject():
    subject = CurrentValueSubject(1)
    binding = Binding(subject)
    heard = Recorder(binding.values)
    assert binding.value == 1
    binding.value = 2
    assert subject.value == 2
    subject.value = 3
    assert binding.value == 3 and heard.values == [1, 2, 3]
    heard.cancellable.close()


def test_of_an_attribute():
    settings = Settings()
    volume, same = settings.bindings.volume, settings.bindings[Settings.volume]
    heard = Recorder(volume.values.map(lambda n: (n, settings.volume)))
    volume.value = 4
    assert settings.volume == same.value == 4
    settings.volume = 5
    assert volume.value == 5 and [n for n, _ in heard.values] == [3, 4, 5]
    assert list(settings.bindings) == ["volume", "colors"]
    with pytest.raises(AttributeError, match="Settings has no published 'nothing'"):
        settings.bindings.nothing
    heard.cancellable.close()


def test_of_two_functions():
    kept = [1]
    binding = Binding(lambda: kept[0], lambda value: kept.__setitem__(0, value))
    heard = Recorder(binding.values)
    binding.value = 2
    kept[0] = 3  # of which nobody is told
    assert binding.value == 3
    assert heard.values == [1, 2]
    heard.cancellable.close()


def test_of_two_functions_and_a_publisher_of_changes():
    kept, changes = {"n": 1}, PassthroughSubject()
    binding = Binding(lambda: kept["n"], lambda value: kept.update(n=value), changes)
    heard = Recorder(binding.values)
    binding.value = 2
    assert heard.values == [1]
    changes.send(2)
    assert heard.values == [1, 2]
    heard.cancellable.close()


def test_a_constant():
    binding = Binding.constant("x")
    binding.value = "y"
    assert binding.value == "x"
    heard = Recorder(binding.values)
    assert heard.values == ["x"] and heard.finished


def test_bad_arguments():
    for wrong, says in [
        (lambda: Binding(Just(1)), "get must be callable, not Just"),
        (lambda: Binding(PassthroughSubject()), "get must be callable"),
        (lambda: Binding(int), "set must be callable, not NoneType"),
        (lambda: Binding(int, print, 3), "changes must be a Publisher, not int"),
        (lambda: Binding.constant(1).map(int, None), "set must be callable"),
        (lambda: iter(Binding.constant([1])), "cannot be iterated"),
        (lambda: Just(1).assign(streams.Property(1)), "a Property cannot be assigned to"),
    ]:
        with pytest.raises(TypeError, match=says):
            wrong()
    binding = Binding.constant(1)
    with pytest.raises(TypeError, match="cannot be deleted"):
        del binding.value
    binding.close()
    for use in (lambda: binding.value, lambda: setattr(binding, "value", 1), lambda: binding.values, lambda: binding[0]):
        with pytest.raises(streams.ClosedError, match="binding has been closed"):
            use()
    assert "without a value, ClosedError" in repr(binding)


# ---- parts -------------------------------------------------------------------------------------------------------


def test_a_part_by_two_functions():
    celsius = CurrentValueSubject(20.0)
    fahrenheit = Binding(celsius).map(lambda c: c * 1.8 + 32, lambda _, f: (f - 32) / 1.8)
    heard = Recorder(fahrenheit.values)
    assert fahrenheit.value == 68.0
    fahrenheit.value = 212
    assert celsius.value == 100.0 and heard.values == [68.0, 212.0]
    heard.cancellable.close()


def test_items_and_attributes_are_set_in_a_copy():
    before = {"lines": ["a", "b"], "address": Address("Elm", 1), "pair": (1, 2)}
    subject = CurrentValueSubject(before)
    whole = Binding(subject)
    whole["lines"][1].value = "c"
    whole["address"].attribute("number").value = 7
    whole["pair"][0].value = 9
    assert subject.value == {"lines": ["a", "c"], "address": Address("Elm", 7), "pair": (9, 2)}
    assert before == {"lines": ["a", "b"], "address": Address("Elm", 1), "pair": (1, 2)}
    assert whole["address"].attribute("street").value == "Elm"


class Met(dict):
    """A value whose copy waits for another thread, though not for one that waits itself."""

    def __copy__(self):
        copying.set()
        copied.wait(0.2)
        return Met(self)


copying, copied = threading.Event(), threading.Event()


@pytest.mark.parametrize("get", [lambda s: s.bindings.colors, lambda s: s.bindings[Settings.colors]], ids=["name", "key"])
def test_bindings_of_one_attribute_do_not_undo_each_others_change(get):
    copying.clear()
    copied.clear()
    settings = Settings()
    settings.colors = Met(settings.colors)
    text, paper = get(settings)["text"], settings.bindings.colors["paper"]

    def work():
        assert copying.wait(60)
        paper.value = "black"
        copied.set()

    thread = threading.Thread(target=work)
    thread.start()
    text.value = "white"
    thread.join(60)
    assert settings.colors == {"text": "white", "paper": "black"}


def test_an_attribute_of_an_attribute():
    person = types.SimpleNamespace(address=Address("Elm", 3), name="x")
    subject = CurrentValueSubject(person)
    street = Binding(subject).attribute("address.street")
    heard = Recorder(street.values)
    street.value = "Oak"
    assert street.value == "Oak" and heard.values == ["Elm", "Oak"]
    assert subject.value == types.SimpleNamespace(address=Address("Oak", 3), name="x")
    assert person.address == Address("Elm", 3)
    with pytest.raises(AttributeError):
        Binding(subject).attribute("address.city")
    with pytest.raises(TypeError, match="name must be"):
        Binding(subject).attribute(3)
    heard.cancellable.close()


def test_closing_one_binding_of_an_attribute_leaves_the_others():
    settings = Settings()
    settings.bindings.colors.close()
    text = settings.bindings.colors["text"]
    settings.bindings.colors.close()
    text.value = "white"
    assert settings.bindings.colors.value["text"] == "white"


def test_threads_that_set_different_parts_do_not_undo_each_other():
    subject = CurrentValueSubject({name: 0 for name in "abcd"})
    whole = Binding(subject)

    def work(name):
        part = whole[name]
        for n in range(200):
            part.value = n

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert subject.value == {name: 199 for name in "abcd"}


def test_a_property_of_a_binding():
    settings = Settings()
    text = settings.bindings.volume.property.map("{}".format)
    settings.volume = 9
    assert text.value == "9"


# ---- failures ----------------------------------------------------------------------------------------------------


def test_a_function_that_raises():
    def refuse(value):
        raise ValueError(f"not {value}")

    kept = {}
    binding = Binding(lambda: kept["n"], refuse)
    with pytest.raises(KeyError, match="n"):
        binding.value
    assert "without a value, KeyError" in repr(binding)
    with pytest.raises(ValueError, match="not 3"):
        binding.value = 3
    error = Recorder(binding.values).error
    assert type(error) is KeyError
    error.__traceback__ = None


def test_what_is_missing_for_a_while():
    lists = CurrentValueSubject([1, 2])
    last = Binding(lists)[1]
    seen = Recorder(last.values)
    lists.value = []
    assert last.value == 2
    with pytest.raises(IndexError):
        last.value = 3
    assert last.value == 2
    lists.value = [4, 5]
    assert seen.values == [2, 5]
    with pytest.raises(IndexError):
        Binding(lists)[2]
    people = CurrentValueSubject(types.SimpleNamespace(name="Ada"))
    name = Binding(people).attribute("name")
    people.value = None
    assert name.value == "Ada"
    ports = CurrentValueSubject({"a": 1})
    port = Binding(ports)["a"]
    ports.value = {}
    assert port.value == 1
    port.value = 2
    assert ports.value == {"a": 2}
    even = Binding(CurrentValueSubject(4)).part(lambda n: n if n % 2 == 0 else 1 / 0, lambda _, n: n)
    even.value = 5
    assert even.value == 4


def test_a_part_that_was_never_there():
    numbers = CurrentValueSubject([])

    def make():
        with pytest.raises(IndexError):
            Binding(numbers)[0]

    make()


def test_what_escapes_comes_out():
    def stop(*_):
        raise KeyboardInterrupt

    binding = Binding(lambda: 1, stop)
    with pytest.raises(KeyboardInterrupt):
        binding.value = 2
    with pytest.raises(KeyboardInterrupt):
        Binding(stop, stop).value
    both = Binding(stop, stop)
    with pytest.raises(KeyboardInterrupt):
        both.property
    both.close()  # which has kept what escaped, and by that this function's variables
    with pytest.raises(KeyboardInterrupt):
        Binding(CurrentValueSubject(1)).part(stop, stop)


# ---- assign and lives --------------------------------------------------------------------------------------------


def test_assign_to_a_binding():
    numbers, settings = PassthroughSubject(), Settings()
    cancellable = numbers.assign(to=settings.bindings.volume)
    other = numbers.map(str).assign(settings.bindings.colors["text"])
    numbers.send(8)
    assert settings.volume == 8 and settings.colors["text"] == "8"
    cancellable.cancel()
    numbers.send(9)
    assert settings.volume == 8 and settings.colors["text"] == "9"
    other.close()


def test_it_keeps_what_it_stands_on():
    binding = Settings().bindings.volume
    binding.value = 7
    assert binding.value == 7
    functions = Thing(), Thing()
    known = [weakref.ref(each) for each in functions]
    binding = Binding(lambda first=functions[0]: first, lambda value, second=functions[1]: None)
    part = binding.map(lambda thing: thing, lambda whole, part: whole)
    del functions, binding
    gc.collect()
    assert all(each() for each in known) and part.value is known[0]()
    del part
    gc.collect()
    assert not any(each() for each in known)


def test_an_owner_that_shows_its_own_binding_is_freed():
    class Field:
        def __init__(self, binding):
            self.binding = binding
            self.cancellable = binding.values.sink(self.show)

        def show(self, value):
            self.shown = value

    settings = Settings()
    field = Field(settings.bindings.volume)
    settings.field = field
    gone = weakref.ref(settings), weakref.ref(field)
    del settings, field
    gc.collect()
    assert gone[0]() is gone[1]() is None


def test_many_leave_nothing():
    before = library.streams_live_handles()
    subject = CurrentValueSubject({"a": 1})
    whole = Binding(subject)
    for n in range(10_000):
        part = whole["a"]
        part.value = n
        assert part.value == n
    del part
    assert library.streams_live_handles() == before + 2


def test_a_named_tuple_stays_one():
    class Point(typing.NamedTuple):
        x: int
        y: int

    subject = CurrentValueSubject(Point(1, 2))
    whole = Binding(subject)
    whole[0].value = 5
    assert subject.value == Point(5, 2) and type(subject.value) is Point
    whole.attribute("y").value = 6
    assert subject.value == Point(5, 6) and type(subject.value) is Point
