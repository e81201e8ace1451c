import Dispatch
import StreamsUI
import Testing

@MainActor @Suite struct FocusTests {
  private enum Field: Hashable { case name, password, missing, hidden }

  private struct Login: View {
    @State private var name = ""
    @State private var isThere = true
    @State private var number = 1.0
    @FocusState private var field: Field?
    @FocusState private var isAnywhere: Bool

    var body: some View {
      Group {
        TextField("Name", text: $name).focused($field, equals: .name).onSubmit { field = .password }
        if isThere { SecureField("Password", text: $name).focused($field, equals: .password) }
        Button("Go") { field = nil }
      }
      .focused($isAnywhere)
      TextField("Number", value: $number, format: FloatingPointFormatStyle(locale: Locale(identifier: "en")))
      Button("missing") { field = .missing }
      Button("disabled") { field = .hidden }
      TextField("Hidden", text: $name).focused($field, equals: .hidden).disabled(true)
      Button("any") { isAnywhere = true }
      Button("none") { isAnywhere = false }
      Button("add") { (isThere, field) = (true, .password) }
      Button("remove") { isThere = false }
      Shown(field: $field)
      Shown2(isAnywhere: $isAnywhere)
    }
  }

  private struct Shown: View {
    @FocusState.Binding var field: Field?
    init(field: FocusState<Field?>.Binding) { _field = field }
    var body: some View { Text(field.map { "\($0)" } ?? "nil") }
  }

  private struct Shown2: View {
    let isAnywhere: FocusState<Bool>.Binding
    var body: some View { Text("\(isAnywhere.wrappedValue)") }
  }

  private func act(_ host: ViewHost, _ action: () throws -> Void = {}) throws -> [String] {
    try action()
    try host.update()
    return [host.focused?.label ?? "nothing"] + host.texts.suffix(2)
  }

  @Test func aStateFollowsTheFocusAndMovesIt() throws {
    let host = ViewHost(Login())
    #expect(try act(host) == ["nothing", "nil", "false"])
    #expect(try act(host) { try host.focus("Name") } == ["Name", "name", "true"])
    #expect(try act(host) { try host.submit("Name") } == ["Password", "password", "true"])
    #expect(try act(host) { try host.tap("Go") } == ["nothing", "nil", "false"])
    #expect(try act(host) { try host.tap("any") } == ["Name", "name", "true"])
    // The focus is on one of the controls already.
    #expect(try act(host) { try host.type("x", into: "Password") } == ["Password", "password", "true"])
    #expect(try act(host) { try host.tap("any") } == ["Password", "password", "true"])
    #expect(try act(host) { try host.focus("Number") } == ["Number", "nil", "false"])
    // A state that none of whose controls has the focus takes it from no other.
    #expect(try act(host) { try host.tap("none") } == ["Number", "nil", "false"])
    #expect(try act(host) { host.focused = nil } == ["nothing", "nil", "false"])
  }

  @Test func aControlThatCannotBeFocusedIsNot() throws {
    let host = ViewHost(Login())
    _ = try act(host)
    #expect(try act(host) { try host.focus("Name") } == ["Name", "name", "true"])
    for label in ["missing", "disabled"] {
      #expect(try act(host) { try host.tap(label) } == ["Name", "name", "true"])
    }
    #expect(throws: ViewHost.ActionError.disabled(label: "Hidden")) { try host.focus("Hidden") }
    #expect(throws: ViewHost.ActionError.notFound(kind: "control", label: "nil")) { try host.focus("nil") }
  }

  @Test func theFocusGoesWithItsControl() throws {
    let host = ViewHost(Login())
    _ = try act(host)
    #expect(try act(host) { try host.focus("Password") } == ["Password", "password", "true"])
    #expect(try act(host) { try host.tap("remove") } == ["nothing", "nil", "false"])
    // Shown and given the focus in one change.
    #expect(try act(host) { try host.tap("add") } == ["Password", "password", "true"])
  }

  @Test func onlyWhoReadsTheStateIsEvaluated() throws {
    let host = ViewHost(Login())
    try host.update()
    #expect(try host.evaluated { try host.focus("Name") }.sorted() == ["Shown", "Shown2"])
    #expect(try host.evaluated { try host.focus("Password") } == ["Shown"])
    #expect(try host.evaluated { try host.focus("Password") } == [])
  }

