import StreamsUI
import Testing

private enum Scale: String, CaseIterable, Identifiable {
  case celsius = "Celsius"
  case fahrenheit = "Fahrenheit"
  case kelvin = "Kelvin"
  var id: Self { self }

  func fromCelsius(_ degrees: Double) -> Double {
    switch self {
    case .celsius: degrees
    case .fahrenheit: degrees * 9 / 5 + 32
    case .kelvin: degrees + 273.15
    }
  }

  func toCelsius(_ degrees: Double) -> Double {
    switch self {
    case .celsius: degrees
    case .fahrenheit: (degrees - 32) * 5 / 9
    case .kelvin: degrees - 273.15
    }
  }
}

@Observable private final class Thermometer {
  var celsius = 20.0
  var scale = Scale.fahrenheit
  var digits = 1

  /// The temperature on the chosen scale; it is derived both ways.
  var degrees: Double {
    get { scale.fromCelsius(celsius) }
    set { celsius = scale.toCelsius(newValue) }
  }

  var text: String {
    degrees.formatted(.number.precision(.fractionLength(digits)).locale(Locale(identifier: "en")))
  }
  var isFreezing: Bool { celsius <= 0 }
}

private struct Converter: View {
  @State private var thermometer = Thermometer()

  var body: some View {
    Form {
      Slider(value: $thermometer.celsius, in: -50...50, step: 5) { Text("In Celsius") }
      Picker("Scale", selection: $thermometer.scale) {
        ForEach(Scale.allCases) { Text($0.rawValue) }
      }
      Stepper("Degrees", value: $thermometer.degrees, step: 9)
      Digits(thermometer: thermometer)
      Answer(thermometer: thermometer)
      Frost(isFreezing: thermometer.isFreezing)
    }
  }
}

private struct Digits: View {
  @Bindable var thermometer: Thermometer

  var body: some View { Stepper("\(thermometer.digits) digits", value: $thermometer.digits, in: 0...2) }
}

private struct Answer: View {
  let thermometer: Thermometer

  var body: some View { Text("It is \(thermometer.text)") }
}

private struct Frost: View {
  let isFreezing: Bool

  var body: some View { if isFreezing { Text("Frost") } }
}

/// A converter whose texts and controls are derived from one number.
@MainActor @Suite struct ConverterTests {
  private func makeHost() throws -> ViewHost {
    let host = ViewHost(Converter())
    try host.update()
    return host
  }

  private func select(_ scale: String, _ host: ViewHost) throws {
    try host.act { try host.select(scale, in: "Scale") }
  }

  @Test func theTextFollowsItsSources() throws {
    let host = try makeHost()
    #expect(host.texts.last == "It is 68.0")
    try host.act { try host.slide("In Celsius", to: 26) }
    #expect(host.texts.last == "It is 77.0" && host.value("In Celsius") == "25.0")
    try select("Kelvin", host)
    try host.act { try host.increment("1 digits") }
    #expect(host.texts.last == "It is 298.15")
    #expect(throws: ViewHost.ActionError.disabled(label: "2 digits")) { try host.increment("2 digits") }
  }

  @Test func whatIsDerivedCanBeSet() throws {
    let host = try makeHost()
    try host.act { try host.increment("Degrees") }
    #expect(host.value("In Celsius") == "25.0" && host.texts.last == "It is 77.0")
    try select("Celsius", host)
    try host.act { try host.decrement("Degrees") }
    #expect(host.value("In Celsius") == "16.0" && host.texts.last == "It is 16.0")
  }

  @Test func onlyWhoReadsIsEvaluated() throws {
    let host = try makeHost()
    #expect(try host.evaluated { try host.increment("1 digits") }.sorted() == ["Answer", "Digits"])
    #expect(try host.evaluated { try select("Kelvin", host) } == ["Answer"])
    // The converter itself reads whether it freezes, and so the temperature.
    let warmer = try host.evaluated { try host.slide("In Celsius", to: 30) }
    #expect(warmer.sorted() == ["Answer", "Converter"])
    let freezing = try host.evaluated { try host.slide("In Celsius", to: -10) }
    #expect(freezing.sorted() == ["Answer", "Converter", "Frost"] && host.texts.last == "Frost")
    #expect(try host.evaluated { try host.slide("In Celsius", to: -11) } == [])
  }
}
