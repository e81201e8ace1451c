/// Where an operator is that gives its subscription before it has its upstream's.
@usableFromInline
struct DropState {
  private enum Phase {
    case awaiting(Subscribers.Demand)
    case subscribed(any Subscription)
    /// The downstream has cancelled before there was anything to cancel.
    case cancelledEarly(Subscribers.Demand)
    case ended
  }

  private var phase = Phase.awaiting(.none)

  @usableFromInline
  init() {}

  @usableFromInline var isCancelled: Bool { if case .cancelledEarly = phase { true } else { false } }

  @usableFromInline
  enum Acceptance {
    case cancel
    case request(Subscribers.Demand)
  }

  /// Keeps the first subscription. After an early cancellation it is cancelled; as in Combine, it is left alone where
  /// there is nothing to ask it for.
  @usableFromInline
  mutating func accept(_ subscription: any Subscription, dropping count: Int) -> Acceptance {
    switch phase {
    case .awaiting(let demand):
      phase = .subscribed(subscription)
      return .request(demand + count)
    case .cancelledEarly(let demand):
      phase = .ended
      return demand + count == .none ? .request(.none) : .cancel
    case .subscribed, .ended: return .cancel
    }
  }

  /// Returns the subscription to pass the request on to.
  @usableFromInline
  mutating func request(_ more: Subscribers.Demand) -> (any Subscription)? {
    switch phase {
    case .awaiting(let demand): phase = .awaiting(demand + more)
    case .subscribed(let subscription): return subscription
    case .cancelledEarly, .ended: break
    }
    return nil
  }

  /// Ends with the upstream. Returns its subscription, to be released outside of a lock.
  @usableFromInline
  mutating func end() -> (any Subscription)? {
    guard case .subscribed(let subscription) = phase else { return nil }
    phase = .ended
    return subscription
  }

  /// Returns the subscription to cancel.
  @usableFromInline
  mutating func cancel() -> (any Subscription)? {
    if case .awaiting(let demand) = phase { phase = .cancelledEarly(demand) }
    return end()
  }
}
