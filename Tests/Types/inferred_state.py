"""What type checkers make of observable objects, properties, bindings and scopes, as inferred.py says of pipelines."""

from typing import Any, Optional

from inferred import loop, numbers, words
from streams import (
    Binding,
    Cancellable,
    CurrentValueSubject,
    Just,
    ObservableObject,
    Property,
    Published,
    Publisher,
    Scope,
    ScopeTree,
)
from typing_extensions import assert_type

# ---- observable objects ------------------------------------------------------------------------------------------


class Car(ObservableObject):
    charge = Published(50.0)
    name: Published[Optional[str]] = Published(None)
    passengers: Published[list[str]] = Published(default_factory=list)
    seats = Published[int]()
    weight: Published[float] = Published(1000.0)

    def __init__(self, weight: float = 900) -> None:
        self.weight = weight


car = Car()
assert_type(car.charge, float)
assert_type(car.name, Optional[str])
assert_type(car.passengers, list[str])
assert_type(car.seats, int)
car.charge = 20.0
car.name = "Beetle"
car.charge = "full"  # type: ignore
assert_type(car.published[Car.charge].first_value(), float)
assert_type(car.published[Car.name].first_value(), Optional[str])
assert_type(car.published[Car.weight].first_value(), float)
some: Publisher[Any] = car.published.charge
assert_type(car.object_will_change.sink(), Cancellable)
changes: Publisher[None] = car.object_will_change
numbers.map(float).assign(car.published[Car.charge])
words.assign(car.published[Car.seats])  # type: ignore
numbers.assign(to=car, name="seats", weak=True)

# ---- properties --------------------------------------------------------------------------------------------------

level = Property(CurrentValueSubject(1))
assert_type(level, Property[int])
assert_type(level.value, int)
assert_type(Property(car.published[Car.charge]).value, float)
assert_type(Property("km"), Property[str])
assert_type(Property(0, then=numbers).all_values, Publisher[int])
wider: Property[Optional[int]] = level
assert_type(level.map(str), Property[str])
assert_type(level.filter(0, bool).value, int)
assert_type(level.compact_map("", lambda n: str(n) if n else None), Property[str])
assert_type(level.scan(0.5, lambda total, n: total + n), Property[float])
assert_type(level.remove_duplicates().subsequent_values, Publisher[int])
assert_type(level.flat_map(lambda n: Property(str(n))), Property[str])
assert_type(level.receive_on(loop), Property[int])
assert_type(level.combine_latest(level.map(str)).value, tuple[int, str])
assert_type(level.combine_latest(level, combine=lambda a, b: str(a + b)).value, str)
assert_type(level.zip(level.map(str), level).value, tuple[int, str, int])
level.value = 2  # type: ignore
level.flat_map(Just)  # type: ignore

# ---- bindings ----------------------------------------------------------------------------------------------------

volume = car.bindings[Car.charge]
assert_type(volume, Binding[float])
assert_type(volume.value, float)
volume.value = 3.5
volume.value = "loud"  # type: ignore
assert_type(volume.values, Publisher[float])
assert_type(volume.property, Property[float])
assert_type(volume.map(str, lambda whole, part: float(part)), Binding[str])
assert_type(volume.part(str, lambda whole, part: float(part)), Binding[str])
assert_type(Binding(CurrentValueSubject([1]))[0], Binding[int])
assert_type(Binding(CurrentValueSubject({"a": 1.5}))["a"], Binding[float])
assert_type(Binding(lambda: 1, lambda n: None).value, int)
assert_type(Binding.constant("x"), Binding[str])


def body(scope: Scope, row: int) -> str:
    assert_type(scope.state("count", 0), Binding[int])
    assert_type(scope.object("items", lambda: ["a"]), list[str])
    return "shown"


assert_type(ScopeTree(body, 1).updates, Publisher[int])
assert_type(ScopeTree(body, 1).shown, list[tuple[int, Any]])
numbers.map(float).assign(to=volume)
words.assign(volume)  # type: ignore

# ---- scopes ------------------------------------------------------------------------------------------------------


def board(scope: Scope, title: str) -> str:
    count = scope.state("count", 0)
    assert_type(count, Binding[int])
    count.value = "many"  # type: ignore
    choice: Binding[Optional[int]] = scope.state("choice", None)
    assert_type(scope.object("car", Car), Car)
    scope.child(board, title, key=count.value)
    scope.task("title", lambda: numbers.sink(print))
    scope.state(1, 0)  # type: ignore
    return f"{title} {choice.value}"


tree = ScopeTree(board, "title", scheduler=loop)
assert_type(tree.shown, list[tuple[int, Any]])
assert_type(tree.updates, Publisher[int])
with tree as same:
    assert_type(same, ScopeTree)
ScopeTree(board, scheduler=5)  # type: ignore
