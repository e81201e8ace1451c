import Streams
import StreamsTesting
import Testing

/// What `flatMap` asks its upstream and its children for.
@Suite struct FlatMapDemandTests {
  typealias Child = TestPublisher<Int, TestFailure>
  typealias Outer = TestPublisher<Child, TestFailure>
  typealias Recorder = RecordingSubscriber<Int, TestFailure>

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
    #expect(recorder.batchSizes == [1, 1, 1])
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

  @Test func requestsWithinAValueThatWaitedDoNotRecurse() {
    let (outer, children) = (Outer(), [Child(), Child(), Child()])
    let recorder = Recorder(initialDemand: .none)
    var depth = 0
    recorder.onValue = { [unowned recorder] _ in
      depth += 1
      defer { depth -= 1 }
      #expect(depth == 1)
      recorder.request(.max(1))
      return .none
    }
    outer.flatMap { $0 }.subscribe(recorder)
    for (value, child) in children.enumerated() {
      outer.send(child)
      child.send(value)
    }
    recorder.request(.max(1))
    #expect(recorder.values == [0, 1, 2])
  }

  @Test func asksForNoFurtherPublisherWhereAllWereAskedFor() {
    let (outer, child) = (Outer(), Child())
    outer.flatMap { $0 }.subscribe(Recorder())
    outer.send(child)
    child.send(completion: .finished)
    #expect(outer.ledger.requests == [.unlimited])
  }

  @Test func aRequestForNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<Int, TestFailure>()
      TestPublisher<TestPublisher<Int, TestFailure>, TestFailure>().flatMap { $0 }.subscribe(recorder)
      recorder.request(.none)
    }
  }
}
