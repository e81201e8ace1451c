import StreamsShims

/// The objects that watch. A flag beside them says whether there are any, so that the check costs one load.
final class Introspectors: @unchecked Sendable {
  static let shared = Introspectors()

  private let list = Lock<[any _Introspection]>([])

  var all: [any _Introspection] { list.withLock { $0 } }

  func add(_ object: any _Introspection) {
    list.withLock { list in
      if !list.contains(where: { $0 === object }) { list.append(object) }
      streams_set_introspected(true)
    }
  }

  func remove(_ object: any _Introspection) {
    list.withLock { list in
      list.removeAll { $0 === object }
      streams_set_introspected(!list.isEmpty)
    }
  }
}

extension Publisher {
  /// Attaches a subscriber and notifies the watching objects of it.
  @usableFromInline @inline(never)
  func subscribeIntrospected<S: Subscriber>(_ subscriber: S) where Failure == S.Failure, Output == S.Input {
    let watchers = Introspectors.shared.all
    // A subscriber that is watched already, and has only been wrapped by an eraser, is not watched twice.
    if let watched = watchedSubscriber(in: subscriber) as? AnySubscriber<Output, Failure> {
      for watcher in watchers { watcher.willReceive(publisher: self, subscriber: watched) }
      receive(subscriber: subscriber)
      for watcher in watchers { watcher.didReceive(publisher: self, subscriber: watched) }
    } else {
      for watcher in watchers { watcher.willReceive(publisher: self, subscriber: subscriber) }
      receive(subscriber: WatchedSubscriber(base: subscriber))
      for watcher in watchers { watcher.didReceive(publisher: self, subscriber: subscriber) }
    }
  }
}

/// A wrapper of a subscriber that shows what it wraps.
protocol SubscriberWrapper {
  var wrapped: Any { get }
}

extension SubscriberBox: SubscriberWrapper {
  var wrapped: Any { base }
}

extension ErasedSubscriber: SubscriberWrapper {
  var wrapped: Any { downstream.subscriber }
}

/// The subscriber that is watched, as an `AnySubscriber`, if there is one inside the wrappers.
private func watchedSubscriber(in subscriber: Any) -> Any? {
  if let watched = subscriber as? any IntrospectedSubscriber { return watched.erased }
  if let wrapper = subscriber as? any SubscriberWrapper { return watchedSubscriber(in: wrapper.wrapped) }
  return nil
}

private protocol IntrospectedSubscriber {
  var erased: Any { get }
}

/// Stands between a publisher and a subscriber and reports every signal to the watching objects.
private struct WatchedSubscriber<Base: Subscriber>: Subscriber, IntrospectedSubscriber, SubscriberWrapper,
  CustomStringConvertible
{
  typealias Input = Base.Input
  typealias Failure = Base.Failure

  let base: Base

  var erased: Any { AnySubscriber(base) }
  var wrapped: Any { base }
  var combineIdentifier: CombineIdentifier { base.combineIdentifier }
  var description: String { String(describing: base) }

  func receive(subscription: any Subscription) {
    let watchers = Introspectors.shared.all
    let watched = subscription as? WatchedSubscription ?? WatchedSubscription(base: subscription)
    for watcher in watchers { watcher.willReceive(subscriber: base, subscription: watched.base) }
    base.receive(subscription: watched)
    for watcher in watchers { watcher.didReceive(subscriber: base, subscription: watched.base) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    let watchers = Introspectors.shared.all
    for watcher in watchers { watcher.willReceive(subscriber: base, input: input) }
    let demand = base.receive(input)
    for watcher in watchers { watcher.didReceive(subscriber: base, input: input, resultingDemand: demand) }
    return demand
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let watchers = Introspectors.shared.all
    for watcher in watchers { watcher.willReceive(subscriber: base, completion: completion) }
    base.receive(completion: completion)
    for watcher in watchers { watcher.didReceive(subscriber: base, completion: completion) }
  }
}

private struct WatchedSubscription: Subscription, CustomStringConvertible {
  let base: any Subscription

  var combineIdentifier: CombineIdentifier { base.combineIdentifier }
  var description: String { String(describing: base) }

  func request(_ demand: Subscribers.Demand) {
    BatchProgress.deliverGatheredIfAny()
    let watchers = Introspectors.shared.all
    for watcher in watchers { watcher.willRequest(subscription: base, demand) }
    base.request(demand)
    for watcher in watchers { watcher.didRequest(subscription: base, demand) }
  }

  func cancel() {
    BatchProgress.deliverGatheredIfAny()
    let watchers = Introspectors.shared.all
    for watcher in watchers { watcher.willCancel(subscription: base) }
    base.cancel()
    for watcher in watchers { watcher.didCancel(subscription: base) }
  }
}
