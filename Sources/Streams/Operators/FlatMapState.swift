/// What a flatMap has to remember. Belongs to whoever runs a signal.
@usableFromInline
struct FlatMapState<Child: AnyObject, Value> {
  @usableFromInline
  enum Phase { case running, failing, ended }

  @usableFromInline var phase = Phase.running
  /// The downstream's demand that has not been met.
  @usableFromInline var demand = Subscribers.Demand.none
  /// Whether the children have been asked for everything.
  @usableFromInline var childrenAreUnlimited = false
  /// Values for which there was no demand, with the child each came from.
  @usableFromInline var buffer = Queue<(child: Child, value: Value)>()
  /// How many deliveries are under way, one inside the other.
  @usableFromInline var depth = 0
  /// True while a child is asked for the next value: what it sends has to queue up.
  @usableFromInline var isRequesting = false
  @usableFromInline var outerIsFinished = false
  /// True while children are cancelled because the upstream has failed.
  @usableFromInline var isCancellingChildren = false

  @inlinable
  init() {}

  /// Whether values pass. After a failure they do only from within its delivery, as in Combine.
  @inlinable @inline(__always)
  var isOpen: Bool { phase != .ended }

  /// Takes the demand for one value that has just arrived; returns false if it has to be kept.
  @inlinable @inline(__always)
  mutating func takeDemand() -> Bool {
    guard demand != .none, !isRequesting, buffer.isEmpty else { return false }
    demand -= 1
    return true
  }

  /// The next value that was kept, if it is demanded.
  @inlinable
  mutating func next() -> (child: Child, value: Value)? {
    guard demand != .none, phase == .running, let next = buffer.popFirst() else { return nil }
    demand -= 1
    return next
  }

  /// Whether to ask the children for everything now.
  @usableFromInline
  mutating func becomeUnlimited() -> Bool {
    guard demand == .unlimited, !childrenAreUnlimited else { return false }
    childrenAreUnlimited = true
    return true
  }

  /// What to request from a child at the beginning.
  @usableFromInline
  var initialDemand: Subscribers.Demand { demand == .unlimited ? .unlimited : .max(1) }

  /// Ends the stream if nothing can come any more. `liveCount` is the number of children.
  @usableFromInline
  mutating func finish(liveCount: Int) -> Bool {
    guard phase == .running, outerIsFinished, buffer.isEmpty, liveCount == 0 else { return false }
    phase = .ended
    return true
  }
}
