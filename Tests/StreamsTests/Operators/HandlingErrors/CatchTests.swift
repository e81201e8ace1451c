import Streams
import StreamsTesting
import Testing

/// Catch and, where both do the same, tryCatch; they differ only in what their handler may do.
@Suite struct CatchTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Replacement = TestPublisher<Int, any Error>
  typealias Recorder = RecordingSubscriber<Int, any Error>

  enum Kind: String, CaseIterable {
    case `catch` = "Catch"
    case tryCatch = "TryCatch"
  }

  /// An upstream, what replaces it, and how often the handler was called.
  final class Setup {
    let source: Source
    let replacement: Replacement
    var handled = 0

    init(
      _ kind: Kind, _ recorder: Recorder, sendsSubscription: Bool = true,
      replacement: Replacement = Replacement()
    ) {
      self.replacement = replacement
      source = Source(sendsSubscription: sendsSubscription)
      func handler(_ error: TestFailure) -> Replacement {
        handled += 1
        return replacement
      }
      switch kind {
      case .catch: source.catch(handler).subscribe(recorder)
      case .tryCatch: source.tryCatch(handler).subscribe(recorder)
      }
    }

    func fail() { source.send(completion: .failure(TestFailure())) }
  }

  private func events<T>(_ recorder: RecordingSubscriber<T, any Error>) -> [String] {
    recorder.events.map { "\($0)" }
  }

  @Test(arguments: Kind.allCases)
  func goesOnWithTheReplacementAndTheRemainingDemand(_ kind: Kind) {
    let recorder = Recorder(initialDemand: .max(4)) { _ in .max(1) }
    let setup = Setup(kind, recorder)
    recorder.request(.max(2))
    #expect(setup.source.send(1) == .max(1))
    #expect(setup.source.send(batch: [2, 3]) == .max(2))
    setup.fail()
    #expect(setup.source.ledger.entries.contains(.cancelled) == false)
    #expect(setup.replacement.ledger.requests == [.max(6)])
    #expect(setup.replacement.send(4) == .max(1))
    #expect(setup.replacement.send(batch: [5, 6]) == .max(2))
    setup.replacement.send(completion: .finished)
    setup.replacement.send(completion: .finished)
    #expect(
      events(recorder) == ["subscription(\(kind.rawValue))"] + (1...6).map { "value(\($0))" } + ["finished"])
    #expect(setup.handled == 1)
  }

  @Test(arguments: Kind.allCases)
  func theReplacementMayFail(_ kind: Kind) {
    let recorder = Recorder()
    let setup = Setup(kind, recorder)
    setup.fail()
    setup.replacement.send(completion: .failure(TestFailure()))
    #expect(events(recorder) == ["subscription(\(kind.rawValue))", "failure(failure)"])
  }

  @Test(arguments: Kind.allCases)
  func finishingPassesThrough(_ kind: Kind) {
    let recorder = Recorder()
    let setup = Setup(kind, recorder)
    setup.source.send(completion: .finished)
    setup.source.send(completion: .finished)
    setup.fail()
    #expect(events(recorder) == ["subscription(\(kind.rawValue))", "finished"])
    #expect(setup.handled == 0)
  }

  @Test func catchChangesTheFailureType() {
    let recorder = RecordingSubscriber<Int, Never>()
    let source = Source()
    source.catch { _ in Just(7) }.subscribe(recorder)
    source.send(1)
    source.send(completion: .failure(TestFailure()))
    #expect(recorder.values == [1, 7])
    #expect(recorder.completions == [.finished])
  }

  // MARK: Demand between the two

  @Test(arguments: Kind.allCases)
  func aRequestBetweenTheTwoReachesTheReplacement(_ kind: Kind) {
    let recorder = Recorder(initialDemand: .max(1))
    let setup = Setup(kind, recorder)
    setup.replacement.onSubscribe = { _ in recorder.request(.max(10)) }
    setup.fail()
    #expect(setup.source.ledger.requests == [.max(1)])
    #expect(setup.replacement.ledger.requests == [.max(11)])
  }

  @Test(arguments: Kind.allCases)
  func aReplacementIsNotAskedForNothing(_ kind: Kind) {
    let recorder = Recorder(initialDemand: .none)
    let setup = Setup(kind, recorder)
    setup.fail()
    #expect(setup.replacement.ledger.requests == [])
    recorder.request(.max(2))
    #expect(setup.replacement.ledger.requests == [.max(2)])
    #expect(setup.source.ledger.requests == [])
  }

  // MARK: Cancelling

  @Test(arguments: Kind.allCases)
  func cancelsTheUpstream(_ kind: Kind) {
    let recorder = Recorder(initialDemand: .max(1)) { _ in .max(3) }
    let setup = Setup(kind, recorder)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(5))
    #expect(setup.source.send(1) == .max(3))
    setup.fail()
    #expect(setup.source.ledger.requests == [.max(1)])
    #expect(setup.source.ledger.cancelCount == 1)
    #expect(setup.handled == 0)
    #expect(events(recorder) == ["subscription(\(kind.rawValue))", "value(1)"])
  }

  @Test(arguments: Kind.allCases)
  func cancelsTheReplacement(_ kind: Kind) {
    let recorder = Recorder()
    let setup = Setup(kind, recorder)
    setup.fail()
    recorder.cancel()
    setup.replacement.send(completion: .finished)
    #expect(setup.source.ledger.cancelCount == 0)
    #expect(setup.replacement.ledger.cancelCount == 1)
    #expect(recorder.completions.isEmpty)
  }

  @Test(arguments: Kind.allCases)
  func cancellingBetweenTheTwoDoesNothing(_ kind: Kind) {
    let recorder = Recorder(initialDemand: .max(3))
    let setup = Setup(kind, recorder)
    setup.replacement.onSubscribe = { _ in recorder.cancel() }
    setup.fail()
    setup.replacement.send(completion: .finished)
    #expect(setup.replacement.ledger.requests == [.max(3)])
    #expect(events(recorder) == ["subscription(\(kind.rawValue))", "finished"])
  }

  // MARK: Misuse

  @Test(arguments: Kind.allCases)
  func furtherSubscriptionsAreCancelled(_ kind: Kind) {
    let setup = Setup(kind, Recorder())
    let late = (0..<3).map { _ in TestSubscription() }
    setup.source.send(subscription: late[0])
    setup.fail()
    setup.source.send(subscription: late[1])
    setup.replacement.send(subscription: late[2])
    #expect(late.allSatisfy { $0.ledger.entries == [.cancelled] })
    #expect(setup.replacement.ledger.entries == [.requested(.unlimited)])
  }

  @Test(arguments: Kind.allCases)
  func aFinishBeforeTheSubscriptionIsIgnored(_ kind: Kind) {
    let recorder = Recorder()
    Setup(kind, recorder, sendsSubscription: false).source.send(completion: .finished)
    #expect(recorder.events.isEmpty)
  }

  @Test func misuseTraps() async {
    await #expect(processExitsWith: .failure) {
      let source = TestPublisher<Int, TestFailure>()
      source.catch { _ in Just(1) }.subscribe(RecordingSubscriber<Int, Never>(initialDemand: .none))
      source.send(1)
    }
    await #expect(processExitsWith: .failure) {
      let source = TestPublisher<Int, TestFailure>()
      source.catch { _ in TestPublisher<Int, Never>() }.subscribe(RecordingSubscriber<Int, Never>())
      source.send(completion: .failure(TestFailure()))
      source.send(completion: .failure(TestFailure()))
    }
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
      TestPublisher<Int, TestFailure>().catch { _ in Just(1) }.subscribe(recorder)
      recorder.request(.none)
    }
  }

  // MARK: Description, lifetime, threads

  @Test(arguments: Kind.allCases)
  func describesItself(_ kind: Kind) {
    let recorder = Recorder(initialDemand: .none)
    let setup = Setup(kind, recorder)
    setup.fail()
    let (first, second) = (setup.source.subscribers[0], setup.replacement.subscribers[0])
    #expect(first.combineIdentifier == second.combineIdentifier)
    for subscriber in [first as Any, second, recorder.subscriptions[0]] {
      #expect(String(describing: subscriber) == kind.rawValue)
      let children = Mirror(reflecting: subscriber).children.map { "\($0.label ?? "") \($0.value)" }
      #expect(children == ["downstream RecordingSubscriber", "demand max(0)"])
    }
  }

  @Test(arguments: Kind.allCases, ["finish", "cancel"])
  func releasesEverythingAfterTheEnd(_ kind: Kind, _ end: String) {
    let lifetimes = LifetimeTracker()
    let source = PassthroughSubject<Int, TestFailure>()
    let replacement = PassthroughSubject<Int, any Error>()
    let handler = { [token = lifetimes.token()] (_: TestFailure) in
      token.keep()
      return replacement
    }
    let cancellable =
      switch kind {
      case .catch: source.catch(handler).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      case .tryCatch: source.tryCatch(handler).sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      }
    source.send(completion: .failure(TestFailure()))
    if end == "cancel" { cancellable.cancel() } else { replacement.send(completion: .finished) }
    _ = consume handler
    #expect(lifetimes.liveCount == 0)
  }

  @Test(arguments: Kind.allCases)
  func mirrorsTheDemandThatIsLeft(_ kind: Kind) {
    let recorder = Recorder(initialDemand: .max(3))
    let setup = Setup(kind, recorder)
    setup.source.send(1)
    let mirror = Mirror(reflecting: setup.source.subscribers[0])
    #expect(mirror.descendant("demand") as? Subscribers.Demand == .max(2))
  }

  @Test func twoThreadsSendWhileAThirdCancels() {
    for _ in 0..<200 {
      let source = PassthroughSubject<Int, TestFailure>()
      let replacement = PassthroughSubject<Int, any Error>()
      let recorder = Recorder()
      source.catch { _ in replacement }.subscribe(recorder)
      race(
        {
          for value in 0..<20 { source.send(value) }
          source.send(completion: .failure(TestFailure()))
        },
        { for value in 20..<60 { replacement.send(value) } },
        { recorder.cancel() })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.values == recorder.values.sorted())
      #expect(recorder.completions.isEmpty)
    }
  }

  @Test(arguments: Kind.allCases)
  func cancellingInTheHandlerLeavesTheReplacementAlone(_ kind: Kind) {
    let (source, replacement, recorder) = (Source(), Replacement(), Recorder())
    func handler(_ error: TestFailure) -> Replacement {
      recorder.cancel()
      return replacement
    }
    switch kind {
    case .catch: source.catch(handler).subscribe(recorder)
    case .tryCatch: source.tryCatch(handler).subscribe(recorder)
    }
    source.send(completion: .failure(TestFailure()))
    #expect(replacement.subscribers.isEmpty)
    #expect(events(recorder) == ["subscription(\(kind.rawValue))"])
  }

  @Test(arguments: Kind.allCases)
  func cancelledBetweenTheTwoTheReplacementGoesNoFurtherThanItsFirstValue(_ kind: Kind) {
    let recorder = Recorder()
    let setup = Setup(kind, recorder)
    setup.replacement.onSubscribe = { _ in recorder.cancel() }
    setup.fail()
    #expect(setup.replacement.send(1) == .none)
    #expect(setup.replacement.send(batch: [2, 3]) == .none)
    #expect(setup.replacement.ledger.cancelCount == 1)
    #expect(events(recorder) == ["subscription(\(kind.rawValue))"])
  }

  /// A replacement that sends nothing would be kept for ever, and all that is downstream with it.
  @Test(arguments: Kind.allCases)
  func cancelledByAnotherThreadBetweenTheTwoTheReplacementIsCancelled(_ kind: Kind) {
    let recorder = Recorder()
    let setup = Setup(kind, recorder)
    setup.replacement.onSubscribe = { _ in race({ recorder.cancel() }) }
    setup.fail()
    #expect(setup.replacement.ledger.entries == [.cancelled])
  }

  /// It subscribes later, and nobody is subscribing any more.
  @Test(arguments: Kind.allCases)
  func cancelledBeforeTheReplacementHasASubscriptionItIsCancelled(_ kind: Kind) {
    let recorder = Recorder()
    let setup = Setup(kind, recorder, replacement: Replacement(sendsSubscription: false))
    setup.fail()
    recorder.cancel()
    setup.replacement.sendSubscription()
    #expect(setup.replacement.ledger.entries == [.cancelled])
  }

  @Test func cancelledAtOnceBetweenTheTwoTheReplacementIsCancelled() {
    let (source, replacement, recorder) = (Source(), Replacement(), Recorder())
    source.catch { _ in replacement }.strict().subscribe(recorder)
    replacement.onSubscribe = { _ in recorder.cancel() }
    source.send(completion: .failure(TestFailure()))
    #expect(replacement.ledger.entries == [.cancelled])
    #expect(events(recorder) == ["subscription(Catch)"])
  }

  /// As an upstream does whose values are on their way to another thread.
  @Test(arguments: Kind.allCases)
  func takesNothingOfAnAttemptThatIsOver(_ kind: Kind) {
    let recorder = Recorder()
    let setup = Setup(kind, recorder)
    setup.fail()
    #expect(setup.source.send(1) == .none)
    setup.replacement.send(2)
    setup.replacement.send(completion: .finished)
    #expect(setup.source.send(3) == .none)
    #expect(events(recorder) == ["subscription(\(kind.rawValue))", "value(2)", "finished"])
  }

  @Test func valuesThatFollowTheOneThatFailedStayWithTheAttempt() {
    let scheduler = TestScheduler()
    let source = PassthroughSubject<Int, Never>()
    let recorder = Recorder()
    source.receive(on: scheduler).tryMap { value in
      if value == 2 { throw TestFailure() }
      return value
    }.catch { _ in Just(0).setFailureType(to: (any Error).self) }.subscribe(recorder)
    for value in 1...4 { source.send(value) }
    scheduler.advance(by: .seconds(1))
    #expect(events(recorder) == ["subscription(Catch)", "value(1)", "value(0)", "finished"])
  }

  @Test func noOtherThreadSendsInTheHandshakeThatEndsTheUpstream() {
    let failing = Record<Int, TestFailure>(output: [1], completion: .failure(TestFailure()))
    expectNobodyElseSendsInTheHandshake { subject in failing.catch { _ in subject } }
  }
}
