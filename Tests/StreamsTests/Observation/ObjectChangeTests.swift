import Testing

@testable import Streams

private final class Counted: ObservableObject {
  @Published var count = 0
}

@Suite struct ObjectChangeTests {
  @Test func aChangeIsToldOfWhenTheValueIsThere() {
    let model = Counted()
    var seen: [Int] = []
    let cancellable = model.watchChanges { change in
      #expect(change == .made)
      seen.append(model.count)
    }
    model.count = 1
    model.count = 2
    #expect(seen == [1, 2])
    cancellable.cancel()
    model.count = 3
    #expect(seen == [1, 2])
  }

  @Test func whatIsAnnouncedByHandIsToldOfAfterAllHaveBeen() {
    let model = Counted()
    var log: [String] = []
    let watching = model.watchChanges { log.append("\($0)") }
    let cancellable = model.objectWillChange.sink { log.append("will change") }
    model.objectWillChange.send()
    #expect(log == ["will change", "announced(isOver: true)"])
    withExtendedLifetime((watching, cancellable)) {}
  }
}
