"""Observable objects and their published attributes: values, lives, what is assigned to them."""

import gc
import threading
import weakref

import pytest
import streams
from cars import Car, Taxi
from collected import is_collected
from recorder import Recorder
from streams import CurrentValueSubject, ObservableObject, PassthroughSubject, Published
from streams._native.library import library


class Thing:
    pass


# ---- reading, setting, watching ----------------------------------------------------------------------------------


def test_an_attribute_is_read_and_set():
    car, other = Car(), Car()
    assert car.charge == 50.0
    car.drive(100)
    assert car.charge == 36.0 and other.charge == 50.0
    for value in (None, "x", car, 2**70, 1.5):
        car.charge = value
        assert car.charge is value
    car.charge = None


def test_subscribers_are_told_before_the_value_changes():
    car, log = Car(), []
    cancellables = [
        car.object_will_change.sink(lambda nothing: log.append(("will change", nothing, car.charge))),
        car.published.charge.sink(lambda charge: log.append((charge, car.charge))),
    ]
    car.charge = 60
    assert log == [(50.0, 50.0), ("will change", None, 50.0), (60, 50.0)] and car.charge == 60
    del cancellables


def test_each_attribute_has_a_publisher_of_its_own_and_the_object_one():
    taxi = Taxi()
    charge, fare, will = Recorder(taxi.published.charge), Recorder(taxi.published.fare), Recorder(taxi.object_will_change)
    taxi.fare = 5
    taxi.charge = 49
    taxi.object_will_change.send()
    assert (charge.values, fare.values, will.values) == ([50.0, 49], [0, 5], [None] * 3)
    for each in (charge, fare, will):
        each.cancellable.close()


def test_publishers_by_name_and_by_what_the_class_has():
    taxi = Taxi()
    assert list(taxi.published) == ["charge", "name", "fare", "passengers"]
    assert {"charge", "fare"} <= set(dir(taxi.published))
    assert taxi.published[Taxi.fare].first_value() == taxi.published.fare.first_value() == 0
    assert taxi.published[Car.charge].first_value() == 50.0
    assert ": Taxi.published('fare').map(str)>" in repr(taxi.published.fare.map(str))
    for wrong in (lambda: taxi.published.nothing, lambda: taxi.published[Car.drive], lambda: Car().published[Taxi.fare]):
        with pytest.raises(AttributeError, match="has no published"):
            wrong()


def test_a_slow_subscriber_gets_the_latest():
    car = Car()
    recorder = Recorder(car.published.charge, demand=1)
    car.charge = 1
    car.charge = 2
    recorder.subscription.request(5)
    assert recorder.values == [50.0, 2]
    recorder.cancellable.close()


def test_what_a_subscriber_raises_ends_its_own_stream_only():
    car = Car()
    bad, good = Recorder(car.published.charge.map(lambda n: 1 / n)), Recorder(car.published.charge)
    car.charge = 0
    car.charge = 1
    assert type(bad.error) is ZeroDivisionError and good.values == [50.0, 0, 1]
    bad.error.__traceback__ = None
    good.cancellable.close()


def test_what_escapes_comes_out_of_setting():
    car = Car()

    def stop(value):
        if value == 1:
            raise KeyboardInterrupt

    cancellable = car.published.charge.sink(stop, lambda error: None)
    with pytest.raises(KeyboardInterrupt):
        car.charge = 1
    cancellable.close()


def test_without_an_initial_value_it_does_not_exist_until_it_is_set():
    car = Car()
    assert not hasattr(car, "name")
    with pytest.raises(AttributeError, match="the object has no name yet"):
        car.name
    with pytest.raises(AttributeError, match="Car.name has no value yet"):
        car.published.name
    will = Recorder(car.object_will_change)
    car.name = "Beetle"
    assert car.name == car.published.name.first_value() == "Beetle" and will.values == []
    will.cancellable.close()


def test_a_factory_makes_a_value_for_each_object():
    first, second = Taxi(), Taxi()
    first.passengers.append("Ann")
    assert (first.passengers, second.passengers) == (["Ann"], [])


# ---- lives -------------------------------------------------------------------------------------------------------


