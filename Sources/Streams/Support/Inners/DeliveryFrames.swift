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

  /// Makes a delivery of the operator `subscription`, and returns its demand, for the publisher. If a publisher has ended
  /// in it, the operator passes the demand on to the next one instead.
  @inlinable @inline(__always)
  func delivering(
    from subscription: @autoclosure () -> any Subscription, _ delivery: () -> Subscribers.Demand
  ) -> Subscribers.Demand {
    count.value &+= 1
    let more = delivery()
    count.value &-= 1
    return _slowPath(hasEnded.value) ? requestAfterEnd(more, from: subscription()) : more
  }

  /// Runs `signal` with a batch of a publisher that may follow another one.
  @inlinable @inline(__always)
  func run<Object, Value>(
    _ batch: UnsafeBufferPointer<Value>, _ object: Object,
    _ signal: @escaping (Object, UnsafeBufferPointer<Value>) -> Subscribers.Demand,
    from upstream: @escaping (Object) -> (any Subscription)?
  ) -> Subscribers.Demand {
    if _fastPath(!isSerialized.load(ordering: .relaxed)) { return signal(object, batch) }
    return serializer.deliver(batch, object, signal, from: upstream)
  }

  /// Runs a completion of such a publisher.
  @inlinable @inline(__always)
  func run(_ completion: @escaping () -> Void) {
    if isSerialized.load(ordering: .relaxed) { serializer.run(completion) } else { completion() }
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
