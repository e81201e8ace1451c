import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

@Suite struct TimeoutTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  @Test func finishesWhenNothingComes() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .none) { $0.timeout(.seconds(2), scheduler: scheduler, options: "t") }
    #expect(rig.recorder.events == [.subscription("Timeout")])
    scheduler.advance(by: .seconds(1))
    #expect(rig.recorder.completions == [])
    rig.recorder.onCompletion = { _ in #expect(rig.cancelCount == 1) }
    scheduler.advance(by: .seconds(1))
    #expect(rig.recorder.completions == [.finished])
    #expect(
      scheduler.calls.prefix(3) == [
        .now, .minimumTolerance,
        .scheduleRepeating(
          VirtualTime(nanoseconds: 2_000_000_000), interval: .seconds(2), tolerance: .nanoseconds(0),
          options: "t"),
      ])
    rig.upstream.send(1)
    rig.upstream.send(completion: .failure(TestFailure()))
    scheduler.advance(by: .seconds(10))
    #expect(rig.recorder.events.count == 2)
    #expect(scheduler.pendingCount == 0)
  }

  @Test func endsSoLongAfterTheLatestValue() throws {
    let all: [Marbles] = [("-a-b---c|", "-a-b-#"), ("-ab|", "-ab|"), ("", "--#"), ("a#", "a#")]
    try expectMarbles(all) { $0.timeout(2, scheduler: $1, customError: { TestFailure() }) }
  }

  @Test func beginsAnewAtTheFirstRequestAndAtEachValue() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .none) { $0.timeout(.seconds(2), scheduler: scheduler) }
    scheduler.advance(by: .seconds(1.5))
    rig.recorder.request(.max(1))
    scheduler.advance(by: .seconds(1.5))
    rig.recorder.request(.max(1))
    rig.upstream.send(1)
    scheduler.advance(by: .seconds(1.5))
    #expect(rig.recorder.events == [.subscription("Timeout"), .value(1)])
    rig.recorder.request(.max(1))
    scheduler.advance(by: .seconds(0.5))
    #expect(rig.recorder.completions == [.finished])
    #expect(rig.requests == [.max(1), .max(1), .max(1)])
  }

  @Test func deliversOnTheSchedulerAndRequestsWhatIsReturned() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(1), returning: .max(3)) { $0.timeout(.seconds(2), scheduler: scheduler) }
    #expect(rig.upstream.send(1) == .none)
    #expect(rig.recorder.values == [])
    scheduler.advance()
    #expect(rig.recorder.values == [1])
    #expect(rig.requests == [.max(1), .max(3)])
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.completions == [])
    scheduler.advance(by: .seconds(10))
    #expect(rig.recorder.completions == [.finished])
    #expect(rig.cancelCount == 0)
  }

  @Test func cancellationDropsEverythingOnItsWay() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.timeout(.seconds(2), scheduler: scheduler) }
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    rig.recorder.cancel()
    rig.recorder.cancel()
    scheduler.advance(by: .seconds(10))
    #expect(rig.recorder.events == [.subscription("Timeout")])
    #expect(rig.cancelCount == 1)
    #expect(scheduler.pendingCount == 0)
  }

  @Test func deliversWithItsOptions() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.timeout(.seconds(2), scheduler: scheduler, options: "t") }
    scheduler.forgetCalls()
    rig.upstream.send(completion: .finished)
    #expect(scheduler.calls == [.cancel, .schedule(options: "t")])
  }

  @Test(arguments: ["finish", "cancel", "time out"])
  func cancelsEachTimerThatWouldGoOn(_ end: String) {
    let scheduler = LastingScheduler()
    let rig = Rig { $0.timeout(.seconds(2), scheduler: scheduler) }
    #expect(scheduler.repetitionCount == 1)
    rig.upstream.send(1)
    #expect(scheduler.repetitionCount == 1)
    switch end {
    case "finish": rig.upstream.send(completion: .finished)
    case "cancel": rig.recorder.cancel()
    default: scheduler.clock.advance(by: .seconds(2))
    }
    #expect(scheduler.repetitionCount == 0)
  }

  @Test func cancelsATimerThatCameTooLate() {
    let scheduler = LastingScheduler()
    let rig = Rig { $0.timeout(.seconds(2), scheduler: scheduler) }
    scheduler.onRepetition = { _ in rig.recorder.cancel() }
    rig.upstream.send(1)
    #expect(scheduler.repetitionCount == 0)
  }

  @Test func aTimerThatWasReplacedEndsNothing() {
    let scheduler = LastingScheduler()
    var actions: [() -> Void] = []
    scheduler.onRepetition = { actions.append($0) }
    let rig = Rig { $0.timeout(.seconds(2), scheduler: scheduler) }
    rig.upstream.send(1)
    for action in actions.dropLast() { action() }
    #expect(rig.recorder.completions == [])
    actions.last?()
    scheduler.clock.advance()
    #expect(rig.recorder.completions == [.finished])
  }

  @Test func trapsWhereTimeDoesNotPass() async {
    await #expect(processExitsWith: .failure) {
      let recorder = RecordingSubscriber<Int, Never>()
      TestPublisher<Int, Never>().timeout(.seconds(1), scheduler: ImmediateScheduler.shared)
        .subscribe(recorder)
    }
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(name: "Timeout") { $0.timeout(1, scheduler: VirtualTimeScheduler()) }
  }

  @Test func dropsWhatComesBeforeTheSubscription() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .none, sendsSubscription: false) { $0.timeout(1, scheduler: scheduler) }
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    rig.innerSubscription.request(.max(1))
    rig.innerSubscription.cancel()
    #expect(scheduler.calls == [])
    rig.upstream.sendSubscription()
    #expect(rig.recorder.events == [.subscription("Timeout")])
    #expect(rig.cancelCount == 0)
  }

  @Test func theTimerKeepsTheSubscriber() {
    let scheduler = TestScheduler()
    let lifetimes = LifetimeTracker()
    do {
      let token = lifetimes.token()
      let recorder = RecordingSubscriber<Int, TestFailure>()
      recorder.onCompletion = { _ in token.keep() }
      TestPublisher<Int, TestFailure>(sendsSubscription: true)
        .timeout(1, scheduler: scheduler).subscribe(
          AnySubscriber(receiveCompletion: { recorder.receive(completion: $0) }))
    }
    #expect(lifetimes.liveCount == 1)
    scheduler.run()
    #expect(lifetimes.liveCount == 0)
  }

  @Test func theCompletionWaitsForValuesThatItHasOvertaken() {
    let scheduler = BackwardScheduler()
    let rig = Rig { $0.timeout(.seconds(2), scheduler: scheduler) }
    rig.upstream.send(1)
    rig.upstream.send(2)
    rig.upstream.send(completion: .failure(TestFailure()))
    scheduler.run()
    #expect(
      rig.recorder.events == [
        .subscription("Timeout"), .value(1), .value(2), .completion(.failure(TestFailure())),
      ])
  }

  @Test(arguments: [1, 4]) func losesNoValueOnAQueueThatRunsActionsInParallel(_ width: Int) {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = width
    for value in 0..<300 {
      let ends = [
        ended(Just(value).timeout(.seconds(500), scheduler: DispatchQueue.global())),
        ended(Just(value).timeout(.seconds(500), scheduler: queue)),
      ]
      for end in ends {
        end.wait()
        #expect(end.values == [value])
      }
    }
  }

  @Test func valuesOnTheirWayComeBeforeTheTimeout() {
    let scheduler = LastingScheduler()
    var timer: () -> Void = {}
    scheduler.onRepetition = { timer = $0 }
    let rig = Rig { $0.timeout(.seconds(2), scheduler: scheduler, customError: { TestFailure() }) }
    rig.upstream.send(1)
    rig.upstream.send(2)
    timer()
    timer()
    rig.upstream.send(3)
    scheduler.clock.advance(by: .seconds(9))
    #expect(
      rig.recorder.events == [
        .subscription("Timeout"), .value(1), .value(2), .completion(.failure(TestFailure())),
      ])
    #expect(rig.cancelCount == 1)
    #expect(scheduler.repetitionCount == 0)
  }

  @Test func aCancellationInAValueDropsTheTimeoutBehindIt() {
    let scheduler = LastingScheduler()
    var timer: () -> Void = {}
    scheduler.onRepetition = { timer = $0 }
    let rig = Rig { $0.timeout(.seconds(2), scheduler: scheduler) }
    rig.recorder.onValue = { _ in
      rig.recorder.cancel()
      return .none
    }
    rig.upstream.send(1)
    timer()
    scheduler.clock.advance(by: .seconds(9))
    #expect(rig.recorder.events == [.subscription("Timeout"), .value(1)])
    #expect(rig.cancelCount == 1)
  }

  @Test func requestsWithoutHoldingOthersUp() {
    expectRequestsWithoutHoldingOthersUp { $0.timeout(.seconds(2), scheduler: $1) }
  }

  @Test func nothingComesDuringTheHandshake() {
    expectNothingDuringTheHandshake { $0.timeout(.seconds(500), scheduler: DispatchQueue.global()) }
  }

  @Test func survivesARace() {
    let scheduler = VirtualTimeScheduler()
    for _ in 0..<20 {
      let rig = Rig { $0.timeout(.nanoseconds(1), scheduler: scheduler) }
      race(
        { for value in 0..<50 { rig.upstream.send(value) } },
        { for _ in 0..<50 { scheduler.advance(by: .nanoseconds(1)) } },
        { rig.recorder.request(.max(1)) })
      rig.recorder.cancel()
      #expect(rig.recorder.overlapCount == 0)
      #expect(rig.recorder.completions.count <= 1)
    }
  }

  @Test func anEndOnAnotherThreadGivesTheSubscriptionFirst() {
    let scheduler = LastingScheduler()
    scheduler.onRepetition = { action in race({ action() }) }
    let rig = Rig { $0.timeout(.seconds(1), scheduler: scheduler) }
    #expect(rig.recorder.events.map(\.kind) == ["subscription", "finished"])
    #expect(rig.cancelCount == 1)
  }
}
