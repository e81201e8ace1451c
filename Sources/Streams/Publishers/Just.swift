/// A publisher that sends one value to each subscriber and finishes.
///
/// The value is sent at the first request for any number of values; a request for none traps.
///
///     let cancellable = Just(42).sink { print($0) }
public struct Just<Output>: Publisher {
  /// It cannot fail.
  public typealias Failure = Never

  /// The value to send.
  public let output: Output

  /// Makes a publisher of `output`.
  @inlinable
  public init(_ output: Output) {
    self.output = output
  }

  /// Attaches `subscriber`, which gets the value when it requests something.
  @inlinable
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    SingleValueSubscription.give(output, to: subscriber, name: "Just")
  }
}

extension Just: Equatable where Output: Equatable {}
