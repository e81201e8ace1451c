import Combine

import class Foundation.NSLock

/// A subject that remembers its last value, if there is one.
public final class LatestSubject<Output, Failure: Error>: Subject {
  private let lock = NSLock()
  private var latest: Output?
  private let live = PassthroughSubject<Output, Failure>()

  public init() {}

  public func send(_ value: Output) {
    lock.lock()
    latest = value
    lock.unlock()
    live.send(value)
  }

  public func send(completion: Subscribers.Completion<Failure>) { live.send(completion: completion) }

  public func send(subscription: Subscription) { subscription.request(.unlimited) }

  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    lock.lock()
    let first = latest
    lock.unlock()
    live.prepend([first].compactMap { $0 }).subscribe(subscriber)
  }
}

extension Publisher {
  /// Shares the publisher; who comes late gets the last value.
  public func shareLatest()
    -> Publishers.Autoconnect<Publishers.Multicast<Self, LatestSubject<Output, Failure>>>
  {
    multicast { LatestSubject() }.autoconnect()
  }
}
