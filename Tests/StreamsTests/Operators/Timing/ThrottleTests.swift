import Dispatch
import StreamsDispatch
import StreamsSchedulers
import StreamsTesting
import Testing

@testable import Streams

@Suite struct ThrottleTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  private func time(_ seconds: Int) -> VirtualTime { VirtualTime(nanoseconds: seconds * 1_000_000_000) }

  @Test func sendsTheLatestOfEachInterval() throws {
    try expectMarbles([
      ("-a--bc----d|", "-a--b--c--d|"), ("-abc---d-e---|", "-a--c--d--e--|"), ("-a#", "-a#"),
      ("ab-|", "a--(b|)"),
    ]) { $0.throttle(for: 3, scheduler: $1, latest: true) }
  }

  @Test func sendsTheFirstOfEachInterval() throws {
    try expectMarbles([
      ("-a--bc----d|", "-a--b--c--d|"), ("-abc---d-e---|", "-a--b--d--e--|"), ("-a#", "-a#"),
      ("ab-|", "a--(b|)"),
    ]) { $0.throttle(for: 3, scheduler: $1, latest: false) }
  }

  @Test func schedulesWhatItSends() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.throttle(for: .seconds(10), scheduler: scheduler, latest: true) }
    #expect(rig.requests == [.unlimited])
    #expect(scheduler.calls == [.now, .now])
    #expect(rig.upstream.send(1) == .none)
    rig.upstream.send(2)
    #expect(scheduler.calls == [.now, .now, .now, .schedule(options: nil), .now])
    scheduler.advance()
    #expect(rig.recorder.values == [2])

    scheduler.forgetCalls()
    scheduler.advance(by: .seconds(4))
    rig.upstream.send(3)
    rig.upstream.send(4)
    #expect(
      scheduler.calls == [
        .now, .minimumTolerance, .scheduleAfter(time(10), tolerance: .nanoseconds(0), options: nil), .now,
      ])
    scheduler.advance(to: time(10))
    #expect(rig.recorder.values == [2, 4])
  }

  @Test func aValueAtTheEndOfTheIntervalComesAtOnce() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.throttle(for: .seconds(10), scheduler: scheduler, latest: true) }
    rig.upstream.send(1)
    scheduler.advance(to: time(10))
    scheduler.forgetCalls()
    rig.upstream.send(2)
    #expect(scheduler.calls == [.now, .schedule(options: nil)])
  }

  @Test func looksAtNoClockAfterTheEnd() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.throttle(for: .seconds(10), scheduler: scheduler, latest: true) }
    rig.recorder.cancel()
    scheduler.forgetCalls()
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    #expect(scheduler.calls == [])
  }

  /// The upstream here holds on to the operator.
  @Test func cancellationLetsGoOfTheSubscriber() {
    let lifetimes = LifetimeTracker()
    let upstream = TestPublisher<Int, TestFailure>()
    do {
      let token = lifetimes.token()
      let recorder = RecordingSubscriber<Int, TestFailure>()
      recorder.onCompletion = { _ in token.keep() }
      upstream.throttle(for: 1, scheduler: VirtualTimeScheduler(), latest: true).subscribe(recorder)
      recorder.cancel()
    }
    #expect(lifetimes.liveCount == 0)
  }

  @Test func anEmissionOnAnotherThreadHasItsTurn() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.throttle(for: .seconds(10), scheduler: scheduler, latest: true) }
    let rendezvous = Rendezvous()
    rig.recorder.onValue = { _ in
      rendezvous.meet()
      return .none
    }
    rig.upstream.send(1)
    rendezvous.run(
      { scheduler.advance() },
      during: {
        rig.upstream.send(2)
        scheduler.advance(by: .seconds(10))
      })
    #expect(rig.recorder.values == [1, 2])
    #expect(rig.recorder.overlapCount == 0)
  }

  /// Demand is spent when a value is sent, not when its sending is scheduled: until then a later value replaces it,
  /// also where one value only was requested.
  @Test(arguments: [(true, 3), (false, 1)])
  func theDemandIsSpentWhenTheValueIsSent(_ latest: Bool, _ expected: Int) {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(1)) { $0.throttle(for: .seconds(10), scheduler: scheduler, latest: latest) }
    for value in 1...3 { rig.upstream.send(value) }
    scheduler.run()
    rig.upstream.send(4)
    scheduler.run()
    #expect(rig.recorder.values == [expected])
    #expect(rig.recorder.overdrawn == 0)
  }

  @Test func aCancellationInTheLastValueDropsTheCompletion() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.throttle(for: .seconds(10), scheduler: scheduler, latest: true) }
    rig.recorder.onValue = { _ in
      rig.recorder.cancel()
      return .none
    }
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    scheduler.run()
    #expect(rig.recorder.events == [.subscription("Throttle"), .value(1)])
  }

  @Test func nothingComesDuringTheHandshake() {
    expectNothingDuringTheHandshake { $0.throttle(for: 1, scheduler: DispatchQueue.global(), latest: true) }
  }

  @Test(arguments: [Handover.together, .inBatches]) func takesItsTimerBack(_ handover: Handover) {
    let clock = VirtualTimeScheduler()
    let scheduler = HandingOver(clock: clock, handover: handover)
    let rig = Rig { $0.throttle(for: 1, scheduler: scheduler, latest: true) }
    for value in 1...3 {
      rig.upstream.send(value)
      clock.advance(by: .milliseconds(600))
    }
    #expect(rig.recorder.values == [1, 2] && clock.pendingCount == 1)
    rig.recorder.cancel()
    #expect(clock.pendingCount == 0)
    clock.run()
    #expect(rig.recorder.values == [1, 2])
  }

  @Test func dropsWhatComesWithoutDemand() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .none) { $0.throttle(for: 1, scheduler: scheduler, latest: true) }
    rig.upstream.send(1)
    rig.recorder.request(.max(1))
    rig.recorder.request(.none)
    #expect(scheduler.pendingCount == 0)
    rig.upstream.send(2)
    scheduler.run()
    rig.upstream.send(3)
    scheduler.run()
    #expect(rig.recorder.values == [2])
    #expect(rig.recorder.overdrawn == 0)
    rig.recorder.onValue = { _ in .max(1) }
    rig.recorder.request(.max(1))
    for value in 4...6 {
      rig.upstream.send(value)
      scheduler.run()
    }
    #expect(rig.recorder.values == [2, 4, 5, 6])
  }

  @Test func theCompletionWaitsForTheValue() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.throttle(for: .seconds(10), scheduler: scheduler, latest: true) }
    rig.upstream.send(1)
    scheduler.advance()
    rig.upstream.send(2)
    rig.upstream.send(completion: .failure(TestFailure()))
    rig.upstream.send(completion: .finished)
    scheduler.advance(by: .seconds(9))
    #expect(rig.recorder.values == [1])
    scheduler.forgetCalls()
    scheduler.advance(by: .seconds(1))
    #expect(rig.recorder.values == [1, 2])
    #expect(rig.recorder.completions == [.failure(TestFailure())])
    #expect(scheduler.calls == [])
  }

  @Test func theCompletionAloneIsScheduled() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.throttle(for: .seconds(10), scheduler: scheduler, latest: true) }
    rig.upstream.send(completion: .finished)
    #expect(scheduler.calls == [.now, .now, .now, .schedule(options: nil)])
    #expect(rig.recorder.completions == [])
    scheduler.advance()
    #expect(rig.recorder.completions == [.finished])
  }

  @Test func cancellationDropsEverything() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.throttle(for: .seconds(10), scheduler: scheduler, latest: true) }
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    rig.recorder.cancel()
    rig.recorder.cancel()
    scheduler.forgetCalls()
    scheduler.run()
    #expect(rig.recorder.events == [.subscription("Throttle")])
    #expect(rig.cancelCount == 1)
    #expect(scheduler.calls == [])
  }

  @Test func scheduledActionsDoNotKeepTheSubscriber() {
    let scheduler = TestScheduler()
    let lifetimes = LifetimeTracker()
    do {
      let token = lifetimes.token()
      let upstream = TestPublisher<Int, TestFailure>()
      upstream.throttle(for: 1, scheduler: scheduler, latest: true).subscribe(
        AnySubscriber(
          receiveSubscription: { $0.request(.unlimited) },
          receiveValue: { _ in
            token.keep()
            return .none
          }))
      upstream.send(1)
      upstream.forgetSubscribers()
    }
    #expect(lifetimes.liveCount == 0)
    scheduler.run()
  }

  @Test func letsGoOfTheSubscriberWhenCancelled() {
    expectReleasesClosures { subject, token in
      subject.map { value in
        token.keep()
        return value
      }.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true)
    }
  }

  @Test func describesItselfAndIgnoresASecondSubscription() {
    let rig = Rig { $0.throttle(for: 1, scheduler: VirtualTimeScheduler(), latest: true) }
    expectReflection(of: rig.inner, name: "Throttle")
    let second = TestSubscription()
    rig.upstream.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])
    #expect(rig.cancelCount == 0)
  }

  @Test func aCancellationBeforeTheSubscriptionCancelsIt() {
    let rig = Rig(sendsSubscription: false) {
      $0.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true)
    }
    #expect(rig.upstream.send(1) == .none)
    rig.upstream.send(completion: .finished)
    rig.innerSubscription.request(.max(1))
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    #expect(rig.recorder.events == [])
    #expect(rig.upstream.ledger.entries == [.delivered(1), .cancelled])
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: true) }
    let scheduler = VirtualTimeScheduler()
    for _ in 0..<20 {
      let rig = Rig { $0.throttle(for: .nanoseconds(1), scheduler: scheduler, latest: true) }
      race(
        { for value in 0..<100 { rig.upstream.send(value) } },
        { for _ in 0..<100 { scheduler.advance(by: .nanoseconds(1)) } },
        { rig.recorder.cancel() })
      #expect(rig.recorder.overlapCount == 0)
    }
  }

  /// The completion is sent with a value that waits, also if that is just being taken out.
  @Test func anEndWhileAValueIsTakenIsNotLost() {
    for _ in 0..<20_000 {
      let scheduler = VirtualTimeScheduler()
      let rig = Rig { $0.throttle(for: 1, scheduler: scheduler, latest: true) }
      rig.upstream.send(1)
      race({ scheduler.advance() }, { rig.upstream.send(completion: .finished) })
      scheduler.advance()
      if rig.recorder.completions.count != 1 { Issue.record("\(rig.recorder.events)") }
    }
  }

  @Test func anErrorThatWaitsMayCallBackWhenItIsReleased() {
    struct Failure: Error { nonisolated(unsafe) let token: LifetimeToken }
    let scheduler = VirtualTimeScheduler()
    let recorder = RecordingSubscriber<Int, Failure>()
    var isReleased = false
    func fail() {
      let subject = PassthroughSubject<Int, Failure>()
      subject.throttle(for: .seconds(1), scheduler: scheduler, latest: true).subscribe(recorder)
      let token = LifetimeToken {
        isReleased = true
        recorder.request(.max(1))
        recorder.cancel()
      }
      subject.send(completion: .failure(Failure(token: token)))
    }
    fail()
    recorder.cancel()
    #expect(isReleased)
    #expect(recorder.events.map(\.kind) == ["subscription"])
  }
}
