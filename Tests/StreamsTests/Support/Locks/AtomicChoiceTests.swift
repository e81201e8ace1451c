import Synchronization
import Testing

@testable import Streams

@Suite struct AtomicChoiceTests {
  @Test func whatIsReadIsWhatWasStored() {
    let kept = Atomic(SubscriptionSlot.Phase.awaiting)
    for phase in [SubscriptionSlot.Phase.ended, .subscribed, .awaiting] {
      kept.store(phase, ordering: .relaxed)
      #expect(kept.load(ordering: .relaxed) == phase)
    }
  }

  @Test func itIsExchangedForWhatIsExpected() {
    let kept = Atomic(SubscriptionSlot.Phase.awaiting)
    let (isExchanged, now) = kept.compareExchange(
      expected: .ended, desired: .subscribed, ordering: .relaxed)
    #expect(!isExchanged && now == .awaiting)
    #expect(kept.compareExchange(expected: .awaiting, desired: .subscribed, ordering: .relaxed).exchanged)
    #expect(kept.exchange(.ended, ordering: .relaxed) == .subscribed)
    #expect(kept.load(ordering: .relaxed) == .ended)
  }
}
