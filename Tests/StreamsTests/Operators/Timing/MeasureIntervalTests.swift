import Streams
import StreamsTesting
import Testing

@Suite struct MeasureIntervalTests {
  typealias Rig = OperatorRig<Int, TestFailure, VirtualTime.Stride, TestFailure>

  /// A clock that can be set back, on which nothing can be scheduled.
  final class Clock: Scheduler {
    typealias SchedulerOptions = Never
    var now = VirtualTime.zero
    var minimumTolerance: VirtualTime.Stride { .nanoseconds(0) }

    func schedule(options: Never?, _ action: @escaping () -> Void) { fatalError("not a clock's business") }
    func schedule(
      after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
    ) {
      fatalError("not a clock's business")
    }
    func schedule(
      after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options: Never?,
      _ action: @escaping () -> Void
    ) -> any Cancellable {
      fatalError("not a clock's business")
    }
  }

  @Test func measuresFromTheSubscriptionAndFromEachValue() {
    let scheduler = TestScheduler(now: VirtualTime(nanoseconds: 3))
    let rig = Rig(demand: .max(13)) { $0.measureInterval(using: scheduler, options: "ignored") }
    scheduler.advance(by: .seconds(2))
    #expect(rig.upstream.send(1) == .none)
    #expect(rig.upstream.send(2) == .none)
    scheduler.advance(by: .milliseconds(5))
    rig.upstream.send(batch: [3, 4])
    rig.upstream.send(completion: .finished)
    #expect(
      rig.recorder.events == [
        .subscription("MeasureInterval"), .value(.seconds(2)), .value(0), .value(.milliseconds(5)), .value(0),
        .completion(.finished),
      ])
    #expect(scheduler.calls == Array(repeating: .now, count: 5))
    #expect(rig.requests == [.max(13)])
  }

  @Test func isNegativeWhereTheClockGoesBack() {
    let clock = Clock()
    let rig = Rig { $0.measureInterval(using: clock) }
    clock.now = VirtualTime(nanoseconds: 14)
    rig.upstream.send(1)
    clock.now = VirtualTime(nanoseconds: 7)
    rig.upstream.send(2)
    #expect(rig.recorder.values == [.nanoseconds(14), .nanoseconds(-7)])
  }

  @Test func requestsTheDemandThatIsReturned() {
    let rig = Rig(demand: .none, returning: .max(4)) { $0.measureInterval(using: VirtualTimeScheduler()) }
    #expect(rig.upstream.send(1) == .none)
    rig.recorder.request(.unlimited)
    rig.recorder.request(.none)
    rig.upstream.send(completion: .failure(TestFailure()))
    rig.recorder.request(.max(1))
    #expect(rig.requests == [.max(4), .unlimited, .none])
    #expect(rig.recorder.completions == [.failure(TestFailure())])
  }

  @Test func measuresWhatIsSentFromWithinARequest() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .none, returning: .max(1), sendsSubscription: false) {
      $0.measureInterval(using: scheduler)
    }
    var left = 3
    let subscription = TestSubscription()
    subscription.onRequest = { _ in
      guard left > 0 else { return }
      left -= 1
      scheduler.advance(by: .seconds(1))
      rig.upstream.send(0)
    }
    rig.upstream.send(subscription: subscription)
    rig.upstream.send(0)
    #expect(rig.recorder.values == [0, 1, 1, 1])
    #expect(subscription.ledger.requests == Array(repeating: .max(1), count: 4))
  }

  @Test func isSilentAfterCancellation() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.measureInterval(using: scheduler) }
    rig.recorder.cancel()
    #expect(rig.upstream.send(1) == .none)
    rig.upstream.send(completion: .finished)
    #expect(rig.recorder.events == [.subscription("MeasureInterval")])
    #expect(scheduler.calls == [.now])
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(name: "MeasureInterval") {
      $0.measureInterval(using: VirtualTimeScheduler())
    }
  }

  @Test func dropsWhatComesBeforeTheSubscription() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .none, returning: .max(2), sendsSubscription: false) {
      $0.measureInterval(using: scheduler)
    }
    #expect(rig.upstream.send(1) == .none)
    rig.upstream.send(completion: .finished)
    rig.innerSubscription.request(.max(1))
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    #expect(rig.recorder.events == [.subscription("MeasureInterval")])
    #expect(rig.requests == [])
    #expect(rig.cancelCount == 0)
    #expect(scheduler.calls == [.now])
  }

  @Test func releasesItsSubscriberAtTheEnd() {
    expectReleasesClosures { subject, token in
      subject.map { value in
        token.keep()
        return value
      }.measureInterval(using: VirtualTimeScheduler())
    }
  }

  @Test func allowsReentrance() {
    expectAllowsReentrance { $0.measureInterval(using: ImmediateScheduler.shared) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.measureInterval(using: ImmediateScheduler.shared) }
  }

  @Test func measuresAValueThatComesWithTheRequest() {
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<VirtualTime.Stride, TestFailure>(initialDemand: .max(1))
    upstream.onRequest = { [unowned upstream] _ in upstream.send(1) }
    upstream.measureInterval(using: VirtualTimeScheduler()).subscribe(recorder)
    #expect(recorder.values == [0])
  }
}
