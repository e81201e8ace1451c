/// The state of a flatMap, without the values. Only for the thread that runs a signal.
@usableFromInline
struct FlatMapState {
  @usableFromInline
  enum Phase: Equatable {
    case running
    /// The upstream or a child has failed, and the children are being cancelled.
    case failing(isUpstream: Bool)
    /// The failure is being sent. Values that children send during that still pass, as in Combine.
    case sendingFailure
    case ended
  }

  @usableFromInline var phase = Phase.running
  /// The downstream's demand that has not been met.
  @usableFromInline var demand = Subscribers.Demand.none
  /// Whether unlimited values have been requested from the children.
  @usableFromInline var childrenAreUnlimited = false
  /// How many children have a subscription.
  @usableFromInline var childCount = 0
  /// How many values wait because there was no demand for them.
  @usableFromInline var waitingCount = 0
  /// How many deliveries are under way, one inside the other.
  @usableFromInline var depth = 0
  /// True while the next value is requested from a child: a value that it sends then must queue up.
  @usableFromInline var isRequesting = false
  /// How many values of publishers that need no child are being delivered.
  @usableFromInline var childlessCount = 0
  @usableFromInline var upstreamIsFinished = false
  /// How many places of publishers have become free since the last request to the upstream.
  @usableFromInline var freePlaces = 0

  @inlinable
  init() {}

  // MARK: Values

  /// Whether values pass without a check: demand is unlimited, and nothing waits.
  @inlinable @inline(__always)
  var passesAll: Bool { phase == .running && demand == .unlimited && waitingCount == 0 }

  /// Whether values are not dropped.
  @inlinable
  var takesValues: Bool { phase == .running || phase == .sendingFailure }

  /// Takes the demand for one value that has just arrived; returns false if it must wait.
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

  /// Begins to deliver values that wait. Returns false within a delivery, which does it afterwards, so that nothing
  /// recurses.
  @usableFromInline
  mutating func beginFlush() -> Bool {
    guard depth == 0 else { return false }
    depth = 1
    return true
  }

  /// Ends the delivery of values that wait. Returns whether to request unlimited values from the children.
  @usableFromInline
  mutating func endFlush() -> Bool {
    depth = 0
    return demand == .unlimited && beginUnlimited()
  }

  /// Notes that unlimited values are requested from the children. Returns false if they are already.
  mutating func beginUnlimited() -> Bool {
    guard phase == .running, !childrenAreUnlimited else { return false }
    childrenAreUnlimited = true
    return true
  }

  // MARK: Children

  /// Notes that a child has its subscription. Returns the demand to request, or nil to cancel it.
  @usableFromInline
  mutating func begin() -> Subscribers.Demand? {
    guard phase == .running else { return nil }
    childCount += 1
    return demand == .unlimited ? .unlimited : .max(1)
  }

  /// Frees the place of a child that has finished and whose values have all been sent.
  @usableFromInline
  mutating func freePlace() {
    if phase == .running { freePlaces += 1 }
  }

  /// Takes the demand to request from the upstream for the places that have become free.
  @usableFromInline
  mutating func takeFreePlaces() -> Subscribers.Demand {
    defer { freePlaces = 0 }
    return .max(freePlaces)
  }

  // MARK: The end

  /// Notes that a publisher has failed, or the downstream has cancelled: nothing waits any more, and no children are
  /// left.
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
