/// A type that receives a subscription, values and a completion from a publisher.
///
/// A subscriber gets only as many values as it has requested through its subscription and by returning further
/// demand from ``receive(_:)``. Signals to one subscriber never overlap, though they may come on different
/// threads. It may request and cancel at any time, from any thread and from within these methods.
///
/// Most programs use `sink` or `assign`. A custom subscriber sets the pace:
///
///     struct OneByOne: Subscriber {
///       let combineIdentifier = CombineIdentifier()
///       func receive(subscription: any Subscription) { subscription.request(.max(1)) }
///       func receive(_ input: Int) -> Subscribers.Demand { print(input); return .max(1) }
///       func receive(completion: Subscribers.Completion<Never>) {}
///     }
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// The kind of values this subscriber receives.
  associatedtype Input
  /// The kind of error this subscriber may receive; `Never` if it cannot receive one.
  associatedtype Failure: Error

  /// Delivers the subscription, through which the subscriber may request values.
  ///
  /// This call comes first, and once. A subscriber that has a subscription already cancels a second one.
  func receive(subscription: any Subscription)

  /// Delivers one value. Returns the demand to add to what was requested before.
  ///
  /// The result is added, never taken away: `.none` leaves the demand as it is. To stop, cancel the
  /// subscription.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Delivers several values in one call, never more than are demanded. Returns the sum of the added demand.
  ///
  /// `batch` is valid until the method returns. The default implementation calls ``receive(_:)`` for each value;
  /// implement it where a batch can be handled faster than its values one by one.
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand

  /// Delivers the completion, after which the publisher sends nothing.
  ///
  /// It needs no demand. The subscription need not be cancelled after it.
  func receive(completion: Subscribers.Completion<Failure>)

  /// The call with which an upstream delivers values, taken once for each subscription.
  ///
  /// A hook for this library's subscribers: an implementation may capture less than the whole subscriber.
  func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand

  /// The call with which an upstream delivers values in pieces; nil if the subscriber does not take those.
  ///
  /// A hook for this library's subscribers; there is nothing to implement.
  func _pieceDelivery() -> ((any _Piece<Input>) -> Subscribers.Demand)?

  /// The subscriber itself if it is an object, else an object that stands for it.
  ///
  /// A hook for this library's publishers; there is nothing to implement.
  func _object() -> any Subscriber<Input, Failure> & AnyObject
}

extension Subscriber {
  /// Calls ``receive(_:)`` for each value of `batch`. Returns the sum of the demands it returns.
  @inlinable
  public func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    if batch.isSingle { return batch.lend(0) { receive($0) } }
    return BatchProgress.inStepWhileOpen(at: UnsafeRawPointer(batch.baseAddress), count: batch.count) {
      batch.lend($0) { receive($0) }
    }
  }

  @inlinable
  public func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    { batch in BatchProgress.deliver(batch) { receive(contentsOf: batch) } }
  }

  @inlinable
  public func _pieceDelivery() -> ((any _Piece<Input>) -> Subscribers.Demand)? { nil }
}

extension Subscriber {
  @inlinable
  public func _object() -> any Subscriber<Input, Failure> & AnyObject { SubscriberBox(self) }
}

extension Subscriber where Self: AnyObject {
  // Not the implementation above: here the closure captures a reference, there a value of any size, by its
  // address.
  @inlinable
  public func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    { [self] batch in BatchProgress.deliver(batch) { receive(contentsOf: batch) } }
  }

  @inlinable
  public func _object() -> any Subscriber<Input, Failure> & AnyObject { self }
}

extension Subscriber where Self: AnyObject & ReliesOnRules {
  // An operator knows whether it has ended.
  @inlinable
  package func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    { [self] batch in receive(contentsOf: batch) }
  }
}

extension Subscriber where Input == Void {
  /// Delivers a value that carries nothing.
  ///
  /// Returns the demand to add to what was requested before.
  @inlinable
  public func receive() -> Subscribers.Demand { receive(()) }
}
