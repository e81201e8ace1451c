import Streams
import StreamsTesting
import Testing

@Suite struct SwitchToLatestTests {
  typealias Child = TestPublisher<Int, TestFailure>
  typealias Outer = TestPublisher<Child, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  private func setup(_ recorder: Recorder = Recorder()) -> (Outer, Recorder) {
    let outer = Outer()
    outer.switchToLatest().subscribe(recorder)
    return (outer, recorder)
  }

  // MARK: Switching

  /// The first stream names the next one.
  @Test func playsTheLatestUntilItsEndOrTheNext() throws {
    try expectMarbles([
      (["-1--2-|", "-abcdef", "uvwxyz-|"], "-abcyz-|", ["^", "-^--!", "----^"]),
      (["-1------|", "-ab|"], "-ab-----|", ["^", "-^"]),
      (["-1--2", "-abcdef", "----yz#"], "-abcyz#", ["^-----!", "-^--!", "----^"]),
      (["-1-#", "-abcdef"], "-ab#", ["^", "-^-!"]),
      (["-1-1-|", "-abcdef|"], "-abcdef|", ["^", "-^-!"]),
    ]) { given in given[0].map { given[Int($0) ?? 0] }.switchToLatest() }
  }

  @Test func sendsTheValuesOfTheLatest() {
    let (outer, recorder) = setup()
    let (first, second) = (Child(), Child())
    #expect(outer.send(first) == .none)
    first.send(1)
    outer.send(second)
    #expect(first.ledger.cancelCount == 1)
    #expect(first.send(2) == .none)
    second.send(batch: [3, 4])
    first.send(completion: .failure(TestFailure()))
    #expect(recorder.events == [.subscription("SwitchToLatest"), .value(1), .value(3), .value(4)])
    #expect(recorder.batchSizes == [1, 1, 1])
    #expect(outer.ledger.requests == [.unlimited])
  }

  @Test func allOverloads() {
    let recorder = RecordingSubscriber<Int, TestFailure>()
    [1, 2].publisher.map { Just($0) }.switchToLatest().setFailureType(to: TestFailure.self).subscribe(
      recorder)
    #expect(recorder.values == [1, 2])

    let failing = Recorder()
    Just(1).map { _ in Fail<Int, TestFailure>(error: TestFailure()) }.switchToLatest().subscribe(failing)
    #expect(failing.completions == [.failure(TestFailure())])

    let outer = TestPublisher<Just<Int>, TestFailure>()
    let mixed = Recorder()
    outer.switchToLatest().subscribe(mixed)
    outer.send(Just(7))
    outer.send(completion: .failure(TestFailure()))
    #expect(mixed.values == [7])
    #expect(mixed.completions == [.failure(TestFailure())])
  }

