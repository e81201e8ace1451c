import Streams
import StreamsTesting
import Testing

@Suite struct DelayTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  @Test func deliversEachSignalLater() throws {
    try expectMarbles([
      ("-a--bc----d|", "---a--bc----d|"), ("-(ab)#", "---(ab)#"), ("|", "--|"), ("(ab|)", "--(ab|)"),
    ]) { $0.delay(for: 2, scheduler: $1) }
  }

  @Test func schedulesEachSignal() {
    let scheduler = TestScheduler(now: VirtualTime(nanoseconds: 100))
    let rig = Rig(demand: .max(10)) {
      $0.delay(for: .nanoseconds(30), tolerance: .nanoseconds(2), scheduler: scheduler, options: "slow")
    }
    #expect(rig.requests == [.max(10)])
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    let date = VirtualTime(nanoseconds: 130)
    let scheduled = TestScheduler.Call.scheduleAfter(date, tolerance: .nanoseconds(2), options: "slow")
    #expect(scheduler.calls == [.now, scheduled, .now, scheduled])
  }

  @Test func asksForTheMinimumToleranceWhenItIsBuilt() {
    let scheduler = TestScheduler()
    let subject = PassthroughSubject<Int, Never>()
    _ = subject.delay(for: .seconds(1), scheduler: scheduler)
    #expect(scheduler.calls == [.minimumTolerance])
  }

  @Test func requestsTheDemandThatIsReturned() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .max(1), returning: .max(3)) { $0.delay(for: .seconds(1), scheduler: scheduler) }
    #expect(rig.upstream.send(1) == .none)
    #expect(rig.requests == [.max(1)])
    scheduler.run()
    #expect(rig.requests == [.max(1), .max(3)])
  }

  @Test func dropsValuesButNotTheCompletionWhenCancelled() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.delay(for: .seconds(1), scheduler: scheduler) }
    rig.upstream.send(1)
    rig.recorder.cancel()
    rig.upstream.send(completion: .finished)
    scheduler.run()
    #expect(rig.recorder.events.map(\.kind) == ["subscription"])
    #expect(rig.cancelCount == 1)

    let late = Rig { $0.delay(for: .seconds(1), scheduler: scheduler) }
    late.upstream.send(completion: .finished)
    late.recorder.cancel()
    scheduler.run()
    #expect(late.recorder.completions == [.finished])
  }

  @Test func doesNotCustomiseItsReflection() {
    let rig = Rig { $0.delay(for: 1, scheduler: VirtualTimeScheduler()) }
    #expect(!(rig.inner is any CustomStringConvertible))
    #expect(!(rig.inner is any CustomReflectable))
    #expect(!(rig.inner is any CustomPlaygroundDisplayConvertible))
    #expect(rig.recorder.subscriptions.first as AnyObject === rig.inner as AnyObject)
  }

  @Test func theCompletionWaitsForAValueThatItHasOvertaken() {
    let scheduler = BackwardScheduler()
    let rig = Rig { $0.delay(for: .seconds(1), scheduler: scheduler) }
    rig.upstream.send(1)
    rig.upstream.send(completion: .finished)
    scheduler.run()
    #expect(rig.recorder.values == [1])
    #expect(rig.recorder.events.last == .completion(.finished))
  }

  @Test func requestsWithoutHoldingOthersUp() {
    expectRequestsWithoutHoldingOthersUp { $0.delay(for: 0, scheduler: $1) }
  }

  @Test func cancelsASecondSubscription() {
    let rig = Rig(demand: .max(5)) { $0.delay(for: 1, scheduler: VirtualTimeScheduler()) }
    let second = TestSubscription()
    rig.upstream.send(subscription: second)
    #expect(second.ledger.entries == [.cancelled])
    #expect(rig.recorder.subscriptions.count == 1)
    #expect(rig.cancelCount == 0)
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.delay(for: 1, scheduler: ImmediateScheduler.shared) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.delay(for: 1, scheduler: ImmediateScheduler.shared) }
  }
}
