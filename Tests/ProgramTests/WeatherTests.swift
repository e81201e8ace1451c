// The program stands as it was written.
// swift-format-ignore-file
import Streams
import Testing

class Weather {
    @Published var temperature: Double
    init(temperature: Double) {
        self.temperature = temperature
    }
}

@Suite final class WeatherTests {
  private var cancellable: AnyCancellable?

  @Test func publishesItsTemperature() {
    let lines = Console.lines {
let weather = Weather(temperature: 20)
cancellable = weather.$temperature
    .sink() {
        print ("Temperature now: \($0)")
}
weather.temperature = 25
    }
    #expect(lines == ["Temperature now: 20.0", "Temperature now: 25.0"])
  }

  /// The sink has the new value while the property still has the old one.
  @Test func publishesBeforeItChanges() {
    let weather = Weather(temperature: 20)
    var pairs: [[Double]] = []
    cancellable = weather.$temperature.sink { pairs.append([$0, weather.temperature]) }
    weather.temperature = 25
    #expect(pairs == [[20, 20], [25, 20]])
  }
}
