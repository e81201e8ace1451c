/// What a merge knows, without the values. Belongs to whoever runs a signal.
@usableFromInline
struct MergeState {
  /// What to do with a value that has arrived.
  @usableFromInline
  enum Arrival {
    case deliver
    /// To keep it, in the place of the one that is kept already, if there is one.
    case keep
  }

  /// The downstream's demand that has not been met.
  @usableFromInline var demand = Subscribers.Demand.none
  /// Whether the upstreams have been asked for everything.
  @usableFromInline var upstreamsAreUnlimited = false
  /// How many upstreams have a value that waits.
  @usableFromInline var waitingCount = 0
  /// How many deliveries are under way, one inside the other.
  @usableFromInline var depth = 0
  /// True while an upstream is asked for its next value: what it sends has to wait its turn.
  @usableFromInline var isRequesting = false
  @usableFromInline var unfinishedCount: Int

  @inlinable
  init(count: Int) { unfinishedCount = count }

  /// Whether values need not be looked at: everything is demanded, and nothing waits.
  @inlinable @inline(__always)
  var passesAll: Bool { demand == .unlimited && waitingCount == 0 }

  /// A value has arrived. One that its upstream has sent before, and that still waits, is not overtaken.
  @usableFromInline
  mutating func arrive(isOtherWaiting: Bool) -> Arrival {
    if isOtherWaiting { return .keep }
    guard demand != .none, !isRequesting else {
      waitingCount += 1
      return .keep
    }
    demand -= 1
    depth += 1
    return .deliver
  }

  /// A value that arrived has been delivered.
  @usableFromInline
  mutating func end(returning more: Subscribers.Demand) {
    depth -= 1
    demand += more
  }

  /// Begins to deliver values that wait. Returns false within a delivery: whoever delivers does it afterwards, and so
  /// nothing recurses.
  @usableFromInline
  mutating func beginFlush() -> Bool {
    guard depth == 0 else { return false }
    depth = 1
    return true
  }

  /// Takes the demand for a value that waits.
  @usableFromInline
  mutating func takeWaiting() -> Bool {
    guard demand != .none, waitingCount > 0 else { return false }
    demand -= 1
    waitingCount -= 1
    return true
  }

  /// No more is to be delivered now. Returns whether to ask the upstreams for everything.
  @usableFromInline
  mutating func endFlush() -> Bool {
    depth = 0
    guard demand == .unlimited, !upstreamsAreUnlimited else { return false }
    upstreamsAreUnlimited = true
    return true
  }

  /// What an upstream is asked for when it has its subscription.
  @usableFromInline
  var initialDemand: Subscribers.Demand { demand == .unlimited ? .unlimited : .max(1) }

  /// Whether nothing can come any more.
  @usableFromInline
  var isDone: Bool { unfinishedCount == 0 && waitingCount == 0 }
}
