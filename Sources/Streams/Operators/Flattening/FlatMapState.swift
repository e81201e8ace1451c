/// What a flatMap knows, without the values. Belongs to whoever runs a signal.
@usableFromInline
struct FlatMapState {
  @usableFromInline
  enum Phase: Equatable {
    case running
    /// The upstream or a child has failed, and the children are being cancelled.
    case failing(isUpstream: Bool)
    /// The failure is being sent. What children send meanwhile still passes, as in Combine.
    case sendingFailure
    case ended
  }

  @usableFromInline var phase = Phase.running
  /// The downstream's demand that has not been met.
  @usableFromInline var demand = Subscribers.Demand.none
  /// Whether the children have been asked for everything.
  @usableFromInline var childrenAreUnlimited = false
  /// How many children have a subscription.
  @usableFromInline var childCount = 0
  /// How many values wait because there was no demand for them.
  @usableFromInline var waitingCount = 0
  /// How many deliveries are under way, one inside the other.
  @usableFromInline var depth = 0
  /// True while a child is asked for the next value: what it sends has to queue up.
  @usableFromInline var isRequesting = false
  /// How many values of publishers that need no child are being delivered.
  @usableFromInline var childlessCount = 0
  @usableFromInline var upstreamIsFinished = false
  /// How many places of publishers have become free since the upstream was asked for others.
  @usableFromInline var freePlaces = 0

  @inlinable
  init() {}

  // MARK: Values

  /// Whether values need not be looked at: everything is demanded.
  @inlinable @inline(__always)
  var passesAll: Bool { phase == .running && demand == .unlimited && waitingCount == 0 }

  /// Whether values are not dropped.
  @inlinable
  var takesValues: Bool { phase == .running || phase == .sendingFailure }

  /// Takes the demand for one value that has just arrived; returns false if it has to wait.
  @inlinable @inline(__always)
  mutating func takeDemand() -> Bool {
    guard demand != .none, !isRequesting, waitingCount == 0 else {
      waitingCount += 1
      return false
    }
    demand -= 1
    return true
  }

  /// Whether to send the next of the values that wait.
  @inlinable
  mutating func takeWaiting() -> Bool {
    guard demand != .none, phase == .running, waitingCount > 0 else { return false }
    demand -= 1
    waitingCount -= 1
    return true
  }

  /// Begins to deliver values that wait. Returns false within a delivery: whoever delivers does it afterwards, and so
  /// nothing recurses.
  @usableFromInline
  mutating func beginFlush() -> Bool {
    guard depth == 0 else { return false }
    depth = 1
    return true
  }

  /// No more is to be delivered now. Returns whether to ask the children for everything.
  @usableFromInline
  mutating func endFlush() -> Bool {
    depth = 0
    guard phase == .running, demand == .unlimited, !childrenAreUnlimited else { return false }
    childrenAreUnlimited = true
    return true
  }

  // MARK: Children

  /// A child has its subscription. Returns what to request, or nil if it is to be cancelled.
  @usableFromInline
  mutating func begin() -> Subscribers.Demand? {
    guard phase == .running else { return nil }
    childCount += 1
    return demand == .unlimited ? .unlimited : .max(1)
  }

  /// A child has finished, or the last of the values that wait of one that has: its place is free.
  @usableFromInline
  mutating func freePlace() {
    if phase == .running { freePlaces += 1 }
  }

  /// What to request of the upstream for the places that have become free.
  @usableFromInline
  mutating func takeFreePlaces() -> Subscribers.Demand {
    defer { freePlaces = 0 }
    return .max(freePlaces)
  }

  // MARK: The end

  /// A publisher has failed, or the downstream has cancelled: nothing waits any more, and no children are left.
  @usableFromInline
  mutating func stop(_ phase: Phase) {
    self.phase = phase
    waitingCount = 0
    childCount = 0
    freePlaces = 0
  }

  /// Ends the stream if nothing can come any more. `expectedCount` is the number of children without a subscription.
  @usableFromInline
  mutating func finish(expectedCount: Int) -> Bool {
    guard phase == .running, upstreamIsFinished,
      waitingCount + childlessCount + childCount + expectedCount == 0
    else { return false }
    phase = .ended
    return true
  }
}
