"""A published attribute's publisher sends the new value while the attribute still has the old one."""

from streams import ObservableObject, Published


class Weather(ObservableObject):
    temperature = Published(20.0)


weather = Weather()


def show(temperature):
    print(f"Temperature now: {temperature}")
    assert weather.temperature == 20  # the second time, still the old value


cancellable = weather.published.temperature.sink(show)
weather.temperature = 25.0
