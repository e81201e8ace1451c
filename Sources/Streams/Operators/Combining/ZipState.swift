/// What a zip knows, without the values: how far its upstreams are, and whose tuple is being delivered.
///
/// Belongs to whoever runs a signal.
@usableFromInline
struct ZipState {
  /// A delivery under way.
  @usableFromInline
  struct Turn {
    /// The upstream whose value completed the tuple.
    @usableFromInline let upstream: ObjectIdentifier
    /// What the downstream has requested meanwhile. It is returned to that upstream.
    @usableFromInline var requested = Subscribers.Demand.none
    /// Whether the tuple is being received, which until then may still come to nothing.
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

  /// A value waits now. Returns whether it completes a tuple.
  @inlinable @inline(__always)
  mutating func queue(isFirst: Bool) -> Bool {
    if isFirst { emptyCount &-= 1 }
    return isComplete
  }

  /// Whether each upstream has a value waiting.
  @inlinable @inline(__always)
  var isComplete: Bool { emptyCount == 0 }

  /// An upstream's last value has been taken.
  @inlinable @inline(__always)
  mutating func empty(isFinished: Bool) {
    emptyCount &+= 1
    if isFinished { exhaustedCount &+= 1 }
  }

  /// An upstream has finished.
  @usableFromInline
  mutating func finish(isEmpty: Bool) {
    if isEmpty { exhaustedCount += 1 }
  }

  /// Whether no tuple can come any more. During a delivery that is for later.
  @inlinable @inline(__always)
  var isOver: Bool { exhaustedCount > 0 && turn == nil }

  /// Whether the last tuple is being received: the stream has finished then, whatever else upstreams do.
  var isSendingLast: Bool { exhaustedCount > 0 && turn?.isBeingReceived == true }

  /// A tuple is going to be delivered. Returns the delivery within which that happens.
  @inlinable @inline(__always)
  mutating func begin(by upstream: ObjectIdentifier) -> Turn? {
    defer { turn = Turn(upstream) }
    return turn
  }

  /// The tuple has been delivered. Returns what was requested meanwhile.
  @inlinable @inline(__always)
  mutating func end(within outer: Turn?) -> Subscribers.Demand {
    defer { turn = outer }
    return turn?.requested ?? .none
  }

  /// The downstream requests more. Returns the upstream that is going to have it returned, if there is one.
  @usableFromInline
  mutating func request(_ demand: Subscribers.Demand) -> ObjectIdentifier? {
    turn?.requested += demand
    return turn?.upstream
  }
}
