import StreamsTesting
import Testing

@testable import Streams

/// What `flatMap` makes of signals that come while it deals with another of its publishers.
@Suite struct FlatMapReentranceTests {
  typealias Child = TestPublisher<Int, TestFailure>
  typealias Outer = TestPublisher<Child, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

  // MARK: While a child is being cancelled

  enum End: CaseIterable { case cancel, upstreamFails, childFails }
  enum Event: CaseIterable { case value, finish, failure, upstreamsValue, upstreamsFinish, lateSubscription }

  @Test(arguments: End.allCases, Event.allCases)
  func anythingMayHappenWhileAChildIsCancelled(_ end: End, _ event: Event) {
    let (outer, children, late) = (Outer(), (0..<4).map { _ in Child() }, Child(sendsSubscription: false))
    let recorder = Recorder()
    let fresh = Child()
    children[0].onCancel = {
      switch event {
      case .value: children[1].send(7)
      case .finish: for child in children.dropFirst() { child.send(completion: .finished) }
      case .failure: for child in children.dropFirst() { child.send(completion: .failure(TestFailure())) }
      case .upstreamsValue: outer.send(fresh)
      case .upstreamsFinish: outer.send(completion: .finished)
      case .lateSubscription: late.sendSubscription()
      }
    }
    outer.flatMap(maxPublishers: .max(10)) { $0 }.subscribe(recorder)
    for child in children + [late] { outer.send(child) }
    switch end {
    case .cancel: recorder.cancel()
    case .upstreamFails: outer.send(completion: .failure(TestFailure()))
    case .childFails: children[3].send(completion: .failure(TestFailure()))
    }
    #expect(recorder.completions == (end == .cancel ? [] : [.failure(TestFailure())]))
    #expect(outer.ledger.requests == [.max(10)])
    #expect(fresh.subscribers.isEmpty)
    if event == .lateSubscription { #expect(late.ledger.entries == [.cancelled]) }
    if event == .finish || event == .failure {
      #expect(children.map(\.ledger.cancelCount) == [1, 0, 0, 0])
    } else {
      #expect(children.prefix(3).map(\.ledger.cancelCount) == [1, 1, 1])
    }
  }

  @Test func childrenMayEndWhileTheyAreAskedForEverything() {
    let (outer, children) = (Outer(), (0..<3).map { _ in Child() })
    let recorder = Recorder(initialDemand: .max(1))
    outer.flatMap { $0 }.subscribe(recorder)
    for child in children { outer.send(child) }
    children[0].subscriptions[0].onRequest = { _ in
      children[1].send(completion: .finished)
      children[2].send(1)
    }
    recorder.request(.unlimited)
    #expect(recorder.values == [1])
    #expect(children.map(\.ledger.requests) == [[.max(1), .unlimited], [.max(1)], [.max(1), .unlimited]])
  }

  @Test func nothingIsAskedForAfterAFailureThatARequestBrings() {
    let (outer, children) = (Outer(), (0..<3).map { _ in Child() })
    let recorder = Recorder(initialDemand: .max(1))
    outer.flatMap { $0 }.subscribe(recorder)
    for child in children { outer.send(child) }
    children[0].subscriptions[0].onRequest = { _ in children[0].send(completion: .failure(TestFailure())) }
    recorder.request(.unlimited)
    #expect(recorder.completions == [.failure(TestFailure())])
    for child in children.dropFirst() {
      #expect(child.ledger.entries == [.requested(.max(1)), .cancelled])
    }
  }

  // MARK: Places

  /// A child that has finished keeps its place until its last value has been taken.
  @Test func doesNotReadAhead() {
    let outer = TestPublisher<Int, TestFailure>()
    let recorder = Recorder(initialDemand: .max(1))
    outer.flatMap(maxPublishers: .max(1)) { [$0].publisher.setFailureType(to: TestFailure.self) }
      .subscribe(recorder)
    var next = 0
    outer.subscriptions[0].onRequest = { _ in
      next += 1
      if next < 100 { outer.send(next) }
    }
    outer.subscriptions[0].onRequest(.max(1))
    #expect(recorder.values == [1])
    #expect(next == 2)
    recorder.request(.max(3))
    #expect(recorder.values == [1, 2, 3, 4])
    #expect(next == 5)
    recorder.request(.unlimited)
    #expect(recorder.values == Array(1..<100))
  }

  @Test func anEndlessSourceIsReadAsFarAsItIsDemanded() {
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(2)) { $0 < 5 ? .max(1) : .none }
    var count = 0
    (1...).publisher.handleEvents(receiveOutput: { _ in count += 1 })
      .flatMap(maxPublishers: .max(1)) { Just($0) }.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3, 4, 5, 6])
    #expect(count == 7)
    recorder.cancel()
  }

  @Test func aPlaceIsFreeWhenTheLastOfSeveralValuesIsTaken() {
    let (outer, first) = (Outer(), Child())
    let recorder = Recorder(initialDemand: .none)
    outer.flatMap(maxPublishers: .max(1)) { $0 }.subscribe(recorder)
    outer.send(first)
    first.send(batch: [1, 2])
    first.send(completion: .finished)
    recorder.request(.max(1))
    #expect(outer.ledger.requests == [.max(1)])
    recorder.request(.max(1))
    #expect(outer.ledger.requests == [.max(1), .max(1)])
    #expect(recorder.values == [1, 2])
  }

  @Test func valuesThatWaitAreDroppedWithTheirPlaces() {
    let (outer, child) = (Outer(), Child())
    let recorder = Recorder(initialDemand: .none)
    outer.flatMap(maxPublishers: .max(1)) { $0 }.subscribe(recorder)
    outer.send(child)
    child.send(1)
    child.send(completion: .finished)
    recorder.cancel()
    recorder.request(.max(1))
    #expect(outer.ledger.requests == [.max(1)])
    #expect(outer.ledger.cancelCount == 1)
    #expect(recorder.values == [])
  }

  // MARK: Order

  @Test func aValueDoesNotOvertakeThoseThatWait() {
    let (outer, first, second) = (Outer(), Child(), Child())
    let recorder = Recorder(initialDemand: .none) { value in
      if value == 1 { second.send(3) }
      return .none
    }
    outer.flatMap { $0 }.subscribe(recorder)
    outer.send(first)
    outer.send(second)
    first.send(1)
    second.send(2)
    recorder.request(.unlimited)
    #expect(recorder.values == [1, 2, 3])
  }

  // MARK: An upstream that is cancelled with a failure

  @Test func aFailureOfAChildCancelsTheUpstreamToo() {
    let (outer, children) = (Outer(), [Child(), Child()])
    let recorder = Recorder()
    recorder.onCompletion = { _ in
      #expect([outer.ledger.cancelCount, children[0].ledger.cancelCount] == [1, 1])
    }
    outer.flatMap { $0 }.strict().subscribe(recorder)
    for child in children { outer.send(child) }
    children[1].send(completion: .failure(TestFailure()))
    #expect(recorder.events == [.subscription("FlatMap"), .completion(.failure(TestFailure()))])
    #expect(children[1].ledger.cancelCount == 0)
  }

  @Test func anUpstreamThatHasEndedIsNotCancelledWithAFailure() {
    for completion in [Subscribers.Completion<TestFailure>.finished, .failure(TestFailure())] {
      let (outer, child) = (Outer(), Child())
      let recorder = Recorder()
      outer.flatMap { $0 }.strict().subscribe(recorder)
      outer.send(child)
      outer.send(completion: completion)
      child.send(completion: .failure(TestFailure()))
      #expect(recorder.completions == [.failure(TestFailure())])
      #expect(outer.ledger.cancelCount == 0)
    }
  }

  @Test func anUpstreamIsNotAskedForNothing() {
    let outer = Outer()
    let recorder = Recorder()
    outer.flatMap(maxPublishers: .none) { $0 }.strict().subscribe(recorder)
    #expect(outer.ledger.requests == [])
    outer.send(completion: .finished)
    #expect(recorder.completions == [.finished])
  }
}
