import Dispatch
import Streams
import StreamsDispatch
import StreamsTesting
import Testing

@Suite struct DebounceTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  @Test func sendsAValueThatIsFollowedByNothing() throws {
    try expectMarbles([
      ("-a--bc----d|", "---a---c---|"), ("-abc---d-e---|", "-----c-----e-|"), ("-a#", "--#"), ("a-|", "--|"),
    ]) { $0.debounce(for: 2, scheduler: $1) }
  }

  @Test func schedulesATimerForEachValue() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(5)) { $0.debounce(for: .seconds(1), scheduler: scheduler, options: "d") }
    #expect(rig.requests == [.unlimited])
    #expect(rig.upstream.send(1) == .none)
    #expect(
      scheduler.calls == [
        .now, .minimumTolerance,
        .scheduleRepeating(
          VirtualTime(nanoseconds: 1_000_000_000), interval: .seconds(1), tolerance: .nanoseconds(0),
          options: "d"),
      ])
    scheduler.advance(by: .seconds(10))
    #expect(rig.recorder.values == [1])
    #expect(scheduler.pendingCount == 0)
  }

  @Test func theCompletionIsScheduledAndDropsTheValue() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.debounce(for: .seconds(1), scheduler: scheduler, options: "d") }
    rig.upstream.send(1)
    scheduler.forgetCalls()
    rig.upstream.send(completion: .failure(TestFailure()))
    rig.upstream.send(completion: .finished)
    #expect(rig.upstream.send(2) == .none)
    #expect(scheduler.calls == [.cancel, .schedule(options: nil)])
    #expect(rig.recorder.completions == [])
    scheduler.run()
    #expect(
      rig.recorder.events == [.subscription("Debounce"), .completion(.failure(TestFailure()))])
  }

  @Test func cancellationDropsTheValue() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.debounce(for: .seconds(1), scheduler: scheduler) }
    rig.upstream.send(1)
    rig.recorder.cancel()
    rig.recorder.cancel()
    #expect(scheduler.pendingCount == 0)
    rig.upstream.send(2)
    rig.upstream.send(completion: .finished)
    scheduler.run()
    #expect(rig.recorder.events == [.subscription("Debounce")])
    #expect(rig.cancelCount == 1)
  }

  @Test func cancelsEachTimerThatWouldGoOn() {
    let scheduler = LastingScheduler()
    let rig = Rig(demand: .unlimited) { $0.debounce(for: .seconds(1), scheduler: scheduler) }
    for value in 1...3 { rig.upstream.send(value) }
    #expect(scheduler.repetitionCount == 1)
    scheduler.clock.advance(by: .seconds(1))
    #expect(rig.recorder.values == [3])
    #expect(scheduler.repetitionCount == 0)
    rig.upstream.send(4)
    rig.recorder.cancel()
    #expect(scheduler.repetitionCount == 0)
  }

  @Test func cancelsATimerThatHasRunBeforeItIsKnown() {
    let scheduler = LastingScheduler()
    scheduler.onRepetition = { action in action() }
    let rig = Rig { $0.debounce(for: .seconds(1), scheduler: scheduler) }
    rig.upstream.send(1)
    #expect(rig.recorder.values == [1])
    #expect(scheduler.repetitionCount == 0)
  }

  @Test func sendsAtOnceWhereTimeDoesNotPass() {
    let rig = Rig(demand: .max(2)) { $0.debounce(for: 1, scheduler: ImmediateScheduler.shared) }
    rig.upstream.send(1)
    rig.upstream.send(2)
    rig.upstream.send(3)
    #expect(rig.recorder.values == [1, 2])
  }

  @Test func aValueThatIsDueOnAnotherThreadHasItsTurn() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.debounce(for: .seconds(1), scheduler: scheduler) }
    let rendezvous = Rendezvous()
    rig.recorder.onValue = { _ in
      rendezvous.meet()
      return .none
    }
    rig.upstream.send(1)
    rendezvous.run(
      { scheduler.advance(by: .seconds(1)) },
      during: {
        rig.upstream.send(2)
        scheduler.advance(by: .seconds(1))
      })
    #expect(rig.recorder.values == [1, 2])
    #expect(rig.recorder.overlapCount == 0)
  }

  @Test func nothingComesDuringTheHandshake() {
    expectNothingDuringTheHandshake { $0.debounce(for: 0, scheduler: DispatchQueue.global()) }
  }

  @Test func requestsNothingOfAnUpstreamThatWasCancelledInTheHandshake() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .none)
    recorder.onSubscription = { $0.cancel() }
    upstream.debounce(for: 1, scheduler: VirtualTimeScheduler()).subscribe(recorder)
    #expect(upstream.ledger.entries == [.cancelled])
  }

  @Test func describesItself() {
    let rig = Rig(demand: .max(2)) { $0.debounce(for: 1, scheduler: VirtualTimeScheduler()) }
    rig.upstream.send(5)
    expectReflection(
      of: rig.inner, name: "Debounce", children: ["downstream", "downstreamDemand", "currentValue"])
    let mirror = Mirror(reflecting: rig.inner)
    #expect(mirror.descendant("downstreamDemand") as? Subscribers.Demand == .max(2))
    #expect(mirror.descendant("currentValue") as? Int == 5)
    rig.recorder.cancel()
    rig.recorder.request(.max(1))
    #expect(Mirror(reflecting: rig.inner).descendant("downstreamDemand") as? Subscribers.Demand == .max(2))
  }

  @Test func ignoresASecondSubscriptionAndWhatComesBeforeTheFirst() {
    let scheduler = TestScheduler()
    let rig = Rig(sendsSubscription: false) { $0.debounce(for: 1, scheduler: scheduler) }
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    rig.innerSubscription.request(.max(1))
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    #expect(scheduler.calls == [])
    let second = TestSubscription()
    rig.upstream.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])
    #expect(rig.recorder.events == [.subscription("Debounce")])
    #expect(rig.cancelCount == 0)
  }

  /// A timer is repeated unless it is cancelled, however long its value waits for its turn.
  @Test func aTimerWhoseTurnIsLeftToAnotherThreadRunsOnce() {
    let scheduler = VirtualTimeScheduler()
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    var meet: () -> Void = {}
    let cancellable = subject.debounce(for: 1, scheduler: scheduler).sink { value in
      values.append(value)
      guard value == 1 else { return }
      subject.send(2)
      meet()
    }
    subject.send(1)
    cross(
      {
        meet = $0
        scheduler.advance(by: 1)
      },
      {
        scheduler.advance(by: 1)
        #expect(scheduler.pendingCount == 0)
      })
    #expect(values == [1, 2])
    cancellable.cancel()
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.debounce(for: 1, scheduler: ImmediateScheduler.shared) }
    let scheduler = VirtualTimeScheduler()
    for _ in 0..<20 {
      let rig = Rig { $0.debounce(for: .nanoseconds(1), scheduler: scheduler) }
      race(
        { for value in 0..<100 { rig.upstream.send(value) } },
        { for _ in 0..<100 { scheduler.advance(by: .nanoseconds(1)) } },
        { rig.recorder.cancel() })
      #expect(rig.recorder.overlapCount == 0)
    }
  }
}
