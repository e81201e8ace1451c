import StreamsUI
import Testing

/// What has happened, in its order.
private final class Log {
  var lines: [String] = []
  func take() -> [String] {
    defer { lines = [] }
    return lines
  }
}

@MainActor @Suite(.serialized) struct AppearanceTests {
  @Test func actionsComeInTheirOrder() throws {
    struct Child: View {
      let log: Log
      var body: some View {
        Text("child")
          .onAppear { log.lines.append("child appears") }
          .onDisappear { log.lines.append("child disappears") }
      }
    }
    struct Screen: View {
      let log: Log
      @State var isShown = true
      var body: some View {
        Toggle("shown", isOn: $isShown)
        if isShown {
          VStack { Child(log: log) }
            .onAppear { log.lines.append("stack appears") }
            .onDisappear { log.lines.append("stack disappears") }
        }
      }
    }
    let log = Log()
    let host = ViewHost(Screen(log: log))
    #expect(log.take() == [])
    try host.update()
    #expect(log.take() == ["stack appears", "child appears"])
    try host.toggle("shown")
    #expect(log.take() == [])
    try host.update()
    #expect(log.take() == ["stack disappears", "child disappears"])
    try host.toggle("shown")
    try host.update()
    #expect(log.take() == ["stack appears", "child appears"])
    host.unmount()
    #expect(log.take() == ["stack disappears", "child disappears"])
    #expect(host.texts == [])
    host.unmount()
    try host.update()
    #expect(log.take() == [])
  }

  @Test func aReleasedHostTakesItsViewDown() throws {
    let log = Log()
    var host: ViewHost? = ViewHost(Text("a").onDisappear { log.lines.append("disappears") })
    host?.onUpdate = { [unowned host] in log.lines.append(host?.description ?? "none") }
    try host?.update()
    host = nil
    #expect(log.take() == ["Text \"a\"", "disappears"])
  }

  @Test func whatABodyHasRemovedBeforeItAppearsDoesNotAppear() throws {
    struct Leaf: View {
      @Binding var isOn: Bool
      var body: some View { leaving() }
      func leaving() -> some View {
        isOn = false
        return Text("leaf")
      }
    }
    struct Middle: View {
      let log: Log
      @Binding var isOn: Bool
      @State var isShown = false
      var body: some View {
        Button("show") { isShown = true }
        if isShown {
          Leaf(isOn: $isOn)
            .onAppear { log.lines.append("appears") }
            .onDisappear { log.lines.append("disappears") }
        }
      }
    }
    struct Screen: View {
      let log: Log
      @State var isOn = true
      var body: some View { if isOn { Middle(log: log, isOn: $isOn) } else { Text("off") } }
    }
    let log = Log()
    let host = ViewHost(Screen(log: log))
    try host.update()
    try host.tap("show")
    try host.update()
    #expect(host.texts == ["off"])
    #expect(log.take() == [])
  }

  @Test func changesAreSeenInAllForms() throws {
    struct Screen: View {
      let log: Log
      @State var count = 0
      @State var other = 0
      var body: some View {
        Button("count") { count += 1 }
        Button("other") { other += 1 }
        Text("\(other)")
          .onChange(of: count) { log.lines.append("new \($0)") }
          .onChange(of: count, initial: true) { log.lines.append("\($0) to \($1)") }
          .onChange(of: count) { log.lines.append("changed") }
      }
    }
    let log = Log()
    let host = ViewHost(Screen(log: log))
    try host.update()
    #expect(log.take() == ["0 to 0"])
    try host.tap("count")
    try host.tap("count")
    try host.update()
    #expect(log.take().sorted() == ["0 to 2", "changed", "new 2"])
    try host.tap("other")
    try host.update()
    #expect(log.take() == [])
  }

  @Test func aTaskRunsAsLongAsItsView() async throws {
    struct Screen: View {
      let log: Log
      @State var id = 0
      @State var isShown = true
      var body: some View {
        Button("id") { id += 1 }
        Toggle("shown", isOn: $isShown)
        if isShown {
          Text("\(id)").task(id: id) { [id] in
            log.lines.append("begins \(id)")
            while !Task.isCancelled { await Task.yield() }
            log.lines.append("ends \(id)")
          }
        }
      }
    }
    let log = Log()
    let host = ViewHost(Screen(log: log))
    func wait(for count: Int) async {
      while log.lines.count < count { await Task.yield() }
    }
    try host.update()
    await wait(for: 1)
    try host.tap("id")
    try host.update()
    await wait(for: 3)
    #expect(log.lines.sorted() == ["begins 0", "begins 1", "ends 0"])
    try host.toggle("shown")
    try host.update()
    await wait(for: 4)
    #expect(log.lines.last == "ends 1")
  }

  @Test func aPublisherThatIsAnotherIsSubscribedTo() throws {
    struct Screen: View {
      let subjects: [PassthroughSubject<Int, Never>]
      @State var index = 0
      @State var seen: [Int] = []
      var body: some View {
        Button("next") { index += 1 }
        Text("\(seen)").onReceive(subjects[index]) { seen.append($0) }
      }
    }
    let subjects = [PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>()]
    let host = ViewHost(Screen(subjects: subjects))
    try host.update()
    subjects[0].send(1)
    subjects[1].send(2)
    try host.update()
    try host.tap("next")
    try host.update()
    subjects[0].send(3)
    subjects[1].send(4)
    subjects[1].send(completion: .finished)
    try host.update()
    #expect(host.texts.last == "[1, 4]")
  }

  @Test func aCurrentValueIsReceivedAtOnce() throws {
    struct Screen: View {
      let subject: CurrentValueSubject<Int, Never>
      @State var seen = 0
      var body: some View { Text("\(seen)").onReceive(subject) { seen = $0 } }
    }
    let host = ViewHost(Screen(subject: CurrentValueSubject(5)))
    try host.update()
    #expect(host.texts == ["5"])
  }

  private struct Leaving: View {
    let log: (String) -> Void
    let unmount: () -> Void
    @State private var isShown = true
    var body: some View {
      Toggle("shown", isOn: $isShown)
        .onChange(of: isShown) { log("too late") }
        .onChange(of: isShown) {
          unmount()
          log("unmounted")
        }
      if isShown {
        ForEach(0..<2) { number in Text("\(number)").onDisappear { log("\(number)") } }
      } else {
        Text("new").onAppear { log("too late") }.onDisappear { log("never") }
      }
    }
  }

  @Test func aViewThatIsGoneDisappearsAlthoughTheHostIsUnmounted() throws {
    var log: [String] = []
    weak var known: ViewHost?
    let host = ViewHost(
      Leaving {
        log.append($0)
      } unmount: {
        known?.unmount()
      })
    known = host
    try host.update()
    try host.act { try host.toggle("shown") }
    #expect(log.sorted() == ["0", "1", "unmounted"])
  }
}
