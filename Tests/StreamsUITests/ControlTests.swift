import StreamsUI
import Testing

@MainActor @Suite struct ControlTests {
  private struct Mixer: View {
    let log: (String) -> Void
    @State private var volume: Float = 2
    @State private var balance = 0.0
    var body: some View {
      Slider(value: $volume, in: 0...10, step: 4) {
        Text("Volume")
      } onEditingChanged: {
        log("\($0) \(volume)")
      }
      Slider(value: $balance, in: -1...1) {
        Text("Balance")
      } minimumValueLabel: {
        Text("left")
      } maximumValueLabel: {
        Text("right")
      }
      Level(volume: $volume, balance: $balance)
    }
  }

  private struct Level: View {
    @Binding var volume: Float
    @Binding var balance: Double
    var body: some View { Text("\(volume) \(balance)") }
  }

  @Test func aSliderIsMovedToWhatCanBeChosen() throws {
    var log: [String] = []
    let host = ViewHost(Mixer { log.append($0) })
    try host.update()
    #expect(host.find("Volume")?.attributes == ["value": "2.0", "minimum": "0.0", "maximum": "10.0"])
    #expect(try host.evaluated { try host.slide("Volume", to: 5) } == ["Level"])
    #expect(host.find("4.0 0.0") != nil && log == ["true 2.0", "false 4.0"])
    // The last step in the range, not its end.
    for number in [1000, .nan, .infinity] { try host.slide("Volume", to: number) }
    try host.slide("Balance", to: -0.3)
    try host.update()
    #expect(host.find("8.0 -0.3") != nil)
    try host.slide("Balance", to: -7)
    try host.update()
    #expect(host.find("8.0 -1.0") != nil && host.find("Volume")?.attributes["value"] == "8.0")
  }

  private struct Shop: View {
    let log: (String) -> Void
    @State private var copies = 1
    @State private var free = 0.5
    var body: some View {
      Stepper("Copies", value: $copies, in: 1...4, step: 2)
      Stepper("Free", value: $free, step: 0.25) { log("\($0)") }
      Stepper("Only up", onIncrement: { log("up") }, onDecrement: nil)
      Stepper("Off", value: $copies).disabled(true)
      Text("\(copies) \(free)")
    }
  }

  @Test func aStepperStaysInItsRange() throws {
    var log: [String] = []
    let host = ViewHost(Shop { log.append($0) })
    try host.update()
    #expect(throws: ViewHost.ActionError.disabled(label: "Copies")) { try host.decrement("Copies") }
    for _ in 0..<2 {
      try host.increment("Copies")
      try host.update()
    }
    #expect(host.find("4 0.5") != nil)
    #expect(throws: ViewHost.ActionError.disabled(label: "Copies")) { try host.increment("Copies") }
    try host.decrement("Copies")
    try host.decrement("Free")
    try host.increment("Only up")
    try host.update()
    #expect(host.find("2 0.25") != nil && log == ["true", "false", "up"])
    for label in ["Only up", "Off"] {
      #expect(throws: ViewHost.ActionError.disabled(label: label)) { try host.decrement(label) }
    }
  }

  private struct Login: View {
    let log: (String) -> Void
    @State private var name = ""
    @State private var password = ""
    var body: some View {
      Group {
        TextField("Name", text: $name, prompt: Text("Ada")).onSubmit { log("name \(name)") }
        SecureField("Password", text: $password)
        TextField("Alone", text: $name).submitScope()
        TextField("Searched", text: $name).onSubmit(of: .search) { log("search") }
      }
      .onSubmit { log("login \(name) \(password)") }
    }
  }

