/// Where an operator is that gives its subscription before it has its upstream's.
@usableFromInline
struct DropState {
  private enum Phase {
    case awaiting
    case subscribed(any Subscription)
    /// The downstream has cancelled before there was anything to cancel.
    case cancelledEarly
    /// The upstream has completed. As in Combine, it may subscribe anew.
    case completed
    case cancelled
  }

  private var phase = Phase.awaiting
  /// What was requested while there was nobody to ask.
  private var demand = Subscribers.Demand.none
  /// Whether the upstream is being subscribed to.
  private var isAttaching = true

  @usableFromInline
  init() {}

  @usableFromInline var isCancelled: Bool { if case .cancelledEarly = phase { true } else { false } }

  @usableFromInline
  enum Acceptance: Equatable {
    case cancel
    case request(Subscribers.Demand)
  }

  /// Keeps a subscription while there is none. After an early cancellation it is cancelled; as in Combine, one
  /// that comes late is left alone where there is nothing to ask it for, unless that is to be different.
  @usableFromInline
  mutating func accept(
    _ subscription: any Subscription, dropping count: Int, isStrict: Bool = false
  ) -> Acceptance {
    let total = demand + count
    switch phase {
    case .awaiting, .completed:
      phase = .subscribed(subscription)
      return .request(total)
    case .cancelledEarly:
      phase = .cancelled
      return total == .none && !isAttaching && !isStrict ? .request(.none) : .cancel
    case .subscribed, .cancelled: return .cancel
    }
  }

  /// The upstream has been subscribed to.
  mutating func endAttaching() { isAttaching = false }

  /// Returns the subscription to pass the request on to.
  @usableFromInline
  mutating func request(_ more: Subscribers.Demand) -> (any Subscription)? {
    switch phase {
    case .awaiting, .completed: demand += more
    case .subscribed(let subscription): return subscription
    case .cancelledEarly, .cancelled: break
    }
    return nil
  }

  /// The upstream has completed. Returns its subscription, to be released outside of a lock.
  @usableFromInline
  mutating func complete() -> (any Subscription)? {
    guard case .subscribed(let subscription) = phase else { return nil }
    phase = .completed
    return subscription
  }

  /// Returns the subscription to cancel.
  @usableFromInline
  mutating func cancel() -> (any Subscription)? {
    switch phase {
    case .awaiting: phase = .cancelledEarly
    case .subscribed(let subscription):
      phase = .cancelled
      return subscription
    case .cancelledEarly, .completed, .cancelled: break
    }
    return nil
  }
}
