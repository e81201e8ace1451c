/// A publisher whose type is erased.
///
/// It behaves as the publisher that it wraps: demand, completion, failure, cancellation and threads are that
/// publisher's. It is one reference, so copying it is cheap.
///
///     let numbers: AnyPublisher<Int, Never> = [1, 2, 3].publisher.map { $0 * 2 }.eraseToAnyPublisher()
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline let box: PublisherBox<Output, Failure>

  /// Wraps a publisher. An `AnyPublisher` is not wrapped again.
  @inlinable
  public init<P: Publisher>(_ publisher: P) where Output == P.Output, Failure == P.Failure {
    if let erased = publisher as? AnyPublisher<Output, Failure> {
      box = erased.box
    } else if let single = publisher.singleValue {
      box = SingleValueBox(single)
    } else if let map = publisher as? Publishers.Map<AnyPublisher<Output, Failure>, Output> {
      box = ErasedMaps(map)
    } else {
      box = PublisherBox { publisher.receive(subscriber: ErasedSubscriber($0)) }
    }
  }

  /// Attaches `subscriber` to the wrapped publisher.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where Output == S.Input, Failure == S.Failure {
    if let attach = box.attach { return attach(Downstream(subscriber)) }
    if let maps = box.maps { return maps.attach(Downstream(subscriber)) }
    box.single?.value.give(to: ErasedSubscriber(Downstream(subscriber)))
  }

  /// Always `AnyPublisher`; the wrapped publisher stays hidden.
  public var description: String { "AnyPublisher" }
  /// What a playground shows: the description.
  public var playgroundDescription: Any { description }
}

/// A publisher behind a closure, which is made where the publisher's type is known.
@usableFromInline
class PublisherBox<Output, Failure: Error> {
  /// Nil in the subclasses.
  @usableFromInline final let attach: ((Downstream<Output, Failure>) -> Void)?
  @usableFromInline final let isMaps: Bool

  @inlinable
  init(attach: ((Downstream<Output, Failure>) -> Void)?, isMaps: Bool = false) {
    self.attach = attach
    self.isMaps = isMaps
  }

  @inlinable
  final var single: SingleValueBox<Output, Failure>? {
    attach == nil && !isMaps ? unsafeDowncast(self, to: SingleValueBox.self) : nil
  }

  @inlinable
  final var maps: ErasedMaps<Output, Failure>? { isMaps ? unsafeDowncast(self, to: ErasedMaps.self) : nil }
}

/// A box for a publisher of a single value.
///
/// It stores the fields of a ``SingleValue``, not the structure: a class that releases a generic structure looks up its
/// type.
@usableFromInline
final class SingleValueBox<Output, Failure: Error>: PublisherBox<Output, Failure> {
  @usableFromInline let output: Output
  @usableFromInline let isResult: Bool

  @inlinable
  init(_ single: SingleValue<Output>) {
    output = single.output
    isResult = single.isResult
    super.init(attach: nil)
  }

  @inlinable
  var value: SingleValue<Output> { SingleValue(output, isResult: isResult) }
}

/// A subscriber as its upstream sees it through an `AnyPublisher`.
@usableFromInline
final class ErasedSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline let downstream: Downstream<Input, Failure>

  @inlinable
  init(_ downstream: Downstream<Input, Failure>) { self.downstream = downstream }

  @inlinable
  func receive(subscription: any Subscription) { downstream.receive(subscription: subscription) }
  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(input) }
  @inlinable
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) -> Subscribers.Demand {
    downstream.receive(contentsOf: batch)
  }
  @inlinable
  func _delivery() -> (UnsafeBufferPointer<Input>) -> Subscribers.Demand { downstream.deliver }
  /// The erased subscriber: operators see where they really send, and erasers do not pile up.
  @inlinable
  func _object() -> any Subscriber<Input, Failure> & AnyObject { downstream.subscriber }
  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) { downstream.receive(completion: completion) }

  @usableFromInline var combineIdentifier: CombineIdentifier { downstream.subscriber.combineIdentifier }
  @usableFromInline var description: String { String(describing: downstream.subscriber) }
  @usableFromInline var customMirror: Mirror { Mirror(reflecting: downstream.subscriber) }
  @usableFromInline var playgroundDescription: Any { description }
}

extension Publisher {
  /// Hides the publisher's type.
  ///
  /// Demand, completion, failure, cancellation and threads stay the same. Use it where the type would reveal how a
  /// stream is made, such as in the result of a function.
  ///
  ///     func temperatures() -> AnyPublisher<Double, Never> {
  ///       readings.map { ($0 - 32) / 1.8 }.removeDuplicates().eraseToAnyPublisher()
  ///     }
  @inlinable
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { AnyPublisher(self) }
}
