/// Whether a stream that drops until another publisher sends has begun, and which publisher has ended it.
///
/// A completion out of turn, before the subscription or a second one, passes as it does in Combine. A publisher that
/// follows the rules ends the stream once.
@usableFromInline
struct DropUntilOutputState {
  private enum Upstream {
    case awaiting
    case subscribed(any Subscription)
    case ended
  }

  private var upstream = Upstream.awaiting
  private var other: (any Subscription)?
  private var isTriggered = false
  /// Whether the upstream's completion has ended the stream, and whether the other's has.
  private var upstreamHasEnded = false
  private var otherHasEnded = false
  private(set) var isCancelled = false
  private(set) var demand = Subscribers.Demand.none

  @usableFromInline
  init() {}

  var currentUpstream: (any Subscription)? {
    if case .subscribed(let subscription) = upstream { subscription } else { nil }
  }

  private mutating func takeUpstream() -> (any Subscription)? {
    guard let subscription = currentUpstream else { return nil }
    upstream = .ended
    return subscription
  }

  // MARK: The upstream

  /// The demand to request from the upstream; nil to cancel it. A subscription that comes after the other publisher
  /// has ended the stream is kept, as in Combine.
  mutating func acceptUpstream(_ subscription: any Subscription) -> Subscribers.Demand? {
    guard case .awaiting = upstream, !upstreamHasEnded, !isCancelled else { return nil }
    upstream = .subscribed(subscription)
    return demand
  }

  /// Spends the demand of values that are dropped. Traps beyond it, as Combine does.
  mutating func drop(_ count: Int) {
    precondition(demand >= count, "a value came without demand for it")
    demand -= count
  }

  /// Returns the upstream's subscription, to be cancelled, if the other publisher has ended the stream.
  mutating func leaveUpstreamIfEnded() -> (any Subscription)? { otherHasEnded ? takeUpstream() : nil }

  /// Whether to pass the upstream's completion on, and what to release.
  mutating func completeUpstream() -> (isPassed: Bool, released: (any Subscription)?) {
    let isOutOfTurn = if case .awaiting = upstream { true } else { false }
    let isPassed = !upstreamHasEnded && !isCancelled && (!otherHasEnded || isOutOfTurn)
    upstreamHasEnded = true
    return (isPassed, takeUpstream())
  }

  // MARK: The other publisher

  /// Whether to keep the other's subscription.
  mutating func acceptOther(_ subscription: any Subscription, isStrict: Bool = false) -> Bool {
    guard other == nil, !isCancelled, !isStrict || !upstreamHasEnded else { return false }
    other = subscription
    return true
  }

  /// Whether values pass from now on, and what to release.
  mutating func trigger() -> (opens: Bool, released: (any Subscription)?) {
    isTriggered = true
    return (!upstreamHasEnded && !isCancelled, other.take())
  }

  /// Whether to pass the other's completion on, which counts only before its value; what to cancel; what to release.
  mutating func completeOther() -> (
    isPassed: Bool, unwanted: (any Subscription)?, released: (any Subscription)?
  ) {
    let released = other.take()
    if isTriggered || isCancelled { return (false, nil, released) }
    let isOutOfTurn = released == nil
    let isPassed = isOutOfTurn || (!upstreamHasEnded && !otherHasEnded)
    otherHasEnded = true
    return (isPassed, takeUpstream(), released)
  }

  /// Takes the subscription to the other publisher, which is no longer needed when the upstream has ended.
  mutating func leaveOther() -> (any Subscription)? { other.take() }

  // MARK: The downstream

  /// Returns the subscription to pass the request on to.
  mutating func request(_ more: Subscribers.Demand) -> (any Subscription)? {
    demand += more
    return currentUpstream
  }

  /// Returns what to cancel.
  mutating func cancel() -> (upstream: (any Subscription)?, other: (any Subscription)?) {
    isCancelled = true
    return (takeUpstream(), other.take())
  }
}
