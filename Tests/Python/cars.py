"""Observable objects that tests share."""

from streams import ObservableObject, Published


class Car(ObservableObject):
    charge = Published(50.0)
    name: Published[str] = Published()

    def drive(self, kilometers):
        self.charge -= kilometers * 0.14


class Taxi(Car):
    fare = Published(0)
    passengers: Published[list[str]] = Published(default_factory=list)
