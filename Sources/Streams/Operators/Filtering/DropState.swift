/// The state of an operator that delivers its subscription before it has its upstream's.
@usableFromInline
struct DropState {
  private enum Phase {
    case awaiting
    case subscribed(any Subscription)
    /// The downstream cancelled before there was anything to cancel.
    case cancelledEarly
    /// The upstream has completed. As in Combine, it may subscribe anew.
    case completed
    case cancelled
  }

  private var phase = Phase.awaiting
  /// What was requested while there was no upstream subscription.
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

  /// Keeps a subscription if there is none yet. After an early cancellation it is cancelled; as in Combine,
  /// one that comes late is left alone if there is no demand, unless `isStrict` is true.
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

  /// Notes that the upstream has been subscribed to.
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

  /// Notes that the upstream has completed. Returns its subscription, to be released outside of a lock.
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
