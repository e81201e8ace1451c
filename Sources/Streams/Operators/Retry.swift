extension Publishers {
  /// A publisher that subscribes to its upstream again when that fails.
  ///
  /// Made by ``Publisher/retry(_:)``, which describes it.
  public struct Retry<Upstream: Publisher>: Publisher {
    /// The values are the upstream's.
    public typealias Output = Upstream.Output
    /// It fails as its upstream does.
    public typealias Failure = Upstream.Failure

    /// The publisher from which this publisher receives values.
    public let upstream: Upstream
    /// How often to try again; without a limit if it is `nil` or negative.
    public let retries: Int?

    /// Makes the publisher that `retry(_:)` returns.
    @inlinable
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }

    /// Subscribes to the upstream on behalf of `subscriber`.
    @inlinable
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let inner = RetryInner(downstream: Downstream(subscriber), retries: retries) { [upstream] inner in
        upstream.subscribe(inner)
      }
      upstream.subscribe(inner)
    }
  }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}

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
  /// True while the upstream is subscribed again. A failure in that time leads to another round, not to recursion.
  private var isSubscribing = false
  private var hasFailedMeanwhile = false

  init(links: Links, retries: Int?) {
    self.links = links
    remaining = retries
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

@usableFromInline
final class RetryInner<Input, Failure: Error>: Subscriber, Subscription, Inner {
  @usableFromInline static var name: String { "Retry" }

  @usableFromInline
  struct Links {
    let downstream: Downstream<Input, Failure>
    let attach: (RetryInner) -> Void
  }

  /// The downstream is part of the state, because it is released at the end.
  @usableFromInline let state: Lock<RetryState<Links>>

  @usableFromInline
  init(downstream: Downstream<Input, Failure>, retries: Int?, attach: @escaping (RetryInner) -> Void) {
    state = Lock(RetryState(links: Links(downstream: downstream, attach: attach), retries: retries))
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    switch state.withLock({ $0.accept(subscription) }) {
    case .cancel:
      subscription.cancel()
    case .keep(let links, let isFirst, let demand):
      if isFirst { links.downstream.receive(subscription: self) }
      if demand != .none { subscription.request(demand) }
    }
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    withUnsafePointer(to: input) { receive(contentsOf: one($0)) }
  }

  /// As in Combine, what the downstream returns is requested and not returned.
  @usableFromInline
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    guard let links = state.withLock({ $0.spend(batch.count) }) else { return .none }
    let more = links.downstream.deliver(batch)
    if more != .none { request(more) }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished:
      state.withLock { $0.end() }?.links.downstream.receive(completion: .finished)
    case .failure:
      switch state.withLock({ $0.fail() }).0 {
      case .ignore: break
      case .end(let links): links.downstream.receive(completion: completion)
      case .resubscribe(let links): resubscribe(links)
      }
    }
  }

  private func resubscribe(_ links: Links) {
    repeat { links.attach(self) } while state.withLock { $0.needsAnotherRound() }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    state.withLock { $0.add(demand) }?.request(demand)
  }

  @usableFromInline
  func cancel() {
    let ended = state.withLock { $0.end() }
    ended?.subscription?.cancel()
  }
}

extension Publisher {
  /// Subscribes to this publisher again when it fails, at most `retries` times.
  ///
  /// What was requested and has not come is requested from the next subscription. After the last attempt a
  /// failure passes through; finishing does at any time. Cancelling ends the attempts. As in Combine, a value
  /// without demand traps. The upstream is subscribed again on the thread on which it failed.
  ///
  ///     let ticket = request.retry(3).sink(receiveCompletion: { print($0) }, receiveValue: { show($0) })
  @inlinable
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}