  @Test func aFieldOfAValueIsWrittenAnewWithoutTheFocus() throws {
    let host = ViewHost(Login())
    _ = try act(host)
    _ = try act(host) { try host.type("2.50", into: "Number") }
    #expect(host.find("Number")?.attributes["value"] == "2.50")
    _ = try act(host) { try host.focus("Name") }
    #expect(host.find("Number")?.attributes["value"] == "2.5")
  }

  private struct Beginning: View {
    @FocusState private var second: Bool
    var body: some View {
      TextField("First", text: .constant(""))
      TextField("Second", text: .constant("")).focused($second)
        .onAppear { second = true }
    }
  }

  @Test func aViewMayBeginWithTheFocus() throws {
    let host = ViewHost(Beginning())
    try host.update()
    #expect(host.focused?.label == "Second")
  }

  private struct Hiding: View {
    @State private var tab = 0
    @State private var isDisabled = false
    @State private var isThere = true
    @FocusState private var focused: String?
    var body: some View {
      Text("has \(focused ?? "none")")
      TabView(selection: $tab) {
        Button("first") {}.focused($focused, equals: "first").tag(0).tabItem { Text("A") }
        Text("second").tag(1).tabItem { Text("B") }
      }
      VStack {
        if isThere { Button("inside") {} }
        Button("beside") {}
      }
      .focused($focused, equals: "stack")
      .disabled(isDisabled)
      Toggle("there", isOn: $isThere)
      Button("disable") { isDisabled = true }
      Button("both") { (isThere, focused) = (false, "first") }
    }
  }

  @Test(arguments: [("first", "B"), ("inside", "there"), ("beside", "disable"), ("inside", "both")])
  func aControlThatIsHiddenGoneOrDisabledLosesTheFocus(_ label: String, _ action: String) throws {
    let host = ViewHost(Hiding())
    try host.update()
    try host.focus(label)
    try host.update()
    #expect(host.find(label == "first" ? "has first" : "has stack") != nil)
    switch action {
    case "B": try host.select("B")
    case "there": try host.toggle("there")
    default: try host.tap(action)
    }
    try host.update()
    #expect(host.focused?.label == (action == "both" ? "first" : nil))
    #expect(host.find(action == "both" ? "has first" : "has none") != nil)
  }

  private struct OneRow: View {
    @State private var chosen: Int?
    var body: some View { List(0..<1, id: \.self, selection: $chosen) { _ in Button("button") {} } }
  }

  @Test func aRowAndTheControlInItAreTwo() throws {
    let host = ViewHost(OneRow())
    try host.update()
    for kind in ["Row", "Button"] {
      host.focused = host.first { $0.kind == kind }
      #expect(host.focused?.kind == kind)
    }
  }

  private struct Pair: View {
    let focus: (FocusState<Int?>.Binding) -> Void
    @FocusState private var focused: Int?
    var body: some View {
      let _ = focus($focused)
      ForEach(0..<3) { number in Button("\(number)") {}.focused($focused, equals: number) }
    }
  }

  @Test func aStateIsSetOnAnyThread() throws {
    nonisolated(unsafe) var binding: FocusState<Int?>.Binding?
    let host = ViewHost(Pair { binding = $0 })
    try host.update()
    DispatchQueue.concurrentPerform(iterations: 100) { binding?.wrappedValue = $0 % 4 == 3 ? nil : $0 % 4 }
    binding?.wrappedValue = 2
    try host.update()
    #expect(host.focused?.label == "2" && binding?.wrappedValue == 2)
  }

  private struct Rows: View {
    @State private var names = ["a", "b"]
    @FocusState private var focused: String?
    var body: some View {
      ForEach(names, id: \.self) { name in Button(name) {}.focused($focused, equals: name) }
      Button("turn") { names.reverse() }
      Text("has \(focused ?? "none")")
    }
  }

  @Test func theFocusMovesWithItsElement() throws {
    let host = ViewHost(Rows())
    try host.update()
    try host.focus("b")
    try host.update()
    try host.tap("turn")
    try host.update()
    #expect(host.texts == ["b", "a", "turn", "has b"] && host.focused?.label == "b")
  }
}
