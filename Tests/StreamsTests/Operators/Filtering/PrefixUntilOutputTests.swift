import Glibc
import Streams
import StreamsTesting
import Testing

@Suite struct PrefixUntilOutputTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Other = TestPublisher<String, Never>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private func setup(_ recorder: Recorder = Recorder()) -> (Source, Other, Recorder) {
    let (upstream, other) = (Source(), Other())
    upstream.prefix(untilOutputFrom: other).subscribe(recorder)
    return (upstream, other, recorder)
  }

  /// The subject would keep the subscription, and the subscription the subject.
  @Test func aSubjectIsNotKeptByWhatItHasTriggered() {
    #expect(isReleased { Source().prefix(untilOutputFrom: $0) })
  }

  @Test func theStrictFormSubscribesBeforeItFinishes() {
    let (upstream, other) = (Source(sendsSubscription: false), Other())
    let recorder = Recorder()
    upstream.prefix(untilOutputFrom: other).strict().subscribe(recorder)
    other.send("x")
    #expect(recorder.events.count == 2)
    #expect(recorder.completions == [.finished])
    upstream.sendSubscription()
    #expect(upstream.ledger.cancelCount == 1)
    #expect(recorder.events.count == 2)
  }

  @Test func aFinishFromAnotherThreadWaitsForTheSubscription() {
    let (upstream, other) = (TestPublisher<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>())
    let recorder = RecordingSubscriber<Int, TestFailure>()
    let meeting = Meeting()
    recorder.onSubscription = { [unowned recorder] _ in
      meeting.wait()
      while !upstream.ledger.isCancelled { sched_yield() }
      #expect(recorder.completions.isEmpty)
    }
    race(
      { upstream.prefix(untilOutputFrom: other).subscribe(recorder) },
      {
        meeting.wait()
        other.send(1)
      })
    #expect(recorder.completions == [.finished])
    #expect(recorder.overlapCount == 0)
  }

  @Test func passesUntilTheOtherSends() {
    let (upstream, other, recorder) = setup(Recorder(initialDemand: .max(3)) { .max($0) })
    recorder.onCompletion = { _ in #expect(upstream.ledger.isCancelled) }
    #expect(upstream.send(1) == .max(1))
    #expect(upstream.send(batch: [2, 3]) == .max(5))
    #expect(other.send("stop") == .none)
    #expect(other.send("again") == .none)
    #expect(upstream.send(4) == .none)
    upstream.send(completion: .failure(TestFailure()))
    #expect(recorder.values == [1, 2, 3])
    #expect(recorder.completions == [.finished])
    #expect(upstream.ledger.requests == [.max(3)])
    #expect(other.ledger.entries.filter { $0 != .delivered(1) } == [.requested(.max(1))])
  }

  @Test func demandPassesThrough() {
    let (upstream, _, recorder) = setup(Recorder(initialDemand: .none))
    recorder.request(.none)
    recorder.request(.max(7))
    #expect(upstream.ledger.requests == [.none, .max(7)])
  }

  @Test func theUpstreamsCompletionCancelsTheOtherFirst() {
    let (upstream, other, recorder) = setup()
    recorder.onCompletion = { _ in #expect(other.ledger.isCancelled) }
    upstream.send(completion: .failure(TestFailure()))
    upstream.send(completion: .finished)
    other.send("late")
    #expect(recorder.completions == [.failure(TestFailure())])
    #expect(upstream.ledger.cancelCount == 0)
  }

  @Test func theOthersCompletionDoesNotMatter() {
    let (upstream, other, recorder) = setup()
    other.send(completion: .finished)
    other.send("late")
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(recorder.values == [1])
    #expect(recorder.completions == [.finished])
    #expect(other.ledger.cancelCount == 0)
  }

  /// As in Combine: there is no subscription to give.
  @Test func anUpstreamThatSubscribesAfterTheEndIsCancelled() {
    let (upstream, other) = (Source(sendsSubscription: false), Other())
    let recorder = Recorder()
    upstream.prefix(untilOutputFrom: other).subscribe(recorder)
    other.send("stop")
    #expect(recorder.events == [.completion(.finished)])
    upstream.sendSubscription()
    #expect(upstream.ledger.entries == [.cancelled])
  }

  @Test func signalsBeforeTheSubscriptionAreIgnored() {
    let (upstream, other) = (Source(sendsSubscription: false), Other())
    let recorder = Recorder()
    upstream.prefix(untilOutputFrom: other).subscribe(recorder)
    #expect(upstream.send(1) == .none)
    upstream.send(completion: .finished)
    #expect(recorder.events.isEmpty)
    #expect(other.ledger.entries == [.requested(.max(1)), .cancelled])
  }

  @Test func cancelsTheUpstreamThenTheOther() {
    let (upstream, other, recorder) = setup()
    other.subscriptions[0].onCancel = { #expect(upstream.ledger.isCancelled) }
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    upstream.send(1)
    other.send("late")
    upstream.send(completion: .finished)
    #expect([upstream.ledger, other.ledger].map(\.cancelCount) == [1, 1])
    #expect(recorder.values.isEmpty)
    #expect(recorder.completions.isEmpty)
  }

  @Test func theOthersSignalsBeforeItsSubscription() {
    let (early, finished) = (Other(sendsSubscription: false), Other(sendsSubscription: false))
    let (upstream, recorder) = (Source(), Recorder())
    upstream.prefix(untilOutputFrom: early).subscribe(recorder)
    early.send("too early")
    early.sendSubscription()
    #expect(early.ledger.requests == [.max(1)])
    early.send("stop")
    #expect(recorder.completions == [.finished])

    upstream.prefix(untilOutputFrom: finished).subscribe(Recorder())
    finished.send(completion: .finished)
    finished.sendSubscription()
    #expect(finished.ledger.entries == [.cancelled])
  }

  @Test func aCancellationWhileItTerminatesSilences() {
    let (upstream, other, recorder) = setup()
    upstream.subscriptions[0].onCancel = { recorder.cancel() }
    other.send("stop")
    #expect(recorder.events.map(\.kind) == ["subscription"])
  }

  /// The other publisher here holds on to what subscribed to it.
  @Test func theOthersCompletionLetsGoOfTheOperator() {
    let lifetimes = LifetimeTracker()
    let other = Other()
    let upstream = PassthroughSubject<Int, TestFailure>()
    let cancellable = upstream.prefix(untilOutputFrom: other).sink(
      receiveCompletion: { [token = lifetimes.token()] _ in token.keep() }, receiveValue: { _ in })
    other.send(completion: .finished)
    cancellable.cancel()
    #expect(lifetimes.liveCount == 0)
  }

  @Test func furtherSubscriptionsAreCancelled() {
    let (upstream, other, _) = setup()
    let late = (0..<2).map { _ in TestSubscription() }
    upstream.send(subscription: late[0])
    other.send(subscription: late[1])
    #expect(late.allSatisfy { $0.ledger.entries == [.cancelled] })
    #expect(upstream.ledger.cancelCount == 0)
    #expect(other.ledger.cancelCount == 0)
  }

  @Test func itHasNoDescriptionOfItsOwn() {
    let (upstream, other, recorder) = setup()
    #expect(upstream.subscribers[0].combineIdentifier == other.subscribers[0].combineIdentifier)
    for object in [upstream.subscribers[0] as Any, other.subscribers[0], recorder.subscriptions[0]] {
      #expect(String(describing: object).contains("PrefixUntilOutput"))
      #expect(!(object is any CustomStringConvertible))
      #expect(!(object is any CustomReflectable))
    }
    #expect(Just(1).prefix(untilOutputFrom: Just(2)) == Just(1).prefix(untilOutputFrom: Just(2)))
  }

  @Test(arguments: ["finish", "terminate", "cancel"])
  func releasesEverythingAtTheEnd(_ end: String) {
    let lifetimes = LifetimeTracker()
    let (upstream, other) = (PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, Never>())
    let cancellable = upstream.prefix(untilOutputFrom: other).sink(
      receiveCompletion: { [token = lifetimes.token()] _ in token.keep() },
      receiveValue: { [token = lifetimes.token()] _ in token.keep() })
    upstream.send(1)
    switch end {
    case "cancel": cancellable.cancel()
    case "terminate": other.send(1)
    default: upstream.send(completion: .finished)
    }
    #expect(lifetimes.liveCount == 0)
  }

  @Test func demandReturnedForAValueThatHadToWaitIsRequested() {
    let (upstream, _, recorder) = setup(Recorder(initialDemand: .max(2)))
    cross(
      { meet in
        recorder.onValue = { value in
          if value == 1 { meet() }
          return .max(value)
        }
        #expect(upstream.send(1) == .max(1))
      }, { #expect(upstream.send(2) == .none) })
    #expect(recorder.values == [1, 2])
    #expect(upstream.ledger.requests == [.max(2), .max(2)])
  }

  @Test func twoThreadsSendWhileAThirdCancels() {
    for round in 0..<200 {
      let (upstream, other) = (PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, Never>())
      let recorder = Recorder()
      upstream.prefix(untilOutputFrom: other).subscribe(recorder)
      race(
        {
          for value in 0..<40 { upstream.send(value) }
          upstream.send(completion: .finished)
        },
        { other.send(0) },
        { if round % 3 == 0 { recorder.cancel() } })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.values == Array(0..<recorder.values.count))
      #expect(recorder.completions.count == 1 || round % 3 == 0)
      if case .value = recorder.events.last { #expect(recorder.completions.isEmpty) }
    }
  }

  @Test func theFinishWaitsForTheSubscriptionAlsoWhenTheOtherSendsAtOnce() {
    let upstream = Source()
    let recorder = Recorder()
    upstream.prefix(untilOutputFrom: Just(1)).subscribe(recorder)
    #expect(recorder.events.map(\.kind) == ["subscription", "finished"])
    #expect(upstream.subscribers.isEmpty)
  }

  @Test func theFinishComesAfterTheSubscriptionWhereTheUpstreamMakesTheOtherSend() {
    let other = PassthroughSubject<Int, Never>()
    let upstream = Source()
    let recorder = Recorder()
    let deferred = Deferred {
      other.send(1)
      return upstream
    }
    deferred.prefix(untilOutputFrom: other).subscribe(recorder)
    #expect(recorder.events.map(\.kind) == ["subscription", "finished"])
    #expect(upstream.ledger.isCancelled)
    // What traps on a completion without a subscription takes this one.
    _ = deferred.prefix(untilOutputFrom: other).removeDuplicates()
      .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
  }
}
