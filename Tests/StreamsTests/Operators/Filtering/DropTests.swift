import Streams
import StreamsTesting
import Testing

@Suite struct DropTests {
  private let upstream = TestPublisher<Int, TestFailure>()
  private let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(42)) { _ in .max(3) }

  private var events: [String] { recorder.events.map(String.init(describing:)) }

  @Test func requestsTheDroppedValuesInAddition() {
    recorder.onSubscription = { [upstream] _ in #expect(upstream.subscribers.isEmpty) }
    upstream.dropFirst(2).subscribe(recorder)
    #expect(upstream.ledger.requests == [.max(44)])
    #expect((1...4).map { upstream.send($0) } == [.none, .none, .max(3), .max(3)])
    upstream.send(completion: .finished)
    upstream.send(completion: .failure(TestFailure()))
    #expect(
      events == ["subscription(Drop)", "value(3)", "value(4)", "finished", "failure(failure)"])
  }

  @Test func dropsTheBeginningOfBatches() {
    upstream.dropFirst(3).subscribe(recorder)
    #expect(upstream.send(batch: [1, 2]) == .none)
    #expect(upstream.send(batch: [3, 4, 5]) == .max(6))
    #expect(upstream.send(batch: [6, 7]) == .max(6))
    #expect(recorder.values == [4, 5, 6, 7])
    #expect(recorder.batchSizes == [1, 1, 1, 1])
  }

  @Test func withoutDemandOnlyTheDroppedValuesAreRequested() {
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
    upstream.dropFirst().subscribe(recorder)
    #expect(upstream.ledger.requests == [.max(1)])
    recorder.request(.max(5))
    #expect(upstream.ledger.requests == [.max(1), .max(5)])

    upstream.dropFirst(0).subscribe(RecordingSubscriber<Int, TestFailure>(initialDemand: .none))
    #expect(upstream.ledger.requests.isEmpty)
  }

  @Test func demandWaitsForALateSubscription() {
    let upstream = TestPublisher<Int, TestFailure>(sendsSubscription: false)
    upstream.dropFirst(4).subscribe(recorder)
    #expect(events == ["subscription(Drop)"])
    recorder.request(.max(2))
    upstream.sendSubscription()
    #expect(upstream.ledger.requests == [.max(48)])
  }

  @Test func valuesAndCompletionsPassWithoutASubscription() {
    let upstream = TestPublisher<Int, TestFailure>(sendsSubscription: false)
    upstream.dropFirst(0).subscribe(recorder)
    #expect(upstream.send(1) == .max(3))
    upstream.send(completion: .finished)
    #expect(events == ["subscription(Drop)", "value(1)", "finished"])
  }

  @Test func refusesASecondSubscriptionButTakesALaterOne() {
    upstream.dropFirst(3).subscribe(recorder)
    let second = TestSubscription()
    upstream.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])

    recorder.request(.max(9))
    upstream.send(completion: .finished)
    recorder.cancel()
    recorder.request(.max(5))
    upstream.send(1)
    let third = TestSubscription()
    upstream.send(subscription: third)
    // As in Combine, the demand of before counts again.
    #expect(third.ledger.requests == [.max(42 + 5 + 2)])
  }

  /// As in Combine: there is nothing to ask it for.
  @Test func aSubscriptionThatComesAfterTheCancellationIsLeftAloneWithoutDemand() {
    let source = TestPublisher<Int, TestFailure>(sendsSubscription: false)
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
    source.dropFirst(0).subscribe(recorder)
    recorder.cancel()
    source.sendSubscription()
    #expect(source.ledger.entries == [])
  }

  /// An upstream that sends nothing would be kept for ever.
  @Test func cancelledWhileItSubscribesItCancelsTheUpstream() {
    let source = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
    source.onSubscribe = { _ in recorder.cancel() }
    source.dropFirst(0).subscribe(recorder)
    #expect(source.ledger.entries == [.cancelled])
  }

  @Test func cancels() {
    upstream.dropFirst().subscribe(recorder)
    recorder.cancel()
    recorder.request(.max(1))
    recorder.cancel()
    #expect(upstream.ledger.entries == [.requested(.max(43)), .cancelled])
  }

  @Test func survivesRaces() { expectSurvivesRace { $0.dropFirst(50) } }

  @Test func traps() async {
    await #expect(processExitsWith: .failure) {
      TestPublisher<Int, Never>().dropFirst(-1).subscribe(RecordingSubscriber<Int, Never>())
    }
    await #expect(processExitsWith: .failure) {
      TestPublisher<Int, Never>().dropFirst()
        .subscribe(RecordingSubscriber<Int, Never>(initialDemand: .none).requestingNothing())
    }
  }

  @Test func reflects() {
    upstream.dropFirst().subscribe(recorder)
    #expect(Mirror(reflecting: recorder.subscriptions[0]).children.isEmpty)
    #expect(Empty<Int, Never>().dropFirst() == Empty<Int, Never>().dropFirst(1))
    #expect(Empty<Int, Never>().dropFirst() != Empty<Int, Never>().dropFirst(2))
  }

  @Test func cancelledWithItsSubscriptionItSubscribesToNothing() {
    let source = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    recorder.onSubscription = { $0.cancel() }
    source.dropFirst(1).subscribe(recorder)
    #expect(source.subscribers.isEmpty)
  }

  @Test func aSubscriptionThatComesAfterTheCancellationIsCancelled() {
    let source = TestPublisher<Int, TestFailure>(sendsSubscription: false)
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(1))
    source.dropFirst(1).subscribe(recorder)
    recorder.cancel()
    source.sendSubscription()
    #expect(source.ledger.entries == [.cancelled])
  }
}
