import Streams

/// A subscription that records requests and cancels, and does nothing else unless it is given functions.
///
/// It may be used from any thread.
///
///     let subscription = TestSubscription()
///     operator.receive(subscription: subscription)
///     subscription.ledger.requests  // what the operator asked for
public final class TestSubscription: Subscription, CustomStringConvertible {
  private let locked = Locked(DemandLedger())
  private let name: String
  /// Called with each request, after it was recorded.
  public var onRequest: (Subscribers.Demand) -> Void
  /// Called with each cancellation, after it was recorded.
  public var onCancel: () -> Void

  /// Makes a subscription with the description `name`.
  public init(
    _ name: String = "TestSubscription",
    onRequest: @escaping (Subscribers.Demand) -> Void = { _ in },
    onCancel: @escaping () -> Void = {}
  ) {
    self.name = name
    self.onRequest = onRequest
    self.onCancel = onCancel
  }

  /// The recorded requests and cancels.
  public var ledger: DemandLedger { locked.withLock { $0 } }

  /// Records an event.
  public func record(_ entry: DemandLedger.Entry) { locked.withLock { $0.record(entry) } }

  /// Records the request and calls `onRequest`.
  public func request(_ demand: Subscribers.Demand) {
    record(.requested(demand))
    onRequest(demand)
  }

  /// Records the cancellation and calls `onCancel`.
  public func cancel() {
    record(.cancelled)
    onCancel()
  }

  /// The name that the subscription was given.
  public var description: String { name }
}
