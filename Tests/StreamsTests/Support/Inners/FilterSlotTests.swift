import StreamsTesting
import Testing

@testable import Streams

@Suite struct FilterSlotTests {
  private final class Shared {
    let slot = FilterSlot()

    var isOpen: Bool { slot.isOpen }
    func accept(_ subscription: any Subscription) -> Bool { slot.accept(subscription) }
    func end() -> (any Subscription)? { slot.end() }
    func complete() -> Bool { slot.complete() }
  }

  private let shared = Shared()
  private let subscription = TestSubscription()

  @Test func isOpenWhileItIsSubscribed() {
    #expect(shared.accept(subscription))
    #expect(shared.isOpen)
    shared.slot.request(.max(2))
    #expect(shared.complete())
    #expect(!shared.isOpen)
    #expect(!shared.complete())
    shared.slot.request(.max(3))
    shared.slot.cancel()
    #expect(subscription.ledger.entries == [.requested(.max(2))])
  }

  @Test func cancelsOnce() {
    #expect(shared.accept(subscription))
    shared.slot.cancel()
    shared.slot.cancel()
    #expect(!shared.complete())
    #expect(shared.end() == nil)
    #expect(subscription.ledger.entries == [.cancelled])
  }

  @Test func mayBeCancelledBeforeItsSubscription() {
    shared.slot.cancel()
    #expect(!shared.isOpen)
    #expect(!shared.accept(subscription))
    #expect(subscription.ledger.entries == [.cancelled])
  }

  @Test func trapsBeforeItsSubscription() async {
    await #expect(processExitsWith: .failure) { _ = Shared().isOpen }
    await #expect(processExitsWith: .failure) { _ = Shared().complete() }
    await #expect(processExitsWith: .failure) { Shared().slot.request(.max(1)) }
  }

  @Test func trapsWhenNothingIsRequested() async {
    await #expect(processExitsWith: .failure) {
      let shared = Shared()
      if shared.accept(TestSubscription()) { shared.slot.request(.none) }
    }
  }
}
