import Streams
import StreamsTesting
import Testing

@Suite struct DropUntilOutputTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private func setup(_ recorder: Recorder = Recorder()) -> (Source, Source, Recorder) {
    let (upstream, other) = (Source(), Source())
    upstream.drop(untilOutputFrom: other).subscribe(recorder)
    return (upstream, other, recorder)
  }

  /// The subject would keep the subscription, and the subscription the subject.
  @Test func aSubjectIsNotKeptByWhatItHasTriggered() {
    #expect(isReleased { Source().drop(untilOutputFrom: $0) })
  }

  @Test func dropsUntilTheOtherSends() {
    let (upstream, other, recorder) = setup(Recorder(initialDemand: .max(4)) { .max($0) })
    #expect(upstream.send(1) == .none)
    #expect(upstream.send(batch: [2, 3]) == .none)
    #expect(other.send(0) == .none)
    #expect(upstream.send(4) == .max(4))
    #expect(upstream.send(batch: [5, 6]) == .max(11))
    #expect(recorder.events == [.subscription("DropUntilOutput"), .value(4), .value(5), .value(6)])
    #expect(upstream.ledger.requests == [.max(4)])
    #expect(other.ledger.requests == [.max(1)])
  }

  @Test func theOrderOfSubscribing() {
    let (upstream, other, recorder) = (Source(), Source(), Recorder(initialDemand: .max(10)))
    recorder.onSubscription = { _ in #expect(other.subscribers.isEmpty) }
    other.onSubscribe = { _ in
      #expect(upstream.subscribers.isEmpty)
      recorder.request(.max(4))
    }
    upstream.drop(untilOutputFrom: other).subscribe(recorder)
    #expect(upstream.ledger.requests == [.max(14)])
    recorder.request(.none)
    #expect(upstream.ledger.requests == [.max(14), .none])
  }

  // MARK: The end

  /// The other's completion counts only before its value.
  @Test func endsOnceWithTheOneOrTheOther() throws {
    try expectMarbles([
      (["-ab-c|", "--x"], "----c|", ["^", "^"]), (["-ab-c|", "--x#"], "----c|", ["^", "^"]),
      (["-ab-c|", "--x|"], "----c|", ["^", "^"]), (["-ab-c|", "---|"], "---|", ["^--!", "^"]),
      (["-ab-c|", "---#"], "---#", ["^--!", "^"]), (["-a-#", "-----|"], "---#", ["^", "^"]),
    ]) { $0[0].drop(untilOutputFrom: $0[1]) }
  }

  @Test func theUpstreamsCompletionPassesOnce() {
    let (upstream, other, recorder) = setup()
    upstream.send(completion: .failure(TestFailure()))
    upstream.send(completion: .finished)
    other.send(1)
    upstream.send(1)
    #expect(recorder.events == [.subscription("DropUntilOutput"), .completion(.failure(TestFailure()))])
    #expect(other.ledger.cancelCount == 0)
  }

  @Test func theOtherCompletingWithoutAValueEndsTheStream() {
    let (upstream, other, recorder) = setup(Recorder(initialDemand: .max(100)) { _ in .max(5) })
    recorder.onCompletion = { _ in #expect(upstream.ledger.isCancelled) }
    other.send(completion: .finished)
    other.send(completion: .finished)
    #expect(upstream.send(1) == .none)
    other.send(0)
    #expect(upstream.send(2) == .max(5))
    #expect(
      recorder.events == [
        .subscription("DropUntilOutput"), .completion(.finished), .completion(.finished), .value(2),
      ])
    #expect(upstream.ledger.cancelCount == 1)
  }

  @Test func anUpstreamThatSubscribesAfterTheEndIsStillAsked() {
    let upstream = Source(sendsSubscription: false)
    let recorder = Recorder(initialDemand: .max(14))
    upstream.drop(untilOutputFrom: Empty<Void, TestFailure>()).subscribe(recorder)
    #expect(recorder.events == [.subscription("DropUntilOutput"), .completion(.finished)])
    upstream.sendSubscription()
    #expect(upstream.ledger.requests == [.max(14)])
  }

  @Test func aValueWithoutDemandTrapsWhileDropping() async {
    await #expect(processExitsWith: .failure) {
      let upstream = TestPublisher<Int, TestFailure>()
      let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
      upstream.drop(untilOutputFrom: TestPublisher<Int, TestFailure>()).subscribe(recorder)
      upstream.send(1)
    }
  }

  // MARK: Cancelling

  @Test func cancelsTheUpstreamThenTheOther() {
    let (upstream, other, recorder) = setup()
    other.subscriptions[0].onCancel = { #expect(upstream.ledger.isCancelled) }
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    #expect(upstream.send(1) == .none)
    upstream.send(completion: .finished)
    other.send(completion: .finished)
    let late = [TestSubscription(), TestSubscription()]
    upstream.send(subscription: late[0])
    other.send(subscription: late[1])
    #expect(late.allSatisfy { $0.ledger.entries == [.cancelled] })
    #expect(upstream.ledger.requests == [.unlimited])
    #expect([upstream, other].map(\.ledger.cancelCount) == [1, 1])
    #expect(recorder.events == [.subscription("DropUntilOutput")])
  }

  @Test func nothingPassesAfterTheCancellation() {
    let (upstream, other, recorder) = setup()
    other.send(0)
    upstream.send(1)
    recorder.cancel()
    #expect(upstream.send(2) == .none)
    #expect(recorder.values == [1])
  }

  @Test func asksForNothingWhereNothingWasAskedFor() {
    let (upstream, _, _) = setup(Recorder(initialDemand: .none))
    #expect(upstream.ledger.requests == [])
  }

  @Test func theOtherFindsNobodyOnceAllIsReleased() {
    let other = Source(sendsSubscription: false)
    let upstream = PassthroughSubject<Int, TestFailure>()
    upstream.drop(untilOutputFrom: other).sink(receiveCompletion: { _ in }, receiveValue: { _ in }).cancel()
    other.sendSubscription()
    #expect(other.ledger.entries == [.cancelled])
  }

  @Test func furtherSubscriptions() {
    let (upstream, other, recorder) = setup()
    let late = (0..<3).map { _ in TestSubscription() }
    upstream.send(subscription: late[0])
    other.send(subscription: late[1])
    other.send(0)
    // After its value the other publisher may subscribe anew.
    other.send(subscription: late[2])
    recorder.cancel()
    #expect(late.map(\.ledger.entries) == [[.cancelled], [.cancelled], [.requested(.max(1)), .cancelled]])
    #expect(other.ledger.cancelCount == 0)
  }

  // MARK: Description, lifetime, threads

  @Test func theSubscribersAreOneToTheOutside() {
    let (upstream, other, _) = setup()
    let subscribers = [upstream.subscribers[0], other.subscribers[0]]
    #expect(subscribers[0].combineIdentifier == subscribers[1].combineIdentifier)
    for subscriber in subscribers {
      #expect(String(describing: subscriber) == "DropUntilOutput")
      #expect(Mirror(reflecting: subscriber).children.isEmpty)
    }
    #expect(Just(1).drop(untilOutputFrom: Just(2)) == Just(1).drop(untilOutputFrom: Just(2)))
  }

  @Test(arguments: ["finish", "cancel"])
  func releasesEverythingAtTheEnd(_ end: String) {
    let lifetimes = LifetimeTracker()
    let (upstream, other) = (PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>())
    let cancellable = upstream.drop(untilOutputFrom: other).sink(
      receiveCompletion: { [token = lifetimes.token()] _ in token.keep() },
      receiveValue: { [token = lifetimes.token()] _ in token.keep() })
    other.send(0)
    if end == "cancel" { cancellable.cancel() } else { upstream.send(completion: .finished) }
    #expect(lifetimes.liveCount == 0)
  }

  @Test(arguments: [false, true])
  func aValueOfAnotherThreadHasItsTurnUnlessTheStreamEnds(_ ends: Bool) {
    let (upstream, other, recorder) = setup(Recorder(initialDemand: .max(2)))
    let meeting = Meeting()
    recorder.onValue = { value in
      if value == 1 {
        meeting.wait()
        if ends { upstream.send(completion: .finished) }
      }
      return .max(value)
    }
    other.send(0)
    race(
      { #expect(upstream.send(1) == .max(1)) },
      {
        meeting.wait()
        let returned = upstream.send(2)
        #expect(ends || returned == .max(2))
      })
    #expect(recorder.values == (ends ? [1] : [1, 2]))
    #expect(recorder.overlapCount == 0)
  }

  @Test func demandReturnedForAValueThatWasLeftToAnotherThreadIsRequested() {
    let (upstream, other, recorder) = setup(Recorder(initialDemand: .max(2)))
    other.send(0)
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

  @Test func aSecondSubscriptionOfTheOtherEndsWithItsCompletion() {
    let (_, other, recorder) = setup()
    other.send(0)
    let late = TestSubscription()
    other.send(subscription: late)
    other.send(completion: .finished)
    recorder.cancel()
    #expect(late.ledger.entries == [.requested(.max(1))])
  }

  @Test func twoThreadsSendWhileAThirdCancels() {
    for round in 0..<200 {
      let (upstream, other) = (PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>())
      let recorder = Recorder()
      upstream.drop(untilOutputFrom: other).subscribe(recorder)
      race(
        { for value in 0..<40 { upstream.send(value) } },
        {
          if round % 2 == 0 { other.send(0) }
          other.send(completion: .finished)
        },
        { if round % 3 == 0 { recorder.cancel() } })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.values == Array((40 - recorder.values.count)..<40) || round % 3 == 0)
      #expect(recorder.completions.isEmpty || recorder.values.isEmpty)
    }
  }

  @Test func endedByTheOtherAtOnceItLeavesTheUpstream() {
    let upstream = Source()
    let recorder = Recorder()
    upstream.drop(untilOutputFrom: Empty<Int, TestFailure>()).subscribe(recorder)
    #expect(upstream.ledger.cancelCount == 1)
    #expect(recorder.events == [.subscription("DropUntilOutput"), .completion(.finished)])
  }

  @Test func endedByTheOtherAtOnceItDropsWhatTheUpstreamSends() {
    let recorder = Recorder()
    [1, 2].publisher.setFailureType(to: TestFailure.self)
      .drop(untilOutputFrom: Empty<Int, TestFailure>()).subscribe(recorder)
    #expect(recorder.events == [.subscription("DropUntilOutput"), .completion(.finished)])
  }

  @Test func anUpstreamThatComesAfterTheEndIsLeftWithItsFirstValue() {
    let upstream = Source(sendsSubscription: false)
    let recorder = Recorder(initialDemand: .max(3))
    upstream.drop(untilOutputFrom: Empty<Void, TestFailure>()).subscribe(recorder)
    upstream.sendSubscription()
    upstream.send(1)
    upstream.send(2)
    #expect(upstream.ledger.cancelCount == 1)
    #expect(recorder.events == [.subscription("DropUntilOutput"), .completion(.finished)])
  }

  @Test func theStrictFormLeavesTheOtherWithTheUpstream() {
    let (upstream, other) = (Source(), Source())
    let recorder = Recorder()
    upstream.drop(untilOutputFrom: other).strict().subscribe(recorder)
    upstream.send(completion: .finished)
    #expect(other.ledger.cancelCount == 1)
    #expect(recorder.events == [.subscription("DropUntilOutput"), .completion(.finished)])
  }

  @Test func theStrictFormTakesNoOtherAfterTheEnd() {
    let (upstream, other) = (Source(), Source(sendsSubscription: false))
    upstream.drop(untilOutputFrom: other).strict().subscribe(Recorder())
    upstream.send(completion: .finished)
    other.sendSubscription()
    #expect(other.ledger.cancelCount == 1)
  }

  @Test func theStrictFormLeavesAnUpstreamThatNothingIsAskedOf() {
    let upstream = Source(sendsSubscription: false)
    let recorder = Recorder(initialDemand: .none)
    upstream.drop(untilOutputFrom: Empty<Void, TestFailure>()).strict().subscribe(recorder)
    upstream.sendSubscription()
    #expect(upstream.ledger.cancelCount == 1)
    #expect(recorder.events == [.subscription("DropUntilOutput"), .completion(.finished)])
  }
}
