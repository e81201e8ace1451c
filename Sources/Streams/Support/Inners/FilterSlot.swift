/// Holds the upstream's subscription of a filter-like operator.
///
/// These operators trap on values, a completion or a request that come before the subscription, and drop those
/// that come after the end. Cancelling before the subscription is legal: it is cancelled when it comes.
@usableFromInline
struct FilterSlot: ~Copyable {
  @usableFromInline let slot = SubscriptionSlot()

  @inlinable
  init() {}

  /// Whether to go on with a value. Traps before the subscription.
  @inlinable @inline(__always)
  var isOpen: Bool {
    let phase = slot.phase
    if phase == .subscribed { return true }
    precondition(phase == .ended, "a signal came before the subscription")
    return false
  }

  /// Keeps the first subscription and returns true; cancels every other and returns false.
  @usableFromInline
  func accept(_ subscription: any Subscription) -> Bool { slot.accept(subscription) }

  /// Ends the slot. Returns the subscription to the one caller that ended it.
  @usableFromInline
  func end() -> (any Subscription)? { slot.end() }

  /// Ends the slot for an upstream's completion. Returns whether to pass the completion on.
  @usableFromInline
  func complete() -> Bool { isOpen && end() != nil }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    precondition(demand != .none, "request more than no values")
    if isOpen { slot.current?.request(demand) }
  }

  @usableFromInline
  func cancel() {
    BatchProgress.noteAction()
    end()?.cancel()
  }
}
