import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

@Suite struct CollectByTimeTests {
  typealias Rig = OperatorRig<Int, TestFailure, [Int], TestFailure>

  @Test func sendsOneArrayForEachInterval() throws {
    try expectMarbles([
      ("-a--bc----d|", "---a--'bc'----(d|)"), ("-abc---d-e---|", "---'abc'-----'de'---|"), ("-a#", "--#"),
      ("ab-|", "---('ab'|)"), ("|", "|"),
    ]) { $0.collect(.byTime($1, 3)).map { $0.joined() } }
  }

  @Test func sendsFullArraysBeforeTheirTime() throws {
    try expectMarbles([
      ("-a--bc----d|", "---a-'bc'-----(d|)"), ("-abc---d-e---|", "--'ab'c-----'de'---|"), ("ab-|", "-'ab'-|"),
      ("-ab#", "--'ab'#"), ("(abcde#)", "('ab' 'cd'#)"), ("(abcde|)", "('ab' 'cd'e|)"),
    ]) { $0.collect(.byTimeOrCount($1, 3, 2)).map { $0.joined() } }
  }

  @Test func schedulesATimerForAllIntervals() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.collect(.byTime(scheduler, .seconds(2)), options: "c") }
    #expect(
      scheduler.calls == [
        .now, .minimumTolerance,
        .scheduleRepeating(
          VirtualTime(nanoseconds: 2_000_000_000), interval: .seconds(2), tolerance: .nanoseconds(0),
          options: "c"),
      ])
    rig.upstream.send(batch: [1, 2])
    scheduler.advance(by: .seconds(2))
    #expect(rig.recorder.values == [[1, 2]])
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
    #expect(rig.requests == [.max(1), .unlimited])
    #expect(rig.upstream.send(4) == .none)
  }

  @Test func demandForAllArraysIsDemandForAllValues() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.collect(.byTime(scheduler, .seconds(2))) }
    #expect(rig.requests == [.unlimited])
    let later = Rig(demand: .max(1), returning: .unlimited) { $0.collect(.byTime(scheduler, .seconds(2))) }
    later.upstream.send(1)
    scheduler.advance(by: .seconds(2))
    #expect(later.requests == [.max(1), .unlimited])
  }

  @Test func aFullArrayIsScheduledAtOnce() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(2)) { $0.collect(.byTimeOrCount(scheduler, .seconds(2), 3), options: "c") }
    #expect(rig.requests == [.max(6)])
    for value in 1...4 { #expect(rig.upstream.send(value) == .none) }
    #expect(rig.recorder.values == [])
    #expect(scheduler.calls.last == .schedule(options: "c"))
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
    let rendezvous = Rendezvous()
    rig.recorder.onValue = { _ in
      rendezvous.meet()
      return .none
    }
    rig.upstream.send(batch: [1, 2])
    rendezvous.run(
      { scheduler.advance() },
      during: {
        rig.upstream.send(3)
        scheduler.advance(by: .seconds(2))
      })
    #expect(rig.recorder.values == [[1, 2], [3]])
    #expect(rig.recorder.overlapCount == 0)
  }

  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(TestFailure())])
  func theEndIsScheduledWithTheRestUnlessItIsAFailure(_ end: Subscribers.Completion<TestFailure>) {
    let scheduler = TestScheduler()
    let rig = Rig { $0.collect(.byTime(scheduler, .seconds(2))) }
    rig.upstream.send(batch: [1, 2])
    rig.upstream.send(completion: end)
    rig.upstream.send(3)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events == [.subscription("CollectByTime")])
    scheduler.advance()
    #expect(rig.recorder.values == (end == .finished ? [[1, 2]] : []))
    #expect(rig.recorder.completions == [end])
    #expect(rig.recorder.events.last == .completion(end))
    #expect(scheduler.pendingCount == 0)
  }

  @Test func theLastArrayWaitsUntilItIsRequested() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .none) { $0.collect(.byTime(scheduler, .seconds(2)), options: "c") }
    rig.upstream.send(batch: [1, 2])
    rig.upstream.send(completion: .finished)
    scheduler.advance(by: .seconds(9))
    #expect(rig.recorder.events == [.subscription("CollectByTime")])
    scheduler.forgetCalls()
    rig.recorder.request(.max(1))
    #expect(scheduler.calls == [.schedule(options: "c")])
    #expect(rig.recorder.values == [])
    scheduler.advance()
    #expect(
      rig.recorder.events == [.subscription("CollectByTime"), .value([1, 2]), .completion(.finished)])
    #expect(rig.requests == [])
  }

  @Test func theLastArraysAreFullOnesAndTheRest() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(1)) { $0.collect(.byTimeOrCount(scheduler, .seconds(2), 2)) }
    rig.upstream.send(batch: [1, 2, 3, 4, 5])
    rig.upstream.send(completion: .finished)
    scheduler.advance()
    #expect(rig.recorder.values == [[1, 2]])
    rig.recorder.onValue = { _ in .max(1) }
    rig.recorder.request(.max(1))
    scheduler.advance()
    #expect(rig.recorder.values == [[1, 2], [3, 4], [5]])
    #expect(rig.recorder.completions == [.finished])
    #expect(rig.recorder.overdrawn == 0)
  }

  @Test func aFinishWithNothingLeftNeedsNoDemand() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .none) { $0.collect(.byTime(scheduler, .seconds(2))) }
    rig.upstream.send(completion: .finished)
    scheduler.advance()
    #expect(rig.recorder.completions == [.finished])
  }

  @Test func aCancellationWhileTheLastArrayWaits() {
    let scheduler = TestScheduler()
    let lifetimes = LifetimeTracker()
    let upstream = TestPublisher<LifetimeToken, TestFailure>()
    let recorder = RecordingSubscriber<[LifetimeToken], TestFailure>(initialDemand: .none)
    upstream.collect(.byTime(scheduler, .seconds(2))).subscribe(recorder)
    upstream.send(lifetimes.token())
    upstream.send(completion: .finished)
    scheduler.advance()
    recorder.cancel()
    #expect(lifetimes.liveCount == 0)
    recorder.request(.max(1))
    scheduler.advance()
    #expect(recorder.values.isEmpty)
    #expect(recorder.completions == [])
  }

  @Test func aCancellationInTheLastArrayDropsTheCompletion() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.collect(.byTime(scheduler, .seconds(2))) }
    rig.recorder.onValue = { _ in
      rig.recorder.cancel()
      return .none
    }
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    scheduler.advance()
    #expect(rig.recorder.events == [.subscription("CollectByTime"), .value([1])])
  }

  /// The finish may be run before what was scheduled earlier.
  @Test(arguments: [Subscribers.Completion<TestFailure>.finished, .failure(TestFailure())])
  func theEndMayOvertakeFullArrays(_ end: Subscribers.Completion<TestFailure>) {
    let scheduler = BackwardScheduler()
    let rig = Rig { $0.collect(.byTimeOrCount(scheduler, .seconds(2), 2)) }
    rig.upstream.send(batch: [1, 2, 3, 4])
    rig.upstream.send(completion: end)
    scheduler.run()
    #expect(
      rig.recorder.events == [
        .subscription("CollectByTime"), .value([1, 2]), .value([3, 4]), .completion(end),
      ])
  }

  @Test func doesNotTrapWhatNeedsDemandForEachArray() async {
    let scheduler = TestScheduler()
    let recorder = RecordingSubscriber<[Int], TestFailure>(initialDemand: .none)
    let upstream = TestPublisher<Int, TestFailure>()
    upstream.collect(.byTime(scheduler, .seconds(2))).catch { _ in Just([]) }.setFailureType(
      to: TestFailure.self
    )
    .retry(2).subscribe(recorder)
    upstream.send(1)
    upstream.send(completion: .finished)
    scheduler.advance()
    recorder.request(.max(1))
    scheduler.advance()
    #expect(recorder.values == [[1]])
    #expect(recorder.completions == [.finished])
    var groups: [[Int]] = []
    for await group in (1...7).publisher.collect(.byTimeOrCount(DispatchQueue.global(), .seconds(500), 3))
      .values
    {
      groups.append(group)
    }
    #expect(groups == [[1, 2, 3], [4, 5, 6], [7]])
  }

  @Test func nothingComesDuringTheHandshake() {
    expectNothingDuringTheHandshake { $0.collect(.byTime(DispatchQueue.global(), .seconds(500))) }
  }

  @Test(.timeLimit(.minutes(30))) func anEndlessUpstreamIsCancelled() {
    let end = ended(
      (1...).publisher.collect(.byTimeOrCount(DispatchQueue.global(), .seconds(500), 2)).prefix(2))
    end.wait()
    #expect(end.values == [[1, 2], [3, 4]])
  }

  @Test func requestsWithoutHoldingOthersUp() {
    let scheduler = TestScheduler()
    var isHeldUp: Bool?
    let recorder = RecordingSubscriber<[Int], TestFailure>(initialDemand: .max(2)) { _ in .max(1) }
    let upstream = TestPublisher<Int, TestFailure>()
    upstream.collect(.byTimeOrCount(scheduler, .seconds(2), 1)).subscribe(recorder)
    upstream.subscriptions[0].onRequest = { _ in
      guard isHeldUp == nil else { return }
      isHeldUp = true
      upstream.send(2)
      isHeldUp = !isDoneElsewhere { scheduler.advance() }
    }
    upstream.send(1)
    scheduler.runNext()
    #expect(isHeldUp == false)
    #expect(recorder.values == [[1], [2]])
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
