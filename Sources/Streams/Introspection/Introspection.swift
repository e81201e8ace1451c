/// An object that watches publishers, subscribers and subscriptions.
///
/// While it is enabled, it is notified of all signals of subscriptions made by
/// ``Publisher/subscribe(_:)-(Subscriber)``, which then puts an observer between publisher and subscriber. Earlier
/// subscriptions are not watched.
public protocol _Introspection: AnyObject {
  func willReceive<Upstream: Publisher, Downstream: Subscriber>(publisher: Upstream, subscriber: Downstream)
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input

  func didReceive<Upstream: Publisher, Downstream: Subscriber>(publisher: Upstream, subscriber: Downstream)
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input

  func willReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription)
  func didReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription)

  func willReceive<Downstream: Subscriber>(subscriber: Downstream, input: Downstream.Input)
  func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, input: Downstream.Input, resultingDemand: Subscribers.Demand)

  func willReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>)
  func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>)

  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand)
  func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand)

  func willCancel(subscription: any Subscription)
  func didCancel(subscription: any Subscription)
}

extension _Introspection {
  public func willReceive<Upstream: Publisher, Downstream: Subscriber>(
    publisher: Upstream, subscriber: Downstream
  )
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input {}
  public func didReceive<Upstream: Publisher, Downstream: Subscriber>(
    publisher: Upstream, subscriber: Downstream
  )
  where Upstream.Failure == Downstream.Failure, Upstream.Output == Downstream.Input {}

  public func willReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription) {}
  public func didReceive<Downstream: Subscriber>(subscriber: Downstream, subscription: any Subscription) {}

  public func willReceive<Downstream: Subscriber>(subscriber: Downstream, input: Downstream.Input) {}
  public func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, input: Downstream.Input, resultingDemand: Subscribers.Demand
  ) {}

  public func willReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>
  ) {}
  public func didReceive<Downstream: Subscriber>(
    subscriber: Downstream, completion: Subscribers.Completion<Downstream.Failure>
  ) {}

  public func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {}
  public func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {}
  public func willCancel(subscription: any Subscription) {}
  public func didCancel(subscription: any Subscription) {}

  /// Begins to watch.
  public func enable() { Introspectors.shared.add(self) }

  /// Stops watching, existing subscriptions included.
  public func disable() { Introspectors.shared.remove(self) }

  /// Whether this object is watching.
  public var isEnabled: Bool { Introspectors.shared.all.contains { $0 === self } }
}