  @Test func sequencesOfSequencesRunOneByOne() {
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(1)) { _ in .max(1) }
    [1, 3].publisher.map { [$0, $0 + 1].publisher }.switchToLatest().subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(recorder.completions == [.finished])
  }

  // MARK: Demand

  @Test func remainingDemandGoesToTheNextPublisher() {
    let (outer, recorder) = setup(Recorder(initialDemand: .none) { _ in .max(5) })
    let children = [Child(), Child(), Child()]
    outer.send(children[0])
    #expect(children[0].ledger.requests == [])
    recorder.request(.max(1))
    #expect(children[0].ledger.requests == [.max(1)])
    children[0].send(completion: .finished)
    recorder.request(.max(41))
    #expect(children[0].ledger.requests == [.max(1)])
    outer.send(children[1])
    #expect(children[1].ledger.requests == [.max(42)])
    #expect(children[1].send(1) == .max(5))
    #expect(children[1].send(batch: [2, 3]) == .max(10))
    outer.send(children[2])
    #expect(children[2].ledger.requests == [.max(54)])
    outer.send(completion: .finished)
    recorder.request(.max(9))
    #expect(children[2].ledger.requests == [.max(54), .max(9)])
  }

  /// What is returned for a value during which another publisher has come is for that one.
  @Test(arguments: [true, false])
  func demandReturnedWhileSwitchingGoesToTheNextPublisher(_ isSubscribed: Bool) {
    let (outer, recorder) = setup(Recorder(initialDemand: .max(2)))
    let (first, second) = (Child(), Child(sendsSubscription: isSubscribed))
    recorder.onValue = { value in
      guard value == 1 else { return .none }
      outer.send(second)
      return .max(5)
    }
    outer.send(first)
    #expect(first.send(1) == .none)
    if !isSubscribed { second.sendSubscription() }
    #expect(second.ledger.requests == (isSubscribed ? [.max(1), .max(5)] : [.max(6)]))
    #expect(first.ledger.requests == [.max(2)])
    let third = Child()
    outer.send(third)
    #expect(third.ledger.requests == [.max(6)])
  }

  @Test func misuseTraps() async {
    typealias Child = TestPublisher<Int, TestFailure>
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<Int, TestFailure>()
      TestPublisher<Child, TestFailure>().switchToLatest().subscribe(recorder)
      recorder.request(.none)
    }
    await #expect(processExitsWith: .failure) {
      let outer = TestPublisher<Child, TestFailure>()
      outer.switchToLatest().subscribe(RecordingSubscriber<Int, TestFailure>(initialDemand: .none))
      let child = Child()
      outer.send(child)
      child.send(1)
    }
    await #expect(processExitsWith: .failure) {
      let outer = TestPublisher<Child, TestFailure>()
      outer.switchToLatest().subscribe(RecordingSubscriber<Int, TestFailure>())
      let child = Child(sendsSubscription: false)
      outer.send(child)
      child.send(completion: .finished)
    }
  }

  // MARK: Unusual moments

  @Test func aValueBeforeAChildsSubscriptionPasses() {
    let (outer, recorder) = setup(Recorder { _ in .max(42) })
    let child = Child(sendsSubscription: false)
    outer.send(child)
    #expect(child.send(1) == .max(42))
    #expect(recorder.values == [1])
  }

  @Test func anUpstreamWithoutASubscription() {
    let outer = Outer(sendsSubscription: false)
    let recorder = Recorder()
    outer.switchToLatest().subscribe(recorder)
    let child = Child()
    #expect(outer.send(child) == .none)
    child.send(1)
    child.send(completion: .finished)
    outer.send(completion: .finished)
    #expect(recorder.events == [.subscription("SwitchToLatest"), .value(1), .completion(.finished)])
  }

  @Test func furtherSubscriptionsAreCancelled() {
    let (outer, recorder) = setup()
    let child = Child()
    outer.send(child)
    let late = (0..<3).map { _ in TestSubscription() }
    outer.send(subscription: late[0])
    child.send(subscription: late[1])
    recorder.cancel()
    outer.send(subscription: late[2])
    #expect(late.allSatisfy { $0.ledger.entries == [.cancelled] })
    #expect(outer.ledger.entries == [.requested(.unlimited), .delivered(1), .cancelled])
  }

  @Test func switchingWithinADelivery() {
    let (outer, recorder) = setup()
    let (first, second) = (Child(), Child())
    recorder.onValue = { value in
      if value == 1 { outer.send(second) }
      return .none
    }
    outer.send(first)
    first.send(1)
    first.send(2)
    second.send(3)
    #expect(recorder.values == [1, 3])
    #expect(first.ledger.cancelCount == 1)
  }

  // MARK: The end

  @Test func finishesWhenBothHaveFinished() {
    let (outer, recorder) = setup()
    let child = Child()
    outer.send(child)
    outer.send(completion: .finished)
    outer.send(Child())
    #expect(recorder.completions.isEmpty)
    child.send(1)
    child.send(completion: .finished)
    child.send(completion: .failure(TestFailure()))
    #expect(recorder.events == [.subscription("SwitchToLatest"), .value(1), .completion(.finished)])
    #expect(outer.ledger.cancelCount == 0)
    #expect(child.ledger.cancelCount == 0)
  }

  @Test func completionsOfTheUpstreamAreNotCounted() {
    let (outer, recorder) = setup()
    outer.send(completion: .finished)
    outer.send(completion: .failure(TestFailure()))
    outer.send(completion: .finished)
    #expect(recorder.completions == [.finished, .failure(TestFailure()), .finished])
  }

  @Test func aChildsFailureCancelsTheUpstreamFirst() {
    let (outer, recorder) = setup()
    recorder.onCompletion = { _ in #expect(outer.ledger.isCancelled) }
    let child = Child()
    outer.send(child)
    child.send(completion: .failure(TestFailure()))
    child.send(completion: .failure(TestFailure()))
    child.send(1)
    outer.send(completion: .finished)
    #expect(recorder.events == [.subscription("SwitchToLatest"), .completion(.failure(TestFailure()))])
    #expect(child.ledger.cancelCount == 0)
  }

  @Test func theUpstreamsFailureCancelsTheChildFirst() {
    let (outer, recorder) = setup()
    let child = Child()
    recorder.onCompletion = { _ in #expect(child.ledger.isCancelled) }
    outer.send(child)
    outer.send(completion: .failure(TestFailure()))
    child.send(completion: .finished)
    #expect(recorder.events == [.subscription("SwitchToLatest"), .completion(.failure(TestFailure()))])
    #expect(outer.ledger.cancelCount == 0)
  }

  @Test func aChildThatIgnoresItsCancellationIsStillHeardAfterAFailure() {
    let (outer, recorder) = setup()
    let child = Child()
    outer.send(child)
    outer.send(completion: .failure(TestFailure()))
    child.send(1)
    #expect(recorder.values == [1])
  }

  @Test func waitsForTheSubscriptionOfAChild() {
    for completion in [Subscribers.Completion<TestFailure>.finished, .failure(TestFailure())] {
      let (outer, recorder) = setup()
      let child = Child(sendsSubscription: false)
      outer.send(child)
      outer.send(completion: completion)
      #expect(recorder.completions == (completion == .finished ? [] : [completion]))
      child.sendSubscription()
      #expect(child.ledger.requests == [.unlimited])
      child.send(1)
      #expect(recorder.values == (completion == .finished ? [1] : []))
    }
  }

  // MARK: Description, lifetime

  @Test func describesItself() throws {
    let (outer, recorder) = setup()
    let child = Child()
    outer.send(child)
    let inner = outer.subscribers[0]
    #expect(String(describing: inner) == "SwitchToLatest")
    #expect(inner.combineIdentifier == recorder.subscriptions[0].combineIdentifier)
    let childSubscriber = child.subscribers[0]
    #expect(String(describing: childSubscriber) == "SwitchToLatest")
    let mirrorChild = try #require(Mirror(reflecting: childSubscriber).children.first)
    #expect(mirrorChild.label == "parentSubscription")
    #expect("\(mirrorChild.value)" == "\(inner.combineIdentifier)")
  }

  @Test(arguments: ["finish", "fail", "cancel"])
  func releasesEverythingAfterTheEnd(_ end: String) {
    let lifetimes = LifetimeTracker()
    let outer = PassthroughSubject<PassthroughSubject<Int, TestFailure>, TestFailure>()
    let children = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
    let cancellable = outer.switchToLatest().sink(
      receiveCompletion: { [token = lifetimes.token()] _ in token.keep() },
      receiveValue: { [token = lifetimes.token()] _ in token.keep() })
    for child in children { outer.send(child) }
    children[1].send(1)
    switch end {
    case "cancel": cancellable.cancel()
    case "fail": children[1].send(completion: .failure(TestFailure()))
    default:
      outer.send(completion: .finished)
      children[1].send(completion: .finished)
    }
    #expect(lifetimes.liveCount == 0)
  }

  // MARK: Threads

  @Test func switchingWhileTwoThreadsSendAndAThirdCancels() {
    for _ in 0..<200 {
      let outer = PassthroughSubject<PassthroughSubject<Int, TestFailure>, TestFailure>()
      let children = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
      let recorder = Recorder()
      outer.switchToLatest().subscribe(recorder)
      outer.send(children[0])
      race(
        { for value in 0..<40 { children[0].send(value) } },
        { for value in 100..<140 { children[1].send(value) } },
        { outer.send(children[1]) },
        { recorder.cancel() })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.values == recorder.values.sorted())
      let count = recorder.values.count
      for child in children { child.send(1) }
      #expect(recorder.values.count == count)
    }
  }

  @Test func nothingFollowsAFailureOnAnotherThread() {
    for _ in 0..<200 {
      let outer = PassthroughSubject<PassthroughSubject<Int, TestFailure>, TestFailure>()
      let child = PassthroughSubject<Int, TestFailure>()
      let recorder = Recorder()
      outer.switchToLatest().subscribe(recorder)
      outer.send(child)
      race(
        { for value in 0..<40 { child.send(value) } },
        { outer.send(completion: .failure(TestFailure())) })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.events.last == .completion(.failure(TestFailure())))
    }
  }

  /// Publishers that another thread has left send what they send at once, before the next one replaces them.
  @Test(arguments: [false, true]) func publishersThatWereLeftBeginBeforeTheyAreReplaced(fails: Bool) {
    let upstream = PassthroughSubject<Int, TestFailure>()
    let first = PassthroughSubject<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>()
    upstream.map { value -> AnyPublisher<Int, TestFailure> in
      switch value {
      case 0: first.eraseToAnyPublisher()
      case 4 where fails: Fail(error: TestFailure()).eraseToAnyPublisher()
      default: [value, value].publisher.setFailureType(to: TestFailure.self).eraseToAnyPublisher()
      }
    }
    .switchToLatest().subscribe(recorder)
    upstream.send(0)
    cross(
      { meet in
        recorder.onValue = { value in
          guard value == 7 else { return .none }
          meet()
          upstream.send(3)
          return .none
        }
        first.send(7)
      }, { for value in [1, 2, 4, 5] { upstream.send(value) } })
    let told = fails ? [1, 2] : [1, 2, 4, 5, 3]
    #expect(recorder.values == [7] + told.flatMap { [$0, $0] })
    #expect(recorder.completions == (fails ? [.failure(TestFailure())] : []))
  }
}
