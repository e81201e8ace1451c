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
    #expect(child.send(batch: [1, 2, 3]) == .max(1))
    #expect(recorder.values == [1])
    #expect(child.ledger.cancelCount == 1)
    #expect(outer.ledger.cancelCount == 1)
  }

  @Test func nothingIsTransformedAfterTheCancellation() {
    let outer = Outer()
    let recorder = Recorder()
    var count = 0
    outer.flatMap { child in
      count += 1
      return child
    }.subscribe(recorder)
    recorder.cancel()
    outer.send(Child())
    #expect(count == 0)
  }

  /// The child here holds on to the operator.
  @Test func cancellationLetsGoOfTheValuesItKeeps() {
    let lifetimes = LifetimeTracker()
    let child = TestPublisher<LifetimeToken, TestFailure>()
    let recorder = RecordingSubscriber<LifetimeToken, TestFailure>(initialDemand: .none)
    let outer = TestPublisher<TestPublisher<LifetimeToken, TestFailure>, TestFailure>()
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(child)
    child.send(lifetimes.token())
    #expect(lifetimes.liveCount == 1)
    recorder.cancel()
    #expect(lifetimes.liveCount == 0)
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
      let cancellable = outer.flatMap { [token = lifetimes.token()] child in
        token.keep()
        return child
      }.sink(
        receiveCompletion: { [token = lifetimes.token()] _ in token.keep() },
        receiveValue: { [token = lifetimes.token()] _ in token.keep() })
      for child in children { outer.send(child) }
      children[0].send(1)
      switch end {
      case "cancel": cancellable.cancel()
      case "fail": children[1].send(completion: .failure(TestFailure()))
      default: children[1].send(2)
      }
    }
    outer.send(completion: .finished)
    for child in children { child.send(completion: .finished) }
    #expect(lifetimes.liveCount == 0)
  }

  // MARK: Overloads

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
