import Streams
import StreamsTesting
import Testing

@Suite struct AnyPublisherTests {
  @Test func forwardsEverything() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(2)) { .max($0) }
    upstream.eraseToAnyPublisher().subscribe(recorder)
    #expect(upstream.send(3) == .max(3))
    #expect(upstream.send(batch: [4, 5]) == .max(9))
    recorder.cancel()
    upstream.send(completion: .finished)
    #expect(recorder.batchSizes == [1, 2])
    #expect(
      recorder.events == [
        .subscription("TestSubscription"), .value(3), .value(4), .value(5), .completion(.finished),
      ])
    #expect(upstream.ledger.requests == [.max(2)])
    #expect(upstream.ledger.isCancelled)
  }

  @Test func showsTheSubscriberItsIdentity() throws {
    let upstream = TestPublisher<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>()
    upstream.eraseToAnyPublisher().subscribe(recorder)
    let seen = try #require(upstream.subscribers.first)
    #expect(seen.combineIdentifier == recorder.combineIdentifier)
    #expect(String(describing: seen) == "RecordingSubscriber")
  }

  @Test func isOneReferenceAndErasesOnce() {
    let once = TestPublisher<Int, Never>().eraseToAnyPublisher()
    let twice = once.eraseToAnyPublisher()
    #expect(unsafeBitCast(once, to: UInt.self) == unsafeBitCast(twice, to: UInt.self))
    #expect(once.description == "AnyPublisher")
    #expect(once.playgroundDescription as? String == "AnyPublisher")
  }

  @Test func keepsASingleValueAsThatAndShowsItsSubscription() {
    let just = RecordingSubscriber<Int, Never>()
    Just(1).eraseToAnyPublisher().subscribe(just)
    #expect(just.events == [.subscription("Just"), .value(1), .completion(.finished)])
    let once = RecordingSubscriber<Int, TestFailure>()
    Just(2).setFailureType(to: TestFailure.self).eraseToAnyPublisher().subscribe(once)
    #expect(once.events == [.subscription("Once"), .value(2), .completion(.finished)])
    let failed = RecordingSubscriber<Int, TestFailure>()
    Result<Int, TestFailure>.failure(TestFailure()).publisher.eraseToAnyPublisher().subscribe(failed)
    #expect(failed.events.last == .completion(.failure(TestFailure())))
  }

  @Test func letsGoOfASingleValue() {
    weak var released: LifetimeToken?
    do {
      let token = LifetimeToken {}
      released = token
      let publisher = Just(token).eraseToAnyPublisher()
      withExtendedLifetime(publisher) { #expect(released != nil) }
    }
    #expect(released == nil)
  }
}
