import StreamsTesting
import Testing

@testable import Streams

@Suite struct SubscriptionSlotTests {
  /// Expectations copy what they look into, which a slot does not allow.
  private final class Shared {
    let slot = SubscriptionSlot()

    var phase: SubscriptionSlot.Phase { slot.phase }
    var current: AnyObject? { slot.current }
    func accept(_ subscription: any Subscription) -> Bool { slot.accept(subscription) }
    func end() -> (any Subscription & AnyObject)? { slot.end() }
    func endIfSubscribed() -> (any Subscription & AnyObject)? { slot.endIfSubscribed() }
  }

  private struct ValueSubscription: Subscription {
    let base: TestSubscription
    var combineIdentifier: CombineIdentifier { base.combineIdentifier }
    func request(_ demand: Subscribers.Demand) { base.request(demand) }
    func cancel() { base.cancel() }
  }

  private let shared = Shared()
  private let first = TestSubscription()
  private let second = TestSubscription()

  @Test func keepsTheFirstAndCancelsTheOthers() {
    #expect(shared.phase == .awaiting)
    #expect(shared.current == nil)
    #expect(shared.accept(first))
    #expect(shared.phase == .subscribed)
    #expect(shared.current === first)
    #expect(!shared.accept(second))
    #expect(shared.current === first)
    #expect(first.ledger.entries == [])
    #expect(second.ledger.entries == [.cancelled])
  }

  @Test func endsOnce() {
    #expect(shared.accept(first))
    #expect(shared.end() === first)
    #expect(shared.phase == .ended)
    #expect(shared.current == nil)
    #expect(shared.end() == nil)
    #expect(shared.endIfSubscribed() == nil)
    #expect(!shared.accept(second))
    #expect(first.ledger.entries == [])
    #expect(second.ledger.entries == [.cancelled])
  }

  /// What has ended without a subscription cancels the one that comes later.
  @Test func endsBeforeItsSubscription() {
    #expect(shared.end() == nil)
    #expect(shared.phase == .ended)
    #expect(!shared.accept(first))
    #expect(first.ledger.entries == [.cancelled])
  }

  @Test func cancelsOnlyWhatItHas() {
    #expect(shared.endIfSubscribed() == nil)
    #expect(shared.phase == .awaiting)
    #expect(shared.accept(first))
    #expect(shared.endIfSubscribed() === first)
    #expect(shared.phase == .ended)
    #expect(shared.endIfSubscribed() == nil)
  }

  @Test func keepsASubscriptionThatIsNoObject() {
    #expect(shared.accept(ValueSubscription(base: first)))
    let kept = shared.end()
    #expect(kept?.combineIdentifier == first.combineIdentifier)
    kept?.request(.max(3))
    kept?.cancel()
    #expect(first.ledger.entries == [.requested(.max(3)), .cancelled])
  }

  @Test func letsGoOfWhatHasEnded() {
    let lifetimes = LifetimeTracker()
    do {
      let token = lifetimes.token()
      #expect(shared.accept(TestSubscription(onCancel: token.keep)))
    }
    #expect(lifetimes.liveCount == 1)
    _ = shared.end()
    #expect(lifetimes.liveCount == 0)
  }

  /// Whoever is first: a subscription is cancelled once, by the slot or by the one that has ended it.
  @Test func losesNoSubscriptionInARace() {
    for _ in 0..<500 {
      let shared = Shared()
      let subscriptions = [TestSubscription(), TestSubscription()]
      race(
        { _ = shared.accept(subscriptions[0]) }, { _ = shared.accept(subscriptions[1]) },
        { shared.end()?.cancel() })
      #expect(subscriptions.map(\.ledger.cancelCount) == [1, 1])
      #expect(shared.phase == .ended)
    }
  }
}