def test_an_object_that_knows_its_own_streams_is_freed():
    class Model(ObservableObject):
        text = Published("")
        length = Published(0)

        def __init__(self):
            self.cancellable = self.published.text.map(len).assign(self, "length")
            self.other = self.published.text.map(len).assign(self.published.length)
            self.more = self.object_will_change.sink(self.changed)

        def changed(self, _):
            pass

    model = Model()
    model.text = "abc"
    assert model.length == 3
    gone = weakref.ref(model)
    del model
    assert is_collected(gone)


def test_publishers_do_not_keep_the_object():
    car = Car()
    publisher, will, gone = car.published.charge, car.object_will_change, weakref.ref(car)
    recorder = Recorder(publisher)
    del car
    assert gone() is None and recorder.ends == []
    will.send()
    with pytest.raises(streams.ClosedError):
        streams.Just(1).assign(publisher)
    recorder.cancellable.close()


def test_what_is_assigned_ends_with_the_object():
    numbers, car = PassthroughSubject(), Car()
    cancels = []
    source = numbers.handle_events(receive_cancel=lambda: cancels.append("cancel"))
    cancellable = source.assign(car.published.charge)
    numbers.send(3)
    assert car.charge == 3
    del car
    assert cancels == ["cancel"]
    cancellable.close()


def test_values_are_let_go_of():
    thing, other = Thing(), Thing()
    known = [weakref.ref(thing), weakref.ref(other)]
    car = Car()
    car.charge, car.name = thing, other
    del thing, other
    assert all(each() for each in known)
    car.charge = None
    assert [each() is None for each in known] == [True, False]
    del car
    assert known[1]() is None


def test_many_objects_leave_nothing():
    before = library.streams_live_handles()
    for n in range(20_000):
        car = Car()
        cancellable = car.published.charge.map(str).sink(lambda _: None)
        car.charge = n
        assert car.charge == n
    del car, cancellable
    assert library.streams_live_handles() == before


def test_threads_that_set_and_read():
    car, done, wrong = Car(), [], []
    heard = Recorder(car.published.charge)

    def write(number):
        for n in range(number, 2000, 4):
            car.charge = n
        done.append(number)

    def read():
        while len(done) < 4:
            if not 0 <= car.charge < 2000:
                wrong.append(car.charge)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)] + [threading.Thread(target=read)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not wrong and len(heard.values) == 2001 and car.charge == heard.values[-1]
    for number in range(4):
        assert [n for n in heard.values[1:] if n % 4 == number] == list(range(number, 2000, 4))
    heard.cancellable.close()


# ---- assign ------------------------------------------------------------------------------------------------------


def test_assign_weakly_to_an_attribute():
    numbers, cancels = PassthroughSubject(), []
    source = numbers.handle_events(receive_cancel=lambda: cancels.append("cancel"))
    for make in (Thing, Car):
        target = make()
        cancellable = source.assign(target, "charge", weak=True)
        numbers.send(3)
        assert target.charge == 3
        gone = weakref.ref(target)
        del target
        assert is_collected(gone) and cancels.pop() == "cancel"
        numbers.send(4)
        cancellable.close()


def test_assign_strongly_keeps_the_object():
    numbers, target = CurrentValueSubject(1), Thing()
    cancellable, gone = numbers.assign(to=target, name="n"), weakref.ref(target)
    del target
    gc.collect()
    assert gone().n == 1
    cancellable.close()
    assert is_collected(gone)


def test_bad_targets():
    with pytest.raises(TypeError, match="is needed, not int"):
        streams.Just(1).assign(3)
    with pytest.raises(TypeError, match="weak is for an attribute"):
        streams.Just(1).assign(CurrentValueSubject(0), weak=True)


def test_what_has_no_value_yet_says_so():
    class Sensor(ObservableObject):
        reading = Published()

    sensor = Sensor()
    for projection in (sensor.published, sensor.bindings):
        with pytest.raises(AttributeError, match="^Sensor.reading has no value yet"):
            projection.reading
    sensor.reading = 1
    assert list(sensor.published.reading.first()) == [1] and sensor.bindings.reading.value == 1
