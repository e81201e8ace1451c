/// How far a subscription is whose signals are under way for a while.
@frozen
@usableFromInline
enum RelayState {
  case awaiting
  case subscribed(any Subscription)
  /// The upstream has completed, or was cancelled and there is no subscription; the downstream does not know yet.
  case completing((any Subscription)?)
  case ended

  /// Whether the upstream's signals count.
  @inlinable var isSubscribed: Bool {
    if case .subscribed = self { true } else { false }
  }

  /// Whether the downstream gets signals.
  @inlinable var isOpen: Bool {
    switch self {
    case .subscribed, .completing: true
    case .awaiting, .ended: false
    }
  }

  /// The subscription, as long as the downstream gets signals.
  @usableFromInline var subscription: (any Subscription)? {
    switch self {
    case .subscribed(let subscription): subscription
    case .completing(let subscription): subscription
    case .awaiting, .ended: nil
    }
  }

  /// Keeps the first subscription. Returns false for any other.
  @usableFromInline
  mutating func subscribe(_ subscription: any Subscription) -> Bool {
    guard case .awaiting = self else { return false }
    self = .subscribed(subscription)
    return true
  }

  /// Notes that the upstream has completed. Returns false if that means nothing any more.
  @usableFromInline
  mutating func complete() -> Bool {
    guard case .subscribed(let subscription) = self else { return false }
    self = .completing(subscription)
    return true
  }

  /// Ends the upstream before it has completed by itself. Returns the subscription, which is to be cancelled.
  @usableFromInline
  mutating func abandon() -> (any Subscription)? {
    guard case .subscribed(let subscription) = self else { return nil }
    self = .completing(nil)
    return subscription
  }

  /// Nothing more is requested of an upstream that has completed: the downstream has cancelled. Returns the subscription,
  /// to be released. It may hold what is downstream, which would else be kept until the completion arrives, or for ever
  /// where the scheduler is given up before.
  @usableFromInline
  mutating func letGo() -> (any Subscription)? {
    guard case .completing(let subscription) = self else { return nil }
    self = .completing(nil)
    return subscription
  }

  /// Ends what has begun. Returns the subscription if there is one.
  @usableFromInline
  mutating func end() -> (any Subscription)? {
    guard isOpen else { return nil }
    defer { self = .ended }
    return subscription
  }
}
