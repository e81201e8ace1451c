import Streams
import StreamsTesting
import Testing

@Suite struct RecordingSubscriberTests {
  private typealias Recorder = RecordingSubscriber<Int, TestFailure>

  @Test func writesDownWhatItReceives() {
    let recorder = Recorder()
    let subscription = TestSubscription()
    recorder.receive(subscription: subscription)
    #expect(recorder.receive(1) == .none)
    #expect([2, 3].withUnsafeBufferPointer { recorder.receive(contentsOf: $0) } == .none)
    recorder.receive(completion: .failure(TestFailure()))
    #expect(
      recorder.events == [
        .subscription("TestSubscription"), .value(1), .value(2), .value(3),
        .completion(.failure(TestFailure())),
      ])
    #expect(
      recorder.events.map { "\($0)" } == [
        "subscription(TestSubscription)", "value(1)", "value(2)", "value(3)", "failure(failure)",
      ])
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.batchSizes == [1, 2])
    #expect(recorder.completions == [.failure(TestFailure())])
    #expect(recorder.subscriptions.count == 1)
    #expect(subscription.ledger.entries == [.requested(.unlimited)])
    #expect("\(recorder)" == "RecordingSubscriber")
    #expect("\(Recorder.Event.completion(.finished))" == "finished")
  }

  @Test func requestsWhatItIsTold() {
    let (first, second) = (TestSubscription(), TestSubscription())
    let recorder = Recorder(initialDemand: .max(2)) { .max($0) }
    recorder.request(.max(9))
    recorder.receive(subscription: first)
    recorder.receive(subscription: second)
    recorder.request(.max(5))
    recorder.cancel()
    #expect(first.ledger.entries == [.requested(.max(2)), .requested(.max(5)), .cancelled])
    #expect(second.ledger.entries == [.requested(.max(2))])
    #expect(recorder.receive(3) == .max(3))
    #expect([1, 2].withUnsafeBufferPointer { recorder.receive(contentsOf: $0) } == .max(1))

    let silent = TestSubscription()
    Recorder(initialDemand: .none).receive(subscription: silent)
    #expect(silent.ledger.entries == [])
  }

  @Test func doesWhatItIsToldWhenThingsHappen() {
    var log: [String] = []
    let recorder = Recorder(initialDemand: .max(1))
    let subscription = TestSubscription(onRequest: { log.append("request \($0)") })
    recorder.onSubscription = { log.append("subscription \($0)") }
    recorder.onValue = { value in
      log.append("value \(value)")
      return .none
    }
    recorder.onCompletion = { log.append("\($0)") }
    recorder.receive(subscription: subscription)
    _ = recorder.receive(7)
    recorder.receive(completion: .finished)
    #expect(log == ["subscription TestSubscription", "request max(1)", "value 7", "finished"])
  }

  @Test func forgetsTheRestOfABatchWhenItCancels() {
    let recorder = Recorder()
    recorder.onValue = { value in
      if value == 2 { recorder.cancel() }
      return .max(1)
    }
    let demand = [1, 2, 3].withUnsafeBufferPointer { recorder.receive(contentsOf: $0) }
    #expect(recorder.values == [1, 2])
    #expect(demand == .max(2))
  }

  @Test func countsValuesBeyondItsDemand() {
    let recorder = Recorder(initialDemand: .max(1)) { $0 == 1 ? .max(1) : .none }
    recorder.receive(subscription: TestSubscription())
    for value in 1...4 { _ = recorder.receive(value) }
    #expect(recorder.overdrawn == 2)

    let greedy = Recorder()
    greedy.receive(subscription: TestSubscription())
    for _ in 0..<9 { greedy.request(.unlimited) }
    for value in 1...100 { _ = greedy.receive(value) }
    #expect(greedy.overdrawn == 0)
  }

  @Test func countsSignalsThatOverlap() {
    let recorder = Recorder()
    recorder.onValue = { value in
      if value == 1 { race({ _ = recorder.receive(2) }) }
      if value == 3 { _ = recorder.receive(4) }
      return .none
    }
    _ = recorder.receive(1)
    #expect(recorder.overlapCount == 1)
    // Recursion is no overlap.
    _ = recorder.receive(3)
    #expect(recorder.overlapCount == 1)
    #expect(recorder.values == [1, 2, 3, 4])
  }

  @Test func writesDownWhenThingsHappen() {
    let scheduler = TestScheduler(now: VirtualTime(nanoseconds: 5))
    let recorder = Recorder(scheduler: scheduler)
    recorder.receive(subscription: TestSubscription())
    scheduler.advance(by: .nanoseconds(2))
    [1, 2].withUnsafeBufferPointer { _ = recorder.receive(contentsOf: $0) }
    scheduler.advance(by: .nanoseconds(1))
    recorder.receive(completion: .finished)
    #expect(recorder.times.map(\.nanoseconds) == [5, 7, 7, 8])
    #expect(recorder.marbles(every: .nanoseconds(1)) == "--(12)|")
    #expect(scheduler.calls == [])
  }

  @Test func letsItsSubscriptionsGo() {
    let lifetimes = LifetimeTracker()
    let recorder = Recorder()
    do {
      let token = lifetimes.token()
      recorder.receive(subscription: TestSubscription(onCancel: token.keep))
    }
    #expect(lifetimes.liveCount == 1)
    recorder.forgetSubscriptions()
    #expect(lifetimes.liveCount == 0)
    recorder.request(.max(1))
    recorder.cancel()
    #expect(recorder.events.map(\.kind) == ["subscription"])
  }
}
