import Synchronization

/// What a sink's closures are to code that does not know the types of the values.
@usableFromInline
class SinkClosuresBase {
  /// False once the sink has been cancelled or completed.
  @usableFromInline let isActive = Atomic(true)

  @inlinable
  init() {}
}

/// A sink's closures, apart from the sink, so that an upstream can hold them while it delivers.
@usableFromInline
final class SinkClosures<Input, Failure: Error>: SinkClosuresBase {
  @usableFromInline let receiveValue: (Input) -> Void
  @usableFromInline let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  @inlinable
  init(
    receiveValue: @escaping (Input) -> Void,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
  }

  @inlinable @inline(__always)
  func receive(contentsOf batch: UnsafeBufferPointer<Input>) {
    for index in 0..<batch.count {
      guard isActive.load(ordering: .relaxed) else { return }
      receiveValue(batch[index])
    }
  }
}

extension Publisher {
  /// Attaches a subscriber with closures, one for the completion and one for values.
  ///
  /// Requests an unlimited number of values at once. The closures are called on the thread on which the
  /// publisher sends, never by two threads at a time. The subscription ends when the result is cancelled or
  /// released; the closures are released then, or after the completion.
  ///
  ///     let ticket = [1, 2, 3].publisher.sink(
  ///       receiveCompletion: { print("completion: \($0)") },
  ///       receiveValue: { print("value: \($0)") })
  @inlinable
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = Subscribers.Sink<Output, Failure>(
      receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    subscribe(sink)
    return AnyCancellable(sink)
  }
}

extension Publisher where Failure == Never {
  /// Attaches a subscriber with a closure for values, to a publisher that cannot fail.
  ///
  /// Requests an unlimited number of values at once. The closure is called on the thread on which a value is
  /// sent, never by two threads at a time. The subscription ends when the result is cancelled or released, or
  /// when the publisher finishes, which the closure does not learn.
  ///
  ///     let ticket = [1, 2, 3].publisher.sink { print($0) }
  ///     // 1, 2, 3
  @inlinable
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}
