import StreamsUI
import Testing

@MainActor @Suite struct PreferenceTests {
  private struct Names: PreferenceKey {
    static let defaultValue: [String] = []
    static func reduce(value: inout [String], nextValue: () -> [String]) { value += nextValue() }
  }

  private struct Last: PreferenceKey {
    static func reduce(value: inout Int?, nextValue: () -> Int?) { value = nextValue() ?? value }
  }

  private struct Row: View {
    @State private var count = 0
    let name: String
    var body: some View {
      Button("\(name) \(count)") { count += 1 }
        .preference(key: Names.self, value: ["\(name)\(count / 2)"])
    }
  }

  private struct Screen: View {
    let log: ([String]) -> Void
    @State private var names = ["a", "b"]
    @State private var other = 0
    @State private var isShown = false
    var body: some View {
      Group {
        ForEach(names, id: \.self) { Row(name: $0) }
        VStack { Row(name: "x") }.transformPreference(Names.self) { $0 = $0.map { "(\($0))" } }
        VStack { Row(name: "hidden") }.preference(key: Names.self, value: ["over"])
        Text("none").sheet(isPresented: $isShown) { Row(name: "sheet") }
      }
      .onPreferenceChange(Names.self) { log($0) }
      Row(name: "outside")
      Button("turn") { names.reverse() }
      Button("drop") { names.removeFirst() }
      Button("other \(other)") { other += 1 }
      Button("sheet") { isShown = true }
    }
  }

  @Test func valuesComeInTheOrderOfTheViews() throws {
    var log: [[String]] = []
    let host = ViewHost(Screen { log.append($0) })
    func act(_ label: String) throws -> [[String]] {
      log = []
      try host.tap(label)
      try host.update()
      return log
    }
    try host.update()
    #expect(log == [["a0", "b0", "(x0)", "over"]])
    #expect(try act("a 0") == [])
    #expect(try act("a 1") == [["a1", "b0", "(x0)", "over"]])
    // No row is evaluated when the rows only change places.
    #expect(try act("turn") == [["b0", "a1", "(x0)", "over"]])
    #expect(try act("drop") == [["a1", "(x0)", "over"]])
    for label in ["other 0", "hidden 0", "hidden 1", "outside 0", "outside 1", "sheet"] {
      #expect(try act(label) == [])
    }
  }

  private struct Widest: View {
    @State private var longest: Int?
    @State private var isThere = true
    @State private var log: [String] = []
    var body: some View {
      VStack {
        if isThere { Text("deep").preference(key: Last.self, value: 4) }
        Text("first").preference(key: Last.self, value: nil)
      }
      .onPreferenceChange(Last.self) { longest = $0 }
      Text("longest \(longest.map { "\($0)" } ?? "nil")")
      Toggle("there", isOn: $isThere)
    }
  }

  @Test func anActionMaySetState() throws {
    let host = ViewHost(Widest())
    try host.update()
    #expect(host.find("longest 4") != nil)
    try host.toggle("there")
    try host.update()
    #expect(host.find("longest nil") != nil && host.errors.isEmpty)
  }

  @Test func anObserverThatIsGoneIsNotCalled() throws {
    struct Gone: View {
      let log: (Int?) -> Void
      @State private var isThere = true
      @State private var value = 1
      var body: some View {
        if isThere {
          Text("t").preference(key: Last.self, value: value).onPreferenceChange(Last.self) { log($0) }
        }
        Button("both") { (isThere, value) = (false, 2) }
        Text("\(value)")
      }
    }
    var log: [Int?] = []
    let host = ViewHost(Gone { log.append($0) })
    try host.update()
    try host.tap("both")
    try host.update()
    #expect(log == [1] && host.find("2") != nil)
  }
}
