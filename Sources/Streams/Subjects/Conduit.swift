import Synchronization

/// The connection of one subscriber to a subject, without the types of the values.
///
/// The code for subscribing, requesting and cancelling is here and in ``BroadcastCore``, where it is compiled once:
/// generic code is slow when it is called through a method table.
@usableFromInline
class Conduit {
  /// The bits of `status`, which is zero when values can be delivered immediately.
  @frozen
  @usableFromInline
  enum Mark {
    /// The subscriber has not received the subject's latest value. For subjects that keep one.
    @inlinable static var behind: UInt8 { 1 }
    /// A thread other than the gate's owner is still delivering the subscription.
    @inlinable static var handshake: UInt8 { 2 }
    /// Completed or cancelled.
    @inlinable static var ended: UInt8 { 4 }
    /// The subject has completed. The thread that delivers the subscription then sends the completion after it.
    @inlinable static var missedEnd: UInt8 { 8 }
    /// The demand is limited: values must be counted.
    @inlinable static var limited: UInt8 { 16 }
  }

  /// The subject, kept alive until the connection ends, and the broadcast with it.
  @usableFromInline let subject: AnyObject
  @usableFromInline let unmanagedBroadcast: Unmanaged<BroadcastCore>
  @usableFromInline let subscription: SubjectSubscription
  /// Counts dropped values for the stream that this conduit is a part of.
  private let drops = Drops()

  /// Delivers a value to this subscriber and to those after it: a ``SliceReceiver``, if there is one.
  @usableFromInline let receiver = Atomic<UnsafeMutableRawPointer?>(nil)

  // Last, beside the fields that a lane adds: each delivery reads these.
  @usableFromInline let demand = DemandCounter()
  @usableFromInline let status: Atomic<UInt8>
  /// How many subscribers must follow each other for the receiver to be called; 0 if there is none.
  @usableFromInline let fewest = Atomic<UInt8>(0)
  /// The place in the subject's list; -1 when not in the list. Guarded as the list is. In the same word as the
  /// status.
  @usableFromInline let position = Cell<Int32>(-1)

  /// A conduit of `broadcast`, which `subject` owns or is.
  @inlinable
  init(_ broadcast: borrowing BroadcastCore, subject: borrowing AnyObject) {
    self.subject = copy subject
    unmanagedBroadcast = .passUnretained(copy broadcast)
    status = Atomic(broadcast.kind.keepsLatest ? Mark.behind | Mark.limited : Mark.limited)
    subscription = SubjectSubscription(broadcast.kind)
  }

  @inlinable @inline(__always)
  func has(_ mark: UInt8) -> Bool { status.load(ordering: .relaxed) & mark != 0 }

  @inlinable @inline(__always)
  var hasEnded: Bool { has(Mark.ended) }

  /// Whether each value can be delivered immediately. If so, what the subscriber did before its request is visible.
  @inlinable @inline(__always)
  final var isOpen: Bool { status.load(ordering: .acquiring) == 0 }

  /// Adds to the demand. Unlimited demand stays unlimited.
  @usableFromInline
  func add(_ more: Subscribers.Demand) {
    demand.add(more)
    if demand.isUnlimited, has(Mark.limited) { status.bitwiseAnd(~Mark.limited, ordering: .releasing) }
  }

  /// Counts values that were dropped for lack of demand.
  ///
  /// A subject that keeps only the latest value drops none: a subscriber that is behind gets that one.
  @usableFromInline
  final func drop(_ count: Int) {
    if unmanagedBroadcast._withUnsafeGuaranteedRef({ $0.kind.keepsOnlyLatest }) { return }
    drops.add(count)
    unmanagedBroadcast._withUnsafeGuaranteedRef { _ = $0.dropped.wrappingAdd(count, ordering: .relaxed) }
  }

  /// Makes the source that delivers the batch at `start` to subscribers that have not got it as a whole.
  final func source(of start: UnsafeRawPointer) -> BatchSource {
    BroadcastSource(unmanagedBroadcast, .passUnretained(self), start)
  }

  /// Marks the connection as ended. Returns true to the one caller that ended it.
  func markEnded() -> Bool {
    status.bitwiseOr(Mark.ended, ordering: .acquiringAndReleasing).oldValue & Mark.ended == 0
  }

  // MARK: What depends on the types of the values

  var subscriber: AnyObject { fatalError("abstract") }

  /// Delivers the subscription to the subscriber.
  func receive(subscription: any Subscription) { fatalError("abstract") }
}
