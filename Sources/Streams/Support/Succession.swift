/// Where an operator is that goes on with a second publisher after its first.
///
/// Subscriptions that are no longer needed are handed out, so that they are released outside of a lock.
@usableFromInline
enum Succession {
  case awaitingFirst
  case first(any Subscription)
  case awaitingSecond
  case second(any Subscription)
  case ended

  /// The subscription of the publisher that is subscribed now.
  @usableFromInline
  var subscription: (any Subscription)? {
    switch self {
    case .first(let subscription), .second(let subscription): subscription
    default: nil
    }
  }

  /// Whether the first publisher's subscription is to be kept.
  @usableFromInline
  mutating func acceptFirst(_ subscription: any Subscription) -> Bool {
    guard case .awaitingFirst = self else { return false }
    self = .first(subscription)
    return true
  }

  /// Whether the second publisher's subscription is to be kept.
  @usableFromInline
  mutating func acceptSecond(_ subscription: any Subscription) -> Bool {
    guard case .awaitingSecond = self else { return false }
    self = .second(subscription)
    return true
  }

  /// Ends with the first publisher's completion. Returns its subscription, or nil if it is not its turn.
  @usableFromInline
  mutating func endFirst() -> (any Subscription)? {
    guard case .first = self else { return nil }
    return end()
  }

  /// Goes on with the second publisher. Returns the first one's subscription, or nil if it is not its turn.
  @usableFromInline
  mutating func moveOn() -> (any Subscription)? {
    guard case .first(let subscription) = self else { return nil }
    self = .awaitingSecond
    return subscription
  }

  /// Ends with the second publisher's completion. Returns its subscription, or nil if it is not its turn.
  @usableFromInline
  mutating func endSecond() -> (any Subscription)? {
    guard case .second = self else { return nil }
    return end()
  }

  /// Ends, wherever it is. Returns the subscription to cancel.
  @usableFromInline
  mutating func end() -> (any Subscription)? {
    defer { self = .ended }
    return subscription
  }
}
