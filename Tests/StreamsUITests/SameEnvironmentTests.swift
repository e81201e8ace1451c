import StreamsUI
import Testing

extension EnvironmentValues {
  @Entry fileprivate var name: String = "default"
  @Entry fileprivate var action: () -> String = { "default" }
}

private struct Reader: View {
  @Environment(\.name) private var name

  var body: some View { Text(name) }
}

@MainActor @Suite struct SameEnvironmentTests {
  /// Sets a value for a reader, or none.
  private struct Screen: View {
    @State private var value: String?

    var body: some View {
      let value = value
      Reader().transformEnvironment(\.self) { if let value { $0.name = value } }
      ForEach(["default", "other"], id: \.self) { new in Button(new) { self.value = new } }
      Button("none") { self.value = nil }
    }
  }

  /// Views that read a value are left alone when it is set to what it is, or is no longer set and stays the same.
  @Test func isNotEvaluatedForTheSameValue() throws {
    let host = ViewHost(Screen())
    try host.update()
    #expect(try host.evaluated { try host.tap("default") } == ["Screen"])
    #expect(try host.evaluated { host.environment.name = "root" } == [])
    #expect(host.texts.first == "default")
    #expect(try host.evaluated { try host.tap("none") } == ["Screen", "Reader"])
    #expect(try host.evaluated { host.environment.name = "other" } == ["Reader"])
    #expect(try host.evaluated { try host.tap("other") } == ["Screen"])
    #expect(try host.evaluated { try host.tap("none") } == ["Screen"])
    #expect(try host.evaluated { host.environment.name = "root" } == ["Reader"])
    #expect(try host.evaluated { try host.tap("other") } == ["Screen", "Reader"])
    #expect(host.texts.first == "other")
  }

  /// What the host sets first is what has been read without it.
  @Test func theHostMaySetTheDefault() throws {
    let host = ViewHost(Reader())
    try host.update()
    #expect(try host.evaluated { host.environment.name = "default" } == [])
    #expect(try host.evaluated { host.environment.name = "other" } == ["Reader"])
    #expect(try host.evaluated { host.environment = EnvironmentValues() } == ["Reader"])
    #expect(host.texts == ["default"])
  }

  /// Functions cannot be compared: one that is made anew is another value.
  @Test func whatCannotBeComparedIsAnother() throws {
    struct Caller: View {
      @Environment(\.action) private var action
      var body: some View { Text(action()) }
    }
    let host = ViewHost(Caller())
    try host.update()
    #expect(try host.evaluated { host.environment.action = { "default" } } == ["Caller"])
  }
}
