import StreamsUI
import Testing

extension Int {
  fileprivate mutating func increment() { self += 1 }
}

@MainActor @Suite(.serialized) struct ReentranceTests {
  private func withoutReports(_ body: () throws -> Void) rethrows {
    let before = ViewHost.report
    defer { ViewHost.report = before }
    ViewHost.report = { _ in }
    try body()
  }

  @Test func aBodyMaySend() throws {
    struct Screen: View {
      let subject: PassthroughSubject<Int, Never>
      @State var count = 0
      @State var seen: [Int] = []
      var body: some View {
        let _ = subject.send(count)
        Button("count") { count += 1 }
        Text("\(seen)").onReceive(subject) { if !seen.contains($0) { seen.append($0) } }
      }
    }
    let host = ViewHost(Screen(subject: PassthroughSubject()))
    try host.update()
    try host.tap("count")
    try host.update()
    #expect(host.texts == ["count", "[1]"])
  }

  @Test func aBodyThatChangesWhatItReadsIsReported() throws {
    struct Endless: View {
      @State var count = 0
      var body: some View {
        let _ = $count.wrappedValue.increment()
        Text("\(count)")
      }
    }
    struct Screen: View {
      @State var isShown = true
      var body: some View {
        if isShown { Endless() }
        Toggle("shown", isOn: $isShown)
      }
    }
    try withoutReports {
      let host = ViewHost(Screen())
      let error = #expect(throws: ViewHost.EndlessUpdate.self) { try host.update() }
      #expect(error?.paths == ["Screen/0/Endless"])
      // It goes on in the next update, and with it everything else does.
      #expect(throws: ViewHost.EndlessUpdate.self) { try host.update() }
      try host.toggle("shown")
      try host.update()
      #expect(host.errors.isEmpty)
      #expect(host.texts == ["shown"])
    }
  }

  @Test func actionsThatGoOnForEverAreReported() throws {
    struct Screen: View {
      let subject: PassthroughSubject<Int, Never>
      var body: some View { Text("a").onReceive(subject) { subject.send($0 + 1) } }
    }
    try withoutReports {
      let subject = PassthroughSubject<Int, Never>()
      let host = ViewHost(Screen(subject: subject))
      try host.update()
      subject.send(0)
      let error = #expect(throws: ViewHost.EndlessUpdate.self) { try host.update() }
      #expect(error?.paths == [])
    }
  }

