import Testing

@testable import Streams

/// A loop that sends nothing and writes down what it is asked.
private final class Loop {
  var demands: [Subscribers.Demand] = []
  var endsWith = 0
  var destroyedCount = 0
  /// Runs in the loop.
  var onRun: (SequenceSubscription) -> Void = { _ in }

  func subscription() -> SequenceSubscription {
    SequenceSubscription(
      loop: Unmanaged.passUnretained(self).toOpaque(),
      operations: .init(
        run: { memory, subscription, demand in
          let loop = Loop.at(memory)
          loop.demands.append(demand)
          loop.onRun(subscription)
          return loop.demands.count == loop.endsWith
        },
        sequence: { _ in "the sequence" },
        destroy: { Loop.at($0).destroyedCount += 1 }),
      reflection: .init(ended: "ended", emptySequence: ""))
  }

  private static func at(_ memory: UnsafeMutableRawPointer) -> Loop {
    Unmanaged.fromOpaque(memory).takeUnretainedValue()
  }
}

@Suite struct SequenceSubscriptionTests {
  private let loop = Loop()

  @Test func aRequestRunsTheLoopAndOneFromWithinAddsToTheDemand() {
    let subscription = loop.subscription()
    loop.onRun = { [loop] subscription in
      guard loop.demands.count == 1 else { return }
      subscription.request(.max(2))
      #expect(subscription.continuedDemand() == .max(2))
      #expect(subscription.continuedDemand() == Subscribers.Demand.none)
    }
    subscription.request(.max(1))
    subscription.request(.max(3))
    #expect(loop.demands == [.max(1), .max(3)])
  }

  @Test func theLoopIsDestroyedOnce() {
    for isCancelled in [false, true] {
      let loop = Loop()
      loop.endsWith = 1
      do {
        let subscription = loop.subscription()
        subscription.request(.unlimited)
        if isCancelled { subscription.cancel() }
        subscription.request(.unlimited)
        #expect(subscription.description == "ended")
      }
      #expect(loop.demands == [.unlimited])
      #expect(loop.destroyedCount == 1)
    }
  }

  @Test func aRunningLoopIsDestroyedWhenItReturns() {
    let subscription = loop.subscription()
    loop.endsWith = 1
    loop.onRun = { [loop] subscription in
      subscription.cancel()
      #expect(loop.destroyedCount == 0)
      #expect(subscription.continuedDemand() == nil)
    }
    subscription.request(.unlimited)
    #expect(loop.destroyedCount == 1)
  }

  @Test func whoIsNeverAskedIsDestroyedToo() {
    do { #expect(loop.subscription().description == "the sequence") }
    #expect(loop.destroyedCount == 1)
  }
}
