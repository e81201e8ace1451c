import Streams
import StreamsTesting
import TestThreads
import Testing

@Suite struct ConcatenateTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private func setup(_ recorder: Recorder = Recorder()) -> (Source, Source, Recorder) {
    let (prefix, suffix) = (Source(), Source())
    prefix.append(suffix).subscribe(recorder)
    return (prefix, suffix, recorder)
  }

  @Test func carriesTheRemainingDemandAcross() {
    let (prefix, suffix, recorder) = setup(Recorder(initialDemand: .max(10)) { .max($0) })
    #expect(suffix.subscribers.isEmpty)
    #expect(prefix.send(1) == .max(1))
    #expect(prefix.send(batch: [2, 3]) == .max(5))
    prefix.send(completion: .finished)
    prefix.send(completion: .finished)
    #expect(prefix.send(100) == .none)
    #expect(prefix.ledger.requests == [.max(10)])
    #expect(suffix.ledger.requests == [.max(13)])
    #expect(suffix.send(batch: [4, 5]) == .max(9))
    recorder.request(.unlimited)
    #expect(suffix.ledger.requests == [.max(13), .unlimited])
    suffix.send(completion: .finished)
    suffix.send(completion: .failure(TestFailure()))
    #expect(suffix.send(6) == .none)
    recorder.request(.max(1))
    #expect(suffix.ledger.requests.count == 2)
    #expect(
      recorder.events == [.subscription("Concatenate")] + (1...5).map { .value($0) } + [
        .completion(.finished)
      ])
  }

  @Test func allForms() {
    let source = Source()
    #expect(source.append(2, 3, 5).suffix.sequence == [2, 3, 5])
    #expect(source.append(CollectionOfOne(42)).suffix.sequence.first == 42)
    #expect(source.prepend(5, 3, 2).prefix.sequence == [5, 3, 2])
    #expect(source.prepend(CollectionOfOne(42)).prefix.sequence.first == 42)
    #expect(source.append(Empty()).prefix === source)
    #expect(source.prepend(Empty()).suffix === source)

    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(1)) { _ in .max(1) }
    Just(3).eraseToAnyPublisher().prepend(1, 2).append([4, 5]).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 4, 5])
    #expect(recorder.completions == [.finished])
  }

  @Test func valuesOfThePrefixBeyondDemandAreDropped() {
    let (prefix, suffix, recorder) = setup(Recorder(initialDemand: .max(3)))
    recorder.onValue = { value in
      #expect(prefix.send(value + 1) == .none)
      return .none
    }
    prefix.send(1)
    #expect(recorder.values == [1, 2, 3])
    recorder.request(.max(2))
    recorder.onValue = { _ in .none }
    prefix.send(batch: [4, 5, 6])
    #expect(recorder.values == [1, 2, 3, 4, 5])
    prefix.send(completion: .finished)
    #expect(suffix.ledger.requests == [])
  }

  @Test func requestsBetweenTheTwoReachTheSuffix() {
    let (prefix, suffix, recorder) = setup(Recorder(initialDemand: .max(10)))
    suffix.onSubscribe = { _ in recorder.request(.max(7)) }
    recorder.request(.none)
    prefix.send(completion: .finished)
    #expect(prefix.ledger.requests == [.max(10), .none])
    #expect(suffix.ledger.requests == [.max(17)])
  }

  @Test func aFailureOfEitherEndsTheStream() {
    let (prefix, suffix, recorder) = setup()
    recorder.onCompletion = { _ in prefix.send(completion: .failure(TestFailure())) }
    prefix.send(completion: .failure(TestFailure()))
    prefix.send(1)
    #expect(recorder.events == [.subscription("Concatenate"), .completion(.failure(TestFailure()))])
    #expect(suffix.subscribers.isEmpty)

    let (otherPrefix, otherSuffix, other) = setup()
    otherPrefix.send(completion: .finished)
    otherSuffix.send(completion: .failure(TestFailure()))
    #expect(other.events == [.subscription("Concatenate"), .completion(.failure(TestFailure()))])
  }

  // MARK: Cancelling

  @Test func cancelsTheOneThatIsSubscribed() {
    let (prefix, suffix, recorder) = setup()
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    prefix.send(1)
    prefix.send(completion: .finished)
    #expect(prefix.ledger.entries.filter { $0 != .delivered(1) } == [.requested(.unlimited), .cancelled])
    #expect(suffix.subscribers.isEmpty)
    #expect(recorder.events == [.subscription("Concatenate")])

    let (otherPrefix, otherSuffix, other) = setup()
    otherPrefix.send(completion: .finished)
    other.cancel()
    otherSuffix.send(1)
    #expect(otherPrefix.ledger.cancelCount == 0)
    #expect(otherSuffix.ledger.cancelCount == 1)
    #expect(other.values.isEmpty)
  }

  @Test func cancellingBetweenTheTwo() {
    let (prefix, suffix, recorder) = setup()
    suffix.onSubscribe = { _ in recorder.cancel() }
    prefix.send(completion: .finished)
    #expect(suffix.ledger.entries == [.cancelled])
  }

  @Test func furtherSubscriptionsAreCancelled() {
    let (prefix, suffix, _) = setup()
    let late = (0..<3).map { _ in TestSubscription() }
    prefix.send(subscription: late[0])
    prefix.send(completion: .finished)
    prefix.send(subscription: late[1])
    suffix.send(subscription: late[2])
    #expect(late.allSatisfy { $0.ledger.entries == [.cancelled] })
    #expect(suffix.ledger.entries == [.requested(.unlimited)])
  }

  @Test func signalsBeforeTheSubscriptionAreIgnored() {
    let prefix = Source(sendsSubscription: false)
    let recorder = Recorder()
    prefix.append(1, 2).subscribe(recorder)
    #expect(prefix.send(1) == .none)
    prefix.send(completion: .finished)
    #expect(recorder.events.isEmpty)
  }

  // MARK: Description, lifetime, threads

  @Test func theSubscribersAreOneToTheOutside() {
    let (prefix, suffix, recorder) = setup()
    prefix.send(completion: .finished)
    let subscription = recorder.subscriptions[0]
    let subscribers = [prefix.subscribers[0], suffix.subscribers[0]]
    for subscriber in subscribers {
      #expect(subscriber.combineIdentifier == subscription.combineIdentifier)
      #expect(String(describing: subscriber) == "Concatenate")
      #expect(Mirror(reflecting: subscriber).children.isEmpty)
    }
    #expect(type(of: subscribers[0]) != type(of: subscribers[1]))
    #expect(Just(1).append(Just(2)) == Just(1).append(Just(2)))
  }

  @Test(arguments: ["finish", "fail", "cancel"])
  func releasesTheSuffixAtTheEnd(_ end: String) {
    let lifetimes = LifetimeTracker()
    let prefix = Source()
    let recorder = Recorder(initialDemand: .none)
    prefix.append(
      Deferred { [token = lifetimes.token()] in
        token.keep()
        return Empty<Int, TestFailure>()
      }
    ).subscribe(recorder)
    #expect(lifetimes.liveCount == 1)
    switch end {
    case "cancel": recorder.cancel()
    case "fail": prefix.send(completion: .failure(TestFailure()))
    default: prefix.send(completion: .finished)
    }
    #expect(lifetimes.liveCount == 0)
  }

  @Test func letsGoOfTheSuffixOnceItIsSubscribedTo() {
    let recorder = Recorder(initialDemand: .none)
    do {
      let suffix = PassthroughSubject<Int, TestFailure>()
      let token = LifetimeToken { [weak suffix] in suffix?.send(completion: .finished) }
      let prefix = PassthroughSubject<Int, TestFailure>()
      prefix.append(
        Deferred {
          token.keep()
          return suffix
        }
      ).subscribe(recorder)
      prefix.send(completion: .finished)
    }
    #expect(recorder.events == [.subscription("Concatenate"), .completion(.finished)])
  }

  @Test func twoThreadsSendWhileAThirdCancels() {
    for _ in 0..<200 {
      let (prefix, suffix) = (PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>())
      let recorder = Recorder(initialDemand: .max(30))
      prefix.append(suffix).subscribe(recorder)
      race(
        {
          for value in 0..<20 { prefix.send(value) }
          prefix.send(completion: .finished)
        },
        { for value in 20..<60 { suffix.send(value) } },
        {
          for _ in 0..<10 { recorder.subscriptions[0].request(.max(1)) }
          recorder.cancel()
        })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.values == recorder.values.sorted())
      let count = recorder.values.count
      for source in [prefix, suffix] { source.send(1) }
      #expect(recorder.values.count == count)
    }
  }

  /// Each suffix is subscribed to when the one before has finished, from the same frame of the stack.
  @Test func suffixesWithinSuffixesLoop() {
    func count(from value: Int) -> AnyPublisher<Int, Never> {
      if value == 5_000 { return Empty().eraseToAnyPublisher() }
      return Just(value).append(Deferred { count(from: value + 1) }).eraseToAnyPublisher()
    }
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(1)) { _ in .max(1) }
    onStack(ofKilobytes: 512) { count(from: 0).subscribe(recorder) }
    #expect(recorder.values == Array(0..<5_000))
    #expect(recorder.completions == [.finished])
    #expect(recorder.overdrawn == 0)
  }

  @Test func suffixesWithinSuffixesKeepNothingOfWhatHasFinished() {
    let lifetimes = LifetimeTracker()
    var current = PassthroughSubject<Int, Never>()
    func poll() -> AnyPublisher<Int, Never> {
      let token = lifetimes.token()
      current = PassthroughSubject()
      return current.map { value in
        token.keep()
        return value
      }.append(
        Deferred {
          token.keep()
          return poll()
        }
      ).eraseToAnyPublisher()
    }
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(10))
    poll().subscribe(recorder)
    for value in 0..<20 {
      current.send(value)
      current.send(completion: .finished)
    }
    #expect(recorder.values == Array(0..<10))
    #expect(lifetimes.liveCount <= 2)
    recorder.cancel()
    current.send(99)
    #expect(recorder.completions.isEmpty)
  }

  @Test func noOtherThreadSendsInTheHandshakeThatEndsThePrefix() {
    expectNobodyElseSendsInTheHandshake { Just(1).setFailureType(to: TestFailure.self).append($0) }
  }
}
