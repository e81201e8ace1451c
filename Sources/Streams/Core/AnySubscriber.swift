/// A subscriber whose type is erased, or one that is made of closures.
///
///     let subscriber = AnySubscriber<Int, Never>(
///       receiveSubscription: { $0.request(.max(2)) },
///       receiveValue: { print($0); return .none })
///     [1, 2, 3].publisher.subscribe(subscriber)  // 1, 2
public struct AnySubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline let base: Downstream<Input, Failure>

  /// The identifier of the wrapped subscriber.
  public let combineIdentifier: CombineIdentifier

  @inlinable
  init(base: Downstream<Input, Failure>) {
    self.base = base
    combineIdentifier = base.subscriber.combineIdentifier
  }

  /// Wraps a subscriber. An `AnySubscriber` is not wrapped again.
  @inlinable
  public init<S: Subscriber>(_ subscriber: S) where Input == S.Input, Failure == S.Failure {
    self.init(base: Downstream(subscriber))
  }

  /// Makes a subscriber that sends everything it receives to `subject`. It does not keep the subject alive.
  @inlinable
  public init<S: Subject>(_ subject: S) where Input == S.Output, Failure == S.Failure {
    self.init(base: Downstream(SubjectSubscriber(subject)))
  }

  /// Makes a subscriber of closures. An omitted closure does nothing, and requests nothing.
  @inlinable
  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    let subscriber = ClosureSubscriber(
      receiveSubscription: receiveSubscription ?? { _ in },
      receiveValue: receiveValue ?? { _ in .none },
      receiveCompletion: receiveCompletion ?? { _ in })
    self.init(base: Downstream(subscriber))
  }

  /// Passes the subscription to the wrapped subscriber.
  @inlinable
  public func receive(subscription: any Subscription) { base.receive(subscription: subscription) }

  /// Passes the value to the wrapped subscriber. Returns the demand that it returns.
  @inlinable
  public func receive(_ value: Input) -> Subscribers.Demand { base.receive(value) }

  /// Passes the batch to the wrapped subscriber. Returns the demand that it returns.
  @inlinable
  public func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    base.receive(contentsOf: batch)
  }

  /// Passes the completion to the wrapped subscriber.
  @inlinable
  public func receive(completion: Subscribers.Completion<Failure>) { base.receive(completion: completion) }

  @inlinable
  public func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand { base.deliver }

  @inlinable
  public func _object() -> any Subscriber<Input, Failure> & AnyObject { base.subscriber }

  /// The description of the wrapped subscriber.
  public var description: String { describe(base.subscriber) }
  /// The mirror of the wrapped subscriber.
  public var customMirror: Mirror { reflect(base.subscriber) }
  /// What a playground shows for the wrapped subscriber.
  public var playgroundDescription: Any { describeInPlayground(base.subscriber) }
}

@usableFromInline
final class ClosureSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline let receiveSubscription: (any Subscription) -> Void
  @usableFromInline let receiveValue: (Input) -> Subscribers.Demand
  @usableFromInline let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  @inlinable
  init(
    receiveSubscription: @escaping (any Subscription) -> Void,
    receiveValue: @escaping (Input) -> Subscribers.Demand,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.receiveSubscription = receiveSubscription
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
  }

  @inlinable
  func receive(subscription: any Subscription) { receiveSubscription(subscription) }
  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { receiveValue(input) }
  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { receiveCompletion(completion) }

  @usableFromInline var description: String { "Anonymous AnySubscriber" }
  @usableFromInline var customMirror: Mirror { Mirror(reflecting: description) }
  @usableFromInline var playgroundDescription: Any { description }
}
