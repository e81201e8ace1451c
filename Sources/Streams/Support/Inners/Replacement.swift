/// The state of an operator that may send a replacement when its upstream ends. The replacement is owed until
/// there is demand for it.
struct Replacement {
  enum Phase {
    case awaiting
    case subscribed(any Subscription)
    /// The upstream has ended, and there is no demand for the replacement yet.
    case owing
    case ended
  }

  /// What to do about the upstream's end.
  enum End {
    case ignored
    case passedOn
    case replaced
  }

  private(set) var phase = Phase.awaiting
  /// The demand that has not been spent. An operator that does not spend it reads from it whether there was a
  /// request.
  var demand = Subscribers.Demand.none
  /// The thread that delivers the subscription or a value.
  private var handshake = HandshakeThread.none

  var isSubscribed: Bool {
    if case .subscribed = phase { return true }
    return false
  }

  /// Takes the demand for values, whose delivery begins. Returns nil after the end, else the delivery it is nested in.
  mutating func beginDelivery(of count: Int) -> HandshakeThread? {
    guard isSubscribed else { return nil }
    demand -= count
    return exchange(&handshake, with: HandshakeThread())
  }

  /// A delivery has ended. Returns whether the replacement is due: the upstream has ended in the delivery, and the
  /// replacement is demanded by what that returned, or by another thread.
  mutating func endDelivery(within outer: HandshakeThread, returned more: Subscribers.Demand) -> Bool {
    demand += more
    handshake = outer
    return outer.isNone && takeOwed()
  }

  /// Whether to keep the subscription.
  mutating func accept(_ subscription: any Subscription) -> Bool {
    guard case .awaiting = phase else { return false }
    phase = .subscribed(subscription)
    handshake = HandshakeThread()
    return true
  }

  /// The downstream has its subscription. Returns whether the replacement is due: another thread has requested it
  /// during the handshake.
  mutating func endHandshake() -> Bool {
    handshake.end()
    return takeOwed()
  }

  private mutating func takeOwed() -> Bool {
    guard case .owing = phase, demand != .none else { return false }
    phase = .ended
    return true
  }

  /// Ends with the upstream. Returns the subscription too, to be released outside of a lock.
  mutating func end(isReplaced: Bool) -> (end: End, released: (any Subscription)?) {
    guard case .subscribed(let subscription) = phase else { return (.ignored, nil) }
    let isOwed = isReplaced && demand == .none
    phase = isOwed ? .owing : .ended
    return (isOwed ? .ignored : isReplaced ? .replaced : .passedOn, subscription)
  }

  /// Returns the subscription to pass a request on to, and whether the replacement is due.
  mutating func request(_ more: Subscribers.Demand) -> (subscription: (any Subscription)?, isDue: Bool) {
    demand += more
    switch phase {
    case .subscribed(let subscription): return (subscription, false)
    case .owing where !handshake.isElsewhere:
      phase = .ended
      return (nil, true)
    case .awaiting, .owing, .ended: return (nil, false)
    }
  }

  /// Returns the subscription to cancel.
  mutating func cancel() -> (any Subscription)? {
    switch phase {
    case .subscribed(let subscription):
      phase = .ended
      return subscription
    case .owing:
      phase = .ended
      return nil
    case .awaiting, .ended: return nil
    }
  }
}
