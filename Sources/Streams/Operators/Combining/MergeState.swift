/// The state of a merge, without the values. Only for the thread that runs a signal.
@usableFromInline
struct MergeState {
  /// What to do with a value that has arrived.
  @usableFromInline
  enum Arrival {
    case deliver
    /// Keep it, in the place of one that is kept already.
    case keep
  }

  /// The downstream's demand that has not been met.
  @usableFromInline var demand = Subscribers.Demand.none
  /// Whether unlimited values have been requested from the upstreams.
  @usableFromInline var upstreamsAreUnlimited = false
  /// How many upstreams have a value that waits.
  @usableFromInline var waitingCount = 0
  /// How many deliveries are under way, one inside the other.
  @usableFromInline var depth = 0
  /// True while the next value is requested from an upstream: a value that it sends then must wait its turn.
  @usableFromInline var isRequesting = false
  @usableFromInline var unfinishedCount: Int

  @inlinable
  init(count: Int) { unfinishedCount = count }

  /// Whether values pass without a check: demand is unlimited, and nothing waits.
  @inlinable @inline(__always)
  var passesAll: Bool { demand == .unlimited && waitingCount == 0 }

  /// Decides about a value that has arrived. It does not overtake one that its upstream has sent before and that
  /// still waits.
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

  /// Notes that a value that arrived has been delivered.
  @usableFromInline
  mutating func end(returning more: Subscribers.Demand) {
    depth -= 1
    demand += more
  }

  /// Begins to deliver values that wait. Returns false within a delivery, which does it afterwards, so that nothing
  /// recurses.
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

  /// Ends the delivery of values that wait. Returns whether to request unlimited values from the upstreams.
  @usableFromInline
  mutating func endFlush() -> Bool {
    depth = 0
    return demand == .unlimited && beginUnlimited()
  }

  /// Notes that unlimited values are requested from the upstreams. Returns false if they are already.
  mutating func beginUnlimited() -> Bool {
    if upstreamsAreUnlimited { return false }
    upstreamsAreUnlimited = true
    return true
  }

  /// What is requested from an upstream when its subscription arrives.
  @usableFromInline
  var initialDemand: Subscribers.Demand { demand == .unlimited ? .unlimited : .max(1) }

  /// Whether nothing can come any more.
  @usableFromInline
  var isDone: Bool { unfinishedCount == 0 && waitingCount == 0 }
}
