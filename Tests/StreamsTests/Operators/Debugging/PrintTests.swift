import Streams
import StreamsTesting
import Testing

@Suite struct PrintTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  struct Nowhere: TextOutputStream {
    mutating func write(_ string: String) {}
  }

  final class Page: TextOutputStream {
    var writes: [String] = []
    func write(_ string: String) { writes.append(string) }

    var lines: [String] { writes.joined().split(separator: "\n").map(String.init) }
  }

  @Test func writesEverythingThatPasses() {
    let page = Page()
    let rig = Rig(demand: .max(30)) { $0.print(to: page) }
    rig.recorder.onValue = { $0 == 10 ? .unlimited : .max(2) }
    #expect(rig.upstream.send(1) == .max(2))
    rig.recorder.request(.unlimited)
    #expect(rig.upstream.send(10) == .unlimited)
    rig.upstream.send(completion: .finished)
    #expect(
      page.lines == [
        "receive subscription: (TestSubscription)",
        "request max: (30)",
        "receive value: (1)",
        "request max: (2) (synchronous)",
        "request unlimited",
        "receive value: (10)",
        "request unlimited (synchronous)",
        "receive finished",
      ])
    #expect(rig.recorder.events == [.subscription("Print"), .value(1), .value(10), .completion(.finished)])
    #expect(rig.requests == [.max(30), .unlimited])
  }

  @Test func saysNothingOfDemandThatIsNone() {
    let page = Page()
    let rig = Rig { $0.print(to: page) }
    #expect(rig.upstream.send(1) == .none)
    #expect(
      page.lines == [
        "receive subscription: (TestSubscription)", "request unlimited", "receive value: (1)",
      ])
  }

  @Test func beginsLinesWithThePrefix() {
    let page = Page()
    let rig = Rig(demand: .none) { $0.print("numbers", to: page) }
    rig.recorder.cancel()
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(
      page.lines == [
        "numbers: receive subscription: (TestSubscription)",
        "numbers: receive cancel",
        "numbers: receive error: (failure)",
      ])
  }

  @Test func writesLikePrint() {
    let page = Page()
    let rig = Rig { $0.print(to: page) }
    rig.upstream.send(completion: .finished)
    #expect(page.writes.suffix(3) == ["", "receive finished", "\n"])
  }

  @Test func writesForEachValueOfABatch() {
    let page = Page()
    let rig = Rig(demand: .none, returning: .max(1)) { $0.print(to: page) }
    #expect(rig.upstream.send(batch: [1, 2]) == .max(2))
    #expect(
      page.lines.dropFirst() == [
        "receive value: (1)", "request max: (1) (synchronous)",
        "receive value: (2)", "request max: (1) (synchronous)",
      ])
  }

  @Test func passesOnAfterTheEnd() {
    let page = Page()
    let rig = Rig(returning: .max(2)) { $0.print(to: page) }
    rig.upstream.send(completion: .finished)
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.upstream.send(1) == .max(2))
    rig.recorder.request(.max(3))
    rig.recorder.cancel()
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "finished", "failure", "value"])
    #expect(rig.requests == [.unlimited])
    #expect(rig.cancelCount == 0)
    #expect(page.lines.suffix(2) == ["request max: (3)", "receive cancel"])
  }

  @Test func acceptsSignalsBeforeTheSubscription() {
    let page = Page()
    let rig = Rig(demand: .none, returning: .max(9), sendsSubscription: false) { $0.print(to: page) }
    rig.innerSubscription.request(.max(1))
    rig.innerSubscription.cancel()
    #expect(rig.upstream.send(1) == .max(9))
    rig.upstream.sendSubscription()
    #expect(rig.recorder.events == [.value(1), .subscription("Print")])
    #expect(rig.upstream.ledger.requests == [])
    #expect(rig.cancelCount == 0)
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(name: "Print") { $0.print(to: Page()) }
  }

  @Test func writesForEachSubscription() {
    let page = Page()
    let rig = Rig(demand: .none) { $0.print(to: page) }
    rig.upstream.send(subscription: TestSubscription("second"))
    #expect(page.lines == ["receive subscription: (TestSubscription)", "receive subscription: (second)"])
  }

  @Test func keepsItsArguments() {
    let page = Page()
    let printed = Publishers.Print(upstream: TestPublisher<Int, Never>(), prefix: "p", to: page)
    #expect(printed.prefix == "p")
    #expect(printed.stream as? Page === page)
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.print(to: Nowhere()) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.print(to: Nowhere()) }
  }

  @Test func leavesTheRestOfABatchAfterACancellation() {
    let page = Page()
    let rig = Rig { $0.print(to: page) }
    rig.recorder.onValue = { _ in
      rig.recorder.cancel()
      return .none
    }
    rig.upstream.send(batch: [1, 2, 3])
    #expect(page.lines.filter { $0.hasPrefix("receive value") } == ["receive value: (1)"])
  }

  @Test func anEndThatItsStreamBringsAboutComesAfterTheSubscription() {
    final class EndingStream: TextOutputStream {
      let subject = PassthroughSubject<Int, TestFailure>()
      func write(_ string: String) { subject.send(completion: .finished) }
    }
    let stream = EndingStream()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    stream.subject.print(to: stream).subscribe(recorder)
    #expect(recorder.events.map(\.kind) == ["subscription", "finished"])
  }
}
