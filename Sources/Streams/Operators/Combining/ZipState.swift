/// The state of a zip, without the values: the state of its upstreams, and the delivery under way.
///
/// Only for the thread that runs a signal.
@usableFromInline
struct ZipState {
  /// A delivery under way.
  @usableFromInline
  struct Turn {
    /// The upstream whose value completed the tuple.
    @usableFromInline let upstream: ObjectIdentifier
    /// What the downstream has requested during the delivery. It is returned to that upstream.
    @usableFromInline var requested = Subscribers.Demand.none
    /// Whether the tuple is being received; until then, making it may still fail.
    @usableFromInline var isBeingReceived = false

    @inlinable
    init(_ upstream: ObjectIdentifier) { self.upstream = upstream }
  }

  /// How many upstreams have no value waiting.
  @usableFromInline var emptyCount: Int
  /// How many of these have finished. One is enough to end the stream.
  @usableFromInline var exhaustedCount = 0
  /// The innermost of the deliveries.
  @usableFromInline var turn: Turn?

  @inlinable
  init(count: Int) { emptyCount = count }

  /// Notes that a value waits. Returns whether it completes a tuple.
  @inlinable @inline(__always)
  mutating func queue(isFirst: Bool) -> Bool {
    if isFirst { emptyCount &-= 1 }
    return isComplete
  }

  /// Whether each upstream has a value waiting.
  @inlinable @inline(__always)
  var isComplete: Bool { emptyCount == 0 }

  /// Notes that an upstream's last value has been taken.
  @inlinable @inline(__always)
  mutating func empty(isFinished: Bool) {
    emptyCount &+= 1
    if isFinished { exhaustedCount &+= 1 }
  }

  /// Notes that an upstream has finished.
  @usableFromInline
  mutating func finish(isEmpty: Bool) {
    if isEmpty { exhaustedCount += 1 }
  }

  /// Whether no tuple can come any more. False during a delivery.
  @inlinable @inline(__always)
  var isOver: Bool { exhaustedCount > 0 && turn == nil }

  /// Whether the last tuple is being received: the stream has finished then, whatever else upstreams do.
  var isSendingLast: Bool { exhaustedCount > 0 && turn?.isBeingReceived == true }

  /// Notes that a tuple is about to be delivered. Returns the delivery within which that happens.
  @inlinable @inline(__always)
  mutating func begin(by upstream: ObjectIdentifier) -> Turn? {
    defer { turn = Turn(upstream) }
    return turn
  }

  /// Notes that the tuple has been delivered. Returns what was requested during the delivery.
  @inlinable @inline(__always)
  mutating func end(within outer: Turn?) -> Subscribers.Demand {
    defer { turn = outer }
    return turn?.requested ?? .none
  }

  /// Notes that the downstream requests more. Returns the upstream to which that demand is returned, if there
  /// is one.
  @usableFromInline
  mutating func request(_ demand: Subscribers.Demand) -> ObjectIdentifier? {
    turn?.requested += demand
    return turn?.upstream
  }
}
