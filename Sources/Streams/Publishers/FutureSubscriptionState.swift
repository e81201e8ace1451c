/// One subscriber's place at a future: whether it has requested the value, and whether it has been served.
struct FutureSubscriptionState<Subscriber> {
  private enum Phase {
    case waiting(Subscriber, hasAnyDemand: Bool)
    case ended
  }

  private var phase: Phase

  init(_ subscriber: Subscriber) { phase = .waiting(subscriber, hasAnyDemand: false) }

  /// Nil once it has been served or has cancelled.
  var subscriber: Subscriber? {
    if case .waiting(let subscriber, _) = phase { subscriber } else { nil }
  }

  var hasAnyDemand: Bool {
    if case .waiting(_, true) = phase { true } else { false }
  }

  /// Returns false after the end.
  mutating func request() -> Bool {
    guard case .waiting(let subscriber, _) = phase else { return false }
    phase = .waiting(subscriber, hasAnyDemand: true)
    return true
  }

  /// Returns the subscriber if the result is due now: a failure does not wait for demand.
  mutating func serve(isFailure: Bool) -> Subscriber? {
    isFailure || hasAnyDemand ? end() : nil
  }

  /// Returns the subscriber, to be released outside of a lock.
  mutating func end() -> Subscriber? {
    defer { phase = .ended }
    return subscriber
  }
}
