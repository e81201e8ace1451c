"""A value that can be read and watched: the charge of a car's battery, now and after each drive."""

from streams import ObservableObject, Published


class Car(ObservableObject):
    kwh_in_battery = Published(50.0)
    KWH_PER_KILOMETER = 0.14

    def drive(self, kilometers):
        kwh_needed = kilometers * self.KWH_PER_KILOMETER
        assert kwh_needed <= self.kwh_in_battery, "Can't make trip, not enough charge in battery"
        self.kwh_in_battery -= kwh_needed


car = Car()
cancellable = car.published.kwh_in_battery.sink(lambda charge: print(f"The car now has {charge}kwh in its battery"))
car.drive(100)
