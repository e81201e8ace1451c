import Synchronization

/// The deliveries of an operator that goes on with another publisher when one ends.
///
/// Publishers that follow each other need no turn: each sends when the one before it has ended. But a publisher may end
/// while the subscriber is still busy with its last value, for instance because the subscriber has ended it. Then the next
/// one may send on another thread at the same time, and the demand that the delivery returns would be demanded of a
/// publisher that is over. From the first such end on, the publishers take turns, and the delivery has the first one.
@usableFromInline
struct DeliveryFrames: ~Copyable {
  /// Whether values and completions of the publishers go through the serializer.
  @usableFromInline let isSerialized = Atomic(false)
  @usableFromInline let serializer = Serializer()
  /// How many deliveries this thread is in. Like what follows, only for the thread that delivers.
  @usableFromInline let count = Cell(0)
  /// Whether a publisher has ended in one of them.
  @usableFromInline let hasEnded = Cell(false)
  private let holdsTurn = Cell(false)

  @usableFromInline init() {}

  /// Must be called when a publisher has ended, before its successor is subscribed to.
  @usableFromInline
  func publisherHasEnded() {
    guard count.value > 0 else { return }
    hasEnded.value = true
    if isSerialized.exchange(true, ordering: .relaxed) { return }
    holdsTurn.value = serializer.enterUnlessNested()
  }

  @inlinable @inline(__always)
  func begin() { count.value &+= 1 }

  /// Ends a delivery. Returns whether a publisher has ended in it, or in one that it is nested in: the caller then calls
  /// ``requestAfterEnd(_:from:)`` with the demand that the delivery has returned.
  @inlinable @inline(__always)
  func endsWithPublisher() -> Bool {
    count.value &-= 1
    return hasEnded.value
  }

  /// Requests the demand that a delivery has returned from the operator, which passes it on to the publisher that it has then,
  /// when the turn is over.
  @usableFromInline @inline(never)
  func requestAfterEnd(_ more: Subscribers.Demand, from subscription: any Subscription) -> Subscribers.Demand
  {
    if more != .none { serializer.afterLeaving { subscription.request(more) } }
    guard count.value == 0 else { return .none }
    hasEnded.value = false
    if exchange(&holdsTurn.value, with: false) { serializer.leave() }
    return .none
  }
}
