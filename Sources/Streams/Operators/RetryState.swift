/// What a retry has to remember.
@usableFromInline
struct RetryState<Links> {
  /// The downstream and the way to the upstream; nil after the end.
  var links: Links?
  var subscription: (any Subscription)?
  /// How often to try again, without a limit if it is nil or negative.
  var remaining: Int?
  var demand = Subscribers.Demand.none
  private var hasSentSubscription = false
  /// True while the upstream is being subscribed to. A failure in that time leads to another round, not to recursion.
  private var isSubscribing = false
  private var hasFailedMeanwhile = false

  init(links: Links, retries: Int?) {
    self.links = links
    remaining = retries
  }

  /// The first attempt is about to be made.
  mutating func begin() -> Links? {
    isSubscribing = true
    return links
  }

  enum Acceptance {
    case cancel
    /// Request the demand, after sending the subscription downstream the first time.
    case keep(Links, isFirst: Bool, Subscribers.Demand)
  }

  mutating func accept(_ new: any Subscription) -> Acceptance {
    guard let links, subscription == nil else { return .cancel }
    subscription = new
    defer { hasSentSubscription = true }
    return .keep(links, isFirst: !hasSentSubscription, demand)
  }

  /// Takes the demand for some values. Returns nil after the end; traps when there is not enough demand.
  mutating func spend(_ count: Int) -> Links? {
    guard let links else { return nil }
    precondition(demand >= count, "a value came without demand for it")
    demand -= count
    return links
  }

  /// Adds demand. Returns whom to ask.
  mutating func add(_ more: Subscribers.Demand) -> (any Subscription)? {
    guard links != nil else { return nil }
    demand += more
    return subscription
  }

  enum Reaction {
    case ignore
    case resubscribe(Links)
    case end(Links)
  }

  /// Returns also the subscription, to be released outside of the lock.
  mutating func fail() -> (Reaction, (any Subscription)?) {
    guard let links else { return (.ignore, nil) }
    if remaining == 0 { return (.end(links), end()?.subscription) }
    if let count = remaining { remaining = count - 1 }
    hasFailedMeanwhile = isSubscribing
    isSubscribing = true
    return (hasFailedMeanwhile ? .ignore : .resubscribe(links), subscription.take())
  }

  /// After subscribing: whether to do it again.
  mutating func needsAnotherRound() -> Bool {
    isSubscribing = hasFailedMeanwhile && links != nil
    hasFailedMeanwhile = false
    return isSubscribing
  }

  /// Ends the stream. Returns what is to be released outside of the lock, or nil if it has ended before.
  mutating func end() -> (links: Links, subscription: (any Subscription)?)? {
    guard let links = links.take() else { return nil }
    return (links, subscription.take())
  }
}
