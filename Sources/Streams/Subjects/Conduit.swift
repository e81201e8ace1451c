import Synchronization

/// The connection of one subscriber to a subject, without the types of the values.
///
/// What happens at subscribing, requesting and cancelling is here and in ``BroadcastCore``, where it is compiled
/// once; code that is generic over values runs slowly when it is reached through a table of methods.
@usableFromInline
class Conduit: BatchTarget {
  /// What `status` may hold; zero when values can be delivered straight away.
  @frozen
  @usableFromInline
  enum Mark {
    /// The subscriber has not got the subject's latest value. For subjects that keep one.
    @inlinable static var behind: UInt8 { 1 }
    /// The subscriber is still being given its subscription, by another thread than the gate's owner.
    @inlinable static var handshake: UInt8 { 2 }
    /// Completed or cancelled.
    @inlinable static var ended: UInt8 { 4 }
    /// The subject has completed. Who gives the subscription then sends the completion after it.
    @inlinable static var missedEnd: UInt8 { 8 }
    /// The subscriber has not asked for everything: values are to be counted.
    @inlinable static var limited: UInt8 { 16 }
  }

  /// The subject, which is kept alive until the connection ends, and with it the broadcast.
  @usableFromInline let subject: AnyObject
  @usableFromInline let unmanagedBroadcast: Unmanaged<BroadcastCore>
  @usableFromInline let subscription: SubjectSubscription
  /// Counts what is dropped for the stream that this is a part of.
  private let drops = Drops()

  /// What can give a value to the subscriber and to those after it: a ``RowReceiver``, if there is one.
  @usableFromInline let receiver = Atomic<UnsafeMutableRawPointer?>(nil)

  // Last, beside what a lane adds: each value looks at these.
  @usableFromInline let demand = DemandCounter()
  @usableFromInline let status: Atomic<UInt8>
  /// How many have to follow each other for the receiver to be called; 0 if there is none.
  @usableFromInline let fewest = Atomic<UInt8>(0)
  /// The place in the subject's list; -1 when it is not there. Used as the list is. In the same word as the status.
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

  /// Whether the subscriber is owed each value straight away. What it did before it asked for that is seen then.
  @inlinable @inline(__always)
  final var isOpen: Bool { status.load(ordering: .acquiring) == 0 }

  /// Adds to the demand. Demand without a limit stays so.
  @usableFromInline
  func add(_ more: Subscribers.Demand) {
    demand.add(more)
    if demand.isUnlimited, has(Mark.limited) { status.bitwiseAnd(~Mark.limited, ordering: .releasing) }
  }

  /// Counts values that were dropped for want of demand.
  ///
  /// A subject of which only the latest value counts does not drop one: who is behind gets that.
  @usableFromInline
  final func drop(_ count: Int) {
    if unmanagedBroadcast._withUnsafeGuaranteedRef({ $0.kind.keepsOnlyLatest }) { return }
    drops.add(count)
    unmanagedBroadcast._withUnsafeGuaranteedRef { _ = $0.dropped.wrappingAdd(count, ordering: .relaxed) }
  }

  override final var isOver: Bool { hasEnded }

  override final func source(of start: UnsafeRawPointer) -> BatchSource {
    BroadcastSource(unmanagedBroadcast, .passUnretained(self), start)
  }

  /// Marks the connection as ended. Returns true to the one caller that ended it.
  func markEnded() -> Bool {
    status.bitwiseOr(Mark.ended, ordering: .acquiringAndReleasing).oldValue & Mark.ended == 0
  }

  // MARK: What depends on the types of the values

  var subscriber: AnyObject { fatalError("abstract") }

  /// Hands the subscription to the subscriber.
  func receive(subscription: any Subscription) { fatalError("abstract") }
}