  @Test func anActionMayRemoveItsOwnView() throws {
    struct Screen: View {
      @State var items = [1, 2, 3]
      var body: some View {
        ForEach(items, id: \.self) { item in
          Button("\(item)") {
            items.removeAll { $0 == item }
            items.append(item * 10)
          }
          .onDisappear { items.append(0) }
        }
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    try host.tap("2")
    try host.update()
    #expect(host.texts == ["1", "3", "20", "0"])
  }

  @Test func theEndOfAStatesValueMaySetAnotherState() throws {
    final class Token {
      let end: () -> Void
      init(end: @escaping () -> Void) { self.end = end }
      deinit { end() }
    }
    struct Holder: View {
      @State var token: Token?
      let ended: Binding<Int>
      var body: some View {
        Button("drop") { token = nil }
        Text(token == nil ? "none" : "token").onAppear {
          token = Token { [ended] in ended.wrappedValue += 1 }
        }
      }
    }
    struct Screen: View {
      @State var ended = 0
      @State var isShown = true
      var body: some View {
        Text("\(ended)")
        Toggle("shown", isOn: $isShown)
        if isShown { Holder(ended: $ended) }
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    #expect(host.texts == ["0", "shown", "drop", "token"])
    try host.tap("drop")
    try host.update()
    #expect(host.texts == ["1", "shown", "drop", "none"])
    for _ in 0..<2 {
      try host.toggle("shown")
      try host.update()
    }
    #expect(host.texts == ["1", "shown", "drop", "token"])
    try host.toggle("shown")
    try host.update()
    #expect(host.texts == ["2", "shown"])
    host.unmount()
  }

  @Test func anObjectMayChangeWhileItsViewAppears() throws {
    final class Model: ObservableObject { @Published var text = "a" }
    struct Child: View {
      @ObservedObject var model: Model
      var body: some View { Text(model.text).onAppear { model.text = "b" } }
    }
    struct Screen: View {
      @StateObject var model = Model()
      var body: some View {
        Text("first \(model.text)")
        Child(model: model)
      }
    }
    let host = ViewHost(Screen())
    try host.update()
    #expect(host.texts == ["first b", "b"])
  }

  /// Where the view is taken down: by the button's action, by what appears, by what disappears, or by a body.
  @Test(arguments: ["tap", "appear", "disappear", "body"]) func mayTakeItselfDown(_ place: String) throws {
    final class Log {
      var host: ViewHost?
      var lines: [String] = []
    }
    struct Child: View {
      let place: String
      let log: Log
      var body: some View {
        if place == "body" { let _ = log.host?.unmount() }
        Text("child")
          .onAppear { if place == "appear" { log.host?.unmount() } }
          .onDisappear {
            log.lines.append("child")
            if place == "disappear" { log.host?.unmount() }
          }
      }
    }
    struct Screen: View {
      let place: String
      let log: Log
      @State var isShown = false
      var body: some View {
        Button("tap") { if place == "tap" { log.host?.unmount() } else { isShown.toggle() } }
          .onDisappear { log.lines.append("button") }
        if isShown { Child(place: place, log: log) }
      }
    }
    let log = Log()
    let host = ViewHost(Screen(place: place, log: log))
    log.host = host
    try host.update()
    try host.tap("tap")
    try host.update()
    if place == "disappear" {
      try host.tap("tap")
      try host.update()
    }
    #expect(
      log.lines.sorted()
        == (place == "tap" ? ["button"] : place == "body" ? ["button"] : ["button", "child"]))
    #expect(host.texts == [])
    log.host = nil
  }

  @Test func anUpdateWithinAnUpdateIsThatOne() throws {
    final class Log {
      var host: ViewHost?
      var lines: [String] = []
    }
    struct Screen: View {
      let log: Log
      @State var count = 0
      var body: some View {
        let _ = log.lines.append("body \(count)")
        let _ = try? log.host?.update()
        Text("\(count)").onAppear {
          count = 1
          try? log.host?.update()
          log.lines.append("appeared")
        }
      }
    }
    let log = Log()
    let host = ViewHost(Screen(log: log))
    log.host = host
    try host.update()
    #expect(log.lines == ["body 0", "appeared", "body 1"])
    log.host = nil
  }

  /// A body may update another host, and reads nothing by that.
  @Test func aHostMayBeUpdatedInABody() throws {
    struct Inner: View {
      @Binding var count: Int
      var body: some View { Text("inner \(count)") }
    }
    struct Outer: View {
      let inner: ViewHost
      var body: some View {
        let _ = try? inner.update()
        Text(inner.description)
      }
    }
    final class Box {
      var count = Binding.constant(0)
      func keep(_ binding: Binding<Int>) { count = binding }
    }
    struct Owner: View {
      let box: Box
      @State var count = 0
      var body: some View {
        let _ = box.keep($count)
        Text("\(count)")
      }
    }
    let box = Box()
    let owner = ViewHost(Owner(box: box))
    try owner.update()
    // The state belongs to one host, and the other reads it.
    let inner = ViewHost(Inner(count: box.count))
    let outer = ViewHost(Outer(inner: inner))
    try outer.update()
    #expect(outer.texts == ["Text \"inner 0\""])
    box.count.wrappedValue = 7
    #expect(try outer.evaluated() == [])
    #expect(try inner.evaluated() == ["Inner"])
    #expect(try owner.evaluated() == ["Owner"])
    #expect((inner.texts, owner.texts) == (["inner 7"], ["7"]))
  }
}
