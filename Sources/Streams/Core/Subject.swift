/// A publisher into which values can be sent from outside.
///
/// Its methods may be called from any thread, also from within a subscriber's methods. What is sent reaches
/// one subscriber after the other; signals to one subscriber never overlap.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to the subscribers that have demand for it.
  ///
  /// For subscribers without demand, a ``PassthroughSubject`` drops the value and a ``CurrentValueSubject`` keeps the
  /// latest. After a completion nothing is sent.
  func send(_ value: Output)

  /// Sends several values in one call. The default implementation sends one after the other.
  ///
  /// Each subscriber gets as many of them as it has demand for, in one call where it can take batches. The
  /// values are borrowed until the method returns.
  ///
  /// An operator may call its closure for several of them before it delivers the results. See <doc:Batches>.
  ///
  ///     [1.5, 2.5].withUnsafeBufferPointer { prices.send(contentsOf: $0) }
  func send(contentsOf batch: UnsafeBufferPointer<Output>)

  /// Sends a completion to every subscriber. The subject sends nothing after it.
  func send(completion: Subscribers.Completion<Failure>)

  /// Gives the subject a subscription to an upstream publisher, which will send it values.
  ///
  /// The subject requests values from it, and cancels it when the subject is released. `subscribe(_:)` of a publisher
  /// calls this.
  func send(subscription: any Subscription)

  /// A closure that sends values without retaining the subject, or nil. An upstream asks for it once and then calls it
  /// for each batch.
  func _sender() -> ((UnsafeBufferPointer<Output>) -> Void)?
}

extension Subject {
  /// Sends the values of `batch` one after the other.
  @inlinable
  public func send(contentsOf batch: UnsafeBufferPointer<Output>) {
    for index in 0..<batch.count { send(batch[index]) }
  }

  /// Nil: an upstream sends to the subject itself.
  @inlinable
  public func _sender() -> ((UnsafeBufferPointer<Output>) -> Void)? { nil }
}

extension Subject where Output == Void {
  /// Sends a value that carries nothing.
  ///
  ///     let taps = PassthroughSubject<Void, Never>()
  ///     taps.send()
  @inlinable
  public func send() { send(()) }
}
