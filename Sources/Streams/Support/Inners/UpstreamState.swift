/// The state of a subscription whose signals are under way for a while.
///
/// The phase is a field beside the subscription, not an enumeration with the subscription in some cases: it is read for
/// each value, and reading such a case would copy the subscription.
@frozen
@usableFromInline
struct UpstreamState {
  @frozen
  @usableFromInline
  enum Phase {
    case awaiting
    case subscribed
    /// The upstream has completed, or was cancelled and there is no subscription; the downstream has not been notified
    /// yet.
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

  @inlinable static var awaiting: UpstreamState { UpstreamState(.awaiting) }
  @inlinable static var ended: UpstreamState { UpstreamState(.ended) }

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

  /// Notes that the upstream has completed. Returns false if that no longer matters.
  @usableFromInline
  mutating func complete() -> Bool {
    guard isSubscribed else { return false }
    phase = .completing
    return true
  }

  /// Ends the upstream before it has completed by itself. Returns the subscription, which the caller must cancel.
  @usableFromInline
  mutating func abandon() -> (any Subscription)? {
    complete() ? subscription.take() : nil
  }

  /// The downstream has cancelled, and so requests nothing more of an upstream that has completed. Returns the
  /// subscription, to be released. It may retain the downstream, which would otherwise be kept until the completion
  /// arrives, or for ever if the scheduler is abandoned before.
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
