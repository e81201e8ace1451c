import Streams
import StreamsTesting
import Testing

@Suite struct FlatMapTests {
  typealias Child = TestPublisher<Int, TestFailure>
  typealias Outer = TestPublisher<Child, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  // MARK: Subscribing

  @Test func sendsItsSubscriptionBeforeItSubscribes() {
    let outer = Outer()
    let recorder = Recorder(initialDemand: .none)
    outer.onSubscribe = { _ in #expect(recorder.events == [.subscription("FlatMap")]) }
    outer.flatMap(maxPublishers: .none) { $0 }.subscribe(recorder)
    #expect(outer.subscribers.count == 1)
    #expect(outer.ledger.requests == [.none])
  }

  @Test func ignoresFurtherSubscriptions() {
    let outer = Outer()
    let recorder = Recorder(initialDemand: .none)
    outer.flatMap { $0 }.subscribe(recorder)
    let second = TestSubscription()
    outer.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])
    #expect(outer.ledger.entries == [.requested(.unlimited)])
    recorder.cancel()
    let third = TestSubscription()
    outer.send(subscription: third)
    #expect(third.ledger.entries == [.cancelled])
    #expect(outer.ledger.cancelCount == 1)
  }

  @Test func cancelsASecondSubscriptionOfAChild() {
    let (outer, child) = (Outer(), Child())
    outer.flatMap { $0 }.subscribe(Recorder())
    outer.send(child)
    let second = TestSubscription()
    child.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])
    #expect(child.ledger.entries == [.requested(.unlimited)])
  }

  // MARK: Demand

  @Test func requestsAsManyPublishersAsAllowed() {
    let (outer, child) = (Outer(), Child())
    outer.flatMap(maxPublishers: .max(2)) { $0 }.subscribe(Recorder())
    #expect(outer.send(child) == .none)
    #expect(outer.ledger.requests == [.max(2)])
    child.send(completion: .finished)
    #expect(outer.ledger.requests == [.max(2), .max(1)])
  }

  @Test func asksChildrenForEverythingWhenDemandIsUnlimited() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder()
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    #expect(child.send(batch: [1, 2, 3]) == .none)
    #expect(child.ledger.requests == [.unlimited])
    #expect(recorder.batchSizes == [3])
  }

  @Test func keepsOneValueOfEachChildBeyondLimitedDemand() {
    let (outer, first, second) = (Outer(), Child(), Child())
    let recorder = Recorder(initialDemand: .max(2))
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(first)
    outer.send(second)
    #expect(first.ledger.requests == [.max(1)])
    #expect(second.ledger.requests == [.max(1)])

    #expect(first.send(1) == .max(1))
    #expect(second.send(2) == .max(1))
    #expect(first.send(3) == .none)
    #expect(second.send(4) == .none)
    #expect(recorder.values == [1, 2])

    recorder.request(.max(1))
    #expect(recorder.values == [1, 2, 3])
    #expect(first.ledger.requests == [.max(1), .max(1)])
    #expect(second.ledger.requests == [.max(1)])
    recorder.request(.max(10))
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(second.ledger.requests == [.max(1), .max(1)])
    #expect(recorder.overdrawn == 0)
  }

  @Test func unlimitedDemandThatComesLaterReachesTheChildren() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder(initialDemand: .max(1))
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    child.send(1)
    child.send(2)
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2])
    #expect(child.ledger.requests == [.max(1), .unlimited])
    recorder.request(.unlimited)
    #expect(child.ledger.requests == [.max(1), .unlimited])
  }

  @Test func unlimitedDemandFromWithinADeliveryReachesTheChildren() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder(initialDemand: .max(1)) { $0 == 1 ? .unlimited : .none }
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    child.send(1)
    #expect(child.ledger.requests == [.max(1), .unlimited])
    #expect(child.send(2) == .none)
    #expect(recorder.values == [1, 2])
  }

  @Test func requestsWithinADeliveryDoNotRecurse() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder(initialDemand: .max(1))
    var depth = 0
    recorder.onValue = { [unowned recorder] value in
      depth += 1
      defer { depth -= 1 }
      #expect(depth == 1)
      if value == 0 { recorder.request(.max(2)) }
      return .none
    }
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    #expect([0, 1, 2, 3, 4].map { child.send($0) } == [.max(1), .max(1), .max(1), .none, .none])
    #expect(child.ledger.requests == [.max(1)])
    recorder.request(.max(5))
    #expect(recorder.values == [0, 1, 2, 3, 4])
    #expect(child.ledger.requests == [.max(1), .max(1), .max(1)])
  }

  @Test func demandReturnedForOneChildSendsWhatAnotherHasWaiting() {
    let (outer, first, second) = (Outer(), Child(), Child())
    let recorder = Recorder(initialDemand: .max(1)) { value in
      if value == 1 { second.send(2) }
      return value == 1 ? .max(1) : .none
    }
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(first)
    outer.send(second)
    #expect(first.send(1) == .max(1))
    #expect(recorder.values == [1, 2])
    #expect(second.ledger.requests == [.max(1), .max(1)])
  }

  @Test func childrenThatAnswerRequestsAtOnceAreServedInTurn() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder(initialDemand: .none) { $0 > 0 ? .max($0) : .none }
    var next = 0
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    child.send(2)
    child.subscriptions[0].onRequest = { _ in
      next -= 1
      if next > -10 { #expect(child.send(next) == .none) }
    }
    recorder.request(.max(1))
    #expect(recorder.values == [2, -1, -2])
  }

  @Test func aRequestForNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<Int, TestFailure>()
      TestPublisher<TestPublisher<Int, TestFailure>, TestFailure>().flatMap { $0 }.subscribe(recorder)
      recorder.request(.none)
    }
  }

  // MARK: Values in unusual moments

  @Test func aValueBeforeTheSubscriptionIsKept() {
    let outer = Outer(sendsSubscription: false)
    let recorder = Recorder(initialDemand: .none)
    outer.flatMap { $0 }.subscribe(recorder)
    let child = Child()
    #expect(outer.send(child) == .none)
    child.send(1)
    recorder.request(.max(1))
    #expect(recorder.values == [1])
  }

  @Test func valuesSentWithinADeliveryPass() {
    let (outer, first, second) = (Outer(), Child(), Child())
    let recorder = Recorder(initialDemand: .max(2)) { value in
      if value == 1 { second.send(2) }
      return .none
    }
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(first)
    outer.send(second)
    #expect(first.send(1) == .max(1))
    #expect(recorder.values == [1, 2])
    #expect(first.ledger.requests == [.max(1)])
    #expect(second.ledger.requests == [.max(1)])
  }

  @Test func aValueSentWithinTheFailurePasses() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder(initialDemand: .max(5))
    recorder.onCompletion = { _ in child.send(1) }
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    child.send(completion: .failure(TestFailure()))
    child.send(2)
    #expect(
      recorder.events == [.subscription("FlatMap"), .completion(.failure(TestFailure())), .value(1)])
  }

  // MARK: The end

  @Test func finishesWhenTheUpstreamAndAllChildrenHave() {
    let (outer, first, second) = (Outer(), Child(), Child())
    let recorder = Recorder()
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(first)
    outer.send(second)
    first.send(completion: .finished)
    outer.send(completion: .finished)
    #expect(second.send(1) == .none)
    #expect(recorder.completions.isEmpty)
    second.send(completion: .finished)
    second.send(completion: .finished)
    #expect(recorder.events == [.subscription("FlatMap"), .value(1), .completion(.finished)])
    #expect(outer.ledger.entries.contains(.cancelled) == false)
  }

  @Test func waitsForAChildThatHasNoSubscriptionYet() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder()
    child.onSubscribe = { _ in outer.send(completion: .finished) }
    outer.flatMap(maxPublishers: .max(1)) { $0 }.subscribe(recorder)
    outer.send(child)
    #expect(recorder.completions.isEmpty)
    child.send(completion: .finished)
    #expect(recorder.completions == [.finished])
    #expect(outer.ledger.requests == [.max(1)])
  }

  @Test func sendsWhatItKeepsBeforeItFinishes() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder(initialDemand: .max(1))
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    child.send(1)
    child.send(2)
    outer.send(completion: .finished)
    child.send(completion: .finished)
    #expect(recorder.completions.isEmpty)
    recorder.request(.unlimited)
    #expect(recorder.events == [.subscription("FlatMap"), .value(1), .value(2), .completion(.finished)])
  }

  @Test func anUpstreamWithoutASubscriptionMayFinish() {
    let outer = Outer(sendsSubscription: false)
    let recorder = Recorder()
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(completion: .finished)
    #expect(recorder.events == [.subscription("FlatMap"), .completion(.finished)])
  }

  @Test func anUpstreamsFailureCancelsTheChildrenFirst() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder(initialDemand: .max(1))
    recorder.onCompletion = { _ in #expect(child.ledger.isCancelled) }
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    child.send(1)
    child.send(2)
    outer.send(completion: .failure(TestFailure()))
    outer.send(completion: .failure(TestFailure()))
    let late = Child()
    outer.send(late)
    recorder.request(.max(1))
    #expect(
      recorder.events == [.subscription("FlatMap"), .value(1), .completion(.failure(TestFailure()))])
    #expect(late.subscribers.isEmpty)
    #expect(outer.ledger.cancelCount == 0)
    #expect(child.ledger.cancelCount == 1)
  }

  @Test func aChildsFailureCancelsItsSiblingsOnly() {
    let (outer, children) = (Outer(), [Child(), Child(), Child()])
    let recorder = Recorder()
    outer.flatMap { $0 }.subscribe(recorder)
    for child in children { outer.send(child) }
    children[1].send(completion: .failure(TestFailure()))
    children[2].send(completion: .failure(TestFailure()))
    #expect(recorder.completions == [.failure(TestFailure())])
    #expect(children.map(\.ledger.cancelCount) == [1, 0, 1])
    #expect(outer.ledger.cancelCount == 0)
  }

  @Test func aSecondFailureWhileChildrenAreCancelledTraps() async {
    await #expect(processExitsWith: .failure) {
      let outer = TestPublisher<TestPublisher<Int, TestFailure>, TestFailure>()
      outer.flatMap { $0 }.subscribe(RecordingSubscriber<Int, TestFailure>())
      let child = TestPublisher<Int, TestFailure>()
      child.onCancel = { outer.send(completion: .failure(TestFailure())) }
      outer.send(child)
      outer.send(completion: .failure(TestFailure()))
    }
  }

  // MARK: Cancelling

  @Test func cancelsChildrenThenUpstream() {
    let (outer, first, second) = (Outer(), Child(), Child())
    var cancelled: [String] = []
    outer.onCancel = { cancelled.append("outer") }
    first.onCancel = { cancelled.append("first") }
    second.onCancel = { cancelled.append("second") }
    let recorder = Recorder()
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(first)
    outer.send(second)
    recorder.cancel()
    recorder.request(.max(1))
    recorder.cancel()
    #expect(cancelled == ["first", "second", "outer"])
    first.send(1)
    outer.send(completion: .finished)
    #expect(recorder.events == [.subscription("FlatMap")])
  }

  @Test func cancellingWithinAValueStopsABatch() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder(initialDemand: .max(10))
    recorder.onValue = { [unowned recorder] _ in
      recorder.cancel()
      return .max(1)
    }
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    #expect(child.send(batch: [1, 2, 3]) == .none)
    #expect(recorder.values == [1])
    #expect(child.ledger.cancelCount == 1)
    #expect(outer.ledger.cancelCount == 1)
  }

  @Test func cancellingInTheTransformSubscribesNothing() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder()
    outer.flatMap { child in
      recorder.cancel()
      return child
    }.subscribe(recorder)
    outer.send(child)
    #expect(child.subscribers.isEmpty)
  }

  // MARK: Description, lifetime

  @Test func describesItself() throws {
    let (outer, child) = (Outer(), Child())
    outer.flatMap { $0 }.subscribe(Recorder())
    outer.send(child)
    let inner = outer.subscribers[0]
    #expect(String(describing: inner) == "FlatMap")
    #expect(Mirror(reflecting: inner).children.isEmpty)
    let childSubscriber = child.subscribers[0]
    #expect(String(describing: childSubscriber) == "FlatMap")
    let mirrorChild = try #require(Mirror(reflecting: childSubscriber).children.first)
    #expect(mirrorChild.label == "parentSubscription")
    #expect("\(mirrorChild.value)" == "\(inner.combineIdentifier)")
    let playground = childSubscriber as? any CustomPlaygroundDisplayConvertible
    #expect(playground?.playgroundDescription as? String == "FlatMap")
    #expect(!(childSubscriber is any CustomDebugStringConvertible))
  }

  @Test func releasesEverythingAfterTheEnd() {
    let lifetimes = LifetimeTracker()
    let outer = PassthroughSubject<PassthroughSubject<Int, TestFailure>, TestFailure>()
    let children = [PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>()]
    for end in ["finish", "fail", "cancel"] {
      let ticket = outer.flatMap { [token = lifetimes.token()] child in
        token.keep()
        return child
      }.sink(
        receiveCompletion: { [token = lifetimes.token()] _ in token.keep() },
        receiveValue: { [token = lifetimes.token()] _ in token.keep() })
      for child in children { outer.send(child) }
      children[0].send(1)
      switch end {
      case "cancel": ticket.cancel()
      case "fail": children[1].send(completion: .failure(TestFailure()))
      default: children[1].send(2)
      }
    }
    outer.send(completion: .finished)
    for child in children { child.send(completion: .finished) }
    #expect(lifetimes.liveCount == 0)
  }

  // MARK: Threads

  @Test func twoThreadsSendWhileAThirdCancels() {
    for _ in 0..<200 {
      let outer = PassthroughSubject<PassthroughSubject<Int, TestFailure>, TestFailure>()
      let (first, second) = (PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>())
      let recorder = Recorder(initialDemand: .max(30)) { $0 % 7 == 0 ? .max(5) : .none }
      outer.flatMap { $0 }.subscribe(recorder)
      outer.send(first)
      outer.send(second)
      race(
        { for value in 0..<40 { first.send(value) } },
        { for value in 0..<40 { second.send(value) } },
        {
          for _ in 0..<10 { recorder.subscriptions[0].request(.max(1)) }
          recorder.cancel()
        })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.completions.isEmpty)
      let count = recorder.values.count
      first.send(1)
      second.send(1)
      #expect(recorder.values.count == count)
    }
  }

  @Test func nothingIsLostWhenTwoThreadsSend() {
    for _ in 0..<100 {
      let outer = PassthroughSubject<PassthroughSubject<Int, TestFailure>, TestFailure>()
      let (first, second) = (PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>())
      let recorder = Recorder()
      outer.flatMap { $0 }.subscribe(recorder)
      outer.send(first)
      outer.send(second)
      race(
        {
          for value in 0..<50 { first.send(value) }
          first.send(completion: .finished)
        },
        {
          for value in 100..<150 { second.send(value) }
          second.send(completion: .finished)
        },
        { outer.send(completion: .finished) })
      #expect(recorder.overlapCount == 0)
      #expect(recorder.values.filter { $0 < 100 } == Array(0..<50))
      #expect(recorder.values.filter { $0 >= 100 } == Array(100..<150))
      #expect(recorder.completions == [.finished])
    }
  }
}

extension FlatMapTests {
  @Test func allFailureOverloads() {
    let recorder = RecordingSubscriber<Int, Never>()
    [1, 2].publisher.flatMap { Just($0 * 10) }.subscribe(recorder)
    #expect(recorder.values == [10, 20])

    let failing = Recorder()
    let failingUpstream = Just(1).flatMap { _ in Fail<Int, TestFailure>(error: TestFailure()) }
    failingUpstream.subscribe(failing)
    #expect(failing.completions == [.failure(TestFailure())])

    let mixed = Recorder()
    let outer = TestPublisher<Int, TestFailure>()
    outer.flatMap(maxPublishers: .max(1)) { Just($0) }.subscribe(mixed)
    outer.send(7)
    outer.send(completion: .failure(TestFailure()))
    #expect(mixed.values == [7])
    #expect(mixed.completions == [.failure(TestFailure())])
    #expect(outer.ledger.requests == [.max(1), .max(1)])
  }
}
