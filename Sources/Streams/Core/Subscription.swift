/// The connection of a subscriber to a publisher: the way to request values and to stop them.
///
/// Both methods may be called from any thread and from within the subscriber's own methods.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Allows the publisher to send `demand` more values.
  ///
  /// Demand adds up. Values may be delivered before this method returns, on this thread; a request from
  /// within a delivery is remembered rather than answered by recursion. After the end, and after
  /// ``Cancellable/cancel()``, it does nothing. Many publishers treat a request for
  /// ``Subscribers/Demand/none`` as a programming error.
  func request(_ demand: Subscribers.Demand)

  /// The subscription itself if it is an object, else an object that stands for it.
  ///
  /// A hook for this library's subscribers; there is nothing to implement.
  func _subscriptionObject() -> any Subscription & AnyObject
}

extension Subscription {
  public func _subscriptionObject() -> any Subscription & AnyObject { SubscriptionBox(base: self) }
}

extension Subscription where Self: AnyObject {
  @inlinable
  public func _subscriptionObject() -> any Subscription & AnyObject { self }
}

/// An object that stands for a subscription that is not an object.
private final class SubscriptionBox: Subscription, CustomStringConvertible {
  private let base: any Subscription

  init(base: any Subscription) { self.base = base }

  func request(_ demand: Subscribers.Demand) { base.request(demand) }
  func cancel() { base.cancel() }
  var combineIdentifier: CombineIdentifier { base.combineIdentifier }
  var description: String { String(describing: base) }
}
