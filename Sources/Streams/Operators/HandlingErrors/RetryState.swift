/// Schedules the next attempt of a retry.
@usableFromInline
package typealias RetryTiming = (_ attempt: @escaping () -> Void) -> any Cancellable

/// The state of a retry.
@usableFromInline
struct RetryState<Links> {
  /// The downstream and the way to the upstream; nil after the end.
  @usableFromInline var links: Links?
  var subscription: (any Subscription)?
  /// How often to try again, without a limit if it is nil or negative.
  var remaining: Int?
  @usableFromInline var demand = Subscribers.Demand.none
  private var hasSentSubscription = false
  /// True while the upstream is being subscribed to. A failure in that time leads to another round, not to recursion.
  private var isSubscribing = false

  private enum Wait {
    case none
    case begun
    case timed(any Cancellable)
  }

  /// Whether the next attempt waits for its time, and the number of the last wait.
  private var wait = Wait.none
  private var waitNumber = 0
  private var hasFailedMeanwhile = false

  init(links: Links, retries: Int?) {
    self.links = links
    remaining = retries
  }

  /// Notes that the first attempt is about to be made.
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
  @inlinable
  mutating func spend(_ count: Int) -> Links? {
    guard let links else { return nil }
    precondition(demand >= count, "a value came without demand for it")
    demand -= count
    return links
  }

  /// Adds demand. Returns the subscription to request from.
  mutating func add(_ more: Subscribers.Demand) -> (any Subscription)? {
    guard links != nil else { return nil }
    demand += more
    return subscription
  }

  enum Reaction {
    case ignore
    case resubscribe(Links)
    /// Schedule the next attempt, and keep the timer for this number.
    case wait(Int, RetryTiming)
    case end(Links)
  }

  /// Returns what to do, and the subscription, to be released outside of the lock.
  mutating func fail(_ timing: RetryTiming? = nil) -> (Reaction, (any Subscription)?) {
    guard let links else { return (.ignore, nil) }
    if remaining == 0 { return (.end(links), end()?.subscription) }
    if let count = remaining { remaining = count - 1 }
    if let timing {
      wait = .begun
      waitNumber += 1
      return (.wait(waitNumber, timing), subscription.take())
    }
    hasFailedMeanwhile = isSubscribing
    isSubscribing = true
    return (hasFailedMeanwhile ? .ignore : .resubscribe(links), subscription.take())
  }

  /// Keeps the timer of a wait. Returns false if that wait is over, even if another one has begun since.
  mutating func keep(_ timer: any Cancellable, for number: Int) -> Bool {
    guard case .begun = wait, number == waitNumber else { return false }
    wait = .timed(timer)
    return true
  }

  /// Ends a wait. Returns the links for the next attempt, unless the one before is still being subscribed to and leads
  /// to another round, and the timer, to be cancelled.
  mutating func goOn() -> (links: Links?, timer: (any Cancellable)?) {
    guard let links else { return (nil, nil) }
    if case .none = wait { return (nil, nil) }
    let timer = takeTimer()
    hasFailedMeanwhile = isSubscribing
    defer { isSubscribing = true }
    return (isSubscribing ? nil : links, timer)
  }

  private mutating func takeTimer() -> (any Cancellable)? {
    defer { wait = .none }
    if case .timed(let timer) = wait { return timer }
    return nil
  }

  /// After subscribing: whether to do it again.
  mutating func needsAnotherRound() -> Bool {
    isSubscribing = hasFailedMeanwhile && links != nil
    hasFailedMeanwhile = false
    return isSubscribing
  }

  /// Ends the stream. Returns what the caller must release outside of the lock, or nil if it had ended before.
  mutating func end() -> (
    links: Links, subscription: (any Subscription)?, timer: (any Cancellable)?
  )? {
    guard let links = links.take() else { return nil }
    return (links, subscription.take(), takeTimer())
  }
}
