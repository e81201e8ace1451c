import Dispatch
import Glibc
import StreamsDispatch
import StreamsSchedulers
import StreamsTesting
import Synchronization
import TestThreads
import Testing

@testable import Streams

@Suite struct SubscribeOnTests {
  typealias Rig = OperatorRig<Int, TestFailure, Int, TestFailure>

  @Test func schedulesWhatGoesUpAndNothingElse() {
    let scheduler = TestScheduler()
    let upstream = TestPublisher<Int, TestFailure>()
    let recorder = RecordingSubscriber<Int, TestFailure>(initialDemand: .max(2)) { _ in .max(3) }
    upstream.subscribe(on: scheduler, options: "up").subscribe(recorder)
    #expect(upstream.subscribers.isEmpty)
    #expect(recorder.events == [])

    #expect(scheduler.runNext())
    #expect(recorder.events == [.subscription("SubscribeOn")])
    #expect(upstream.ledger.requests == [])
    scheduler.run()
    #expect(upstream.ledger.requests == [.max(2)])

    #expect(upstream.send(1) == .max(3))
    #expect(upstream.send(batch: [2, 3]) == .max(6))
    upstream.send(completion: .finished)
    upstream.send(completion: .failure(TestFailure()))
    #expect(upstream.send(4) == .none)
    #expect(
      recorder.events == [
        .subscription("SubscribeOn"), .value(1), .value(2), .value(3), .completion(.finished),
      ])
    #expect(scheduler.calls == Array(repeating: .schedule(options: "up"), count: 2))
  }

  @Test func cancelsOnTheSchedulerAndIsSilentAtOnce() {
    let scheduler = TestScheduler()
    let rig = Rig { $0.subscribe(on: scheduler) }
    scheduler.run()
    rig.recorder.request(.max(2))
    rig.recorder.cancel()
    rig.recorder.cancel()
    rig.recorder.request(.max(3))
    #expect(rig.upstream.send(1) == .none)
    #expect(rig.upstream.send(batch: [2, 3]) == .none)
    rig.upstream.send(completion: .finished)
    #expect(rig.cancelCount == 0)
    scheduler.run()
    #expect(rig.requests == [.unlimited, .max(2)])
    #expect(rig.cancelCount == 1)
    #expect(rig.recorder.events == [.subscription("SubscribeOn")])
    #expect(scheduler.calls.count == 4)
  }

  @Test func cancelsWithASchedulerThatIsGivenUp() {
    let scheduler = VirtualTimeScheduler()
    let rig = Rig { $0.subscribe(on: scheduler) }
    scheduler.advance(by: 0)
    rig.recorder.cancel()
    #expect(rig.cancelCount == 0)
    scheduler.close()
    #expect(rig.cancelCount == 1)
    let other = Rig { $0.subscribe(on: ImmediateScheduler.shared) }
    other.recorder.cancel()
    #expect(other.cancelCount == 1)
  }

  @Test func aSchedulerThatIsGivenUpLeavesASubscription() {
    let scheduler = VirtualTimeScheduler()
    let lifetimes = LifetimeTracker()
    let other = TestPublisher<Int, TestFailure>(sendsSubscription: true)
    let recorder = RecordingSubscriber<Int, TestFailure>()
    do {
      let upstream = Just(1).map { [token = lifetimes.token()] value in
        token.keep()
        return value
      }.setFailureType(to: TestFailure.self)
      upstream.subscribe(on: scheduler).zip(other) { $0 + $1 }.subscribe(recorder)
    }
    #expect(recorder.events == [])
    scheduler.close()
    #expect(recorder.events.count == 1)
    #expect(lifetimes.liveCount == 0)
    recorder.cancel()
    #expect(other.ledger.cancelCount == 1)
  }

  @Test func passesOnRequestsForNothing() {
    let scheduler = TestScheduler()
    let rig = Rig(demand: .none) { $0.subscribe(on: scheduler) }
    scheduler.run()
    rig.recorder.request(.none)
    scheduler.run()
    #expect(rig.requests == [.none])
  }

  @Test func aRequestWithinARequestTraps() async {
    await #expect(processExitsWith: .failure) {
      let upstream = TestPublisher<Int, Never>()
      let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
      upstream.onRequest = { if $0 == 1 { recorder.request(.max(2)) } }
      upstream.subscribe(on: ImmediateScheduler.shared).subscribe(recorder)
      recorder.request(.max(1))
    }
  }

  @Test func aRequestWithinARequestComesAfterIt() {
    let upstream = TestPublisher<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
    var log: [String] = []
    upstream.onRequest = { demand in
      log.append("begin \(demand)")
      if demand == 1 {
        recorder.request(.max(2))
        recorder.request(.max(3))
      }
      log.append("end \(demand)")
    }
    upstream.subscribe(on: AtOnce()).subscribe(recorder)
    recorder.request(.max(1))
    #expect(log == ["begin max(1)", "end max(1)", "begin max(5)", "end max(5)"])
  }

  @Test func requestsWithinRequestsDoNotNest() {
    var depth = 0
    var deepest = 0
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .max(1))
    recorder.onValue = { _ in
      depth += 1
      deepest = max(deepest, depth)
      recorder.request(.max(1))
      depth -= 1
      return .none
    }
    (0..<100_000).publisher.handleEvents().subscribe(on: AtOnce()).subscribe(recorder)
    #expect(recorder.values.count == 100_000)
    #expect(deepest == 1)
  }

  @Test func aRequestFromAnotherThreadWaitsForNobody() {
    let upstream = TestPublisher<Int, Never>()
    let recorder = RecordingSubscriber<Int, Never>(initialDemand: .none)
    upstream.onRequest = { demand in
      if demand == 1 { pthread_join(startThread { recorder.request(.max(2)) }, nil) }
    }
    upstream.subscribe(on: ImmediateScheduler.shared).subscribe(recorder)
    recorder.request(.max(1))
    #expect(upstream.ledger.requests == [.max(1), .max(2)])
  }

  @Test func aCancellationWithinACancellationIsNone() {
    let rig = Rig { $0.subscribe(on: ImmediateScheduler.shared) }
    rig.upstream.subscriptions[0].onCancel = { rig.recorder.cancel() }
    rig.recorder.cancel()
    #expect(rig.cancelCount == 1)
  }

  @Test func keepsTheFirstSubscription() {
    expectKeepsFirstSubscription(name: "SubscribeOn") { $0.subscribe(on: ImmediateScheduler.shared) }
  }

  @Test func dropsWhatComesBeforeTheSubscription() {
    let rig = Rig(demand: .none, returning: .max(2), sendsSubscription: false) {
      $0.subscribe(on: ImmediateScheduler.shared)
    }
    #expect(rig.upstream.send(1) == .none)
    rig.upstream.send(completion: .finished)
    rig.innerSubscription.request(.max(1))
    rig.innerSubscription.cancel()
    rig.upstream.sendSubscription()
    #expect(rig.recorder.events == [.subscription("SubscribeOn")])
    #expect(rig.upstream.ledger.entries == [.delivered(1)])
  }

  /// The request never returns by itself, so the scheduler has no time for the cancellation.
  @Test func aSourceWithoutEndIsCancelledWhileItAnswers() throws {
    let queue = try SerialQueue()
    let isOver = DispatchSemaphore(value: 0)
    let made = Atomic(0)
    let numbers = sequence(state: 0) { next -> Int? in
      next += 1
      made.store(next, ordering: .relaxed)
      return next
    }
    let cancellable = numbers.publisher.subscribe(on: queue).prefix(3).sink { _ in }
    queue.schedule { isOver.signal() }
    #expect(isOver.wait(timeout: .now() + 60) == .success)
    #expect(made.load(ordering: .relaxed) < 2000)
    cancellable.cancel()
  }

  @Test func nothingComesDuringTheHandshake() {
    expectNothingDuringTheHandshake { $0.subscribe(on: DispatchQueue.global()) }
  }

  @Test func survivesARace() {
    expectSurvivesRace { $0.subscribe(on: ImmediateScheduler.shared) }
  }
}

/// A scheduler of the package's that runs everything at once.
private struct AtOnce: ClockedScheduler, OwnScheduler {
  let clock = VirtualTimeScheduler()
  func schedule(options: Never?, _ action: @escaping () -> Void) { action() }
  func schedule(
    after date: VirtualTime, tolerance: VirtualTime.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    action()
  }

  var handover: Handover { .oneByOne }
  var nanoseconds: Int { 0 }
  func nanoseconds(in stride: Any) -> Int? { nil }
  func schedule(atNanoseconds time: Int, _ action: @escaping () -> Void) -> UInt64 {
    action()
    return 0
  }
  func cancel(number: UInt64) {}
}
