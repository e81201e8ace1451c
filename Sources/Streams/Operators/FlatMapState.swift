/// What a flatMap has to remember, without the values. Belongs to whoever runs a signal.
@usableFromInline
struct FlatMapState {
  @usableFromInline
  enum Phase { case running, failing, ended }

  @usableFromInline var phase = Phase.running
  /// The downstream's demand that has not been met.
  @usableFromInline var demand = Subscribers.Demand.none
  /// Whether the children have been asked for everything.
  @usableFromInline var childrenAreUnlimited = false
  /// How many values are kept because there was no demand for them.
  @usableFromInline var keptCount = 0
  /// How many deliveries are under way, one inside the other.
  @usableFromInline var depth = 0
  /// True while a child is asked for the next value: what it sends has to queue up.
  @usableFromInline var isRequesting = false
  /// How many values of publishers that needed no child are being delivered.
  @usableFromInline var childlessCount = 0
  @usableFromInline var outerIsFinished = false
  /// True while children are cancelled because the upstream has failed.
  @usableFromInline var isCancellingChildren = false

  @inlinable
  init() {}

  /// Takes the demand for one value that has just arrived; returns false if it has to be kept.
  @inlinable @inline(__always)
  mutating func takeDemand() -> Bool {
    guard demand != .none, !isRequesting, keptCount == 0 else {
      keptCount += 1
      return false
    }
    demand -= 1
    return true
  }

  /// Whether to send the next of the values that were kept.
  @inlinable
  mutating func takeKept() -> Bool {
    guard demand != .none, phase == .running, keptCount > 0 else { return false }
    demand -= 1
    keptCount -= 1
    return true
  }

  /// Whether to ask the children for everything now.
  @usableFromInline
  mutating func becomeUnlimited() -> Bool {
    guard demand == .unlimited, !childrenAreUnlimited else { return false }
    childrenAreUnlimited = true
    return true
  }

  /// Ends the stream if nothing can come any more. `liveCount` is the number of children.
  @usableFromInline
  mutating func finish(liveCount: Int) -> Bool {
    guard phase == .running, outerIsFinished, keptCount + childlessCount + liveCount == 0 else {
      return false
    }
    phase = .ended
    return true
  }
}
