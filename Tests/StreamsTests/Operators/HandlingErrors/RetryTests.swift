import Streams
import StreamsTesting
import Testing

@Suite struct RetryTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  /// Sends only to the subscriber of the latest attempt, as a publisher that fails does.
  private func fail(_ source: Source) {
    let latest = source.subscribers.last
    latest?.receive(completion: .failure(TestFailure()))
  }

  @Test func triesAgainWithTheRemainingDemand() {
    let source = Source()
    let recorder = Recorder(initialDemand: .max(5))
    source.retry(2).subscribe(recorder)
    for value in 1...3 {
      _ = source.subscribers.last?.receive(value)
      fail(source)
    }
    #expect(source.subscriptions.map(\.ledger.requests) == [[.max(5)], [.max(4)], [.max(3)]])
    #expect(
      recorder.events == [
        .subscription("Retry"), .value(1), .value(2), .value(3), .completion(.failure(TestFailure())),
      ])
    fail(source)
    recorder.request(.max(100))
    #expect(source.subscriptions.count == 3)
    #expect(recorder.completions.count == 1)
  }

  @Test func withoutRetriesTheFailurePasses() {
    let source = Source()
    let recorder = Recorder()
    source.retry(0).subscribe(recorder)
    fail(source)
    #expect(source.send(1) == .none)
    source.send(completion: .finished)
    #expect(recorder.events == [.subscription("Retry"), .completion(.failure(TestFailure()))])
  }

  @Test(arguments: [nil, -1])
  func triesForEverWithoutRecursion(_ retries: Int?) {
    let source = Source()
    let recorder = Recorder(initialDemand: .max(1))
    var attempts = 0
    source.onSubscribe = { _ in attempts += 1 }
    Publishers.Retry(upstream: source, retries: retries).subscribe(recorder)
    // Each attempt fails while it is being subscribed.
    source.onRequest = { _ in
      if attempts < 10_000 { source.subscribers.last?.receive(completion: .failure(TestFailure())) }
    }
    fail(source)
    #expect(attempts == 10_000)
    #expect(recorder.events == [.subscription("Retry")])
    #expect(source.ledger.requests == [.max(1)])
  }

  @Test func stopsTryingWhenCancelled() {
    let source = Source()
    let recorder = Recorder()
    source.onRequest = { _ in
      source.subscribers.last?.receive(completion: .failure(TestFailure()))
      if source.subscribers.count == 5 { recorder.cancel() }
    }
    Publishers.Retry(upstream: source, retries: nil).subscribe(recorder)
    #expect(source.subscribers.count == 5)
    #expect(recorder.completions.isEmpty)
  }

  @Test func aFailureWhileSubscribingCountsAsAnAttempt() {
    let recorder = Recorder()
    var attempts = 0
    Deferred {
      attempts += 1
      return Fail<Int, TestFailure>(error: TestFailure())
    }.retry(5).subscribe(recorder)
    #expect(attempts == 6)
    #expect(recorder.events == [.subscription("Retry"), .completion(.failure(TestFailure()))])
  }

  @Test func finishingEndsTheAttempts() {
    let source = Source()
    let recorder = Recorder()
    source.retry(3).subscribe(recorder)
    fail(source)
    source.subscribers[1].receive(completion: .finished)
    fail(source)
    #expect(source.subscribers.count == 2)
    #expect(recorder.events == [.subscription("Retry"), .completion(.finished)])
  }

  @Test func returnedDemandIsRequested() {
    let source = Source()
    source.retry(1).subscribe(Recorder(initialDemand: .max(2)) { _ in .max(3) })
    #expect(source.send(1) == .none)
    #expect(source.send(batch: [2, 3]) == .none)
    #expect(source.ledger.requests == [.max(2), .max(3), .max(3), .max(3)])
  }

  @Test func demandWhileThereIsNoSubscription() {
    let source = Source(sendsSubscription: false)
    let recorder = Recorder(initialDemand: .max(3))
    source.retry(1).subscribe(recorder)
    #expect(recorder.events.isEmpty)
    source.sendSubscription()
    fail(source)
    recorder.request(.max(2))
    source.subscribers[1].receive(subscription: source.subscriptions[1])
    #expect(source.ledger.requests == [.max(5)])
  }

  @Test func valuesBeyondDemandTrap() async {
    await #expect(processExitsWith: .failure) {
      let source = TestPublisher<Int, TestFailure>()
      source.retry(1).subscribe(RecordingSubscriber<Int, TestFailure>(initialDemand: .none))
      source.send(1)
    }
  }

  @Test func furtherSubscriptionsAreCancelled() {
    let source = Source()
    let recorder = Recorder(initialDemand: .none)
    source.retry(3).subscribe(recorder)
    let late = [TestSubscription(), TestSubscription()]
    source.send(subscription: late[0])
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    source.send(subscription: late[1])
    #expect(source.send(1) == .none)
    #expect(late.allSatisfy { $0.ledger.entries == [.cancelled] })
    #expect(source.ledger.requests.isEmpty)
    #expect(source.ledger.cancelCount == 1)
    #expect(recorder.events == [.subscription("Retry")])
  }

  @Test func describesItselfAndCompares() {
    let source = Source()
    source.retry(1).subscribe(Recorder())
    #expect(String(describing: source.subscribers[0]) == "Retry")
    #expect(Mirror(reflecting: source.subscribers[0]).children.isEmpty)
    #expect(Just(1).retry(2) == Just(1).retry(2))
    #expect(Empty<Int, TestFailure>().retry(1) != Empty<Int, TestFailure>().retry(2))
  }

  @Test(arguments: ["finish", "fail", "cancel"])
  func releasesTheSubscriberAtTheEnd(_ end: String) {
    let lifetimes = LifetimeTracker()
    let source = Source()
    var subscription: (any Subscription)?
    do {
      let recorder = Recorder { [token = lifetimes.token()] _ in
        token.keep()
        return .none
      }
      recorder.onSubscription = { subscription = $0 }
      source.retry(0).subscribe(recorder)
    }
    #expect(lifetimes.liveCount == 1)
    switch end {
    case "cancel": subscription?.cancel()
    case "fail": fail(source)
    default: source.send(completion: .finished)
    }
    #expect(lifetimes.liveCount == 0)
  }

  @Test func twoThreadsRequestAndFailWhileAThirdCancels() {
    for _ in 0..<200 {
      let source = PassthroughSubject<Int, TestFailure>()
      let recorder = Recorder(initialDemand: .max(10))
      source.map { value -> Int in value }.tryMap { value -> Int in
        if value % 3 == 0 { throw TestFailure() }
        return value
      }.mapError { _ in TestFailure() }.retry(1_000).subscribe(recorder)
      race(
        { for value in 0..<40 { source.send(value) } },
        { for _ in 0..<20 { recorder.subscriptions[0].request(.max(1)) } },
        { recorder.cancel() })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.completions.isEmpty)
    }
  }

  /// As an upstream does whose values are on their way to another thread.
  @Test func takesNothingOfAnAttemptThatIsOver() {
    let source = Source()
    let recorder = Recorder(initialDemand: .max(2))
    source.retry(1).subscribe(recorder)
    let first = source.subscribers[0]
    fail(source)
    #expect(first.receive(1) == .none)
    first.receive(completion: .finished)
    _ = source.subscribers[1].receive(2)
    #expect(recorder.events == [.subscription("Retry"), .value(2)])
  }

  @Test func keepsNothingOfTheAttemptsThatAreOver() {
    let lifetimes = LifetimeTracker()
    let recorder = Recorder()
    var current = PassthroughSubject<Int, TestFailure>()
    Deferred {
      current = PassthroughSubject()
      return current.map { [token = lifetimes.token()] value in
        token.keep()
        return value
      }
    }.retry(1_000).subscribe(recorder)
    for _ in 0..<1_000 { current.send(completion: .failure(TestFailure())) }
    #expect(lifetimes.liveCount == 1)
    current.send(completion: .finished)
    #expect(lifetimes.liveCount == 0)
    #expect(recorder.completions == [.finished])
  }

  @Test func noOtherThreadSendsInTheHandshakeThatEndsTheAttempt() {
    let failing = Record<Int, TestFailure>(output: [1], completion: .failure(TestFailure()))
    var attempts = 0
    expectNobodyElseSendsInTheHandshake { subject in
      Deferred {
        attempts += 1
        return attempts == 1 ? failing.eraseToAnyPublisher() : subject.eraseToAnyPublisher()
      }.retry(1)
    }
  }
}
