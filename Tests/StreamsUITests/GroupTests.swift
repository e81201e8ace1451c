import StreamsUI
import Testing

private final class Log {
  var lines: [String] = []
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

/// A modifier of a group is one of each of its members.
@MainActor @Suite struct GroupTests {
  private func shown<V: View>(@ViewBuilder _ view: () -> V) throws -> String {
    let host = ViewHost(view())
    try host.update()
    return host.description
  }

  @Test func paddingIsAroundEachView() throws {
    #expect(
      try shown {
        Group {
          Text("a")
          Text("b")
          if true { Text("c") } else { Text("d") }
          if false { Text("e") }
          ForEach(0..<2) { Text("\($0)") }
          EmptyView()
          AnyView(
            Group {
              Text("f")
              Text("g")
            })
        }
        .padding(2).lineLimit(1).padding(.top)
      }
        == ["a", "b", "c", "0", "1", "f", "g"].map {
          "Padding edges=top\n  Padding length=2.0\n    Text \"\($0)\" lineLimit=1"
        }.joined(separator: "\n"))
    #expect(try shown { EmptyView().padding() } == "")
  }

  @Test func paddingIsAroundEachOfAViewOfSeveral() throws {
    struct Two: View {
      @State var isShown = true
      var body: some View {
        Text("a")
        Text("b").popover(isPresented: $isShown) { Text("c") }
      }
    }
    #expect(
      try shown { Two().padding() } == """
        Padding
          Text "a"
        Padding
          Text "b"
        Popover
          Text "c"
        """)
  }

  @Test func actionsAreOfEachView() throws {
    struct Screen: View {
      let log: Log
      let subject: PassthroughSubject<Int, Never>
      @State var isFirst = true
      @State var count = 0
      var body: some View {
        Button("switch") { isFirst.toggle() }
        Button("count") { count += 1 }
        Group {
          if isFirst { Text("first") } else { Text("second") }
          Text("\(count)")
        }
        .onAppear { log.lines.append("appears") }
        .onDisappear { log.lines.append("disappears") }
        .onChange(of: count) { log.lines.append("changes") }
        .onReceive(subject) { log.lines.append("receives \($0)") }
      }
    }
    let (log, subject) = (Log(), PassthroughSubject<Int, Never>())
    let host = ViewHost(Screen(log: log, subject: subject))
    try host.update()
    #expect(log.take() == ["appears", "appears"])
    try host.tap("switch")
    try host.update()
    #expect(log.take().sorted() == ["appears", "disappears"])
    try host.tap("count")
    try host.update()
    #expect(log.take() == ["changes", "changes"])
    subject.send(1)
    try host.update()
    #expect(log.take() == ["receives 1", "receives 1"])
  }

  @Test func aTaskIsOfEachView() async throws {
    let log = Log()
    let host = ViewHost(
      Group {
        Text("a")
        Text("b")
      }
      .task { log.lines.append("runs") })
    try host.update()
    for _ in 0..<1000 where log.lines.count < 2 { await Task.yield() }
    #expect(log.lines == ["runs", "runs"])
  }

  @Test func aModifierOfOnesOwnIsOfEachView() throws {
    struct Badge: ViewModifier {
      @Environment(\.lineLimit) var limit
      @State var taps = 0
      func body(content: Content) -> some View {
        HStack {
          content
          Button("\(taps) \(limit ?? 0)") { taps += 1 }
        }
      }
    }
    let host = ViewHost(
      Group {
        Text("a")
        Text("b")
      }
      .lineLimit(1).modifier(Badge()))
    try host.update()
    try host.tap("0 0")
    try host.update()
    #expect(host.texts == ["a", "1 0", "b", "0 0"])
    #expect(host.tree.children.map(\.kind) == ["HStack", "HStack"])
  }

  @Test func thereIsOnePopover() throws {
    struct Screen: View {
      @State var isShown = true
      var body: some View {
        Group {
          Text("a")
          Text("b")
        }
        .popover(isPresented: $isShown) { Text("c") }
        .padding()
      }
    }
    #expect(
      try shown { Screen() } == """
        Padding
          Text "a"
        Padding
          Text "b"
        Popover
          Text "c"
        """)
  }

  @Test func stateIsKeptAcrossEvaluations() throws {
    struct Row: View {
      @State var taps = 0
      var body: some View { Button("\(taps)") { taps += 1 } }
    }
    struct Screen: View {
      @State var count = 0
      var body: some View {
        Button("again") { count += 1 }
        Group {
          Row()
          ForEach(0..<2) { _ in Row() }
          AnyView(Row())
        }
        .onChange(of: count) {}
        .padding(Double(count))
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    try host.tap("0")
    try host.update()
    #expect(try host.evaluated { try host.tap("again") } == ["Screen"])
    #expect(host.texts == ["again", "1", "0", "0", "0"])
  }
}
