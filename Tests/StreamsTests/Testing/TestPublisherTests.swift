import Streams
import StreamsTesting
import Testing

@Suite struct TestPublisherTests {
  @Test func sendsWhatItIsToldAndKeepsALedger() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(2)) { $0 == 1 ? .max(3) : .none }
    upstream.subscribe(recorder)

    #expect(upstream.send(1) == .max(3))
    #expect(upstream.send(batch: [2, 3]) == .none)
    recorder.cancel()
    upstream.send(completion: .failure(TestFailure()))

    #expect(
      recorder.events == [
        .subscription("TestSubscription"), .value(1), .value(2), .value(3),
        .completion(.failure(TestFailure())),
      ])
    #expect(recorder.batchSizes == [1, 2])
    #expect(
      upstream.ledger.entries == [
        .requested(.max(2)), .delivered(1), .returned(.max(3)), .delivered(2), .cancelled,
      ])
    #expect(upstream.ledger.outstanding == .max(2))
    #expect(upstream.ledger.overdrawn == 0)
  }

  @Test func noticesValuesBeyondDemand() {
    let upstream = TestPublisher<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(1))
    upstream.subscribe(recorder)
    #expect(upstream.sendIfDemanded(1) == 1)
    #expect(upstream.sendIfDemanded(2) == 0)
    upstream.send(3)
    upstream.send(batch: [4, 5])
    #expect(recorder.values == [1, 3, 4, 5])
    #expect(recorder.overdrawn == 3)
    #expect(upstream.ledger.overdrawn == 3)
  }

  @Test func greetsWhenItIsTold() {
    let upstream = TestPublisher<Int, Never>(sendsSubscription: false)
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(1))
    upstream.subscribe(recorder)
    #expect(recorder.events.isEmpty)
    upstream.sendSubscription()
    #expect(recorder.subscriptions.count == 1)
    #expect(upstream.ledger.requests == [.max(1)])
    upstream.send(subscription: TestSubscription("another"))
    #expect(recorder.subscriptions.map { "\($0)" } == ["TestSubscription", "another"])
  }

  @Test func tellsOfWhatIsAskedOfIt() {
    let upstream = TestPublisher<Int, Never>()
    var log: [String] = []
    upstream.onSubscribe = { log.append("subscribe \($0)") }
    upstream.onRequest = { log.append("request \($0)") }
    upstream.onCancel = { log.append("cancel") }
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(2))
    upstream.subscribe(recorder)
    recorder.cancel()
    #expect(log == ["subscribe RecordingSubscriber", "request max(2)", "cancel"])
  }

  @Test func sendsToAllSubscribers() {
    let upstream = TestPublisher<Int, Never>()
    let recorders = [Subscribers.Demand.max(1), .max(3)].map {
      RecordingSubscriber<Int, Never>(initialDemand: $0)
    }
    for recorder in recorders { upstream.subscribe(recorder) }
    #expect(upstream.sendIfDemanded(1) == 2)
    #expect(upstream.sendIfDemanded(2) == 1)
    #expect(recorders.map(\.values) == [[1], [1, 2]])
    #expect(upstream.subscriptions.map(\.ledger.outstanding) == [.none, .max(1)])
    #expect(upstream.ledger.delivered == 2)
  }

  @Test func forgetsItsSubscribers() {
    let lifetimes = LifetimeTracker()
    let upstream = TestPublisher<Int, Never>()
    do {
      let token = lifetimes.token()
      let recorder = RecordingSubscriber<Int, Never>()
      recorder.onCompletion = { _ in token.keep() }
      upstream.subscribe(recorder)
    }
    #expect(lifetimes.liveCount == 1)
    upstream.forgetSubscribers()
    #expect(lifetimes.liveCount == 0)
    #expect(upstream.send(1) == .none)
    #expect(upstream.ledger == DemandLedger())
  }
}
