import Streams

/// A publisher that does only what the test tells it to, and records its subscribers' requests.
///
/// It checks nothing: a test can send values without demand, after a completion, or after a cancellation, to see how an operator
/// reacts. Signals go to all current subscribers, usually one.
///
///     let upstream = TestPublisher<Int, Never>()
///     upstream.map { $0 * 2 }.subscribe(recorder)
///     upstream.send(1)                  // recorder.values is [2]
///     upstream.ledger.requests          // what the operator asked for
public final class TestPublisher<Output, Failure: Error>: Publisher {
  private struct State {
    var subscribers: [any Subscriber<Output, Failure>] = []
    var subscriptions: [TestSubscription] = []
  }

  private let locked = Locked(State())
  private let sendsSubscription: Bool
  /// Called with each request of any subscriber. A subscription keeps the function that is set when it is made.
  public var onRequest: (Subscribers.Demand) -> Void = { _ in }
  /// Called with each cancellation by any subscriber. A subscription keeps the function that is set when it is made.
  public var onCancel: () -> Void = {}
  /// Called with each subscriber, before the subscription is sent.
  public var onSubscribe: (any Subscriber<Output, Failure>) -> Void = { _ in }

  /// Makes a publisher that sends each subscriber a subscription, or leaves that to the test.
  public init(sendsSubscription: Bool = true) {
    self.sendsSubscription = sendsSubscription
  }

  /// Adds `subscriber`, and sends it a subscription unless the test does that itself.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let subscription = TestSubscription(onRequest: onRequest, onCancel: onCancel)
    locked.withLock { state in
      state.subscribers.append(subscriber)
      state.subscriptions.append(subscription)
    }
    onSubscribe(subscriber)
    if sendsSubscription { subscriber.receive(subscription: subscription) }
  }

  /// The subscribers, in order.
  public var subscribers: [any Subscriber<Output, Failure>] { locked.withLock { $0.subscribers } }

  /// The subscriptions made for them, in the same order.
  public var subscriptions: [TestSubscription] { locked.withLock { $0.subscriptions } }

  /// What the last subscriber requested and got.
  public var ledger: DemandLedger { subscriptions.last?.ledger ?? DemandLedger() }

  /// Releases the subscribers. They receive nothing any more.
  public func forgetSubscribers() {
    let forgotten = locked.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(forgotten) {}
  }
}

// MARK: - Sending

extension TestPublisher {
  /// Delivers a value with or without demand for it. Returns the sum of the demands returned.
  @discardableResult
  public func send(_ value: Output) -> Subscribers.Demand {
    deliver(1) { $0.receive(value) }
  }

  /// Delivers values in one call. Returns the sum of the demands returned.
  @discardableResult
  public func send(batch: [Output]) -> Subscribers.Demand {
    batch.withUnsafeBufferPointer { buffer in
      deliver(buffer.count) { $0.receive(contentsOf: buffer) }
    }
  }

  /// Delivers a value to the subscribers that have demand. Returns their number.
  @discardableResult
  public func sendIfDemanded(_ value: Output) -> Int {
    forEach { subscriber, subscription in
      guard subscription.ledger.outstanding != .none else { return 0 }
      subscription.record(.delivered(1))
      subscription.record(.returned(subscriber.receive(value)))
      return 1
    }.reduce(0, +)
  }

  /// Sends a completion.
  public func send(completion: Subscribers.Completion<Failure>) {
    for subscriber in subscribers { subscriber.receive(completion: completion) }
  }

  /// Sends a subscription, for the first time or once more.
  public func send(subscription: any Subscription) {
    for subscriber in subscribers { subscriber.receive(subscription: subscription) }
  }

  /// Sends the subscriptions that were made when the subscribers came.
  public func sendSubscription() {
    _ = forEach { $0.receive(subscription: $1) }
  }

  private func deliver(
    _ count: Int, _ call: (any Subscriber<Output, Failure>) -> Subscribers.Demand
  ) -> Subscribers.Demand {
    forEach { subscriber, subscription in
      subscription.record(.delivered(count))
      let demand = call(subscriber)
      subscription.record(.returned(demand))
      return demand
    }.reduce(.none, +)
  }

  private func forEach<Result>(
    _ body: (any Subscriber<Output, Failure>, TestSubscription) -> Result
  ) -> [Result] {
    let state = locked.withLock { $0 }
    return Swift.zip(state.subscribers, state.subscriptions).map(body)
  }
}
