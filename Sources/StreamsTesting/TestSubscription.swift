import Streams

/// A subscription that writes down what is asked of it and does nothing else, unless it is told what to do.
///
/// It may be used from any thread.
///
///     let subscription = TestSubscription()
///     operator.receive(subscription: subscription)
///     subscription.ledger.requests  // what the operator asked for
public final class TestSubscription: Subscription, CustomStringConvertible {
  private let locked = Locked(DemandLedger())
  private let name: String
  /// Called with each request, after it was written down.
  public var onRequest: (Subscribers.Demand) -> Void
  /// Called with each cancellation, after it was written down.
  public var onCancel: () -> Void

  /// Makes a subscription that describes itself as `name`.
  public init(
    _ name: String = "TestSubscription",
    onRequest: @escaping (Subscribers.Demand) -> Void = { _ in },
    onCancel: @escaping () -> Void = {}
  ) {
    self.name = name
    self.onRequest = onRequest
    self.onCancel = onCancel
  }

  /// What was asked of the subscription so far.
  public var ledger: DemandLedger { locked.withLock { $0 } }

  /// Writes down an event.
  public func record(_ entry: DemandLedger.Entry) { locked.withLock { $0.record(entry) } }

  /// Writes the request down and calls `onRequest`.
  public func request(_ demand: Subscribers.Demand) {
    record(.requested(demand))
    onRequest(demand)
  }

  /// Writes the cancellation down and calls `onCancel`.
  public func cancel() {
    record(.cancelled)
    onCancel()
  }

  /// The name that the subscription was given.
  public var description: String { name }
}
