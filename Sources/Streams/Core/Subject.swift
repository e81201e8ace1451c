/// A publisher into which values can be sent from outside.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to the subscribers that have demand for it.
  func send(_ value: Output)

  /// Sends several values at once. The default implementation sends one after the other.
  func send(contentsOf batch: UnsafeBufferPointer<Output>)

  /// Sends a completion to every subscriber. The subject sends nothing after it.
  func send(completion: Subscribers.Completion<Failure>)

  /// Gives the subject a subscription to an upstream publisher, whose values it will be sent.
  func send(subscription: any Subscription)
}

extension Subject {
  /// Sends the values of `batch` one after the other.
  @inlinable
  public func send(contentsOf batch: UnsafeBufferPointer<Output>) {
    for index in 0..<batch.count { send(batch[index]) }
  }
}

extension Subject where Output == Void {
  /// Sends a value that carries nothing.
  @inlinable
  public func send() { send(()) }
}
