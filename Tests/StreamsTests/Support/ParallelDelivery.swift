import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Synchronization
import Testing

/// What came out of a publisher that delivers on other threads.
final class Ending<Output, Failure: Error>: @unchecked Sendable {
  fileprivate let recorder = RecordingSubscriber<Output, Failure>()
  private let semaphore = DispatchSemaphore(value: 0)

  fileprivate init() { recorder.onCompletion = { [semaphore] _ in semaphore.signal() } }

  func wait() { semaphore.wait() }

  /// To be read after waiting.
  var values: [Output] { recorder.values }
}

/// Subscribes to a publisher of which one can wait for the end.
func ended<P: Publisher>(_ publisher: P) -> Ending<P.Output, P.Failure> {
  let ending = Ending<P.Output, P.Failure>()
  publisher.subscribe(ending.recorder)
  return ending
}

/// Runs `body` on another thread. Returns whether it was done in good time.
func isDoneElsewhere(_ body: @escaping () -> Void) -> Bool {
  nonisolated(unsafe) let body = body
  let isDone = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    isDone.signal()
  }
  return isDone.wait(timeout: .now() + 20) == .success
}

/// Checks that what the downstream returned is requested when others may deliver: the upstream may answer without end.
func expectRequestsWithoutHoldingOthersUp<P: Publisher<Int, TestFailure>>(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ makeOperator: (TestPublisher<Int, TestFailure>, TestScheduler) -> P
) {
  let scheduler = TestScheduler()
  let rig = OperatorRig<Int, TestFailure, Int, TestFailure>(demand: .max(2), returning: .max(1)) {
    makeOperator($0, scheduler)
  }
  var isFirst = true
  rig.upstream.subscriptions[0].onRequest = { _ in
    guard isFirst else { return }
    isFirst = false
    #expect(isDoneElsewhere { _ = scheduler.runNext() }, sourceLocation: sourceLocation)
  }
  rig.upstream.send(1)
  rig.upstream.send(2)
  scheduler.runNext()
  #expect(rig.recorder.values == [1, 2], sourceLocation: sourceLocation)
}

/// Checks that a scheduler that runs actions in parallel delivers nothing before the subscription has been received.
func expectNothingDuringTheHandshake<P: Publisher>(
  sourceLocation: SourceLocation = #_sourceLocation, _ makeOperator: (Just<Int>) -> P
) {
  for _ in 0..<100 {
    let ending = Ending<P.Output, P.Failure>()
    ending.recorder.onSubscription = { subscription in
      subscription.request(.unlimited)
      for _ in 0..<1000 { sched_yield() }
    }
    makeOperator(Just(1)).subscribe(ending.recorder)
    ending.wait()
    #expect(ending.recorder.overlapCount == 0, sourceLocation: sourceLocation)
    #expect(ending.recorder.events.map(\.kind).first == "subscription", sourceLocation: sourceLocation)
  }
}

/// Checks that nobody else sends in the handshake of an operator whose first publisher ends within it, and which then
/// goes on with the second.
func expectNobodyElseSendsInTheHandshake<P: Publisher<Int, TestFailure>>(
  sourceLocation: SourceLocation = #_sourceLocation,
  _ makeOperator: (PassthroughSubject<Int, TestFailure>) -> P
) {
  let second = PassthroughSubject<Int, TestFailure>()
  let recorder = RecordingSubscriber<Int, TestFailure>()
  recorder.onSubscription = { _ in
    recorder.request(.unlimited)
    race({ second.send(2) })
    #expect(recorder.events.count <= 2, sourceLocation: sourceLocation)
  }
  makeOperator(second).subscribe(recorder)
  second.send(3)
  #expect(recorder.values == [1, 3], sourceLocation: sourceLocation)
  #expect(recorder.overlapCount == 0, sourceLocation: sourceLocation)
}

/// Runs `first`, which is to begin a delivery, and, while that is under way, `second` on another thread. The delivery
/// goes on once `second` has begun.
final class Rendezvous: Sendable {
  private let isDelivering = Atomic(false)
  private let hasSecondBegun = Atomic(false)

  /// To be called in the delivery.
  func meet() {
    isDelivering.store(true, ordering: .releasing)
    while !hasSecondBegun.load(ordering: .acquiring) { sched_yield() }
  }

  func run(_ first: () -> Void, during second: () -> Void) {
    withoutActuallyEscaping(first) { first in
      withoutActuallyEscaping(second) { second in
        race(
          first,
          { [self] in
            while !isDelivering.load(ordering: .acquiring) { sched_yield() }
            hasSecondBegun.store(true, ordering: .releasing)
            second()
          })
      }
    }
  }
}
