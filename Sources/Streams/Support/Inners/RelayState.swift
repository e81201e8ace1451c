/// How far a subscription is whose signals are under way for a while.
///
/// The phase is beside the subscription, and not an enumeration that has it in some of its cases: whether a value counts
/// is asked for every one, and to look at such a case is to copy what it holds.
@frozen
@usableFromInline
struct RelayState {
  @frozen
  @usableFromInline
  enum Phase {
    case awaiting
    case subscribed
    /// The upstream has completed, or was cancelled and there is no subscription; the downstream does not know yet.
    case completing
    case ended
  }

  @usableFromInline private(set) var phase: Phase
  /// The subscription, as long as the downstream gets signals.
  @usableFromInline private(set) var subscription: (any Subscription)?

  @inlinable
  init(_ phase: Phase) {
    self.phase = phase
    subscription = nil
  }

  @inlinable static var awaiting: RelayState { RelayState(.awaiting) }
  @inlinable static var ended: RelayState { RelayState(.ended) }

  /// Whether the upstream's signals count.
  @inlinable var isSubscribed: Bool { phase == .subscribed }

  /// Whether the downstream gets signals.
  @inlinable var isOpen: Bool { phase == .subscribed || phase == .completing }

  /// Keeps the first subscription. Returns false for any other.
  @usableFromInline
  mutating func subscribe(_ subscription: any Subscription) -> Bool {
    guard phase == .awaiting else { return false }
    (phase, self.subscription) = (.subscribed, subscription)
    return true
  }

  /// Notes that the upstream has completed. Returns false if that means nothing any more.
  @usableFromInline
  mutating func complete() -> Bool {
    guard isSubscribed else { return false }
    phase = .completing
    return true
  }

  /// Ends the upstream before it has completed by itself. Returns the subscription, which is to be cancelled.
  @usableFromInline
  mutating func abandon() -> (any Subscription)? {
    complete() ? subscription.take() : nil
  }

  /// Nothing more is requested of an upstream that has completed: the downstream has cancelled. Returns the subscription,
  /// to be released. It may hold what is downstream, which would else be kept until the completion arrives, or for ever
  /// where the scheduler is given up before.
  @usableFromInline
  mutating func release() -> (any Subscription)? {
    phase == .completing ? subscription.take() : nil
  }

  /// Ends what has begun. Returns the subscription if there is one.
  @usableFromInline
  mutating func end() -> (any Subscription)? {
    guard isOpen else { return nil }
    phase = .ended
    return subscription.take()
  }
}
