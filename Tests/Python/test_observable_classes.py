"""Classes of observable objects: declarations, inheritance, slots, dataclasses, copies."""

import copy
import dataclasses
import inspect
import pickle
import sys
import weakref
from typing import Any

import pytest
from cars import Car, Taxi
from recorder import Recorder
from streams import ObservableObject, Published


def test_classes_may_be_derived_and_mixed():
    class Mixin:
        def __init__(self, label="none"):
            self.label = label

        @property
        def text(self):
            return f"{self.label} {self.charge}"

    class Named(Mixin, Taxi):
        charge = Published(10)

    class Plain(Taxi):
        fare = 7

    named = Named("bus")
    assert named.text == "bus 10" and list(named.published) == ["name", "fare", "passengers", "charge"]
    plain = Plain()
    assert plain.fare == 7 and list(plain.published) == ["charge", "name", "passengers"]


def test_a_class_with_arguments_and_an_own_new():
    class Point(ObservableObject):
        x = Published(0)

        def __new__(cls, *coordinates):
            return super().__new__(cls, *coordinates)

        def __init__(self, x):
            self.x = x

    assert Point(3).x == 3 and not hasattr(Point(3), "__dict__") or Point(3).__dict__ == {}


def test_slots_and_fields():
    class Slotted(ObservableObject):
        __slots__ = ("a", "b")
        x = Published(1)

    each = Slotted()
    each.a = each.x = 2
    assert not hasattr(each, "__dict__") and each.a == each.x == 2
    assert weakref.ref(each)() is each
    same = copy.copy(each)
    assert (same.a, same.x) == (2, 2) and not hasattr(same, "b")


def test_dataclasses():
    @dataclasses.dataclass
    class Contact(ObservableObject):
        name: str
        age: Any = Published(24)

    john = Contact("John")
    assert john == Contact("John", 24) and repr(john).endswith("Contact(name='John', age=24)")
    assert dataclasses.replace(john, age=30).age == 30 and dataclasses.asdict(john) == {"name": "John", "age": 24}
    ages = Recorder(john.published.age)
    john.age += 1
    assert ages.values == [24, 25]
    ages.cancellable.close()


def test_frozen_dataclasses_stay_as_they_are():
    @dataclasses.dataclass(frozen=True)
    class Fixed(ObservableObject):
        age: Any = Published(24)

    each = Fixed(3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        each.age = 4
    assert each.age == 3


@pytest.mark.skipif(sys.version_info < (3, 10), reason="dataclasses have slots from Python 3.10 on")
def test_dataclasses_with_slots_are_refused():
    with pytest.raises(TypeError, match="leave out slots=True"):

        @dataclasses.dataclass(slots=True)
        class Contact(ObservableObject):
            age: Any = Published(24)


def test_copies_and_pickles_have_the_values_and_no_subscribers():
    taxi = Taxi()
    taxi.charge, taxi.passengers, taxi.plain = 20, ["Ann"], 3
    heard = Recorder(taxi.published.charge)
    pickles = [(lambda t, n=n: pickle.loads(pickle.dumps(t, n)), True) for n in range(pickle.HIGHEST_PROTOCOL + 1)]
    for make, is_deep in ((copy.copy, False), (copy.deepcopy, True), *pickles):
        other = make(taxi)
        assert type(other) is Taxi and (other.charge, other.passengers, other.plain) == (20, ["Ann"], 3)
        assert (other.passengers is not taxi.passengers) == is_deep and not hasattr(other, "name")
        other.charge = 1
    assert heard.values == [50.0, 20][1:] and taxi.charge == 20
    heard.cancellable.close()
    taxi.cancellable = taxi.published.charge.sink(print)
    with pytest.raises(TypeError, match="Cancellable cannot be copied or pickled"):
        pickle.dumps(taxi)
    taxi.cancellable.close()


@pytest.mark.parametrize("name", ["published", "bindings"])
def test_what_has_the_publishers_or_the_bindings_cannot_be_copied(name):
    each = getattr(Taxi(), name)
    for make in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="cannot be copied"):
            make(each)


def test_what_the_class_shows():
    assert inspect.isdatadescriptor(Car.charge) and Car.charge.__name__ == "charge"
    assert {name for name in dir(ObservableObject) if not name.startswith("_")} == {
        "object_will_change",
        "published",
        "bindings",
    }


def test_bad_declarations():
    for wrong in ([], {}, set()):
        with pytest.raises(ValueError, match="use default_factory"):
            Published(wrong)
    for arguments in ({"initial": 1, "default_factory": list}, {"default_factory": 3}):
        with pytest.raises(TypeError, match="initial value, or a default_factory"):
            Published(**arguments)
    with pytest.raises((TypeError, RuntimeError)) as raised:
        type("Wrong", (), {"x": Published(1)})
    assert "must be an ObservableObject" in str(raised.value.__cause__ or raised.value)
    Late = type("Late", (ObservableObject,), {})
    Late.x = Published(1)
    for use in (lambda: Late().x, lambda: setattr(Late(), "x", 1)):
        with pytest.raises(TypeError, match="in the body of its class"):
            use()


def test_bad_uses():
    car = Car()
    with pytest.raises(TypeError, match="cannot be deleted"):
        del car.charge
    with pytest.raises(TypeError, match="doesn't apply"):
        Taxi.fare.__get__(car)
    with pytest.raises(TypeError, match="takes no arguments"):
        Car(1)


def test_a_name_with_a_nul_is_refused():
    with pytest.raises((ValueError, RuntimeError)) as caught:
        type("Cut", (ObservableObject,), {"a": Published(9), "a\0b": Published(1)})
    assert "NUL" in str(caught.value) or "NUL" in str(caught.value.__cause__)