  @Test func aFieldIsSubmittedFromTheInside() throws {
    var log: [String] = []
    let host = ViewHost(Login { log.append($0) })
    try host.update()
    #expect(host.find("Name")?.attributes == ["value": "", "prompt": "Ada"])
    try host.type("ada", into: "Name")
    try host.type("mill", into: "Password")
    try host.update()
    #expect(host.find("Password")?.attributes["value"] == "••••")
    #expect(try host.evaluated { try host.submit("Name") } == [])
    #expect(log == ["name ada", "login ada mill"])
    try host.submit("Password")
    try host.submit("Alone")
    #expect(log.dropFirst(2) == ["login ada mill"])
    try host.submit("Searched")
    #expect(log.count == 4 && log.last == "login ada mill")
    #expect(throws: ViewHost.ActionError.notFound(kind: "TextField", label: "none")) {
      try host.submit("none")
    }
  }

  private struct Bill: View {
    @State private var amount = 1.5
    @State private var tip: Int? = 2
    var body: some View {
      TextField("Amount", value: $amount, format: Self.number)
      TextField("Tip", value: $tip, format: IntegerFormatStyle(locale: Locale(identifier: "en")))
      Text("\(amount) \(tip ?? -1)")
      Text(amount, format: Self.number.precision(.fractionLength(2)))
      Button("round") { amount = amount.rounded() }
    }
    static var number: FloatingPointFormatStyle<Double> { .init(locale: Locale(identifier: "en")) }
  }

  @Test func aFieldOfAValueTakesWhatItsFormatUnderstands() throws {
    let host = ViewHost(Bill())
    try host.update()
    let shown = { host.find("Amount")?.attributes["value"] }
    func act(_ action: () throws -> Void) throws {
      try action()
      try host.update()
    }
    #expect(shown() == "1.5" && host.find("1.50") != nil)
    // What is typed stays, though the value would be written otherwise.
    try act { try host.type("1,234.50", into: "Amount") }
    #expect(shown() == "1,234.50" && host.find("1234.5 2") != nil)
    try act { try host.type("x", into: "Amount") }
    #expect(shown() == "x" && host.find("1234.5 2") != nil)
    try act { try host.submit("Amount") }
    #expect(shown() == "1,234.5")
    try act { try host.type("8.60", into: "Amount") }
    try act { try host.tap("round") }
    #expect(shown() == "9")
    try act { try host.type("", into: "Tip") }
    #expect(host.find("9.0 -1") != nil && host.find("Tip")?.attributes["value"] == "")
    try act { try host.type("7", into: "Tip") }
    #expect(host.find("9.0 7") != nil)
  }

  private struct Feed: View {
    let load: @Sendable () async -> Void
    @State private var isRefreshable = true
    var body: some View {
      Toggle("refreshable", isOn: $isRefreshable)
      if isRefreshable {
        List { Again() }.refreshable(action: load)
      } else {
        List { Again() }
      }
    }
  }

  private struct Again: View {
    @Environment(\.refresh) private var refresh
    var body: some View {
      Button("again \(refresh != nil)") { if let refresh { Task { await refresh() } } }
    }
  }

  @Test func aListIsRefreshed() async throws {
    let count = CurrentValueSubject<Int, Never>(0)
    nonisolated(unsafe) let counting = count
    let host = ViewHost(Feed { counting.value += 1 })
    try host.update()
    try await host.refresh()
    #expect(count.value == 1)
    try host.tap("again true")
    for _ in 0..<1000 where count.value < 2 { await Task.yield() }
    #expect(count.value == 2)
    try host.toggle("refreshable")
    try host.update()
    #expect(host.find("again false") != nil)
    await #expect(throws: ViewHost.ActionError.notFound(kind: "List", label: "refreshable")) {
      try await host.refresh()
    }
  }

  private struct Amount: View {
    @State private var amount = 5
    var body: some View {
      TextField("amount", value: $amount, format: IntegerFormatStyle<Int>(locale: Locale(identifier: "en")))
      ForEach([9, 12], id: \.self) { number in Button("\(number)") { amount = number } }
    }
  }

  @Test func aDraftIsGoneWhenTheValueHasChanged() throws {
    let host = ViewHost(Amount())
    try host.update()
    for (text, shown) in [("12", "12"), ("12x", "12x")] {
      try host.act { try host.type(text, into: "amount") }
      #expect(host.value("amount") == shown)
    }
    try host.tapEach("9")
    #expect(host.value("amount") == "9")
    try host.tapEach("12")
    #expect(host.value("amount") == "12")
    // What is typed stays, also if the value was another one just before.
    try host.tap("9")
    try host.act { try host.type("012", into: "amount") }
    #expect(host.value("amount") == "012")
    try host.act { try host.type("0009", into: "amount") }
    #expect(host.value("amount") == "0009")
    try host.tapEach("9")
    #expect(host.value("amount") == "0009")
  }
}
