/// The state of an operator that goes on with a second publisher after its first.
///
/// Methods return what is no longer needed, so that it is released outside of a lock.
@usableFromInline
struct Succession {
  @usableFromInline
  enum Phase {
    case awaitingFirst
    case first(any Subscription)
    /// The first is over, and the second is about to be made.
    case choosing
    /// The second is being subscribed to.
    case awaitingSecond
    case second(any Subscription)
    /// The operator downstream has taken over.
    case handedOver(to: any Subscription)
    case ended
  }

  @usableFromInline private(set) var phase = Phase.awaitingFirst
  /// The thread that is subscribing to second publishers, or is about to.
  private var attaching = HandshakeThread.none
  /// What that thread does next.
  private var next: (() -> Void)?

  @usableFromInline
  init() {}

  /// The subscription to which a request is passed on.
  var recipient: (any Subscription)? {
    switch phase {
    case .first(let subscription), .second(let subscription), .handedOver(let subscription): subscription
    case .awaitingFirst, .choosing, .awaitingSecond, .ended: nil
    }
  }

  /// Whether demand is kept for the second publisher.
  var keepsDemand: Bool {
    switch phase {
    case .awaitingFirst, .first, .choosing, .awaitingSecond: true
    case .second, .handedOver, .ended: false
    }
  }

  var isChoosing: Bool { if case .choosing = phase { true } else { false } }
  var isAwaitingSecond: Bool { if case .awaitingSecond = phase { true } else { false } }

  /// Whether the calling thread is subscribing to the second publisher, further up the stack.
  var isAwaitingSecondHere: Bool { isAwaitingSecond && attaching.isHere }

  // MARK: The first publisher

  /// Whether to keep the first publisher's subscription.
  mutating func acceptFirst(_ subscription: any Subscription) -> Bool {
    guard case .awaitingFirst = phase else { return false }
    phase = .first(subscription)
    return true
  }

  /// Ends with the first publisher's completion. Returns its subscription, or nil if it is not its turn.
  mutating func endFirst() -> (any Subscription)? {
    guard case .first = phase else { return nil }
    return end()
  }

  /// Leaves the first publisher, to choose the second. Returns its subscription, or nil if it is not its turn.
  mutating func moveOn() -> (any Subscription)? {
    guard case .first(let subscription) = phase else { return nil }
    phase = .choosing
    return subscription
  }

  // MARK: The second publisher

  /// Whether the second publisher is still wanted, now that there is one.
  mutating func choose() -> Bool {
    guard case .choosing = phase else { return false }
    phase = .awaitingSecond
    return true
  }

  /// Whether to keep the second publisher's subscription.
  mutating func acceptSecond(_ subscription: any Subscription) -> Bool {
    guard case .awaitingSecond = phase else { return false }
    phase = .second(subscription)
    return true
  }

  /// Ends with the second publisher's completion. Returns its subscription, or nil if it is not its turn.
  mutating func endSecond() -> (any Subscription)? {
    guard case .second = phase else { return nil }
    return end()
  }

  /// Takes over from the second publisher: another is chosen in its place. Returns its subscription, or nil if it is
  /// not its turn.
  mutating func replaceSecond(_ publisher: AnyObject) -> (any Subscription)? {
    guard case .second(let subscription) = phase, subscription._subscriptionObject() === publisher else {
      return nil
    }
    phase = .choosing
    return subscription
  }

  /// Leaves the choice to the operator downstream.
  mutating func delegate(to host: any Subscription) {
    if case .choosing = phase { phase = .handedOver(to: host) }
  }

  /// Ends, in any phase. Returns the subscription to cancel.
  mutating func end() -> (any Subscription)? {
    defer { phase = .ended }
    switch phase {
    case .first(let subscription), .second(let subscription): return subscription
    case .awaitingFirst, .choosing, .awaitingSecond, .handedOver, .ended: return nil
    }
  }

  // MARK: One after the other

  /// Makes second publishers wait until the caller proceeds.
  mutating func hold() { attaching = HandshakeThread() }

  /// Whether the caller must subscribe to a second publisher itself; otherwise the thread that is subscribing does.
  mutating func begin(_ attach: @escaping () -> Void) -> Bool {
    guard attaching.isNone else {
      next = attach
      return false
    }
    attaching = HandshakeThread()
    return true
  }

  /// What to do next, for the thread that has begun.
  mutating func proceed() -> (() -> Void)? {
    let following = next.take()
    if following == nil { attaching.end() }
    return following
  }
}
