import Streams
import StreamsTesting
import Testing

@Suite struct MergeTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private func sources(_ count: Int) -> [Source] { (0..<count).map { _ in Source() } }

  /// Merges as many publishers with the type made for that number, and with the type for any number.
  private func merges(of s: [Source]) -> [AnyPublisher<Int, TestFailure>] {
    let many = Publishers.MergeMany(s).eraseToAnyPublisher()
    switch s.count {
    case 2:
      return [many, s[0].merge(with: s[1]).eraseToAnyPublisher(), AnyPublisher(Publishers.Merge(s[0], s[1]))]
    case 3: return [many, s[0].merge(with: s[1], s[2]).eraseToAnyPublisher()]
    case 4: return [many, s[0].merge(with: s[1], s[2], s[3]).eraseToAnyPublisher()]
    case 5: return [many, s[0].merge(with: s[1], s[2], s[3], s[4]).eraseToAnyPublisher()]
    case 6: return [many, s[0].merge(with: s[1], s[2], s[3], s[4], s[5]).eraseToAnyPublisher()]
    case 7: return [many, s[0].merge(with: s[1], s[2], s[3], s[4], s[5], s[6]).eraseToAnyPublisher()]
    case 8: return [many, s[0].merge(with: s[1], s[2], s[3], s[4], s[5], s[6], s[7]).eraseToAnyPublisher()]
    default: return [many]
    }
  }

  // MARK: Every arity

  @Test(arguments: 1...9)
  func mergesAnyNumber(_ count: Int) {
    for index in merges(of: sources(count)).indices {
      let sources = sources(count)
      let recorder = Recorder()
      merges(of: sources)[index].subscribe(recorder)
      for (value, source) in sources.enumerated() { #expect(source.send(value) == .none) }
      for source in sources.reversed() {
        #expect(recorder.completions.isEmpty)
        source.send(completion: .finished)
      }
      #expect(sources.allSatisfy { $0.ledger.requests == [.unlimited] })
      #expect(
        recorder.events == [.subscription("Merge")] + (0..<count).map { .value($0) } + [
          .completion(.finished)
        ])
    }
  }

  // MARK: Demand

  @Test func sendsItsSubscriptionBeforeItSubscribes() {
    let sources = sources(2)
    let recorder = Recorder(initialDemand: .none)
    sources[0].onSubscribe = { _ in #expect(recorder.events == [.subscription("Merge")]) }
    sources[0].merge(with: sources[1]).subscribe(recorder)
    #expect(sources.map(\.ledger.requests) == [[.max(1)], [.max(1)]])
  }

  @Test func keepsTheNewestValueOfEachBeyondDemand() {
    let sources = sources(2)
    let recorder = Recorder(initialDemand: .max(1))
    sources[0].merge(with: sources[1]).subscribe(recorder)
    #expect(sources[0].send(1) == .max(1))
    #expect(sources[0].send(2) == .none)
    #expect(sources[0].send(3) == .none)
    #expect(sources[1].send(4) == .none)
    #expect(recorder.values == [1])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 3])
    #expect(sources.map(\.ledger.requests) == [[.max(1), .max(1)], [.max(1)]])
    recorder.request(.max(3))
    #expect(recorder.values == [1, 3, 4])
    #expect(sources.map(\.ledger.requests) == [[.max(1), .max(1)], [.max(1), .max(1)]])
    #expect(recorder.overdrawn == 0)
  }

  /// The newest value of each waits, and so no value overtakes one that its own source has sent before. When demand has
  /// become unlimited, none replaces it any more.
  @Test func aValueDoesNotOvertakeOneOfItsSourceThatWaits() {
    let sources = sources(2)
    let recorder = Recorder(initialDemand: .none) { value in
      if value == 1 { sources[1].send(3) }
      return .none
    }
    sources[0].merge(with: sources[1]).subscribe(recorder)
    sources[0].send(1)
    sources[1].send(2)
    recorder.request(.max(3))
    #expect(recorder.values == [1, 3])
    recorder.onValue = { value in
      if value == 4 { sources[1].send(6) }
      return .none
    }
    sources[0].send(9)
    sources[0].send(4)
    sources[1].send(5)
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 3, 9, 4, 5, 6])
  }

  @Test func unlimitedDemandReachesTheSourcesOnce() {
    let sources = sources(2)
    let recorder = Recorder(initialDemand: .max(1)) { $0 == 1 ? .unlimited : .none }
    sources[0].merge(with: sources[1]).subscribe(recorder)
    sources[0].send(1)
    recorder.request(.unlimited)
    #expect(sources.map(\.ledger.requests) == [[.max(1), .unlimited], [.max(1), .unlimited]])
    #expect(sources[1].send(batch: [2, 3]) == .none)
    #expect(recorder.batchSizes == [1, 1, 1])
  }

  @Test func aRequestForNothingDoesNothing() {
    let sources = sources(2)
    let recorder = Recorder(initialDemand: .none)
    sources[0].merge(with: sources[1]).subscribe(recorder)
    recorder.request(.none)
    #expect(sources.map(\.ledger.requests) == [[.max(1)], [.max(1)]])
  }

  @Test func requestsWithinADeliveryDoNotRecurse() {
    let sources = sources(2)
    let recorder = Recorder(initialDemand: .none)
    var depth = 0
    recorder.onValue = { [unowned recorder] _ in
      depth += 1
      defer { depth -= 1 }
      #expect(depth == 1)
      recorder.request(.max(1))
      return .none
    }
    sources[0].merge(with: sources[1]).subscribe(recorder)
    sources[0].send(1)
    sources[1].send(2)
    sources[0].subscriptions[0].onRequest = { _ in
      if recorder.values.count < 1000 { sources[0].send(3) }
    }
    recorder.request(.max(1))
    #expect(recorder.values.count == 1000)
    #expect(Array(recorder.values.prefix(3)) == [1, 2, 3])
  }

  @Test func aValueSentWithinADeliveryPasses() {
    let sources = sources(2)
    let recorder = Recorder(initialDemand: .max(2)) { value in
      if value == 1 { #expect(sources[1].send(2) == .max(1)) }
      return .none
    }
    sources[0].merge(with: sources[1]).subscribe(recorder)
    #expect(sources[0].send(1) == .max(1))
    #expect(recorder.values == [1, 2])
  }

  @Test func unlimitedDemandReturnedForAWaitingValueReachesTheSourcesOnce() {
    let sources = [Source(), Source()]
    let recorder = Recorder(initialDemand: .none) { _ in .unlimited }
    sources[0].merge(with: sources[1]).subscribe(recorder)
    sources[0].send(1)
    recorder.request(.max(1))
    #expect(recorder.values == [1])
    #expect(sources.map(\.ledger.requests) == [[.max(1), .unlimited], [.max(1), .unlimited]])
  }

  // MARK: The end

  @Test func sendsWhatItKeepsBeforeItFinishes() {
    let sources = sources(2)
    let recorder = Recorder(initialDemand: .none)
    sources[0].merge(with: sources[1]).subscribe(recorder)
    sources[0].send(1)
    for source in sources { source.send(completion: .finished) }
    sources[0].send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.events == [.subscription("Merge"), .value(1), .completion(.finished)])
  }

  @Test func aFailureCancelsTheOthersFirst() {
    let sources = sources(3)
    let recorder = Recorder(initialDemand: .max(1))
    recorder.onCompletion = { _ in #expect(sources[2].ledger.isCancelled) }
    Publishers.MergeMany(sources).subscribe(recorder)
    sources[0].send(1)
    sources[0].send(2)
    sources[1].send(completion: .failure(TestFailure()))
    sources[2].send(completion: .failure(TestFailure()))
    sources[0].send(3)
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription("Merge"), .value(1), .completion(.failure(TestFailure()))])
    #expect(sources.map(\.ledger.cancelCount) == [1, 1, 1])
  }

  @Test func cancellingCancelsAllAndSilences() {
    let sources = sources(2)
    let recorder = Recorder(initialDemand: .max(5))
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .unlimited
    }
    sources[0].merge(with: sources[1]).subscribe(recorder)
    sources[0].send(batch: [1, 2])
    recorder.request(.unlimited)
    recorder.cancel()
    sources[1].send(3)
    sources[1].send(completion: .failure(TestFailure()))
    #expect(recorder.events == [.subscription("Merge"), .value(1)])
    #expect(sources.map(\.ledger.cancelCount) == [1, 1])
    let late = TestSubscription()
    sources[0].send(subscription: late)
    #expect(late.ledger.entries == [.cancelled])
  }

  @Test func aSecondSubscriptionIsCancelled() {
    let sources = sources(2)
    sources[0].merge(with: sources[1]).subscribe(Recorder())
    let second = TestSubscription()
    sources[0].send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])
    #expect(sources[0].ledger.entries == [.requested(.unlimited)])
  }

  @Test func describesItself() {
    let sources = sources(2)
    sources[0].merge(with: sources[1]).subscribe(Recorder())
    #expect(String(describing: sources[0].subscribers[0]) == "Merge")
    #expect(Mirror(reflecting: sources[0].subscribers[0]).children.isEmpty)
  }

  @Test(arguments: ["finish", "fail", "cancel"])
  func releasesEverythingAfterTheEnd(_ end: String) {
    let lifetimes = LifetimeTracker()
    let sources = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
    let cancellable = sources[0].merge(with: sources[1]).sink(
      receiveCompletion: { [token = lifetimes.token()] _ in token.keep() },
      receiveValue: { [token = lifetimes.token()] _ in token.keep() })
    sources[1].send(1)
    switch end {
    case "cancel": cancellable.cancel()
    case "fail": sources[1].send(completion: .failure(TestFailure()))
    default: for source in sources { source.send(completion: .finished) }
    }
    #expect(lifetimes.liveCount == 0)
  }

  /// The sources here hold on to the operator after the end.
  @Test(arguments: ["fail", "cancel"])
  func letsGoOfTheValuesThatWait(_ end: String) {
    typealias Tokens = TestPublisher<LifetimeToken, TestFailure>
    let lifetimes = LifetimeTracker()
    let (first, second) = (Tokens(), Tokens())
    let recorder = RecordingSubscriber<LifetimeToken, TestFailure>(initialDemand: .none)
    first.merge(with: second).subscribe(recorder)
    first.send(lifetimes.token())
    #expect(lifetimes.liveCount == 1)
    if end == "cancel" { recorder.cancel() } else { second.send(completion: .failure(TestFailure())) }
    #expect(lifetimes.liveCount == 0)
  }

  // MARK: Threads

  @Test func whatAnotherThreadDoesDuringADeliveryComesAfterIt() {
    let (first, second, third) = (Source(), Source(), Source(sendsSubscription: false))
    let recorder = Recorder(initialDemand: .max(1))
    let other = OtherThread { [unowned recorder] in
      third.sendSubscription()
      #expect(second.send(3) == .none)
      recorder.request(.max(2))
    }
    recorder.onValue = { [unowned recorder] value in
      guard value == 1 else { return .none }
      first.send(2)
      other.startAndWait(for: recorder)
      #expect(recorder.values == [1])
      #expect(third.ledger.requests == [])
      return .none
    }
    first.merge(with: second, third).subscribe(recorder)
    #expect(first.send(1) == .max(1))
    other.join()
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.overlapCount == 0)
    #expect([first, second, third].map(\.ledger.requests.count) == [2, 2, 1])
  }

  @Test func aValueOfAnotherThreadIsPaidForWhenItHasHadItsTurn() {
    let (first, second) = (Source(), Source())
    let recorder = Recorder(initialDemand: .max(2))
    let other = OtherThread { #expect(second.send(2) == .max(1)) }
    recorder.onValue = { [unowned recorder] value in
      if value == 1 { other.startAndWait(for: recorder) }
      return .none
    }
    first.merge(with: second).subscribe(recorder)
    first.send(1)
    other.join()
    #expect(recorder.values == [1, 2])
    #expect(second.ledger.requests == [.max(1)])
  }

  @Test func twoThreadsSendWhileAThirdCancels() {
    for _ in 0..<200 {
      let sources = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
      let recorder = Recorder(initialDemand: .max(20)) { $0 % 5 == 0 ? .max(4) : .none }
      sources[0].merge(with: sources[1]).subscribe(recorder)
      race(
        { for value in 0..<40 { sources[0].send(value) } },
        { for value in 0..<40 { sources[1].send(value) } },
        {
          for _ in 0..<10 { recorder.subscriptions[0].request(.max(1)) }
          recorder.cancel()
        })
      #expect(recorder.overlapCount == 0)
      let count = recorder.values.count
      for source in sources { source.send(1) }
      #expect(recorder.values.count == count)
    }
  }

  @Test func nothingIsLostWhenTwoThreadsSend() {
    for _ in 0..<100 {
      let sources = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
      let recorder = Recorder()
      sources[0].merge(with: sources[1]).subscribe(recorder)
      race(
        {
          for value in 0..<50 { sources[0].send(value) }
          sources[0].send(completion: .finished)
        },
        {
          for value in 100..<150 { sources[1].send(value) }
          sources[1].send(completion: .finished)
        })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.values.filter { $0 < 100 } == Array(0..<50))
      #expect(recorder.values.filter { $0 >= 100 } == Array(100..<150))
      #expect(recorder.completions == [.finished])
    }
  }
}
