import Streams
import StreamsTesting
import Testing

@Suite struct CollectByTimeTests {
  typealias Rig = OperatorRig<Int, TestFailure, [Int], TestFailure>

  @Test func sendsOneArrayForEachInterval() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.collect(.byTime(scheduler, .seconds(2)), options: "c") }
    #expect(
      scheduler.calls == [
        .now, .minimumTolerance,
        .scheduleRepeating(
          VirtualTime(nanoseconds: 2_000_000_000), interval: .seconds(2), tolerance: .nanoseconds(0),
          options: "c"),
      ])
    rig.upstream.send(1)
    scheduler.advance(by: .seconds(1))
    rig.upstream.send(batch: [2, 3])
    #expect(rig.recorder.values == [])
    scheduler.advance(by: .seconds(1))
    #expect(rig.recorder.values == [[1, 2, 3]])
    scheduler.advance(by: .seconds(4))
    #expect(rig.recorder.values.count == 1)
    rig.upstream.send(4)
    scheduler.advance(by: .seconds(2))
    #expect(rig.recorder.values == [[1, 2, 3], [4]])
  }

  @Test func asksForOneValueAfterTheOtherIfTheTimeAloneCounts() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(2), returning: .max(3)) { $0.collect(.byTime(scheduler, .seconds(2))) }
    #expect(rig.requests == [.max(1)])
    #expect(rig.upstream.send(1) == .max(1))
    #expect(rig.upstream.send(batch: [2, 3]) == .max(2))
    scheduler.advance(by: .seconds(2))
    #expect(rig.recorder.values == [[1, 2, 3]])
    #expect(rig.requests == [.max(1)])
    rig.recorder.request(.unlimited)
    #expect(rig.requests == [.max(1), .max(1)])
  }

  @Test func sendsFullArraysBeforeTheirTime() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(2)) { $0.collect(.byTimeOrCount(scheduler, .seconds(2), 3), options: "c") }
    #expect(rig.requests == [.max(6)])
    for value in 1...4 { #expect(rig.upstream.send(value) == .none) }
    #expect(rig.recorder.values == [])
    #expect(scheduler.calls.last == .schedule(options: "c"))
    scheduler.advance()
    #expect(rig.recorder.values == [[1, 2, 3]])
    scheduler.advance(by: .seconds(2))
    #expect(rig.recorder.values == [[1, 2, 3], [4]])
  }

  @Test func onlyTheDemandReturnedForFullArraysIsPassedUp() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(1)) { $0.collect(.byTimeOrCount(scheduler, .seconds(2), 2)) }
    rig.recorder.onValue = { $0.count == 2 ? .max(2) : .max(4) }
    for value in 1...2 { rig.upstream.send(value) }
    scheduler.advance()
    #expect(rig.requests == [.max(2), .max(4)])
    rig.upstream.send(3)
    scheduler.advance(by: .seconds(2))
    #expect(rig.recorder.values == [[1, 2], [3]])
    #expect(rig.requests == [.max(2), .max(4)])
    for value in 4...6 { rig.upstream.send(value) }
    scheduler.advance(by: .seconds(2))
    #expect(rig.recorder.values == [[1, 2], [3], [4, 5], [6]])
  }

  @Test func valuesWaitForDemand() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .none) { $0.collect(.byTimeOrCount(scheduler, .seconds(2), 2)) }
    for value in 1...5 { rig.upstream.send(value) }
    scheduler.advance(by: .seconds(2))
    #expect(rig.recorder.values == [])
    rig.recorder.request(.max(1))
    #expect(rig.recorder.values == [])
    scheduler.advance()
    #expect(rig.recorder.values == [[1, 2]])
    rig.recorder.onValue = { $0.count == 2 ? .max(1) : .none }
    rig.recorder.request(.max(1))
    scheduler.advance()
    #expect(rig.recorder.values == [[1, 2], [3, 4]])
    scheduler.advance(by: .seconds(2))
    #expect(rig.recorder.values == [[1, 2], [3, 4], [5]])
    #expect(rig.requests == [.max(2), .max(2), .max(2)])
    #expect(rig.recorder.overdrawn == 0)
  }

  @Test func demandReturnedForAnArrayCountsForTheNext() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(1), returning: .max(1)) { $0.collect(.byTime(scheduler, .seconds(2))) }
    for value in 1...2 {
      rig.upstream.send(value)
      scheduler.advance(by: .seconds(2))
    }
    #expect(rig.recorder.values == [[1], [2]])
    #expect(rig.requests == [.max(1)])
  }

  @Test func theTimeSendsNoMoreThanAFullArray() {
    let scheduler = TestScheduler()
    let recorder = RecordingSubscriber<[Int], TestFailure>(initialDemand: .none)
    // Before the timer's turn at that moment, and so before what the request schedules for it.
    scheduler.clock.schedule(after: VirtualTime(nanoseconds: 2_000_000_000)) { recorder.request(.max(1)) }
    let upstream = TestPublisher<Int, TestFailure>()
    upstream.collect(.byTimeOrCount(scheduler, .seconds(2), 2)).subscribe(recorder)
    upstream.send(batch: [1, 2, 3])
    scheduler.advance(by: .seconds(2))
    #expect(recorder.values == [[1, 2]])
  }

  @Test func aRequestForNothingAsksForNothing() {
    let rig = Rig(demand: .none) { $0.collect(.byTimeOrCount(VirtualTimeScheduler(), 2, 2)) }
    rig.recorder.request(.none)
    #expect(rig.requests == [])
  }

  @Test func asksForNothingOnceTheUpstreamHasCompleted() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(1)) { $0.collect(.byTimeOrCount(scheduler, 2, 2)) }
    rig.upstream.send(completion: .finished)
    rig.recorder.request(.max(1))
    scheduler.advance()
    #expect(rig.requests == [.max(2)])
    #expect(rig.recorder.completions == [.finished])
  }

  @Test func anArrayThatIsDueOnAnotherThreadHasItsTurn() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.collect(.byTimeOrCount(scheduler, .seconds(2), 2)) }
    rig.recorder.onValue = { value in
      if value == [1, 2] {
        race({
          rig.upstream.send(3)
          scheduler.advance(by: .seconds(2))
        })
        #expect(rig.recorder.values == [[1, 2]])
      }
      return .none
    }
    rig.upstream.send(batch: [1, 2])
    scheduler.advance()
    #expect(rig.recorder.values == [[1, 2], [3]])
    #expect(rig.recorder.overlapCount == 0)
  }

  @Test func sendsTheRestWhenTheUpstreamFinishes() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.collect(.byTime(scheduler, .seconds(2))) }
    rig.upstream.send(batch: [1, 2])
    rig.upstream.send(completion: .finished)
    rig.upstream.send(3)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events == [.subscription("CollectByTime")])
    scheduler.advance()
    #expect(
      rig.recorder.events == [.subscription("CollectByTime"), .value([1, 2]), .completion(.finished)])
    #expect(scheduler.pendingCount == 0)
  }

  @Test func dropsTheRestWhenTheUpstreamFails() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.collect(.byTime(scheduler, .seconds(2))) }
    rig.upstream.send(1)
    rig.upstream.send(completion: .failure(TestFailure()))
    #expect(rig.recorder.events == [.subscription("CollectByTime")])
    scheduler.advance()
    #expect(
      rig.recorder.events == [.subscription("CollectByTime"), .completion(.failure(TestFailure()))])
    #expect(scheduler.pendingCount == 0)
  }

  @Test func aFailureComesAfterArraysThatWereFull() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.collect(.byTimeOrCount(scheduler, .seconds(2), 2)) }
    for value in 1...5 { rig.upstream.send(value) }
    rig.upstream.send(completion: .failure(TestFailure()))
    scheduler.advance()
    #expect(
      rig.recorder.events == [
        .subscription("CollectByTime"), .value([1, 2]), .value([3, 4]), .completion(.failure(TestFailure())),
      ])
  }

  @Test func nothingIsSentAfterACancellation() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.collect(.byTimeOrCount(scheduler, .seconds(2), 2)) }
    for value in 1...3 { rig.upstream.send(value) }
    rig.upstream.send(completion: .finished)
    rig.recorder.cancel()
    scheduler.advance(by: .seconds(2))
    #expect(rig.recorder.events == [.subscription("CollectByTime")])
    #expect(scheduler.pendingCount == 0)
  }

  @Test func cancellationStopsTheTimer() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.collect(.byTime(scheduler, .seconds(2))) }
    rig.upstream.send(1)
    rig.recorder.cancel()
    rig.recorder.cancel()
    rig.upstream.send(completion: .finished)
    #expect(scheduler.pendingCount == 0)
    #expect(rig.recorder.events == [.subscription("CollectByTime")])
    #expect(rig.cancelCount == 1)
  }

  @Test(arguments: ["finish", "cancel", "cancel at once"])
  func cancelsATimerThatWouldGoOn(_ end: String) {
    let scheduler = LastingScheduler()
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<[Int], TestFailure>()
    if end == "cancel at once" { recorder.onSubscription = { $0.cancel() } }
    upstream.collect(.byTime(scheduler, .seconds(2))).subscribe(recorder)
    switch end {
    case "finish": upstream.send(completion: .finished)
    case "cancel": recorder.cancel()
    default: break
    }
    #expect(scheduler.repetitionCount == 0)
  }

  /// The upstream here holds on to the operator after the end.
  @Test func cancellationLetsGoOfTheValues() {
    let lifetimes = LifetimeTracker()
    let upstream = TestPublisher<LifetimeToken, TestFailure>()
    let recorder = RecordingSubscriber<[LifetimeToken], TestFailure>()
    upstream.collect(.byTime(VirtualTimeScheduler(), 2)).subscribe(recorder)
    upstream.send(lifetimes.token())
    #expect(lifetimes.liveCount == 1)
    recorder.cancel()
    #expect(lifetimes.liveCount == 0)
  }

  @Test func keepsTheFirstSubscription() {
    let rig = Rig { $0.collect(.byTime(VirtualTimeScheduler(), 1)) }
    expectReflection(of: rig.inner, name: "CollectByTime")
    let second = TestSubscription()
    rig.upstream.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])
    #expect(rig.cancelCount == 0)
  }

  @Test func aGroupOfNothingTraps() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<[Int], Never>()
      TestPublisher<Int, Never>().collect(.byTimeOrCount(ImmediateScheduler.shared, 1, 0))
        .subscribe(recorder)
    }
  }

  @Test func survivesARace() {
    let scheduler = VirtualTimeScheduler()
    for _ in 0..<20 {
      let rig = Rig { $0.collect(.byTimeOrCount(scheduler, .nanoseconds(1), 3)) }
      race(
        { for value in 0..<100 { rig.upstream.send(value) } },
        { for _ in 0..<100 { scheduler.advance(by: .nanoseconds(1)) } })
      rig.upstream.send(completion: .finished)
      scheduler.advance()
      #expect(rig.recorder.overlapCount == 0)
      #expect(rig.recorder.values.flatMap { $0 } == Array(0..<100))
    }
  }
}
