"""Properties of published attributes, bindings and other properties."""

import threading

from hypothesis import given
from hypothesis import strategies as st
from streams import CurrentValueSubject, ObservableObject, PassthroughSubject, Property, Published


class Car(ObservableObject):
    charge = Published(50.0)


def test_a_property_of_a_binding_or_a_property_follows_it():
    car, number = Car(), CurrentValueSubject(1)
    of_binding, of_property = Property(car.bindings.charge), Property(Property(number))
    car.charge, number.value = 20.0, 2
    assert (of_binding.value, of_property.value) == (20.0, 2)


def test_a_property_outlives_the_one_that_it_was_made_of():
    number = CurrentValueSubject(1)
    first = Property(number)
    second = Property(first)
    first.close()
    number.value = 2
    assert second.value == 2


def test_a_watcher_of_a_property_may_correct_the_attribute():
    car, seen = Car(), []
    charge = Property(car.published.charge)

    def clamp(value):
        seen.append(value)
        if value > 100:
            car.charge = 100

    with charge.all_values.sink(clamp):
        car.charge = 150
    assert (car.charge, charge.value, seen) == (100, 100, [50.0, 150, 100])


@given(st.lists(st.tuples(st.sampled_from("apb"), st.integers(0, 9)), max_size=30))
def test_a_property_ends_equal_to_its_attribute(sets):
    car, left = Car(), list(sets)
    charge, binding = Property(car.published.charge), car.bindings.charge
    of_binding = Property(binding)

    def act(place):
        def watch(_):
            if left and left[0][0] == place:
                car.charge = left.pop(0)[1]

        return watch

    cancellables = [
        car.published.charge.sink(act("a")),
        charge.all_values.sink(act("p")),
        binding.values.sink(act("b")),
    ]
    for value in range(5):
        car.charge = value
        assert charge.value == of_binding.value == car.charge
    del cancellables


def test_making_a_property_waits_for_nobody():
    """Another thread publishes the attribute, and waits for the stream that makes the property."""
    car, orders, made = Car(), PassthroughSubject(), []
    in_order, in_charge, is_made = threading.Event(), threading.Event(), threading.Event()

    def on_order(_):
        in_order.set()
        assert in_charge.wait(10)
        made.append(Property(car.published.charge).value)
        is_made.set()

    def on_charge(value):
        if value == 1:
            in_charge.set()
            assert in_order.wait(10)
            made.append(is_made.wait(10))

    cancellables = [orders.sink(on_order), car.published.charge.sink(on_charge)]
    threads = [threading.Thread(target=orders.send, args=(1,)), threading.Thread(target=setattr, args=(car, "charge", 1))]
    for each in threads:
        each.start()
    for each in threads:
        each.join(30)
    assert made == [50.0, True]
    del cancellables
