/// The connection of a subscriber to a publisher: the way to request values and to stop them.
///
/// Both methods may be called from any thread and from within the subscriber's own methods.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Tells the publisher that it may send `demand` more values.
  func request(_ demand: Subscribers.Demand)
}
