import Streams
import StreamsTesting
import Testing

@Suite struct BufferTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>
  typealias Full = Publishers.BufferingStrategy<TestFailure>

  @Test(arguments: [
    (Publishers.PrefetchStrategy.keepFull, Subscribers.Demand.max(3)), (.byRequest, .unlimited),
  ])
  func asksUpstreamBeforeItSubscribesDownstream(
    prefetch: Publishers.PrefetchStrategy, expected: Subscribers.Demand
  ) {
    let rig = Rig(demand: .none, sendsSubscription: false) {
      $0.buffer(size: 3, prefetch: prefetch, whenFull: .dropOldest)
    }
    rig.upstream.subscriptions[0].onRequest = { _ in #expect(rig.recorder.events == []) }
    rig.upstream.sendSubscription()
    #expect(rig.requests == [expected])
    #expect(rig.recorder.events == [.subscription("Buffer")])
  }

  @Test func keepsWhatFitsAndDropsTheNewest() {
    let rig = Rig(demand: .none) { $0.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest) }
    rig.upstream.send(batch: [1, 2])
    for value in 3...5 { #expect(rig.upstream.send(value) == .none) }
    rig.recorder.request(.max(2))
    #expect(rig.recorder.values == [1, 2])
    rig.recorder.request(.unlimited)
    #expect(rig.recorder.values == [1, 2, 3])
    #expect(rig.requests == [.unlimited])
  }

  @Test func keepsWhatFitsAndDropsTheOldest() {
    let rig = Rig(demand: .none) { $0.buffer(size: 3, prefetch: .byRequest, whenFull: .dropOldest) }
    for value in 1...5 { rig.upstream.send(value) }
    rig.recorder.request(.unlimited)
    #expect(rig.recorder.values == [3, 4, 5])
  }

  @Test func failsWhenFull() {
    let rig = Rig(demand: .none) {
      $0.buffer(size: 2, prefetch: .byRequest, whenFull: .customError { TestFailure() })
    }
    for value in 1...4 { rig.upstream.send(value) }
    #expect(rig.cancelCount == 1)
    #expect(rig.recorder.events == [.subscription("Buffer")])
    rig.recorder.request(.max(1))
    #expect(
      rig.recorder.events == [.subscription("Buffer"), .value(1), .completion(.failure(TestFailure()))])
    rig.recorder.request(.unlimited)
    #expect(rig.recorder.events.count == 3)
  }

  @Test func keepFullAsksForAnotherValueForEachDelivered() {
    let rig = Rig(demand: .none) { $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest) }
    #expect(rig.upstream.send(1) == .none)
    #expect(rig.upstream.send(2) == .none)
    rig.recorder.request(.max(3))
    #expect(rig.requests == [.max(2), .max(2)])
    #expect(rig.upstream.send(3) == .max(1))
    #expect(rig.upstream.send(4) == .none)
    rig.recorder.request(.unlimited)
    #expect(rig.upstream.send(batch: [5, 6, 7]) == .max(3))
    #expect(rig.recorder.values == [1, 2, 3, 4, 5, 6, 7])
  }

  @Test func aBatchPassesWhereThereIsDemand() {
    let rig = Rig(demand: .max(4)) { $0.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest) }
    rig.upstream.send(batch: [1, 2, 3])
    #expect(rig.recorder.batchSizes == [1, 1, 1])
    rig.upstream.send(batch: [4, 5, 6, 7])
    #expect(rig.recorder.values == [1, 2, 3, 4])
    rig.recorder.request(.unlimited)
    #expect(rig.recorder.values == [1, 2, 3, 4, 5, 6])
    #expect(rig.recorder.overdrawn == 0)
  }

  @Test func returnedDemandCounts() {
    let rig = Rig(demand: .max(1), returning: .max(1)) {
      $0.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest)
    }
    rig.upstream.send(1)
    rig.upstream.send(batch: [2, 3])
    #expect(rig.recorder.values == [1, 2, 3])
    #expect(rig.recorder.overdrawn == 0)
  }

  @Test func finishWaitsForValuesAndDemand() {
    let rig = Rig(demand: .none) { $0.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest) }
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    rig.upstream.send(2)
    rig.recorder.request(.max(2))
    #expect(rig.recorder.events == [.subscription("Buffer"), .value(1), .value(2)])
    rig.recorder.request(.max(1))
    #expect(rig.recorder.completions == [.finished])
    rig.upstream.send(3)
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.events.count == 4)
  }

  @Test func failureDoesNotWaitWithoutDemand() {
    let rig = Rig(demand: .none) { $0.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest) }
    rig.upstream.send(1)
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.events == [.subscription("Buffer"), .completion(.failure(TestFailure()))])
  }

  @Test(arguments: [Subscribers.Demand.none, .max(1)])
  func anUpstreamThatFailsAtOnceFailsAfterTheSubscription(demand: Subscribers.Demand) {
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: demand)
    Fail<Int, TestFailure>(error: TestFailure()).buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest)
      .tryMap { $0 }.mapError { $0 as! TestFailure }
      .subscribe(recorder)
    #expect(recorder.events.map(\.kind) == ["subscription", "failure"])
  }

  @Test func anUpstreamThatFailsWhenItIsAskedFailsAfterTheSubscription() {
    let source = TestPublisher<Int, TestFailure>()
    source.onRequest = { _ in source.send(completion: .failure(TestFailure())) }
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
    source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
    #expect(recorder.events.map(\.kind) == ["subscription", "failure"])
  }

  @Test func failureInMidDeliveryComesBetweenValues() {
    let rig = Rig(demand: .none) { $0.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest) }
    rig.upstream.send(batch: [1, 2, 3])
    rig.recorder.onValue = { value in
      if value == 1 { rig.upstream.send(completion: .failure(TestFailure())) }
      return .none
    }
    rig.recorder.request(.max(2))
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value", "failure", "value"])
  }

  @Test func cancellationDropsTheValuesAlsoThoseOnTheirWay() {
    let rig = Rig(demand: .none) { $0.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest) }
    rig.upstream.send(batch: [1, 2, 3])
    rig.recorder.onValue = { _ in
      rig.recorder.cancel()
      return .none
    }
    rig.recorder.request(.unlimited)
    rig.upstream.send(4)
    #expect(rig.recorder.values == [1])
    #expect(rig.cancelCount == 1)
  }

  @Test func theFirstCompletionCounts() {
    let rig = Rig(demand: .none) { $0.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest) }
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    rig.upstream.send(completion: .failure(TestFailure()))
    rig.recorder.request(.unlimited)
    #expect(rig.recorder.events == [.subscription("Buffer"), .value(1), .completion(.finished)])
  }

  /// The upstream here holds on to the operator.
  @Test func cancellationLetsGoOfTheValues() {
    let lifetimes = LifetimeTracker()
    let upstream = TestPublisher<LifetimeToken, TestFailure>()
    let recorder = RecordingSubscriber<LifetimeToken, TestFailure>(initialDemand: .none)
    upstream.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest).subscribe(recorder)
    upstream.send(lifetimes.token())
    #expect(lifetimes.liveCount == 1)
    recorder.cancel()
    #expect(lifetimes.liveCount == 0)
  }

  @Test func requestsFromWithinADeliveryDoNotNest() {
    let rig = Rig(demand: .none) { $0.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest) }
    var depth = 0
    rig.upstream.send(batch: [1, 2, 3, 4])
    rig.recorder.onValue = { _ in
      depth += 1
      #expect(depth == 1)
      rig.recorder.request(.max(1))
      depth -= 1
      return .none
    }
    rig.recorder.request(.max(1))
    #expect(rig.recorder.values == [1, 2, 3, 4])
  }

  @Test func aBufferForNothingKeepsNothingAndPassesNothing() {
    let rig = Rig { $0.buffer(size: 0, prefetch: .byRequest, whenFull: .dropNewest) }
    #expect(rig.upstream.send(1) == .none)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events == [.subscription("Buffer"), .completion(.finished)])
  }

  @Test func demandReturnedForAValueSendsWhatCameMeanwhile() {
    let rig = Rig(demand: .max(1)) { $0.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest) }
    rig.recorder.onValue = { value in
      if value == 1 { #expect(rig.upstream.send(2) == .none) }
      return value == 1 ? .max(1) : .none
    }
    #expect(rig.upstream.send(1) == .max(2))
    #expect(rig.recorder.values == [1, 2])
  }

  @Test func valuesOfAnotherThreadHaveTheirTurn() {
    let rig = Rig { $0.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest) }
    rig.recorder.onValue = { value in
      if value == 1 { race({ #expect(rig.upstream.send(2) == .none) }) }
      return .none
    }
    #expect(rig.upstream.send(1) == .max(2))
    #expect(rig.recorder.values == [1, 2])
    #expect(rig.recorder.overlapCount == 0)
  }

  @Test func valuesOfAnotherThreadHaveTheirTurnBehindThoseThatWereKept() {
    let rig = Rig(demand: .max(1)) { $0.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest) }
    rig.recorder.onValue = { value in
      if value == 2 {
        race({
          #expect(rig.upstream.send(3) == .none)
          rig.recorder.request(.max(1))
        })
      }
      return value == 1 ? .max(1) : .none
    }
    #expect(rig.upstream.send(batch: [1, 2]) == .max(3))
    #expect(rig.recorder.values == [1, 2, 3])
  }

  @Test func anErrorClosureThatSendsTraps() async {
    await #expect(processExitsWith: .failure) {
      let upstream = TestPublisher<Int, TestFailure>()
      let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
      upstream.buffer(
        size: 0, prefetch: .keepFull,
        whenFull: .customError {
          upstream.send(2)
          return TestFailure()
        }
      ).subscribe(recorder)
      upstream.send(1)
    }
  }

  @Test func describesItself() {
    let rig = Rig(demand: .none) { $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest) }
    rig.upstream.send(7)
    let children = ["values", "state", "downstreamDemand", "terminal"]
    expectReflection(of: rig.inner, name: "Buffer", children: children)
    rig.upstream.send(completion: .finished)
    let mirror = Mirror(reflecting: rig.inner)
    #expect(mirror.descendant("values") as? [Int] == [7])
    #expect(mirror.descendant("terminal") as? Subscribers.Completion<TestFailure> == .finished)
    #expect(mirror.descendant("downstreamDemand") as? Subscribers.Demand == Subscribers.Demand.none)
  }

  @Test func ignoresASecondSubscriptionAndWhatComesBeforeTheFirst() {
    let rig = Rig(demand: .none, sendsSubscription: false) {
      $0.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest)
    }
    #expect(rig.upstream.send(1) == .none)
    rig.upstream.send(completion: .finished)
    rig.innerSubscription.request(.max(1))
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    let second = TestSubscription()
    rig.upstream.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])
    rig.recorder.request(.none)
    rig.recorder.request(.max(1))
    rig.upstream.send(5)
    #expect(rig.recorder.events == [.subscription("Buffer"), .value(5)])
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.buffer(size: 3, prefetch: .byRequest, whenFull: .dropNewest) }
  }

  @Test(arguments: [Publishers.PrefetchStrategy.keepFull, .byRequest])
  func survivesARace(prefetch: Publishers.PrefetchStrategy) {
    expectSurvivesRace { $0.buffer(size: 1000, prefetch: prefetch, whenFull: .dropNewest) }
  }

  /// Nothing is lost between a thread that requests and one that sends.
  @Test func requestsAndValuesMeet() {
    for _ in 0..<20 {
      let rig = Rig(demand: .none) { $0.buffer(size: 500, prefetch: .byRequest, whenFull: .dropNewest) }
      race(
        { for value in 0..<500 { rig.upstream.send(value) } },
        { for _ in 0..<500 { rig.recorder.request(.max(1)) } })
      #expect(rig.recorder.values == Array(0..<500))
      #expect(rig.recorder.overlapCount == 0)
    }
  }

  @Test func aFinishWithinADeliveryComesAfterTheValuesOnTheirWay() {
    let rig = Rig(demand: .none) { $0.buffer(size: 9, prefetch: .byRequest, whenFull: .dropNewest) }
    rig.upstream.send(batch: [1, 2, 3])
    rig.recorder.onValue = { value in
      if value == 1 { rig.upstream.send(completion: .finished) }
      return .none
    }
    rig.recorder.request(.unlimited)
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "value", "value", "value", "finished"])
  }

  @Test func aValueWithinADeliveryComesAfterTheValuesOnTheirWay() {
    let rig = Rig(demand: .none) { $0.buffer(size: 9, prefetch: .keepFull, whenFull: .dropNewest) }
    rig.upstream.send(batch: [1, 2, 3])
    rig.recorder.onValue = { value in
      if value == 1 { rig.upstream.send(4) }
      return .none
    }
    rig.recorder.request(.unlimited)
    #expect(rig.recorder.values == [1, 2, 3, 4])
    #expect(rig.requests == [.max(9), .max(4)])
  }
}
