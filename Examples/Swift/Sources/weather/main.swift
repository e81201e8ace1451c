// A published property's publisher sends the new value while the property still has the old one.
import Streams

class Weather {
  @Published var temperature: Double

  init(temperature: Double) {
    self.temperature = temperature
  }
}

let weather = Weather(temperature: 20)
let cancellable = weather.$temperature
  .sink {
    print("Temperature now: \($0)")
  }
weather.temperature = 25
