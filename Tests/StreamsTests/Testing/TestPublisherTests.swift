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

  @Test func noticesOverlappingSignals() {
    let recorder = RecordingSubscriber<Int, Never>()
    recorder.onValue = { value in
      if value == 1 { race({ _ = recorder.receive(2) }) }
      return .none
    }
    _ = recorder.receive(1)
    #expect(recorder.overlapCount == 1)
  }

  @Test func countsWhatIsAlive() {
    let lifetimes = LifetimeTracker()
    var token: LifetimeToken? = lifetimes.token()
    #expect(lifetimes.liveCount == 1)
    token?.keep()
    token = nil
    #expect(lifetimes.liveCount == 0)
  }

  @Test func racesRunEveryRound() {
    let sent = PassthroughSubject<Int, Never>()
    var count = 0
    let ticket = sent.sink { _ in count += 1 }
    race(rounds: 1000, { sent.send(1) }, { sent.send(2) })
    #expect(count == 2000)
    ticket.cancel()
  }
}
