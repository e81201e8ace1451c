import Streams
import StreamsTesting
import Testing

@Suite struct HandleEventsTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  final class Log {
    var lines: [String] = []

    func handle<P: Publisher>(_ publisher: P) -> Publishers.HandleEvents<P> {
      publisher.handleEvents(
        receiveSubscription: { self.lines.append("subscription \($0)") },
        receiveOutput: { self.lines.append("output \($0)") },
        receiveCompletion: { self.lines.append("completion \($0)") },
        receiveCancel: { self.lines.append("cancel") },
        receiveRequest: { self.lines.append("request \($0)") })
    }
  }

  @Test func callsAClosureForEachEvent() {
    let log = Log()
    let rig = Rig(demand: .max(2)) { log.handle($0) }
    rig.recorder.onValue = { .max($0) }
    #expect(rig.upstream.send(0) == .none)
    #expect(rig.upstream.send(3) == .max(3))
    rig.upstream.send(completion: .finished)
    #expect(
      log.lines == [
        "subscription TestSubscription", "request max(2)", "output 0", "output 3", "request max(3)",
        "completion finished",
      ])
    #expect(
      rig.recorder.events == [.subscription("HandleEvents"), .value(0), .value(3), .completion(.finished)])
    #expect(rig.requests == [.max(2)])
  }

  @Test func callsTheClosureBeforeThePassingOn() {
    var order: [String] = []
    let rig = Rig { upstream in upstream.handleEvents(receiveOutput: { order.append("handler \($0)") }) }
    rig.recorder.onValue = {
      order.append("subscriber \($0)")
      return .none
    }
    rig.upstream.send(batch: [1, 2])
    #expect(order == ["handler 1", "subscriber 1", "handler 2", "subscriber 2"])
  }

  @Test func passesBatchesOnWhereNoClosureLooksAtValues() {
    let rig = Rig(returning: .max(2)) { $0.handleEvents(receiveCompletion: { _ in }) }
    #expect(rig.upstream.send(batch: [1, 2, 3]) == .max(6))
    #expect(rig.recorder.batchSizes == [3])
  }

  @Test func sumsUpTheDemandOfABatch() {
    let log = Log()
    let rig = Rig(demand: .max(3), returning: .max(2)) { log.handle($0) }
    #expect(rig.upstream.send(batch: [1, 2]) == .max(4))
    #expect(log.lines.suffix(4) == ["output 1", "request max(2)", "output 2", "request max(2)"])
  }

  @Test func callsNoClosureAfterTheEndButPassesOn() {
    let log = Log()
    let rig = Rig(demand: .none, returning: .max(2)) { log.handle($0) }
    rig.upstream.send(completion: .finished)
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.upstream.send(1) == .max(2))
    rig.recorder.request(.max(4))
    rig.recorder.cancel()
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "finished", "failure", "value"])
    #expect(rig.upstream.ledger.entries == [.delivered(1), .returned(.max(2))])
    #expect(log.lines == ["subscription TestSubscription", "completion finished"])
  }

  @Test func callsNoClosureAfterCancellationButPassesOn() {
    let log = Log()
    let rig = Rig(demand: .max(2), returning: .max(5)) { log.handle($0) }
    rig.recorder.cancel()
    rig.recorder.request(.max(1))
    rig.recorder.cancel()
    #expect(rig.upstream.send(1) == .max(5))
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value", "finished"])
    #expect(log.lines == ["subscription TestSubscription", "request max(2)", "cancel"])
    #expect(rig.cancelCount == 1)
  }

  @Test func stopsCallingWhenCancelledInABatch() {
    let log = Log()
    let rig = Rig { log.handle($0) }
    rig.recorder.onValue = { _ in
      rig.recorder.cancel()
      return .max(1)
    }
    #expect(rig.upstream.send(batch: [1, 2]) == .max(1))
    #expect(rig.recorder.values == [1])
    #expect(
      log.lines == ["subscription TestSubscription", "request unlimited", "output 1", "cancel"])
  }

  @Test func callsNoClosureForAValueSentOnceAnotherHasCancelled() {
    let log = Log()
    let rig = Rig { log.handle($0) }
    rig.recorder.onValue = { value in
      if value == 1 {
        rig.recorder.cancel()
        rig.upstream.send(2)
      }
      return .none
    }
    rig.upstream.send(batch: [1])
    #expect(rig.recorder.values == [1, 2])
    #expect(log.lines.suffix(2) == ["output 1", "cancel"])
  }

  @Test func tellsOfARequestBeforeItIsPassedOn() {
    var order: [String] = []
    let rig = Rig(demand: .none) { $0.handleEvents(receiveRequest: { _ in order.append("handler") }) }
    rig.upstream.subscriptions[0].onRequest = { _ in order.append("upstream") }
    rig.recorder.request(.max(1))
    #expect(order == ["handler", "upstream"])
  }

  @Test func handlesEventsBeforeTheSubscription() {
    let log = Log()
    let rig = Rig(demand: .none, returning: .max(9), sendsSubscription: false) { log.handle($0) }
    rig.innerSubscription.request(.max(1))
    #expect(rig.upstream.send(8) == .max(9))
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    #expect(rig.upstream.ledger.entries == [.delivered(1), .returned(.max(9))])
    #expect(
      log.lines == [
        "request max(1)", "output 8", "request max(9)", "cancel", "subscription TestSubscription",
      ])
    #expect(rig.recorder.events == [.value(8), .subscription("HandleEvents")])
  }

  @Test func passesOnARequestForNothing() {
    let rig = Rig { $0.handleEvents() }
    rig.recorder.request(.none)
    #expect(rig.requests == [.unlimited, .none])
  }

  @Test func callsTheClosureForEachSubscription() {
    let log = Log()
    let rig = Rig(demand: .none) { log.handle($0) }
    rig.upstream.send(subscription: TestSubscription("second"))
    #expect(log.lines == ["subscription TestSubscription", "subscription second"])
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(name: "HandleEvents") { $0.handleEvents() }
  }

  @Test(arguments: [true, false])
  func releasesItsClosuresAtTheEnd(byCancelling: Bool) {
    let lifetimes = LifetimeTracker()
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    do {
      let token = lifetimes.token()
      upstream.handleEvents(receiveOutput: { _ in token.keep() }).subscribe(recorder)
    }
    #expect(lifetimes.liveCount == 1)
    if byCancelling { recorder.cancel() } else { upstream.send(completion: .finished) }
    #expect(lifetimes.liveCount == 0)
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.handleEvents(receiveOutput: { _ in }, receiveRequest: { _ in }) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.handleEvents(receiveOutput: { _ in }, receiveCancel: {}) }
  }

  @Test(arguments: ["finish", "fail"])
  func anEndThatItsClosureBringsAboutComesAfterTheSubscription(_ end: String) {
    let subject = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    subject.handleEvents(receiveSubscription: { _ in
      subject.send(completion: end == "fail" ? .failure(TestFailure()) : .finished)
    }).subscribe(recorder)
    #expect(recorder.events.map(\.kind) == ["subscription", end == "fail" ? "failure" : "finished"])
  }
}
