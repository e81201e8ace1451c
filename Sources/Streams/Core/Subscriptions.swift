/// A namespace for ready-made subscriptions.
///
/// ``empty`` is the only one.
public enum Subscriptions {
  /// A subscription that does nothing, for publishers that complete immediately.
  public static var empty: any Subscription { EmptySubscription.shared }
}

private final class EmptySubscription: Subscription, Inner, Sendable {
  static let shared = EmptySubscription()
  static var name: String { "Empty" }

  func request(_ demand: Subscribers.Demand) {}
  func cancel() {}
}
